  one :{{name|record}}, resource: {{name|constantize}}Serializer

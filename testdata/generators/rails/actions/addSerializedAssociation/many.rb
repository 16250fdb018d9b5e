  many :{{name|tablename}}, resource: {{name|constantize}}Serializer

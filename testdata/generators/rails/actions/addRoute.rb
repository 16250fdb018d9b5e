  {{verb|lower}} "{{path}}", to: "{{controller|tablename}}#{{method|snake}}"

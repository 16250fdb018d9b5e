      t.{{type|snake}} :{{name|snake}}, null: {{nullable}}

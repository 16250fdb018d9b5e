		{"{{name|snake}}", "{{verb|upper}}", "{{path}}", {{status}}},

		{{field|pascal}}: r.URL.Query().Get("{{field|snake}}"),

	r.Use({{middleware|camel}})

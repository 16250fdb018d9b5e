	{{name|pascal}} string `json:"{{name|snake}}"`

	{{name|pascal}} {{type}} `json:"{{name|snake}}"`

	{{name|pascal}} bool `json:"{{name|snake}}"`

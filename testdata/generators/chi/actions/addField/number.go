	{{name|pascal}} int `json:"{{name|snake}}"`

	{{field|pascal}} string

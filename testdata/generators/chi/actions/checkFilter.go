	if f.{{field|pascal}} != "" && row.{{field|pascal}} != f.{{field|pascal}} {
		return false
	}

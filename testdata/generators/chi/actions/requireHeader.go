		if r.Header.Get("{{header}}") == "" {
			writeProblem(w, http.StatusUnauthorized, "{{message}}")
			return
		}

	router.MethodFunc("{{verb|upper}}", "{{path}}", func(w http.ResponseWriter, _ *http.Request) {
		// The answer until somebody writes this endpoint.
		writeProblem(w, http.StatusNotImplemented, "not implemented")
	})

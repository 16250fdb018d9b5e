	router.Get("/", func(w http.ResponseWriter, r *http.Request) {
		rows, err := h.store.List(r.Context(), {{entity|filterfunc}}(r))
		if err != nil {
			writeError(w, err)
			return
		}
		writeJSON(w, http.StatusOK, rows)
	})

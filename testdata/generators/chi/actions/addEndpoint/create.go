	router.Post("/", func(w http.ResponseWriter, r *http.Request) {
		var row store.{{entity|typename}}
		if !readJSON(w, r, &row) {
			return
		}
		row, err := h.store.Create(r.Context(), row)
		if err != nil {
			writeError(w, err)
			return
		}
		writeJSON(w, http.StatusCreated, row)
	})

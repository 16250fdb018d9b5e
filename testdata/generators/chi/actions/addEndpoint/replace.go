	router.Put("/{id}", func(w http.ResponseWriter, r *http.Request) {
		var row store.{{entity|typename}}
		if !readJSON(w, r, &row) {
			return
		}
		row.ID = chi.URLParam(r, "id")
		if err := h.store.Replace(r.Context(), row); err != nil {
			writeError(w, err)
			return
		}
		writeJSON(w, http.StatusOK, row)
	})

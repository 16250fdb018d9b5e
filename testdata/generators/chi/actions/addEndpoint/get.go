	router.Get("/{id}", func(w http.ResponseWriter, r *http.Request) {
		row, err := h.store.Get(r.Context(), chi.URLParam(r, "id"))
		if err != nil {
			writeError(w, err)
			return
		}
		writeJSON(w, http.StatusOK, row)
	})

	router.Delete("/{id}", func(w http.ResponseWriter, r *http.Request) {
		if err := h.store.Delete(r.Context(), chi.URLParam(r, "id")); err != nil {
			writeError(w, err)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})

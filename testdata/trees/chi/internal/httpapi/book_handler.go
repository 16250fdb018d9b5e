package httpapi

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/acme/library/internal/store"
)

// bookHandler serves the endpoints of one kind of entity, store.Book.
type bookHandler struct {
	store *store.BookStore
}

// routes returns the endpoints, relative to the path that they are mounted at.
func (h bookHandler) routes() http.Handler {
	router := chi.NewRouter()

	// sedum:anchor:endpoints
	// sedum:addEndpoint:list {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","operation":"list"}}
	router.Get("/", func(w http.ResponseWriter, r *http.Request) {
		rows, err := h.store.List(r.Context(), bookFilter(r))
		if err != nil {
			writeError(w, err)
			return
		}
		writeJSON(w, http.StatusOK, rows)
	})
	// /sedum:addEndpoint:list
	// sedum:addEndpoint:get {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","operation":"get"}}
	router.Get("/{id}", func(w http.ResponseWriter, r *http.Request) {
		row, err := h.store.Get(r.Context(), chi.URLParam(r, "id"))
		if err != nil {
			writeError(w, err)
			return
		}
		writeJSON(w, http.StatusOK, row)
	})
	// /sedum:addEndpoint:get
	// sedum:addEndpoint:create {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","operation":"create"}}
	router.Post("/", func(w http.ResponseWriter, r *http.Request) {
		var row store.Book
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
	// /sedum:addEndpoint:create
	// sedum:addEndpoint:replace {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","operation":"replace"}}
	router.Put("/{id}", func(w http.ResponseWriter, r *http.Request) {
		var row store.Book
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
	// /sedum:addEndpoint:replace
	// sedum:addEndpoint:delete {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","operation":"delete"}}
	router.Delete("/{id}", func(w http.ResponseWriter, r *http.Request) {
		if err := h.store.Delete(r.Context(), chi.URLParam(r, "id")); err != nil {
			writeError(w, err)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	// /sedum:addEndpoint:delete
	// sedum:addCustomEndpoint {"tier":"seeded","record":"prov-2026-chi0002","kwargs":{"entity":"book","path":"/{id}/mark-read","verb":"POST"}}
	router.MethodFunc("POST", "/{id}/mark-read", func(w http.ResponseWriter, _ *http.Request) {
		// The answer until somebody writes this endpoint.
		writeProblem(w, http.StatusNotImplemented, "not implemented")
	})
	// /sedum:addCustomEndpoint

	return router
}

// bookFilter reads from the query string which entities a listing is to show.
func bookFilter(r *http.Request) store.BookFilter {
	return store.BookFilter{
		// sedum:anchor:filter_values
		// sedum:readFilter {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","field":"author_id"}}
		AuthorID: r.URL.Query().Get("author_id"),
		// /sedum:readFilter
	}
}

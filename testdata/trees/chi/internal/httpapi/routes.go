package httpapi

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/acme/library/internal/store"
)

// NewRouter returns the handler of the whole service, backed by stores.
func NewRouter(stores *store.Stores) http.Handler {
	r := chi.NewRouter()
	r.Use(middleware.RequestID)
	r.Use(middleware.Recoverer)
	// sedum:useMiddleware {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"middleware":"require_api_key"}}
	r.Use(requireAPIKey)
	// /sedum:useMiddleware

	// sedum:anchor:routes_begin
	// sedum:mountHandler {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book"}}
	r.Mount("/books", bookHandler{store: stores.Books}.routes())
	// /sedum:mountHandler
	// sedum:anchor:routes_end

	return r
}

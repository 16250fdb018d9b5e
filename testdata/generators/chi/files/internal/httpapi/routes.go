package httpapi

import (
	"net/http"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"{{module}}/internal/store"
)

// NewRouter returns the handler of the whole service, backed by stores.
func NewRouter(stores *store.Stores) http.Handler {
	r := chi.NewRouter()
	r.Use(middleware.RequestID)
	r.Use(middleware.Recoverer)

	// sedum:anchor:routes_begin
	// sedum:anchor:routes_end

	return r
}

package httpapi

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"{{module}}/internal/store"
)

// {{entity|handler}} serves the endpoints of one kind of entity, store.{{entity|typename}}.
type {{entity|handler}} struct {
	store *store.{{entity|typename}}Store
}

// routes returns the endpoints, relative to the path that they are mounted at.
func (h {{entity|handler}}) routes() http.Handler {
	router := chi.NewRouter()

	// sedum:anchor:endpoints

	return router
}

// {{entity|filterfunc}} reads from the query string which entities a listing is to show.
func {{entity|filterfunc}}(r *http.Request) store.{{entity|typename}}Filter {
	return store.{{entity|typename}}Filter{
		// sedum:anchor:filter_values
	}
}

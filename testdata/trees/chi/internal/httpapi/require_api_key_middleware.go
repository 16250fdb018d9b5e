package httpapi

import "net/http"

// requireAPIKey lets a request through to next once it has passed every check here.
func requireAPIKey(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// sedum:anchor:checks
		// sedum:requireHeader {"tier":"owned","record":"prov-2026-chi0001","kwargs":{"header":"X-API-Key","message":"the API key is missing","middleware":"require_api_key"}}
		if r.Header.Get("X-API-Key") == "" {
			writeProblem(w, http.StatusUnauthorized, "the API key is missing")
			return
		}
		// /sedum:requireHeader

		next.ServeHTTP(w, r)
	})
}

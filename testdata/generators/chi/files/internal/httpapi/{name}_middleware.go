package httpapi

import "net/http"

// {{name|camel}} lets a request through to next once it has passed every check here.
func {{name|camel}}(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// sedum:anchor:checks

		next.ServeHTTP(w, r)
	})
}

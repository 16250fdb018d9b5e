package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"{{module}}/internal/store"
)

// ask{{entity|typename}}Handler sends one request to a handler over an empty store and returns the status of the answer.
func ask{{entity|typename}}Handler(method, path, body string) int {
	h := {{entity|handler}}{store: store.New{{entity|typename}}Store()}
	answer := httptest.NewRecorder()
	h.routes().ServeHTTP(answer, httptest.NewRequest(method, path, strings.NewReader(body)))
	return answer.Code
}

func Test{{entity|typename}}Handler(t *testing.T) {
	cases := []struct {
		name   string
		method string
		path   string
		want   int
	}{
		{"unknown_path", http.MethodGet, "/no/such/path", http.StatusNotFound},
		// sedum:anchor:cases
	}

	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := ask{{entity|typename}}Handler(c.method, c.path, ""); got != c.want {
				t.Errorf("%s %s: status = %d, want %d", c.method, c.path, got, c.want)
			}
		})
	}
}

func Test{{entity|typename}}HandlerBodies(t *testing.T) {
	// sedum:anchor:body_tests
}

package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/acme/library/internal/store"
)

// askBookHandler sends one request to a handler over an empty store and returns the status of the answer.
func askBookHandler(method, path, body string) int {
	h := bookHandler{store: store.NewBookStore()}
	answer := httptest.NewRecorder()
	h.routes().ServeHTTP(answer, httptest.NewRequest(method, path, strings.NewReader(body)))
	return answer.Code
}

func TestBookHandler(t *testing.T) {
	cases := []struct {
		name   string
		method string
		path   string
		want   int
	}{
		{"unknown_path", http.MethodGet, "/no/such/path", http.StatusNotFound},
		// sedum:anchor:cases
		// sedum:addRequestTest {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","name":"empty_list","path":"/","status":200,"verb":"GET"}}
		{"empty_list", "GET", "/", 200},
		// /sedum:addRequestTest
		// sedum:addRequestTest {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","name":"unknown_id","path":"/absent","status":404,"verb":"GET"}}
		{"unknown_id", "GET", "/absent", 404},
		// /sedum:addRequestTest
		// sedum:addRequestTest {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","name":"delete_unknown_id","path":"/absent","status":404,"verb":"DELETE"}}
		{"delete_unknown_id", "DELETE", "/absent", 404},
		// /sedum:addRequestTest
	}

	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := askBookHandler(c.method, c.path, ""); got != c.want {
				t.Errorf("%s %s: status = %d, want %d", c.method, c.path, got, c.want)
			}
		})
	}
}

func TestBookHandlerBodies(t *testing.T) {
	// sedum:anchor:body_tests
	// sedum:addBodyTest {"tier":"seeded","record":"prov-2026-chi0002","kwargs":{"body":"{\"title\":\"Emma\",\"pages\":474}","entity":"book","name":"create","path":"/","status":201,"verb":"POST"}}
	t.Run("create", func(t *testing.T) {
		cases := []struct {
			body string
			want int
		}{{
			body: `{"title":"Emma","pages":474}`,
			want: 201,
		}}

		for _, c := range cases {
			if got := askBookHandler("POST", "/", c.body); got != c.want {
				t.Errorf("body %s: status = %d, want %d", c.body, got, c.want)
			}
		}
	})
	// /sedum:addBodyTest
}

// Package httpapi answers HTTP requests from the service's stores.
package httpapi

import (
	"encoding/json"
	"errors"
	"log"
	"net/http"

	"github.com/acme/library/internal/store"
)

// maxBody is the size of the largest request body that is read, in bytes.
const maxBody = 1 << 20

// writeJSON answers with status and value as JSON.
func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(value); err != nil {
		log.Printf("httpapi: write answer: %v", err)
	}
}

// writeProblem answers with status and a message that is meant for the client.
func writeProblem(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, map[string]string{"error": message})
}

// writeError answers with the status that err stands for. What the client has no business with stays in the log.
func writeError(w http.ResponseWriter, err error) {
	if errors.Is(err, store.ErrNotFound) {
		writeProblem(w, http.StatusNotFound, "not found")
		return
	}
	log.Printf("httpapi: %v", err)
	writeProblem(w, http.StatusInternalServerError, "internal error")
}

// readJSON decodes the request's body into value. When it cannot, it answers 400 and returns false.
func readJSON(w http.ResponseWriter, r *http.Request, value any) bool {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		writeProblem(w, http.StatusBadRequest, "malformed request body")
		return false
	}
	return true
}

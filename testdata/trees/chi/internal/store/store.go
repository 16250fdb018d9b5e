// Package store keeps the service's entities in memory.
package store

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
)

// ErrNotFound is returned when no entity has the ID that was asked for.
var ErrNotFound = errors.New("store: not found")

// Stores holds one store for each kind of entity.
type Stores struct {
	// sedum:anchor:stores
	// sedum:declareStore {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book"}}
	Books *BookStore
	// /sedum:declareStore
}

// New returns empty stores.
func New() *Stores {
	return &Stores{
		// sedum:anchor:store_values
		// sedum:createStore {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book"}}
		Books: NewBookStore(),
		// /sedum:createStore
	}
}

// newID returns 32 random hexadecimal digits.
func newID() (string, error) {
	raw := make([]byte, 16)
	if _, err := rand.Read(raw); err != nil {
		return "", fmt.Errorf("store: new ID: %w", err)
	}
	return hex.EncodeToString(raw), nil
}

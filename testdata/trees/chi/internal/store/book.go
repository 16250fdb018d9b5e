package store

import (
	"context"
	"sync"
)

// Book is one entity as it is stored and as its JSON shows it.
type Book struct {
	ID string `json:"id"`
	// sedum:anchor:fields
	// sedum:addField:text {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","name":"title","type":"text"}}
	Title string `json:"title"`
	// /sedum:addField:text
	// sedum:addField:text {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","name":"author_id","type":"text"}}
	AuthorID string `json:"author_id"`
	// /sedum:addField:text
	// sedum:addField:text {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","name":"cover_url","type":"text"}}
	CoverURL string `json:"cover_url"`
	// /sedum:addField:text
	// sedum:addField:number {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","name":"pages","type":"number"}}
	Pages int `json:"pages"`
	// /sedum:addField:number
	// sedum:addField:float64 {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","name":"price","type":"float64"}}
	Price float64 `json:"price"`
	// /sedum:addField:float64
	// sedum:addField:flag {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","name":"on_loan","type":"flag"}}
	OnLoan bool `json:"on_loan"`
	// /sedum:addField:flag
	// sedum:addField:texts {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","name":"subjects","type":"texts"}}
	Subjects []string `json:"subjects"`
	// /sedum:addField:texts
}

// BookFilter narrows a listing. A field that is left empty narrows nothing.
type BookFilter struct {
	// sedum:anchor:filter_fields
	// sedum:declareFilter {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","field":"author_id"}}
	AuthorID string
	// /sedum:declareFilter
}

func (f BookFilter) matches(row Book) bool {
	// sedum:anchor:filter_checks
	// sedum:checkFilter {"tier":"owned","record":"prov-2026-chi0002","kwargs":{"entity":"book","field":"author_id"}}
	if f.AuthorID != "" && row.AuthorID != f.AuthorID {
		return false
	}
	// /sedum:checkFilter
	return true
}

// BookStore keeps every Book. It is safe for concurrent use.
type BookStore struct {
	mu    sync.RWMutex
	rows  map[string]Book
	order []string // IDs, oldest first
}

// NewBookStore returns an empty store.
func NewBookStore() *BookStore {
	return &BookStore{rows: make(map[string]Book)}
}

// List returns what filter matches, oldest first.
func (s *BookStore) List(_ context.Context, filter BookFilter) ([]Book, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()

	found := make([]Book, 0, len(s.order))
	for _, id := range s.order {
		if row := s.rows[id]; filter.matches(row) {
			found = append(found, row)
		}
	}
	return found, nil
}

// Get returns the one with the ID id, or ErrNotFound.
func (s *BookStore) Get(_ context.Context, id string) (Book, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()

	row, ok := s.rows[id]
	if !ok {
		return Book{}, ErrNotFound
	}
	return row, nil
}

// Create stores row under an ID of its own and returns it with that ID.
func (s *BookStore) Create(_ context.Context, row Book) (Book, error) {
	id, err := newID()
	if err != nil {
		return Book{}, err
	}

	s.mu.Lock()
	defer s.mu.Unlock()

	row.ID = id
	s.rows[id] = row
	s.order = append(s.order, id)
	return row, nil
}

// Replace stores row in the place of the one with the same ID, or returns ErrNotFound.
func (s *BookStore) Replace(_ context.Context, row Book) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	if _, ok := s.rows[row.ID]; !ok {
		return ErrNotFound
	}
	s.rows[row.ID] = row
	return nil
}

// Delete removes the one with the ID id, or returns ErrNotFound.
func (s *BookStore) Delete(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	if _, ok := s.rows[id]; !ok {
		return ErrNotFound
	}
	delete(s.rows, id)
	for i, other := range s.order {
		if other == id {
			s.order = append(s.order[:i], s.order[i+1:]...)
			break
		}
	}
	return nil
}

package store

import (
	"context"
	"sync"
)

// {{entity|typename}} is one entity as it is stored and as its JSON shows it.
type {{entity|typename}} struct {
	ID string `json:"id"`
	// sedum:anchor:fields
}

// {{entity|typename}}Filter narrows a listing. A field that is left empty narrows nothing.
type {{entity|typename}}Filter struct {
	// sedum:anchor:filter_fields
}

func (f {{entity|typename}}Filter) matches(row {{entity|typename}}) bool {
	// sedum:anchor:filter_checks
	return true
}

// {{entity|typename}}Store keeps every {{entity|typename}}. It is safe for concurrent use.
type {{entity|typename}}Store struct {
	mu    sync.RWMutex
	rows  map[string]{{entity|typename}}
	order []string // IDs, oldest first
}

// New{{entity|typename}}Store returns an empty store.
func New{{entity|typename}}Store() *{{entity|typename}}Store {
	return &{{entity|typename}}Store{rows: make(map[string]{{entity|typename}})}
}

// List returns what filter matches, oldest first.
func (s *{{entity|typename}}Store) List(_ context.Context, filter {{entity|typename}}Filter) ([]{{entity|typename}}, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()

	found := make([]{{entity|typename}}, 0, len(s.order))
	for _, id := range s.order {
		if row := s.rows[id]; filter.matches(row) {
			found = append(found, row)
		}
	}
	return found, nil
}

// Get returns the one with the ID id, or ErrNotFound.
func (s *{{entity|typename}}Store) Get(_ context.Context, id string) ({{entity|typename}}, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()

	row, ok := s.rows[id]
	if !ok {
		return {{entity|typename}}{}, ErrNotFound
	}
	return row, nil
}

// Create stores row under an ID of its own and returns it with that ID.
func (s *{{entity|typename}}Store) Create(_ context.Context, row {{entity|typename}}) ({{entity|typename}}, error) {
	id, err := newID()
	if err != nil {
		return {{entity|typename}}{}, err
	}

	s.mu.Lock()
	defer s.mu.Unlock()

	row.ID = id
	s.rows[id] = row
	s.order = append(s.order, id)
	return row, nil
}

// Replace stores row in the place of the one with the same ID, or returns ErrNotFound.
func (s *{{entity|typename}}Store) Replace(_ context.Context, row {{entity|typename}}) error {
	s.mu.Lock()
	defer s.mu.Unlock()

	if _, ok := s.rows[row.ID]; !ok {
		return ErrNotFound
	}
	s.rows[row.ID] = row
	return nil
}

// Delete removes the one with the ID id, or returns ErrNotFound.
func (s *{{entity|typename}}Store) Delete(_ context.Context, id string) error {
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

// Command library serves the library API over HTTP.
package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/acme/library/internal/httpapi"
	"github.com/acme/library/internal/store"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

// run serves until it fails, or until the process is told to stop and the open requests are answered.
func run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	server := &http.Server{
		Addr:              address(),
		Handler:           httpapi.NewRouter(store.New()),
		ReadHeaderTimeout: 5 * time.Second,
	}

	failed := make(chan error, 1)
	go func() { failed <- server.ListenAndServe() }()
	log.Printf("listening on %s", server.Addr)

	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}

	grace, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return server.Shutdown(grace)
}

// address returns the address to listen on: the environment's ADDRESS, or port 8080.
func address() string {
	if value := os.Getenv("ADDRESS"); value != "" {
		return value
	}
	return ":8080"
}

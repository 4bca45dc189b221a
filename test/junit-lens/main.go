// Shows what Prow's own junit lens makes of JUnit files: one line per test, then their total.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sigs.k8s.io/prow/pkg/config"
	"sigs.k8s.io/prow/pkg/spyglass/api"
	"sigs.k8s.io/prow/pkg/spyglass/lenses/junit"
)

// The lens executes "body" of the template.html that it finds in its resource folder.
const body = `{{define "test"}}	{{(index .Junit 0).ClassName | urlquery}}	{{(index .Junit 0).Name | urlquery}}	{{(index .Junit 0).SkippedReason | urlquery}}	{{len .Junit}}
{{end}}{{define "body"}}{{range .Failed}}failed{{template "test" .}}{{end}}{{range .Flaky}}flaky{{template "test" .}}{{end -}}
{{range .Skipped}}skipped{{template "test" .}}{{end}}{{range .Passed}}passed{{template "test" .}}{{end}}total	{{.NumTests}}
{{end}}`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(paths []string) error {
	dir, err := os.MkdirTemp("", "junit-lens-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "template.html"), []byte(body), 0o600); err != nil {
		return err
	}
	artifacts := make([]api.Artifact, 0, len(paths))
	for _, path := range paths {
		artifacts = append(artifacts, file(path))
	}
	fmt.Print(junit.Lens{}.Body(artifacts, dir, "", nil, config.Spyglass{}))
	return nil
}

// A file on disk as an artifact of a job; the lens asks for its content, path and link only.
type file string

var errNotNeeded = errors.New("the junit lens does not need it")

func (f file) ReadAll() ([]byte, error)               { return os.ReadFile(string(f)) }
func (f file) JobPath() string                        { return string(f) }
func (f file) CanonicalLink() string                  { return string(f) }
func (f file) ReadAt([]byte, int64) (int, error)      { return 0, errNotNeeded }
func (f file) ReadAtMost(int64) ([]byte, error)       { return nil, errNotNeeded }
func (f file) ReadTail(int64) ([]byte, error)         { return nil, errNotNeeded }
func (f file) Size() (int64, error)                   { return 0, errNotNeeded }
func (f file) Metadata() (map[string]string, error)   { return nil, errNotNeeded }
func (f file) UpdateMetadata(map[string]string) error { return errNotNeeded }

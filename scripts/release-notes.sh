#!/usr/bin/env bash
# Prints a version's section of CHANGELOG.md, without its heading. Fails when there is none, or while the heading calls
# it unreleased.
#
#   scripts/release-notes.sh VERSION
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    printf 'release-notes: %s\n' "$*" >&2
    exit 1
}

[ $# -eq 1 ] || fail "expected one argument, a version"
heading=$(awk -v version="$1" '$1 == "##" && $2 == version' CHANGELOG.md)
case $heading in
"") fail "CHANGELOG.md has no section \"## $1\"" ;;
*[Uu]nreleased*) fail "CHANGELOG.md: \"$heading\": put the day of the release there" ;;
esac
awk -v version="$1" '$1 == "##" { within = $2 == version; next } within' CHANGELOG.md

#!/usr/bin/env bash
# Prints the version, which stands in Cargo.toml and nowhere else (Z2). With a tag, fails unless the tag is that version
# behind a v (Z3), and unless CHANGELOG.md has the version's section.
#
#   scripts/version.sh [TAG]
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    printf 'version: %s\n' "$*" >&2
    exit 1
}

[ $# -le 1 ] || fail "expected at most one argument, a tag"
version=$(sed -n '/^\[package\]/,/^\[dep/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
[ -n "$version" ] || fail "Cargo.toml: [package] has no version"

if [ $# -eq 1 ]; then
    [ "$1" = "v$version" ] ||
        fail "the tag is $1, and Cargo.toml says $version: expected v$version; move the tag, or change the version first"
    scripts/release-notes.sh "$version" >/dev/null
fi
printf '%s\n' "$version"

#!/usr/bin/env bash
# Tries a built program: its version, a validation of the worked packages, and a replay of each of their recordings,
# which has to make the tree in testdata/trees byte by byte.
#
#   scripts/try.sh PROGRAM VERSION
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

fail() {
    printf 'try: %s\n' "$*" >&2
    exit 1
}

[ $# -eq 2 ] || fail "expected two arguments, a program and its version"
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d "${TMPDIR:-/tmp}/sedum-try.XXXXXX")
trap 'rm -rf "$work"' EXIT
# From an empty folder, with nothing set, so that only what is named here is read.
cd "$work"
for setting in $(env | sed -n -e 's/^\(SEDUM_[A-Z_]*\)=.*/\1/p' -e 's/^\(OPENAI_[A-Z_]*\)=.*/\1/p'); do
    unset "$setting"
done

shown=$("$program" --version)
[ "$shown" = "$2" ] || fail "$program says that it is version \"$shown\", expected \"$2\""
"$program" validate --strict --generators "$root/testdata/generators"

replays=0
for recording in "$root"/testdata/recordings/*.json; do
    name=$(basename "$recording" .json)
    "$program" grow --generators "$root/testdata/generators" --records "$root/testdata/records" \
        --execute "$recording" --output "$work/$name" >"$work/report" || fail "$name: the replay failed"
    diff -r -x .sedum "$root/testdata/trees/$name" "$work/$name" || fail "$name: the replay made another tree"
    replays=$((replays + 1))
done
[ "$replays" -gt 0 ] || fail "testdata/recordings holds no recording"
printf 'try: version %s, packages valid, %s replays as they should be\n' "$2" "$replays"

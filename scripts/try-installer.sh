#!/usr/bin/env bash
# Installs this machine's program with install.sh from a folder of archives, served on the loopback interface as the
# releases page serves them, and tries it.
#
#   scripts/try-installer.sh DIR    the folder that scripts/package.sh wrote
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# -eq 1 ] || { printf 'try-installer: expected one argument, the folder of the archives\n' >&2; exit 1; }
archives=$(cd "$1" && pwd)
version=$(scripts/version.sh)
work=$(mktemp -d "${TMPDIR:-/tmp}/sedum-installer.XXXXXX")
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || :; rm -rf "$work"' EXIT

mkdir -p "$work/site/download" "$work/home"
cp -R "$archives" "$work/site/download/v$version"
# The server takes a free port and says which. The file is there before the server is, because it may be read first.
: >"$work/port"
python3 -u -m http.server --bind 127.0.0.1 --directory "$work/site" 0 >"$work/port" 2>"$work/requests" &
server=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    port=$(sed -n 's/.* port \([0-9]*\).*/\1/p' "$work/port")
    [ -z "$port" ] || break
    sleep 0.5
done
[ -n "$port" ] || { printf 'try-installer: the file server did not start\n' >&2; exit 1; }

HOME=$work/home SEDUM_INSTALL_DIR='' SEDUM_VERSION=$version SEDUM_BASE_URL=http://127.0.0.1:$port sh install.sh
scripts/try.sh "$work/home/.local/bin/sedum" "$version"

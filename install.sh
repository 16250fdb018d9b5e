#!/bin/sh
# Installs the sedum program from a release of https://github.com/livecodelife/sedum.
#
#   curl -fsSL https://raw.githubusercontent.com/livecodelife/sedum/main/install.sh | sh
#
# What can be set in the environment:
#   SEDUM_VERSION      the version to install, such as 0.3.0 or v0.3.0; the latest release if not set
#   SEDUM_INSTALL_DIR  where the program goes; $HOME/.local/bin if not set
#   SEDUM_BASE_URL     where the releases are, for a mirror; https://github.com/livecodelife/sedum/releases if not set.
#                      Below it lie `latest`, which redirects to `tag/vVERSION`, and `download/vVERSION/FILE`
#
# The archive is held to the release's checksums.txt before anything of it is used. Whatever goes wrong before the last
# step, a move within one folder, leaves the installation as it was.

set -eu

default_base=https://github.com/livecodelife/sedum/releases

say() { printf 'sedum: %s\n' "$*"; }
warn() { printf 'sedum: warning: %s\n' "$*" >&2; }
fail() {
    printf 'sedum: error: %s\n' "$*" >&2
    exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

# What is to be gone when this script ends, and the download that may still run.
scratch=
staged=
child=

clean() {
    if [ -n "$child" ]; then
        kill "$child" 2>/dev/null || :
        wait "$child" 2>/dev/null || :
    fi
    [ -z "$staged" ] || rm -f "$staged"
    [ -z "$scratch" ] || rm -rf "$scratch"
}

stopped() {
    printf 'sedum: error: stopped before anything was installed\n' >&2
    exit "$1"
}

# The platform as the names of the archives have it: OS_ARCH.
platform() {
    kernel=$(uname -s)
    machine=$(uname -m)
    case $kernel in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    MINGW* | MSYS* | CYGWIN* | Windows*)
        fail "this script does not install on Windows: unpack sedum_VERSION_windows_amd64.zip from $base by hand, or run: cargo binstall sedum"
        ;;
    *) fail "there is no release for the system \"$kernel\": wanted Linux or Darwin; build it with: cargo install --git https://github.com/livecodelife/sedum --locked" ;;
    esac
    case $machine in
    x86_64 | amd64) arch=amd64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) fail "there is no release for the processor \"$machine\": wanted x86_64 or arm64; build it with: cargo install --git https://github.com/livecodelife/sedum --locked" ;;
    esac
    # A shell that is itself translated is told that the processor is an Intel one.
    if [ "$os" = darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || :)" = 1 ]; then
        arch=arm64
    fi
}

# Which program fetches, and which one adds up.
tools() {
    if have curl; then
        client=curl
    elif have wget; then
        client=wget
    else
        fail "neither curl nor wget was found: install one of them"
    fi
    if have sha256sum; then
        digest=sha256sum
    elif have shasum; then
        digest=shasum
    elif have openssl; then
        digest=openssl
    else
        fail "the download cannot be checked: install sha256sum, shasum or openssl"
    fi
    for tool in tar gzip mktemp; do
        have "$tool" || fail "$tool was not found: install it"
    done
}

# Waits for the download that was started last. It runs beside the shell because a signal would otherwise be seen only
# when the download is over.
ended() {
    child=$!
    status=0
    wait "$child" || status=$?
    child=
    return "$status"
}

# curl, kept from falling back to a protocol that can be tampered with when the address is a safe one.
run_curl() {
    case $base in
    https://*) exec curl --proto '=https' --tlsv1.2 -fsSL --connect-timeout 30 "$@" ;;
    *) exec curl -fsSL --connect-timeout 30 "$@" ;;
    esac
}

# fetch URL FILE
fetch() {
    case $client in
    curl) run_curl --retry 2 -o "$2" "$1" & ;;
    wget) wget -q -t 2 -T 60 -O "$2" "$1" & ;;
    esac
    ended
}

# The version of the latest release: the last part of the address that `latest` leads to.
latest() {
    case $client in
    curl) run_curl -I -o "$scratch/page" -w '%{url_effective}\n' "$base/latest" >"$scratch/latest" & ;;
    wget) wget -S --spider -t 2 -T 60 "$base/latest" >"$scratch/latest" 2>&1 & ;;
    esac
    ended || fail "$base/latest cannot be fetched: look at the network, or set SEDUM_VERSION to a version"
    version=$(sed -n 's|.*/tag/\(v[^ /]*\).*|\1|p' "$scratch/latest" | tr -d '\r' | tail -n 1)
    [ -n "$version" ] || fail "$base/latest does not lead to a release: set SEDUM_VERSION to a version"
}

# Takes the tag's v off, and refuses what cannot be a version before it becomes part of an address.
plain_version() {
    version=${1#v}
    case $version in
    *[!0-9A-Za-z.+-]* | *..*) ;;
    [0-9]*.[0-9]*.[0-9]*) return ;;
    esac
    fail "\"$1\" is not a version: wanted one such as 0.3.0 or v0.3.0"
}

# digest_of FILE
digest_of() {
    case $digest in
    sha256sum) sha256sum <"$1" ;;
    shasum) shasum -a 256 <"$1" ;;
    openssl) openssl dgst -sha256 -r <"$1" ;;
    esac | cut -d ' ' -f 1
}

verify() {
    wanted=$(awk -v name="$asset" '$2 == name || $2 == "*" name { print $1 }' "$scratch/checksums.txt")
    case $wanted in
    "") fail "checksums.txt of v$version has no line for $asset, so the download cannot be checked; nothing was installed" ;;
    *[!0-9a-f]*) fail "checksums.txt of v$version does not give one SHA-256 for $asset; nothing was installed" ;;
    esac
    [ ${#wanted} -eq 64 ] || fail "checksums.txt of v$version does not give a SHA-256 for $asset; nothing was installed"
    found=$(digest_of "$scratch/$asset")
    [ "$found" = "$wanted" ] || fail "the checksum of $asset is $found, and checksums.txt says $wanted: the download is damaged or was tampered with; nothing was installed. Try again, and report it if it stays so"
}

# Where the program goes, as an absolute path; the folder is made when the download has been found good.
directory() {
    if [ -n "${SEDUM_INSTALL_DIR:-}" ]; then
        directory=$SEDUM_INSTALL_DIR
    elif [ -n "${HOME:-}" ]; then
        directory=$HOME/.local/bin
    else
        fail "neither SEDUM_INSTALL_DIR nor HOME is set: set SEDUM_INSTALL_DIR to the folder for the program"
    fi
    case $directory in
    /*) ;;
    *) directory=$(pwd)/$directory ;;
    esac
    while [ "${directory%/}" != "$directory" ] && [ "$directory" != / ]; do
        directory=${directory%/}
    done
    if [ -e "$directory" ] && { [ ! -d "$directory" ] || [ ! -w "$directory" ]; }; then
        fail "$directory is not a folder that you may write: set SEDUM_INSTALL_DIR to another one"
    fi
    [ ! -d "$directory/sedum" ] || fail "$directory/sedum is a folder: move it away, or set SEDUM_INSTALL_DIR to another folder"
}

# Puts the program beside its place, sees whether it runs, and moves it there.
put() {
    mkdir -p "$directory" || fail "$directory cannot be made: set SEDUM_INSTALL_DIR to a folder that you may write"
    staged=$directory/.sedum-install-$$
    { rm -f "$staged" && cp "$scratch/$name/sedum" "$staged" && chmod 755 "$staged"; } ||
        fail "$directory cannot be written: set SEDUM_INSTALL_DIR to another folder"
    shown=$("$staged" --version 2>/dev/null) ||
        fail "the program of $asset does not run on this machine; nothing was installed"
    mv -f "$staged" "$directory/sedum" || fail "$directory/sedum cannot be replaced"
    staged=
    trap - HUP INT TERM
    say "installed $directory/sedum"
    if [ "${shown##* }" != "$version" ]; then
        warn "the program says that it is version \"${shown##* }\", not $version: please report it"
    fi
}

# Whether a shell would find the program that was just installed.
look_up() {
    case :${PATH:-}: in
    *":$directory:"* | *":$directory/:"*) ;;
    *)
        # shellcheck disable=SC2016 # $PATH is for the person's shell, not for this one
        warn "$directory is not on your PATH: add this to your shell's start-up file: export PATH=\"$directory:"'$PATH"'
        return
        ;;
    esac
    first=$(command -v sedum || :)
    if [ -n "$first" ] && [ "$(cd "${first%/*}/" && pwd -P)" != "$(cd "$directory" && pwd -P)" ]; then
        warn "your shell finds $first first: remove it, or put $directory before it on your PATH"
    fi
}

main() {
    base=${SEDUM_BASE_URL:-$default_base}
    base=${base%/}
    platform
    tools
    directory

    trap clean EXIT
    trap 'stopped 129' HUP
    trap 'stopped 130' INT
    trap 'stopped 143' TERM
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/sedum-install.XXXXXX") ||
        fail "no temporary folder can be made in ${TMPDIR:-/tmp}: set TMPDIR to a folder that you may write"

    version=${SEDUM_VERSION:-}
    [ -n "$version" ] || latest
    plain_version "$version"
    name=sedum_${version}_${os}_${arch}
    asset=$name.tar.gz
    from=$base/download/v$version

    say "fetching $from/$asset"
    fetch "$from/checksums.txt" "$scratch/checksums.txt" ||
        fail "$from/checksums.txt cannot be fetched: look whether there is a release v$version, and at the network"
    fetch "$from/$asset" "$scratch/$asset" ||
        fail "$from/$asset cannot be fetched: look whether release v$version has it, and at the network; nothing was installed"
    verify
    tar -xzf "$scratch/$asset" -C "$scratch" "$name/sedum" ||
        fail "$asset holds no $name/sedum; nothing was installed"
    if [ ! -f "$scratch/$name/sedum" ] || [ -L "$scratch/$name/sedum" ]; then
        fail "$name/sedum in $asset is not a plain file; nothing was installed"
    fi
    put
    look_up
}

# Last, so that a script that arrives cut short does nothing.
main "$@"

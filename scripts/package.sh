#!/usr/bin/env bash
# Builds one archive of a release (Z5), and tries the program out of it.
#
#   scripts/package.sh [--target TRIPLE] [--output DIR] [--profile NAME] [--cannot-run]
#
#   --target      what to build for; this machine if left out, with musl on Linux, so that the program is static
#   --output      where the archive and checksums.txt go; target/package if left out
#   --profile     the cargo profile; release if left out
#   --cannot-run  this machine cannot run the target's programs: the archive is made and not tried
#
# The same sources and toolchain give the same bytes: times are those of the last commit, or SOURCE_DATE_EPOCH's.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD

say() { printf 'package: %s\n' "$*"; }
fail() {
    printf 'package: %s\n' "$*" >&2
    exit 1
}

target=
output=target/package
profile=release
runs=yes
while [ $# -gt 0 ]; do
    case $1 in
    --target | --output | --profile)
        [ $# -ge 2 ] || fail "$1 takes a value"
        case $1 in
        --target) target=$2 ;;
        --output) output=$2 ;;
        --profile) profile=$2 ;;
        esac
        shift
        ;;
    --cannot-run) runs=no ;;
    *) fail "unknown argument \"$1\": expected --target, --output, --profile or --cannot-run" ;;
    esac
    shift
done

if [ -z "$target" ]; then
    target=$(rustc -vV | sed -n 's/^host: //p')
    target=${target/-linux-gnu/-linux-musl}
fi

suffix=
extension=tar.gz
flags=
case $target in
x86_64-unknown-linux-musl) platform=linux_amd64 ;;
aarch64-unknown-linux-musl) platform=linux_arm64 ;;
x86_64-apple-darwin) platform=darwin_amd64 ;;
aarch64-apple-darwin) platform=darwin_arm64 ;;
x86_64-pc-windows-*)
    platform=windows_amd64
    suffix=.exe
    extension=zip
    # Without it the program needs a run-time library that a new machine does not have.
    flags='-C target-feature=+crt-static'
    # The assembler that aws-lc needs there is on few machines; its crate carries what it would make.
    export AWS_LC_SYS_PREBUILT_NASM=1
    ;;
*) fail "no archive is made for $target: expected x86_64 or aarch64 of unknown-linux-musl or apple-darwin, or x86_64-pc-windows-msvc" ;;
esac

python=$(command -v python3 || command -v python) || fail "python3 was not found: install it"
if [ -z "${SOURCE_DATE_EPOCH:-}" ]; then
    SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) || fail "this is no git repository: set SOURCE_DATE_EPOCH"
fi
export SOURCE_DATE_EPOCH

for file in README.md LICENSE TOOL_BOUNDARIES.md conformance; do
    [ -e "$file" ] || fail "$file is missing, and every archive carries it"
done

version=$(scripts/version.sh)
name=sedum_${version}_${platform}
mkdir -p "$output"
output=$(cd "$output" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/sedum-package.XXXXXX")
trap 'rm -rf "$work"' EXIT

# Where the sources lie on this machine is nobody's business, and would make other bytes elsewhere. Paths are as rustc
# sees them: not as Git's shell on Windows writes them, which would also rewrite them on the way to it.
native() { if command -v cygpath >/dev/null; then cygpath -w "$1"; else printf '%s\n' "$1"; fi; }
export MSYS2_ENV_CONV_EXCL=RUSTFLAGS
flags="$flags --remap-path-prefix=$(native "${CARGO_HOME:-$HOME/.cargo}")=/cargo"
flags="$flags --remap-path-prefix=$(native "$root")=/sedum"

say "building $name for $target"
RUSTFLAGS="${RUSTFLAGS:-} $flags" cargo build --locked --profile "$profile" --target "$target" --bin sedum
folder=${profile/#dev/debug}
program=${CARGO_TARGET_DIR:-$root/target}/$target/$folder/sedum$suffix
if [[ $target == *-linux-* ]] && readelf --program-headers --wide "$program" | grep -q INTERP; then
    fail "$program asks for a dynamic loader: it is to be static"
fi

say "filling the archive"
mkdir -p "$work/$name/completions" "$work/$name/man"
cp "$program" README.md LICENSE TOOL_BOUNDARIES.md "$work/$name/"
cp -R conformance "$work/$name/"
# The program itself says what it can be asked, unless it cannot run here; then one that is built for this machine does.
completions() {
    if [ "$runs" = yes ]; then
        "$program" completions "$1"
    else
        cargo run --quiet --locked --bin sedum -- completions "$1"
    fi
}
completions bash >"$work/$name/completions/sedum.bash"
completions zsh >"$work/$name/completions/_sedum"
completions fish >"$work/$name/completions/sedum.fish"
completions powershell >"$work/$name/completions/sedum.ps1"
completions elvish >"$work/$name/completions/sedum.elv"
cargo run --quiet --locked --example man -- "$work/$name/man"

archive=$output/$name.$extension
"$python" scripts/archive.py pack "$work/$name" "$archive" "$SOURCE_DATE_EPOCH"
"$python" scripts/archive.py checksums "$output"

if [ "$runs" = yes ]; then
    say "trying the program out of $archive"
    "$python" scripts/archive.py unpack "$archive" "$work/unpacked"
    scripts/try.sh "$work/unpacked/$name/sedum$suffix" "$version"
else
    say "$target does not run here: nothing was tried"
fi
say "made $archive"

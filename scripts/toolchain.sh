#!/usr/bin/env bash
# Installs the Rust version that Cargo.toml states, with what .ci/run needs, and the targets that are named. For machines
# of continuous integration: it changes the default toolchain.
#
#   scripts/toolchain.sh [TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."

rust=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
rustup toolchain install "$rust" --profile minimal --component clippy,rustfmt --no-self-update
rustup default "$rust"
for target; do
    rustup target add --toolchain "$rust" "$target"
done
rustc --version --verbose

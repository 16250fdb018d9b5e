#!/usr/bin/env bash
# Whole-process benchmark: makes its workloads, measures the release build, prints a table with each target of Y31 and
# whether it holds.
#
#   benches/run.sh [--runs N] [--quick] [--results FILE] [OTHER_SEDUM ...]
#
# Every other program named is measured on the same workloads, in the same minute. The workloads lie below
# $SEDUM_BENCH_DIR (target/bench), which decides the file system. SEDUM names a program to measure instead of the
# release build. Needs bash, python3 and cp; musl-gcc and the musl target to measure what is released for Linux.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ -z ${SEDUM:-} ]]; then
  # What is released for Linux is linked with musl, and starts in half the time; here it is measured where it can be built.
  host=$(rustc -vV | sed -n 's/^host: //p')
  target=${host/-linux-gnu/-linux-musl}
  if [[ $target != "$host" ]] && { ! command -v musl-gcc >/dev/null || [[ ! -d $(rustc --print target-libdir --target "$target") ]]; }; then
    echo "benches/run.sh: measuring a build for $host: musl-gcc, or rustup target add $target, is missing for what is released" >&2
    target=$host
  fi
  cargo build --release --locked --quiet --bin sedum --target "$target"
  SEDUM=${CARGO_TARGET_DIR:-target}/$target/release/sedum
fi
exec python3 benches/run.py --work "${SEDUM_BENCH_DIR:-${CARGO_TARGET_DIR:-target}/bench}" --own "$SEDUM" "$@"

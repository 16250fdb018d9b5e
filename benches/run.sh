#!/usr/bin/env bash
# Whole-process benchmark: makes its workloads, measures the release build, prints a table with each target of Y31 and
# whether it holds.
#
#   benches/run.sh [--runs N] [--quick] [--results FILE] [OTHER_SEDUM ...]
#
# Every other program named is measured on the same workloads, in the same minute. The workloads lie below
# $SEDUM_BENCH_DIR (target/bench), which decides the file system. SEDUM names a program to measure instead of the
# release build. Needs bash, python3 and cp.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ -z ${SEDUM:-} ]]; then
  cargo build --release --locked --quiet
  SEDUM=${CARGO_TARGET_DIR:-target}/release/sedum
fi
exec python3 benches/run.py --work "${SEDUM_BENCH_DIR:-${CARGO_TARGET_DIR:-target}/bench}" --own "$SEDUM" "$@"

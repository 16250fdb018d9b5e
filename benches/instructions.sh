#!/usr/bin/env bash
# Counts the instructions of fixed workloads and fails when one takes over a tenth more than benches/instructions.txt
# says: a machine that is slow or busy counts the same.
#
#   benches/instructions.sh [--update]
#
# --update writes the counts instead. They are those of the `ci` profile on one processor, which makes a run the same
# each time. SEDUM names a program to count instead of building one. Needs bash, python3 and valgrind, on Linux.
set -euo pipefail
cd "$(dirname "$0")/.."
known=benches/instructions.txt
if [[ -z ${SEDUM:-} ]]; then
  cargo build --profile ci --locked --quiet --bin sedum
  SEDUM=$(realpath "${CARGO_TARGET_DIR:-target}")/ci/sedum
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PYTHONPATH=benches PYTHONDONTWRITEBYTECODE=1 python3 - "$work" <<'PYTHON'
import pathlib, sys, workload
work = pathlib.Path(sys.argv[1])
workload.tree(work / "files", 200, 3)
workload.tree(work / "regions", 1, 600)
workload.catalog(work / "catalog", 2, 100)
workload.tree(work / "paths", 1000, 0)
PYTHON
cd "$work"

# count NAME ARGUMENT...: one line with the instructions of a run.
count() {
  local name=$1 told
  shift
  told=$(taskset -c 0 valgrind --tool=callgrind --callgrind-out-file=/dev/null "$SEDUM" "$@" 2>&1 >/dev/null) || {
    echo "$told" >&2
    return 1
  }
  printf '%s %s\n' "$name" "$(sed -n 's/.*Collected : //p' <<<"$told")"
}

replay() { count "$1" grow --generators "$2/generators" --execute "$2/scaffold.json" --output "$2/out"; }

counts=$(
  count start --version
  replay replay files
  replay rerun files
  replay regions regions
  count validate validate --generators catalog/generators
  count resolve resolve --generators paths/generators --records paths/records
)
cd "$OLDPWD"
if [[ ${1:-} == --update ]]; then
  printf '%s\n' "$counts" >"$known"
fi
python3 - "$known" "$counts" <<'PYTHON'
import sys
known = dict(line.split() for line in open(sys.argv[1]))
found = dict(line.split() for line in sys.argv[2].splitlines())
failed = False
print(f"{'workload':<12}{'instructions':>16}{'committed':>16}")
for name, count in found.items():
    before = int(known.get(name, 0))
    change = int(count) / before - 1 if before else float("inf")
    verdict = ""
    if change > 0.10:
        failed, verdict = True, "MORE THAN A TENTH MORE"
    elif change < -0.10:
        verdict = "less: benches/instructions.sh --update keeps the gain"
    print(f"{name:<12}{int(count):>16,}{before:>16,}{change:>+9.1%}  {verdict}")
sys.exit(failed)
PYTHON

#!/usr/bin/env bash
# The tests of the results site: reading rules, renderer and build by node; the pages in Chromium with Playwright and axe.
# Installs what is missing where it can (npm's registry; Debian's chromium when run as root), else says what it leaves out.
# SEDUM_REPORT names a scored report; without it one is made from the committed results, when there are any.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$here"

skip() { echo "site: skipped: $*"; exit 0; }

version=$(node --version 2>/dev/null || true)
[[ $version =~ ^v([0-9]+)\. && ${BASH_REMATCH[1]} -ge 20 ]] || skip "node 20 or newer is not here"
node --test --test-reporter=spec reading.test.mjs build.test.mjs

if [[ -z ${SEDUM_REPORT:-} && -d $root/evals/results ]]; then
  export SEDUM_REPORT=$scratch/report
  (cd "$root" && cargo run --quiet --locked --features evals --bin sedum-evals -- report --output "$SEDUM_REPORT")
fi
if [[ -n ${SEDUM_REPORT:-} ]]; then
  node ../build.mjs --report "$SEDUM_REPORT" --out "$scratch/site"
  node ../build.mjs --report "$SEDUM_REPORT" --out "$scratch/site" --check
fi

npm ci --ignore-scripts --no-audit --no-fund --silent || skip "the other tests: npm ci cannot install their tools here"
(cd .. && test/node_modules/.bin/prettier --check --log-level=warn .)
node --test --test-reporter=spec markdown.test.mjs

export CHROMIUM=${CHROMIUM:-$(command -v chromium || true)}
if [[ -z $CHROMIUM && $EUID -eq 0 ]] && command -v apt-get >/dev/null; then
  { apt-get update -qq && apt-get install -qq --yes --no-install-recommends chromium; } >/dev/null 2>&1 || true
  CHROMIUM=$(command -v chromium || true)
fi
[[ -n $CHROMIUM ]] || skip "the browser tests: chromium is neither here nor can it be installed"
node --test --test-reporter=spec browser.test.mjs

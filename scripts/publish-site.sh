#!/usr/bin/env bash
# Publishes a finished site: `publish-site.sh DIR REMOTE` makes DIR the one commit of the branch gh-pages of REMOTE.
# The branch has no history: what was shown can be built again from the commit that the message names.
# GITHUB_TOKEN, where it is set, is sent to a REMOTE on the web as a header; it is never part of an address or a message.
set -euo pipefail
site=${1:?the folder of the finished site} remote=${2:?where to push}
[[ -f $site/results/manifest.json ]] || { echo "$site is no finished site: build it with docs/site/build.mjs" >&2; exit 1; }
source=$(git rev-parse HEAD)
# A hook of git runs with variables that would send what follows to its own repository.
# shellcheck disable=SC2046
unset $(git rev-parse --local-env-vars)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$site/." "$work"
# Without it, a folder whose name begins with an underscore would not be served.
touch "$work/.nojekyll"
cd "$work"
git init --quiet --initial-branch=gh-pages
# Nobody's own hooks, ignored files or signatures have to do with it.
git -c core.excludesFile=/dev/null -c core.autocrlf=false add --all --force
git -c user.name=sedum -c user.email=sedum@users.noreply.github.com -c commit.gpgSign=false -c core.hooksPath=/dev/null \
  commit --quiet --message="Results and documents of $source"
if [[ -n ${GITHUB_TOKEN:-} && $remote == https://* ]]; then
  # By the environment, so that the token is in no list of processes.
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=http.extraHeader
  GIT_CONFIG_VALUE_0="Authorization: Basic $(printf 'x-access-token:%s' "$GITHUB_TOKEN" | base64 | tr -d '\n')"
  export GIT_CONFIG_VALUE_0
fi
git -c core.hooksPath=/dev/null push --quiet --force "$remote" gh-pages
echo "published $source"

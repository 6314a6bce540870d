#!/bin/sh
# What the commit hook runs: format, lint and house rules of the Python files that are
# about to be committed, as they lie in the work tree. Seconds; `make check` has the rest.
set -eu
bin=${1:-.venv/bin}
files=$(git diff --cached --name-only --diff-filter=ACMR -- '*.py')
[ -n "$files" ] || exit 0
# shellcheck disable=SC2086  # names of Python files have no blanks here
"$bin/ruff" format --check -q $files
# shellcheck disable=SC2086
"$bin/ruff" check -q $files
EQUIPOISE_CHANGED=$files exec "$bin/python" -m pytest -q -p no:cacheprovider \
    tests/architecture/test_house_rules.py

#!/bin/sh
# Write requirements/*.txt: every version with its hashes, and no host name.
# Run by hand (make lock) when a dependency changes; needs a network.
set -eu
cd "$(dirname "$0")/.."
python="$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/venv"
"$work/venv/bin/python" -m pip install -q --disable-pip-version-check uv

compile() {  # compile OUTPUT ARGUMENTS...
    output=$1
    shift
    "$work/venv/bin/uv" --no-config pip compile -q --universal \
        --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
        --no-header "$@" pyproject.toml -o "$output"
}

# dev holds everything; demo is the part of it that `make demo` needs.
used="dev viewer can gym mcap parquet cluster"
extras="$used peers site release browser"
compile requirements/dev.txt $(printf -- '--extra %s ' $extras) \
    requirements/build.in ${UPGRADE:+--upgrade}
compile requirements/demo.txt --extra viewer -c requirements/dev.txt \
    requirements/build.in

# lowest: what pyproject.toml allows at least, each as old as that; the rest is new.
compile requirements/lowest.txt $(printf -- '--extra %s ' $used) \
    --resolution lowest-direct requirements/lowest.in

if grep -nE '://|^ *--(extra-)?index|^ *--find' requirements/*.txt; then
    echo "A lock file names a host; see the lines above." >&2
    exit 1
fi

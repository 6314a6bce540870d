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
        --no-header "$@" pyproject.toml requirements/build.in -o "$output"
}

# dev holds everything; demo is the part of it that `make demo` needs.
extras="dev viewer peers can gym mcap parquet cluster site release browser"
compile requirements/dev.txt $(printf -- '--extra %s ' $extras) ${UPGRADE:+--upgrade}
compile requirements/demo.txt --extra viewer -c requirements/dev.txt

if grep -nE '://|^ *--(extra-)?index|^ *--find' requirements/*.txt; then
    echo "A lock file names a host; see the lines above." >&2
    exit 1
fi

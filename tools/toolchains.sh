#!/bin/sh
# Install the Debian packages named as arguments, where that is possible.
#
# As root with apt: installs what is missing. Otherwise: one line with what is missing.
# With CI=true something still missing is a failure; else the tests that need it skip.
set -eu

missing() {  # those of the arguments that are not installed
    for package in "$@"; do
        if dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null |
            grep -qx installed; then
            continue
        fi
        if ! command -v "$package" >/dev/null 2>&1; then
            printf '%s ' "$package"
        fi
    done
}

want=$(missing "$@")
if [ -n "$want" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "Installing: $want"
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086  # the list is meant to split
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends $want; } \
        >/dev/null || echo "apt-get did not succeed." >&2
    want=$(missing "$@")
fi
if [ -z "$want" ]; then
    echo "System packages present: $*"
    exit 0
fi
echo "Missing system packages: ${want% } (Debian or Ubuntu, as root: apt-get install ${want% })" >&2
if [ "${CI:-}" = true ]; then exit 1; fi

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: files-only
# Texts of the library name settings by key, as {ram=%lluM}: programs and Python spell them. Only
# commands that a user may run have options.
set -euo pipefail
cd "$(dirname "$0")/.."

options() {
    grep -rnE '"[^"]*--[a-z%]' --include='*.[ch]' "$@" |
        grep -vE 'zoid-info --calibrate|^[^"]*"--calibrate"|srun --mpi='
}

if options runtime; then
    echo "FAILED: these name an option; name its key in braces" >&2
    exit 1
fi
# That it would see one.
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
echo 'zoid_fail(ZOID_BAD_ARGUMENT, "drop --cells");' >"$place/a.c"
if ! options "$place" >/dev/null; then
    echo "FAILED: an option was not seen" >&2
    exit 1
fi

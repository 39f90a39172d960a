#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: builds
# Zoid's own operators, written as loop nests in C and compiled to operators, leave the same bytes,
# and their blocks lean as minimal shapes of tiles do.
# ZOID_TEST_SEED chooses a variant of each [1]; ZOID_EFFORT=long takes all.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=module.sh
. "$here/module.sh"
all=
if [ "$(effort 1)" -gt 1 ]; then all=all; fi
cd "$work"

# table emit|run
table() {
    in_python table.py "$1" "${ZOID_TEST_SEED:-1}" "$isa" $all
    holds "$1: $rc $(tail -30 "$work/out") $(tail -5 "$work/err")" [ "$rc" = 0 ]
}

table emit
build_module 3000
table run
holds "$(cat "$work/out")" grep -q '^[1-9][0-9]* operators of 1[0-9] families, 0 wrong$' "$work/out"
finish

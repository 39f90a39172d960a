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
need_modules
need_numpy
cc=$(cached CMAKE_C_COMPILER)
isa=$("$info" | awk '$1 == "isa" { print $2 }')
all=
if [ "$(effort 1)" -gt 1 ]; then all=all; fi
cd "$work"

# table emit|run
table() {
    time_limit=550 observe env STARPU_NCUDA=0 PYTHONDONTWRITEBYTECODE=1 \
        "PYTHONPATH=$here/../../../apps/python" "ZOID_LIBRARY=$ZOID_BUILD_DIR/libzoid.so" \
        "$python" "$here/table.py" "$compile" "$1" "${ZOID_TEST_SEED:-1}" "$isa" $all
    holds "$1: $rc $(tail -30 "$work/out") $(tail -5 "$work/err")" [ "$rc" = 0 ]
}

table emit
observe cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release \
    "-Dzoid_DIR=$ZOID_BUILD_DIR/package" "-DCMAKE_C_COMPILER=$cc" -DCMAKE_C_FLAGS=-Werror
holds "the project is configured: $(tail -5 "$work/err")" [ "$rc" = 0 ]
time_limit=3000 observe cmake --build build -j2
holds "and builds: $(tail -20 "$work/out")" [ "$rc" = 0 ]
table run
holds "$(cat "$work/out")" grep -q '^[1-9][0-9]* operators of 1[0-9] families, 0 wrong$' "$work/out"
finish

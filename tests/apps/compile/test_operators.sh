#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: builds
# Operators of drawn nests, built as one module, leave what the nests
# leave, by every method that takes them, and so do the functions of these nests.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
need_modules
need_numpy
cc=$(cached CMAKE_C_COMPILER)
isa=$("$info" | awk '$1 == "isa" { print $2 }')

# nests emit|run SEED COUNT: with the same seed, so that both draw the same ones.
nests() {
    time_limit=550 observe env STARPU_NCUDA=0 PYTHONDONTWRITEBYTECODE=1 \
        "PYTHONPATH=$here/../../../apps/python" "ZOID_LIBRARY=$ZOID_BUILD_DIR/libzoid.so" \
        "$python" "$here/nests.py" "$compile" "$cc" "$1" "$2" "$3" "$isa"
    holds "$1 with seed $2: $rc $(tail -30 "$work/out")" [ "$rc" = 0 ]
}

# round SEED COUNT: a module of drawn nests.
round() {
    mkdir "$work/$1"
    cd "$work/$1"
    nests emit "$1" "$2"
    observe cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release \
        "-Dzoid_DIR=$ZOID_BUILD_DIR/package" "-DCMAKE_C_COMPILER=$cc" -DCMAKE_C_FLAGS=-Werror
    holds "the project is configured: $(tail -5 "$work/err")" [ "$rc" = 0 ]
    time_limit=550 observe cmake --build build -j2
    holds "and builds: $(tail -20 "$work/out")" [ "$rc" = 0 ]
    nests run "$1" "$2"
    holds "$(cat "$work/out")" grep -q ' runs, [1-9][0-9]* calls, 0 wrong$' "$work/out"
}

seed=${ZOID_TEST_SEED:-2}
for ((left = $(effort 20); left > 0; left -= 20, seed++)); do
    round "$seed" $((left < 20 ? left : 20))
done
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: builds
# Operators of drawn nests, built as one module, leave what the nests
# leave, by every method that takes them, and so do the functions of these nests.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
# shellcheck source-path=SCRIPTDIR source=module.sh
. "$here/module.sh"

# nests emit|run SEED COUNT: with the same seed, so that both draw the same ones.
nests() {
    in_python nests.py "$cc" "$1" "$2" "$3" "$isa"
    holds "$1 with seed $2: $rc $(tail -30 "$work/out")" [ "$rc" = 0 ]
}

# round SEED COUNT: a module of drawn nests.
round() {
    mkdir "$work/$1"
    cd "$work/$1"
    nests emit "$1" "$2"
    build_module 550
    nests run "$1" "$2"
    holds "$(cat "$work/out")" grep -q ' runs, [1-9][0-9]* calls, 0 wrong$' "$work/out"
}

seed=${ZOID_TEST_SEED:-2}
for ((left = $(effort 20); left > 0; left -= 20, seed++)); do
    round "$seed" $((left < 20 ? left : 20))
done
finish

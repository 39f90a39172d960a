#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A handful of drawn runs on a GPU that is not there, of a process and of two ranks: they end and
# move what their plans say (scripts/draws). ZOID_TEST_SEED chooses others, ZOID_TEST_CASES how many
# there are.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
skip() { echo "$*"; exit 77; }

absent_gpus 1 || skip "no CUDA in the build, or another than the one that is not there"
seed=${ZOID_TEST_SEED:-1}
cases=${ZOID_TEST_CASES:-6}
export ZOID_CACHE=$work/cache
draws=$(dirname "$0")/../../scripts/draws
echo "ZOID_TEST_SEED=$seed ZOID_TEST_CASES=$cases"

# draw_right N OPTIONS...: so many are right.
draw_right() {
    time_limit=600 observe "$draws" --seed "$seed" --mib 12 "${@:2}" "$1"
    grep FAILED "$work/out" >&2 || true
    holds "$1 draws, ${*:2}: exit code $rc" [ "$rc" = 0 ]
    holds "most of them ran: $(tail -n 1 "$work/out")" \
        [ $(($(sed -n 's/.* passed \([0-9]*\) .*/\1/p' "$work/out") * 2)) -ge "$1" ]
}

draw_right "$cases" --absent 1
if has_ranks; then draw_right $((cases / 3)) --absent 1 --ranks 2; fi
# What was run is not run again.
draw_right "$cases" --absent 1 --seconds 0
holds "nothing is left: $(tail -n 1 "$work/out")" grep -q ' left 0$' "$work/out"
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Whole runs of several ranks, of every operator that can be cut, of odd sizes, bounded and cut at
# random, in memory and on a disk, each compared with the plain loop nest. The cases follow from a
# seed, that of the day; ZOID_TEST_SEED chooses another, ZOID_TEST_CASES how many there are.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=draw.sh
. "$(dirname "$0")/draw.sh"
need_mpirun

seed=${ZOID_TEST_SEED:-$(date -u +%Y%m%d)}
cases=${ZOID_TEST_CASES:-$(effort 100)}
echo "ZOID_TEST_SEED=$seed ZOID_TEST_CASES=$cases"
mapfile -t subject < <(subjects | awk '$4 != 1')

# ran I: whether run I ends well, and gives the bytes of the plain loop nest; or is refused because
# ranks have fewer points than a step looks at.
ran() {
    local check
    failures=0
    work=$(mktemp -d -p "$work")
    cd "$work"
    mkdir disk
    attempt "$apps" --check
    # Seen twice in 450 runs, both at the same moment, and not understood: says so and tries again.
    if [ "$rc" != 0 ] && [ "$rc" != 2 ] && [ "$rc" != 5 ]; then
        echo "run $1 ends with $codes, and is done again: ${command[*]}"
        cat messages
        attempt "$apps" --check
    fi
    check=$(value check)
    if [ "$rc" = 2 ] && grep -q 'thinner than what blocks look at beside them in a step' messages
    then
        echo thin >>"$tally"
    elif [ "$rc $check" != "0 passed" ]; then
        complain "exit codes $codes, the check '$check': run $1: ${command[*]}"
        cat messages >&2
    fi
    rm -rf "$work"
    [ "$failures" = 0 ]
}

tally=$work/tally
: >"$tally"
RANDOM=$seed
for ((i = 0; i < cases; i++)); do
    draw_ranks "${subject[i % ${#subject[@]}]}"
    launch ran $i
done
land_all
holds "most of them ran: $(wc -l <"$tally") of $cases were too thin" \
    [ "$(wc -l <"$tally")" -le $((cases / 4)) ]
finish

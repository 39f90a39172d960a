#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Whole runs of every operator, of odd and degenerate sizes, bounded and cut at random, in memory
# and on a disk, each compared with the plain loop nest. The cases follow from a seed, that of the
# day; ZOID_TEST_SEED chooses another, ZOID_TEST_CASES how many there are.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=draw.sh
. "$(dirname "$0")/draw.sh"

seed=${ZOID_TEST_SEED:-$(date -u +%Y%m%d)}
cases=${ZOID_TEST_CASES:-$(effort 320)}
echo "ZOID_TEST_SEED=$seed ZOID_TEST_CASES=$cases"
mapfile -t subject < <(subjects)

# drawn_and_checked I: whether run I ends well, and gives the bytes of the plain loop nest.
drawn_and_checked() {
    local check
    failures=0
    work=$(mktemp -d -p "$work")
    cd "$work"
    mkdir disk
    attempt "$apps" --check
    check=$(value check)
    if [ "$rc $check" != "0 passed" ]; then
        complain "exit codes $codes, the check '$check': run $1: ${command[*]}"
        cat messages >&2
    fi
    rm -rf "$work"
    [ "$failures" = 0 ]
}

RANDOM=$seed
for ((i = 0; i < cases; i++)); do
    draw "${subject[i % ${#subject[@]}]}"
    launch drawn_and_checked $i
done
land_all
finish

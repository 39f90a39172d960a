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

name_cases 270
mapfile -t subject < <(subjects)
RANDOM=$seed
for ((i = 0; i < cases; i++)); do
    draw "${subject[i % ${#subject[@]}]}"
    launch drawn_and_checked $i
done
land_all
most_ran 40
finish

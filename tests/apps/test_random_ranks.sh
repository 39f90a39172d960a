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

check_drawn 12 3 draw_ranks < <(subjects | awk '$4 != 1' | for_ranks)
finish

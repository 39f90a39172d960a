#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Whole runs of every operator, of odd and degenerate sizes, bounded and cut at random, in memory
# and on a disk, by one place or by several that share the domain, each compared with the plain loop
# nest. The cases follow from a seed, that of the day; ZOID_TEST_SEED chooses another,
# ZOID_TEST_CASES how many there are. Those at the edges are always there.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=draw.sh
. "$(dirname "$0")/draw.sh"

# Single points and lines, stencils that reach beyond the domain, on one side further than on the
# other, blocks lower than a visit is deep, and odd extents.
while read -r edge; do
    read -ra words <<<"STARPU_NCPU=2 $edge"
    launch drawn_and_checked "at an edge"
done <<'END'
zoid-heat --dims 1 --size 1 --steps 5
zoid-heat --size 1x1x1 --steps 3 --boundary neumann --method leaning
zoid-heat --radius 4 --size 3x2x5 --steps 4
zoid-wave --radius 4 --size 2x7x1 --steps 5 --boundary neumann --method overlapped
zoid-heat --size 17x1x151 --steps 20 --block 2 --depth 9 --method leaning
zoid-heat --radius 4 --dims 2 --size 3x151 --steps 13 --block 4 --depth 6 --method trapezoid
zoid-fdtd --size 33x7 --steps 9 --block 1 --depth 5
zoid-fdtd --size 1x40 --steps 5
zoid-life --size 1x1x3 --steps 5 --boundary periodic
zoid-seismic --size 5x3x7 --steps 6 --boundary sponge
zoid-run --operator sor --size 3x3 --steps 4
zoid-run --operator jacobi2d --size 151x1 --steps 7 --method recursive --depth 7
END
check_drawn 60 20 draw_any < <(subjects)
finish

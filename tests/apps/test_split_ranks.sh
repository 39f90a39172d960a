#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Several ranks, side by side, of several sets of cores each, with one border that all of them agree
# on: where it goes, what moves with it, refusals, and the report. test_random_ranks draws others.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_mpirun
cd "$work"
export STARPU_NCPU=2 STARPU_NCUDA=0

two=(--balance split --places cores:1+cores:1)

# Ranks are cut along other axes than places.
refused() {
    observe "$heat" "${two[@]}" --plan "${@:2}"
    holds "2, not $rc: ${*:2}" [ "$rc" = 2 ]
    says "$1"
}
refused "places are cut along z already; use --ranks" --size 20x20x40 --ranks 1x1x2
refused "is cut along x only" --size 40 --dims 1 --ranks 2
observe "$run" --operator sor --size 20x20x40 --ranks 1x1x2 "${two[@]}" --plan
holds "2, not $rc: sweeps in order" [ "$rc" = 2 ]
says "is cut along z only, where ranks cannot be split"

# shared N COMMAND...: that run of N ranks has the bytes of the plain loop nest.
shared() {
    ranks "$@" "${two[@]}" --check
    holds "the check '$(value check)', exit code $rc: ${*:2}" [ "$rc $(value check)" = "0 passed" ]
}

# The border moves, by what the slowest rank takes, and points beside a rank's own come from the
# ranks that own them: round a circle, over corners, with cells, coefficients and receivers.
export ZOID_SLOW=1:8
moved() {
    shared "$@"
    holds "the border moves: ${*:2}" [ "$(value border.moves)" -gt 0 ]
    holds "planes are shared: ${*:2}" \
        [ $(($(value places.0.planes) + $(value places.1.planes))) = 80 ]
}
moved 2 "$heat" --size 24x20x80 --steps 320 --epoch 4 --split-at 20
moved 2 "$heat" --size 25x20x80 --steps 320 --epoch 4 --split-at 20 --boundary periodic \
    --ranks 1x2x1
boxes=240
! quick || boxes=96
moved 4 "$run" --operator box27 --size 25x23x80 --steps $boxes --epoch 3 --split-at 20 --ranks 2x2x1
moved 4 "$run" --operator heat2d7 --size 90x80 --steps 600 --epoch 6 --split-at 20 \
    --boundary periodic
moved 2 "$apps/zoid-wave" --size 24x20x80 --steps 160 --epoch 2 --split-at 20 --cells 2x1x1 \
    --boundary sponge --source 9,9,9:ricker:0.1 --receivers z=3:2 --receivers z=40:2 \
    --record shot.npy
for faces in pml pml,y-=periodic,y+=periodic; do
    moved 2 "$apps/zoid-wave" --size 24x23x80 --steps 80 --epoch 2 --split-at 20 --boundary $faces
done
unset ZOID_SLOW

# Each place's points are those of all ranks, and no message is lost.
shared 2 "$heat" --size 24x20x80 --steps 40 --epoch 4 --split-at 30:stay
holds "places share all points" \
    [ "$(value points.useful)" = $(($(value places.0.useful) + $(value places.1.useful))) ]
holds "each place has a core of both ranks" [ "$(value places.0.workers)" = 2 ]
holds "the border stays" [ "$(value border.moves) $(value border.last)" = "0 30" ]

# A run stops, and goes on with another balance and other ranks.
if ! lacks HDF5; then
    expect 0 "$heat" --size 20x20x80 --steps 48 --dump whole
    ranks 4 "$heat" --size 20x20x80 --steps 24 "${two[@]}" --epoch 4 \
        --checkpoint ck --checkpoint-every 7
    cp -r ck other
    expect 0 "$heat" --restart other --steps 48 --balance cpu --dump dump
    holds "the same bytes by one place" cmp -s whole dump
    ranks 2 "$heat" --restart ck --steps 48 --split-at 30 --dump dump
    holds "the same bytes by two ranks" cmp -s whole dump
fi
finish

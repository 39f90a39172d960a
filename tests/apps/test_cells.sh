#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# Planes cut into cells along both axes, which exchange after one visit or several: by every method,
# the bytes of the plain loop nest; what reports and plans say of it; what is clamped, and what is
# refused.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
folder=$work/disk
mkdir "$folder"

# reports KEY VALUE: what the last run says.
reports() { holds "$1 is $(value "$1"), not $2" [ "$(value "$1")" = "$2" ]; }

read -ra all_methods <<<"$(methods)"
around=x-=periodic,x+=periodic,y-=periodic,y+=periodic,z-=neumann
for method in "${all_methods[@]}"; do
    # A reach larger than cells, over corners, and round periodic axes.
    checked --operator box27 --size 19x23x31 --steps 8 --method "$method" --block 7 --depth 3 \
        --cells 4x3 --epoch 6 --boundary $around
    reports cells 4x3x1
    reports epoch 6
    checked --operator heat --radius 3 --type f64 --size 21x11x40 --steps 9 --method "$method" \
        --block 9 --cells 3x5 --epoch 4 --depth 2 --boundary neumann
    reports strip 3
    checked --operator seismic --size 23x24x25 --steps 5 --method "$method" --block 12 --depth 2 \
        --cells 2x2
    # Domains of a point along an axis that is cut.
    checked --operator life3d --size 1x9x22 --steps 9 --method "$method" --cells 2x3 --epoch 6
    reports cells 1x3x1
    reports clamped true
    checked --operator fdtd2d --size 101x67 --steps 9 --method "$method" --block 9 --depth 3 \
        --cells 4 --epoch 6
    # Cells above one another, one as low as what blocks look at, and slabs that hold all of one.
    checked --operator wave --radius 2 --size 15x16x25 --steps 9 --method "$method" --block 5 \
        --depth 2 --cells 2x1x3 --epoch 4 --boundary neumann
    reports cells 2x1x3
    checked --operator seismic --size 11x9x50 --steps 7 --method "$method" --cells 1x2x4 --block 99
    checked --operator fdtd2d --size 31x67 --steps 9 --method "$method" --cells 2x3 --epoch 6
    checked --operator heat --dims 1 --size 1009 --steps 30 --method "$method" --cells 5 --epoch 12
    # From a disk, in the least main memory that works.
    large=(--operator wave --size 90x80x70 --steps 7 --method "$method" --block 10 --cells 2x3
        --depth 2 --epoch 4)
    export STARPU_NCUDA=0 STARPU_NCPU=2
    expect 3 "$run" "${large[@]}" --ram 1M --disk "$folder"
    checked "${large[@]}" --ram "$(least ram)M" --disk "$folder"
    bytes=$(value bytes.disk_write)
    holds "$method writes to the disk: $bytes" [ "${bytes:-0}" -gt 4000000 ]
    unset STARPU_NCUDA STARPU_NCPU
    if [ "$gpus" != 0 ]; then
        expect 3 "$run" "${large[@]}" --gpu-mem 1M
        checked "${large[@]}" --gpu-mem "$(least gpu-mem)M"
    fi
done

# The depth is a divisor of the epoch, and naive exchanges less often than it visits.
small=(--size 30x29x28 --steps 24 --cells 2x2)
for depth in 5:4 6:6 11:6 12:12 24:12; do
    expect 0 "$heat" "${small[@]}" --epoch 12 --depth "${depth%:*}" --method overlapped
    reports depth "${depth#*:}"
    reports clamped "$([ "${depth%:*}" = "${depth#*:}" ] && echo false || echo true)"
done
expect 0 "$heat" "${small[@]}" --epoch 3 --method naive
reports depth 1
reports epoch 3
reports clamped false
expect 0 "$heat" "${small[@]}" --epoch 100 --method leaning
reports epoch 24
reports clamped true
expect 0 "$heat" --size 30x29x28 --strip 10 --epoch 4 --plan
reports cells 1x3x1
reports epoch 4
expect 0 "$heat" --size 30x29x28 --strip 40 --epoch 4
reports cells ''
reports clamped true
expect 0 "$heat" --size 9 --cells 1x1 --report "$work/report.json"
holds 'one cell is no cut' bash -c "! grep -q '^  .cells' '$work/report.json'"
expect 0 "$heat" --size 9 --cells 2x3 --report "$work/report.json"
holds 'cells are three numbers' \
    grep -qzE '"cells": \[\s*2,\s*3,\s*1\s*\],\s*"epoch": [1-9]' "$work/report.json"
checked --operator heat --size 20x31x22 --steps 9 --method 2D-TBM --cells 3x2
reports alias 2D-TBM

# What cannot be, with a way out in one line.
expect 2 "$heat" --size 9 --epoch 3 && says 'add --cells or --strip, or drop it'
expect 2 "$heat" --size 9 --cells 1x1 --epoch 3 && says 'add --cells'
expect 2 "$heat" --size 9 --strip 0 --epoch 3 && says 'add --cells'
expect 2 "$heat" --size 9 --cells 2 --strip 3 && says 'drop one of them'
expect 2 "$heat" --size 9 --cells 2 --strip 0 && says 'drop one of them'
expect 2 "$heat" --size 9x9 --cells 2x2x2 && says 'in 2-D there is no z'
expect 2 "$heat" --size 9 --dims 1 --cells 2x2 && says 'in 1-D there is no y'
expect 2 "$heat" --size 9 --dims 1 --strip 2 && says 'points, which --strip cannot cut'
expect 2 "$heat" --size 9x9x8 --cells 1x1x4 --depth 3 --method leaning && says 'use --depth 2,'
expect 2 "$heat" --size 9 --cells 0 && says "'0' is out of range"
expect 2 "$heat" --size 9 --cells 2y3 && says -- '--cells'
expect 2 "$heat" --size 9 --cells 2x3 --epoch 0 && says "'0' is out of range"
expect 2 "$heat" --size 9 --method 1D-T --cells 2 &&
    says 'not cut; drop --cells, or use --method overlapped'
expect 2 "$heat" --size 9 --method 2D-T --cells 1x1 && says 'are cut; drop --cells'

# A domain that is a circle is a line to each of its cells.
for method in naive trapezoid overlapped b2r; do
    checked --operator box27 --size 9x8x40 --steps 9 --method $method --boundary periodic \
        --cells 2x1x3 --epoch 3
    reports cells 2x1x3
done

# Nobody asks for cells, and strips of a row do not fit: planes are cut along both axes.
wide=(--operator heat --size 60000x40x6 --steps 4 --disk "$folder")
export STARPU_NCUDA=0 STARPU_NCPU=2
expect 3 "$run" "${wide[@]}" --ram 1M --strip 1
strips=$(least ram)
expect 3 "$run" "${wide[@]}" --ram 1M
cells=$(least ram)
holds "cells want $cells MiB, strips $strips" [ "$cells" -lt "$strips" ]
checked "${wide[@]}" --ram "${cells}M"
along=$(value cells)
holds "cut along x: '$along'" [ "${along%%x*}" -gt 1 ]
finish

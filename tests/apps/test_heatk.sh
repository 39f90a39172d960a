#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Heat in a medium that differs from place to place: the plain loop's bytes, the flux through
# layers, means of kappa at faces, and sources of heat.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
cd "$work"
export STARPU_NCUDA=0

# --- the same bytes

for type in f32 f64; do
    for method in naive leaning trapezoid recursive overlapped; do
        checked --operator heatk --size 33x29x50 --type $type --steps 7 --method $method
        checked --operator heatk --size 31x50 --type $type --steps 9 --method $method \
            --boundary neumann,x-=periodic,x+=periodic --kappa layers:0.1,0.4,0.2 --dt 0.5 --dx 1.5
    done
    checked --operator heatk --size 407 --dims 1 --type $type --steps 60 --boundary x+=neumann
    checked --operator heatk --size 60x50 --type $type --steps 20 --cells 3x2 --epoch 2
done
checked --operator heatk --size 1x1x1 --steps 3 --boundary neumann
checked --operator heatk --size 2x3x4 --steps 3 --boundary periodic --kappa 0.2 --dt 0.5
if has_ranks; then
    ranks 2 "$run" --operator heatk --size 40x37x60 --steps 12 --kappa layers:1,0.1,0.3 --dt 0.1 \
        --oversubscribe --check
    holds "two ranks" [ "$rc$(value check)" = 0passed ]
fi

# --- values

# values FILE: its numbers of type f64, a line each.
values() { od -An -v -w8 -tf8 "$1"; }

# Two layers of 1 : 100 in series: the steady flux is that of the resistances.
expect 0 "$run" --operator heatk --size 20 --dims 1 --type f64 --init hot --kappa layers:1,100 \
    --dt 0.004 --steps 60000 --depth 500 --method recursive --dump u.raw
holds "the flux through layers" awk '
    { u[NR] = $1 }
    END {
        for (i = 1; i < 20; i++) resistance += (i <= 10 ? 0.5 : 0.005) + (i < 10 ? 0.5 : 0.005)
        off = (u[1] - u[2]) * resistance - 1
        exit !(NR == 20 && off < 1e-9 && off > -1e-9)
    }' <(values u.raw)

# One step from a point: its faces have the mean of two values, and 0 where there are none.
point=("$run" --operator heatk --size 5 --dims 1 --type f64 --init point --steps 1 --dt 0.125
    --dx 0.5 --dump u.raw)
expect 0 "${point[@]}" --kappa layers:0.25,0.25,0.5,0.75,0.75 --mean arithmetic
holds "arithmetic: $(values u.raw)" [ "$(values u.raw | tr -s ' \n' ' ')" = \
    ' 0 0.1875 0.5 0.3125 0 ' ]
expect 0 "${point[@]}" --kappa layers:0,0,0.5,0.5,0.5
holds "harmonic: $(values u.raw)" [ "$(values u.raw | tr -s ' \n' ' ')" = ' 0 0 0.75 0.25 0 ' ]
# With one kappa it is heat of radius 1, up to rounding, at any face.
for face in dirichlet neumann periodic; do
    expect 0 "$heat" --size 11x12 --type f64 --kappa 0.3 --dt 0.25 --dy 1.25 --steps 9 \
        --dump a.raw --boundary $face
    expect 0 "$run" --operator heatk --size 11x12 --type f64 --kappa 0.3 --dt 0.25 --dy 1.25 \
        --steps 9 --dump b.raw --boundary $face
    holds "heat with $face" awk '{ off = $1 - $2 } off > 1e-14 || off < -1e-14 { exit 1 }' \
        <(paste <(values a.raw) <(values b.raw))
done
# Faces that are given are those that kappa makes.
expect 0 "$run" --operator heatk --size 11x12 --kappa 0.5 --dt 0.25 --steps 9 --dump a.raw
expect 0 "$run" --operator heatk --size 11x12 --coefficient kx=0.125 --coefficient ky=0.125 \
    --steps 9 --dump b.raw
holds "given faces" cmp a.raw b.raw

# --- sources

# total FILE: the sum of its numbers.
total() { values "$1" | awk '{ sum += $1 } END { printf "%.12g\n", sum }'; }
for operator in heat heatk; do
    box=("$run" --operator "$operator" --size 31x32 --type f64 --init zero --steps 8 --dump u.raw)
    expect 0 "${box[@]}" --source 15,16:constant:0.25
    holds "what $operator has: $(total u.raw)" [ "$(total u.raw)" = 2 ]
    expect 0 "${box[@]}" --source 15.5,16,2:constant:0.25 --per-second --dt 0.5
    holds "with units $operator has: $(total u.raw)" [ "$(total u.raw)" = 2 ]
    checked --operator $operator --size 31x32 --steps 12 --source 3,16:constant:0.25 \
        --source 9,8.5:ricker:0.1 --receivers 9,9 --record r.npy
done
if ! lacks HDF5; then
    box=("$run" --operator heatk --size 31x32 --kappa "layers:0.1,0.2" --mean arithmetic --dt 0.5)
    expect 0 "${box[@]}" --source 5,6:constant:3 --per-second --steps 20 --dump whole.raw
    expect 0 "${box[@]}" --source 5,6:constant:3 --per-second --steps 9 --checkpoint ck \
        --checkpoint-every 9
    expect 0 "$run" --operator heatk --restart ck --steps 20 --dump again.raw
    holds "it goes on with its source" cmp whole.raw again.raw
    expect 0 "${box[@]}" --source 5,6:constant:3 --per-second --restart ck --steps 20 \
        --dump again.raw
    holds "and by the same options" cmp whole.raw again.raw
fi

# --- stability and refusals

expect 0 "$run" --operator heatk --size 20x21 --steps 3 --dt auto --kappa layers:1,4 --dx 2 \
    --report r.json
dt=$("${python:-python3}" -c 'import json; print((json.load(open("r.json"))["settings"]["dt"]))')
# 2 (max kx + max ky), each 4 dt / 4.
holds "the longest step: $dt" awk -v dt="$dt" 'BEGIN { exit !(dt > 0.2374 && dt < 0.2376) }'
expect 2 "$run" --operator heatk --size 20x21 --steps 3 --dt 0.3 --kappa layers:1,4 --dx 2
says 'the stability number is 1.2'
expect 2 "$run" --operator heatk --size 9 --kappa 1
says '--kappa needs the length of a step'
expect 2 "$run" --operator heatk --size 9 --kappa 1 --dt 0.1 --coefficient kx=1
says '--kappa and --coefficient both give kx'
expect 2 "$run" --operator heatk --size 9 --kappa -1 --dt 0.01
says 'should be at least 0'
expect 2 "$heat" --size 9 --kappa layers:1,2 --dt 0.1
"${python:-python3}" -c 'import struct
open("below.raw", "wb").write(struct.pack("<5d", 3, 3, -1, 3, 3))'
expect 2 "$run" --operator heatk --size 5 --dims 1 --type f64 --kappa below.raw --dt 0.01 \
    --mean arithmetic
says 'should be at least 0'
expect 2 "$run" --operator heatk --size 9x9 --coefficient kx=0.4 --coefficient ky=0.4
says 'give --scale kx=0.625 --scale ky=0.625 or less'
expect 0 "$run" --operator heatk --size 9x9 --coefficient kx=0.4 --coefficient ky=0.4 \
    --scale kx=0.624 --scale ky=0.624 --steps 1
expect 2 "$run" --operator heat --size 9 --kappa 1 --dt 0.1 --mean arithmetic
says '--mean is one of --kappa at faces'
expect 2 "$run" --operator heatk --size 9 --source 4,4,4:constant:1 --per-second
says '--per-second needs the length of a step'
finish

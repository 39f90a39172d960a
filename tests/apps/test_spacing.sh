#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The distance of points along each axis: equal ones change no byte, others are the plain loop's
# and the formula's; places, files and checkpoints have them; kappa, and a medium of speeds.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
cd "$work"
export STARPU_NCUDA=0
wave=$apps/zoid-wave
seismic=$apps/zoid-seismic
fdtd=$apps/zoid-fdtd

# both OPTIONS -- MORE: dumps a.raw without MORE, and b.raw with it. same, other: their bytes are
# the same, or are not.
both() {
    local first=()
    while [ "$1" != -- ]; do
        first+=("$1")
        shift
    done
    expect 0 "${first[@]}" --dump a.raw
    expect 0 "${first[@]}" "${@:2}" --dump b.raw
}
same() {
    both "$@"
    holds "other bytes: $*" cmp a.raw b.raw
}
other() {
    both "$@"
    holds "the same bytes: $*" [ "$(cmp -s a.raw b.raw && echo same)" = "" ]
}

# --- equal distances

for type in f32 f64; do
    for radius in 1 3; do
        same "$heat" --size 19x13x11 --type $type --radius $radius --steps 4 -- \
            --dx 0.1 --dy 0.1 --dz 0.1
        same "$wave" --size 21x17 --type $type --radius $radius --steps 5 -- --dx 7 --dz 7
    done
    same "$seismic" --size 11x12x13 --type $type --steps 3 --dt 0.1 -- --dy 1 --dz 1
    same "$fdtd" --size 21x17 --type $type --steps 5 -- --dx 0.3 --dy 0.3
done

# --- unequal ones, by every way

uneven=(--dx 1 --dy 1.25 --dz 0.9)
for type in f32 f64; do
    for method in naive leaning trapezoid recursive; do
        checked --operator heat --size 19x13x40 --type $type --radius 2 --steps 7 --lambda 0.04 \
            "${uneven[@]}" --method $method
        checked --operator wave --size 18x13x40 --type $type --radius 3 --steps 6 \
            "${uneven[@]}" --method $method
        checked --operator seismic --size 12x13x30 --type $type --steps 4 "${uneven[@]}" \
            --method $method --boundary x-=sponge,z+=neumann
        checked --operator fdtd2d --size 31x40 --type $type --steps 9 --dy 0.8 --method $method
    done
done
other "$heat" --size 9x9 --steps 2 -- --dy 1.25
# One axis has no other.
same "$heat" --size 99 --dims 1 --steps 4 -- --dx 5 --dy 1

# Exchanged axes: the weights belong to them. Powers of two round nowhere.
expect 0 "$heat" --size 8x8 --type f64 --init point --steps 1 --lambda 0.015625 --dy 0.5 \
    --dump a.raw
value_of() { od -An -v -w8 -tf8 a.raw | awk -v i="$1" 'NR == i + 1 { print $1 }'; }
holds "along x: $(value_of $((4 * 8 + 5)))" [ "$(value_of $((4 * 8 + 5)))" = 0.015625 ]
holds "along y: $(value_of $((5 * 8 + 4)))" [ "$(value_of $((5 * 8 + 4)))" = 0.0625 ]
holds "the point: $(value_of $((4 * 8 + 4)))" [ "$(value_of $((4 * 8 + 4)))" = 0.84375 ]

# --- refusals

expect 2 "$run" --operator box27 --size 9 --dz 2
says "box27 has no distance of points in its formula, and --dz is not --dx"
expect 0 "$run" --operator box27 --size 9 --dx 2 --dy 2 --dz 2
expect 2 "$heat" --size 9 --dy 0
says "--dy '0' is no length|--dy.*is no length"
# Twice as many points along z: the limit of lambda falls with the weights.
expect 2 "$heat" --size 9x9x9 --lambda 0.08 --dz 0.25
says 'the stability number is [0-9.]*, and beyond 1'
expect 0 "$wave" --size 9x9x9 --steps 1 --dx 10 --dt 0.001 --velocity 1500
expect 2 "$wave" --size 9x9x9 --steps 1 --dx 10 --dz 1 --dt 0.001 --velocity 1500
says 'the stability number is .*give --dt '

# --- kappa

same "$heat" --size 19x13 --type f64 --steps 4 --dx 0.5 --dy 0.75 --lambda 0.0625 -- \
    --kappa 0.125 --dt 0.125
expect 2 "$heat" --size 9 --kappa 0.1
says '--kappa needs the length of a step; give --dt'
expect 2 "$heat" --size 9 --kappa 0.1 --dt 0.1 --lambda 0.5
says '--kappa makes lambda 0.01'
expect 2 "$run" --operator wave --size 9 --kappa 0.1 --dt 0.1
says 'wave has no lambda of second differences'

# --- a medium of speeds

expect 0 "$seismic" --size 9x10x11 --type f64 --steps 3 --dt 0.125 \
    --coefficient rho=2 --coefficient mu=4.5 --coefficient lambda=3.5 --dump a.raw
expect 0 "$seismic" --size 9x10x11 --type f64 --steps 3 --dt 0.125 \
    --vp 2.5 --vs 1.5 --density 2 --dump b.raw
holds "a medium of speeds" cmp a.raw b.raw
expect 2 "$seismic" --size 9 --vp 2
says '--vp, --vs and --density go together'
expect 2 "$seismic" --size 9 --vp 2 --vs 1 --density 1 --coefficient mu=1
says 'all give mu'
expect 2 "$run" --operator heat --size 9 --vp 2 --vs 1 --density 1
says 'heat has no rho, lambda and mu'

# --- the longest step

expect 0 "$wave" --size 20x21x22 --steps 3 --dx 10 --dz 4 --dt auto --velocity 1500 --report r.json
dt=$("${python:-python3}" -c 'import json; print((json.load(open("r.json"))["settings"]["dt"]))')
expect 0 "$wave" --size 20x21x22 --steps 3 --dx 10 --dz 4 --dt "$dt" --velocity 1500
# sqrt(v2 W S / 4) of radius 1: 0.95 = 150 dt sqrt(2 + 6.25).
holds "the step: $dt" awk -v dt="$dt" 'BEGIN { exit !(dt * 150 * sqrt(8.25) / 0.95 - 1 < 1e-6 &&
    1 - dt * 150 * sqrt(8.25) / 0.95 < 1e-6) }'
same "$wave" --size 20x21x22 --steps 3 --dx 10 --dz 4 --velocity 1500 --dt "$dt" -- --dt auto
for options in "--kappa 0.3" "--kappa 0.3 --dy 0.5"; do
    # shellcheck disable=SC2086 # they are options
    expect 0 "$heat" --size 20x21 --steps 3 --dt auto $options
done
expect 0 "$seismic" --size 9x10x11 --steps 3 --dx 10 --dt auto --vp 2500 --vs 1500 --density 2200
# A run that kappa and the longest step made goes on by the same options, and without them; so does
# one whose checkpoints have coefficients.
if ! lacks HDF5; then
    goes_on() {
        local box=("$heat" --size 20x21 --kappa 0.3 --dt "$1")
        expect 0 "${box[@]}" --steps 20 --dump whole.raw
        expect 0 "${box[@]}" --steps 10 --checkpoint ck --checkpoint-every 10 "${@:2}"
        expect 0 "${box[@]}" --steps 20 --restart ck --dump dump.raw
        holds "the same bytes by the same options: $*" cmp -s whole.raw dump.raw
        expect 0 "$heat" --steps 20 --restart ck --dump dump.raw
        holds "and without them: $*" cmp -s whole.raw dump.raw
        rm -rf ck
    }
    goes_on auto
    goes_on 0.5 --checkpoint-coefficients
fi
expect 2 "$heat" --size 20x21 --steps 3 --dt auto
says '--dt auto is the longest stable step of'

# --- the rate of a wave at the start

numbers() { od -An -v -w8 -tf8 a.raw | sort -u | tr -s ' \n' ' '; }
line=("$wave" --size 9 --dims 1 --type f64 --steps 0 --dt 0.25 --dump a.raw)
expect 0 "${line[@]}" --init u=0.5 --init u_t=3
holds "u and u less a step: $(numbers)" [ "$(numbers)" = ' 0.5 -0.25 ' ]
expect 0 "${line[@]}" --init point --init u_t=3
holds "of a point: $(numbers)" [ "$(numbers)" = ' 0 1 0.25 -0.75 ' ]
expect 0 "$wave" --size 19x18 --radius 2 --steps 7 --init gaussian:2 --init u_t=gaussian:3 \
    --dt 0.25 --check
expect 2 "${line[@]}" --init u=0.5 --init u_before=0.5 --init u_t=3
says '--init u_t=3 makes u_before, which has a source, too'
expect 2 "$wave" --size 9 --init u_t=3
says '--init u_t=3 needs the length of a step'

# --- the constants of fdtd2d

differ() { ! cmp -s "$@"; }
# The field hz is half as large if differences of it count twice: powers of two change no bit.
for type in f32 f64; do
    box=("$fdtd" --size 21x17 --type "$type" --steps 9 --init zero --dy 0.8 --check)
    observe "${box[@]}" --electric 0.5 --magnetic 0.7 --dump a.raw
    holds "the defaults" [ "$rc$(value check)" = 0passed ]
    expect 0 "${box[@]}" --dump b.raw
    holds "they are 0.5 and 0.7" cmp a.raw b.raw
    observe "${box[@]}" --electric 1 --magnetic 0.35 --dump b.raw
    holds "others" [ "$rc$(value check)" = 0passed ]
    size=$(($(stat -c %s a.raw) / 3 * 2))
    holds "ex and ey are the same" cmp -n $size a.raw b.raw
    holds "and hz is not" differ a.raw b.raw
    observe "${box[@]}" --electric 0.4 --dump b.raw
    holds "--electric" [ "$rc$(value check)" = 0passed ]
    holds "others by --electric" differ -n $size a.raw b.raw
done

# --- places

expect 0 "$wave" --size 20x20x20 --steps 9 --init zero --dx 10 --dy 5 --dz 4 --dt 0.001 \
    --velocity 1500 --source 10,8,5:ricker:0.05 --dump a.raw
expect 0 "$wave" --size 20x20x20 --steps 9 --init zero --dx 10 --dy 5 --dz 4 --dt 0.001 \
    --velocity 1500 --source 100m,40m,20m:ricker:50Hz --receivers 100m,40m,20m --record r.npy \
    --dump b.raw
holds "places in metres" cmp a.raw b.raw
expect 0 "$wave" --size 20x20x20 --steps 9 --init zero --dx 10 --dy 5 --dz 4 --dt 0.001 \
    --velocity 1500 --source 10,8,5:ricker:0.05 --receivers 10,8,5 --record s.npy
holds "receivers in metres" cmp r.npy s.npy

# --- files and checkpoints

if ! lacks HDF5; then
    expect 0 "$heat" --size 9x8x7 --steps 4 --dy 1.25 --dz 0.9 --kappa 0.05 --dt 0.5 \
        --checkpoint ck --checkpoint-every 2 --dump whole.raw --quiet
    expect 0 "$heat" --size 9x8x7 --steps 2 --dy 1.25 --dz 0.9 --kappa 0.05 --dt 0.5 \
        --checkpoint part --checkpoint-every 2 --quiet
    expect 0 "$heat" --restart part --steps 4 --dump again.raw --quiet
    holds "it goes on with them" cmp whole.raw again.raw
    expect 2 "$heat" --restart part --steps 4 --dz 0.8
    says '--dz 0.8 contradicts the checkpoint'
    expect 2 "$heat" --restart part --steps 4 --dx 2
    # A distance along x alone is a unit; beside others it is a ratio.
    expect 0 "$heat" --size 9x8x7 --steps 2 --checkpoint units --checkpoint-every 2 --quiet
    expect 0 "$heat" --restart units --steps 4 --dx 2 --quiet
    expect 0 "$heat" --size 9x8x7 --steps 2 --lambda 0.03 --dy 2 --checkpoint ratio \
        --checkpoint-every 2 --quiet
    expect 2 "$heat" --restart ratio --steps 4 --dx 2
    says '--dx 2 contradicts the checkpoint'
    expect 0 "$heat" --size 9x8x7 --steps 1 --lambda 0.03 --dy 1.25 --dz 0.75 --dump d.h5
    if command -v h5dump >/dev/null; then
        h5dump -a dz d.h5 >dz
        holds "an attribute: $(cat dz)" grep -q '(0): 0.75' dz
    fi
fi
finish

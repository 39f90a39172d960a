#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# Faces that absorb: the bytes of the plain loop by every method, what a layer sends back of a
# wave. `test_absorb.sh --table` prints what layers send back, in dB.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=reflections.sh
. "$(dirname "$0")/reflections.sh"
seismic=$apps/zoid-seismic

# --- reflections

if [ "${1-}" = --table ]; then
    angles=(0 30 45 60 75)
    table <<'END'
sponge 20 --boundary y-=sponge
absorb,20,R=1e-3 24 --boundary y-=absorb --absorb-points 20 --absorb-reflection 1e-3
absorb,40 44 --boundary y-=absorb
absorb,60 64 --boundary y-=absorb --absorb-points 60
absorb,80 84 --boundary y-=absorb --absorb-points 80
END
    exit
fi

limits=(0:-40 45:-38 60:-31)
# The domains of oblique waves are large.
if quick; then limits=(0:-40); fi
for limit in "${limits[@]}"; do
    reflection 44 ${limit%:*} --boundary y-=absorb
    holds "$db dB at ${limit%:*} degrees" awk -v a="$db" -v b=${limit#*:} 'BEGIN { exit !(a <= b) }'
done

# --- the same bytes

uneven=(--dy 1.25 --dz 0.9)
for type in f32 f64; do
    for method in naive leaning trapezoid recursive overlapped; do
        checked --operator wave --size 38x33x50 --type $type --radius 3 --steps 7 "${uneven[@]}" \
            --method $method --boundary absorb --absorb-points 9
        checked --operator seismic --size 22x23x30 --type $type --steps 4 "${uneven[@]}" \
            --method $method --boundary absorb,x-=sponge,z+=neumann --absorb-points 6
    done
    checked --operator wave --size 93x81 --type $type --radius 4 --steps 30 --cells 3x2 --epoch 2 \
        --boundary absorb,y+=sponge --absorb-reflection 0.01
    checked --operator wave --size 407 --dims 1 --type $type --radius 2 --steps 60 \
        --boundary x-=absorb
    checked --operator wave --size 40x37x60 --type $type --steps 12 --strip 5 --epoch 2 \
        --boundary absorb,x-=periodic,x+=periodic
done
# Layers that are wider than the domain, meet, or have one point; a domain of one.
checked --operator wave --size 7x9x11 --radius 4 --steps 5 --boundary absorb
checked --operator wave --size 31x40 --radius 1 --steps 9 --boundary absorb --absorb-points 1
checked --operator wave --size 1x1x1 --steps 3 --boundary absorb
checked --operator wave --size 60x50 --steps 20 --boundary absorb --init zero \
    --source 5,6:ricker:0.05 --receivers 5,9 --record seen.npy
if has_ranks; then
    ranks 2 "$run" --operator wave --size 40x37x60 --radius 2 --steps 12 --boundary absorb \
        --oversubscribe --check
    holds "two ranks" [ "$rc$(value check)" = 0passed ]
    ranks 2 "$run" --operator seismic --size 23x37x20 --steps 5 --ranks 1x2x1 \
        --boundary absorb,z-=neumann --absorb-points 7 --oversubscribe --check
    holds "two ranks along y" [ "$rc$(value check)" = 0passed ]
fi
mkdir disk
checked --operator wave --size 60x50x400 --steps 12 --boundary absorb --disk "$work/disk" --ram 64M

# A medium of one speed: the damping of its speed alone, whatever the initial state.
expect 0 "$wave" --size 60x50 --steps 20 --type f64 --coefficient v2=0.09 --boundary absorb \
    --dump a.raw
expect 0 "$wave" --size 60x50 --steps 20 --type f64 --coefficient v2=layers:0.09,0.09 \
    --boundary absorb --dump b.raw
holds "the speed is that of the values" cmp a.raw b.raw
# The largest speed counts, too, where no wave has come from its points.
for rest in 0.01 0.09; do
    expect 0 "$wave" --size 60x90 --steps 3 --type f64 --coefficient v2=layers:0.01,$rest \
        --boundary absorb --dump rest.raw
    head -c $((60 * 40 * 8)) rest.raw >$rest.raw
done
holds "the largest speed" [ "$(cmp -s 0.01.raw 0.09.raw && echo same)" = "" ]
expect 2 "$wave" --size 60x50 --boundary absorb --absorb-reflection 1e-320
says 'is no reflection of a layer that damps'

if ! lacks HDF5; then
    box=("$wave" --size 40x41 --radius 2 --boundary absorb --absorb-points 11)
    for more in "" --checkpoint-coefficients; do
        expect 0 "${box[@]}" --coefficient v2=layers:0.04,0.09 --steps 30 --dump whole.raw
        # shellcheck disable=SC2086 # an option, or none
        expect 0 "${box[@]}" --coefficient v2=layers:0.04,0.09 --steps 12 --checkpoint ck \
            --checkpoint-every 12 $more
        expect 0 "$wave" --steps 30 --restart ck --dump again.raw
        holds "it goes on with its layers $more" cmp whole.raw again.raw
        expect 2 "$wave" --steps 30 --restart ck --absorb-points 12
        says '--absorb-points 12 contradicts the checkpoint'
        rm -rf ck
    done
fi

finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# Perfectly matched layers: the bytes of the plain loop by every method that takes them, in cells,
# on ranks and places, what a layer sends back of a wave, that nothing grows, and checkpoints with
# their memory. `test_pml.sh --table` prints what layers send back, in dB.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=reflections.sh
. "$(dirname "$0")/reflections.sh"

if [ "${1-}" = --table ]; then
    angles=(0 30 45 60 75)
    table <<'END'
pml,10 14 --boundary y-=pml
pml,20 24 --boundary y-=pml --pml-points 20
pml,40 44 --boundary y-=pml --pml-points 40
END
    exit
fi

# --- reflections

# reflects LIMIT POINTS ANGLE OPTIONS...: the layer sends back that many dB at most.
reflects() {
    reflection "${@:2}"
    holds "$db dB at $3 degrees: ${*:4}, radius $radius, $type" \
        awk -v a="$db" -v b="$1" 'BEGIN { exit !(a <= b) }'
}

reflects -78 14 0 --boundary y-=pml
# The domains of oblique waves are large.
if ! quick; then reflects -80 14 45 --boundary y-=pml; fi
if [ "$effort" = long ]; then
    reflects -95 24 0 --boundary y-=pml --pml-points 20
    reflects -80 14 60 --boundary y-=pml
    reflects -95 24 45 --boundary y-=pml --pml-points 20
    reflects -95 24 60 --boundary y-=pml --pml-points 20
    for angle in 0 45 60; do type=f32 reflects -75 14 $angle --boundary y-=pml; done
    radius=2 reflects -60 12 0 --boundary y-=pml
    radius=1 length=25 reflects -55 21 0 --boundary y-=pml --pml-points 20
    length=40 reflects -70 14 0 --boundary y-=pml
fi

# --- the same bytes

uneven=(--dy 1.25 --dz 0.9)
for method in naive leaning trapezoid recursive; do
    checked --operator wave --size 38x33x50 --type f64 --radius 2 --steps 9 "${uneven[@]}" \
        --method $method --boundary pml,x-=periodic,x+=periodic,y-=sponge,z+=neumann
    # Slabs lower than a layer, in which a visit meets many pieces.
    checked --operator wave --size 40x61 --radius 1 --steps 23 --method $method --block 3 \
        --boundary pml,x+=absorb --absorb-points 7
    checked --operator wave --size 131 --dims 1 --type f64 --radius 2 --steps 60 --method $method \
        --boundary pml
done
for radius in 4 5 6; do
    # The least domain, and one of a point more.
    least=$((2 * (radius + 2) + 1))
    checked --operator wave --size ${least}x$((least + 1))x$least --radius $radius --steps 5 \
        --boundary pml --pml-points 2
    checked --operator wave --size 70x61 --type f64 --radius $radius --steps 30 --boundary pml
done
checked --operator wave --size 40x41x130 --radius 2 --steps 12 --team 2 --boundary pml
checked --operator wave --size 40x41x60 --steps 12 --method trapezoid --block 9 --depth 2 \
    --boundary pml,z-=periodic,z+=periodic
checked --operator wave --size 40x33 --steps 9 --boundary y-=pml --pml-points 30
checked --operator wave --size 40x41x30 --steps 9 --boundary pml --balance scheduler \
    --places cores:1+cores:1
checked --operator wave --size 60x50 --radius 2 --steps 20 --boundary pml --init zero \
    --source 5,6:ricker:0.05 --source 12,13:ricker:0.02 --receivers 5,9 --receivers 12,14 \
    --record seen.npy
# The least main memory: pieces go to the disk and come back.
mkdir disk
for way in "leaning --size 30x30x200 --block 12 --depth 3" \
    "trapezoid --size 30x30x300 --block 20 --depth 2"; do
    # shellcheck disable=SC2206 # options
    tight=(--operator wave --steps 12 --boundary pml --disk "$work/disk" --method $way)
    expect 3 "$wave" "${tight[@]:2}" --ram 1M
    checked "${tight[@]}" --ram "$(least ram)M"
    holds "it went to the disk: $way" [ "$(value bytes.disk_write)" -gt 0 ]
done

# --- cells, ranks, places

for method in naive leaning trapezoid recursive; do
    checked --operator wave --size 38x33x50 --radius 3 --steps 11 "${uneven[@]}" --method $method \
        --boundary pml --pml-points 9 --cells 2x3x1 --epoch 2
    # Layers that have several cells, in slabs lower than they are.
    checked --operator wave --size 61x67 --type f64 --radius 1 --steps 23 --method $method \
        --block 2 --boundary pml --pml-points 29 --cells 5x3 --epoch 3
done
checked --operator wave --size 131 --dims 1 --radius 2 --steps 60 --method leaning --boundary pml \
    --pml-points 60 --cells 5 --epoch 3
checked --operator wave --size 40x33x30 --radius 2 --steps 9 --method trapezoid --block 8 \
    --boundary pml,x-=periodic,x+=periodic --pml-points 4 --strip 7
checked --operator wave --size 40x33x36 --radius 1 --type f64 --steps 9 --method naive \
    --boundary pml,z-=periodic,z+=periodic --cells 2x2x3 --epoch 2
# Pieces of cells go to the disk and come back.
tight=(--operator wave --steps 12 --boundary pml --disk "$work/disk" --method trapezoid
    --size 40x40x200 --block 20 --depth 2 --cells 2x2x1)
expect 3 "$wave" "${tight[@]:2}" --ram 1M
checked "${tight[@]}" --ram "$(least ram)M"
holds "memory of cells went to the disk" [ "$(value bytes.disk_write)" -gt 0 ]
split=(--balance split --places cores:1+cores:1 --epoch 3)
checked --operator wave --size 33x41x50 --radius 2 --steps 15 --boundary pml --cells 1x2x1 \
    "${split[@]}" --split-at 13:stay
# Memory moves with the border.
for method in leaning naive; do
    ZOID_SLOW=0:6 checked --operator wave --size 45x151 --radius 3 --steps 48 --boundary pml \
        --method $method "${split[@]}" --split-at 100
    holds "the border moved: $(value border.moves)" [ "$(value border.moves)" -gt 0 ]
done
# on N OPTIONS...: so many ranks give the reference's bytes.
on() {
    STARPU_NCPU=1 ranks "$1" "$wave" --oversubscribe "${@:2}" --check
    holds "exit code $rc, the check '$(value check)' of $*" [ "$rc $(value check)" = "0 passed" ]
}
if has_ranks; then
    forgive_mpi
    on 2 --size 38x61 --radius 3 --type f64 --steps 12 --boundary pml --ranks 1x2 --epoch 3
    for exchange in direct joined; do
        on 4 --size 31x33x50 --radius 2 --steps 12 --boundary pml --pml-points 11 --ranks 1x2x2 \
            --cells 2x2x2 --epoch 2 --exchange $exchange --method leaning --block 4
    done
fi

# --- nothing grows

# At 0.95 of the limit of stability, f32, with layers around media that vary: what receivers in all
# of the domain see is never more than in the first hundred steps.
steps=600
if [ "$effort" = long ]; then steps=100000; fi
cat >noise.py <<'PY'
import random, struct
random.seed(3)
values = [0.2776 * random.random() for i in range(64 * 60)]
open("noise.raw", "wb").write(struct.pack("<3840f", *values))
PY
# most: the largest values of the first hundred steps, of those after, and of the last one.
cat >most.py <<'PY'
import array
with open("seen.npy", "rb") as f:
    head = f.read(10)
    text = f.read(head[8] + 256 * head[9]).decode()
    seen = array.array("d" if "<f8" in text else "f")
    seen.frombytes(f.read())
n = int(text[text.index("(") + 1:text.index(")")].split(",")[1])
def most(values):
    return max(abs(v) if v - v == 0 else float("inf") for v in values)
print(most(seen[:101 * n]), most(seen[101 * n:]), most(seen[-n:]))
PY
"${python:-python3}" noise.py
everywhere=()
for y in $(seq 6 6 54); do everywhere+=(--receivers "y=$y:4"); done
for v2 in layers:0.2776,0.1 noise.raw; do
    expect 0 "$wave" --size 64x60 --radius 4 --boundary pml --init u=gaussian:3 --steps $steps \
        --coefficient "v2=$v2" "${everywhere[@]}" --record seen.npy
    read -r early late last <<<"$("${python:-python3}" most.py)"
    holds "nothing grows in $v2: $early in 100 steps, then $late, $last after $steps" \
        awk -v a="$early" -v b="$late" -v c="$last" 'BEGIN { exit !(c > 0 && b <= a && c < a) }'
done

# --- settings

# A tenth of the first wavelet's frequency, or 0.003; R is 10^-(4 + L / 10).
shot=(--size 60x50 --type f64 --steps 40 --init zero --coefficient v2=0.09 --boundary pml)
# same OPTIONS... -- OPTIONS...: both make the same.
same() {
    local a=() b
    while [ "$1" != -- ]; do a+=("$1") && shift; done
    b=("${@:2}")
    expect 0 "$wave" "${shot[@]}" "${a[@]}" --dump a.raw
    expect 0 "$wave" "${shot[@]}" "${b[@]}" --dump b.raw
    holds "the same by ${a[*]} as by ${b[*]}" cmp a.raw b.raw
}
same --source 30,25:ricker:0.05 -- --source 30,25:ricker:0.05 --pml-shift 0.005 \
    --pml-reflection 1e-5 --pml-points 10 --pml-speed 0.3
same --source 30,25:constant:1 -- --source 30,25:constant:1 --pml-shift 0.003
same --source 30,25:constant:1 --dx 10 --dt 0.002 --pml-shift 5Hz --pml-speed 1500 -- \
    --source 30,25:constant:1 --pml-shift 0.01

# --- checkpoints

if ! lacks HDF5; then
    box=("$wave" --size 40x41x36 --radius 2 --boundary "pml,x-=neumann" --pml-points 7)
    expect 0 "${box[@]}" --steps 30 --dump whole.raw
    expect 0 "${box[@]}" --steps 12 --method leaning --block 5 --depth 3 --checkpoint ck \
        --checkpoint-every 6
    for way in "naive --block 9" "trapezoid --block 11 --depth 2" "recursive --block 2"; do
        # shellcheck disable=SC2086 # options
        observe "$wave" --steps 30 --restart ck --method $way --dump again.raw --check
        holds "it goes on with its memory by $way" [ "$rc$(value check)" = 0passed ]
        holds "it ends with the same values by $way" cmp whole.raw again.raw
    done
    # Cells and ranks leave the same file, and go on from it.
    expect 0 "${box[@]}" --steps 12 --cells 2x1x2 --epoch 3 --checkpoint cells \
        --checkpoint-every 12
    holds "cells leave the same checkpoint" \
        cmp ck/checkpoint-000000000012.h5 cells/checkpoint-000000000012.h5
    if has_ranks; then
        STARPU_NCPU=1 ranks 3 "${box[@]}" --oversubscribe --steps 12 --ranks 1x3x1 --epoch 2 \
            --checkpoint ranks --checkpoint-every 6
        holds "ranks leave the same checkpoint: $rc" \
            cmp ck/checkpoint-000000000012.h5 ranks/checkpoint-000000000012.h5
        STARPU_NCPU=1 ranks 2 "$wave" --oversubscribe --steps 30 --restart ranks --ranks 1x1x2 \
            --dump again.raw
        holds "other ranks end with the same values: $rc" cmp whole.raw again.raw
    fi
    expect 0 "$wave" --steps 30 --restart ck --cells 2x2x1 --epoch 2 --dump again.raw
    holds "cells end with the same values" cmp whole.raw again.raw
    expect 2 "$wave" --steps 30 --restart ck --pml-shift 0.01
    says '--pml-shift 0.01 contradicts the checkpoint'
    expect 2 "$wave" --steps 30 --restart ck --pml-points 8
    says '--pml-points 8 contradicts the checkpoint'
    # In Hz, and physical units: the checkpoint has cycles a step.
    line=("$wave" --size 200 --dims 1 --radius 1 --velocity 1500 --dx 10 --dt 0.002 --boundary pml
        --units physical)
    expect 0 "${line[@]}" --pml-shift 5 --steps 90 --dump whole.raw
    expect 0 "${line[@]}" --pml-shift 5 --steps 40 --checkpoint line --checkpoint-every 40
    expect 0 "$wave" --steps 90 --restart line --units physical --velocity 1500 --dump again.raw
    holds "it goes on with its shift" cmp whole.raw again.raw
fi

finish

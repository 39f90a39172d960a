#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A core and a GPU, made of cores (tests/outside/host_gpu.h), compute parts of one domain, with a
# border that moves since one of them is slow: the bytes of the plain loop nest.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
host_gpus 2 || {
    echo "no GPUs made of cores: StarPU has no CUDA, or another; or sanitizers come first"
    exit 77
}
export STARPU_NCUDA=1
places=(--balance split --places cores:1+gpus:1)

# shared COMMAND...: it gives the reference's bytes, and both have computed.
shared() {
    expect 0 "$@" "${places[@]}" --check
    holds "the check '$(value check)' of $*" [ "$(value check)" = passed ]
    for place in 0 1; do
        holds "place $place computes: $*" [ "$(value places.$place.useful)" -gt 0 ]
    done
    holds "places share all points: $*" [ "$(value points.useful)" = \
        $(($(value places.0.useful) + $(value places.1.useful))) ]
}

# moved COMMAND...: the same where the lower place is slow from step 10 on, so that the border
# moves, unless the machine has other work.
moved() {
    shared env ZOID_SLOW=0:6@10 "$@"
    moves=$((moves + $(value border.moves)))
}
moves=0

read -ra all_methods <<<"$(methods)"
for method in "${all_methods[@]}"; do
    moved "$heat" --size 48x40x90 --steps 90 --epoch 3 --split-at 40 --method "$method"
    moved "$heat" --size 48x40x90 --steps 60 --epoch 4 --split-at 40 --method naive \
        --cores-method "$method"
done
# What is owned by a part, and what its neighbour reads, beyond a periodic face, in coefficients,
# points in order, pieces of a matrix, sources and receivers.
moved "$run" --operator box27 --size 40x36x80 --steps 60 --epoch 4 --split-at 40 --boundary periodic
moved "$run" --operator seismic --size 24x22x90 --steps 40 --epoch 2 --split-at 50
moved "$run" --operator life3d --size 80x80x90 --steps 60 --epoch 4 --split-at 40
moved "$run" --operator wave --radius 4 --type f64 --size 24x20x120 --steps 50 --epoch 2 \
    --split-at 60 --boundary neumann
moved "$run" --operator rbsor_rhs --size 40x40x90 --steps 60 --epoch 4 --split-at 40
moved "$run" --operator sor --size 40x40x90 --steps 60 --epoch 4 --split-at 40
moved "$run" --operator sor_rhs --size 400x900 --steps 60 --epoch 6
moved "$apps/zoid-wave" --size 30x28x90 --steps 60 --epoch 3 --split-at 50 \
    --boundary sponge --source 9,9,9:ricker:0.1 --receivers z=3:2 --record "$work/shot.npy"
for format in dia sell; do
    moved "$apps/zoid-spmv" --rows 30000 --format $format --steps 40 --epoch 4
done
holds "borders move: $moves times" [ "$moves" -gt 9 ]
# Slabs that stream through the GPU, as its memory has no room for its part. The first limit that
# is named is that of the GPU alone.
tight=("$heat" --size 128x128x300 --steps 24 --split-at 30 --block 8 --depth 4 --epoch 4)
for method in naive leaning trapezoid; do
    fits gpu-mem "${tight[@]}" "${places[@]}" --method $method
    holds "slabs stream" [ "$(value gpu.in_core)" = false ]
    shared env ZOID_SLOW=0:6@10 "${tight[@]}" --method $method --gpu-mem "${memory}M"
done
# A border that stays, the GPU below, two GPUs.
shared "$heat" --size 48x40x90 --steps 40 --epoch 3 --split-at 40:stay
holds "the border stays" [ "$(value border.moves)" = 0 ]
# A weak GPU, and weak cores.
for way in gpus=naive cores=naive; do
    shared env HOST_TRAVERSAL="$(sed 's/gpus=//; s/cores=.*/best/' <<<$way)" "$heat" \
        --size 48x40x90 --steps 40 --epoch 4 --traversal $way
    holds "$way: places.0 $(value places.0.traversal), places.1 $(value places.1.traversal)" \
        [ "$(value places.0.traversal) $(value places.1.traversal)" = \
        "$(sed 's/gpus=\(.*\)/best \1/; s/cores=\(.*\)/\1 best/' <<<$way)" ]
done
observe env HOST_TRAVERSAL=best "$heat" --size 48x40x90 --steps 8 "${places[@]}" \
    --traversal gpus=two
holds "a GPU does not go as it should not" [ "$rc" != 0 ]
places=(--balance split --places gpus:1+cores:1)
shared env ZOID_SLOW=1:6@10 "$heat" --size 48x40x90 --steps 60 --epoch 3 --split-at 50
places=(--balance split --places gpus:1+gpus:1)
STARPU_NCUDA=2 shared "$heat" --size 48x40x90 --steps 60 --epoch 3 --split-at 50

# shellcheck source-path=SCRIPTDIR source=draw.sh
. "$(dirname "$0")/draw.sh"

draw_shared() {
    draw_places "$1"
    words[0]=STARPU_NCPU=1
    any cores:1+gpus:1 cores:1+gpus:1 gpus:1+cores:1
    words+=(--places "$picked")
}
check_drawn 16 8 draw_shared < <(subjects)
finish

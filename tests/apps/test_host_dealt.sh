#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# StarPU's scheduler deals blocks to a core and to GPUs made of cores (tests/outside/host_gpu.h),
# whose memories are caches with room for everything or for as little as can be: the bytes of the
# plain loop nest.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
unset STARPU_SCHED

# machine N: has N GPUs.
machine() {
    host_gpus "$1" || {
        echo "no GPUs made of cores: StarPU has no CUDA, or another; or sanitizers come first"
        exit 77
    }
}

# given COMMAND...: it gives the reference's bytes; counts the points of GPUs into `taken`.
taken=0
given() {
    expect 0 "$@" --balance scheduler --check
    holds "the check '$(value check)' of $*" [ "$(value check)" = passed ]
    taken=$((taken + $(awk '$1 ~ /^places.*kind$/ { gpu = $2 == "gpus" }
        $1 ~ /^places.*useful$/ && gpu { print int($2) }' "$work/out")))
}

# tight COMMAND...: the same with the least memory of a GPU, which streams.
tight() {
    expect 3 "$@" --balance scheduler --gpu-mem 1M --plan
    given "$@" --gpu-mem "$(least gpu-mem)M"
    holds "slabs stream: $(value bytes.h2d)" [ "$(value bytes.h2d)" -ge 0 ]
}

for n in 1 2; do
    machine $n
    for method in naive overlapped trapezoid; do
        given "$heat" --size 64x64x160 --steps 24 --depth 4 --block 8 --method $method
        tight "$heat" --size 128x128x160 --steps 24 --depth 4 --block 8 --method $method
        [ $n = 1 ] || continue
        tight "$run" --operator wave --size 100x96x150 --steps 12 --depth 3 --block 9 --radius 2 \
            --type f64 --method $method
        tight "$heat" --size 128x128x160 --steps 12 --depth 4 --block 8 --method $method \
            --cells 2x2
    done
done
holds "GPUs have their part" [ "$taken" -gt 0 ]
# A core that is slow leaves blocks to the GPU, and a GPU alone is no reason to wait.
taken=0
machine 1
given env ZOID_SLOW=0:10 "$heat" --size 128x128x320 --steps 40 --depth 2 --block 10 \
    --method overlapped
holds "the GPU takes more: $(value places.1.share)" \
    [ "$(awk '$1 == "places.1.share" { print ($2 > 0.6) }' "$work/out")" = 1 ]
STARPU_NCPU=0 machine 2
STARPU_NCPU=0 given "$heat" --size 64x64x160 --steps 24 --depth 4 --block 8 --places gpus
given "$heat" --size 64x64x160 --steps 24 --depth 4 --block 8 --places gpus:2
holds "GPUs alone take all" [ "$(value places.0.kind) $(value places.0.share)" = "gpus 1" ]
given "$heat" --size 64x64x160 --steps 24 --depth 4 --block 8 --places gpus:1+cores:1
machine 1
# Crews of both kinds have a traversal each.
given env HOST_TRAVERSAL=naive "$heat" --size 64x64x160 --steps 24 --depth 4 --block 8 \
    --traversal gpus=naive,cores=two
holds "as the report says: $(value places.0.traversal) $(value places.1.traversal)" \
    [ "$(value places.0.traversal) $(value places.1.traversal)" = "two naive" ]
given "$run" --operator seismic --size 24x22x90 --steps 20 --depth 2 --block 9
given "$run" --operator life3d --size 80x40x90 --steps 24 --depth 4 --block 9
given "$run" --operator box27 --size 40x36x80 --steps 24 --block 8 --boundary periodic
given "$apps/zoid-wave" --size 30x28x90 --steps 30 --block 9 --boundary sponge \
    --source 9,9,9:ricker:0.1 --receivers z=3:2 --record "$work/shot.npy"
for format in dia sell; do
    given "$apps/zoid-spmv" --rows 30000 --format $format --steps 12 --depth 4 --block 1000
done

# shellcheck source-path=SCRIPTDIR source=draw.sh
. "$(dirname "$0")/draw.sh"
draw_on_both() {
    draw_dealt "$1"
    words[0]=STARPU_NCPU=1
    words=("${words[@]:0:${#words[@]}-2}")
    maybe --gpu-mem 2M 4M 20M 1G
}
check_drawn 8 4 draw_on_both < <(subjects | for_dealt)
finish

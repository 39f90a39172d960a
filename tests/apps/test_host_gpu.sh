#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs on GPUs made of cores (tests/outside/host_gpu.h), in memory and streaming through the least
# memory that they can do with, beside a disk, handed on from GPU to GPU: the bytes of the plain
# loop nest.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
mkdir "$work/disk"

# machine N: has N GPUs.
machine() {
    host_gpus "$1" || {
        echo "no GPUs made of cores: StarPU has no CUDA, or another; or sanitizers come first"
        exit 77
    }
}

# given COMMAND...: it gives the reference's bytes, and GPUs have computed them.
given() {
    expect 0 "$@" --balance gpu --check
    holds "the check '$(value check)' of $*" [ "$(value check)" = passed ]
    holds "GPUs have their part: $*" [ "$(value bytes.h2d)" -gt 0 ]
}

# tight COMMAND...: the same with the least memory of a GPU, after the least main memory where there
# is a disk.
tight() {
    local command=("$@")
    if [[ $* = *--disk* ]]; then
        expect 3 "${command[@]}" --ram 1 --gpu-mem 1G --plan
        command+=(--ram "$(least ram)M")
    fi
    expect 3 "${command[@]}" --gpu-mem 1M --plan
    given "${command[@]}" --gpu-mem "$(least gpu-mem)M"
}

read -ra all_methods <<<"$(methods)"
machine 1
expect 0 "$info"
holds "the GPU has a name that no real one has" [ "$(value gpu)" = host ]
# Without one of its copies a run is wrong.
for n in 2 5; do
    observe env HOST_LOSES=$n "$heat" --size 40x40x60 --steps 9 --method leaning --block 2 \
        --balance gpu --check
    holds "a lost copy shows: exit code $rc" [ "$rc $(value check)" = "1 failed" ]
done

if [ "$effort" = long ]; then all_types=3; fi
# Every operator and number of dimensions, by its types in turns.
for family in $(families); do
    read -ra types <<<"$(trait "$family" type | tr '|' ' ')"
    for dims in $(trait "$family" dims | tr '|' ' '); do
        types=("${types[@]:1}" "${types[0]}")
        for type in "${types[@]:0:${all_types:-1}}"; do
            given "$run" --operator "$family" --dims "$dims" --type "$type" --steps 9 \
                --size "$(sed 's/^1$/701/; s/^2$/31x70/; s/^3$/21x18x40/' <<<"$dims")"
        done
    done
done
given "$apps/zoid-wave" --size 30x28x50 --steps 30 --boundary sponge --source 9,9,9:ricker:0.1 \
    --receivers z=3:2 --record "$work/shot.npy"
given "$apps/zoid-wave" --size 30x28x90 --radius 4 --steps 30 --boundary absorb,x-=sponge
given "$apps/zoid-wave" --size 40x38x90 --radius 4 --steps 30 --boundary pml,x-=sponge
given "$apps/zoid-wave" --size 30x28x90 --radius 4 --steps 30 --boundary free,x-=pml
given "$apps/zoid-heat" --size 30x28x90 --radius 4 --steps 30 --boundary z-=held,x+=held,y-=free \
    --held z-=sine:0.1,2 --held x+=constant:1
# Memory of cells goes up and down as planned.
given "$apps/zoid-wave" --size 40x38x60 --radius 2 --steps 14 --boundary pml --pml-points 7 \
    --cells 2x2x2 --epoch 2
holds "as many bytes to GPUs as planned" [ "$(value bytes.h2d)" = "$(value planned.h2d)" ]
given "$apps/zoid-seismic" --size 20x28x40 --steps 9 --type f64 --boundary absorb,z-=neumann
given "$apps/zoid-spmv" --rows 20000 --format dia --steps 12 --depth 4
given "$apps/zoid-spmv" --rows 20000 --format sell --vectors 3 --steps 12 --depth 4

# More than the GPU has room for, and two of them.
for n in 1 2; do
    machine $n
    for method in "${all_methods[@]}"; do
        tight "$heat" --size 128x128x160 --steps 12 --depth 4 --block 8 --method "$method"
        jin=$(value jin.depth)
        holds "Jin's depth is one of a slab: $jin" [ "$jin" -ge 1 ] && [ "$jin" -le 8 ]
        given "$run" --operator wave --size 36x24x90 --radius 2 --steps 12 --depth 3 --block 9 \
            --method "$method" --type f64
    done
    tight "$run" --operator wave --size 100x96x150 --steps 8 --depth 4 --strip 50 \
        --method overlapped
    tight "$heat" --size 128x128x160 --steps 8 --depth 4 --block 8 --method leaning --overlap off
    tight "$heat" --size 128x128x200 --steps 8 --depth 4 --block 8 --method leaning \
        --disk "$work/disk"
    tight "$run" --operator sor --size 128x128x160 --steps 12 --depth 4
done

# Legs of ranks, whose blocks come in rounds: some ranks are asked whether to stop before their
# first round begins, others after it.
in_rounds=(--method leaning --block 5 --overlap off --gpu-mem 1G --residual-every 7
    --tolerance 1e30)
for depth in 2 3; do
    has_ranks || break
    for solver in sor jacobi; do
        time_limit=60 given mpirun --allow-run-as-root --oversubscribe -n 3 "$apps/zoid-sor" \
            --dims 3 --solver $solver --size 33x17x40 --border 0.5 --steps 40 "${in_rounds[@]}" \
            --depth $depth --epoch $((2 * depth))
    done
done

# shellcheck source-path=SCRIPTDIR source=draw.sh
. "$(dirname "$0")/draw.sh"
draw_on_gpus() {
    draw "$1"
    any 2M 4M 8M 1G
    words+=(--balance gpu --gpu-mem "$picked")
    launcher=(env STARPU_NCUDA=$((RANDOM % 2 + 1)))
}
check_drawn 12 4 draw_on_gpus < <(subjects)
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs on a GPU that is not there (tests/outside/absent_gpu.c): every method with the least memory
# of all kinds comes to an end, and moves what it has to. What it computes is for other tests.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
skip() { echo "$*"; exit 77; }

nvcc=$(cached CMAKE_CUDA_COMPILER)
[ -n "$nvcc" ] || skip "a build without CUDA"
[ -z "$sanitized" ] || skip "what is preloaded comes before a sanitizer"
mkdir "$work/disk"

# machine N: has N GPUs.
machine() {
    absent_gpus "$1" || skip "another CUDA than the one that is not there"
    absent=("${gpu[@]}")
}

# ends COMMAND...: with the least memory of a GPU, after the least main memory where there is a
# disk.
ends() {
    local command=("${absent[@]}" "$@") gpu
    if [[ $* = *--disk* ]]; then
        expect 3 "${command[@]}" --ram 1 --gpu-mem 100G
        command+=(--ram "$(least ram)M")
    fi
    expect 3 "${command[@]}" --gpu-mem 1M
    gpu=$(least gpu-mem)
    expect 0 "${command[@]}" --gpu-mem "${gpu}M"
    holds "the GPU has its part: $*" [ "$(value bytes.h2d)" -gt 0 ]
    if [[ $* = *--disk* ]]; then
        holds "so does the disk: $*" [ "$(value bytes.disk_write)" -gt 0 ]
    fi
}

# sampled COMMAND...: `ends` one in four of these cases.
sampled() { ! one_in 4 || ends "$@"; }

read -ra all_methods <<<"$(methods)"
machine 1
for method in "${all_methods[@]}"; do
    for place in "" "--disk $work/disk"; do
        # shellcheck disable=SC2086 # a place is two words or none
        sampled "$heat" --size 128x192x500 --steps 20 --depth 7 --method "$method" $place
    done
    sampled "$run" --operator wave --size 200x96x400 --steps 20 --depth 7 --method "$method" \
        --strip 100 --disk "$work/disk"
done
ends "$run" --operator sor --size 256x256x500 --steps 20 --depth 7
ends "$run" --operator sor_rhs --size 2000x1700 --steps 120 --depth 50
# Of a long domain the planes that passes leave each other are more than the GPU has room for.
expect 0 "${absent[@]}" "$heat" --size 256x256x2048 --steps 2 --method base --ram 300M \
    --gpu-mem 80M --disk "$work/disk"
# A pass that has more open than the GPU has room for, and a main memory full of slabs beside it.
for n in 1 2; do
    machine $n
    for overlap in on off; do
        ends "$heat" --size 256x512x1024 --steps 32 --depth 32 --block 2 --strip 512 \
            --method recursive --overlap $overlap --disk "$work/disk"
    done
done
# Blocks that a core beside the GPU may take, with the least memory as a cache.
machine 1
for method in naive overlapped trapezoid; do
    for n in 1 2; do
        machine $n
        dealt=("${absent[@]}" "$heat" --size 128x192x500 --steps 20 --depth 5 --block 10
            --method "$method" --balance scheduler)
        expect 3 "${dealt[@]}" --gpu-mem 1M
        room=$(least gpu-mem)M
        # Blocks go where they are measured to end first: other work on this machine counts.
        for try in 1 2 3; do
            expect 0 "${dealt[@]}" --gpu-mem "$room"
            [ "$(value bytes.h2d)" = 0 ] || break
        done
        holds "GPUs have their part: ${dealt[*]}" [ "$(value bytes.h2d)" -gt 0 ]
    done
done
# A pipeline of two.
for method in "${all_methods[@]}"; do
    sampled "$heat" --size 128x96x400 --steps 20 --depth 5 --method "$method"
    sampled "$heat" --size 128x96x400 --steps 20 --depth 5 --method "$method" --overlap off \
        --disk "$work/disk"
done

# Ranks share the GPUs of a host, and the memory of each that several have.
if has_ranks; then
    # shared RANKS GPUS THEIRS MEMORY...: each rank has those, and so many parts of its memory.
    shared() {
        local n=$1 gpus=$2 theirs=$3 parts=$4
        ranks "$n" -x "LD_PRELOAD=$absent_library" -x "STARPU_HOME=$work/starpu$gpus" \
            -x "ABSENT_GPUS=$gpus" "$info"
        holds "$n ranks share $gpus GPUs: $(grep ^rank "$work/out")" \
            [ "$(sed -n 's/^rank.* gpu \([0-9,]*\) .*/\1/p' "$work/out" | xargs)" = "$theirs" ]
        holds "each has 1 of $parts parts of the memory" \
            [ $((($(value gpu_mem) * parts + whole / 2) / whole)) = 1 ]
    }
    machine 1
    whole=$(value gpu_mem)
    shared 2 1 "0 0" 2
    shared 2 2 "0 1" 1
    shared 3 2 "0 0 1" 2
    shared 2 3 "0 1,2" 1
    # A number of GPUs that is set is that of each rank, and of those that are its own.
    STARPU_NCUDA=1 shared 2 2 "0 1" 1
    STARPU_NCUDA=1 shared 2 3 "0 1" 1
    # Jin's domains: two ranks on a GPU, each with less of its memory than it has of the domain.
    machine 1
    for name in $(aliases | tr ' ' '\n' | grep '^2D-1D-'); do
        box=("${absent[@]}" "$heat" --size 256x128x600 --steps 4 --epoch 2 --method "$name")
        expect 3 "${box[@]}" --ranks 2x1 --gpu-mem 1M --plan
        ranks 2 "${box[@]}" --ranks 2x1 --gpu-mem "$(least gpu-mem)M" --oversubscribe
        holds "$name, two ranks: exit code $rc" [ "$rc" = 0 ]
        holds "$name: the GPU has its part" [ "$(value bytes.h2d)" -gt $((256 * 128 * 600 * 4)) ]
        holds "$name: they exchange" [ "$(value messages)" -gt 0 ]
    done
    # Ranks that take turns, with all that they have in the GPU's memory and with the least of it;
    # and with two GPUs each.
    in_order=("$apps/zoid-sor" --size 128x128x150 --steps 24 --tolerance 1e30 --residual-every 12)
    # in_turns RANKS OPTIONS...
    in_turns() {
        ranks "$1" "${absent[@]}" "${in_order[@]}" "${@:2}"
        holds "$1 ranks in order, ${*:2}: exit code $rc" [ "$rc" = 0 ]
        holds "the GPU has its part" [ "$(value bytes.h2d)" -gt $((128 * 128 * 150 * 4)) ]
        holds "they exchange" [ "$(value messages)" -gt 0 ]
    }
    for n in 2 3; do
        for overlap in on off; do
            expect 3 "${absent[@]}" "${in_order[@]}" --ranks 1x1x$n --depth 5 --block 1 \
                --overlap $overlap --gpu-mem 1M --plan
            in_turns $n --depth 5 --block 1 --overlap $overlap --gpu-mem "$(least gpu-mem)M"
        done
        in_turns $n --depth 3 --epoch 12 --block 9 --gpu-mem 1G
        # A round of one block, which reads a relay: the first one.
        in_turns $n --depth 3 --block 1000 --overlap off --gpu-mem 1G
        in_turns $n --depth 4 --rhs 0.1 --solver ssor --gpu-mem 1G
    done
    # Legs of which some have fewer lanes than others.
    ranks 3 "${absent[@]}" "$apps/zoid-sor" --size 203x407 --steps 42 --residual-every 14 \
        --tolerance 1e30 --rhs 0.1 --solver ssor --layers 3 --depth 2 --block 7 --gpu-mem 1G
    holds "legs in order: exit code $rc" [ "$rc" = 0 ]
    machine 4
    in_turns 2 --depth 3 --epoch 12 --block 9 --gpu-mem 1G
fi
finish

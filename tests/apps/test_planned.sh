#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# The bytes that a plan needs to move: --plan and the report say the same, and a run that keeps its
# slabs on a GPU, here one that is not there (tests/outside/absent_gpu.c), moves them and no more.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
ways=(h2d d2h p2p disk_read disk_write)
mkdir "$work/disk"

# planned COMMAND...: its plan and its report name the same bytes; what a plan does not name is
# nothing.
planned() {
    local way
    local -A wanted=()
    expect 0 "$@" --plan
    for way in "${ways[@]}"; do wanted[$way]=$(value "planned.$way"); done
    observe "$@"
    holds "exit code $rc: $*" [ "$rc" = 0 ]
    for way in "${ways[@]}"; do
        holds "planned.$way, ${wanted[$way]:-nothing} and $(value "planned.$way"): $*" \
            [ "${wanted[$way]:-0}" = "$(value "planned.$way")" ]
    done
}

# moved WAYS: and the last run has moved as much on these ways.
moved() {
    local way
    for way in $1; do
        holds "$way: $(value "bytes.$way") of $(value "planned.$way")" \
            [ "$(value "bytes.$way")" = "$(value "planned.$way")" ]
    done
}

# within: the last run has moved no more than that to GPUs, from them and between them, but for 1 in
# 50.
within() {
    local way
    for way in h2d d2h p2p; do
        holds "$way: $(value "bytes.$way") of $(value "planned.$way")" \
            [ $(($(value "bytes.$way") * 50)) -le $(($(value "planned.$way") * 51)) ]
    done
}

# ---- cores ----------------------------------------------------------------------------------

export STARPU_NCPU=2
cores=(env STARPU_NCUDA=0)
planned "${cores[@]}" "$heat" --size 64x48x100 --steps 8
moved "${ways[*]}"
read -ra all_methods <<<"$(methods)"
for method in "${all_methods[@]}"; do
    stream=("${cores[@]}" "$run" --operator wave --size 96x64x200 --steps 12 --depth 4
        --method "$method" --disk "$work/disk")
    expect 3 "${stream[@]}" --ram 1
    planned "${stream[@]}" --ram "$(least ram)M"
    holds "the disk was used: $method" [ "$(value planned.disk_read)" -gt 0 ]
done
# Legs of a run are added up.
legs=("${cores[@]}" "$heat" --size 96x64x200 --steps 12 --method trapezoid --depth 3 --block 20
    --disk "$work/disk" --ram 40M)
expect 0 "${legs[@]}"
once=$(value planned.disk_read)
expect 0 "${legs[@]}" --checkpoint "$work/kept" --checkpoint-every 6
holds "legs add up: $(value planned.disk_read) of $once" [ "$(value planned.disk_read)" = "$once" ]

# ---- a GPU that is not there -----------------------------------------------------------------

absent_gpus 1 || { finish; exit 0; } # no CUDA, or another
cut=(--steps 18 --depth 4 --gpu-mem 1G)
for case in "heat --method leaning --block 7" "wave --method trapezoid" \
    "seismic --method leaning" "box19 --method overlapped" "wave --method recursive" \
    "wave --method leaning --cells 2x2x1" "heat --method naive --overlap off" \
    "wave --method leaning --cells 2x2x1 --boundary pml" \
    "wave --method trapezoid --cells 1x2x2 --boundary x-=pml,z+=pml"; do
    read -ra operator <<<"$case"
    planned "${gpu[@]}" "$run" --size 64x48x100 "${cut[@]}" --operator "${operator[@]}"
    moved "${ways[*]}"
done
# What stays is written again and again, and goes home once.
planned "${gpu[@]}" "$heat" --size 56x62x604 --steps 11 --radius 4 --method recursive --depth 1 \
    --block 140 --cells 2x2x1 --gpu-mem 140M
moved "${ways[*]}"
for case in "heat --method leaning" "wave --method trapezoid" "wave --method overlapped"; do
    read -ra operator <<<"$case"
    stream=("${gpu[@]}" "$run" --size 128x192x300 --steps 18 --depth 4 --operator "${operator[@]}")
    expect 3 "${stream[@]}" --gpu-mem 1M
    planned "${stream[@]}" --gpu-mem "$(least gpu-mem)M"
    holds "slabs come more than once: $case" \
        [ "$(value planned.d2h)" -gt $((128 * 192 * 300 * 4 * 3 / 2)) ]
    within
done
# Full memories, in which StarPU used to evict what was wanted next; kernels of random lengths.
seed=0
while read -r memory program options; do
    seed=$((seed + 1))
    read -ra words <<<"$options"
    expect 0 "${gpu[@]}" "ABSENT_SEED=$seed" "$apps/zoid-$program" "${words[@]}" --gpu-mem "$memory"
    within
    holds "nothing is said: $(cat "$work/err")" [ -z "$(grep planned "$work/err")" ]
done <<END
72M heat --size 128x128x2048 --steps 256 --method leaning --block 78 --depth 128
72M heat --size 128x128x2048 --steps 256 --method leaning --block 97 --depth 86
72M heat --size 128x128x2048 --steps 256 --method leaning --block 64 --depth 64
48M wave --size 128x128x1024 --radius 4 --steps 96
80M wave --size 128x128x1024 --radius 4 --steps 96 --cells 1x2
48M seismic --size 64x64x512 --steps 64
48M heat --size 128x128x1024 --steps 96 --method trapezoid
48M heat --size 128x128x1024 --steps 96 --method overlapped
48M heat --size 128x128x1024 --steps 96 --method recursive
END
# Slabs go from one GPU to another.
if absent_gpus 2; then
    planned "${gpu[@]}" "$heat" --size 64x48x100 "${cut[@]}" --method leaning --block 10
    holds "to the other GPU: $(value planned.p2p)" [ "$(value planned.p2p)" -gt 0 ]
    # What both keep goes from one to the other when the last block has written it, not before.
    for case in "jacobi1d --size 1572864 --steps 39 --depth 7 --method trapezoid --gpu-mem 16M" \
        "heat --size 32x48x200 --steps 12 --depth 2 --lanes 4 --method leaning --gpu-mem 1G"; do
        read -ra operator <<<"$case"
        planned "${gpu[@]}" ABSENT_SEED=3 "$run" --operator "${operator[@]}"
        moved "${ways[*]}"
    done
    expect 0 "${gpu[@]}" ABSENT_SEED=7 "$heat" --size 128x128x2048 --steps 256 --gpu-mem 72M
    within
    # Round a circle passes follow one another, and what waits between two does so at home.
    expect 0 "${gpu[@]}" "$run" --operator jacobi2d --size 441x2377 --steps 24 --type f64 \
        --boundary periodic --method trapezoid --block 41 --depth 12 --gpu-mem 20M
    within
    # Edges die and are written again before who submits has heard of it.
    for seed in 1 2 3 4 5 6; do
        observe "${gpu[@]}" "ABSENT_SEED=$seed" "$run" --operator jacobi1d --size 2621440 \
            --steps 22 --boundary neumann --method naive --block 694724 --lanes 2 --gpu-mem 46M
        holds "exit code $rc of short blocks on two GPUs" [ "$rc" = 0 ]
    done
fi
finish

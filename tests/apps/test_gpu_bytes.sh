#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# CPU cores alone, a GPU alone, both, several GPUs, all of the field in their memory or as little as
# the run can do with: the same bytes.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
if [ "$gpus" = 0 ]; then
    echo "no GPU here"
    exit 77
fi
problem=(--size 61x47x211 --steps 37 --seed 11)

# same ENVIRONMENT CUT...: the run gives the reference's bytes.
same() {
    local environment=$1
    shift
    rm -f "$work/dump"
    # shellcheck disable=SC2086 # one variable a word
    expect 0 env $environment "$heat" "${problem[@]}" --type "$type" "$@" --dump "$work/dump"
    holds "other bytes in $type: $environment $*" cmp "$work/reference" "$work/dump"
}

# starved ENVIRONMENT CUT...: the same with the least GPU memory, which is less than all slabs take.
starved() {
    local environment=$1 least
    shift
    # shellcheck disable=SC2086
    expect 3 env $environment "$heat" "${problem[@]}" --type "$type" "$@" --gpu-mem 1M
    least=$(sed -n 's/.*--gpu-mem \([0-9][0-9]*\)M.*/\1/p' "$work/err")
    holds "a refusal names a limit: $environment $*" [ -n "$least" ]
    # shellcheck disable=SC2086
    expect 0 env $environment "$heat" "${problem[@]}" --type "$type" "$@" --gpu-mem "${least}M" \
        --plan
    holds "slabs stream with $least MiB: $environment $*" [ "$(value gpu.in_core)" = false ]
    same "$environment" "$@" --gpu-mem "${least}M"
}

# one_gpu CUT...
one_gpu() {
    same STARPU_NCUDA=0 "$@"
    same "STARPU_NCPU=0 STARPU_NCUDA=1" "$@"
    same STARPU_NCUDA=1 "$@"
    starved "STARPU_NCPU=0 STARPU_NCUDA=1" "$@"
    starved STARPU_NCUDA=1 "$@"
}

# several_gpus CUT...: two of them, and all.
several_gpus() {
    local n
    for n in $(printf '%s\n' 2 "$gpus" | sort -nu); do
        [ "$n" -le "$gpus" ] && [ "$n" -gt 1 ] || continue
        same "STARPU_NCPU=0 STARPU_NCUDA=$n" "$@"
        starved "STARPU_NCPU=0 STARPU_NCUDA=$n" "$@"
    done
}

for type in f32 f64; do
    expect 0 env STARPU_NCUDA=0 "$heat" "${problem[@]}" --type $type --check \
        --dump "$work/reference"
    holds "the reference is right" [ "$(value check)" = passed ]
    one_gpu --method overlapped --block 11 --depth 5
    one_gpu --method leaning --block 5 --depth 9
    several_gpus --method overlapped --block 11 --depth 5
    several_gpus --method leaning --block 5 --depth 9
    one_gpu --method trapezoid --block 17 --depth 8
    several_gpus --method trapezoid --block 11 --depth 5
    [ $type = f32 ] || continue
    one_gpu --method naive --block 6
    one_gpu --method trapezoid --block 5 --depth 1
    one_gpu --method leaning --block 23 --depth 4
    one_gpu --method leaning --block 3 --depth 37
    one_gpu --method recursive --block 2 --depth 20 --leaf 200K
    one_gpu --method recursive --block 1 --depth 9
    one_gpu --method recursive --block 2 --depth 20 --leaf 200K --overlap off
    for name in $(aliases); do
        # One slab a cell: it has no height, and does not stream.
        if [ "$name" = b2r ]; then same STARPU_NCUDA=1 --method b2r; continue; fi
        same STARPU_NCUDA=1 --method "$name" --block 12
        starved "STARPU_NCPU=0 STARPU_NCUDA=1" --method "$name" --block 12
    done
    for name in 1D-T 1D-TBM 1D-P-2TBM single; do several_gpus --method $name --block 12; done
done

# So many passes that the last edges are never written again.
problem=(--size 61x47x211 --steps 30 --seed 11)
type=f32
expect 0 env STARPU_NCUDA=0 "$heat" "${problem[@]}" --check --dump "$work/reference"
several_gpus --method overlapped --block 11 --depth 5
several_gpus --method overlapped --block 11 --depth 13 --overlap off
finish

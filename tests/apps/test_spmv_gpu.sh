#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# zoid-spmv on cores, on a GPU, on several, with all of the matrix in their memory or as little as
# the run can do with: the same bytes.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
if [ "$gpus" = 0 ]; then
    echo "no GPU here"
    exit 77
fi
spmv=$apps/zoid-spmv

# same GPUS OPTIONS...: without cores, the bytes that they gave.
same() {
    local n=$1
    shift
    expect 0 env STARPU_NCPU=0 STARPU_NCUDA="$n" "$spmv" "${problem[@]}" "$@" --dump "$work/dump"
    holds "it ran there: ${problem[*]} $*" [ "$(value bytes.h2d)" -gt 0 ]
    holds "other bytes: ${problem[*]} $*" cmp -s "$work/cores" "$work/dump"
}

# starved GPUS OPTIONS...: the same with the least memory, which a refusal names.
starved() {
    local least n=$1
    shift
    expect 3 env STARPU_NCPU=0 STARPU_NCUDA="$n" "$spmv" "${problem[@]}" "$@" --gpu-mem 1M
    least=$(least gpu-mem)
    holds "a refusal names a limit: $*" [ -n "$least" ]
    expect 0 env STARPU_NCPU=0 STARPU_NCUDA="$n" "$spmv" "${problem[@]}" "$@" --plan \
        --gpu-mem "${least}M"
    holds "slabs stream with $least MiB: $*" [ "$(value gpu.in_core)" = false ]
    same "$n" "$@" --gpu-mem "${least}M"
}

for given in "f64 band:32 --rows 100000" "f32 band:64 --rows 100000 --polynomial chebyshev:-1,1" \
    "f64 laplace:500x1000 --vectors 3" "f32 random:300,0.1 --rows 100000"; do
    read -r type matrix more <<<"$given"
    read -ra more <<<"$more"
    problem=(--matrix "$matrix" --type "$type" "${more[@]}" --steps 22 --seed 3)
    expect 0 env STARPU_NCUDA=0 "$spmv" "${problem[@]}" --dump "$work/cores"
    same 1
    same 1 --traversal step
    for method in naive overlapped leaning recursive; do
        starved 1 --method "$method" --block 8000
        [ "$gpus" = 1 ] || starved "$gpus" --method "$method" --block 8000
    done
done

expect 4 env STARPU_NCUDA=0 "$spmv" --matrix band:8 --rows 100 --gpu-mem 1G && says GPU
finish

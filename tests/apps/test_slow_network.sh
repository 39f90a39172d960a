#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Ranks on a network that is slow (tests/outside/slow_network.c): the bytes are the same, and what
# waits for each other waits. How much long epochs gain there scripts/epochs measures.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_mpirun
[ -z "$sanitized" ] || { echo "what is preloaded comes before a sanitizer"; exit 77; }
slow_network "$work/slow.so"
export STARPU_NCUDA=0 STARPU_NCPU=1

# slowly US N COMMAND...: that many ranks, whose messages take so many microseconds.
slowly() {
    local us=$1 n=$2
    shift 2
    ranks "$n" env "LD_PRELOAD=$work/slow.so" "SLOW_NETWORK_US=$us" "$@" --oversubscribe
}

# ---- the same bytes

for case in '2 --ranks 2 --method leaning --depth 3' \
    '2 --ranks 1x2 --method naive --block 9 --depth 1' \
    '4 --ranks 2x2 --method overlapped --depth 2 --block 9 --epoch 4'; do
    read -ra words <<<"$case"
    box=("$heat" --size 41x37x30 --steps 12 "${words[@]:1}")
    ranks "${words[0]}" "${box[@]}" --oversubscribe --dump "$work/fast"
    holds "ranks run: $rc: $case" [ "$rc" = 0 ]
    slowly 2000 "${words[0]}" "${box[@]}" --dump "$work/slow"
    holds "slow ones do: $rc: $case" [ "$rc" = 0 ]
    holds "the bytes are the same: $case" cmp "$work/fast" "$work/slow"
done

# ---- the time of a message

# takes R: a run whose ranks have one slab, so that nothing goes on while a message is on its way,
# with epochs of R steps: sets `seconds` and `exchanges`.
takes() {
    slowly 20000 2 "$heat" --size 64x16x8 --steps 32 --ranks 2 --method naive --block 8 --depth 1 \
        --epoch "$1"
    holds "epochs of $1 steps run: $rc" [ "$rc" = 0 ]
    seconds=$(value seconds) exchanges=$(($(value messages) / 2))
    holds "epochs of $1 steps take $seconds s" \
        awk "BEGIN { exit !($seconds >= $exchanges * 0.02) }"
}

takes 1
holds "each step but the first begins with an exchange: $exchanges" [ "$exchanges" = 31 ]
takes 8
holds "each epoch but the first does: $exchanges" [ "$exchanges" = 3 ]

# ---- the measurement

epochs=$(dirname "$0")/../../scripts/epochs
export OMPI_MCA_rmaps_base_oversubscribe=1
observe "$epochs" --size 16x16x8,4x4x4 --steps 8 --rounds 1 --latency 100
holds "scripts/epochs: exit code $rc" [ "$rc" = 0 ]
holds "as long as cells are wide enough" [ "$(awk 'NF == 4 && $4 + 0 > 0 { print $1 }' "$work/out" |
    xargs)" = '1 2 4 8 1 2' ]
observe "$epochs" --ranks 1
holds "one rank is refused: $rc" [ "$rc" = 2 ]
observe "$epochs" --size 16 --steps 4 --rounds 1 -- --radius none
holds "what zoid-run refuses is: $rc" [ "$rc" = 2 ]
says 'radius'
finish

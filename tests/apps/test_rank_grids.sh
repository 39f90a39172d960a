#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# How a domain is dealt to ranks: what is refused, and with which way out; what they send; and that
# they compute the bytes of one rank.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_mpirun

# ---- without a launcher any number of ranks can be planned

box=(--size 40x36x64 --steps 16 --method overlapped --block 16 --depth 4)
expect 0 "$heat" "${box[@]}" --ranks 4x2 --plan
holds "the plan names the grid" [ "$(value ranks)" = 4x2x1 ]
holds "and the cells of each rank" [ "$(value cells)" = 1x1x1 ]
expect 0 "$heat" "${box[@]}" --ranks 4096x1 --size 8192x36x64 --depth 1 --plan
expect 0 "$heat" "${box[@]}" --ranks 2x2 --cells 2x1 --quiet --graph "$work/graph"
holds "the graph has the blocks of all ranks" \
    [ "$(grep -c 'label="' "$work/graph")" -ge $((8 * 16)) ]
expect 4 "$heat" "${box[@]}" --ranks 3x2 && says 'mpirun -n 6'
expect 0 "$heat" "${box[@]}" --epoch 4 --ranks 1x1x2 --plan
holds "the last axis may be shared" [ "$(value ranks)" = 1x1x2 ]
expect 0 "$heat" --dims 1 --size 100 --ranks 2 --plan
holds "and the only one" [ "$(value ranks)" = 2x1x1 ]
expect 2 "$heat" --dims 1 --size 100 --ranks 1x2 --plan && says 'in 1-D there is no y'
expect 2 "$heat" "${box[@]}" --ranks 41x1 --plan && says 'more than it can be cut into, 40'
expect 2 "$heat" "${box[@]}" --ranks 0x1 --plan
expect 2 "$heat" "${box[@]}" --epoch 8 --plan && says cells
expect 0 "$heat" "${box[@]}" --ranks 2x1 --epoch 8 --plan
holds "an epoch of two visits" [ "$(value epoch)" = 8 ]

# A cell has at least what blocks look at in an epoch; what is named as the most is allowed.
narrow=(--size 24x36x40 --radius 2 --steps 12 --method leaning --ranks 3x1 --plan)
expect 2 "$heat" "${narrow[@]}" --depth 5 && says 'use --depth 4,'
expect 0 "$heat" "${narrow[@]}" --depth 4
expect 2 "$heat" "${narrow[@]}" --depth 2 --epoch 6 && says 'use --epoch 4,'
expect 0 "$heat" "${narrow[@]}" --depth 2 --epoch 4
expect 2 "$heat" "${narrow[@]}" --size 5x36x40 && says 'fewer ranks'

# A message has at most the bytes that MPI sends at once.
expect 2 "$heat" --size 1024x2048x1024 --ranks 1x1x2 --steps 1024 --epoch 512 --strip 0 --plan
says 'MPI sends 2147483647 at once'

# ---- with one they are as many as it starts

ranks 2 "$heat" "${box[@]}" --ranks 3x1 --oversubscribe
holds "other ranks than there are: $rc instead of 2" [ "$rc" = 2 ]
holds "a way out is named" grep -q 'mpirun -n 3' "$work/err"
holds "it is said once" [ "$(ours)" = 1 ]

# Every exchange sends each slab's messages both ways, and each is as large as the plan says: a rank
# has room for one that it sends and three that it gets.
ranks 2 "$heat" "${box[@]}" --epoch 4 --ranks 1x2 --oversubscribe --check
holds "two ranks run: $rc" [ "$rc" = 0 ]
holds "the right bytes" [ "$(value check)" = passed ]
holds "the grid that was asked for" [ "$(value ranks)" = 1x2x1 ]
sent=$(value messages) bytes=$(value bytes.mpi)
holds "3 exchanges of 4 slabs, both ways: $sent" [ "$sent" = 24 ]
expect 0 "$heat" "${box[@]}" --epoch 4 --ranks 1x2 --plan
holds "and their bytes: $bytes" [ "$bytes" = $((sent * $(value ram.messages) / 4 / 4)) ]

# Ranks above one another exchange their ends, all slabs of them in one message.
ranks 2 "$heat" "${box[@]}" --epoch 4 --ranks 1x1x2 --oversubscribe --check
holds "two ranks above one another run: $rc" [ "$rc" = 0 ]
holds "the right bytes" [ "$(value check)" = passed ]
sent=$(value messages) bytes=$(value bytes.mpi)
holds "3 exchanges, both ways: $sent" [ "$sent" = 6 ]
expect 0 "$heat" "${box[@]}" --epoch 4 --ranks 1x1x2 --plan
holds "and their bytes: $bytes" [ "$bytes" = $((sent * $(value ram.messages) / 4)) ]

# As Liu and Perumalla have it a rank has one slab, and 26 neighbours at most.
b2r=(--size 36x36x36 --steps 12 --method b2r)
for exchange in direct=7 joined=3; do
    ranks 8 "$heat" "${b2r[@]}" --epoch 4 --ranks 2x2x2 --oversubscribe --check \
        --exchange "${exchange%=*}"
    holds "eight boxes, $exchange: $rc" [ "$rc" = 0 ]
    holds "the right bytes" [ "$(value check)" = passed ]
    holds "of one slab: $(value block) planes" [ "$(value block)" = 22 ]
    holds "2 exchanges of 8 ranks with as many neighbours" \
        [ "$(value messages)" = $((2 * 8 * ${exchange#*=})) ]
    bytes=$(value bytes.mpi)
    expect 0 "$heat" "${b2r[@]}" --epoch 4 --ranks 2x2x2 --exchange "${exchange%=*}" --plan
    holds "the plan says how they exchange" [ "$(value exchange)" = "${exchange%=*}" ]
    # All ranks are corners: each has room for what it sends, and for three of what it gets.
    holds "and their bytes: $bytes" [ "$bytes" = $((2 * 8 * $(value ram.messages) / 4)) ]
done
expect 0 "$heat" "${b2r[@]}" --epoch 4 --ranks 2x2x2 --plan
holds "the planner chooses one of them: $(value exchange)" \
    grep -qE '^(direct|joined)$' <(value exchange)
expect 2 "$heat" "${b2r[@]}" --exchange joined --plan && says 'there is only one'
expect 2 "$heat" "${b2r[@]}" --ranks 2x2x2 --exchange both --plan && says 'direct'
expect 2 "$heat" "${b2r[@]}" --block 4 --ranks 2x2x2 --plan && says 'a cell; drop --block 4'
expect 2 "$heat" "${b2r[@]}" --depth 2 --epoch 4 --ranks 2x2x2 --plan && says 'a visit an epoch'
expect 2 "$heat" "${b2r[@]}" --depth 19 --ranks 2x2x2 --steps 30 --plan && says 'use --depth 18,'

# ---- one whose disk fails in the middle of a run ends all, and says why

if [ -z "$sanitized" ]; then
    preloaded broken_disk
    # fails PROGRAM CALL OPTIONS...: twice what main memory has room for.
    fails() {
        local run=("$apps/$1" --size 64x64x256 --steps 24 --block 16 --depth 2 --quiet
            --oversubscribe --ram 2M --disk "$work/disk" --dump "$work/dump" "${@:3}")
        local broken=(env "LD_PRELOAD=$work/broken_disk.so" "BROKEN=$2" BROKEN_AFTER=60) begun
        mkdir -p "$work/disk"
        observe "${run[@]}" --plan
        run+=(--ram "$(least ram)M")
        begun=$(date +%s)
        observe mpirun --allow-run-as-root --oversubscribe -n 1 "${run[@]}" : \
            -n 1 "${broken[@]}" "${run[@]}"
        holds "$1: $2 fails on one rank: exit code $rc instead of 4" [ "$rc" = 4 ]
        holds "$1: $(ours) lines instead of 1" [ "$(ours)" = 1 ]
        says "$work/disk"
        holds "$1: over after $(($(date +%s) - begun)) s" [ $(($(date +%s) - begun)) -lt 15 ]
        holds "$1: no dump is left" [ ! -e "$work/dump" ]
        rm -rf "$work/disk"
    }
    for call in pread pwrite; do
        fails zoid-heat $call --method leaning --ranks 1x2
        fails zoid-sor $call --ranks 1x1x2 --residual-every 6 --tolerance 1e30
    done
fi

# ---- the same bytes, whatever the ranks and the method

for method in $(methods); do
    run=(--size 29x38x41 --steps 11 --method "$method" --depth 3 --quiet)
    expect 0 "$heat" "${run[@]}" --dump "$work/one"
    for n in 1 2 3 4 6 8; do
        one_in 5 || continue
        exchange=auto
        if [ $((n % 4)) = 0 ]; then exchange=joined; fi
        ranks "$n" "$heat" "${run[@]}" --oversubscribe --dump "$work/many" --exchange $exchange
        holds "$n ranks, $method: exit code $rc" [ "$rc" = 0 ]
        holds "$n ranks, $method: the bytes of one" cmp -s "$work/one" "$work/many"
        rm -f "$work/many"
    done
done
finish

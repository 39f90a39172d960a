#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# Jin's methods of several ranks, 2D-1D-...: on 2 and 4 ranks, in main memory and with the least
# of it beside a disk, the bytes of one process; what they stand for, and what they refuse.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_mpirun
mkdir "$work/disk"
# A rank alone makes plans as one of several does.
export STARPU_NCUDA=0 STARPU_NCPU=1
read -ra names <<<"$(aliases | tr ' ' '\n' | grep '^2D-1D-' | paste -sd' ')"
holds "their names: ${names[*]}" \
    [ "${names[*]}" = "2D-1D-N 2D-1D-T 2D-1D-TBM 2D-1D-TBMS 2D-1D-TBMR" ]

# gives N WHAT COMMAND...: the bytes of one process.
gives() {
    local what="$1 ranks, $2: ${*:3}"
    rm -f "$work/many"
    ranks "$1" "${@:3}" --oversubscribe --dump "$work/many"
    holds "exit code $rc of $what" [ "$rc" = 0 ]
    holds "other bytes of $what" cmp -s "$work/one" "$work/many"
}

# ---- what they stand for

box=(--size 24x20x16 --steps 6 --plan)
for name in "${names[@]}"; do
    for grid in 2x1 1x2 2x2; do
        expect 0 "$heat" "${box[@]}" --method "$name" --ranks $grid
        holds "$name: $grid ranks, not $(value ranks)" [ "$(value ranks)" = ${grid}x1 ]
        holds "$name: a cell a rank, not $(value cells)" [ "$(value cells)" = 1x1x1 ]
    done
    expect 2 "$heat" "${box[@]}" --method "$name" --ranks 1x1x2
    says "$name stands for ranks that leave z whole; .* --method [a-z]+ instead"
    expect 2 "$heat" "${box[@]}" --size 24x20 --method "$name" --ranks 1x2
    says "$name stands for ranks that leave y whole"
    expect 2 "$heat" "${box[@]}" --method "$name" --ranks 2x2 --cells 2x1
    says "$name stands for one cell a rank; drop --cells"
done
expect 0 "$heat" "${box[@]}" --method 2D-1D-N --ranks 2x2
holds "2D-1D-N exchanges after every step, not $(value epoch)" [ "$(value epoch)" = 1 ]

# ---- the same bytes

# Some hundred KiB a rank in memory; on the disk, what the least of main memory leaves there.
heat3=("$heat" --size 33x30x41 --steps 9)
box19=("$apps/zoid-jacobi" --kernel box19 --size 80x76x1200 --steps 5 --epoch 2)
for name in "${names[@]}"; do
    expect 0 "${heat3[@]}" --quiet --dump "$work/one"
    for n in 2 4; do
        one_in 2 || continue
        gives $n "in memory" "${heat3[@]}" --method "$name" --block 9
        holds "the report has the name" [ "$(value alias)" = "$name" ]
    done
    expect 0 "${box19[@]:0:7}" --quiet --dump "$work/one"
    for grid in 2x1 2x2; do
        ! quick || [ $grid = 2x1 ] || continue
        n=$((${grid%x*} * ${grid#*x}))
        small=("${box19[@]}" --method "$name" --ranks "$grid" --disk "$work/disk")
        expect 3 "${small[@]}" --ram 1 --plan
        ram=$(least ram)M
        gives $n "on a disk" "${small[@]}" --ram "$ram"
        holds "$name, $n ranks: the disk is read" [ "$(value bytes.disk_read)" -gt 0 ]
        holds "$name, $n ranks: messages, $(value messages)" [ "$(value messages)" -gt 0 ]
    done
done
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# What a report says of several ranks: the sums of what it says of each, and who waits for whom.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_mpirun

# of RANK FIGURE: that rank's number.
of() { awk -v key="per_rank.$2" -v field="$(($1 + 2))" '$1 == key { print $field }' "$work/out"; }
# within LOW VALUE HIGH: LOW <= VALUE <= HIGH.
within() { awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN { exit !(a <= b && b <= c) }'; }
# part VALUE OF: the product of two numbers.
part() { awk -v a="$1" -v b="$2" 'BEGIN { print a * b }'; }
# sums RANKS FIGURE KEY: KEY is the sum of all that ranks have of the figure, up to its last digits.
sums() {
    awk -v ranks="$1" -v figure="per_rank.$2" -v key="$3" '
        $1 == figure { for (i = 2; i <= NF; i++) sum += $i; fields = NF - 1 }
        $1 == key { whole = $2 }
        END { d = sum - whole; exit !(fields == ranks && d * d <= (1e-7 * whole) ^ 2) }' "$work/out"
}

expect 0 "$heat" --size 24
holds "one rank waits for nobody" [ -z "$(value waiting)$(of 0 waiting)" ]

for n in 2 3; do
    ranks "$n" "$heat" --size 40x48x64 --steps 24 --block 16 --depth 4 --report "$work/report"
    holds "$n ranks run: $rc" [ "$rc" = 0 ]
    for figure in messages waiting busy_workers; do
        holds "$n ranks, $figure add up" sums "$n" "$figure" "$figure"
    done
    holds "$n ranks, bytes add up" sums "$n" bytes_mpi bytes.mpi
    holds "$n ranks wait no longer than there is time" \
        within 0 "$(value waiting)" "$(part "$(value seconds)" "$(value workers.cpu)")"
    holds "$n ranks are in the file, too" grep -q '"per_rank": {' "$work/report"
done

# One with slow kernels keeps the other waiting, most of the time, and does not wait itself. Its
# blocks take long beside the turns of cores, which the ranks' threads may have to wait for; on a
# busy machine one run of five shows it. Vectors gain less where a sanitizer checks each access.
share=0.5 size=192x192x64
if [ -n "$sanitized" ]; then share=0.2 size=96x96x64; fi
waits_for_the_slow_one() {
    seconds=$(part "$(value seconds)" "$(($(value workers.cpu) / 2))")
    within "$(part "$share" "$seconds")" "$(of 0 waiting)" "$seconds" &&
        within 0 "$(of 1 waiting)" "$(part 0.1 "$seconds")"
}
if [ "$("$info" | awk '$1 == "isa" { print $2 }')" != portable ]; then
    run=("$heat" --size "$size" --steps 24 --method leaning --block 16 --depth 4 --ranks 1x2)
    for _ in 1 2 3 4 5; do
        observe mpirun --allow-run-as-root --oversubscribe -n 1 "${run[@]}" : \
            -n 1 env ZOID_ISA=portable "${run[@]}"
        holds "a slow rank and a fast one run: $rc" [ "$rc" = 0 ]
        if waits_for_the_slow_one; then break; fi
    done
    holds "of $seconds s the fast one waits $(of 0 waiting), the slow one $(of 1 waiting)" \
        waits_for_the_slow_one
fi
finish

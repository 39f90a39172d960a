#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# A refusal names the smallest budget that would do: with exactly that the run is done, with a MiB
# less it is refused.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
RANDOM=${ZOID_TEST_SEED:-20240608}
echo "ZOID_TEST_SEED=${ZOID_TEST_SEED:-20240608}"

# named: the budget in MiB that the last refusal names.
named() { sed -n 's/.*--ram \([0-9][0-9]*\)M.*/\1/p' "$work/err"; }

mapfile -t operators < <("$info" | sed -n 's/^operator //p')

cases=$(effort $((20 + ${#operators[@]})))
for ((i = 0; i < cases; i++)); do
    read -r family _ dims _ _ _ type _ _ <<<"${operators[i % ${#operators[@]}]}"
    any_of "$dims"
    case $picked in
    1) size=$((RANDOM + 1)) ;;
    2) size=$((RANDOM % 900 + 1))x$((RANDOM % 900 + 1)) ;;
    *) size=$((RANDOM % 200 + 1))x$((RANDOM % 150 + 1))x$((RANDOM % 250 + 1)) ;;
    esac
    options=(--operator "$family" --dims "$picked" --size "$size" --steps $((RANDOM % 12 + 1))
        --quiet)
    any_of "$type"
    options+=(--type "$picked")
    any "--method auto" "--method auto" "--method naive" "--method trapezoid" \
        "--method overlapped" "--method leaning" "--method recursive"
    read -ra method <<<"$picked"
    ! in_order "$family" || method=(--method leaning)
    any "" "--block 17" "--depth 4" "--block 16 --depth 3"
    read -ra cut <<<"$picked"
    run=("$apps/zoid-run" "${options[@]}" "${method[@]}" "${cut[@]}")

    expect 3 "${run[@]}" --ram 1
    least=$(named)
    holds "a refusal names a budget: ${run[*]}" [ -n "$least" ]
    holds "and says what it needs" grep -q "at least $least MiB" "$work/err"
    expect 0 "${run[@]}" --ram "${least}M"
    if [ "$least" -gt 1 ]; then
        expect 3 "${run[@]}" --ram $((least - 1))M
    else
        expect 3 "${run[@]}" --ram 1K
    fi
    holds "both refusals name the same: ${run[*]}" [ "$(named)" = "$least" ]
done

# The reference's memory is the machine's, not the budget's.
expect 0 "$heat" --size 200 --steps 1 --ram 64M --check
available=$("$info" | awk '$1 == "ram_available" { print $2 }')
# Planes of 1 MiB: half of what is free, twice over for the reference, cannot fit.
expect 3 "$heat" --size 512x512x$((available / 2 / 1048576 + 1024)) --steps 1 --check --plan
says 'check'
finish

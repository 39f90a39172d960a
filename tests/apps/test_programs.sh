#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every program runs its operators, and every operator gives the same bytes however it is cut.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
read -ra all_methods <<<"$(methods)"
holds "there are methods" [ ${#all_methods[@]} -gt 2 ]

# operators_of PROGRAM: the values of its option that chooses one, or nothing.
operators_of() {
    "$1" --help | sed -n 's/^ *--\(kernel\|operator\)=\([a-z0-9|]*\).*/--\1 \2/p'
}

# What a program runs, by every method.
for program in "$apps"/zoid-*; do
    "$program" --help | grep -q -e --boundary || continue
    expect 0 "$program" --help
    holds "${program##*/} --help says how to use it" \
        grep -q "^Usage: ${program##*/} " "$work/out"
    expect 0 "$program" --size 16 --steps 4 --check --report "$work/report"
    holds "${program##*/} is checked" [ "$(value check)" = passed ]
    holds "and says who it is" [ "$(value app)" = "${program##*/}" ]
    holds "all points count" [ "$(value points.useful)" -gt 0 ]
    holds "in the JSON too" grep -q '"check": "passed"' "$work/report"
    read -r option names < <(operators_of "$program") || continue
    for name in ${names//|/ }; do
        expect 0 "$program" "$option" "$name" --size 12 --steps 3 --check
        holds "${program##*/} $option $name is checked" [ "$(value check)" = passed ]
        holds "it is $name: $(value operator)" grep -q "^operator $name" "$work/out"
    done
done
read -r _ names < <(operators_of "$run")
holds "zoid-run has every operator" [ "$(families | paste -sd'|')" = "$names" ]

# same OPTIONS...: the operator's problem gives the bytes that the first run of it gave.
same() {
    rm -f "$work/dump"
    expect 0 "$run" "${problem[@]}" --dump "$work/dump" "$@"
    if [ ! -e "$work/first" ]; then mv "$work/dump" "$work/first"; fi
    holds "other bytes: ${problem[*]} $*" cmp "$work/first" "${dump:-$work/dump}"
}

for family in $(families); do
    for boundary in $(trait "$family" boundary | tr '|' ' '); do
        problem=(--operator "$family" --size 23 --steps 9 --seed 3 --quiet)
        [ "$boundary" = none ] || problem+=(--boundary "$boundary")
        expect 0 "$run" "${problem[@]}" --check --dump "$work/first"
        holds "the dump is whole" [ -s "$work/first" ]
        for method in "${all_methods[@]}"; do
            observe "$run" "${problem[@]}" --method "$method" --block 5 --depth 4 --dump "$work/dump"
            if [ "$rc" = 2 ]; then
                says '--(method|block) [a-z0-9]'
                continue
            fi
            holds "$method runs ${problem[*]}: $rc" [ "$rc" = 0 ]
            holds "other bytes by $method: ${problem[*]}" cmp "$work/first" "$work/dump"
        done
    done
done
finish

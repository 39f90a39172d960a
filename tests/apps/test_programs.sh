#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# Every program runs its operators, and every operator gives the same bytes however it is cut.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
read -ra all_methods <<<"$(methods)"
holds "there are methods" [ ${#all_methods[@]} -gt 2 ]

# operators_of PROGRAM: its option that chooses one, and the values, or nothing. Many values are at
# the end of its documentation.
operators_of() {
    "$1" --help | awk '/^ *-/ { print line; line = $0; next } { sub(/^ +/, " "); line = line $0 }
        END { print line }' | sed -nE \
        's/^ *--(kernel|operator)=(NAME .*: ([^:]*)|([^ ]*[|][^ ]*).*)$/--\1 \3\4/; T; y/|/ /; p'
}

# What a program runs, by every method.
for program in "$apps"/zoid-*; do
    expect 0 "$program" --help
    grep -q -e --boundary "$work/out" && grep -qE -e '^ +--check( |$)' "$work/out" || continue
    holds "${program##*/} --help says how to use it" \
        grep -q "^Usage: ${program##*/} " "$work/out"
    expect 0 "$program" --size 16 --steps 4 --check --report "$work/report"
    holds "${program##*/} is checked" [ "$(value check)" = passed ]
    holds "and says who it is" [ "$(value app)" = "${program##*/}" ]
    holds "all points count" [ "$(value points.useful)" -gt 0 ]
    holds "in the JSON too" grep -q '"check": "passed"' "$work/report"
    read -r option names < <(operators_of "$program") || continue
    for name in $names; do
        expect 0 "$program" "$option" "$name" --size 12 --steps 3 --check
        holds "${program##*/} $option $name is checked" [ "$(value check)" = passed ]
        holds "it is $name: $(value operator)" grep -q "^operator $name" "$work/out"
    done
done
read -r _ names < <(operators_of "$run")
holds "zoid-run has every operator" [ "$(families | paste -sd' ')" = "$names" ]

# However an operator is bounded and cut, the same bytes; and at least two methods know how,
# of one that sweeps in order one.
for family in $(families); do
    for boundary in $(trait "$family" boundary | tr '|' ' '); do
        ! spared || continue
        size=23
        [ "$boundary" != periodic ] || size=22
        problem=(--operator "$family" --size "$size" --steps 9 --seed 3 --quiet)
        bounded "$(trait "$family" dims | sed 's/.*|//')" "$boundary"
        [ "$boundary" = none ] || problem+=("${bounds[@]}")
        expect 0 "$run" "${problem[@]}" --check --dump "$work/first"
        holds "the dump is whole" [ -s "$work/first" ]
        known=0
        for method in "${all_methods[@]}"; do
            observe "$run" "${problem[@]}" --method "$method" --block 5 --depth 4 \
                --dump "$work/dump"
            if [ "$rc" = 2 ]; then
                says '--(method|block) [a-z0-9]'
                continue
            fi
            known=$((known + 1))
            holds "$method runs ${problem[*]}: $rc" [ "$rc" = 0 ]
            holds "other bytes by $method: ${problem[*]}" cmp "$work/first" "$work/dump"
        done
        least=2
        ! in_order "$family" || least=1
        holds "$known methods run ${problem[*]}" [ "$known" -ge $least ]
    done
done

# What the initial states and the dumps are, seen from outside: bytes of numbers of a type, as text.
numbers() { od -An -v -w"$2" -t"$1" "$3" | tr -d ' '; }
some=(--size 5 --steps 0 --quiet)
expect 0 "$apps/zoid-life" "${some[@]}" --dump "$work/life"
expect 0 "$heat" "${some[@]}" --type f64 --dump "$work/values"
holds "a cell lives where the random value is below a quarter" \
    cmp -s <(numbers u1 1 "$work/life") \
        <(numbers f8 8 "$work/values" | awk '{ print ($1 < 0.25) + 0 }')
expect 0 "$apps/zoid-life" --size 5 --steps 0
holds "the living are counted" \
    [ "$(value derived.alive)" = "$(numbers u1 1 "$work/life" | grep -c 1)" ]
# A step later what was u(t) is u(t - 1); the speeds are in no dump.
expect 0 "$apps/zoid-wave" --size 7 --steps 4 --quiet --dump "$work/four"
expect 0 "$apps/zoid-wave" --size 7 --steps 5 --quiet --dump "$work/five"
holds "a wave's dump has two fields" [ "$(stat -c %s "$work/five")" = $((2 * 4 * 7 * 7 * 7)) ]
holds "the last one first" \
    cmp -s <(tail -c $((4 * 7 * 7 * 7)) "$work/five") <(head -c $((4 * 7 * 7 * 7)) "$work/four")
expect 0 "$apps/zoid-fdtd" --size 6x5 --steps 3 --init zero --quiet --dump "$work/fdtd"
holds "the edge drives the field with the number of the step" \
    [ "$(numbers f4 4 "$work/fdtd" | sed -n '31,36p' | paste -sd' ')" = "2 2 2 2 2 2" ]
finish

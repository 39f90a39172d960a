#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Small and degenerate problems of every operator, bounded and cut at random, each compared with the
# plain loop nest. The cases follow from a fixed seed; ZOID_TEST_SEED chooses another.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
RANDOM=${ZOID_TEST_SEED:-20240607}
echo "ZOID_TEST_SEED=${ZOID_TEST_SEED:-20240607}"
mapfile -t operators < <("$info" | sed -n 's/^operator //p')
read -ra all_methods <<<"$(methods)"
read -ra all_aliases <<<"$(aliases)"

# below N: a number from 1 to N.
below() { picked=$((RANDOM % $1 + 1)); }

random_size() {
    local dims=$1 sizes=()
    while [ ${#sizes[@]} -lt "$dims" ]; do
        if [ ${#sizes[@]} = $((dims - 1)) ]; then any 1 2 3 7 19 40 64; else any 1 2 3 5 17 33; fi
        sizes+=("$picked")
    done
    size=$(IFS=x && echo "${sizes[*]}")
}

# random_boundary DIMS A|B...: nothing, one for all faces, or one for each.
random_boundary() {
    local dims=$1 names=$2 axis low faces=()
    boundary=
    any none all each each
    if [ "$names" = none ] || [ "$picked" = none ]; then return; fi
    if [ "$picked" = all ]; then
        any_of "$names"
        boundary=$picked
        return
    fi
    for axis in x y z; do
        [ ${#faces[@]} -lt $((2 * dims)) ] || break
        any_of "$names"
        low=$picked
        any_of "$names"
        # A periodic axis is it at both faces.
        if [ "$low" = periodic ] || [ "$picked" = periodic ]; then low=periodic picked=periodic; fi
        faces+=("$axis-=$low" "$axis+=$picked")
    done
    boundary=$(IFS=, && echo "${faces[*]}")
}

cases=$(effort $((3 * ${#operators[@]} + 50)))
for ((i = 0; i < cases; i++)); do
    # Every operator comes up.
    read -r family _ dims _ radius _ type _ boundaries <<<"${operators[i % ${#operators[@]}]}"
    options=(--operator "$family")
    any_of "$dims"
    dims=$picked
    random_size "$dims"
    options+=(--size "$size" --dims "$dims")
    any_of "$radius"
    options+=(--radius "$picked")
    any_of "$type"
    options+=(--type "$picked")
    random_boundary "$dims" "$boundaries"
    [ -z "$boundary" ] || options+=(--boundary "$boundary")
    any 0 1 2 5 13
    options+=(--steps "$picked" --check)
    any random random random point zero
    options+=(--init "$picked" --seed "$RANDOM")
    any auto auto "${all_methods[@]}" alias
    method=$picked
    if [ "$method" = alias ]; then
        any "${all_aliases[@]}"
        method=$picked
    else
        any best two step naive
        options+=(--traversal "$picked")
        any on on off
        options+=(--overlap "$picked")
    fi
    options+=(--method "$method")
    if [ "$method" != auto ]; then
        below 24
        options+=(--block "$picked")
        below 20
        case $method in 1D-N | 2D-N | base) ;; *) options+=(--depth "$picked") ;; esac
    fi
    # Aliases say whether there are strips.
    if [ "$dims" != 1 ] && [[ " auto ${all_methods[*]} " = *" $method "* ]]; then
        any 0 0 1 2 5 9 30
        options+=(--strip "$picked")
    fi
    any 1 2 4
    command=(env STARPU_NCPU="$picked" "$run" "${options[@]}")
    observe "${command[@]}"
    # A method that cannot honour a boundary names one that can; then, a slab that is too low the
    # lowest that works.
    for ((try = 0; try < 2 && rc == 2; try++)); do
        read -ra instead < <(grep -oE -e '--(method|block) [a-z0-9]+' "$work/err" || true)
        holds "a refusal of ${command[*]} says what works" [ ${#instead[@]} = 2 ]
        command+=("${instead[@]}")
        observe "${command[@]}"
    done
    holds "${command[*]} ends with $rc, the check '$(value check)'" \
        [ "$rc $(value check)" = "0 passed" ]
done
finish

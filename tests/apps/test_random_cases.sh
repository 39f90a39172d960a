#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Small and degenerate problems, cut at random, each compared with the plain loop nest. The cases
# follow from a fixed seed; ZOID_TEST_SEED chooses another.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
RANDOM=${ZOID_TEST_SEED:-20240607}
echo "ZOID_TEST_SEED=${ZOID_TEST_SEED:-20240607}"

pick() { eval "picked=\${$((RANDOM % $# + 1))}"; }
# below N: a number from 1 to N.
below() { picked=$((RANDOM % $1 + 1)); }

random_size() {
    local axis sizes=()
    for axis in x y z; do
        if [ $axis = z ]; then pick 1 2 3 7 19 40 64; else pick 1 2 3 5 17 33; fi
        sizes+=("$picked")
    done
    size=$(IFS=x && echo "${sizes[*]}")
}

for ((i = 0; i < 60; i++)); do
    random_size
    pick auto naive overlapped leaning leaning
    method=$picked
    pick 0 1 2 5 13
    options=(--size "$size" --steps "$picked" --method "$method" --check)
    pick f32 f64
    options+=(--type "$picked")
    pick random random random point zero
    options+=(--init "$picked" --seed "$RANDOM")
    # A leaning slab has at least two planes; every other block is legal, also above the domain.
    if [ "$method" != auto ]; then
        below 12
        options+=(--block $((picked + 1)))
        below 20
        options+=(--depth "$picked")
    fi
    pick 1 2 4
    expect 0 env STARPU_NCPU="$picked" "$heat" "${options[@]}"
    holds "the check of ${options[*]}: '$(value check)'" [ "$(value check)" = passed ]
done
finish

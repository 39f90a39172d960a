#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: measures
# zoid-model: constants of both models from reports of two ranks, predictions for another one, and
# rates that it writes. How close they are depends on the machine's other work.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
model=$apps/zoid-model
cd "$work"
export STARPU_NCUDA=0 STARPU_NCPU=1 ZOID_RATES=$work/rates

# ---- what is refused

expect 0 "$model" --help
holds "--help says how to use it" grep -q '^Usage: zoid-model' out
for option in fit test keep csv; do
    holds "--help has --$option" grep -qe "--$option" out
done
expect 2 "$model" && says 'nothing to fit; .*--fit A.json'
expect 4 "$model" --fit none.json && says 'none.json.*--report'
echo '{}' >empty.json
expect 4 "$model" --fit empty.json && says 'empty.json is no report'
expect 0 "$heat" --size 16 --steps 4 --report one.json
expect 2 "$model" --fit one.json && says 'one.json is of one rank.*mpirun'
need_mpirun

# ---- three runs of two ranks, whose epochs differ

box=(--size 64x32x16 --steps 64 --ranks 2 --method naive --block 16)
for epoch in 1 4 16; do
    ranks 2 "$heat" "${box[@]}" --epoch $epoch --report "$epoch.json"
    holds "it runs with epochs of $epoch: $rc" [ "$rc" = 0 ]
    holds "$((64 / epoch)) of them" grep -q "\"epochs\": $((64 / epoch)),\$" "$epoch.json"
    holds "each rank has block seconds" grep -q '"block_seconds": \[' "$epoch.json"
done
ranks 2 "$heat" "${box[@]}" --radius 2 --epoch 4 --report other.json
expect 2 "$model" --fit 1.json,other.json && says 'one operator.*other.json'
expect 4 "$model" --fit 1.json --csv none/out.csv && says 'none/out.csv.*--csv'

# column N: of the line of a report among the tests.
column() { awk -v n="$1" '$NF == "4.json" { print $n }' out; }
expect 0 "$model" --fit 1.json,16.json --test 4.json --csv out.csv
holds "our factors are there" [ "$(grep -c '^ours\.[a-z]* [0-9.e+-]*$' out)" = 3 ]
holds "the paper's constants are" grep -q '^paper\.' out
holds "the epoch: $(column 1)" [ "$(column 1)" = 4 ]
holds "predictions are times: $(column 4), $(column 6)" \
    awk -v a="$(column 4)" -v b="$(column 6)" 'BEGIN { exit !(a > 0 && b > 0) }' </dev/null
holds "a visit has no more steps than a slab planes" [ "$(column 8)" = 16 ]
holds "the best epochs" grep -qE '^best\.R measured [0-9]+ .*Eq\. 7 [0-9]+ .*ours [0-9]+ ' out
holds "a score" grep -qE '^within 10 %: Eq\. 7 [01] of 1, ours [01] of 1$' out
holds "the CSV has a row" [ "$(wc -l <out.csv)" = 2 ]

# Runs that are fitted are predicted well, as there are factors for two of them.
observe "$model" --fit 1.json,16.json --test 1.json,16.json
holds "what was fitted fits" grep -q 'ours 2 of 2' out

# ---- the file of rates

holds "nothing was written" [ ! -e rates ]
expect 0 "$model" --fit 1.json,16.json --keep
holds "factors are in the file" grep -q '"way_factor"' rates
ZOID_RATES_MODE=keep observe "$info"
holds "they are the network's" grep -qE '^rates.messages.one_host .* default, 2 runs$' out
expect 0 "$model" --fit 1.json,16.json --test 4.json
holds "a second fit finds little to change: $(grep '^ours' out | xargs)" \
    awk '$1 == "ours.way" { exit !($2 > 0.8 && $2 < 1.25) }' out
expect 0 "$model" --fit 1.json --keep --several-hosts
holds "of the other network, too" grep -q '"several_hosts": {' rates
finish

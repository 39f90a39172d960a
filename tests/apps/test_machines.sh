#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# Plans for machines that files describe: the machines of the tree, folders, their failures, and
# that nothing of this machine is in such a plan.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
model=$apps/zoid-model
machines=$(cd "$(dirname "$0")/../../scripts/machines" && pwd)
cd "$work"

# ---- every machine of the tree has a plan, which says what it is of

for folder in "$machines"/*/; do
    name=$(basename "$folder")
    expect 0 "$heat" --size 256 --steps 32 --machine "$name" --plan
    holds "the plan says $name" [ "$(value machine)" = "$name" ]
    holds "where the numbers of $name are from" grep -qxF \
        "machine.origin $(cat "$folder/origin.txt")" out
    expect 0 "$heat" --size 64 --steps 8 --machine "$name" --nodes 8 --plan
    holds "$name has 8 nodes" [ "$(value nodes)" = 8 ]
    cp out by_name
    expect 0 "$heat" --size 64 --steps 8 --machine "$folder" --nodes 8 --plan
    holds "the folder is the same machine as $name" cmp -s by_name out
done
expect 0 "$heat" --size 1024 --steps 64 --machine h200 --plan
holds "GPUs compute there" grep -qx 'workers 1 cuda' out
holds "its rates are measured" grep -qx 'rates calibrated' out

# ---- layers that match, as they were measured there (docs/performance.md), in GUP/s

for case in "512 3 256 105" "1024 3 64 126" "8192 2 512 161"; do
    read -r n dims steps measured <<<"$case"
    expect 0 "$apps/zoid-wave" --size "$n" --dims "$dims" --steps "$steps" --radius 4 \
        --boundary pml --machine h200 --balance gpu --plan
    holds "pml of $case: $(value predicted_seconds) s" awk -v n="$n" -v dims="$dims" \
        -v steps="$steps" -v measured="$measured" -v took="$(value predicted_seconds)" '
        BEGIN { off = n^dims * steps / took * 1e-9 / measured; exit !(off > 0.85 && off < 1.15) }' \
        </dev/null
done

# ---- this machine does not matter: neither StarPU's workers nor the file of rates

expect 0 "$heat" --size 96 --steps 9 --machine epyc2 --nodes 4 --plan
cp out here
echo broken >rates
expect 0 env ZOID_RATES="$work/rates" ZOID_RATES_MODE=keep STARPU_NCPU=1 STARPU_HOME="$work/none" \
    "$heat" --size 96 --steps 9 --machine epyc2 --nodes 4 --plan
holds "the same plan" cmp -s here out
holds "StarPU has not started" [ ! -e none ]

# ---- the network counts: a slow one has longer epochs

slow() {
    cp -r "$machines/h200" "$1"
    sed -i "s/\"way\": .*/\"way\": $2,/; s/\"wire\": .*/\"wire\": $3,/" "$1/rates.json"
}
slow near 5e-6 4e-11
slow far 1e-3 1e-9
for name in near far; do
    expect 0 "$heat" --size 256 --steps 64 --machine ./$name --nodes 8 --plan
    value predicted_seconds >$name.seconds
    expect 0 "$heat" --size 256 --steps 64 --machine ./$name --nodes 8 --epoch 1 --plan
    value predicted_seconds >$name.one
done
holds "1 ms and 1 GB/s take longer: $(cat far.one) s" awk -v near="$(cat near.one)" \
    -v far="$(cat far.one)" 'BEGIN { exit !(far > 3 * near && far > 64e-3) }' </dev/null
holds "long epochs gain there: $(cat far.seconds) s" awk -v best="$(cat far.seconds)" \
    -v one="$(cat far.one)" 'BEGIN { exit !(best < one / 3) }' </dev/null

# ---- what zoid-info prints is a machine

expect 0 "$info" --json
holds "it is JSON of one object" grep -qx '{' out
cp -r "$machines/epyc2" own
cp out own/machine.json
awk -v cpu="$(grep '"cpu": "' out)" -v isa="$(grep '"isa"' out)" \
    -v cores="$(grep '"cores": [0-9]*,$' out | head -n 1)" '
    /"cpu"/ { $0 = "  " cpu } /"isa"/ { $0 = "  " isa }
    /"cores"/ { sub(/,$/, "", cores); $0 = "  " cores } { print }' \
    "$machines/epyc2/rates.json" >own/rates.json
expect 0 "$heat" --size 32 --machine ./own --plan
holds "by the folder's name" [ "$(value machine)" = own ]
expect 0 env ZOID_MACHINES="$work" "$heat" --size 32 --machine own --plan
cp -r own bad
sed '/"l1"/,/}/ { /"cores"/d; s/\("bytes": [0-9]*\),/\1/ }' own/machine.json >bad/machine.json
expect 4 "$heat" --size 32 --machine ./bad --plan
says "no 'cache.*cores' that a plan could use"

# ---- refusals

expect 2 "$heat" --machine nowhere --plan && says "'nowhere'.*--machine ./nowhere"
expect 2 "$heat" --machine ./nowhere --plan && says 'nowhere'
expect 2 "$heat" --machine '' --plan
expect 2 "$heat" --machine h200 && says '--plan alone'
expect 2 "$heat" --nodes 4 --plan && says '--machine NAME'
expect 2 "$heat" --machine h200 --nodes 0 --plan && says '--nodes'
expect 2 "$heat" --machine h200 --disk "$work" --plan && says 'drop --disk'
expect 4 "$heat" --machine epyc2 --gpu-mem 1G --plan && says '--gpu-mem asks for a GPU'
expect 3 "$heat" --size 8192 --machine epyc2 --plan && says '--ram'
expect 0 "$heat" --size 8192 --machine epyc2 --nodes 512 --plan
expect 4 "$heat" --size 2x2x2 --machine epyc2 --nodes 64 --plan && says '64 ranks'
for file in machine.json rates.json origin.txt; do
    rm -rf broken && cp -r "$machines/h200" broken
    : >broken/$file
    expect 4 "$heat" --machine ./broken --plan && says "$file"
    rm broken/$file
    if [ $file = machine.json ]; then expect 2 "$heat" --machine ./broken --plan; else
        expect 4 "$heat" --machine ./broken --plan && says "$file"
    fi
done
cp "$machines/h200/"*.json "$machines/h200/origin.txt" broken
sed -i 's/"isa": .*/"isa": "v9",/' broken/machine.json
expect 4 "$heat" --machine ./broken --plan && says "'isa'"
cp "$machines/titan/machine.json" broken
expect 4 "$heat" --machine ./broken --plan && says 'rates.json are of another'

# ---- the table

expect 0 "$model" --machine h200 --nodes 1,8,27 --epoch 1,4 --size 256 --steps 16 --csv table.csv
holds "a line for one node, two for each other number: $(wc -l <out)" [ "$(wc -l <out)" = 6 ]
holds "the CSV has them" [ "$(wc -l <table.csv)" = 6 ]
holds "epochs are those asked for" [ "$(awk 'NR > 2 { print $2 }' out | xargs)" = "1 4 1 4" ]
holds "one node has one rank, also where places share it" \
    [ "$(awk '$1 == 1 { print $3 }' out)" = 1x1x1 ]
seconds=$(awk '$1 == 8 && $2 == 4 { print $8 }' out)
expect 0 "$heat" --machine h200 --nodes 8 --epoch 4 --size 256 --steps 16 --plan
holds "a line is a plan: $seconds s, $(value predicted_seconds) s" \
    [ "$seconds" = "$(value predicted_seconds)" ]
expect 0 "$model" --machine h200 --nodes 1,6 --epoch 2 --size 64x32x48 --steps 4 --weak
seconds=$(awk '$1 == 6 { print $8 }' out)
expect 0 "$heat" --machine h200 --nodes 6 --epoch 2 --size 64x96x96 --steps 4 --plan
holds "by --weak a node keeps its size: $seconds s, $(value predicted_seconds) s" \
    [ "$seconds" = "$(value predicted_seconds)" ]
expect 2 "$model" --machine h200 --size 2x0 --weak
expect 2 "$model" --machine h200 --size 64 --weak --nodes 1000000000000
says 'nodes are at most 1000000'
expect 2 "$model" --weak && says '--machine'
expect 0 "$model" --machine epyc2 --nodes 2,64 --operator wave --size 2x2x2
holds "a line says why there is no plan" grep -q '64 ranks' out
expect 4 "$model" --machine epyc2 --nodes 64 --size 2x2x2
expect 2 "$model" --nodes 3 && says '--machine'
expect 2 "$model" --machine h200 --nodes 3,x && says "'3,x'"
expect 2 "$model" --machine h200 --fit a.json && says 'apart'
expect 2 "$model" --machine h200 --epoch 0
finish

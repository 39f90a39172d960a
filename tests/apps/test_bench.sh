#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: measures
# The measurements: their options, what they print, and that the figures agree with each other. How
# fast anything is they cannot say here.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
bench=$ZOID_BUILD_DIR/apps/zoid-bench
chain=(--method leaning --size 33x17x40 --steps 11 --block 5 --depth 4)
export STARPU_NCUDA=0

# prints KEY...: the last program printed each of them once, with a number.
prints() {
    local key
    for key in "$@"; do
        holds "'$key' is one number" \
            [ "$(grep -cE "^${key//./\\.} -?[0-9.]+(e[+-]?[0-9]+)?$" "$work/out")" = 1 ]
    done
}

# is EXPRESSION VALUE...: awk finds it true of the values in v[1], v[2], ...
is() {
    local expression=$1
    shift
    holds "not true: $expression of $*" \
        awk "BEGIN { for (i = 1; i < ARGC; i++) v[i] = ARGV[i]; exit !($expression) }" "$@"
}

expect 0 "$bench" --help-all
for word in --what chain run kernels plain graph planner messages tiles loops --disk --device \
    --csv --json --rounds --radius --size --method; do
    holds "--help mentions $word" grep -q -e "$word" "$work/out"
done
expect 0 "$bench" --version

expect 2 "$bench" --what nothing && says 'chain.*run.*kernels.*plain.*graph.*planner'
expect 2 "$bench" --what messages && says mpirun
expect 2 "$bench" --ranks 2x1 && says 'what run'
expect 4 "$bench" --what run --ranks 2x1 && says 'mpirun -n 2'
expect 2 "$bench" --rounds 0
expect 2 "$bench" --rounds 1001 && says 1000
expect 2 "$bench" --radius 9 && says 'radius'
expect 2 "$bench" --method naive && says 'leaning'
expect 2 "$bench" --what kernels --steps 0 && says 'step'
expect 2 "$bench" --what kernels --size 4194304x4194304x4194303
expect 4 "$bench" --gpu-mem 1G && says GPU
expect 4 env STARPU_NCPU=0 "$bench"

expect 0 "$bench" "${chain[@]}" --rounds 3
prints starpu.gups plain.gups starpu_over_plain spread busy_workers
holds "three rounds" [ "$(value rounds)" = 3 ]
is 'v[1] > 0 && v[2] > 0 && v[3] > 0' "$(value starpu.gups)" "$(value plain.gups)" \
    "$(value starpu_over_plain)"

# 11 steps in passes of 4: the third is short. Trapezoids of 5 planes go 2 steps deep.
declare -A passes=([naive]=11 [trapezoid]=6 [overlapped]=3 [leaning]=3 [recursive]=3)
for method in "${!passes[@]}"; do
    expect 0 "$bench" --what run "${chain[@]}" --rounds 2 --method $method
    prints seconds spread gups busy_workers bytes.domain bytes.slab bytes.h2d bytes.d2h bytes.p2p \
        bytes.disk_read bytes.disk_write
    holds "$method: ${passes[$method]} passes, not $(value passes)" \
        [ "$(value passes)" = "${passes[$method]}" ]
    holds "without GPUs nothing is uploaded" [ "$(value bytes.h2d)" = 0 ]
    holds "without a disk nothing is written" [ "$(value bytes.disk_write)" = 0 ]
    is 'v[1] == 8 * v[2]' "$(value bytes.domain)" "$(value bytes.slab)"
    is 'v[1] * v[2] > 0.9 * v[3] && v[1] * v[2] < 1.1 * v[3]' \
        "$(value seconds)" "$(value gups)" $((33 * 17 * 40 * 11))e-9
    is 'v[1] <= v[2] * 1.05' "$(value busy_workers)" "$(value workers)"
done
expect 0 "$bench" --what run --size 48x40x16 --steps 4 --rounds 1 --method leaning --cells 2x2
is 'v[1] >= v[2]' "$(value bytes.domain)" $((48 * 40 * 16 * 4))
expect 3 "$bench" --what run --ram 1 && says '--ram [0-9]+M'

# column KEY: of every row of the CSV file.
column() {
    awk -F, -v key="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == key) c = i; next }
        { print $c }' "$work/csv"
}

# has_all KEY [LEAST]: every row has a number there that is more than that.
has_all() {
    holds "every row has its $1" awk -v least="${2:-0}" \
        '!/^[0-9.]+(e[+-]?[0-9]+)?$/ || $1 <= least { bad = 1 } END { exit bad || !NR }' \
        <<<"$(column "$1")"
}

# rows N: so many are in the table, the CSV file and the JSON file, all of them on cores.
rows() {
    holds "$1 rows in the table" [ "$(grep -cE '^[a-z0-9_]+ +cpu +[0-9x]+ ' "$work/out")" = "$1" ]
    holds "$1 rows in the CSV file" [ "$(wc -l <"$work/csv")" = $(($1 + 1)) ]
    holds "$1 rows in the JSON file" [ "$(grep -c '"operator"' "$work/json")" = "$1" ]
}

tiny=(--rounds 1 --steps 3 --depth 2 --csv "$work/csv" --json "$work/json")
expect 0 "$bench" --what kernels --size 14 --radius 2 --type f64 "${tiny[@]}"
families=$("$info" | awk '$1 == "operator" { for (i = 3; i < NF; i += 2) v[$i] = $(i + 1)
    if (v["radius"] ~ /(^|\|)2(\||$)/ && v["type"] ~ /f64/) n += split(v["dims"], d, "|") }
    END { print n }')
rows "$families"
for key in copy_gbps limit_gups step_gups step_fraction fused_gups fused_fraction; do
    has_all $key
done
has_all step_spread -1
holds "two steps a block" [ "$(column fused_depth | sort -u)" = 2 ]
expect 0 "$bench" --what kernels --size 13x9x5 --operator life3d "${tiny[@]}"
rows 1
is 'v[2] / (v[1] / 2) > 0.999 && v[2] / (v[1] / 2) < 1.001' "$(column copy_gbps)" \
    "$(column limit_gups)"
is 'v[3] * v[2] / v[1] > 0.999 && v[3] * v[2] / v[1] < 1.001' "$(column step_gups)" \
    "$(column limit_gups)" "$(column step_fraction)"
expect 0 "$bench" --what kernels --size 9x70 --operator fdtd2d --type f32 "${tiny[@]}"
rows 1

root=$(dirname "$0")/../..
observe "$root/scripts/plot" roofline "$work/csv" "$work/roof"
holds "scripts/plot: exit code $rc" [ "$rc" = 0 ]
drawn "$work/roof"
observe "$root/scripts/plot" roofline "$work/csv" /proc/no/such
holds "scripts/plot where nothing can be written: exit code $rc" [ "$rc" = 4 ]
observe "$root/scripts/plot" nothing "$work/csv" "$work/roof"
holds "scripts/plot of no kind: exit code $rc" [ "$rc" = 2 ]
observe "$root/scripts/plot" domains "$work/absent" "$work/roof"
holds "scripts/plot of no table: exit code $rc" [ "$rc" = 4 ]
for wrong in '--only nothing' --rounds '--rounds 0' --no-such-option; do
    # shellcheck disable=SC2086 # two words
    observe "$root/scripts/bench" $wrong
    holds "scripts/bench $wrong: exit code $rc" [ "$rc" = 2 ]
done
observe "$root/scripts/bench" --quick --out "$work/folder" --only kernels -- --operator jacobi1d
holds "scripts/bench: exit code $rc" [ "$rc" = 0 ]
drawn "$work/folder/roofline"
for file in kernels.txt kernels.csv kernels.json machine.txt; do
    holds "scripts/bench leaves $file" [ -s "$work/folder/$file" ]
done

observe "$root/scripts/bench" --quick --out "$work/folder" --only scaling-cores
holds "scripts/bench scaling-cores: exit code $rc" [ "$rc" = 0 ]
cores=$("$info" | awk '$1 == "cores" { print $2 }')
holds "rows of one core and of all: $(cat "$work/folder/scaling.csv")" awk -F, -v all="$cores" '
    $2 == "strong" && $6 > 0 && $7 > 0 && $11 > 0 { one += $1 == 1; last += $1 == all }
    END { exit !(one == 4 && last == 4) }' "$work/folder/scaling.csv"

# Plain loops, which some compilers cannot make: the run has the same bytes, or it is exit 1.
if "$bench" --what plain --operator life3d --size 9 --steps 1 --rounds 1 \
    >"$work/out" 2>"$work/err" ||
    ! says 'OpenMP'; then
    expect 0 "$bench" --what plain --size 13 --radius 2 --type f64 --steps 5 --rounds 1 \
        --csv "$work/csv" --json "$work/json"
    holds "as many operators as kernels have" [ "$(wc -l <"$work/csv")" = $((families + 1)) ]
    for key in plain_gups zoid_gups zoid_over_plain block depth; do has_all $key; done
    for operator in life3d heat2d7 box27 fdtd2d; do
        expect 0 "$bench" --what plain --operator $operator --size 17 --steps 3 --rounds 1
    done
    expect 2 "$bench" --what plain --operator heat --boundary periodic && says 'boundary'
    expect 3 "$bench" --what plain --operator heat --dims 3 --type f32 --radius 1 --ram 1G &&
        says 'MiB'
fi

one=(--what kernels --operator heat --type f32 --radius 1 --size 35x13x9 --steps 1 --rounds 1)
expect 2 "$bench" --what kernels --operator life3d --type f64 && says 'u8'
expect 2 "$bench" --what kernels --dims 1 --type u8 && says 'zoid-info'
expect 2 "$bench" "${one[@]}" --boundary neumann && says 'boundary'
expect 4 "$bench" "${one[@]}" --csv "$work/no/such" && says 'no/such'
expect 4 "$bench" "${one[@]}" --device gpu && says 'device'
expect 3 "$bench" "${one[@]}" --ram 1M
least=$(sed -n 's/.*--ram \([0-9][0-9]*\)M.*/\1/p' "$work/err")
holds "a refusal names a budget" [ -n "$least" ]
expect 0 "$bench" "${one[@]}" --ram "${least}M"
expect 3 "$bench" "${one[@]}" --ram $((least - 1))M

# Tiles: values, fits, predictions and choices, of a layout for each core.
tiles=(--what tiles --device cpu --dims 1 --size 90 --steps 20 --rounds 1 --draw 4)
expect 0 "$bench" "${tiles[@]}" --csv "$work/csv" --json "$work/json"
prints checked launch_us fits fitted_sizes layouts_run layouts_skipped search_seconds
for model in di groups; do
    prints $model.layouts $model.predicted $model.median $model.p95 $model.most \
        $model.chosen_predicted_us $model.chosen_us $model.chosen_over_best
    is 'v[1] <= v[2]' "$(value $model.median)" "$(value $model.most)"
    is 'v[1] >= 0 && v[2] >= v[3]' "$(value $model.chosen_over_best)" \
        "$(value $model.layouts)" "$(value $model.predicted)"
done
is 'v[1] > 0 && v[2] > 0' "$(value checked)" "$(value fits)"
holds "random layouts and two that were chosen" \
    [ "$(wc -l <"$work/csv")" = $(($(value layouts_run) + 1)) ]
for key in seconds gups; do has_all $key; done
expect 2 "$bench" --what tiles --operator heat && says 'sor'
expect 2 "$bench" "${tiles[@]}" --boundary periodic && says 'boundary'
expect 2 "$bench" "${tiles[@]}" --size 2 && says 'three points'
expect 2 "$bench" "${tiles[@]}" --steps 0 && says 'one step'
expect 2 "$bench" "${tiles[@]}" --steps 1099511627776 && says 'coordinates'
expect 2 "$bench" "${tiles[@]}" --method naive && says 'method'
expect 2 "$bench" "${tiles[@]}" --gpu-mem 1G && says 'gpu-mem'
expect 4 "$bench" "${tiles[@]}" --device gpu && says 'device'

# The planner against a sweep; what it says of a case is in its table and in the CSV file.
one=(--what planner --operator heat --dims 3 --radius 1 --type f32 --size 24 --steps 8 --rounds 1)
expect 0 "$bench" "${one[@]}" --csv "$work/planner.csv"
holds "a size is a case" [ "$(value cases)" = 1 ]
holds "several plans were run" [ "$(grep -c ' s, predicted ' "$work/out")" -gt 4 ]
holds "the CSV has the case" grep -q '^heat3d_r1_f32.*memory' "$work/planner.csv"
# What is drawn depends on the seed alone.
drawn=(--what planner --draw 1 --operator heat --dims 2 --steps 2 --rounds 1 --seed)
for seed in 3 3 4; do
    expect 0 "$bench" "${drawn[@]}" $seed
    awk '/memory/ { print $1, $3 }' "$work/out" >>"$work/draws"
done
holds "a seed draws the same" [ "$(sort -u "$work/draws" | wc -l)" = 2 ]
expect 2 "$bench" "${one[@]}" --draw 2 && says 'size'
expect 2 "$bench" --what run --draw 2 && says 'planner'
expect 2 "$bench" --what graph --disk "$work" && says 'planner'
expect 2 "$bench" --what graph --rates keep && says 'planner'
# Rates that are missing are measured first, and kept.
observe env ZOID_RATES="$work/rates.json" "$bench" "${one[@]}" --rates learn
holds "one line says what was measured" one_line
says 'measured .*heat3d_r1_f32'
holds "the rates are kept" grep -q heat3d_r1_f32 "$work/rates.json"
for named in "--method leaning" "--depth 3" "--traversal step" "--overlap off"; do
    # shellcheck disable=SC2086
    expect 2 "$bench" "${one[@]}" $named && says 'planner'
done
finish

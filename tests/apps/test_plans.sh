#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# scripts/plans on cores: a sweep that is killed goes on where it ended, runs nothing twice, and
# what it finds is the least of what its file has.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
plans=$(dirname "$0")/../../scripts/plans
command -v python3 >/dev/null || { echo "no python3 here"; exit 77; }
export STARPU_NCPU=1 STARPU_NCUDA=0
case=(zoid-heat --size 24x20x40 --steps 8 --method leaning --block 12 --depth 2)
sweep=("$plans" --out "$work/kept" --best 2 --turns 2 --limit 100)
runs=$work/kept/runs.csv

# lines: runs that are noted.
lines() { if [ -e "$runs" ]; then sed 1d "$runs" | wc -l; else echo 0; fi; }

# --plans lists what fits, and --lanes names one of these.
expect 0 "$heat" --size 24x20x40 --steps 8 --plans
all=$(grep -c '^fits' "$work/out")
expect 0 "$heat" --size 24x20x40 --steps 8 --method leaning --block 12 --lanes 1 --plans
some=$(grep -c '^fits leaning block 12 .* lanes 1 ' "$work/out")
holds "$some plans of $all" [ "$some" -gt 0 ]
holds "as many as that has" [ "$some" = "$(grep -c '^fits' "$work/out")" ]
holds "and all more" [ "$all" -gt $((5 * some)) ]
least=$(awk '$1 == "fits" { print $NF }' "$work/out" | sort -g | head -n 1)
expect 0 "$heat" --size 24x20x40 --steps 8 --method leaning --block 12 --lanes 1 --strip 0 --plan
holds "the plan is the least of them: $(value predicted_seconds) of $least" \
    [ "$(value predicted_seconds)" = "$least" ]

# On a machine of 16 cores, the best plan of each method by a team, among thousands; no more if the
# case names one core a block, and as many as it has if it names a team.
server=(env "HWLOC_COMPONENTS=synthetic,stop" STARPU_NCPU=16
    "HWLOC_SYNTHETIC=l3:1(size=64MB) l2:16(size=2MB) l1d:1(size=32kB) core:1 pu:1"
    "$heat" --size 512x512x512 --steps 16 --radius 4 --strip 0)
expect 0 "${server[@]}" --plans
cp "$work/out" "$work/listed"
by_teams=$(grep -c '^fits .* team 16 on cores ' "$work/listed")
holds "a plan of each method by a team: $by_teams" [ "$by_teams" -ge 3 ]
holds "no method twice" [ -z "$(awk '/ team / { print $2 }' "$work/listed" | uniq -d)" ]
holds "all more: $(wc -l <"$work/listed")" [ "$(wc -l <"$work/listed")" -gt $((10 * by_teams)) ]
read -r method block depth seconds <<<"$(awk '/ team / { print $NF, $2, $4, $6 }' "$work/listed" |
    sort -g | awk 'NR == 1 { print $2, $3, $4, $1 }')"
expect 0 "${server[@]}" --method "$method" --block "$block" --depth "$depth" --team 16 --plan
holds "its team runs it: $(value team)" [ "$(value team)" = 16 ]
holds "as its reason says" grep -q '^reason .* workers fed, in teams of 16; ' "$work/out"
expect 0 "${server[@]}" --team 1 --method trapezoid --plans
holds "one core a block" [ "$(grep -c ' team ' "$work/out")" = 0 ]
expect 0 "${server[@]}" --team 16 --method trapezoid --block 512 --plans
holds "named, all are listed" [ "$(grep -c ' team 16 ' "$work/out")" -gt 5 ]

# Killed when it has run three.
"${sweep[@]}" "${case[@]}" >/dev/null 2>&1 &
child=$!
for ((i = 0; i < 300 && $(lines) < 3; i++)); do sleep 0.1; done
kill "$child"
wait "$child" || true
before=$(lines)
cp "$runs" "$work/before"
printf 'half a line,0,ra' >>"$runs"
expect_more() {
    holds "some were run before: $before" [ "$before" -ge 3 ]
    holds "they are still there" cmp -s "$work/before" <(head -n $((before + 1)) "$runs")
    holds "no plan is run twice in a turn: $(sed 1d "$runs" | cut -d, -f1,2 | sort | uniq -d)" \
        [ -z "$(sed 1d "$runs" | cut -d, -f1,2 | sort | uniq -d)" ]
}
observe "${sweep[@]}" "${case[@]}"
holds "the sweep ends: $rc" [ "$rc" = 0 ]
expect_more
all=$(lines)
holds "whole, in strips and by epochs: $all" [ "$all" -ge 10 ]
best=$(awk -F, 'NR > 1 && $2 > 0 && $1 != "auto" { print $1 }' "$runs" | sort -u | wc -l)
holds "two run again: $best" [ "$best" = 2 ]
first=$(awk -F, 'NR > 1 && $2 == 0 && $3 == "ran" && $1 != "auto" { print $4 "," $1 }' "$runs" |
    sort -g | head -n 1 | cut -d, -f2)
holds "the best of all is one of them: $first" grep -qF -- "$first,1,ran" "$runs"
holds "a ratio is said: $(tail -n 1 "$work/out")" \
    grep -qE '^auto/best [0-9.]+$' <(tail -n 1 "$work/out")
# Once more: there is nothing left to run.
observe "${sweep[@]}" "${case[@]}"
holds "again: $rc, $(lines) of $all" [ "$rc $(lines)" = "0 $all" ]
observe "${sweep[@]}" --limit 0 --seconds 0 --again "${case[@]}"
holds "no time: $rc" [ "$rc" = 3 ]
observe "$plans" --wihtin 3 zoid-heat
holds "no such option: $rc" [ "$rc" = 2 ]
finish

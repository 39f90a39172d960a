#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: measures
# scripts/predictions: what is drawn, a call that goes on where the last one ended, and the figures
# that it prints beside those in its file.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
predictions=$(dirname "$0")/../../scripts/predictions
command -v python3 >/dev/null || { echo "no python3 here"; exit 77; }
echo '{}' >"$work/rates"
cases=("$predictions" "$apps" 2 --rates "$work/rates" --out "$work/kept" --mib "0.5,2"
    --seconds 0.01)
runs=$work/kept/runs.csv

# lines: runs that are noted.
lines() { if [ -e "$runs" ]; then sed 1d "$runs" | wc -l; else echo 0; fi; }

observe "${cases[@]}" --cases 2
holds "two cases: $rc" [ "$rc" -le 1 ]
holds "a run each" [ "$(lines)" = 2 ]
before=$(cat "$runs")
printf 'half a line,0' >>"$runs"
observe "${cases[@]}" --cases 3 --turns 1 --others 1 --limit 1e9
holds "three, all of which are near: $rc" [ "$rc" -le 1 ]
holds "as many choices: $(tail -n 1 "$work/out")" \
    grep -qE '^choices [0-3] of 3, worst [0-9.]+$' <(tail -n 1 "$work/out")
holds "each of the two once, and three more, and another plan of each: $(lines)" [ "$(lines)" = 6 ]
holds "what was run before is kept" [ "$before" = "$(head -n 3 "$runs")" ]
ratio=$(awk 'NR == 1 { print $1 }' "$work/out")
holds "a ratio: $ratio" awk -F, -v ratio="$ratio" '
    NR == 2 { d = $4 / $5 - ratio; exit d * d > 1e-4 }' "$runs"
holds "all are within it" grep -q '^within seconds 3 of 3' "$work/out"
observe "${cases[@]}" --cases 4 --minutes 0
holds "no time for the fourth: $rc" [ "$rc" = 3 ]
observe "${cases[@]}" --cases x
holds "no number: $rc" [ "$rc" = 2 ]
observe "$predictions" "$work" 2
holds "no programs: $rc" [ "$rc" = 2 ]
finish

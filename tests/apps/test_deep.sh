#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: measures
# scripts/bench deep, small: every name that has room, in memory and on a disk, and where data move.
# How fast anything is it cannot say here.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
bench=$ZOID_BUILD_DIR/apps/zoid-bench
root=$(dirname "$0")/../..
export STARPU_NCUDA=0

# One worker, since threads that poll slow each other down where tests run side by side.
rc=0
STARPU_NCPU=1 timeout 280 "$root/scripts/bench" --quick --out "$work/deep" --only deep \
    -- --steps 2 >"$work/out" 2>"$work/err" || rc=$?
holds "scripts/bench --only deep: exit code $rc" [ "$rc" = 0 ]
for what in tiers domains; do
    drawn "$work/deep/$what"
    holds "all of $what has a rate" awk -F, \
        'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "gups") c = i }
        NR > 1 && !($c > 0) { bad = 1 } END { exit bad || NR < 2 }' "$work/deep/$what.csv"
    holds "progress of $what is on standard error" grep -q '^deep: .*round 1 of 1$' "$work/err"
done
holds "the picture names a variant" grep -q '1D-P-TBMR' "$work/deep/domains.svg"
holds "one step a visit is one step" [ "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
    NR > 1 && $c["variant"] ~ /^(1D-N|base)$/ { print $c["depth"] }' \
    "$work/deep/"{tiers,domains}.csv | sort -u)" = 1 ]
for name in $(aliases | tr ' ' '\n' | grep '^1D-'); do
    holds "$name is in the table" grep -qE "  $name +[a-z]+ +[0-9]+ " "$work/deep/domains.txt"
done
for name in base single recursive auto; do
    holds "$name is in the table" grep -qE "  $name.* [a-z]+ +[0-9]+ " "$work/deep/tiers.txt"
done
moved() {
    awk -v what="$1" '$0 ~ what && $NF ~ /^[0-9.e+-]+$/ && $NF > 0 { n++ } END { print n + 0 }' \
        "$work/deep/domains.txt"
}
holds "in memory nothing moves" [ "$(moved '^0.5 x')" = 0 ]
holds "on the disk something does" [ "$(moved '^4 x')" -ge 3 ]

# refused CODE TEXT OPTIONS...: scripts/deep ends so, with one line that has the text.
refused() {
    observe "$root/scripts/deep" "${@:3}"
    holds "scripts/deep ${*:3}: exit code $rc, $(cat "$work/err")" \
        [ "$rc $(wc -l <"$work/err")" = "$1 1" ]
    says "$2"
}

refused 2 'tiers and domains' nothing
refused 2 'step' domains --steps 0
refused 2 'no option --method' tiers --method leaning
refused 2 'operator' domains --out "$work" --operator nothing
refused 2 'bytes' tiers --out "$work" --ram much
refused 4 'GPU' tiers --out "$work" --gpu-mem 1G
refused 2 'no/such' tiers --out /proc/no/such
observe "$root/scripts/deep" domains --out "$work/small" --size 16 --steps 2 --rounds 1
holds "without a disk, larger domains are left out: $rc" [ "$rc" = 0 ]
holds "with a line that says so" grep -q 'left out.*--disk' "$work/out"
observe "$bench" --what run --size 64x64x600 --steps 4 --rounds 1 --ram 8M --disk "$work"
holds "a measured run can be on a disk: $rc" [ "$rc" = 0 ]
finish

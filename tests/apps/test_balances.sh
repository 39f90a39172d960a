#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: measures
# scripts/balances: two places alone and together, the figures of a line, a call that leaves out
# those of an earlier one, and bad arguments.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
balances=$(dirname "$0")/../../scripts/balances
small=(--places cores:1+cores:1 --mib 0.015625 --seconds 0.001 --rounds 1)

export STARPU_NCPU=2 STARPU_NCUDA=0 ZOID_RATES_MODE=default
if [ "$("$info" | awk '$1 == "workers.cpu" { print $2 }')" -lt 2 ]; then
    echo "one core"
    exit 77
fi

# Whether auto is slower is not asked: other programs share the cores.
expect 0 "$balances" "${small[@]}" --operators jacobi2d,heat:1:3 --within 0 --out "$work/lines"
holds "two lines: $(cat "$work/out")" [ "$(wc -l <"$work/out")" = 2 ]
holds "they are kept" cmp -s "$work/out" "$work/lines"
names=$(awk '{ printf "%s ", $1 }' "$work/out")
holds "the operators: $names" \
    [ "$names" = "jacobi2d:2:1:f32:cores:1+cores:1 heat:1:3:f32:cores:1+cores:1 " ]
holds "sizes of 16 KiB" [ "$(awk '{ printf "%s ", $2 }' "$work/out")" = "64x64 4096 " ]
# The ratio is that of the rates, of which none is 0.
holds "ratios: $(cat "$work/out")" awk '
    { best = $4 > $5 ? $4 : $5; off = $7 - $6 / best }
    !($4 > 0 && $5 > 0 && $6 > 0 && off < 0.001 && off > -0.001) { exit 1 }' "$work/out"

# What is kept is not measured again; what is not there is.
expect 0 "$balances" "${small[@]}" --operators heat:1:3,life3d --within 0 --out "$work/lines"
holds "one more: $(cat "$work/out")" [ "$(awk '{ print $1 }' "$work/out")" = \
    life3d:3:1:u8:cores:1+cores:1 ]
# No run has a thousand times the rate of the better place.
observe "$balances" "${small[@]}" --operators jacobi1d --within 1000
holds "which is said: $rc, $(cat "$work/err")" \
    eval '[ "$rc" = 1 ] && grep -q "auto was slower for 1" "$work/err"'

# refuses WORDS ARGUMENT...: a bad argument, with a line that has these words.
refuses() {
    local words=$1
    shift
    observe "$balances" "$@"
    holds "$*: $rc, $(cat "$work/err")" [ "$rc" = 2 ]
    holds "$*: $(cat "$work/err")" grep -q -- "$words" "$work/err"
}
refuses 'no operator nothing' --operators nothing
refuses 'are not two' --places cores:2
refuses 'no number above 0' --rounds 0
refuses 'is no number' --seconds soon
refuses 'no option --what' --what

# A line of many points is planned at once, for subdomains, too.
time_limit=30 observe "$apps/zoid-run" --operator heat --dims 1 --size 100000000 --steps 64 \
    --places cores:1+cores:1 --balance split --plan
holds "a plan in time: $rc" [ "$rc" = 0 ]
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: measures
# Ranks measure the network between them, and refine its rates alone: with others they would measure
# each other.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_mpirun
cd "$work"
export ZOID_RATES=$work/rates ZOID_RATES_MODE=learn STARPU_NCUDA=0
long=(--size 128 --steps 100)

# Of what one process has left, several change nothing but the network.
ranks 2 "$heat" "${long[@]}"
holds "ranks run: $rc" [ "$rc" = 0 ]
holds "they measure nothing" [ ! -e rates ]
STARPU_NCPU=1 observe "$heat" "${long[@]}"
holds "one process learns" grep -q '"runs"' rates
cp rates before
# of FILE EXPRESSION: of its rates `r`, with the network of one host as `n`.
of() {
    python3 -c "import json
r = json.load(open('$1'))
n = r['network'].get('one_host')
print($2)"
}
rest() { of "$1" "{key: r[key] for key in sorted(r) if key != 'network'}"; }
network() { of rates "*sorted(n)"; }
for _ in 1 2; do
    ranks 2 "$heat" "${long[@]}"
    holds "ranks run: $rc" [ "$rc" = 0 ]
    holds "with its rates" [ "$(value rates)" = calibrated ]
done
ranks 2 "$heat" "${long[@]}" --radius 2
holds "ranks run: $rc" [ "$rc" = 0 ]
holds "they leave all else alone" [ "$(rest rates)" = "$(rest before)" ]

# Where messages take most of the time, runs teach; with `keep` they do not.
waiting=(--size 16 --steps 512 --ranks 2 --method naive --block 16 --depth 1 --epoch 1)
cp rates before
ranks 2 "$heat" "${waiting[@]}" --rates keep
holds "they keep the rates" cmp -s rates before
for _ in 1 2; do ranks 2 "$heat" "${waiting[@]}"; done
holds "factors are there: $(network)" [ "$(network)" = 'runs way_factor wire_factor' ]
holds "of two runs or more" [ "$(of rates "n['runs'] >= 2")" = True ]
holds "they leave all else alone" [ "$(rest rates)" = "$(rest before)" ]

# Calibration begins anew, and takes seconds.
start=$SECONDS
ranks 2 "$info" --calibrate --oversubscribe
holds "it is measured: $rc" [ "$rc" = 0 ]
holds "in a line" grep -q '^messages of one host$' err
holds "in seconds" [ $((SECONDS - start)) -lt 30 ]
holds "all of it" [ "$(network)" = 'copy message way wire' ]
holds "in sensible bounds" [ "$(of rates "1e-7 < n['message'] < 1e-2 and
    1e-6 < n['way'] < 0.1 and 1e-12 < n['wire'] < 1e-6 and 1e-13 < n['copy'] < 1e-6")" = True ]
holds "all else is left alone" [ "$(rest rates)" = "$(rest before)" ]
holds "zoid-info prints it" grep -qE \
    '^rates.messages.one_host [0-9.e+]+ us on its way, .* GB/s, [0-9.e+-]+ us an end, measured$' out
cp rates before
ranks 2 "$heat" "${waiting[@]}"
holds "runs refine it" [ "$(network)" = \
    'copy message runs way way_factor wire wire_factor' ]
finish

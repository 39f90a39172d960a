#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: builds
# Simulations of one machine: they move what plans say, to the byte, also where data stream through
# a GPU; take about the predicted seconds; end the same way twice; and refuse what needs values.
# Only where scripts/setup --simgrid has made their StarPU.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cache=${ZOID_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/zoid}
[ -d "$cache/simgrid/lib" ] && command -v smpirun >/dev/null || exit 77
simulate=$root/scripts/simulate
export ZOID_SIMULATED_DIR=$ZOID_BUILD_DIR/simulated
time_limit=600
cd "$work"

# simulated APP OPTIONS...: a simulation that moves what its plan says, and takes about as long.
simulated() {
    expect 0 "$simulate" "$@"
    holds "$*: it says what it is" [ "$(value simulated)" = true ]
    for way in h2d d2h; do
        holds "$*: $way is $(value bytes.$way), planned $(value planned.$way)" \
            [ "$(value bytes.$way)" = "$(value planned.$way)" ]
    done
    holds "$*: $(value seconds) s, predicted $(value predicted_seconds)" awk \
        -v is="$(value seconds)" -v p="$(value predicted_seconds)" \
        'BEGIN { exit !(is > 0.85 * p && is < 1.15 * p) }' </dev/null
}

# The first simulation builds the programs, and says so.
observe "$simulate" heat --size 8 --steps 1 --machine epyc2
holds "simulations can be built: $(tail -3 "$work/err")" [ "$rc" = 0 ]

# One GPU, in its memory; over the limit, where data stream through it; and cores.
simulated heat --size 1024x1024x4096 --steps 1024 --machine h200
cp out first
expect 0 "$simulate" heat --size 1024x1024x4096 --steps 1024 --machine h200
holds "twice the same report" cmp -s first out
simulated heat --size 1024x1024x4096 --steps 512 --machine h200 --gpu-mem 4G
simulated wave --size 1024 --radius 4 --steps 256 --machine h200 --gpu-mem 3G
simulated life --size 1024 --steps 64 --machine h200
simulated heat --size 256x256x512 --steps 64 --machine epyc2

# The same plan as without a simulation.
plan=(--size 1024x1024x2048 --steps 256 --machine h200 --gpu-mem 4G)
expect 0 "$simulate" heat "${plan[@]}" --plan
cp out here
expect 0 "$heat" "${plan[@]}" --plan
holds "the same plan: $(diff here out | head -4)" cmp -s here out

# A report in JSON, and refusals.
expect 0 "$simulate" heat --size 256 --steps 4 --machine h200 --report report.json
holds "its JSON says what it is" grep -q '"simulated": true' report.json
for option in --check "--dump a.npy" "--checkpoint c" "--trace t" "--disk ." \
    "--snapshot 2 --out s"; do
    # shellcheck disable=SC2086 # options and their values
    expect 2 "$simulate" heat --size 64 --steps 4 --machine h200 $option && says 'no values'
done
expect 2 "$simulate" heat --size 64 --machine h200 --nodes 2 && says 'one node'
expect 3 "$simulate" heat --size 8192 --machine epyc2 && says '--ram'
observe "$simulate" heat --size 64
holds "it wants a machine: $rc" [ "$rc" = 2 ]
observe "$simulate" sor --machine h200
holds "solvers are not simulated: $rc" [ "$rc" = 2 ]
observe "$simulate" heat --machine nowhere
holds "there is no such machine: $rc" [ "$rc" = 2 ]
finish

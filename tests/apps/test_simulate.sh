#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: builds
# Simulations: they move what plans say, to the byte, also where data stream through a GPU; take
# about the predicted seconds; end the same way twice; and refuse what needs values. Several ranks
# have the blocks and messages of real ones, in their order, and a network of the described speed.
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

# moved APP OPTIONS...: a simulation that moves what its plan says.
moved() {
    expect 0 "$simulate" "$@"
    holds "$*: it says what it is" [ "$(value simulated)" = true ]
    for way in h2d d2h; do
        holds "$*: $way is $(value bytes.$way), planned $(value planned.$way)" \
            [ "$(value bytes.$way)" = "$(value planned.$way)" ]
    done
}

# simulated APP OPTIONS...: a simulation that moves what its plan says, and takes about as long.
simulated() {
    moved "$@"
    holds "$*: $(value seconds) s, predicted $(value predicted_seconds)" awk \
        -v is="$(value seconds)" -v p="$(value predicted_seconds)" \
        'BEGIN { exit !(is > 0.9 * p && is < 1.1 * p) }' </dev/null
}

# The first simulation builds the programs, and says so.
observe "$simulate" heat --size 8 --steps 1 --machine epyc2
holds "simulations can be built: $(tail -3 "$work/err")" [ "$rc" = 0 ]

# went KEY LEAST MOST: the part of the time is between the two.
went() {
    holds "time.$1 $(value "time.$1") is from $2 to $3" awk -v is="$(value "time.$1")" -v lo="$2" \
        -v hi="$3" 'BEGIN { exit !(is >= lo && is <= hi) }' </dev/null
}

# One GPU, in its memory; over the limit, where data stream through it; and cores.
simulated heat --size 1024x1024x4096 --steps 1024 --machine h200
cp out first
expect 0 "$simulate" heat --size 1024x1024x4096 --steps 1024 --machine h200
holds "twice the same report" cmp -s first out
simulated heat --size 1024x1024x2048 --steps 256 --machine h200 --gpu-mem 4G
went kernels 0.8 1 && went links 0.3 1 && went network 0 0 && went waiting 0 0
simulated wave --size 1024 --radius 4 --steps 128 --machine h200 --gpu-mem 3G
simulated heat --size 256x256x512 --steps 64 --machine epyc2

# This machine with a core for each rank, as real ranks have below.
mkdir -p here
STARPU_NCPU=1 "$info" --json >here/machine.json
cp "$root/scripts/machines/epyc2/origin.txt" here
sed -E "$(for key in cpu isa cores; do
    sed -n "s/^ (\"$key\": [^,]*),*\$/s@\"$key\": [^,]*@\1@/p" -E here/machine.json | head -n 1
done)" "$root/scripts/machines/epyc2/rates.json" >here/rates.json

# twins APP OPTIONS...: two simulated ranks do as two real ones, in the same order.
twins() {
    local rows='^(method|block|depth|epoch|messages|per_rank.(mess|byt|str)|bytes|points|tasks)'
    expect 0 "$simulate" "$@" --machine ./here --nodes 2
    grep -E "$rows" out >simulated || true
    ranks 2 env STARPU_NCPU=1 STARPU_WORKERS_NOBIND=1 "$apps/zoid-$1" "${@:2}"
    holds "$*: two ranks run" [ "$rc" = 0 ]
    grep -E "$rows" out >real || true
    holds "$*: $(diff simulated real | head -4)" cmp -s simulated real
    holds "$*: there are messages" [ "$(value messages)" -gt 1 ]
}
if has_ranks; then
    forgive_mpi
    twins heat --size 100x90x80 --steps 37 --method leaning --epoch 8 --depth 4 --block 8 \
        --ranks 1x2
    twins life --size 60x70x90 --steps 24 --method overlapped --epoch 6 --depth 3 --block 15 \
        --ranks 2x1
    twins heat --size 90x80x60 --steps 20 --method trapezoid --epoch 5 --depth 5 --block 16 \
        --ranks 1x1x2
    twins heat --size 37x5x1 --steps 7 --ranks 2x1 --epoch 3 --method leaning --block 2 --depth 1
fi

# network KEY VALUE: a machine with that between its nodes.
network() {
    rm -rf net
    cp -r here net
    sed -i "s/\"one_host\"/\"several_hosts\"/; s/\"$1\": .*[^,]\(,*\)$/\"$1\": $2\1/" net/rates.json
}
# takes SECONDS: the last run took that, and up to a hundredth more.
takes() {
    holds "$(value seconds) s, where the network takes $1" awk -v is="$(value seconds)" -v n="$1" \
        'BEGIN { exit !(is >= n && is < 1.01 * n) }' </dev/null
}
# Three exchanges, in which a rank sends one message: latency; bandwidth; the thread's two ends.
slow=(heat --size 24x32x16 --steps 4 --epoch 1 --depth 1 --method naive --ranks 1x2 --nodes 2)
network way 10.0
expect 0 "$simulate" "${slow[@]}" --machine ./net && takes 30
went waiting 0.99 1 && went links 0 0
network wire 1e-3
expect 0 "$simulate" "${slow[@]}" --machine ./net
takes "$(awk -v bytes="$(value bytes.mpi)" 'BEGIN { print bytes / 2 * 1e-3 }')"
went network 0.99 1

# More of them, on cores and on GPUs; twice the same.
for many in "life --size 256x256x64 --steps 32 --epoch 4 --machine ./here --nodes 16" \
    "heat --size 1024 --steps 64 --epoch 16 --machine h200 --nodes 8"; do
    # shellcheck disable=SC2086 # options and their values
    expect 0 "$simulate" $many
    cp out first
    holds "$many: $(value seconds) s, predicted $(value predicted_seconds)" awk \
        -v is="$(value seconds)" -v p="$(value predicted_seconds)" \
        'BEGIN { exit !(is > 0.9 * p && is < 1.25 * p) }' </dev/null
    # shellcheck disable=SC2086 # options and their values
    expect 0 "$simulate" $many
    holds "$many: twice the same report" cmp -s first out
done

# Over the limit of each rank's GPU, by less than what their allocation units waste; and in lanes of
# one epoch and of two.
simulated heat --size 1200x400x1200 --steps 16 --machine titan --nodes 9 --ranks 3x3x1 --epoch 1 \
    --gpu-mem 320M
moved seismic --size 512x64x512 --steps 16 --machine titan --nodes 4 --ranks 4x1x1 --epoch 2 \
    --depth 2 --block 8 --method leaning --gpu-mem 260M
moved heat --size 512 --steps 64 --machine h200 --nodes 4 --ranks 2x2 --epoch 16 --depth 8 \
    --gpu-mem 260M
holds "data stream, several times" awk -v is="$(value bytes.h2d)" \
    'BEGIN { exit !(is > 4 * 512 ^ 3 * 4) }' </dev/null

# A sweep of them, as scripts/bench --only scaling makes.
observe "$root/scripts/nodes" --out sweep --nodes 8 --epoch 4,auto --steps 8 --cases life
holds "the sweep ends: $rc" [ "$rc" = 0 ]
holds "it says where the time goes" awk -F, 'NR > 1 && !($16 > 0.5 && $19 >= 0 &&
    $16 + $19 <= 1 && ($4 == "auto" || $18 > 0)) { exit 1 }' sweep/nodes.csv
if command -v gnuplot >/dev/null; then drawn sweep/nodes && drawn sweep/times; fi
holds "it has a row for each network and epoch" [ "$(wc -l <sweep/nodes.csv)" = 5 ]
holds "none is empty" awk -F, 'NR > 1 && !($14 > 0 && $15 > 0 && NF == 19) { exit 1 }' \
    sweep/nodes.csv
observe "$root/scripts/nodes" --cases nothing
holds "there are cases: $rc" [ "$rc" = 2 ]
observe "$root/scripts/nodes" --machine epyc2
holds "it has a network to slow down: $rc" [ "$rc" = 2 ]
observe "$root/scripts/nodes" --nodes 1000000 --cases life --epoch 1 --networks own
holds "some case runs: $rc" [ "$rc" = 3 ]

# The same plan as without a simulation, of ranks that are all alike: the first one prints its own.
plan=(--size 1024x1024x2048 --steps 256 --machine h200 --nodes 4 --ranks 2x2)
expect 0 "$simulate" heat "${plan[@]}" --plan
cp out first
expect 0 "$heat" "${plan[@]}" --plan
holds "the same plan: $(diff first out | head -4)" cmp -s first out

# A report in JSON, and refusals.
expect 0 "$simulate" heat --size 256 --steps 4 --machine h200 --report report.json
holds "its JSON says what it is" grep -q '"simulated": true' report.json
for option in --check "--dump a.npy" "--checkpoint c" "--trace t" "--disk ." \
    "--snapshot 2 --out s"; do
    # shellcheck disable=SC2086 # options and their values
    expect 2 "$simulate" heat --size 64 --steps 4 --machine h200 $option && says 'no values'
done
expect 3 "$simulate" heat --size 8192 --machine epyc2 && says '--ram'
observe "$simulate" heat --size 64
holds "it wants a machine: $rc" [ "$rc" = 2 ]
observe "$simulate" heat --size 64 --machine h200 --nodes 0
holds "there are nodes: $rc" [ "$rc" = 2 ]
observe "$simulate" sor --machine h200
holds "solvers are not simulated: $rc" [ "$rc" = 2 ]
observe "$simulate" heat --machine nowhere
holds "there is no such machine: $rc" [ "$rc" = 2 ]
finish

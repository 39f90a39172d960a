#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# What a run writes, and what is left when it cannot: dump, report, graph, plan, standard output.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
cd "$work"
mkdir files
small=(--size 8x7x6 --steps 3)
bytes=$((8 * 7 * 6))

# left: the names in files/, dotted ones too: a run must not leave its temporaries.
left() { find files -mindepth 1 -printf '%f\n' | sort | paste -sd' '; }

# Dumps hold the unpadded fields and nothing else.
expect 0 "$heat" "${small[@]}" --dump files/a
holds "an f32 dump has 4 bytes a point" [ "$(stat -c %s files/a)" = $((4 * bytes)) ]
expect 0 "$heat" "${small[@]}" --type f64 --dump files/b --quiet
holds "an f64 dump has 8 bytes a point" [ "$(stat -c %s files/b)" = $((8 * bytes)) ]
holds "--quiet prints nothing" [ ! -s out ]
holds "a new file has the usual mode" \
    [ "$(stat -c %a files/a)" = "$(printf %o $((0666 & ~$(umask))))" ]
holds "nothing but the dumps is left" [ "$(left)" = "a b" ]

# Two outputs are two files.
for other in files/a "$PWD/files/../files/a"; do
    expect 2 "$heat" "${small[@]}" --dump files/a --report "$other"
    says '--dump and --report both name .*a; '
done
expect 2 "$heat" "${small[@]}" --dump files/new --report ./files/new && says 'both name'
holds "nothing is left of them" [ "$(left)" = "a b" ]
expect 0 "$heat" "${small[@]}" --dump /dev/null --report /dev/null

# The initial states, from outside.
expect 0 "$heat" "${small[@]}" --steps 0 --init zero --dump files/zero
holds "zero is zero" cmp -s files/zero <(head -c $((4 * bytes)) /dev/zero)
expect 0 "$heat" "${small[@]}" --steps 0 --init point --dump files/point
centre=$((4 + 8 * (3 + 7 * 3)))
holds "a point is 1 at the centre" \
    [ "$(od -An -v -tf4 -w4 files/point | awk '$1 { print NR - 1, $1 }')" = "$centre 1" ]
rm files/*

# The report: the same keys as text and as JSON.
expect 0 "$heat" "${small[@]}" --seed 5 --check --report files/r.json
cp out text
holds "the text has the known values" grep -qx 'size 8x7x6' text
for line in 'version [0-9.]+' 'app zoid-heat' 'operator heat3d_r1_f32' 'type f32' 'radius 1' \
    'steps 3' 'seed 5' 'method [a-z]+' 'block [0-9]+' 'depth [0-9]+' 'clamped (true|false)' \
    'seconds [0-9.e+-]+' 'gups [0-9.e+-]+' 'check passed' 'workers.cpu [0-9]+' \
    'workers.cuda [0-9]+' 'busy_workers [0-9.e+-]+' 'bytes.h2d [0-9]+' 'bytes.mpi [0-9]+' \
    'points.useful 1008' 'points.redundant [0-9]+' 'tasks [0-9]+' \
    'predicted_seconds [0-9.e+-]+' 'core_seconds.measured [0-9.e+-]+' \
    'core_seconds.predicted [0-9.e+-]+' 'bound.name [a-z_]+' 'bound.fraction [0-9.e+-]+' \
    'rates (calibrated|default)'; do
    holds "the text has '$line'" grep -qEx "$line" text
done
holds "the JSON has the size as a list" \
    grep -q '"size":\[8,7,6\]' <(tr -d ' \n' <files/r.json)
expect 0 "$heat" "${small[@]}" --quiet --report files/r.json
holds "without --check the check is off" grep -q '"check": "off"' files/r.json

# What is clamped is said to be.
expect 0 "$heat" "${small[@]}" --method leaning --block 100 --depth 100
holds "clamped: $(value block), $(value depth)" \
    [ "$(value clamped) $(value block) $(value depth)" = "true 6 3" ]
expect 0 "$heat" "${small[@]}" --method naive --block 3
holds "naive reports depth 1" [ "$(value depth) $(value clamped)" = "1 false" ]

# --plan and --graph run nothing.
rm -f files/*
expect 0 "$heat" "${small[@]}" --plan --dump files/d --report files/r
holds "a plan has a method" [ -n "$(value method)" ]
for line in 'predicted_seconds [0-9.e+-]+' 'bound.name [a-z_]+' 'bound.fraction [0-9.e+-]+' \
    'rates (calibrated|default)' 'reason .+'; do
    holds "a plan has '$line'" grep -qEx "$line" out
done
holds "a plan is no run" [ -z "$(value seconds)" ]
holds "a plan writes no files" [ -z "$(left)" ]
expect 0 "$heat" "${small[@]}" --graph files/g.dot
holds "a graph is a digraph" grep -q '^digraph' files/g.dot
holds "a graph is no run" [ ! -s out ]
expect 0 "$heat" "${small[@]}" --plan --quiet
holds "a quiet plan is silent" [ ! -s out ]

# Rates that cannot be used are said to be, and are not.
rm -f files/*
echo '{' >files/rates
ZOID_RATES=files/rates observe "$heat" "${small[@]}" --rates keep
holds "broken rates do not stop a run" [ "$rc" = 0 ]
holds "one line says what is wrong with them" one_line
says 'files/rates is broken.*zoid-info --calibrate'
holds "then rates are defaults" [ "$(value rates)" = default ]
ZOID_RATES_MODE=keep ZOID_RATES=files/rates observe "$info"
holds "zoid-info says so too" grep -q '^rates.note files/rates is broken' out
ZOID_RATES=/dev/null/rates expect 4 "$info" --calibrate
expect 2 "$info" --disk files
holds "rates leave nothing" [ "$(left)" = "rates" ]

# Paths that cannot be written are found before computing: this run would take hours.
rm -f files/*
long=(--size 512 --steps 1000000)
mkfifo files/pipe
ln -s nowhere files/link
for path in / files . missing/x files/pipe files/link "files/$(printf '%0300d' 0)" /proc/x; do
    for option in --dump --report; do
        expect 4 "$heat" "${long[@]}" $option "$path"
        holds "$option $path prints nothing" [ ! -s out ]
    done
    expect 4 "$heat" "${small[@]}" --graph "$path"
done
holds "refusals leave nothing" [ "$(left)" = "link pipe" ]
if [ "$(id -u)" != 0 ]; then
    echo mine >files/locked
    chmod 400 files/locked
    expect 4 "$heat" "${long[@]}" --dump files/locked
fi
rm -f files/*

# Full devices.
expect 4 "$heat" "${small[@]}" --dump /dev/full
expect 4 "$heat" "${small[@]}" --report /dev/full
expect 4 "$heat" "${small[@]}" --graph /dev/full
for arguments in "" "--plan" "--help" "--version"; do
    # shellcheck disable=SC2086 # none is no argument
    observe sh -c '"$@" >/dev/full' sh "$heat" "${small[@]}" $arguments
    holds "stdout full, '$arguments': 4, not $rc" [ "$rc" = 4 ]
    holds "stdout full, '$arguments': one line" one_line
    # shellcheck disable=SC2086
    observe sh -c '"$@" >&-' sh "$heat" "${small[@]}" $arguments
    holds "stdout closed, '$arguments': 4, not $rc" [ "$rc" = 4 ]
    holds "stdout closed, '$arguments': one line" one_line
done
observe sh -c '"$@" >&- <&- 2>&-' sh "$heat" "${small[@]}" --quiet --dump files/d
holds "a quiet run needs no streams" [ "$rc" = 0 ]
holds "its dump is whole" [ "$(stat -c %s files/d)" = $((4 * bytes)) ]

# What was there before stays until there is something better.
for arguments in "--ram 1" "--radius 9" "--ranks 2" "--report missing/x"; do
    echo before >files/d
    # shellcheck disable=SC2086
    observe "$heat" "${small[@]}" --dump files/d $arguments
    holds "'$arguments' fails" [ "$rc" != 0 ]
    holds "'$arguments' leaves the old dump" [ "$(cat files/d)" = before ]
done
# A disk that fills up, played by a limit on the size of files.
observe sh -c 'ulimit -f 1; trap "" XFSZ; exec "$@"' sh "$heat" --size 64 --steps 1 --dump files/d
holds "a dump that does not fit its disk: 4, not $rc" [ "$rc" = 4 ]
holds "it leaves the old one" [ "$(cat files/d)" = before ]
rm files/d
observe sh -c 'ulimit -f 1; trap "" XFSZ; exec "$@"' sh "$heat" --size 64 --steps 1 --dump files/d
holds "and no half of a new one" [ -z "$(left)" ]
# A run that is ended from outside. Its dump has no name until it is whole, where the file system
# knows such files, and else one beside the old one.
has_dump() {
    [ "$(left)" != d ] || readlink /proc/"$run"/fd/* 2>/dev/null | grep -q "$work/files/#"
}
for signal in TERM KILL; do
    echo before >files/d
    "$heat" --size 256 --steps 1000000 --quiet --dump files/d &
    run=$!
    trap 'kill -KILL $run 2>/dev/null || true; rm -rf "$work"' EXIT
    for ((i = 0; i < 1200; i++)); do
        ! has_dump || break
        sleep 0.1
    done
    holds "a run keeps its dump beside the old one" has_dump
    named=$(left)
    kill -$signal $run
    rc=0
    wait $run || rc=$?
    holds "$signal ends it with $rc" [ "$rc" = $((128 + $(kill -l $signal))) ]
    if [ $signal = TERM ] || [ "$named" = d ]; then
        holds "$signal leaves what was there" [ "$(left) $(cat files/d)" = "d before" ]
    fi
done
rm -f files/.zoid-*

# Existing files keep their mode and their links.
chmod 640 files/d
ln -s d files/link
expect 0 "$heat" "${small[@]}" --dump files/link
holds "a link still is one" [ -L files/link ]
holds "its target is written" [ "$(stat -c '%s %a' files/d)" = "$((4 * bytes)) 640" ]
# Pipes and devices are written directly.
expect 0 "$heat" "${small[@]}" --dump /dev/null
holds "/dev/null is still a device" [ -c /dev/null ]
rm files/*
mkfifo files/pipe
wc -c <files/pipe >count &
sleep 0.2
expect 0 "$heat" "${small[@]}" --dump files/pipe
wait $!
holds "a pipe's reader gets the dump" [ "$(tr -d ' ' <count)" = $((4 * bytes)) ]
finish

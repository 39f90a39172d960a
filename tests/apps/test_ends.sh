#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# How several ranks end: all alike where all know why, and within seconds where one dies or fails;
# with the code of what happened, files that are whole or not there, and no process left.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_mpirun
ends=$ZOID_BUILD_DIR/tests/apps_cli_test_ends
folder=$work/files
# mpirun tells ranks to end, and after so many seconds kills who is left; a loaded machine may need
# more than the one that is usual.
patience=2

fresh() { rm -rf "$folder" && mkdir "$folder"; }
# left FILES: that is in the folder, beside the ranks' numbers.
left() { [ "$(cd "$folder" && find . -type f ! -name 'pid.*' | sort | xargs)" = "$1" ]; }

# ended HOW CODE LINE: two ranks that end so have that code, and that line of ours, if any.
ended() {
    fresh
    ranks 2 "$ends" "$1" "$folder"
    holds "$1: exit code $rc instead of $2" [ "$rc" = "$2" ]
    holds "$1: the lines '$(grep '^zoid' "$work/err")' instead of '$3'" \
        [ "$(grep '^zoid' "$work/err" || true)" = "$3" ]
    holds "$1: left are $(ls -A "$folder")" left ./whole
}

ended well 0 ''
holds "the first prints" [ "$(cat "$work/out")" = 'the last output' ]
ended all-fit-not 3 'zoid-ends: rank 0 speaks'
holds "it prints before it ends" [ "$(cat "$work/out")" = 'the last output' ]
ended one-fits-not 3 'zoid-ends: rank 1 speaks'
ended one-fails 4 'zoid-ends: rank 1 speaks'

# A launcher that hears nothing while ranks take leave of it does not hold that against them.
if [ -z "$sanitized" ]; then
    preloaded deaf_launcher
    fresh
    begun=$(date +%s%N)
    ranks 2 env LD_PRELOAD="$work/deaf_launcher.so" "$ends" well "$folder"
    if [ $((($(date +%s%N) - begun) / 1000000)) -lt 2000 ]; then
        echo "this Open MPI has a PMIx of its own: a launcher that hears nothing is not tested"
    else
        holds "a launcher that heard nothing: exit code $rc instead of 0" [ "$rc" = 0 ]
    fi
fi

# gone FILE...: the processes whose numbers are there have ended, or do within a second.
gone() {
    local tries=20
    while [ $((tries -= 1)) -gt 0 ]; do
        ps -o stat= -p "$(cat "$@" | xargs | tr ' ' ,)" | grep -qv '^Z' || return 0
        sleep 0.05
    done
    return 1
}

# struck SIGNAL WHOM CODES: what happens in the middle of a run to two ranks; WHOM: launcher, or the
# number of a rank. Sanitized programs and loaded machines take longer.
struck() {
    local begun launcher victim tries=600
    fresh
    mpirun --allow-run-as-root --oversubscribe --mca odls_base_sigkill_timeout $patience \
        -n 2 "$ends" hang "$folder" \
        >"$work/out" 2>"$work/err" </dev/null &
    launcher=$!
    until [ -s "$folder/pid.0" ] && [ -s "$folder/pid.1" ]; do
        if [ $((tries -= 1)) = 0 ]; then
            kill "$launcher"
            complain "ranks do not start"
            return
        fi
        sleep 0.05
    done
    victim=$launcher
    [ "$2" = launcher ] || victim=$(cat "$folder/pid.$2")
    begun=$(date +%s%N)
    kill "-$1" "$victim"
    rc=0
    wait "$launcher" || rc=$?
    begun=$((($(date +%s%N) - begun) / 1000000))
    holds "$1 to $2: exit code $rc, none of $3" grep -qw "$rc" <<<"$3"
    holds "$1 to $2: over after $begun ms" [ "$begun" -lt $((3000 + 1000 * patience)) ]
    holds "$1 to $2: no process is left" gone "$folder"/pid.*
    holds "$1 to $2: nobody of ours speaks" [ "$(ours)" = 0 ]
}

struck KILL 1 137
holds "a file that was not complete is gone" left ./whole
struck TERM 1 143
holds "what is whole stays" left ./whole
# Of mpirun, which calls that a failure of its own.
struck TERM launcher '1 143'
holds "so it does when all are told" left ./whole
struck INT launcher '1 130'
holds "and when all are interrupted" left ./whole
struck KILL 0 137
finish

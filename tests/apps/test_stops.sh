#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs that stop before their end, by signals or because their time is up, and go on.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_hdf5 "nothing stops to go on"
cd "$work"
export STARPU_NCUDA=0
endless=(--size 31x33x35 --seed 3 --steps 1000000000)
program=
trap '[ -z "$program" ] || kill -KILL $program 2>/dev/null || true; rm -rf "$work"' EXIT

# listens: whether the program has a handler for SIGUSR1, which only a run that can stop has, and
# the shell that is about to become it. And whether it has none any more.
listens() {
    grep -qx zoid-heat "/proc/$program/comm" &&
        grep -q '^SigCgt:.*[2367abef]..$' "/proc/$program/status"
}
deaf() { grep -q '^SigCgt:.*[014589cd]..$' "/proc/$program/status"; }

# start COMMAND...: it runs, and can be stopped.
start() {
    "$@" >out 2>err </dev/null &
    program=$!
    holds "it listens: $*" until_it listens
}

# ended: waits for it, and sets rc.
ended() {
    rc=0
    wait $program || rc=$?
    program=
}

# stopped: with a checkpoint, from which it goes on.
stopped() {
    local step
    holds "$1: 5, not $rc" [ "$rc" = 5 ]
    holds "$1: one line" one_line
    says 'stopped after [0-9]+ of 1000000000 steps; --restart ck goes on from there'
    step=$(sed -n 's/.*stopped after \([0-9]*\) of.*/\1/p' err)
    holds "$1: the report has its steps" [ "$(value steps)" = "$step" ]
    holds "$1: nothing but a checkpoint is left" \
        [ "$(ls -A ck)" = "checkpoint-$(printf %012d "$step").h5" ]
    holds "$1: no dump is left" [ ! -e dump ]
    expect 0 "$heat" --restart ck --steps $((step + 5)) --quiet --dump a
    expect 0 "$heat" "${endless[@]}" --steps $((step + 5)) --depth 4 --quiet --dump b
    holds "$1: the same bytes after $step steps" cmp -s a b
    rm -rf ck a b
}

for signal in INT TERM HUP USR1; do
    share "$heat" "${endless[@]}" --depth 4
    # What a shell starts in the background ignores SIGINT, and under nohup SIGHUP, unless told.
    start env --default-signal=INT,HUP "$heat" "${endless[@]}" "${shared[@]}" --checkpoint ck \
        --depth 4 --dump dump
    kill -$signal $program
    ended
    stopped "SIG$signal"
done

# Of a pass that never ends: the second signal does not wait for it.
start "$heat" --dims 1 --size 100000 --steps 10000000 --method leaning --depth 10000000 \
    --checkpoint ck --quiet
kill -TERM $program
holds "one signal, and it listens to no more" until_it deaf
kill -TERM $program
ended
holds "the second signal ends it at once: $rc" [ "$rc" = 143 ]
holds "and leaves nothing" [ -z "$(ls -A ck)" ]
rm -rf ck

# Without a folder signals do what they always did.
"$heat" "${endless[@]}" --quiet >out 2>err &
program=$!
holds "it runs" until_it grep -qx zoid-heat "/proc/$program/comm"
kill -USR1 $program
ended
holds "SIGUSR1 ends a run without checkpoints: $rc" [ "$rc" = 138 ]

# The time that a job has.
observe "$heat" "${endless[@]}" --checkpoint ck --walltime 00:01 --depth 4
stopped "the time is up"
expect 0 "$heat" --size 20 --steps 20 --checkpoint ck --walltime 1:00:00
holds "a stop takes so long" [ -n "$(value stop.seconds)" ]
holds "a run that ends in time leaves no checkpoint" [ -z "$(ls -A ck)" ]
for time in 5 1:2:3:4 1:60 :30 1: 0:00 -1:00 1:xx ''; do
    expect 2 "$heat" --checkpoint ck --walltime "$time"
done

# Minutes from one checkpoint to the next.
start "$heat" "${endless[@]}" --checkpoint ck --checkpoint-minutes 0.0001 \
    --depth 4 --quiet
two() { [ "$(find ck -name 'checkpoint-*.h5' | wc -l)" -ge 2 ]; }
holds "two checkpoints come by themselves" until_it two
kill -TERM $program
ended
holds "and it stops: $rc" [ "$rc" = 5 ]
rm -rf ck

# The last one before the time is up waits for none that was begun just before, of a disk that takes
# 2 s for each.
if [ -z "$sanitized" ]; then
    preloaded broken_disk
    begun=${EPOCHREALTIME/./}
    observe env LD_PRELOAD="$work/broken_disk.so" SLOW_MS=1000 "$heat" "${endless[@]}" --depth 4 \
        --checkpoint ck --checkpoint-every 100 --walltime 00:05 --quiet
    took=$(((${EPOCHREALTIME/./} - begun) / 1000))
    holds "it stops: $rc" [ "$rc" = 5 ]
    holds "in time: after $took ms" [ "$took" -lt 6000 ]
    rm -rf ck
fi

# Several ranks stop after the same step, and another number of them goes on.
if has_ranks; then
    forgive_mpi
    launch=(mpirun --allow-run-as-root --oversubscribe -n)
    "${launch[@]}" 2 "$heat" "${endless[@]}" --depth 4 --checkpoint ck --checkpoint-every 100 \
        --quiet >out 2>err </dev/null &
    program=$!
    holds "two ranks leave checkpoints" until_it two
    kill -USR1 $program
    ended
    holds "two ranks stop: $rc" [ "$rc" = 5 ]
    holds "one of them says so" [ "$(ours)" = 1 ]
    step=$(sed -n 's/.*stopped after \([0-9]*\) of.*/\1/p' err)
    expect 0 "$heat" "${endless[@]}" --steps $((step + 5)) --depth 4 --quiet --dump b
    for n in 1 3; do
        observe "${launch[@]}" $n "$heat" --restart ck --steps $((step + 5)) --quiet --dump a
        holds "$n ranks go on after $step steps" cmp -s a b
    done
    rm -rf ck a b
fi

# A plan whose passes end soon enough, or none.
large=(--size 512 --steps 1000 --ram 4G --checkpoint ck --plan)
expect 0 "$heat" "${large[@]}"
depth=$(value depth) seconds=$(value stop.seconds)
expect 0 "$heat" "${large[@]}" --stop-within 00:02
holds "passes are less deep: $(value depth), not $depth" [ "$(value depth)" -lt "$depth" ]
holds "a stop is shorter: $(value stop.seconds), not $seconds" \
    awk "BEGIN { exit !($(value stop.seconds) <= 2 && $seconds > 2) }"
expect 3 "$heat" "${large[@]}" --stop-within 00:02 --depth "$depth"
says 'a stop may take [0-9.]+ s'
rm -rf ck
finish

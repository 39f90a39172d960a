#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Several ranks under Open MPI's mpirun: what they tell each other, what programs print, and how
# they end.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_mpirun

# refused CODE N COMMAND...: all end with that code, and one of them says why.
refused() {
    local code=$1
    shift
    ranks "$@"
    holds "exit code $rc instead of $code of ranks: $*" [ "$rc" = "$code" ]
    holds "$(ours) lines instead of 1 of ranks: $*" [ "$(ours)" = 1 ]
    holds "something on stdout of ranks: $*" [ ! -s "$work/out" ]
}

for n in 1 3; do
    suite_on_ranks "$n" runtime_ranks_test_ranks "tell each other what they should"
done

for n in 2 3; do
    suite_on_ranks "$n" runtime_ranks_test_jobs "run legs, and stop together"
done
suite_on_ranks 2 runtime_session_test_turns "run sessions in turns"
suite_on_ranks 4 runtime_ranks_test_nap "nap when they wait for each other"

ranks 2 "$info"
holds "two ranks describe the machine: $rc" [ "$rc" = 0 ]
holds "they are two" [ "$(value ranks)" = 2 ]
holds "one of them speaks" [ "$(grep -c '^cpu ' "$work/out")" = 1 ]
ranks 2 "$heat" --help
holds "--help is said once" [ "$(grep -c '^Usage:' "$work/out")" = 1 ]

# MPI that the program has started is used, and left to it; it needs threads that speak at once.
# Sanitizers want to be loaded first.
if [ -z "$sanitized" ]; then
    for level in 2 3; do # MPI_THREAD_SERIALIZED and MPI_THREAD_MULTIPLE, as Open MPI counts
        "$(cached CMAKE_C_COMPILER)" -std=gnu11 -O2 -Wall -shared -fPIC "-DLEVEL=$level" \
            -o "$work/level$level.so" "$(dirname "$0")/../outside/callers_mpi.c"
    done
    ranks 2 -x "LD_PRELOAD=$work/level3.so" "$info"
    holds "ranks whose program has started MPI end with $rc" [ "$rc" = 0 ]
    holds "they are two, too" [ "$(value ranks)" = 2 ]
    refused 4 2 -x "LD_PRELOAD=$work/level2.so" "$info" && says MPI_THREAD_MULTIPLE
fi

# ---- who has which part of the host

# has N WHAT: each of N ranks has it, in its line.
has() { [ "$(grep -cE "^rank\.[0-9]+ .* $2( |\$)" "$work/out")" = "$1" ]; }
# apart N: the N ranks have different processors, and are bound to them.
apart() {
    [ "$(sed -n 's/^rank.* cpus \([0-9,-]*\) .*/\1/p' "$work/out" | sort -u | wc -l)" = "$1" ]
}
unset STARPU_WORKERS_NOBIND
cores=$("$info" | awk '$1 == "cores" { print $2 }')
if [ "$cores" -ge 2 ]; then
    ranks 2 "$info"
    holds "what mpirun binds to without being asked is shared out" has 2 "cores $((cores / 2))"
    holds "by us" has 2 'bound zoid'
    holds "each has its own" apart 2
    ranks 2 --bind-to none "$info"
    holds "so is what is not bound" has 2 'bound zoid'
    holds "each has its own there, too" apart 2
    ranks 2 --bind-to core "$info"
    holds "a binding that was asked for stays" has 2 'cores 1 cpus [0-9,-]+ bound launcher'
    ranks 2 --map-by core:pe=1 "$info"
    holds "so does one that is asked for like this" has 2 'cores 1 cpus [0-9,-]+ bound launcher'
    STARPU_WORKERS_NOBIND=1 ranks 2 "$info"
    holds "who binds nothing shares numbers only" has 2 'bound nobody'
    STARPU_NCPU=1 ranks 2 "$info"
    holds "who wants one worker gets one" has 2 'workers.cpu 1'
fi
ranks 1 "$info"
holds "one rank has the whole host, whatever mpirun binds to" \
    [ "$(value workers.cpu)" = "$("$info" | awk '$1 == "workers.cpu" { print $2 }')" ]
holds "and no line of its own" has 0 host
many=$((cores + 1))
observe mpirun --allow-run-as-root --host "localhost:$many" -n "$many" "$info"
holds "more ranks than cores end with $rc" [ "$rc" = 4 ]
says '^zoid-info: .*--oversubscribe'
observe mpirun --allow-run-as-root --host "localhost:$many" -n "$many" "$info" --oversubscribe
holds "more ranks than cores run where that is wanted: $rc" has "$many" 'cores 1'
ranks "$many" "$info"
holds "mpirun's word for it will do: $rc" has "$many" 'cores 1'

ranks 2 "$apps/zoid-bench" --what messages --rounds 1
holds "messages are measured: $rc" [ "$(grep -c '^messages block .* us an end$' "$work/out")" = 3 ]
ranks 2 "$apps/zoid-bench" --what run --method leaning --size 40x36x64 --steps 48 --block 8 \
    --depth 3 --rounds 2 --ranks 2x1 --oversubscribe
holds "runs are measured: $rc" [ "$rc $(value rounds) $(value ranks)" = "0 2 2x1x1" ]
holds "with what they send" [ "$(value bytes.mpi)" -gt 0 ]
holds "and the whole domain: $(value bytes.domain)" \
    [ "$(value bytes.domain)" -ge $((40 * 36 * 64 * 4)) ]

# ---- how they end

refused 2 2 "$heat" --foo && says "no option '--foo'"
refused 4 2 "$heat" --dims 1 --size 1 --steps 2 && says ranks
refused 2 2 "$info" --disk . && says calibrate
refused 4 2 "$info" --calibrate --disk . && says mpirun
refused 4 2 "$apps/zoid-bench" && says mpirun

# Launchers that this MPI does not know: all fail, and the first says why.
slurm=(SLURM_STEP_NUM_TASKS=2 SLURM_JOB_ID=7 SLURM_STEP_ID=0 SLURM_NODELIST=host)
for other in "PMI_SIZE=2 PMI_RANK=" "${slurm[*]} SLURM_PROCID="; do
    # shellcheck disable=SC2086 # several variables
    expect 4 env ${other}0 "$info" && says 'srun --mpi=pmix'
    # shellcheck disable=SC2086
    observe env ${other}1 "$info"
    holds "the second fails too, with $rc" [ "$rc" = 4 ]
    holds "the second says something" [ ! -s "$work/err" ]
done
finish

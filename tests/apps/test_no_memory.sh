#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs that are out of memory once (tests/outside/no_memory.c), wherever that is: they say so in a
# line and end with 4, or do without.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
[ -z "$sanitized" ] || { echo "what is preloaded comes before a sanitizer"; exit 77; }
preloaded no_memory
mkdir "$work/disk"
export STARPU_NCUDA=0 STARPU_NCPU=1

# ends WHAT STEP COMMAND...: without each STEP-th allocation, from the first ones to the last; each
# with ZOID_EFFORT=long. What `run` says runs the command.
ends() {
    local what=$1 at every=0
    [ "$effort" != long ] || every=1
    $run "${@:3}" --dump "$work/whole"
    holds "$what runs where there is memory: $rc" [ "$rc" = 0 ]
    for ((at = 1; ; at += at < 8 || every == 1 ? 1 : $2)); do
        rm -f "$work/dump"
        $run env "LD_PRELOAD=$work/no_memory.so" NO_MEMORY_AT=$at "${@:3}" --dump "$work/dump"
        grep -q 'there is no memory' "$work/err" || break
        if [ "$rc" = 0 ]; then
            holds "$what, without allocation $at: other bytes" cmp "$work/whole" "$work/dump"
            continue
        fi
        holds "$what, without allocation $at: exit code $rc" [ "$rc" = 4 ]
        holds "$what, without allocation $at: $(ours) lines instead of 1" [ "$(ours)" = 1 ]
        says 'out of memory'
        holds "$what, without allocation $at: no dump" [ ! -e "$work/dump" ]
    done
    holds "$what has many allocations: $at" [ "$at" -gt 40 ]
}

box=("$heat" --size 32x32x32 --steps 8 --method leaning --block 8 --depth 2)
run=observe
ends "one process" 3 "${box[@]}"
ends "a run beside a disk" 25 "$heat" --size 80x76x600 --steps 4 --method leaning --block 32 \
    --depth 2 --overlap off --disk "$work/disk" --ram 12M
if has_ranks; then
    run='ranks 2'
    # The launcher would give the other rank a second to end.
    export OMPI_MCA_odls_base_sigkill_timeout=0
    ends "two ranks" 29 "${box[@]}" --oversubscribe
fi
finish

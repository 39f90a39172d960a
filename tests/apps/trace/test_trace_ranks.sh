#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# --trace of several ranks: StarPU's files of each, one picture of all, on one clock.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../../apps/lib.sh"
need_mpirun
cd "$work" || exit
draw=$apps/zoid-trace
# Enough, and a start need not fill 64 MiB a rank.
export STARPU_TRACE_BUFFER_SIZE=8

run=("$heat" --size 48x48x64 --steps 24 --method leaning --block 16 --depth 4 --trace traces)
if lacks FxT; then
    ranks 2 "${run[@]}"
    holds "ranks without FxT end with $rc" [ "$rc" = 4 ]
    holds "$(ours) lines instead of 1" [ "$(ours)" = 1 ]
    finish
    exit
fi

# total KEY: the sum of what follows that word in the summary's lines of workers.
total() {
    awk -v key="$1" 'index($0, ": blocks ") {
        for (i = 1; i < NF; i++) if ($i == key) sum += $(i + 1) } END { print sum + 0 }' \
        traces/summary.txt
}

# near A B: within 2 ms, or 5 %.
near() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(d * d <= (0.002 + 0.05 * b) ^ 2) }'; }

for n in 3 2; do
    ranks "$n" "${run[@]}"
    holds "$n ranks are traced: $rc" [ "$rc" = 0 ]
    holds "$n ranks, nothing on stderr" [ ! -s err ]
    for ((r = 0; r < n; r++)); do
        for file in "prof_file_${USER:-}_$r" paje.trace tasks.rec dag.dot; do
            holds "rank $r of $n has its $file" [ -s "traces/rank.$r/$file" ]
        done
        holds "rank $r of $n is in the sums" grep -q "^rank $r CPU 0: blocks [1-9]" \
            traces/summary.txt
    done
    holds "the sums are of $n ranks" grep -qx "ranks $n" traces/summary.txt
    holds "all blocks of $n ranks are there" [ "$(value tasks)" = "$(total blocks)" ]
    holds "$n ranks waited $(value waiting), and by the trace $(total held)" \
        near "$(value waiting)" "$(total held)"
    holds "no temporaries of $n ranks are" [ -z "$(find traces -name '.*' -type f)" ]
    for file in gantt.png gantt.svg; do
        cp "traces/$file" first
        expect 0 "$draw" traces
        holds "the same $file of $n ranks once more" cmp first "traces/$file"
    done
done
mv traces/rank.1/tasks.rec kept
expect 4 "$draw" traces && says 'cannot read .*traces/rank.1/tasks.rec'
mv kept traces/rank.1/tasks.rec
for said in 0 -2 2x 99999999999 several; do
    sed "s/^ranks .*/ranks $said/" traces/summary.txt >kept
    mkdir bad
    mv kept bad/summary.txt
    expect 4 "$draw" bad && says "bad/summary.txt speaks of '$said' ranks"
    holds "$said ranks are not drawn" [ ! -e bad/gantt.svg ]
    rm -r bad
done

# What runs nothing leaves nothing, and what cannot be written is found before computing.
ranks 2 "${run[@]}" --trace none --plan --quiet
holds "a plan of ranks is not traced: $rc" [ "$rc" = 0 ]
holds "and leaves no folder" [ ! -e none ]
ranks 2 "${run[@]}" --trace none --ram 1
holds "a refused run of ranks: $rc" [ "$rc" = 3 ]
holds "leaves no folder either" [ ! -e none ]
touch file
mkdir -p half
touch half/rank.1
for folder in file missing/x half; do
    ranks 2 "${run[@]}" --steps 1000000 --trace "$folder"
    holds "--trace $folder of ranks: exit code $rc instead of 4" [ "$rc" = 4 ]
    holds "--trace $folder: $(ours) lines instead of 1" [ "$(ours)" = 1 ]
    says 'cannot write a trace into'
done
holds "what one rank cannot write no rank leaves" [ ! -e half/rank.0 ]

# Where the files of one rank cannot be made, the report is there, and what all ranks have recorded.
mkdir -p part/rank.1/paje.trace
ranks 2 "${run[@]}" --trace part --report report
holds "a trace that cannot be converted: exit code $rc instead of 4" [ "$rc" = 4 ]
holds "it is said in $(ours) lines instead of 1" [ "$(ours)" = 1 ]
says "part/rank.1/prof_file_.*starpu_fxt_tool"
holds "the report is there" [ -s report ]
holds "both raw traces are" [ "$(find part -name 'prof_file*' -size +0 | wc -l)" = 2 ]
holds "so are the other rank's files" [ -s part/rank.0/tasks.rec ]
holds "nobody takes that for a whole trace" [ ! -e part/summary.txt ]

# One clock, also where hosts have clocks of their own, or play that they have.
traced=$ZOID_BUILD_DIR/tests/runtime_trace_test_ranks
export CK_FORK=no
for n in 2 3; do
    rm -rf trace-of-ranks
    suite_on_ranks "$n" runtime_trace_test_ranks "are on one clock"
done
later=(unshare --time --monotonic 5000 --fork)
if "${later[@]}" true 2>/dev/null; then
    rm -rf trace-of-ranks
    observe mpirun --allow-run-as-root --oversubscribe -n 1 "$traced" : -n 1 "${later[@]}" "$traced"
    holds "so are ranks with other clocks: $(cat out)" [ "$rc" = 0 ]
    holds "both were tested" [ "$(grep -c '^100%' out)" = 2 ]
fi
finish

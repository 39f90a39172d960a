#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# --trace from outside: the files it leaves, what they say beside the report, and what is refused.
. "$(dirname "$0")/../../apps/lib.sh"
cd "$work" || exit
draw=$apps/zoid-trace
small=(--size 24x24x96 --steps 8)
files="dag.dot gantt.png gantt.svg paje.trace tasks.rec"

if lacks FxT; then
    expect 4 "$heat" "${small[@]}" --trace traces
    says 'FxT.*scripts/setup'
    holds "a refused trace makes no folder" [ ! -e traces ]
    finish
    exit
fi

# total workers|links KEY: the sum of what follows that word in the summary's lines of either kind.
total() {
    local first=blocks
    [ "$1" = workers ] || first=transfers
    awk -v first=": $first " -v key="$2" '
        index($0, first) { for (i = 1; i < NF; i++) if ($i == key) sum += $(i + 1) }
        END { print sum + 0 }' traces/summary.txt
}

# positions: how many pairs of pass and position the records of what ran on a worker have; StarPU's
# own tasks, which run nowhere, may have any.
positions() {
    awk -v RS= '/\nWorkerId: / && match($0, /\nIteration: [0-9]+ [0-9]+\n/) {
        pairs += !seen[substr($0, RSTART, RLENGTH)]++ } END { print pairs + 0 }' traces/tasks.rec
}

# near A B: within 5 %.
near() {
    awk -v a="$1" -v b="$2" \
        'BEGIN { d = a - b; m = a > b ? a : b; exit !(d * d <= (0.05 * m) ^ 2) }'
}
agree() { holds "$1: $2 and $3" near "$2" "$3"; }

# busy: what the report says of the seconds of work.
busy() {
    awk -v s="$(value seconds)" -v b="$(value busy_workers)" 'BEGIN { print s * b }'
}

# agrees: the trace of the last run says the same as its report.
agrees() {
    holds "every block is in the trace" [ "$(value tasks)" = "$(total workers blocks)" ]
    agree "seconds" "$(value seconds)" "$(awk '$1 == "seconds" { print $2 }' traces/summary.txt)"
    agree "seconds of work" "$(total workers busy)" "$(busy)"
    agree "bytes moved" "$(total links bytes)" \
        "$(awk '/^bytes\.(h2d|d2h|p2p) / { sum += $2 } END { print sum + 0 }' out)"
}

# traced OPTIONS...: a run with a trace. Where other programs want the cores, a worker may lose its
# own between two clocks: one run of five is left alone.
traced() {
    for _ in 1 2 3 4 5; do
        expect 0 "$heat" "$@" --trace traces
        if near "$(total workers busy)" "$(busy)" &&
            near "$(value seconds)" "$(awk '$1 == "seconds" { print $2 }' traces/summary.txt)"; then
            break
        fi
    done
}

# A run of some size, with blocks of some milliseconds.
some=(--size 160x160x256 --steps 24 --method leaning --block 32 --depth 4)
expect 0 "$heat" "${some[@]}" --trace traces
for file in $files; do
    holds "there is $file" [ -s "traces/$file" ]
done
holds "there is one raw trace" [ "$(find traces -name 'prof_file*' | wc -l)" = 1 ]
holds "the folder has no temporaries" [ -z "$(find traces -name '.*' -type f)" ]
holds "gantt.png is a PNG" [ "$(head -c 4 traces/gantt.png | tail -c 3)" = PNG ]
holds "gantt.svg is an SVG" grep -q '<svg' traces/gantt.svg
holds "gantt.svg is whole" [ "$(tail -n 1 traces/gantt.svg)" = "</svg>" ]
# The pictures of a run can be had again, from the other files; without them there are none.
mkdir first
mv traces/gantt.* first
expect 0 "$draw" traces
holds "zoid-trace prints nothing" [ ! -s out ]
for file in gantt.png gantt.svg; do
    holds "the same $file once more" cmp "first/$file" "traces/$file"
done
cp -r traces partial
for file in summary.txt paje.trace tasks.rec; do
    mv "partial/$file" kept
    expect 4 "$draw" partial
    says "cannot read .*partial/$file"
    mv kept "partial/$file"
done
rm -r partial
expect 0 "$draw" --help
holds "--help says how to use it" grep -q '^Usage: zoid-trace \[OPTION...\] DIR$' out
expect 0 "$draw" --version
expect 2 "$draw" && says 'no DIR.*zoid-trace DIR'
expect 2 "$draw" traces traces && says 'one DIR too many'
expect 2 "$draw" '' && says 'DIR'
expect 2 "$draw" --nothing && says 'nothing'
expect 4 "$draw" no/such && says 'cannot read no/such/summary.txt.*--trace'
traced "${some[@]}"
holds "every block has its pass and position" [ "$(positions)" = "$(value tasks)" ]
agrees
# Thousands of blocks of some microseconds, for which StarPU's own time counts.
many=(--size 48x48x1000 --steps 200 --method leaning --block 8 --depth 4)
traced "${many[@]}"
agrees

# Members of a team are at work as long as its blocks are, which count once.
team=(--size 160x160x64 --steps 12 --method trapezoid --block 64 --team 2)
observe env STARPU_NCPU=3 "$heat" "${team[@]}" --trace traces
holds "a team's trace: $rc" [ "$rc" = 0 ]
holds "every block counts once" [ "$(value tasks)" = "$(total workers blocks)" ]
holds "a title: $(head -n 1 traces/summary.txt)" grep -q '^run .*, teams of 2$' traces/summary.txt
read -ra each <<<"$(awk '/: blocks / { print $6 }' traces/summary.txt | xargs)"
holds "two cores are at work, and not a third: ${each[*]}" \
    [ "${#each[@]} ${each[0]} ${each[2]}" = "3 ${each[1]} 0" ]
holds "for some time: ${each[0]}" [ "${each[0]}" != 0 ]

# Places that share the domain: the plan of each, and the way of the border between them.
shared=(--size 64x64x160 --steps 96 --balance split --places cores:1+cores:1 --epoch 4
    --cores-method overlapped --method leaning --split-at 12)
expect 0 env STARPU_NCPU=2 ZOID_SLOW=1:3@8 "$heat" "${shared[@]}" --trace traces
holds "the plan of the first place" grep -q '^place 0: overlapped, block' traces/summary.txt
holds "the plan of the second" grep -q '^place 1: leaning, block' traces/summary.txt
way="first 12 last $(value border.last) planes 160 moves $(value border.moves)"
holds "it moves: $way" [ "$(value border.moves)" -gt 0 ]
holds "the way of the border: $way" grep -qx "border 0: $way" traces/summary.txt

# A folder that is there is used again; a relative one, a deep one and one with a slash are folders.
expect 0 "$heat" "${small[@]}" --trace traces
holds "the new trace replaced the old one" [ "$(value tasks)" = "$(total workers blocks)" ]
mkdir -p a/b
for folder in a/b/c "$PWD/d/" "a/with space"; do
    expect 0 "$heat" "${small[@]}" --quiet --trace "$folder"
    holds "a trace in $folder" [ -s "$folder/gantt.png" ]
done
# Nothing to do is a run too.
expect 0 "$heat" "${small[@]}" --steps 0 --quiet --trace zero
holds "a run of no steps has a picture" [ -s zero/gantt.svg ]
# Nor do StarPU's own variables get in the way.
observe env STARPU_FXT_TRACE=0 STARPU_FXT_PREFIX=/dev/null STARPU_FXT_SUFFIX=mine USER=me \
    "$heat" "${small[@]}" --quiet --trace env
holds "--trace counts more than the environment: $rc" [ "$rc" = 0 ]
holds "the raw trace has StarPU's name" [ -s env/prof_file_me_0 ]

# Nor does it matter which fonts there are.
expect 0 env FONTCONFIG_FILE=/nonexistent FONTCONFIG_PATH=/nonexistent \
    "$heat" "${small[@]}" --quiet --trace fonts

# What runs nothing leaves nothing.
expect 0 "$heat" "${small[@]}" --plan --quiet --trace none
expect 3 "$heat" --size 512 --ram 1M --trace none
holds "no run, no folder" [ ! -e none ]
expect 3 "$heat" --size 512 --ram 1M --trace a
holds "no run leaves a folder as it was" [ "$(find a -maxdepth 1 -type f | wc -l)" = 0 ]

# Folders that cannot be written are found before computing: this run would take hours.
long=(--size 512 --steps 1000000)
touch file
ln -s nowhere link
for folder in file missing/x link /proc/x /dev/null "$(printf '%01000d' 0)"; do
    expect 4 "$heat" "${long[@]}" --trace "$folder"
    says 'cannot write a trace into'
    holds "--trace $folder prints nothing" [ ! -s out ]
done
if [ "$(id -u)" != 0 ]; then
    mkdir -m 500 locked
    expect 4 "$heat" "${long[@]}" --trace locked
fi
expect 2 "$heat" "${small[@]}" --trace

# A full buffer.
observe env STARPU_TRACE_BUFFER_SIZE=1 "$heat" --size 8x8x2000 --steps 200 --method leaning \
    --block 4 --depth 4 --quiet --trace full
holds "an overflow is no failure: $rc" [ "$rc" = 0 ]
says '^zoid: full: .*overflowed.*STARPU_TRACE_BUFFER_SIZE'
# Full disks, played by a limit on the size of files, in units of 512 bytes: one without room for
# the head of a raw trace, and one that is full when the files are made.
# shellcheck disable=SC2016 # the inner shell's
limited='ulimit -f "$0"; trap "" XFSZ; exec "$@"'
expect 4 sh -c "$limited" 8 "$heat" "${long[@]}" --trace disk
says 'cannot write a trace into disk: File too large'
holds "what cannot be traced is not computed" [ ! -s out ]
holds "no room, no folder" [ ! -e disk ]
expect 4 sh -c "$limited" 16384 "$heat" "${many[@]}" --trace disk
holds "the run's report is there all the same" [ "$(value steps)" = 200 ]
cp traces/gantt.png before.png
expect 4 sh -c "$limited" 8 "$draw" traces
holds "a picture that cannot be drawn leaves the last one" cmp before.png traces/gantt.png
holds "and no temporaries" [ -z "$(find traces -name '.*' -type f)" ]
finish

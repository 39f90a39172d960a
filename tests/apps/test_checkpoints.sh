#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Checkpoints, and runs that go on from them: the same bytes whatever computes what is left; what is
# refused, what is passed over, and what is left where a disk is full.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_hdf5 "there are no checkpoints"
cd "$work"
wave=$apps/zoid-wave
export STARPU_NCUDA=0

# kept: the steps of the checkpoints in a folder; anything else in it by its name.
kept() {
    find "$1" -mindepth 1 -printf '%f\n' | sed 's/^checkpoint-0*\([0-9]*\)\.h5$/\1/' | sort |
        paste -sd' '
}

# ---- the same bytes ------------------------------------------------------------------------------

# goes_on STEPS EVERY OPTIONS... -- OTHERS...: a run of so many steps, and one of as many that
# begins with these options and goes on with the others.
goes_on() {
    local steps=$1 every=$2 first=() others=()
    shift 2
    while [ "$1" != -- ]; do first+=("$1") && shift; done
    others=("${@:2}")
    rm -rf ck
    expect 0 "$run" "${first[@]}" --steps "$steps" --dump a --quiet
    share "$run" "${first[@]}" --steps "$steps"
    expect 0 "$run" "${first[@]}" "${shared[@]}" --steps $((steps - 1)) --checkpoint ck \
        --checkpoint-every "$every" --quiet
    share "$run" --restart ck --steps "$steps" "${others[@]}"
    others+=("${shared[@]}")
    expect 0 "$run" --restart ck --steps "$steps" "${others[@]}" --dump b
    holds "it goes on from ${first[*]} with ${others[*]}" cmp -s a b
    holds "its steps are all of them" [ "$(value steps)" = "$steps" ]
    holds "it has begun at a multiple of $every" [ $(($(value start) % every)) = 0 ]
}

goes_on 11 4 --operator heat --size 1 --dims 1 -- --method naive
goes_on 23 5 --operator wave --dims 1 --size 501 --type f64 --radius 3 -- --method trapezoid
goes_on 30 7 --operator wave --size 19x23x31 --radius 4 --boundary sponge -- --method leaning
goes_on 17 3 --operator fdtd2d --size 41x37 --method leaning -- --method recursive
goes_on 13 6 --operator seismic --size 15x14x17 --method overlapped -- --cells 2x2
goes_on 21 10 --operator heat --size 23x9x5 --radius 6 --boundary neumann -- --block 3
goes_on 9 2 --operator life3d --size 17x13x11 --boundary periodic -- --method trapezoid
goes_on 16 8 --operator jacobi2d --size 33x29 --seed 7 --depth 3 -- --depth 8 --cells 3x2

# Coefficients that are in it are not made again.
rm -rf ck
small=(--size 24x20x16 --seed 5)
expect 0 "$wave" "${small[@]}" --steps 20 --dump a --quiet
expect 0 "$wave" "${small[@]}" --steps 15 --checkpoint ck --checkpoint-every 10 \
    --checkpoint-coefficients --quiet
expect 0 "$wave" --restart ck --steps 20 --dump b --quiet
holds "coefficients from a checkpoint" cmp -s a b
size=$(stat -c %s ck/checkpoint-000000000010.h5)
holds "three fields are in it, and little else" [ $((size - 3 * 4 * 24 * 20 * 16)) -lt 65536 ]

# The check begins where the run does, and says so.
observe "$wave" --restart ck --steps 20 --check
holds "a check after a restart" [ "$rc $(value check)" = '0 passed' ]
says 'begins with the checkpoint, at step 10'

# All that was asked for first need not be asked for again, --steps included.
expect 0 "$wave" --restart ck --dump b --report r.json
holds "steps, and the seed, are those of then" [ "$(value steps) $(value seed)" = '15 5' ]
holds "nothing to do is no failure" \
    "$wave" --restart ck --steps 10 --quiet --dump c
expect 0 "$wave" "${small[@]}" --steps 10 --dump d --quiet
holds "its dump is the checkpoint's state" cmp -s c d

# Coefficients of a file are made again from it, and have to be what they were.
rm -rf ck
perl -e 'print pack("f<*", map { 0.01 + 0.0001 * ($_ % 97) } 1 .. 24 * 20 * 16)' >v.raw
expect 0 "$wave" "${small[@]}" --coefficient v2=v.raw --steps 20 --dump a --quiet
expect 0 "$wave" "${small[@]}" --coefficient v2=v.raw --steps 15 --checkpoint ck \
    --checkpoint-every 10 --quiet
expect 0 "$wave" --restart ck --steps 20 --dump b --quiet
holds "coefficients from a file" cmp -s a b
perl -e 'print pack("f<*", map { 0.01 + 0.0001 * ($_ % 89) } 1 .. 24 * 20 * 16)' >v.raw
expect 2 "$wave" --restart ck --steps 20
says 'the coefficients have the sum [0-9a-f]+, and those of the checkpoint .*10\.h5'
perl -e 'print pack("f<*", map { 0.5 + 0.001 * ($_ % 97) } 1 .. 24 * 20 * 16)' >u.raw
rm -rf ck
expect 0 "$wave" "${small[@]}" --init u=u.raw --steps 20 --dump a --quiet
expect 0 "$wave" "${small[@]}" --init u=u.raw --steps 15 --checkpoint ck --checkpoint-every 10 \
    --quiet
rm u.raw
expect 0 "$wave" --restart ck --steps 20 --dump b --quiet
holds "a state that began with a file, which is gone" cmp -s a b
perl -e 'print pack("f<*", map { 0.5 + 0.001 * ($_ % 89) } 1 .. 24 * 20 * 16)' >other.raw
expect 2 "$wave" --restart ck --init u=other.raw
says 'init is not what the checkpoint .*10\.h5 was begun with'

# ---- sources and receivers -----------------------------------------------------------------------

rm -rf ck
shot=(--size 24x20x16 --init point --source "5,6,7:ricker:0.1" --source "8,9.5,10:ricker:0.05")
seen=(--receivers "z=8:4" --receivers "12,10,8")
expect 0 "$wave" "${shot[@]}" "${seen[@]}" --steps 20 --record whole.npy --dump a --quiet
expect 0 "$wave" "${shot[@]}" "${seen[@]}" --steps 15 --record part.npy --checkpoint ck \
    --checkpoint-every 6 --quiet
# One that goes on, then another that goes on from that, which has all that has been seen.
expect 0 "$wave" --restart ck --steps 18 --record part.npy --checkpoint ck --checkpoint-every 7 \
    --quiet --block 3
expect 0 "$wave" --restart ck --steps 20 --record b.npy --dump b --quiet
holds "it went on twice: $(kept ck)" [ "$(kept ck)" = '12 14' ]
holds "sources go on" cmp -s a b
holds "and so does the record, from the first step" cmp -s whole.npy b.npy
expect 0 "$wave" --restart ck "${shot[@]}" "${seen[@]}" --steps 20 --record b.npy --dump b --quiet
holds "what is said again is not there twice" cmp -s a b
holds "nor are its receivers" cmp -s whole.npy b.npy
if has_ranks; then
    options=${ASAN_OPTIONS-}
    forgive_mpi
    expect 0 mpirun --oversubscribe -n 2 "$wave" --oversubscribe --restart ck --steps 20 \
        --record b.npy --dump b --quiet
    ASAN_OPTIONS=$options
    holds "on two ranks" cmp -s a b
    holds "with the same record" cmp -s whole.npy b.npy
fi
expect 2 "$wave" --restart ck --steps 20
says 'with --record'
expect 2 "$wave" --restart ck --source 5,6,7:ricker:0.2 --record b.npy
says 'source is not what the checkpoint .*14\.h5 was begun with'
expect 2 "$wave" --restart ck --receivers z=7:4 --record b.npy
says 'receivers is not what'
# The first 1 is the amplitude of the source, or what was seen of the point itself.
newest=ck/checkpoint-000000000014.h5
at=$(LC_ALL=C grep -obUaP -m1 '\x00{6}\xf0\x3f' $newest | cut -d: -f1 | sed -n 1p)
printf '\x01' | dd of=$newest bs=1 seek="$at" conv=notrunc status=none
observe "$wave" --restart ck --steps 20 --record b.npy --dump b --quiet
holds "a damaged table is passed over" [ "$rc" = 0 ]
says 'passed over: .*14\.h5 is damaged: (settings/sources|numbers) has other bytes'
holds "with the same end" cmp -s whole.npy b.npy

# ---- two are kept --------------------------------------------------------------------------------

rm -rf ck
expect 0 "$heat" "${small[@]}" --steps 35 --checkpoint ck --checkpoint-every 10
holds "two are kept: $(kept ck)" [ "$(kept ck)" = '20 30' ]
holds "three were written" [ "$(value checkpoints.written)" = 3 ]
observe "$heat" "${small[@]}" --checkpoint ck
holds "another run's are not removed" [ "$rc" = 2 ]
says 'ck has checkpoints of another run.*--restart ck'
expect 0 "$heat" --restart ck/checkpoint-000000000020.h5 --checkpoint ck --checkpoint-every 5 \
    --steps 26 --quiet
holds "those of a future that is not are: $(kept ck)" [ "$(kept ck)" = '20 25' ]
expect 0 "$heat" --restart ck --checkpoint other --checkpoint-every 3 --steps 28 --quiet
holds "a folder is made" [ "$(kept other)" = 27 ]

# Its lines are of the whole way, and the first and the last leg have none of their own.
observe "$heat" "${small[@]}" --steps 20 --checkpoint way --checkpoint-every 6 --progress --quiet
holds "one line of progress: $(cat "$work/err")" [ "$rc $(wc -l <"$work/err")" = '0 1' ]
says '^100\.0 %  step 20/20  [0-9.]+ GUP/s  0 s left  checkpoint of step (12|18)$'

# ---- what contradicts a checkpoint ---------------------------------------------------------------

for contradiction in '--size 25' '--type f64' '--radius 2' '--seed 6' '--init zero' \
    '--lambda 0.05' '--boundary neumann' '--steps 24'; do
    # shellcheck disable=SC2086 # an option and its value
    expect 2 "$heat" --restart ck $contradiction
    says "${contradiction%% *} .*contradicts the checkpoint .*25\.h5"
done
expect 2 "$wave" --restart ck
says 'heat3d_r1_f32'
expect 0 "$heat" --restart ck "${small[@]}" --boundary dirichlet --type f32 --quiet

# ---- what is not whole ---------------------------------------------------------------------------

expect 0 "$heat" "${small[@]}" --steps 40 --dump a --quiet
newest=ck/checkpoint-000000000025.h5
cp $newest whole
at=$(($(stat -c %s $newest) / 2))
printf '\xff\x00\xff\x00' | dd of=$newest bs=1 seek=$at conv=notrunc status=none
observe "$heat" --restart ck --steps 40 --dump b --quiet
holds "a damaged one is passed over" [ "$rc" = 0 ]
says 'passed over: .*25\.h5 is damaged: u has other bytes, in MiB 0'
holds "and the one before it leads to the same" cmp -s a b
for length in 0 100 5000 $(($(stat -c %s whole) - 1)); do
    cp whole $newest && truncate -s "$length" $newest
    observe "$heat" --restart ck --steps 40 --dump b --quiet
    holds "cut off after $length bytes: passed over" [ "$rc $(wc -l <"$work/err")" = '0 1' ]
done
observe "$heat" --restart $newest --steps 40
holds "nothing else is named, so there is none" [ "$rc $(wc -l <"$work/err")" = '4 2' ]
says 'no checkpoint in .*25\.h5 is whole'
expect 4 "$heat" --restart nowhere
mkdir empty
expect 4 "$heat" --restart empty
expect 4 "$heat" "${small[@]}" --checkpoint missing/folder
expect 4 "$heat" "${small[@]}" --checkpoint whole
for lone in '--checkpoint-every 3' '--checkpoint-minutes 1' '--walltime 1:00' \
    '--stop-within 1:00' --checkpoint-coefficients; do
    # shellcheck disable=SC2086
    expect 2 "$heat" "${small[@]}" $lone
    says "${lone%% *} .*--checkpoint"
done

# ---- while the run goes on -----------------------------------------------------------------------

# waited WHAT TEST: how long the run halted for them, of a disk that takes 0.6 s for each.
waited() {
    holds "$1: halted for $(value checkpoints.seconds) s" \
        awk "BEGIN { exit !($(value checkpoints.seconds) $2) }"
}
if [ -z "$sanitized" ]; then
    preloaded broken_disk
    slow=(env LD_PRELOAD="$work/broken_disk.so" SLOW_MS=600)
    long=(--size 32x32x16 --seed 5 --method naive --steps 20000)
    rm -rf ck
    expect 0 "${slow[@]}" "$heat" "${long[@]}" --checkpoint ck --checkpoint-every 1000 --steps 1999
    holds "it is there when the run has ended: $(kept ck)" [ "$(kept ck)" = 1000 ]
    rm -rf ck
    expect 0 "${slow[@]}" "$heat" "${long[@]}" --checkpoint ck --checkpoint-every 10000
    waited "two, the first written while the run goes on, the second waited for" '< 1.15'
    holds "memory is there for that" [ "$(value checkpoints.staging_mib)" -gt 0 ]
    holds "both are there: $(kept ck)" [ "$(kept ck)" = '10000 20000' ]
fi

# ---- a full disk ---------------------------------------------------------------------------------

# At any moment: what was there is whole. Sanitizers want to be loaded first.
if [ -z "$sanitized" ]; then
    preloaded broken_disk
    expect 0 "$heat" "${small[@]}" --steps 90 --dump a --quiet
    for after in 0 1 2 3 4 5 6 7 23 40; do
        rm -rf full
        observe env LD_PRELOAD="$work/broken_disk.so" BROKEN=pwrite BROKEN_AFTER=$after \
            "$heat" "${small[@]}" --steps 90 --checkpoint full --checkpoint-every 2 --quiet
        holds "full after $after writes: 4, not $rc" [ "$rc" = 4 ]
        holds "full after $after writes: one line" one_line
        says 'full/checkpoint-[0-9]*\.h5'
        holds "nothing but checkpoints is left: $(kept full)" \
            [ -z "$(kept full | tr -d '0-9 ')" ]
        [ -z "$(kept full)" ] || holds "and a run goes on from them" \
            "$heat" --restart full --steps 90 --quiet --dump b
        [ -z "$(kept full)" ] || holds "to the same state" cmp -s a b
    done
fi
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Snapshots: which there are, what is in them, and the list of them.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_hdf5 "there are no snapshots"
cd "$work"
wave=$apps/zoid-wave
small=(--size 24x20x16 --seed 5)

# steps FOLDER: of which there are snapshots. listed: those that the list has, in its order.
steps() {
    find "$1" -name 'snapshot-*.h5' -printf '%f\n' | sort |
        sed 's/^snapshot-0*\([0-9][0-9]*\)\.h5$/\1/' | paste -sd' '
}
listed() {
    sed -n 's/.*<Grid Name="snapshot-0*\([0-9][0-9]*\)\.h5".*/\1/p' "$1/snapshots.xmf" |
        paste -sd' '
}

# holds_state FILE DUMP FIELDS: each field of the dump is in the file, at a multiple of 4096, where
# datasets of that size begin.
holds_state() {
    local bytes=$(($(stat -c %s "$2") / $3)) at f=0
    for ((f = 0; f < $3; f++)); do
        for ((at = 4096; at < $(stat -c %s "$1"); at += 4096)); do
            ! cmp -s -i "$at:$((f * bytes))" -n "$bytes" "$1" "$2" || continue 2
        done
        return 1
    done
}

share "$wave" "${small[@]}" --steps 10
expect 0 "$wave" "${small[@]}" "${shared[@]}" --steps 10 --snapshot 3 --snapshot-first --out shots \
    --dump a
holds "at multiples, at the last step, and at the first: $(steps shots)" \
    [ "$(steps shots)" = '0 3 6 9 10' ]
holds "the list has them all: $(listed shots)" [ "$(listed shots)" = '0 3 6 9 10' ]
holds "so the report says" [ "$(value snapshots.written)" = 5 ]
holds "nothing else is there" [ "$(find shots -type f | wc -l)" = 6 ]
expect 0 "$wave" "${small[@]}" --steps 10 --dump b --quiet
holds "the run is the same" cmp -s a b
holds "the last one is the final state" holds_state shots/snapshot-000000000010.h5 a 2
expect 0 "$wave" "${small[@]}" --steps 6 --dump b --quiet
holds "those before are those of their time" holds_state shots/snapshot-000000000006.h5 b 2
grid='TopologyType="3DCoRectMesh" Dimensions="16 20 24"'
holds "the list has z y x" grep -q "$grid" shots/snapshots.xmf

# One field, every third point of a plane.
share "$wave" "${small[@]}" --steps 8
expect 0 "$wave" "${small[@]}" "${shared[@]}" --steps 8 --snapshot 4:u --stride 3 --slice y=7 \
    --out thin
grid='TopologyType="3DCoRectMesh" Dimensions="6 1 8"'
holds "a slice, thinned" grep -q "$grid" thin/snapshots.xmf
holds "where it lies" grep -q '>0 7 0</DataItem>' thin/snapshots.xmf
holds "how far its points are apart" grep -q '>3 3 3</DataItem>' thin/snapshots.xmf
holds "one field" [ "$(grep -c '<Attribute' thin/snapshots.xmf)" = 2 ]
expect 0 "$wave" "${small[@]}" --steps 8 --dump b --quiet
holds "the values of a thinned slice" perl -e '
    local $/; my ($d, $s) = map { open my $f, "<", $_ or die; binmode $f; <$f> } @ARGV;
    my $want = "";
    for (my $z = 0; $z < 16; $z += 3) { for (my $x = 0; $x < 24; $x += 3) {
        $want .= substr($d, 4 * (($z * 20 + 7) * 24 + $x), 4) } }
    exit(index($s, $want) < 0)' b thin/snapshot-000000000008.h5

# Two dimensions are a plane of three; of one dimension there is no list.
share "$heat" --size 33x21 --steps 5
expect 0 "$heat" --size 33x21 "${shared[@]}" --steps 5 --snapshot 2 --out flat --quiet
grid='TopologyType="3DCoRectMesh" Dimensions="1 21 33"'
holds "two dimensions" grep -q "$grid" flat/snapshots.xmf
holds "as many of values" grep -q '<DataItem Dimensions="1 21 33" .*:/u<' flat/snapshots.xmf
share "$heat" --dims 1 --size 100 --steps 5
expect 0 "$heat" --dims 1 --size 100 "${shared[@]}" --steps 5 --snapshot 2 --out line --quiet
holds "one dimension: $(steps line)" [ "$(steps line) $(find line -type f | wc -l)" = '2 4 5 3' ]

# Of a run that goes on, those before it are listed, and of another run those are not.
expect 0 "$wave" "${small[@]}" --steps 7 --snapshot 2 --out on --checkpoint ck \
    --checkpoint-every 5 --quiet
holds "checkpoints have legs of their own: $(steps on)" [ "$(steps on)" = '2 4 6 7' ]
expect 0 "$wave" --restart ck --steps 10 --snapshot 2 --out on --dump b --quiet
holds "the list goes on: $(listed on)" [ "$(listed on)" = '2 4 6 8 10' ]
holds "and so does the state" cmp -s a b
expect 0 "$wave" "${small[@]}" --steps 4 --snapshot 4 --out on --quiet
holds "another run lists its own: $(listed on)" [ "$(listed on)" = 4 ]

# Where memory has no room for one, the run waits for it: --ram leaves less than it takes.
large=(--size 130x129x128 --seed 5 --steps 6 --snapshot 2)
expect 0 "$wave" "${large[@]}" --out beside --dump a --quiet
expect 0 "$wave" "${large[@]}" --out after --ram 60M --dump b --quiet
for step in 2 4 6; do
    name=snapshot-00000000000$step.h5
    holds "the same snapshot of step $step, whoever waits" cmp -s beside/$name after/$name
done
holds "the last one is the final state" holds_state beside/snapshot-000000000006.h5 a 2
holds "and so is the run" cmp -s a b

# A disk that is full at any moment. Sanitizers want to be loaded first.
if [ -z "$sanitized" ]; then
    preloaded broken_disk
    for after in 0 1 3 8 15; do
        rm -rf full
        observe env LD_PRELOAD="$work/broken_disk.so" BROKEN=pwrite BROKEN_AFTER=$after \
            "$wave" "${small[@]}" --steps 40 --snapshot 2 --out full --quiet
        holds "full after $after writes: 4, not $rc" [ "$rc" = 4 ]
        holds "full after $after writes: one line" one_line
        says 'full/snapshot-[0-9]*\.h5'
        holds "those that are there are listed: $(steps full)" \
            [ "$(steps full)" = "$([ ! -e full/snapshots.xmf ] || listed full)" ]
        holds "nothing else is left" [ -z "$(find full -type f ! -name 'snapshot*')" ]
    done
fi

# What is refused.
for lone in '--out x' '--snapshot 3' --snapshot-first '--stride 2' '--slice z=3'; do
    # shellcheck disable=SC2086 # an option and its value
    expect 2 "$wave" "${small[@]}" $lone
done
for value in 0 3: 3:v 3:u,w '3:,' x; do expect 2 "$wave" --size 9 --snapshot $value --out x; done
for value in z=16 w=1 z z= =3 z=-1; do
    expect 2 "$wave" "${small[@]}" --snapshot 3 --out x --slice "$value"
done
expect 4 "$wave" "${small[@]}" --snapshot 3 --out missing/x
finish

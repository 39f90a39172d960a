#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs that are not stable: that their values are no numbers any more is said wherever values go
# into a file; a checkpoint has none of them, and what is there already stays.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
cd "$work"
unstable=(--size 24x20x16 --lambda 0.2 --force --seed 5)
words='is -?(nan|inf) at [0-9]+, [0-9]+, [0-9]+ after [0-9]+ steps, so the run is not stable'

expect 0 "$heat" "${unstable[@]}" --steps 900
for dump in a b.npy; do
    expect 1 "$heat" "${unstable[@]}" --steps 900 --dump $dump && says "$words"
    holds "$dump is there" [ "$(stat -c %s $dump)" -ge $((24 * 20 * 16 * 4)) ]
    holds "and the report: $(value steps)" [ "$(value steps)" = 900 ]
done
expect 0 "$heat" "${unstable[@]}" --steps 3 --dump a
expect 1 "$apps/zoid-wave" --size 40x30 --dims 2 --coefficient v2=0.9 --force --init gaussian:2 \
    --steps 2000 --receivers 20,15 --receivers y=20:4 --record seen.npy
says 'receiver 0 sees -?(nan|inf) after 2000 steps'
holds "the record is there" [ -s seen.npy ]
if lacks HDF5; then
    finish
    exit
fi

# Halts soon, and leaves no dump.
expect 1 "$heat" "${unstable[@]}" --steps 9000 --checkpoint ck --checkpoint-every 100 --dump no
says "$words"
holds "it ended early, at $(value steps)" [ "$(value steps)" -lt 1000 ]
holds "there is no dump" [ ! -e no ]
holds "those of numbers are there" [ -n "$(ls ck)" ]
step=$(value steps)
holds "but not that one" [ "$(find ck -name "checkpoint-*" -printf "%f\n" | sort | tail -n 1)" = \
    "checkpoint-$(printf %012d $((step - 100))).h5" ]
expect 0 "$heat" --restart ck --force --steps $((step - 98)) --dump a --quiet
expect 0 "$heat" "${unstable[@]}" --steps $((step - 98)) --dump b --quiet
holds "a run goes on from it" cmp -s a b

expect 1 "$heat" "${unstable[@]}" --steps 9000 --snapshot 100 --out shots --dump no && says "$words"
step=$(value steps)
holds "it ended early, at $step" [ "$step" -lt 1000 ]
holds "somebody may look at it" [ -s "shots/snapshot-$(printf %012d "$step").h5" ]
holds "it is listed" grep -q "snapshot-$(printf %012d "$step").h5" shots/snapshots.xmf
holds "there is no dump" [ ! -e no ]
expect 1 "$heat" "${unstable[@]}" --steps 900 --snapshot 900 --out late --dump last && says "$words"
holds "of the last step there is a dump" [ -s last ]
finish

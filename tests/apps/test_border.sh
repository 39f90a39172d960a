#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# How soon the border between two places is where both take as long, and stays there. Their points
# take given times, so that the right border is known on a machine with other work, too: what other
# programs take from a worker counts only where it takes longer than these.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
cd "$work"
export STARPU_NCPU=2 STARPU_NCUDA=0

shared=("$heat" --size 40x40x160 --epoch 8 --balance split --places cores:1+cores:1)
slabs=(--method leaning --cores-method leaning --block 8 --cores-block 8 --depth 4 --cores-depth 4)
# at STEP: the planes of the first place from that step on.
at() {
    awk -v step="$1" '$1 == "border.first" { n = $2 }
        $1 ~ /^borders\./ && $2 <= step { n = $3 } END { print n }' "$work/out"
}
# borders: for a message.
borders() { awk '/^border/' "$work/out" | tr '\n' ';'; }
# near PLANES RIGHT: an epoch takes at most 3 % more than with the border at RIGHT, where both take
# as long. Each computes 3.5 planes of the other, on average.
near() {
    awk -v n="$1" -v right="$2" 'BEGIN {
        lower = (n + 3.5) / (right + 3.5); upper = (163.5 - n) / (163.5 - right)
        exit !(lower <= 1.03 && upper <= 1.03) }'
}

# From a tenth and a half of the planes, one of three runs settles within four epochs; on a machine
# without other work each does. The first leg has two.
settles() {
    near "$(at 32)" 38.25 && near "$(value border.last)" 38.25 && [ "$(value border.moves)" -le 3 ]
}
for start in 16 80; do
    for way in slabs whole; do
        more=()
        [ $way = whole ] || more=("${slabs[@]}")
        for try in 1 2 3; do
            expect 0 env ZOID_SLOW=0:240ns,1:80ns "${shared[@]}" --steps 96 --split-at $start \
                "${more[@]}"
            ! settles || break
        done
        holds "from $start, $way: $(borders)" settles
        holds "the first leg has two epochs: $(borders)" [ "$(at 16)" != "$(at 15)" ]
    done
done

# A place that becomes ten times slower has at most twice its right planes two epochs after the
# first slow one, which ends with step 88.
follows() { [ "$(at 87)" -gt 60 ] && [ "$(at 104)" -le 24 ]; }
for try in 1 2 3; do
    expect 0 env ZOID_SLOW=0:80ns,1:80ns,0:10@80 "${shared[@]}" --steps 128 --split-at 80 --check
    ! follows || break
done
holds "a place becomes slow: $(borders)" follows
holds "the check '$(value check)'" [ "$(value check)" = passed ]
finish

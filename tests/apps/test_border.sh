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

# once CHECK COMMAND...: the check holds after one of four runs of the command at most. Rates that
# other programs disturb miss it now and then; a controller that learns less, or later, always does.
once() {
    local try
    for try in 1 2 3 4; do
        expect 0 "${@:2}"
        ! $1 || break
    done
    holds "$1, after run $try: $(borders)" "$1"
}

# The first leg has two epochs, after which the border is where it should be, and stays there.
settles() {
    [ "$(at 15)" = "$start" ] && [ "$(at 16)" != "$start" ] && near "$(at 16)" $right &&
        near "$(value border.last)" $right && [ "$(value border.settled)" -le 2 ]
}
right=38.25
for start in 16 80; do
    more=()
    [ $start = 16 ] || more=("${slabs[@]}")
    once settles env ZOID_SLOW=0:240ns,1:80ns "${shared[@]}" --steps 56 --split-at $start \
        "${more[@]}"
done
# What the first epoch takes is forgotten: the second one, the last of its leg, has the rates.
right=20.4
start=40
once settles env ZOID_SLOW=0:240ns,1:80ns,0:2@8 "${shared[@]}" --steps 56 --split-at $start

# A border that should move by the first epoch alone is where it should be by the second, and stays.
stays() { [ "$(value border.moves) $(value check)" = "0 passed" ]; }
once stays env ZOID_SLOW=0:80ns,1:80ns,0:3@8 "${shared[@]}" --steps 40 --split-at 38 --check

# A place that becomes ten times slower has at most once its right planes two epochs after the
# first slow one, which ends with step 40.
follows() {
    [ "$(at 39)" -gt 60 ] && [ "$(at 56)" -le 24 ] && [ "$(value check)" = passed ]
}
once follows env ZOID_SLOW=0:80ns,1:80ns,0:10@32 "${shared[@]}" --steps 72 --split-at 80 --check
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: measures
# --rates: a run measures what it is predicted from, once, and says so; or takes what there is; or
# nothing. How fast anything is does not matter here.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
cd "$work"
# One core and no GPU: measuring them takes less.
export STARPU_NCPU=1 STARPU_NCUDA=0 ZOID_RATES=$work/new/folder/rates
unset ZOID_RATES_MODE
small=(--size 24x20x16 --steps 3)

# learnt WHAT: the last run went well, its only line says what was measured, and it used it.
learnt() {
    holds "the run is done: $1" [ "$rc" = 0 ]
    holds "one line: $1" one_line
    says "^zoid-heat: measured $1 in [0-9.]+ s, once for this machine; .* in $ZOID_RATES\$"
    holds "its rates are measured" [ "$(value rates)" = calibrated ]
}
# silent RATES: the last run said nothing, and its rates were those.
silent() {
    holds "the run is done" [ "$rc" = 0 ]
    holds "nothing is said" [ ! -s err ]
    holds "its rates: $(value rates), not $1" [ "$(value rates)" = "$1" ]
}
left() { find "$(dirname "$ZOID_RATES")" -mindepth 1 -printf '%f\n' | sort | paste -sd' '; }
# runs OPERATOR: how many runs have refined its rates.
runs() {
    awk -v op="\"$1\"" '$1 == op ":" { on = 1 } on && $1 == "\"runs\":" { print $2 + 0; exit }
        on && /}/ { print 0; exit }' "$ZOID_RATES"
}

# Defaults touch nothing, a first run measures, a second one does not.
for use in default keep; do
    observe "$heat" "${small[@]}" --rates $use
    silent default
done
holds "they make no folder" [ ! -e new ]
observe "$heat" "${small[@]}"
learnt 'memory, heat3d_r1_f32, tasks'
cp "$ZOID_RATES" first
observe "$heat" "${small[@]}" --check
silent calibrated
observe "$heat" "${small[@]}" --rates default
silent default
observe "$heat" "${small[@]}" --rates keep --type f64
silent default
ZOID_RATES_MODE=default observe "$heat" "${small[@]}" --type f64
silent default
holds "nobody changed the file" cmp -s "$ZOID_RATES" first
holds "nothing is beside it" [ "$(left)" = 'rates rates.lock' ]

# An operator that is new to the file is measured then, for a plan too, and what is known stays.
observe "$heat" "${small[@]}" --type f64 --plan
learnt 'heat3d_r1_f64'
observe "$heat" "${small[@]}" --rates keep
silent calibrated

# Rates of one core say little of two: they are measured again, once.
STARPU_NCPU=2 observe "$heat" "${small[@]}"
learnt 'memory, heat3d_r1_f32'
holds "of two" grep -q '"workers": 2' "$ZOID_RATES"
holds "others are discarded" [ "$(grep -c '"tiled"' "$ZOID_RATES")" = 1 ]
for n in 2 1; do
    STARPU_NCPU=$n observe "$heat" "${small[@]}"
    silent calibrated
done

# Two at once: the file is whole, and of one of them at least.
"$heat" "${small[@]}" --radius 2 --quiet 2>/dev/null &
"$heat" "${small[@]}" --radius 3 --quiet 2>/dev/null
wait
holds "the file is whole" [ "$(ZOID_RATES_MODE=keep "$info" | awk '$1 == "rates"')" = \
    "rates calibrated" ]
holds "somebody is in it" grep -q 'heat3d_r[23]_f32' "$ZOID_RATES"
holds "nothing is left beside it" [ "$(left)" = 'rates rates.lock' ]

# Runs that take long enough refine the rates, by themselves; two at once both do.
long=(--size 128 --steps 200)
holds "short runs teach nothing" [ "$(runs heat3d_r1_f32)" = 0 ]
observe "$heat" "${long[@]}"
silent calibrated
holds "a run taught something" [ "$(runs heat3d_r1_f32)" = 1 ]
"$heat" "${long[@]}" --quiet 2>>both &
"$heat" "${long[@]}" --quiet 2>>both
wait
holds "two more did" [ "$(runs heat3d_r1_f32)" = 3 ]
holds "they said nothing" [ ! -s both ]

# Nobody else does, and what is planned then repeats.
cp "$ZOID_RATES" first
for use in keep default; do
    for i in 1 2; do
        observe "$heat" "${long[@]}" --rates $use
        holds "it says nothing" [ ! -s err ]
        observe "$heat" "${long[@]}" --rates $use --plan
        # What memory is free differs.
        grep -v '^ram.budget' out >"plan$i"
    done
    holds "$use plans the same" cmp -s plan1 plan2
    holds "$use leaves the file alone" cmp -s "$ZOID_RATES" first
done
observe "$heat" "${long[@]}" --plan
holds "so does a plan" cmp -s "$ZOID_RATES" first

# A disk is measured for a state that main memory may not hold.
observe "$heat" --size 64x64x512 --steps 2 --ram 5M --disk "$work"
learnt 'the disk'
observe "$heat" --size 64x64x512 --steps 2 --ram 5M --disk "$work"
silent calibrated

# A broken file is replaced; where none can be kept the run goes on, with a line each time.
echo '{' >"$ZOID_RATES"
observe "$heat" "${small[@]}"
learnt 'memory, heat3d_r1_f32, tasks'
ZOID_RATES=/dev/null/rates observe "$heat" "${small[@]}"
holds "the run is done all the same" [ "$rc" = 0 ]
holds "one line" one_line
says 'measured memory, .* for this run only: .*/dev/null/rates'
holds "the rates are used" [ "$(value rates)" = calibrated ]

# Layers that match take as long as is predicted, relative to a run without; both in turns.
wave=("$apps/zoid-wave" --size 96 --dims 3 --radius 1 --steps 12 --method naive --rates keep)
observe "${wave[@]}" --rates learn
for i in 1 2 3 4 5 6; do
    for face in dirichlet pml; do
        expect 0 "${wave[@]}" --boundary $face
        value core_seconds.measured >>measured.$face
        value core_seconds.predicted >predicted.$face
    done
done
taken=$(paste <(sort -g measured.pml | head -n 1) <(sort -g measured.dirichlet | head -n 1))
told=$(paste predicted.pml predicted.dirichlet)
holds "seconds of pml and without: $taken, predicted $told" awk '
    { ratio[NR] = $1 / $2 }
    END { off = ratio[2] / ratio[1]; exit !(ratio[2] > 1.3 && off > 0.6 && off < 1.6) }' \
    <<<"$taken"$'\n'"$told"

expect 2 "$heat" "${small[@]}" --rates sometimes
ZOID_RATES_MODE=sometimes expect 2 "$heat" "${small[@]}"
says 'ZOID_RATES_MODE=sometimes'

finish

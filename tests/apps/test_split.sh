#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# Whole runs that several sets of cores share, of every operator, of odd sizes, each place with a
# method and sizes of its own, with a border that stays or moves, each compared with the plain loop
# nest; refusals; the report. The cases follow from a seed, that of the day; ZOID_TEST_SEED chooses
# another, ZOID_TEST_CASES how many there are.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=draw.sh
. "$(dirname "$0")/draw.sh"
cd "$work"
export STARPU_NCPU=2 STARPU_NCUDA=0

# Refusals name the way out.
split=(--size 20x20x40 --steps 24 --balance split)
two=(--places cores:1+cores:1)
refused() {
    observe "$heat" "${split[@]}" "${@:2}"
    holds "2, not $rc: ${*:2}" [ "$rc" = 2 ]
    says "$1"
}
refused "names no places; use one of cores" --places cores:0+cores
refused "names no places" --places cores:1+cores:1+
refused "more cores than the 2" --places cores:2+cores:1
refused "leaves the rest of the cores to several" --places cores+cores
refused "for two places or more" --places cores:2
refused "keep their parts in main memory" "${two[@]}" --disk .
refused "drop --overlap" "${two[@]}" --overlap off
refused "cut along z already" "${two[@]}" --cells 1x1x2
refused "use --epoch 20 or less" "${two[@]}" --epoch 21
refused "use --split-at 8 or more" "${two[@]}" --epoch 8 --split-at 5
refused "only :stay may follow" "${two[@]}" --split-at 5:go
expect 4 "$heat" "${split[@]}" --places cores:1+gpus:1

# A border that begins at a tenth comes to where both places take as long, and stays where it is
# told to.
moving=2048
! quick || moving=256
# On a machine with other work the first place may indeed be the slow one.
for try in 1 2 3; do
    expect 0 "$heat" --size 24x24x160 --steps $moving --balance split "${two[@]}" --epoch 8 \
        --split-at 16 --check
    [ "$(value border.last)" -le 20 ] || break
done
holds "it begins at 16" [ "$(value border.first)" = 16 ]
holds "it moves: $(value border.last)" [ "$(value border.last)" -gt 20 ]
holds "as the report says" [ "$(value places.0.planes)" = "$(value border.last)" ]
holds "planes are shared" [ $(($(value places.0.planes) + $(value places.1.planes))) = 160 ]
expect 0 "$heat" --size 24x24x160 --steps 64 --balance split "${two[@]}" --epoch 8 \
    --split-at 16:stay --check
holds "it stays" [ "$(value border.moves) $(value border.last)" = "0 16" ]
# Blocks of many lanes are submitted long before they run, beside those of one.
many=120
! quick || many=24
for places in cores:7+cores:1 cores:1+cores:7; do
    for method in leaning trapezoid; do
        STARPU_NCPU=8 expect 0 "$heat" --size 30x20x160 --steps $many --epoch 4 --balance split \
            --places $places --method $method --cores-method $method --check
        holds "the check '$(value check)' of $places" [ "$(value check)" = passed ]
    done
done
# So are those of sweeps in order, each beside the sweep that it waits for in the other place.
for places in cores:4+cores:1 cores:1+cores:4 cores:3+cores:3; do
    STARPU_NCPU=8 expect 0 "$run" --operator sor --size 20x20x160 --steps 48 --epoch 16 --depth 2 \
        --cores-depth 2 --block 8 --cores-block 8 --balance split --places $places --check
    holds "the check '$(value check)' of $places" [ "$(value check)" = passed ]
done
# Round a circle the upper place has planes twice; it keeps the room for them.
for at in 2 3; do
    expect 0 env ZOID_SLOW=1:10@4 "$heat" --size 9x9x30 --boundary periodic --steps 24 \
        --balance split "${two[@]}" --epoch 2 --split-at $at --check
    holds "planes beyond a periodic face are right" [ "$(value check)" = passed ]
done
for place in cpu gpu; do
    expect 0 "$heat" --size 20x20x40 --balance $place --places cores:1+cores:1 --check
    holds "$place is one place" [ -z "$(value places.0.kind)" ]
done

# Places of cores have the traversal of cores; a name for GPUs says how these would.
for way in gpus=naive cores=naive gpus=two,cores=step step; do
    expect 0 "$heat" --size 20x20x40 --steps 12 --balance split "${two[@]}" --traversal $way --check
    of=best
    [[ $way = gpus=naive ]] || of=${way##*=}
    holds "$way: $(value check)" [ "$(value check)" = passed ]
    holds "both go $of" [ "$(value places.0.traversal) $(value places.1.traversal)" = "$of $of" ]
    holds "and the settings say $way" [ "$(value settings.traversal | tr , '\n' | sort)" = \
        "$(tr , '\n' <<<$way | sort)" ]
done
# An alias stands for that of its own place.
expect 0 "$heat" --size 20x20x40 --steps 12 --balance split "${two[@]}" --method b2r \
    --traversal gpus=naive --check
refused "b2r stands for --traversal best; drop --traversal cores=naive" "${two[@]}" --method b2r \
    --traversal cores=naive

# A place that becomes much slower is left, and the other one goes on alone with all that it had:
# state, coefficients, pieces of a matrix, sources and what receivers saw.
# A block sleeps as long as its processor seconds, many times; sanitized ones are slow anyway.
times=1000
[ -z "$sanitized" ] || times=25
# until_said TEXT COMMAND...: on a machine with other work the other place may be slow, too.
until_said() {
    local try
    for try in 1 2 3; do
        observe "${@:2}"
        ! grep -q "$1" "$work/err" || break
    done
    says "$1"
}
left() {
    local slow=$1 other=$((1 - $1))
    shift
    until_said "place $slow .* is too slow" \
        env "ZOID_SLOW=$slow:$times@12" "$@" --balance split "${two[@]}" --check
    holds "the check '$(value check)' of $*" [ "$(value check)" = passed ]
    holds "it ends with one place" [ "$(value places.$slow.planes)" = 0 ]
    holds "which has all planes" \
        [ "$(value border.last)" = $((slow * $(value places.$other.planes))) ]
    holds "places share all points" [ "$(value points.useful)" = \
        $(($(value places.0.useful) + $(value places.1.useful))) ]
}
either() {
    local slow
    next_places
    for slow in "${next[@]}"; do left "$slow" "$@"; done
}
either "$heat" --size 40x30x60 --steps 120 --epoch 3
# In legs between snapshots as well.
lacks HDF5 || either "$heat" --size 40x30x60 --steps 200 --epoch 3 --snapshot 50 --out snap
either "$run" --operator seismic --size 20x18x50 --steps 40 --epoch 1
either "$run" --operator rbsor_rhs --size 30x30x50 --steps 60 --epoch 2 --boundary periodic
either "$run" --operator sor --size 30x30x50 --steps 60 --epoch 2
either "$apps/zoid-spmv" --rows 3000 --format dia --steps 320 --epoch 8 --depth 8 --cores-depth 8
either "$apps/zoid-wave" --size 20x18x50 --steps 60 --epoch 2 --boundary sponge \
    --source 9,9,9:ricker:0.1 --receivers z=3:2 --receivers z=40:2 --record shot.npy
# Not where there is no memory for both: all of the run is slow then.
if ! quick; then
    slower=("$heat" --size 90x80x60 --steps 48 --epoch 3 --balance split "${two[@]}")
    fits ram "${slower[@]}"
    until_said "places stay as they are" \
        env "ZOID_SLOW=0:$times@12" "${slower[@]}" --ram "${memory}M" --check
    holds "both go on" [ "$(value places.0.planes)" -gt 0 ]
fi

# One place or both: as predicted, and by a trial where that is close.
choice() {
    expect 0 "$heat" --steps 4000 "${two[@]}" --plan --size "$2"
    holds "$2 is by $(value balance)" [ "$(value balance)" = "$1" ]
}
choice split 64x64x64
choice gpu 64x64x8
holds "both are close" [ "$(value balance.tried)" = cpu ]
next_places
for slow in "${next[@]}"; do
    quick && break
    # On a machine with other work a change may cost more of the run than it is worth.
    for try in 1 2 3 4; do
        observe env "ZOID_SLOW=$slow:20" "$heat" --size 16x16x8 --steps 200000 "${two[@]}" --check
        ! grep -q 'a step takes' "$work/err" || break
    done
    holds "the check '$(value check)'" [ "$(value check)" = passed ]
    says "a step takes .* by balance gpu and .* by cpu"
    holds "not the slow place" [ "$(value places.$slow.planes)" = 0 ]
done

# A run of two places stops, and goes on with one, and the other way round.
if ! lacks HDF5; then
    expect 0 "$heat" --size 20x20x40 --steps 24 --dump whole
    expect 0 "$heat" "${split[@]}" "${two[@]}" --epoch 4 --checkpoint ck --checkpoint-every 7
    for again in "--balance cpu" "--balance split --places cores:1+cores:1 --split-at 30"; do
        read -ra way <<<"$again"
        cp -r ck other
        expect 0 "$heat" --restart other --steps 24 "${way[@]}" --dump dump
        holds "the same bytes by $again" cmp -s whole dump
        rm -rf other
    done
fi

check_drawn 18 6 draw_places < <(subjects)
# Room for planes that the border may bring costs nothing as long as it does not.
for at in 64 64:stay; do
    expect 0 "$heat" --size 256x256x128 --steps 64 --balance split --places cores:1+cores:1 \
        --epoch 8 --method leaning --block 8 --depth 8 --cores-method leaning --cores-block 8 \
        --cores-depth 8 --split-at $at --plan
    predicted[${#at}]=$(value predicted_seconds)
done
holds "a border that moves and one that stays are predicted alike: ${predicted[*]}" \
    awk "BEGIN { r = ${predicted[2]} / ${predicted[7]}; exit !(r > 0.97 && r < 1.03) }"
finish

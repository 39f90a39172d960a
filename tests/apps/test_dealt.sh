#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Whole runs whose blocks StarPU's scheduler deals to cores (--balance scheduler), of every
# operator, of odd sizes, each compared with the plain loop nest; refusals; the report; a worker
# that is slow. The cases follow from a seed, that of the day; ZOID_TEST_SEED chooses another,
# ZOID_TEST_CASES how many there are.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source-path=SCRIPTDIR source=draw.sh
. "$(dirname "$0")/draw.sh"
cd "$work"
export STARPU_NCPU=2 STARPU_NCUDA=0
unset STARPU_SCHED

# Refusals name the way out.
dealt=(--size 20x20x40 --steps 24 --balance scheduler)
refused() {
    observe "$heat" "${dealt[@]}" "${@:2}"
    holds "2, not $rc: ${*:2}" [ "$rc" = 2 ]
    says "$1"
}
refused "blocks of leaning wait for one another.*use --method overlapped" --method leaning
refused "blocks of recursive wait.*use --method overlapped" --method recursive
refused "drop --overlap off, or use --balance cpu" --overlap off
refused "2D-1D-T stands for --overlap off, .*; use --method overlapped" --method 2D-1D-T
refused "keeps data in main memory; drop --disk" --disk .
refused "do not recurse; drop --leaf" --leaf 1K
refused "is for one core; drop --team" --team 2
refused "deals blocks of one process" --ranks 2x1
refused "names no places" --places any
refused "more cores than the 2" --places cores:3
refused "for two workers or more, and there is one" --places cores:1
expect 4 "$heat" "${dealt[@]}" --places cores:1+gpus:1
observe "$run" --operator sor --size 20x20x40 --balance scheduler
holds "2, not $rc: sweeps in order" [ "$rc" = 2 ]
says "sor.* sweeps in order, .*; use --balance split"
# The policy is StarPU's, and that of such runs alone.
for policy in dmdasd pheft graph_test modular-heteroprio; do
    STARPU_SCHED=$policy refused "STARPU_SCHED=$policy does not know .* use dmdas"
    STARPU_SCHED=$policy expect 0 "$heat" --size 20x20x40 --check
done
STARPU_SCHED=nothing refused "no policy STARPU_SCHED=nothing; unset it, or use dmdas"
STARPU_SCHED=nothing expect 0 "$heat" --size 20x20x40 --check
for policy in dmdas dmda dmdar modular-heft prio lws; do
    STARPU_SCHED=$policy expect 0 "$heat" "${dealt[@]}" --block 3 --depth 2 --check --plan
    holds "the plan says $policy: $(value policy)" [ "$(value policy)" = "$policy" ]
    STARPU_SCHED=$policy expect 0 "$heat" "${dealt[@]}" --block 3 --depth 2 --check
    holds "the bytes by $policy" [ "$(value check)" = passed ]
done
# All that the plan and the report say of it.
expect 0 "$heat" "${dealt[@]}" --plan
holds "the plan is dealt: $(value balance)" [ "$(value balance) $(value policy)" = \
    "scheduler dmdas" ]
holds "to both cores" [ "$(value places.0.kind) $(value places.0.workers)" = "cores 2" ]
expect 0 "$heat" "${dealt[@]}" --places cores:1+cores:1 --check --report r.json
holds "the report is dealt" [ "$(value balance)" = scheduler ]
holds "JSON too" grep -q '"balance": "scheduler"' r.json
holds "there is no border" [ -z "$(value border.first)" ]
share=$(awk '/^places.[01].share/ { sum += $2 } END { print (sum > 0.999 && sum < 1.001) }' \
    "$work/out")
holds "shares are all: $(grep share "$work/out")" [ "$share" = 1 ]
expect 0 "$heat" "${dealt[@]}" --check --method b2r
holds "the paper's method" [ "$(value check)" = passed ]

# Its trace has blocks by pass, as any other.
if ! lacks FxT; then
    expect 0 "$heat" --size 20x20x40 --steps 24 --balance scheduler --block 5 --depth 6 --trace t
    holds "passes in the trace: $(grep passes t/summary.txt)" grep -qx 'passes [4-9]' t/summary.txt
fi

# A worker that is slow takes about its share, a quarter or an eleventh, once blocks have taught
# what they cost; machines with other work scatter.
for slow in 3 10; do
    # Sanitized blocks would take minutes.
    [ -z "$sanitized" ] || break
    [ $slow = 3 ] || [ "$effort" = long ] || break
    for ((try = 0; try < 5; try++)); do
        expect 0 env ZOID_SLOW=0:$slow "$heat" --size 200x200x320 --steps 60 --balance scheduler \
            --places cores:1+cores:1 --method overlapped --block 10 --depth 2
        fits=$(awk -v slow=$slow '$1 == "places.0.share" {
            print ($2 > 0.4 / (slow + 1) && $2 < 1.6 / (slow + 1)) }' "$work/out")
        [ "$fits" = 0 ] || break
    done
    holds "slow by $slow: $(value places.0.share)" [ "$fits" = 1 ]
done

# A run that is dealt stops, and goes on otherwise, and the other way round.
if ! lacks HDF5; then
    expect 0 "$heat" --size 20x20x40 --steps 24 --dump whole
    for first in "--balance scheduler --block 4" "--balance cpu"; do
        read -ra way <<<"$first"
        expect 0 "$heat" --size 20x20x40 --steps 24 "${way[@]}" --depth 3 --checkpoint ck \
            --checkpoint-every 7
        for again in "--balance cpu" "--balance scheduler --block 7" \
            "--balance split --places cores:1+cores:1"; do
            read -ra way <<<"$again"
            cp -r ck other
            rm -f dump
            expect 0 "$heat" --restart other --steps 24 "${way[@]}" --dump dump
            holds "the same bytes by $first, then $again" cmp -s whole dump
            rm -rf other
        done
        rm -rf ck
    done
fi
# Without --balance blocks are dealt where that is predicted to be faster than one place and than
# parts of the planes: of places that were named, by a policy that can.
chosen() { STARPU_NCPU=3 expect 0 "$heat" --size 200x200x6 --steps 400 "${@:2}" &&
    holds "by '$1': ${*:2}" [ "$(value balance)" = "$1" ]; }
chosen scheduler --places cores:1+cores:2 --plan
holds "faster than a place: $(value alone.cores.1.seconds)" awk -v by="$(value predicted_seconds)" \
    -v alone="$(value alone.cores.1.seconds)" 'BEGIN { exit !(by < 0.97 * alone) }'
if ! quick; then
    chosen scheduler --places cores:1+cores:2 --check
    holds "the bytes" [ "$(value check)" = passed ]
fi
chosen "" --plan
STARPU_SCHED=pheft chosen gpu --places cores:1+cores:2 --plan
STARPU_NCPU=3 expect 0 "$heat" --size 200x200x6 --steps 400 --places cores:1+cores:2 \
    --method leaning --plan
holds "not by a method that cannot: $(value balance)" [ "$(value balance)" != scheduler ]

# Where both are close, each is tried, unless a change costs more of the run than it is worth, as on
# a machine with much other work.
close=(--size 256x256x8 --steps 20000 --places cores:1+cores:1)
expect 0 "$heat" "${close[@]}" --plan
holds "one place is close to dealt blocks" \
    [ "$(value balance) $(value balance.tried)" = "gpu scheduler" ]
if ! quick; then
    expect 0 "$heat" "${close[@]}" --balance cpu --dump whole
    next_places
    for slow in "${next[@]}"; do
        for try in 1 2; do
            rm -f dump
            expect 0 env "ZOID_SLOW=$slow:3" "$heat" "${close[@]}" --dump dump
            holds "the same bytes" cmp -s whole dump
            ! grep -q 'a step takes' "$work/err" || break
        done
        if grep -q 'a step takes' "$work/err"; then
            says "a step takes .* by balance gpu and .* by scheduler"
        else
            echo "not tried: creating and filling the job takes too long here"
        fi
    done
fi

# Sources, receivers, matrices and their pieces, cells, several legs.
given() {
    expect 0 "$@" --balance scheduler --check
    holds "the check '$(value check)' of $*" [ "$(value check)" = passed ]
}
given "$apps/zoid-wave" --size 30x28x50 --steps 30 --boundary sponge --source 9,9,9:ricker:0.1 \
    --receivers z=3:2 --record shot.npy --block 6
for format in dia sell; do
    given "$apps/zoid-spmv" --rows 20000 --format $format --steps 12 --depth 4 --block 1000
    given "$apps/zoid-spmv" --rows 20000 --format $format --steps 12 --vectors 3
done
for method in naive overlapped trapezoid; do
    given "$heat" --size 30x40x60 --steps 24 --cells 3x2 --method $method --block 9
    given "$heat" --size 30x40x60 --steps 24 --cells 2x2x2 --epoch 6 --method $method --block 9
    given "$run" --operator life3d --size 70x30x60 --steps 24 --method $method --block 9
    given "$run" --operator box27 --size 30x30x60 --steps 24 --method $method --block 9 \
        --boundary periodic
done
given "$apps/zoid-sor" --solver rbsor --size 40x40x60 --tolerance 1e-2 --block 9

check_drawn 18 4 draw_dealt < <(subjects | for_dealt)
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Sources and receivers: the same bytes, of state and record, whatever computes them, and the plain
# loop nest's; what a record is; what is refused.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
wave=$apps/zoid-wave
seismic=$apps/zoid-seismic
disk=$work/disk
mkdir "$disk"

# ---- the same whatever computes it -----------------------------------------------------------

# same OPTIONS...: as the first run of this problem.
same() {
    share "${problem[@]}" "$@"
    expect 0 "${problem[@]}" "$@" "${shared[@]}" --dump "$work/dump" --record "$work/record.npy"
    holds "other values: ${problem[*]} $* ${shared[*]}" cmp "$work/first" "$work/dump"
    holds "receivers see others: ${problem[*]} $*" cmp "$work/first.npy" "$work/record.npy"
}

several=false
if has_ranks; then several=true; fi
forgive_mpi
cat >"$work/sources" <<'END'
# Two at a place, and one that ends early.
u@14.5,9,20.25:ricker:0.08
u@14.5,9,20.25,-0.3:ricker:0.11,4   # half as late

u@8,9,21,2:ricker:0.08
END
printf '10,10,20\n10.5, 10.25, 20.75\n12,9,3\n' >"$work/places.csv"
for given in "$wave --size 31x17x40 --radius 2 --source $work/sources --receivers z=3:5" \
    "$wave --size 23x40x30 --radius 1 --type f64 --boundary periodic
        --source 22.5,39.5,29.5:ricker:0.1 --receivers 22.5,0.5,29.25 --receivers y=0:7
        --method trapezoid" \
    "$wave --size 31x47 --radius 4 --boundary sponge --source 12,20:ricker:0.1 --receivers y=21" \
    "$wave --size 400 --radius 3 --dims 1 --boundary neumann --source 0:ricker:0.1
        --receivers x=399" \
    "$seismic --size 24x20x22 --boundary sponge --source sxx@9.5,9,9:ricker:0.1
        --source vz@9.5,9,9:ricker:0.1 --receivers vy@z=9.5:4 --receivers sxx@9.5,9,9"; do
    read -rd '' -a problem <<<"$given" || true
    problem+=(--steps 21 --init zero)
    expect 0 "${problem[@]}" --check --dump "$work/first" --record "$work/first.npy"
    holds "the check of ${problem[*]}" [ "$(value check)" = passed ]
    methods=(trapezoid)
    case ${problem[*]} in *sponge*) methods+=(leaning recursive) ;; esac
    for method in "${methods[@]}"; do same --method "$method" --depth 3; done
    same --method overlapped --depth 50 --block 3
    case ${problem[*]} in
    *400*) ;;
    *)
        same --method overlapped --cells 2x2 --epoch 2
        ;;
    esac
    same --method overlapped --disk "$disk" --ram 64M
    if $several; then
        set -- "${problem[@]}"
        problem=(mpirun --oversubscribe -n 2 "$@" --oversubscribe)
        same --method overlapped
        problem=("$@")
    fi
done

# ---- what a record is ------------------------------------------------------------------------

# A point's own values, with a row for the initial state: a file of one receiver is a series.
expect 0 "$wave" --size 21x21 --steps 6 --init point --receivers 10,10 --record "$work/one.npy" \
    --dump "$work/dump"
holds "a header and 7 numbers" [ "$(stat -c %s "$work/one.npy")" = $((128 + 7 * 4)) ]
holds "the first is 1" [ "$(od -An -tf4 -j128 -N4 "$work/one.npy" | tr -d ' ')" = 1 ]
holds "the last is in the state" cmp <(tail -c 4 "$work/one.npy") \
    <(head -c $(((10 * 21 + 11) * 4)) "$work/dump" | tail -c 4)
expect 0 "$wave" --size 31x31x31 --steps 9 --init zero --source "10,10,9:$work/one.npy" --check \
    --receivers "$work/places.csv" --record "$work/two.npy" --plan
holds "the plan has room for it" grep -q '^ram.record ' "$work/out"
holds "and writes none" [ ! -e "$work/two.npy" ]
expect 0 "$run" --operator wave --size 21x21 --steps 9 --init zero --check \
    --source "10,10:$work/one.npy"
holds "a series that ends early" [ "$(value check)" = passed ]
expect 0 "$wave" --size 31x31x31 --steps 4 --receivers "$work/places.csv" --record "$work/two.npy" \
    --check
holds "three places in f32" [ "$(stat -c %s "$work/two.npy")" = $((128 + 5 * 3 * 4)) ]

# ---- what is refused -------------------------------------------------------------------------

# refused MESSAGE OPTIONS...
refused() {
    expect 2 "$wave" --size 20x20x20 --record "$work/no.npy" "${@:2}"
    says "$1"
    holds "a file is left" [ ! -e "$work/no.npy" ]
}
refused 'no source' --receivers z=5 --source 5,5:ricker:0.1
refused 'choose from u$' --receivers z=5 --source u_before@5,5,5:ricker:0.1
refused 'from 1 to 18' --receivers z=5 --source 5,5,0.5:ricker:0.1
refused 'outside of the domain' --receivers z=5 --source 5,25,5:ricker:0.1
refused 'from 1 to 18' --receivers 5,5,19
refused 'outside' --receivers z=-1
refused 'more than 0' --receivers z=5 --source 5,5,5:ricker:0
refused 'not a finite' --receivers z=5 --source 5,5,5:ricker:0.1,nan
refused 'no place' --receivers 5,5
refused 'no plane' --receivers w=5
refused '3 x 1|a place' --receivers "$work/one.npy"
refused 'nothing to record' --source 5,5,5:ricker:0.1
printf 'u@5,5,5:ricker:0.1\nnonsense\n' >"$work/bad"
refused 'nonsense' --receivers z=5 --source "$work/bad"
head -c 140 "$work/one.npy" >"$work/short.npy"
refused 'ends before' --receivers z=5 --source "5,5,5:$work/short.npy"
expect 2 "$wave" --size 20x20x20 --receivers z=5
says 'with --record'
expect 2 "$run" --operator jacobi --size 20x20x20 --source 5,5,5:ricker:0.1
says 'jacobi has no sources'
expect 4 "$wave" --size 20x20x20 --source "5,5,5:$work/none.npy"
says 'none.npy'
expect 2 "$apps/zoid-life" --size 20x20x20 --source 5,5,5:ricker:0.1
finish

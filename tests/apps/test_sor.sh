#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# zoid-sor: how many sweeps it takes, which is known; that these, the bytes and the residual do not
# depend on how they are computed; what it says, and what it refuses.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
sor=$apps/zoid-sor
disk=$work/disk
mkdir "$disk"

# ---- known counts ----------------------------------------------------------------------------

# counts SOR RBSOR OPTIONS...: the sweeps after which each is below the tolerance.
counts() {
    local solver wanted=$1
    for solver in sor rbsor; do
        expect 0 "$sor" --solver "$solver" --type f64 --residual-every 1 --steps 4000 "${@:3}"
        holds "$solver ${*:3}: $(value derived.first_below), not $wanted" \
            [ "$(value derived.first_below)" = "$wanted" ]
        holds "and one sweep more" [ "$(value derived.sweeps)" = $((wanted + 1)) ]
        holds "whose steps are counted" [ "$(value steps)" = $((wanted + 1)) ]
        wanted=$2
    done
}
counts 275 250 --size 130x130 --border 0 --omega 1.95 --tolerance 1e-5
if [ "$effort" = long ]; then
    counts 1868 3333 --size 258x258 --init hot --omega 1.2 --tolerance 1e-3
fi
if ! quick; then
    counts 187 301 --size 502x502 --init hot --omega 1 --tolerance 1e-2
    counts 54 116 --size 1026x1026 --border 0 --omega 1.2 --tolerance 5e-4
fi

# visits P COUNT...: the same of mlsor, which looks after every visit, with subdomains of P points.
visits() {
    local p=$1 wanted=$2
    expect 0 "$sor" --solver mlsor --subdomain "$p" --residual-every $((p / 2)) --type f64 \
        --steps 4000 "${@:3}"
    holds "mlsor $p ${*:3}: $(value derived.first_below), not $wanted" \
        [ "$(value derived.first_below)" = "$wanted" ]
    holds "and a visit more" [ "$(value steps)" = $((wanted + p / 2)) ]
}
visits 16 208 --size 502x502 --init hot --omega 1 --tolerance 1e-2
if ! quick; then
    visits 8 1488 --size 130x130 --border 0 --omega 1.95 --tolerance 1e-5
    visits 32 64 --size 1026x1026 --border 0 --omega 1.2 --tolerance 5e-4
fi

# ---- the same whatever computes it -----------------------------------------------------------

# same NAME OPTIONS...: as before, the bytes, the sweeps, the residual and what was seen of it.
same() {
    expect 0 "$sor" "${problem[@]}" "${@:2}" --dump "$work/dump" --history "$work/history"
    holds "$1: other bytes: ${problem[*]}" cmp "$work/first" "$work/dump"
    holds "$1: another history: ${problem[*]}" cmp "$work/seen" "$work/history"
    holds "$1: another residual" [ "$(value derived.residual)" = "$residual" ]
}

# same_on_ranks N OPTIONS...: the same on several ranks.
same_on_ranks() {
    ranks "$1" "$sor" "${problem[@]}" "${@:2}" --dump "$work/dump" --history "$work/history"
    holds "$1 ranks: $rc" [ "$rc" = 0 ]
    holds "$1 ranks: other bytes: ${problem[*]}" cmp "$work/first" "$work/dump"
    holds "$1 ranks: another history: ${problem[*]}" cmp "$work/seen" "$work/history"
}

several=false
if has_ranks; then several=true; fi
forgive_mpi
head -c $((4 * 33 * 17 * 40)) /dev/zero | tr '\0' '\77' >"$work/b.raw" # 0.747, of type f32
solvers=("rbsor 2 61x300 --rhs 0.01" "sor 3 33x17x40 --rhs $work/b.raw"
    "mlsor 3 33x17x40 --rhs $work/b.raw --subdomain 5 --residual-every 8"
    "ssor 2 203x190 --layers 3 --rhs 0.01")
if ! quick; then
    solvers+=("mlsor 2 250x200 --layers 7 --forward-only" "jacobi 2 70x301" "sor 1 5000"
        "ssor 3 33x17x40")
fi
for given in "${solvers[@]}"; do
    read -r solver dims size more <<<"$given"
    read -ra more <<<"$more"
    problem=(--solver "$solver" --dims "$dims" --size "$size" --border 0.5 --tolerance 1e-30
        --steps 40 --residual-every 7 "${more[@]}")
    # What has no plain loop nest has an oracle in tests/codelets/sequential.c.
    check=(--check)
    if [[ $solver =~ ^(mlsor|ssor)$ ]]; then check=(); fi
    observe "$sor" "${problem[@]}" "${check[@]}" --dump "$work/first" --history "$work/seen"
    holds "never reached: $rc" [ "$rc" = 1 ]
    says 'after [0-9]+ sweeps'
    holds "but checked: $(value check)" [ "$(value check)" != failed ]
    problem+=(--tolerance 1e30) # from now on the first look ends it
    expect 0 "$sor" "${problem[@]}" "${check[@]}" --dump "$work/first" --history "$work/seen"
    if [ "${#check[@]}" -gt 0 ]; then
        holds "checked: $(value check)" [ "$(value check)" = passed ]
    fi
    every=$(sed -n 3s/,.*//p "$work/seen")
    holds "as many sweeps follow: $(value derived.sweeps)" \
        [ "$(value derived.sweeps)" = $((2 * every)) ]
    holds "three looks: $(cat "$work/seen")" [ "$(wc -l <"$work/seen")" = 4 ]
    residual=$(value derived.residual)
    for method in leaning trapezoid overlapped recursive naive; do
        observe "$sor" "${problem[@]}" --method $method --plan
        if [ "$rc" = 2 ]; then
            says "cannot do|sweeps in order"
            says "leaning"
        else
            same $method --method $method --block 12 --depth 3
        fi
    done
    same "high slabs" --method leaning --block 1000 --depth 7
    same "low slabs" --method leaning --block 3 --depth 5
    same "point by point" --traversal naive
    STARPU_NCPU=1 same "one worker"
    if [ "$gpus" != 0 ]; then
        STARPU_NCUDA=0 same "cores alone"
        # Cores turn the state.
        if [ "$solver" != ssor ]; then STARPU_NCPU=0 STARPU_NCUDA=1 same "a GPU alone"; fi
    fi
    same "on a disk" --ram 3M --disk "$disk"
    if $several; then
        same_on_ranks 2
        if [ "$solver" = sor ]; then same_on_ranks 3 --block 5 --depth 2 --epoch 4; fi
        if [ "$gpus" != 0 ] && [[ $solver =~ ^s?sor$ ]]; then
            # On GPUs, in two groups of times where cells are as high, and in fewer times; slabs
            # stay there, or stream.
            same_on_ranks 2 --gpu-mem 1G --block 9 --depth $((dims == 3 ? 18 : 35))
            same_on_ranks 3 --gpu-mem 1G --block 5 --depth 3 --epoch 6 --overlap off
        fi
        if [ "$solver" = ssor ]; then same_on_ranks 3 --block 7 --ram 3M --disk "$disk"; fi
    fi
done

# ---- the right-hand side and what is on the border -------------------------------------------

# -u'' = 2 on a line of 5 with h = 1: u = x (4 - x).
expect 0 "$sor" --size 5 --dims 1 --type f64 --init zero --rhs 2 --tolerance 1e-14 --steps 4000 \
    --omega 1 --residual-every 10 --dump "$work/dump"
holds "a parabola" [ "$(od -An -v -w8 -tf8 "$work/dump" | awk '{ printf "%.9g ", $1 }')" = \
    "0 3 4 3 0 " ]
# Up, down and up again on a line of 4, with omega 1 and a right-hand side of 2.
expect 0 "$sor" --solver ssor --size 4 --dims 1 --type f64 --init hot --rhs 2 --omega 1 --steps 3 \
    --dump "$work/dump"
holds "up, down and up" [ "$(od -An -v -w8 -tf8 "$work/dump" | awk '{ printf "%.9g ", $1 }')" = \
    "1 2.375 2.1875 0 " ]
# npy of numpy.save, f8 for a field of f32: header of 118 bytes and a line's end after 10 bytes.
npy() { # SHAPE VALUES...
    local header
    header=$(printf "{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }" "$1")
    printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "$header"
    shift
    printf '%s' "$@"
}
two='\x00\x00\x00\x00\x00\x00\x00\x40'
{ npy '5,' && for _ in 1 2 3 4 5; do printf "$two"; done; } >"$work/b.npy"
expect 0 "$sor" --size 5 --dims 1 --init zero --rhs "$work/b.npy" --tolerance 1e-6 --steps 400 \
    --omega 1 --residual-every 10 --dump "$work/dump"
holds "the same parabola from a file" \
    [ "$(od -An -v -w4 -tf4 "$work/dump" | awk '{ printf "%.5g ", $1 }')" = "0 3 4 3 0 " ]
expect 2 "$sor" --size 6 --dims 1 --rhs "$work/b.npy" && says 'b.npy has the shape 5'
{ npy '5,' && for _ in 1 2 3 4; do printf "$two"; done && printf '\0\0\0\0\0\0\xf8\x7f'; } \
    >"$work/nan.npy"
expect 2 "$sor" --size 5 --dims 1 --rhs "$work/nan.npy" && says 'value 4 .* no finite'
expect 2 "$sor" --size 5 --dims 1 --rhs "$work/b.raw" && says 'bytes'
expect 4 "$sor" --size 5 --dims 1 --rhs "$work/none.raw" && says 'No such file'
expect 2 "$sor" --size 5 --rhs nan
expect 2 "$sor" --size 5 --border inf
expect 2 "$sor" --size 5 --border 1e300 && says 'f64'

# ---- what it says ----------------------------------------------------------------------------

for omega in 0 2 -1 2.5 nan; do expect 2 "$sor" --size 9 --omega $omega; done
expect 2 "$sor" --size 9 --solver jacobi --omega 1.2 && says 'omega 1.2'
expect 2 "$sor" --size 9 --solver mlsor --boundary neumann && says 'mlsor .* dirichlet'
expect 2 "$sor" --size 9 --dims 1 --solver mlsor && says 'planes and solids'
expect 2 "$sor" --size 9x9 --solver mlsor --subdomain 9 --layers 5 && says 'at most 4'
expect 2 "$sor" --size 9x9 --solver mlsor --subdomain 1
expect 2 "$sor" --size 9x9 --solver mlsor --check && says 'no plain loop nest'
expect 2 "$sor" --size 9x9 --solver mlsor --subdomain 4000000000000000000 && says 'counted'
expect 2 "$sor" --size 9x9 --solver mlsor --layers 3 --residual-every 7 && says 'give 9'
expect 2 "$sor" --size 9x9 --solver mlsor --cells 2x1 && says 'side by side'
expect 2 "$sor" --size 9x9x9 --solver mlsor --cells 1x2x1 && says 'along z alone'
expect 2 "$sor" --size 9x9x9 --solver mlsor --strip 2 && says 'side by side'
expect 2 "$sor" --size 9 --subdomain 4 && says 'subdomain is for mlsor'
expect 2 "$sor" --size 9 --solver rbsor --layers 4 && says 'layers is for mlsor'
expect 2 "$sor" --size 9 --solver jacobi --forward-only && says 'forward-only is for mlsor'
for size in 1x1 2x3 3x3 3x40 40x3 1x7x2; do # those without a point to relax, too
    expect 0 "$sor" --size $size --solver mlsor --steps 9 --omega 1.4
    holds "$size: $(value steps)" [ "$(value steps)" = 9 ]
    holds "omega is too large to help" grep -q 'beyond 1.3' "$work/out"
done
expect 0 "$sor" --size 70x70x70 --solver mlsor --steps 9 --cells 1x1x2
holds "of the domain: $(value size)" [ "$(value size)" = 70x70x70 ]
holds "of its points: $(value points.useful)" [ "$(value points.useful)" = 3087000 ]
expect 2 "$sor" --size 9 --solver ssor --boundary neumann && says 'ssor .* dirichlet'
expect 2 "$sor" --size 9 --solver ssor --check && says 'same way'
expect 2 "$sor" --size 9 --solver ssor --subdomain 4 && says 'subdomain is for mlsor'
expect 0 "$sor" --size 99x99 --solver ssor --layers 3 --plan
holds "turns every $(value turns.every)" [ "$(value turns.every)" = 3 ]
holds "of $(value turns.bytes) bytes" [ "$(value turns.bytes)" = $((99 * 99 * 4)) ]
expect 2 "$sor" --size 9 --boundary neumann && says 'order'
# Strips that an alias stands for cannot be dropped.
expect 2 "$sor" --size 9 --method 2D-TBM && says 'in order.*; use --method leaning$'
expect 2 "$sor" --size 9 --strip 2 && says 'in order.*; drop --strip$'
# Ranks take turns along the slowest axis, each at a part that is high enough.
expect 2 "$sor" --size 9x9 --ranks 2x1 --plan && says 'along x: .* take turns along y only; use 1 r'
expect 2 "$sor" --size 9x9 --ranks 1x5 --plan && says 'thinner .* use fewer ranks'
expect 2 "$sor" --size 9x20 --ranks 1x2 --depth 12 --steps 20 --plan && says 'use --depth 10'
expect 2 "$sor" --size 9x20 --ranks 1x2 --cells 1x2 --plan && says 'in order.*; drop --cells$'
# A cell gets the plane above its own, and of the right-hand side the one below as well.
expect 0 "$sor" --size 9x20 --ranks 1x3 --solver ssor --depth 1 --epoch 1 --rhs 1 --plan
holds "$(value turns.messages) messages in a turn" [ "$(value turns.messages)" = 8 ]
expect 0 "$sor" --size 900x900 --ranks 1x3 --steps 640 --plan
holds "a rank's part: $(value cells)" [ "$(value ranks)" = 1x3x1 ]
expect 2 "$sor" --size 8 --solver rbsor --boundary periodic && says 'fixed face'
expect 2 "$sor" --size 9 --solver rbsor --boundary periodic --omega 1 && says 'even'
expect 0 "$sor" --size 8 --solver rbsor --boundary periodic --omega 1.1 --steps 9 --check
expect 2 "$sor" --size 9 --tolerance 0
expect 0 "$sor" --size 66x66 --steps 3
holds "the optimal omega: $(value derived.omega)" [ "$(value derived.omega)" = 1.90782646 ]
holds "all sweeps: $(value derived.sweeps)" [ "$(value derived.sweeps)" = 3 ]
holds "the solver: $(value derived.solver)" [ "$(value derived.solver)" = sor ]
expect 0 "$sor" --size 9 --solver jacobi --steps 3
holds "of jacobi 1" [ "$(value derived.omega)" = 1 ]
expect 0 "$sor" --size 9 --init zero --tolerance 1e-3
holds "nothing to do" [ "$(value derived.sweeps)" = 0 ]
observe "$sor" --size 34x34 --tolerance 1e-30 --steps 100000 --residual-every 20 \
    --report "$work/json"
holds "it stagnates: $rc" [ "$rc" = 1 ]
says 'does not fall'
holds "long before the end: $(value derived.sweeps)" [ "$(value derived.sweeps)" -lt 2000 ]
holds "and says so in the report" grep -q '"solver": "sor"' "$work/json"
finish

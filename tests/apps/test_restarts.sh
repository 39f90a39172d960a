#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# zoid-sor and zoid-spmv go on from checkpoints: the same bytes, residuals, counts and eigenvalues
# as without a stop, wherever that was; and what is refused.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_hdf5 "there are no checkpoints"
cd "$work"
sor=$apps/zoid-sor
spmv=$apps/zoid-spmv
export STARPU_NCUDA=0
RANDOM=24
program=
trap '[ -z "$program" ] || kill -KILL $program 2>/dev/null || true; rm -rf "$work"' EXIT

# seen: what a report says of an iteration.
keys='steps|derived\.(sweeps|first_below|residual|initial_residual|eigenvalue)'
seen() { grep -E "^($keys) " out; }

# whole COMMAND...: the run that is not interrupted, whose last option is --steps N.
whole() {
    command=("$@")
    steps=${*: -1}
    history=()
    if [ "$1" = "$sor" ]; then history=(--history history); fi
    observe "$@" "${history[@]}" --dump a
    code=$rc
    seen >said
    if [ "$1" = "$sor" ]; then mv history first; fi
}

# part STEPS EVERY OPTIONS...: the same of fewer steps, with checkpoints.
part() {
    rm -rf ck
    share "${command[@]}"
    observe "${command[@]}" "${shared[@]}" --steps "$1" --checkpoint ck --checkpoint-every "$2" \
        --quiet "${@:3}"
    holds "it leaves checkpoints every $2 of $1: ${command[*]} ${shared[*]}" [ -n "$(ls -A ck)" ]
}

# goes_on LAUNCHER...: it comes to the same end from the newest checkpoint.
goes_on() {
    local which
    observe "$@" "${command[0]}" --restart ck --steps "$steps" --method "$method" "${history[@]}" \
        --dump b
    which="from $(value start) on: ${command[*]}"
    holds "$rc, not $code $which" [ "$rc" = "$code" ]
    holds "other bytes $which" cmp -s a b
    holds "it says other things $which" cmp said <(seen)
    [ "${command[0]}" != "$sor" ] || holds "another history $which" cmp first history
}

# anywhere N COMMAND...: N stops after any step, before which there were some checkpoints.
anywhere() {
    local i at
    whole "${@:2}"
    for ((i = 0; i < $1; i++)); do
        at=$((RANDOM % (steps - unit) + unit))
        part $((at - at % unit)) $(((at / unit / 16 + 1) * unit)) "${history[@]}"
        goes_on env
    done
}

# ---- solvers ---------------------------------------------------------------------------------

unit=1 method=naive
tolerance=(--tolerance 1e-2 --residual-every 5)
anywhere 1 "$sor" --solver jacobi --size 30x21 --border 0.5 "${tolerance[@]}" --steps 60
method=leaning
anywhere 2 "$sor" --size 33x17x19 --init hot --omega 1.2 --tolerance 0.3 --residual-every 4 \
    --steps 40
anywhere 1 "$sor" --solver ssor --layers 3 --size 40x31 --rhs 0.01 "${tolerance[@]}" --steps 33
method=trapezoid
anywhere 1 "$sor" --solver rbsor --size 50x40 "${tolerance[@]}" --steps 70
unit=3
anywhere 2 "$sor" --solver mlsor --subdomain 6 --size 40x30 --border 0.5 --tolerance 1e-2 \
    --residual-every 6 --steps 50
anywhere 1 "$sor" --solver mlsor --subdomain 7 --forward-only --size 20x18x16 --rhs 0.01 --steps 20
# Where it stagnates, and says so.
unit=1 method=leaning
anywhere 1 "$sor" --size 12x12 --tolerance 1e-30 --residual-every 40 --steps 800
# It has stopped falling: the checks since then count from before the restart.
sweeps=$(awk '$1 == "derived.sweeps" { print $2 }' said)
for before in 30 70 110; do
    part $((sweeps - before)) $((sweeps - before)) "${history[@]}"
    goes_on env
done

# A last visit that had fewer layers than it would have now is none to go on from.
whole "$sor" --solver mlsor --subdomain 6 --size 40x30 --steps 20
part 10 3
expect 2 "$sor" --restart ck --steps 20
says 'of a run of 10 sweeps, whose last visit is shorter'
rm ck/checkpoint-000000000004.h5
goes_on env
expect 2 "$sor" --solver mlsor --size 30x30 --checkpoint other --checkpoint-every 12
says 'no multiple of --layers 8.*give 16'

# ---- polynomials, and eigenvalues --------------------------------------------------------------

printf '0.5 -0.25 0.125 1 2 3 4 5 6 7 8 9\n' >terms
matrix=(--matrix laplace:21x13)
method=overlapped
anywhere 1 "$spmv" "${matrix[@]}" --steps 17
method=leaning
anywhere 1 "$spmv" "${matrix[@]}" --vectors 3 --type f32 --polynomial chebyshev:-1,1 --steps 14
for more in "--polynomial newton:0.1,0.2+0.3i,0.4+0.1i,1,2,3,4,5,6 --matrix band:9 --rows 300" \
    "--polynomial richardson:0.5 --rhs 1 --reorder rcm"; do
    read -ra more <<<"$more"
    whole "$spmv" "${matrix[@]}" --terms terms "${more[@]}" --steps 11
    for every in 4 10; do
        part 11 $every
        goes_on env
    done
done
method=trapezoid
anywhere 2 "$spmv" "${matrix[@]}" --power-iteration 1e-5 --steps 4000
# Where the next estimate is the last one, and where one is due, as every 16 steps.
last=$(awk '$1 == "steps" { print $2 }' said)
for at in $((last - 1)) $((last - 16)) 16; do
    part "$at" "$at"
    goes_on env
done
anywhere 1 "$spmv" "${matrix[@]}" --power-iteration 1e-12 --steps 33

# ---- signals, and kills ------------------------------------------------------------------------

two() { [ "$(find ck -name 'checkpoint-*.h5' | wc -l)" -ge 2 ]; }

# ends SIGNAL CODE COMMAND...: a run that would go on for minutes (a polynomial has a coefficient of
# each step in memory), which the signal ends on its way. However far it has come, both of its last
# checkpoints lead to the same end.
ends() {
    local kept step
    rm -rf ck
    "${@:3}" --steps 3000000 --checkpoint ck --checkpoint-every 48 --quiet >out 2>err </dev/null &
    program=$!
    holds "it leaves checkpoints: ${*:3}" until_it two
    kill "-$1" $program
    rc=0
    wait $program || rc=$?
    program=
    holds "SIG$1: $rc, not $2" [ "$rc" = "$2" ]
    kept=(ck/checkpoint-*.h5)
    step=${kept[-1]//[!0-9]/}
    whole "$3" --restart "${kept[-2]}" --steps $((10#${step%5} + 9))
    goes_on env
}
unit=1 method=leaning
endless=("$sor" --size 61x50 --tolerance 1e-30 --type f64 --omega 0.001 --residual-every 7)
ends USR1 5 "${endless[@]}" --solver rbsor
ends KILL 137 "${endless[@]}" --solver ssor --layers 2
ends TERM 5 "$spmv" --matrix band:3 --rows 5000 --polynomial chebyshev:-1,1

# ---- ranks -------------------------------------------------------------------------------------

if has_ranks; then
    forgive_mpi
    whole "$sor" --solver ssor --layers 3 --rhs 0.01 --size 40x61 "${tolerance[@]}" --steps 60
    launch=(mpirun --allow-run-as-root --oversubscribe -n)
    command=("${launch[@]}" 2 "${command[@]}")
    part 33 11 "${history[@]}"
    command=("${command[@]:5}")
    goes_on env
    goes_on "${launch[@]}" 3
    part 20 20 "${history[@]}"
    goes_on "${launch[@]}" 2
fi

# ---- what is refused -----------------------------------------------------------------------------

# refused PATTERN OPTIONS...: of the program whose checkpoint there is.
refused() {
    expect 2 "${command[0]}" --restart ck "${@:2}"
    says "$1"
}
whole "$sor" --size 20x18 --rhs 0.01 --omega 1.5 "${tolerance[@]}" --steps 30
part 20 7
refused '--solver ssor contradicts the checkpoint .*h5, which has sor' --solver ssor
refused '--omega 1.25 contradicts .* has 1.5' --omega 1.25
refused '--tolerance 0.5 contradicts .* has 0.01' --tolerance 0.5
refused '--residual-every 6 contradicts .* has 5' --residual-every 6
refused '--border 1 contradicts .* has none' --border 1
refused '--size 20x20x1 contradicts' --size 20x20
refused 'the coefficients have the sum' --rhs 0.02
refused '--steps 9 contradicts' --steps 9
refused 'no option .--snapshot' --snapshot 3
expect 2 "$heat" --restart ck
expect 2 "$spmv" --restart ck
expect 0 "$sor" --restart ck --solver sor --omega 1.5 --quiet

echo '%%MatrixMarket matrix coordinate real general
3 3 4
1 1 0.5
2 2 0.25
3 3 0.125
3 1 1' >m.mtx
whole "$spmv" --matrix m.mtx --terms terms --steps 11
part 11 4
refused '--matrix laplace:3 contradicts .* has a file with the sum' --matrix laplace:3
sed s/0.125/0.124/ m.mtx >other.mtx
refused '--matrix a file with the sum [0-9a-f]+ contradicts .* has a file' --matrix other.mtx
refused '--format sell contradicts|--format dia contradicts' \
    --format "$(if [ "$(value derived.format)" = dia ]; then echo sell; else echo dia; fi)"
sed 's/ 2/ 3/' terms >terms.other
refused '--terms a file' --terms terms.other
refused '--polynomial chebyshev:0,1 contradicts .* has power' --polynomial chebyshev:0,1
refused '--vectors 2 contradicts' --vectors 2
refused 'no matrix; drop --checkpoint-coefficients' --checkpoint again --checkpoint-coefficients
cp m.mtx copy.mtx
expect 0 "$spmv" --restart ck --matrix copy.mtx --quiet --dump b
holds "the same matrix by another name" cmp -s a b
finish

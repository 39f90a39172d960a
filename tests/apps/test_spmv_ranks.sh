#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# zoid-spmv on several ranks, each with a part of the rows: the bytes, sums and eigenvalues of one,
# two messages an epoch and rank, and what is refused.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
spmv=$apps/zoid-spmv
need_mpirun
cd "$work"
mkdir disk
export STARPU_NCUDA=0

# alike N OPTIONS...: N ranks do what one does.
alike() {
    local n=$1 eigenvalue
    shift
    expect 0 "$spmv" "$@" --dump one
    eigenvalue=$(value derived.eigenvalue)
    ranks "$n" "$spmv" --oversubscribe "$@" --dump several
    holds "$n ranks end with $rc: $*" [ "$rc" = 0 ]
    holds "$n ranks, other bytes: $*" cmp -s one several
    holds "$n ranks, another eigenvalue: $*" [ "$(value derived.eigenvalue)" = "$eigenvalue" ]
}

# Rows of no whole groups, a border in the middle of one, a band on one side.
{
    echo "%%MatrixMarket matrix coordinate real general"
    echo "301 301 602"
    for ((i = 301; i >= 1; i--)); do
        echo "$i $i 0.5"
        echo "$i $((i > 9 ? i - 9 : 1 + i % 7 + (i < 8))) -0.25"
    done
} >below.mtx
printf '0.5 -0.25 0.125 1 2 3 4 5 6 7 8 9\n' >terms
alike 2 --matrix below.mtx --duplicates sum --steps 7 --format sell
alike 2 --matrix below.mtx --duplicates sum --steps 7 --format dia --type f32 --vectors 3
alike 2 --matrix laplace:40x30 --steps 11 --terms terms --polynomial chebyshev:-1,1 --reorder rcm
alike 2 --matrix random:20,0.2 --rows 999 --polynomial richardson:0.5 --rhs 1 --steps 9
alike 2 --matrix laplace:30x30 --power-iteration 1e-9 --steps 20000
expect 0 "$spmv" --matrix band:9 --rows 1001 --steps 12 --dump one
for method in $(methods); do
    ranks 2 "$spmv" --oversubscribe --matrix band:9 --rows 1001 --steps 12 --method "$method" \
        --epoch 6 --dump several
    holds "by $method, other bytes" cmp -s one several
done
if ! quick; then
    alike 2 --matrix band:9 --rows 100001 --steps 8 --disk disk --ram 16M
    alike 2 --matrix band:9 --rows 1001 --steps 12 --cells 3 --type f32
fi

# Two messages an epoch and rank, however many steps it has; of three ranks the one in the middle
# sends both ways.
line=(--matrix band:9 --rows 3001 --steps 24 --method leaning --depth 6)
expect 0 "$spmv" "${line[@]}" --dump one
ranks 3 "$spmv" --oversubscribe "${line[@]}" --epoch 6 --dump several
holds "three ranks, other bytes" cmp -s one several
holds "$(value messages) messages" [ "$(value messages)" = $(((24 / 6 - 1) * 4)) ]

# A run that two ranks begin, one goes on with, and two.
if ! lacks HDF5; then
    chebyshev=(--matrix band:9 --rows 1001 --polynomial "chebyshev:-1,1")
    expect 0 "$spmv" "${chebyshev[@]}" --steps 20 --dump one
    ranks 2 "$spmv" --oversubscribe "${chebyshev[@]}" --steps 13 --checkpoint ck \
        --checkpoint-every 5
    expect 0 "$spmv" --restart ck --steps 20 --dump several
    holds "one goes on with what two have left" cmp -s one several
    ranks 2 "$spmv" --oversubscribe --restart ck --steps 20 --dump several
    holds "to the same bytes" cmp -s one several
fi

expect 2 "$spmv" --matrix band:60 --rows 1000 --method leaning --depth 7 --ranks 3 --plan
says 'use --depth 5, or less'
expect 2 "$spmv" --matrix band:400 --rows 1000 --ranks 3 --plan
says 'use fewer ranks'
ranks 2 "$spmv" --oversubscribe --matrix none.mtx
holds "what all know one says: $(ours)" [ "$(ours)" = 1 ]
finish

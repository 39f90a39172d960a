#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# zoid-spmv: the same bytes however they are computed; what options mean together, against runs that
# say the same otherwise; an eigenvalue that is known; and what is refused.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
spmv=$apps/zoid-spmv
disk=$work/disk
mkdir "$disk"

# checked_spmv OPTIONS...: gives the plain loop's bytes.
checked_spmv() {
    expect 0 "$spmv" "$@" --check
    holds "the check '$(value check)' of $*" [ "$(value check)" = passed ]
}

# ---- the same whatever computes it -----------------------------------------------------------

same() {
    checked_spmv "${problem[@]}" "$@" --dump "$work/dump"
    holds "other bytes: ${problem[*]} $*" cmp -s "$work/first" "$work/dump"
}

for given in "f64 band:20 --rows 5000" "f32 laplace:61x50 --vectors 3" \
    "f64 random:40,0.1 --rows 3001 --polynomial chebyshev:-1,1" "f32 band:0 --rows 7"; do
    read -r type matrix more <<<"$given"
    read -ra more <<<"$more"
    problem=(--matrix "$matrix" --type "$type" "${more[@]}" --steps 12 --seed 3)
    checked_spmv "${problem[@]}" --dump "$work/first"
    for method in $(methods); do same --method "$method"; done
    if ! spared; then
        same --method leaning --depth 5 --block 1000
        same --method naive --traversal naive
        same --method overlapped --disk "$disk" --depth 2
    fi
done

# A matrix that main memory has no room for.
big=(--matrix band:16 --rows 200000 --steps 4 --disk "$disk")
expect 3 "$spmv" "${big[@]}" --ram 1M
budget=$(least ram)
checked_spmv "${big[@]}" --ram "${budget}M"
holds "it was read from the disk: $(value bytes.disk_read)" \
    [ "$(value bytes.disk_read)" -gt 50000000 ]
expect 0 "$spmv" "${big[@]}" --ram "${budget}M" --plan
holds "it says how many steps a visit the disk needs" \
    grep -q 'at 0.9 of the rate in memory from [1-9][0-9]* steps a' "$work/out"
# As many bytes in smaller slabs would take more requests, which take longer than the bytes do.
STARPU_NCPU=2 expect 0 "$spmv" --matrix band:64 --rows 262144 --steps 16 --method leaning \
    --ram 64M --disk "$disk" --plan
holds "slabs of $(value block) rows are large enough for a disk" [ "$(value block)" -ge 1024 ]

# ---- what options mean ---------------------------------------------------------------------

# A dump is what a run goes on from; of one vector too it has rows and columns.
expect 0 "$spmv" --matrix laplace:20x20 --steps 3 --dump "$work/three.npy"
holds "a shape of two numbers" grep -qa "'shape': (400, 1,)" "$work/three.npy"
expect 0 "$spmv" --matrix laplace:20x20 --steps 2 --vector "$work/three.npy" --dump "$work/five"
expect 0 "$spmv" --matrix laplace:20x20 --steps 5 --dump "$work/straight"
holds "3 and 2 steps are 5" cmp -s "$work/five" "$work/straight"

# Files of the same matrix, in another order, and those of another order.
matrix_market() {
    echo "%%MatrixMarket matrix coordinate real symmetric"
    echo "60 60 119"
    for ((i = 60; i >= 1; i--)); do
        echo "$i $i 0.5"
        [ "$i" = 1 ] || echo "$i $((i - 1)) -0.25"
    done
}
matrix_market >"$work/line.mtx"
gzip -k "$work/line.mtx"
expect 0 "$spmv" --matrix laplace:60 --steps 9 --dump "$work/rule"
for options in "" "--reorder rcm" "--format sell" "--format dia --reorder rcm"; do
    read -ra more <<<"$options"
    checked_spmv --matrix "$work/line.mtx.gz" --steps 9 "${more[@]}" --dump "$work/file"
    holds "other bytes from a file: $options" cmp -s "$work/rule" "$work/file"
done
sed 's/119/120/; $ a 60 60 0.5' "$work/line.mtx" >"$work/twice.mtx"
expect 2 "$spmv" --matrix "$work/twice.mtx"
says 'line 122: row 60, column 60 is there twice'
checked_spmv --matrix "$work/twice.mtx" --duplicates sum
holds "as many entries: $(value derived.entries)" [ "$(value derived.entries)" = 178 ]

# A sum of the last vector alone is that vector; twice the first one is twice what was given.
echo 0 0 0 1 >"$work/last"
expect 0 "$spmv" --matrix laplace:60 --terms "$work/last" --dump "$work/sum"
expect 0 "$spmv" --matrix laplace:60 --steps 3 --dump "$work/vector"
holds "the last term alone" cmp -s "$work/sum" "$work/vector"
holds "as many steps as it has" [ "$(value steps)" = 3 ]

# Richardson's iteration comes to rest at the solution: A x = b.
expect 0 "$spmv" --matrix laplace:9 --polynomial richardson:1 --rhs 1 --init zero --steps 4000 \
    --dump "$work/solution.npy"
expect 0 "$spmv" --matrix laplace:9 --vector "$work/solution.npy" --steps 1 --dump "$work/b"
differs=$(od -v -An -tf8 -w8 "$work/b" | awk '{ d = $1 - 1 } d * d > 1e-18' | wc -l)
holds "A x is b" [ "$differs" = 0 ]

# The largest eigenvalue of a grid's matrix is known: (1 + cos(pi / 31)) / 2.
expect 0 "$spmv" --matrix laplace:30x30 --power-iteration 1e-9 --steps 20000
holds "an eigenvalue of $(value derived.eigenvalue)" \
    awk -v is="$(value derived.eigenvalue)" 'BEGIN { d = is - 0.997434668; exit d * d > 1e-12 }'
observe "$spmv" --matrix laplace:30x30 --power-iteration 1e-9 --steps 100
holds "it is not there after 100 steps: $rc" [ "$rc" = 1 ]
says 'allow more --steps'

# Values that leave the numbers.
echo "%%MatrixMarket matrix coordinate real general
2 2 2
1 1 1e30
2 2 1" >"$work/large.mtx"
observe "$spmv" --matrix "$work/large.mtx" --type f32 --steps 20 --init hot --dump "$work/inf"
holds "they are no result: $rc" [ "$rc" = 1 ]
says 'row 0 is no finite number'
holds "but there all the same" [ -s "$work/inf" ]

# ---- what is said --------------------------------------------------------------------------

expect 0 "$spmv" --matrix band:8 --rows 20000 --plan
holds "how many steps go together" grep -q 'steps go together' "$work/out"
expect 0 "$spmv" --matrix band:9000 --rows 20000 --plan
holds "one step a visit: $(value depth)" [ "$(value depth)" = 1 ]
holds "and why" grep -q 'no two steps go together' "$work/out"

# ---- what is refused -----------------------------------------------------------------------

# refused PATTERN OPTIONS...
refused() {
    expect 2 "$spmv" "${@:2}"
    says "$1"
}
echo 1 2 >"$work/two"
refused 'no density' --matrix random:5
refused 'a density is 0 to 1' --matrix random:5,2
refused 'has 900 rows, not 5' --matrix laplace:30x30 --rows 5
refused '--rows is for' --matrix "$work/line.mtx" --rows 5
refused 'more entries than can be counted' --matrix band:1000000000 --rows 100000000000
refused 'begins neither' --matrix "$work/two"
refused 'shifts for 3 steps, not 4' --polynomial newton:0.1,0.2+0.3i --steps 4
refused 'has 2 numbers, and 3 steps take 4' --terms "$work/two" --steps 3
refused '--rhs is for richardson' --rhs 1
refused 'takes one vector' --power-iteration 1e-3 --vectors 2
refused 'takes powers' --power-iteration 1e-3 --polynomial chebyshev:0,1
refused 'is never reached' --power-iteration 0
refused 'has 4 bytes' --matrix laplace:60 --vector "$work/two"
refused 'has the shape 400x1' --matrix laplace:60 --vectors 2 --vector "$work/three.npy"
refused 'choose from random, zero, point, hot' --init gaussian
refused 'no option .--size' --size 5
expect 4 "$spmv" --matrix "$work/none.mtx"
says 'cannot read'

finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# Nests in tiles, compiled by gcc, leave the same bytes: those of tests/loops and nests, by minimal
# and by balanced rows, with and without copies; and drawn ones. The first are operators, too.
# ZOID_TEST_SEED is the seed [1].
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
need_compile
cc=$(cached CMAKE_C_COMPILER)
loops=$here/../../loops
export OMP_NUM_THREADS=3
cd "$work"

# objects: compiles files, as lines of FUNCTION SUFFIX FILE OPTION... have them.
objects() {
    xargs -P 2 -L 1 sh -c 'name=$2_$3 file=$4 function=$2
        # shellcheck disable=SC2086
        "$0" $1 -c "-D$function=$name" "$file" -o "$name.o"' "$cc" \
        "-std=gnu11 -ffp-contract=off -fopenmp -Wall -Werror -Wno-unknown-pragmas \
        -Wno-unused-variable -Wno-unused-parameter -O2"
}

# tiled NEST NAME ROWS TILE [--copies]: whether there are such tiles; `way` is their name.
tiled() {
    way=$3${5:+_copies}
    observe "$compile" "$1" --name "$2" --tiled "$3" --tile "$4" ${5:+--copies} -o "$way"
    if [ "$rc" = 0 ]; then return; fi
    holds "$2, $*: $rc $(cat "$work/err")" grep -q \
        'no false dependence that hinders and that a copy removes; leave out --copies$' "$work/err"
    return 1
}

# --- the loop, and each way of tiles

ways=0
for nest in "$loops"/[!m]*.c "$here"/nests/{seidel-2d,heat-3d,jacobi-1d,red-black,swap}.c
do
    name=$(sed -nE 's/^void ([a-z0-9_]+)\(.*/\1/p' "$nest")
    axes=$("$compile" "$nest" --explain | sed -n '1s/.* axes //p' | wc -w)
    tile=$(cut -d, -f "1-$((axes + 1))" <<<7,5,6,9)
    expect 0 "$compile" "$nest" -o operators
    echo "$name plain $nest" >>list
    for rows in minimal balanced; do
        for copies in '' --copies; do
            tiled "$nest" "$name" "$rows" "$tile" $copies || continue
            echo "$name $way $way/${name}_tiled.c" >>list
            ways=$((ways + 1))
        done
    done
done
objects <list
"$cc" -std=gnu11 -O1 -Wall -Werror "$loops/main.c" ./*.o -fopenmp -lm -o main
observe ./main
holds "tiles leave what loops leave: $rc $(tail -20 "$work/out")" [ "$rc" = 0 ]
holds "all $ways were called: $(cat "$work/out")" \
    grep -qx "$ways ways, [1-9][0-9]* calls, 0 wrong" "$work/out"

# --- names of the file, arithmetic without a sign, and an array that is shorter than the domain

cat >odd.c <<'EOF'
#define a0 7
void odd(unsigned n, int steps, double *a, double *b)
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n - 1; i++)
            a[i] = 0.5 * (a[i] + a[i + 1]) + (t - n);
        for (int i = 0; i < n + 3; i++)
            b[i] = 0.5 * b[i] + (t - 2 < n ? 1.0 : 2.0);
    }
#pragma endscop
}
EOF
cat >ends.c <<'EOF'
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void odd_plain(unsigned n, int steps, double *a, double *b);
void odd_tiled(unsigned n, int steps, double *a, double *b);

int main(void)
{
    enum { N = 50 };
    double a[N], b[2][N + 3];
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    double *end = (double *)(two + page) - N;

    if (two == MAP_FAILED || mprotect(two + page, page, PROT_NONE))
        return 2;
    for (int i = 0; i < N + 3; i++)
        b[0][i] = b[1][i] = i * 0.1;
    for (int i = 0; i < N; i++)
        a[i] = end[i] = i % 7;
    odd_plain(N, 9, a, b[0]);
    odd_tiled(N, 9, end, b[1]);
    return memcmp(a, end, sizeof a) || memcmp(b[0], b[1], sizeof b[0]);
}
EOF
expect 0 "$compile" odd.c --tiled minimal --tile 7,5 --copies -o odd
objects <<<"odd plain odd.c
odd tiled odd/odd_tiled.c"
"$cc" -std=gnu11 -O1 -Wall -Werror ends.c odd_plain.o odd_tiled.o -fopenmp -o ends
expect 0 ./ends
for name in zoid_x0 zoid_max zoid_1; do
    sed "s/\<b\>/$name/g" odd.c >named.c
    observe "$compile" named.c --tiled minimal -o made
    says "^named.c:2:52: $name is a name that tiles have; give it another one"
done

# --- options

refused() {
    local words=$1
    shift
    expect 2 "$compile" "$loops/sor-2d.c" "$@"
    says "$words"
}
refused '--tiled needs a folder' --tiled minimal
refused '--tiled writes C that is not for --build' --tiled minimal -o made --build
refused "there are no rows 'other'" --tiled other -o made
refused '--tile is for --tiled' --tile 4 -o made
refused '--copies is for --tiled' --copies -o made
refused '--tile has 2 numbers, and tiles 3 rows; give 3' --tiled minimal --tile 4,5 -o made
for tile in 0 -1 x '4,' 4x 1,2,3,4,5 1048577 ''; do
    refused '--tile is no list of 1 to 4 numbers' --tiled minimal --tile "$tile" -o made
done
holds 'nothing is left' [ ! -e made ]

# --- drawn nests, in small tiles

find_python numpy || {
    echo "no Python with NumPy here: drawn nests are not tested; scripts/setup installs it"
    finish
    exit 0
}
time_limit=550 observe "$python" "$here/nests.py" "$compile" "$cc" tiled \
    "${ZOID_TEST_SEED:-1}" "$(effort 20)"
holds "drawn: $(tail -40 "$work/out")" [ "$rc" = 0 ]
holds "drawn: $(tail -1 "$work/out")" grep -q ' accepted, 0 wrong$' <(tail -1 "$work/out")
finish

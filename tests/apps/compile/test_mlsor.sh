#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# Nests in the order of MLSOR, compiled by gcc, leave the bytes of a program that follows the
# definition, and those of zoid-sor's mlsor; others are refused with their place.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
need_compile
cc=$(cached CMAKE_C_COMPILER)
loops=$here/../../loops
flags=(-std=gnu11 -O2 -ffp-contract=off -fopenmp -Wall -Werror -Wno-unused-variable)
export OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive
cd "$work"

# --- the definition

# Loops that go down, and not in the order of storage; a coefficient at other points, the time as a
# value, and a local.
cat >down.c <<'END'
void down(int n, int m, int l, int steps, double a[n][m][l], const double b[n][m][l])
{
    int t, x, y, z;
#pragma scop
    for (t = 0; t < steps; t++)
        for (x = l - 3; x >= 0; x--)
            for (z = n - 2; z >= 1; z--)
                for (y = 1; y < m - 1; y++) {
                    const double around = a[z - 1][y][x] + b[z + 1][y - 1][x] * a[z][y + 1][x];
                    a[z][y][x] = 0.3 * around + 0.001 * t - 0.4 * (a[z][y][x + 1] - a[z][y][x]);
                }
#pragma endscop
}
END
for nest in "$loops"/sor-{1,2,3}d.c down.c; do
    name=$(sed -nE 's/^void ([a-z0-9_]+)\(.*/\1/p' "$nest")
    for shape in 2,1,0 5,2,0 7,3,1 9,2,0 16,8,0; do
        IFS=, read -r p k forward <<<"$shape"
        options=(--subdomain "$p")
        [ "$k" = $((p / 2)) ] || options+=(--layers "$k")
        [ "$forward" = 0 ] || options+=(--forward-only)
        expect 0 "$compile" "$nest" --mlsor "${options[@]}" -o made
        expect 0 "$cc" "${flags[@]}" -c "-D$name=${name}_${p}_${k}_$forward" \
            "made/${name}_mlsor.c" -o "${name}_$p.o"
    done
done
expect 0 "$cc" -std=gnu11 -O1 -ffp-contract=off -Wall "$loops/main_mlsor.c" ./*.o -fopenmp -lm \
    -o main
observe ./main
holds "the bytes of the definition: $rc $(tail -20 out)" [ "$rc" = 0 ]
holds "of all calls: $(cat out)" grep -qx '960 calls, 0 wrong' out

# Another order would be seen: of visits that do not go back.
expect 0 "$compile" "$loops/sor-2d.c" --mlsor --subdomain 5 -o made
sed -i 's/zoid_back = zoid_visit % 2/zoid_back = 0/' made/sor_2d_mlsor.c
expect 0 "$cc" "${flags[@]}" -c -Dsor_2d=sor_2d_5_2_0 made/sor_2d_mlsor.c -o sor_2d_5.o
expect 0 "$cc" -std=gnu11 -O1 -ffp-contract=off "$loops/main_mlsor.c" ./*.o -fopenmp -lm -o other
observe ./other
holds "it was: $(tail -1 out)" grep -qx '960 calls, [1-9][0-9]* wrong' <(tail -1 out)

# --- zoid-sor, whose operator is written by hand

cat >relax.c <<'END'
#include <math.h>
#include <stdio.h>

void relax(int n, int m, int steps, double q, double keep, double a[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                const double old = fma(q, a[i][j + 1] + a[i + 1][j], keep * a[i][j]);
                a[i][j] = fma(q, a[i][j - 1], fma(q, a[i - 1][j], old));
            }
#pragma endscop
}

int main(void)
{
    static double a[37][29];
    FILE *from = fopen("from.raw", "wb"), *to = fopen("to.raw", "wb");

    for (int i = 0; i < 37 * 29; i++)
        a[i / 29][i % 29] = sin(i * i % 1009);
    fwrite(a, sizeof a, 1, from);
    relax(37, 29, 7, 1.2 / 4, 1 - 1.2, a);
    fwrite(a, sizeof a, 1, to);
    return fclose(from) || fclose(to);
}
END
for layers in 2 3; do
    expect 0 "$compile" relax.c --mlsor --subdomain 6 --layers $layers --forward-only -o made
    expect 0 "$cc" "${flags[@]}" made/relax_mlsor.c -lm -o relax
    expect 0 ./relax
    expect 0 env STARPU_NCUDA=0 "$apps/zoid-sor" --solver mlsor --subdomain 6 --layers $layers \
        --forward-only --omega 1.2 --type f64 --size 29x37 --steps 7 --init u=from.raw \
        --dump sor.raw
    holds "layers $layers: the bytes of zoid-sor" cmp -s to.raw sor.raw
done

# --- what is refused

# refused LINE:COLUMN WORDS STATEMENT: a nest in 2-D with this statement in its loops, at line 5.
refused() {
    cat >refused.c <<END
void f(int n, int m, int steps, double a[n][m], double b[n][m])
{
#pragma scop
for (int t = 0; t < steps; t++) {
$3
}
#pragma endscop
}
END
    rm -rf made
    observe "$compile" refused.c --mlsor -o made
    holds "exit code $rc, not 2: $2" [ "$rc" = 2 ]
    holds "at $1 with '$2': $(head -1 err)" grep -qE "^refused.c:$1: .*$2.*; (leave out|take) --" \
        err
    holds "three lines" [ "$(wc -l <err)" = 3 ]
    holds "nothing is left" [ ! -e made ]
}
box='for (int i = 2; i < n - 2; i++) for (int j = 2; j < m - 2; j++)'
refused 5:90 'a at a diagonal neighbour' "$box a[i][j] += a[i][j - 1] + a[i - 1][j - 1];"
refused 5:76 'a 2 points away, and the star of MLSOR has 1' "$box a[i][j] += a[i][j - 2];"
refused 5:65 'no point waits for another one of its sweep' "$box a[i][j] += a[i][j + 1];"
refused 5:65 'no point waits for another one of its sweep' "$box b[i][j] = a[i][j - 1];"
refused 6:65 'a second statement' "$box a[i][j] += a[i][j - 1];
$box b[i][j] = a[i][j];"
refused 5:29 'a face' "for (int j = 1; j < m; j++) a[0][j] += a[0][j - 1];"
refused 5:87 'points of one colour' "$box if ((i + j) % 2 == 0) a[i][j] += a[i][j - 1];"
sed -e 's/double a\[n\]/double a[2][n]/' \
    -e "5s/.*/$box a[(t + 1) % 2][i][j] = a[t % 2][i][j - 1];/" refused.c >turns.c
observe "$compile" turns.c --mlsor -o made
holds "arrays that take turns: $rc $(head -1 err)" \
    grep -q '^turns.c:5:65: .*; leave out --mlsor' err

# options_refused WORDS OPTION...
options_refused() {
    expect 2 "$compile" "$loops/sor-2d.c" "${@:2}" && says "$1"
}
options_refused '--mlsor needs a folder' --mlsor
options_refused 'different orders' --mlsor --tiled minimal -o made
options_refused 'not for --build' --mlsor --build -o made
options_refused '--subdomain is for --mlsor' --subdomain 8 -o made
options_refused '--layers is for --mlsor' --layers 2 -o made
options_refused '--forward-only is for --mlsor' --forward-only -o made
options_refused '--subdomain is to be a number from 2' --mlsor --subdomain 1 -o made
options_refused '--layers is to be a number from 1' --mlsor --layers 0 -o made
options_refused 'more than half' --mlsor --subdomain 8 --layers 5 -o made
sed 's/\<a\>/zoid_layer/g' "$loops/sor-2d.c" >named.c
observe "$compile" named.c --mlsor -o made
says 'zoid_layer is a name that tiles have'
finish

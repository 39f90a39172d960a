#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# What nests mean, nests/*.c and one of tests/loops, as nests/*.ir has it; and the way of operators
# into a folder.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
need_compile
cd "$work"

: >polybench.h
loops=$here/../../loops
for nest in "$here"/nests/*.c "$loops/fdtd-2d.c"; do
    name=$(basename "$nest" .c)
    ir=$here/nests/$name.ir
    expect 0 "$compile" "$nest" --explain
    sed '/^operator /,$d' "$work/out" >meaning
    holds "$name means what it did: $(diff meaning "$ir")" cmp -s meaning "$ir"
    holds "$name has operators, or says why not" grep -q '^operator ' "$work/out"
    holds "gcc takes $name" gcc -std=gnu11 -w -fsyntax-only -DDATA_TYPE=double \
        '-DPOLYBENCH_2D(a,N,M,n,m)=a[n][m]' -D_PB_N=n -D_PB_TSTEPS=tsteps '-DSCALAR_VAL(x)=x' \
        -I . "$nest"
    # The same with the ends of lines of other systems.
    sed 's/$/\r/' "$nest" >lines.c
    expect 0 "$compile" lines.c --explain
    holds "$name with CR LF" cmp -s <(sed '/^operator /,$d' "$work/out") "$ir"
done

# --- PolyBench

cp "$here/polybench.txt" heat.c
expect 0 "$compile" heat.c --explain --type f32
holds "its type: $(head -1 "$work/out")" grep -qx 'nest kernel_heat type f32 axes z y x' "$work/out"
holds "its steps" grep -qx 'time t from 1 step 1 steps tsteps' "$work/out"
holds "its halves" grep -q '^halves: ' "$work/out"
holds "its numbers" grep -q '(\* 0.125f (- B\[1,0,0\] (\* 2.0f B\[0,0,0\])))' "$work/out"

# --- the page: the nest, its meaning, its refusal

page=$here/../../../docs/loops.md
awk '/^```c$/ { on = 1; next } /^```$/ { exit } on' "$page" >diffuse.c
# block PATTERN: the indented lines after the one that has it.
block() {
    awk -v start="$1" 'on && /^[^ ]/ { exit } on && NF { print substr($0, 5) }
        index($0, start) { on = 1 }' "$page"
}
expect 0 "$compile" diffuse.c --explain
sed '/^operator /,$d' "$work/out" >meaning
sed '/^operator /,$!d' "$work/out" >operators
holds "the page's meaning: $(diff <(block '`--explain` prints it:') meaning)" \
    diff -q <(block '`--explain` prints it:') meaning
holds "the page's operator: $(diff <(block 'So it runs:') operators)" \
    diff -q <(block 'So it runs:') operators
sed -i 's/j + 1\]/j + 9]/' diffuse.c
observe "$compile" diffuse.c --explain
holds "the page's refusal: $(cat "$work/err")" diff <(block '## Reading a refusal') "$work/err"

# --- operators

expect 0 "$compile" "$here/nests/seidel-2d.c" -o made
holds "its files: $(ls made)" \
    [ "$(ls made | paste -sd' ')" = "CMakeLists.txt seidel_2d.def seidel_2d.h \
seidel_2d_call.c seidel_2d_call.h" ]
expect 0 "$compile" "$here/nests/seidel-2d.c" -o made --name nine
holds "its name" grep -q '^ZOID_SINGLE(nine, DIMS_2, NEST_RADII_1, NEST_TYPES_f64' made/nine.def
expect 4 "$compile" "$here/nests/seidel-2d.c" -o absent/made
says 'cannot make absent/made: No such file or directory; give another folder by --output'
# Keys are made of names where the row is loaded.
sed 's/omega/steps_/; s/omega/steps_/g' "$here/nests/sor.c" | sed 's/steps_/size/g' >size.c
expect 0 "$compile" size.c -o made --name sized
holds "a parameter size: $(grep param made/sized.def)" grep -q '"size"' made/sized.def

# Boxes of fields, for which the update does not test.
expect 0 "$compile" "$here/../../outside/functions/fields.c" -o made
holds "a box of a field: $(cat made/fields.def)" \
    grep -q 'box = {{.field = 0}}}' made/fields.def
expect 0 "$compile" "$here/../../outside/functions/corners.c" -o made
holds "a box of each turn: $(cat made/corners.def)" \
    grep -q 'box = {{.field = 1, .leaves = {.lo = {0, 2}, .hi = {3, 0}}}}}' made/corners.def
holds "and no test: $(cat made/corners.h)" [ "$(grep -c 'SELECT_X\|at->p' made/corners.h)" = 0 ]
holds "each keeps its own: $(cat made/corners.def)" grep -q 'keeps_own = true' made/corners.def

expect 0 "$compile" "$here/../../outside/functions/faced.c" -o made
holds "what small domains lack: $(cat made/faced.h)" \
    grep -q 'if (at->n\[1\] >= 2 && at->p\[1\] >= 0 && at->p\[1\] < 1)' made/faced.h
holds "and divide by: $(cat made/faced.h)" grep -q '(6 / ((.* - 1) ?: 1))' made/faced.h

# Tables of the run.
expect 0 "$compile" "$loops/fdtd-2d.c" -o made
holds "a table: $(cat made/fdtd_2d.def)" grep -q 'table = {{.name = "fict"}}' made/fdtd_2d.def
expect 0 "$compile" "$loops/fdtd-2d.c" --explain --name driven
holds "its option: $(cat "$work/out")" grep -q '^table fict option --table fict=$' "$work/out"
expect 0 "$compile" "$here/../../outside/functions/driven.c" -o made
holds "names: $(cat made/driven.def)" grep -q \
    'ntables = 5,$' made/driven.def
holds "of offsets, sizes and values: $(cat made/driven.def)" grep -q \
    '{{.name = "k"}, {.name = "k_p1"}, {.name = "steps"}, {.name = "value"}, {.name = "k_m1"}}' \
    made/driven.def
expect 0 "$compile" "$here/../../outside/functions/listed.c" -o made
holds "of elements: $(cat made/listed.def)" grep -q \
    '{{.name = "k_0"}, {.name = "k_3"}, {.name = "value"}}' made/listed.def
expect 0 "$compile" "$here/../../outside/functions/listed.c" --explain
holds "a list: $(cat "$work/out")" grep -q '^table k\[\]$' "$work/out"

# Arrays that take turns, each a field of its own.
expect 0 "$compile" "$here/../../outside/functions/thirds.c" -o made
holds "three: $(cat made/thirds.def)" [ "$(grep '\.field = {"' made/thirds.def)" = \
    '            .field = {"a", "a_before", "k"},
            .field = {"a", "a_before", "a_before_2", "k"},' ]
expect 0 "$compile" "$here/../../outside/functions/blinking.c" -o made
holds "of one colour: $(cat made/blinking.def)" [ "$(grep '\.field = {"' made/blinking.def)" = \
    '            .field = {"a", "a_before", "b", "k"},' ]

# Why a nest becomes no operator.
cat >chosen.c <<'END'
void chosen(int n, int steps, double a[n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++)
            a[i] = 1 + (a[i] < 0 ? 1 : 2);
#pragma endscop
}
END
expect 0 "$compile" chosen.c --explain
holds "a reason: $(tail -1 "$work/out")" \
    grep -q '^operator no: .*chosen.c:6:[0-9]*: arithmetic of integers' "$work/out"
expect 0 "$compile" "$here/nests/sor.c" --explain
holds "a name: $(tail -1 "$work/out")" \
    grep -q '^operator no: Zoid has an operator sor; name this one by --name$' "$work/out"

# What operators cannot say is refused by name, and leaves nothing.
rm -r made
expect_refused() {
    observe "$compile" "$1" -o made
    holds "exit code $rc: $1" [ "$rc" = 2 ]
    holds "$1: $(head -1 "$work/err")" grep -q "$2, which operators do not have yet" "$work/err"
    holds "nothing is left of $1" [ ! -e made ]
}
expect_refused chosen.c \
    'chosen.c:6:[0-9]*: arithmetic of integers that a comparison of real numbers chooses'
cat >chosen.c <<'END'
void chosen(int n, int steps, float a[n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n; i++)
            a[i] = 3 / ((a[i] < a[i - 1] ? 1 : 2) + 1);
#pragma endscop
}
END
expect_refused chosen.c \
    'chosen.c:6:42: arithmetic of integers that a comparison of real numbers chooses'
cat >behind.c <<'END'
void behind(int n, int m, int steps, double a[2][n][m], double e[n][m])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n; i++) {
            e[i][0] = e[i - 1][0] + a[(t + 1) % 2][i - 1][1];
            a[(t + 1) % 2][i][0] = a[t % 2][i][0] + e[i][0];
        }
#pragma endscop
}
END
expect_refused behind.c \
    'behind.c:6:37: the time before the last, where its points are overwritten in order'
{
    echo 'void many(int n, int steps'
    for a in a b c d e f; do echo ", float ${a}[3][n]"; done
    echo ') {'
    echo '#pragma scop'
    echo 'for (int t = 0; t < steps; t++) for (int i = 1; i < n; i++) {'
    for a in a b c d e f; do
        echo "${a}[(t + 1) % 3][i] = a[t % 3][i] - a[(t + 2) % 3][i - 1];"
    done
    echo '}'
    echo '#pragma endscop'
    echo '}'
} >many.c
observe "$compile" many.c -o made
holds "exit code $rc: many.c" [ "$rc" = 2 ]
says 'many.c:7:9: f takes turns, by a field for each time, and they are too many; 16 fields at most'
holds "nothing is left of many.c" [ ! -e made ]

# --- shapes, and time

expect 0 "$compile" "$here/nests/seidel-2d.c" --shapes
holds "shapes: $(cat "$work/out")" grep -qx 'balanced (4 2 1) (1 0 0) (1 1 0)' "$work/out"
finish

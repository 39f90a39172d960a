#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: builds
# Functions of nests in a module, called by a program in place of its own, leave the same values in
# all arrays.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
need_modules
cc=$(cached CMAKE_C_COMPILER)
outside=$here/../../outside/functions
export STARPU_NCUDA=0
cd "$work"

# --- one module of all nests, and the program

names=() objects=() exports=()
for nest in "$outside"/*.c; do
    name=$(basename "$nest" .c)
    if [ "$name" = main ]; then continue; fi
    # An operator may have another name: Zoid has a wave.
    expect 0 "$compile" "$nest" -o . --name "own_$name"
    echo "#include \"own_$name.def\"" >>all.def
    "$cc" -O2 -ffp-contract=off -c "-D$name=${name}_plain" "$nest" -o "$name.o"
    names+=("$name") objects+=("$name.o") exports+=("$name" "own_${name}_on_failure")
done
isa=$("$info" | awk '$1 == "isa" { print $2 }')
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.22)
project(nests LANGUAGES C)
find_package(zoid REQUIRED)
zoid_add_operators(libnests MODULE ROWS all.def CALLS $(printf 'own_%s_call.c ' "${names[@]}")
    EXPORTS ${exports[*]} ISAS $isa)
END
observe cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release \
    "-Dzoid_DIR=$ZOID_BUILD_DIR/package" "-DCMAKE_C_COMPILER=$cc" \
    "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror"
holds "the module is configured: $(tail -5 "$work/err")" [ "$rc" = 0 ]
time_limit=550 observe cmake --build build -j2
holds "and builds: $(tail -20 "$work/out")" [ "$rc" = 0 ]
"$cc" -O1 -Wall -Werror "$outside/main.c" "${objects[@]}" -o main -Lbuild -lnests -lm -pthread \
    "-Wl,-rpath,$work/build"

# --- calls

observe ./main
holds "functions leave what the nests leave: $rc $(tail -20 "$work/out")" [ "$rc" = 0 ]
holds "all were called: $(cat "$work/out")" grep -q ' calls, 0 wrong$' "$work/out"
observe ./main reach
holds "no array is read beyond the loops: $rc $(cat "$work/out")" [ "$rc" = 0 ]
observe ./main thread
holds "a thread calls them for long: $rc $(cat "$work/out")" [ "$rc" = 0 ]
observe ./main threads
holds "threads call them at the same time: $rc $(cat "$work/out")" [ "$rc" = 0 ]
observe ./main overlap
holds "arrays that overlap are refused: $(cat "$work/out")" [ "$rc" = 0 ]
holds "in words: $(cat "$work/out")" \
    grep -q '^2 the arrays a and b overlap; give each memory of its own$' "$work/out"
observe ./main aborts
holds "without a handler it aborts: $rc" [ "$rc" = 134 ]
holds "with a line: $(cat "$work/err")" \
    grep -q '^own_in_place: the arrays a and b overlap; give each memory of its own$' "$work/err"

if has_ranks; then
    ranks 2 ./main thread
    holds "several ranks are refused: $rc $(head -1 "$work/out")" grep -q \
        'wrong 2 the function of a nest runs in one process, and there are 2 ranks' "$work/out"
fi

# --- tables of the run, by zoid-run

{
    printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' \
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }"
    printf '\0\0\0\0\0\0\xe0\x3f\0\0\0\0\0\0\xd0\x3f\0\0\0\0\0\0\xf0\xbf'
} >k.npy
driven=(--load build/libnests.so --operator own_driven --size 17x33 --r 0.25
    --table k_p1=0.125 --table steps=0.5)
checked "${driven[@]}" --steps 7 --table k=k.npy
checked "${driven[@]}" --steps 7 --table k=k.npy --method leaning --depth 3 --block 4
# left STEPS TABLE FILE
left() { expect 0 "$run" "${driven[@]}" --steps "$1" --table "$2" --dump "$3"; }
left 1 k=k.npy a.raw
left 1 k=0.5 b.raw
holds "the first value is the first step's" cmp a.raw b.raw
left 3 k=k.npy a.raw
left 3 k=0.5 b.raw
holds "each step has its own" [ "$(cmp -s a.raw b.raw || echo other)" = other ]
expect 2 "$run" "${driven[@]}" --steps 3 --table j=1
says '--table j=1: own_driven has no such table; it has k, k_p1, steps, value, k_m1'
expect 4 "$run" "${driven[@]}" --steps 3 --table k=absent.npy
if ! lacks HDF5; then
    left 7 k=k.npy a.raw
    expect 0 "$run" "${driven[@]}" --steps 2 --table k=k.npy --checkpoint ck \
        --checkpoint-every 2 --quiet
    expect 0 "$run" "${driven[@]:0:4}" --restart ck --steps 7 --dump b.raw --quiet
    holds "a run goes on with its tables" cmp a.raw b.raw
    expect 2 "$run" "${driven[@]:0:4}" --restart ck --steps 7 --table k=0.25
    says '--table is not what the checkpoint .* was begun with'
fi

# --- the newest of arrays that take turns, which the update does not read

for method in leaning naive recursive; do
    checked --load build/libnests.so --operator own_unread --size 33 --steps 5 --method "$method"
done

# --- settings

observe env "ZOID_SETTINGS=method=leaning depth=2" ./main thread
holds "with settings: $rc $(cat "$work/out")" [ "$rc" = 0 ]
# refused SETTINGS WORDS
refused() {
    observe env "ZOID_SETTINGS=$1" ./main thread
    holds "'$1' is refused: $rc" [ "$rc" = 1 ]
    holds "'$1' is refused in words: $(head -1 "$work/out")" grep -q "wrong 2 $2" "$work/out"
}
refused depth "ZOID_SETTINGS has 'depth', which is no KEY=VALUE"
refused boundary=periodic 'ZOID_SETTINGS has boundary, which is no setting of how or where'
refused nothing=1 'ZOID_SETTINGS has nothing, which is no setting of how or where'
refused depth=many "{*depth"

# --- functions that cannot be

expect 2 "$compile" "$outside/wave.c" -o none
says 'Zoid has an operator wave; name this one by --name'
holds "nothing is left" [ ! -e none ]

# lacks_function TEXT WORDS: the nest becomes an operator, and no function.
lacks_function() {
    printf '%s\n' "$1" >more.c
    observe "$compile" more.c -o more
    holds "$2: $rc $(cat "$work/err")" [ "$rc" = 0 ]
    says '^zoid-compile: the module has no function of the nest:$'
    says "^more.c:[0-9]*:[0-9]*: $2"
    holds "$2: $(ls more)" [ ! -e more/f_call.c ]
    rm -r more
}
nest='
#pragma scop
for (int t = 0; t < steps; t++) for (int i = 1; i < n; i++) a[i] = a[i - 1] * 0.5;
#pragma endscop
'
lacks_function "int f(int n, int steps, double a[n]) { $nest return 1; }" 'a function that returns'
lacks_function "void f(int n, int steps, double a[n]) { a[0] = 1; $nest }" 'the function does more'
lacks_function "void f(int n, int steps, double a[n]) { int k = n; $nest }" 'the function does more'
lacks_function "void f(int n, int steps, double a[n]) { $nest a[0] = 1; }" 'the function does more'
lacks_function "static double a[9]; void f(int steps, int n) { ${nest/i < n/i < 9} }" \
    'a is a static array of the file; drop static, or'
lacks_function "static double a[9]; extern double a[9];
    void f(int steps, int n) { ${nest/i < n/i < 9} }" \
    'a is a static array of the file; drop static, or'
lacks_function "double a[2] = {1}; double a[2];
    void f(int steps, int n) { ${nest/i < n/i < 2} }" \
    'a is an array of the file with values of its own; declare it extern, or'
lacks_function "double a[2] = {1}; void f(int steps, int n) { ${nest/i < n/i < 2} }" \
    'a is an array of the file with values of its own; declare it extern, or'
attributed='a is an array of the file with attributes, which the module.s would lack'
for declaration in 'double a[9] __attribute__((aligned(64)));' \
    '__attribute__((aligned(64))) double a[9];' 'double __attribute__((aligned(64))) a[9];' \
    '_Alignas(64) double a[9];' 'extern double a[9] __asm__("b");' \
    'double a[9]; extern double a[9] __attribute__((aligned(64)));'; do
    lacks_function "$declaration void f(int steps, int n) { ${nest/i < n/i < 9} }" "$attributed"
done
guarded=${nest/a\[i - 1\] \* 0.5/a[i] > 9 ? k[t + 1] : 1}
lacks_function "void f(int n, int steps, double a[n], const double *k) { $guarded }" \
    'k is read where a comparison of real numbers chooses, and may be shorter than that; declare'
for sure in 'k[t + 1] + (a[i] > 9 ? k[t + 1] : 1)' '(a[i] > 9 ? k[t + 1] : 1) + k[t + 1]'; do
    printf '%s\n' "void f(int n, int steps, double a[n], const double *k)
        { ${nest/a\[i - 1\] \* 0.5/$sure} }" >more.c
    expect 0 "$compile" more.c -o more
    holds "what is read for sure is there: $(ls more)" [ -e more/f_call.c ]
    rm -r more
done
lacks_function "void f(int n, int steps, double a[n], char *s) { $nest }" 'the parameter s '
lacks_function "void main(int n, int steps, double a[n]) { $nest }" 'the function main'
finish

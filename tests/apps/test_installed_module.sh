#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: builds
# Operators of a shared object that is built against an installed Zoid: programs of Zoid's, in C and
# in Python load it, and run them as they run Zoid's own; other files are refused.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
tests=$(cd "$(dirname "$0")/.." && pwd)
user=$work/user
prefix=$work/prefix
cc=$(cached CMAKE_C_COMPILER)
need_cmake

for component in Unspecified starpu; do
    observe cmake --install "$ZOID_BUILD_DIR" --prefix "$prefix" --component $component
    holds "Zoid is installed: $rc" [ "$rc" = 0 ]
done
lib=$(dirname "$(find "$prefix" -name libzoid.so)")
package=$(dirname "$(find "$prefix" -name ZoidOperators.cmake)")
version=$("$prefix/bin/zoid-run" --version | sed 's/.* //')
isa=$("$prefix/bin/zoid-info" | awk '$1 == "isa" { print $2 }')
[ "$isa" != portable ] || isa=
cp -r "$tests/outside/installed" "$user"
cd "$work"
export STARPU_NCUDA=0
observe cmake -G Ninja -S "$user" -B build "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_C_COMPILER=$cc" \
    "-DUSER_ISAS=$isa" "-DCMAKE_C_FLAGS=$(sanitizers)" "-DZOID_SANITIZE=$(cached ZOID_SANITIZE)"
holds "the project is configured: $(tail -5 "$work/err")" [ "$rc" = 0 ]
time_limit=550 observe cmake --build build -j2 --target drift
holds "and builds: $(tail -20 "$work/out")" [ "$rc" = 0 ]
drift=$work/build/drift.so
shown=$(nm -D --defined-only "$drift" | awk '$2 != "A" { print $NF }' | grep -v sanitize)
holds "its description alone is shown: $shown" [ "$shown" = zoid_module ]

# compile OUTPUT ARGUMENT...
compile() {
    observe "$cc" -std=gnu11 -fPIC ${sanitized:+"$(sanitizers)"} -o "$@"
    holds "$1 is built: $(head -3 "$work/err")" [ "$rc" = 0 ]
}
flags=("-I$prefix/include" "-I$prefix/include/zoid" "-L$lib" -lzoid "-Wl,-rpath,$lib")
# clash OUTPUT DEFINITION...: a module that only looks like one.
clash() {
    local output=$1
    shift
    compile "$output" -shared "-DVERSION=\"$version\"" "$@" "$user/clash.c" "-I$package" \
        "${flags[@]}"
}
compile load "$user/load.c" "${flags[@]}"

observe ./load build/drift.so
holds "it computes: $rc $(cat "$work/out")" grep -qx 'drift: right' "$work/out"
observe ./load build/drift.so "$drift"
holds "loaded twice, too: $rc $(cat "$work/out")" grep -qx 'drift: right' "$work/out"

# --- Zoid's programs

program() { echo "$prefix/bin/zoid-$1"; }
run=$(program run)

# right OPTION...: the run gives the bytes of the plain loop nest.
right() {
    expect 0 "$@" --check
    holds "$* is right: '$(value check)'" [ "$(value check)" = passed ]
}
expect 2 "$run" --operator drift && says "'drift' does not exist"
right "$run" --load build/drift.so --operator drift --size 100 --steps 9 --pull 0.5
right "$run" --pull=0.5 --operator=drift --size 100 --steps 9 --load="$drift"
right "$run" --pull 0.5 --operator drift --size 100 --load build/drift.so --lo "$drift"
right "$run" --operator bend --dump "$work/--load" --load "$drift" --size 100x90
bend=("$run" --load "$drift" --operator bend --size 90x120 --steps 9 --c-1 0.5 --param-steps 0.25)
known=0
for method in $(methods); do
    observe "${bend[@]}" --method "$method" --block 9 --depth 3 --check
    if [ "$rc" = 2 ]; then continue; fi
    known=$((known + 1))
    holds "bend by $method: $rc '$(value check)'" [ "$rc$(value check)" = 0passed ]
done
holds "$known methods know bend" [ "$known" -gt 2 ]
right "${bend[@]}" --cells 2x2 --epoch 3 --type f64
mkdir disk
right "${bend[@]}" --size 1000x1500 --type f64 --ram 12M --disk disk
holds "it goes by the disk" grep -q '^disk.folder disk$' "$work/out"
expect 2 "${bend[@]}" --pull 1 && says 'bend has no pull; drop --pull'
expect 2 "${bend[@]}" --c-1 2 && says '--c-1 2'
expect 0 "$run" --help --load "$drift"
for option in c-1 param-steps pull; do
    holds "--help has --$option" grep -qE -- "--$option" "$work/out"
done
holds "and both operators" grep -q ' drift bend' <(tr -s ' \n' ' ' <"$work/out")
expect 0 "${bend[@]}" --plan
expect 0 "$(program info)" --load "$drift"
holds "zoid-info lists it" grep -q '^operator bend dims 2 radius 1 type f32|f64' "$work/out"
expect 0 "$(program info)" --load "$drift" --options json
holds "with its parameters" grep -q '"param_steps"' "$work/out"
expect 2 "$(program heat)" --load "$drift" && says "no option '--load"
expect 0 "$(program bench)" --what kernels --device cpu --rounds 1 --load "$drift" \
    --operator drift --size 20000 --pull 0.5
holds "zoid-bench measures it" grep -q drift1d_r1_f64 "$work/out"
expect 2 "$(program bench)" --load "$drift" --what plain
expect 2 "$run" --load= && says "load '' names no file"

# --- files

expect 0 "${bend[@]}" --dump start.npy --seed 3 --coefficient k=0.25 --quiet
right "${bend[@]}" --init u=start.npy --coefficient k=start.npy --source 5,6:ricker:0.1 \
    --receivers 7,8 --record seen.npy
holds "receivers saw 10 states" [ "$(stat -c %s seen.npy)" = $((128 + 10 * 4)) ]

# --- rates: by the operator's text

export ZOID_RATES=$work/rates.json
learn=("$run" --load "$drift" --operator drift --size 100000 --quiet --rates)
observe "${learn[@]}" learn
holds "rates are learnt: $rc $(cat "$work/err")" grep -q 'measured .*drift1d_r1_f32' "$work/err"
holds "and kept with a hash" grep -qE '"drift1d_r1_f32 [0-9a-f]{16}"' rates.json
expect 0 "${learn[@]}" learn
unset ZOID_RATES

# --- checkpoints

if ! lacks HDF5; then
    keep=("$run" --load build/drift.so --operator drift --size 100 --steps 40 --seed 4 --pull 0.5)
    expect 0 "${keep[@]}" --dump whole.npy --quiet
    expect 0 "${keep[@]}" --steps 20 --checkpoint ck --checkpoint-every 10 --quiet
    mkdir -p elsewhere
    cp "$drift" elsewhere/copy.so
    expect 0 env -C elsewhere "$run" --restart ../ck --steps 40 --dump ../end.npy --quiet
    holds "a restart loads what it was begun with" cmp whole.npy end.npy
    expect 0 "$run" --restart ck --steps 40 --dump end.npy --quiet --load elsewhere/copy.so \
        --operator drift --pull 0.5
    holds "or a file with the same text" cmp whole.npy end.npy
    clash text.so -DTEXT=0xabc
    expect 2 "$run" --restart ck --load text.so --steps 40
    says 'operator drift has the hash 0000000000000abc, .* had [0-9a-f]{16}; --load'
    expect 2 "$run" --restart ck --load text.so --steps 40 --pull 0.25
    expect 2 "$run" --restart ck --load "$drift" --steps 40 --pull 0.25 && says '--pull 0.25 contra'
    mv build/drift.so away.so
    expect 2 "$run" --restart ck --steps 40
    says 'operator drift of a file that cannot be loaded now; name one by --load: .*drift.so: No'
    mv away.so build/drift.so
fi

cp build/drift_text.h before.h
echo '/* Another text. */' >>user/drift.h
observe cmake --build build --target drift_table
holds "the table is made again: $rc" [ "$rc" = 0 ]
holds "another header is another text" [ "$(cmp before.h build/drift_text.h | wc -l)" = 1 ]

# --- ranks

if has_ranks; then
    forgive_mpi
    ranks 2 "${bend[@]}" --check --report two.json --method leaning --block 9 --depth 3
    holds "two ranks run it: $rc '$(value check)'" [ "$(value check)" = passed ]
    expect 0 "$(program model)" --load "$drift" --fit two.json --test two.json
    expect 2 "$(program model)" --fit two.json --test two.json && says 'bend2d_r1_f32 by leaning'
    ranks 2 "$run" --load absent.so --operator bend
    holds "both refuse a file: $rc" [ "$rc" = 2 ]
fi

# --- what is refused

# refuses FILE PATTERN
refuses() {
    observe ./load "$1"
    holds "$1 is refused: $rc $(cat "$work/out")" [ "$rc" = 2 ]
    holds "$1: $(cat "$work/out")" grep -q -- "$2" "$work/out"
    expect 2 "$run" --load "$1" --operator drift && says "$2"
}
refuses absent.so 'cannot load operators: absent.so: No such file'
refuses "$user/load.c" 'cannot load operators: .*load.c: '

echo 'int nothing;' >nothing.c
compile nothing.so -shared nothing.c
refuses nothing.so 'nothing.so has no operators; build it by zoid_add_operators'

clash heat.so '-DFAMILY="heat"'
refuses heat.so 'heat.so has an operator heat, and so has Zoid itself'
abi=$(sed -n 's/^enum { ZOID_MODULE_ABI = \([0-9]*\) };$/\1/p' "$tests/../codelets/op/module.h")
clash abi.so -DABI=99
refuses abi.so "abi.so has operators of the ABI 99, and this library takes those of ${abi:?}"
clash old.so -UVERSION '-DVERSION="99.0.1"'
refuses old.so "old.so was built for Zoid 99.0.1, and this is $version"
clash code.so -DNO_CODE
refuses code.so "code.so has no code for the instruction set ${isa:-portable} of this processor"
clash other.so
expect 2 "$run" --load "$drift" --load other.so
says "other.so has an operator drift, and so has .*/build/drift.so; rename"

# A library of another release in place of this one, when the module is built.
mkdir other
echo 'int zoid_type_size(void) { return 0; }' >other.c
echo 'ZOID_ADVANCED_99_0 { global: *; };' >other.map
soname=$(readelf -d "$lib/libzoid.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
compile other/libzoid.so -shared other.c -Wl,--version-script=other.map "-Wl,-soname,$soname"
echo 'int zoid_type_size(void); int zoid_module(void) { return zoid_type_size(); }' >late.c
compile late.so -shared late.c -Lother -lzoid
refuses late.so 'late.so was built for another version of Zoid than this, .*ZOID_ADVANCED_99_0'

# --- Python

if [ -n "$sanitized" ] || ! find_python numpy; then
    echo "sanitized, or no Python with NumPy: the package is not tested"
else
    cat >load.py <<'END'
import numpy
import zoid

assert "drift" not in {o["operator"] for o in zoid.operators()}
u = numpy.random.default_rng(1).random((40, 50), "f4")
first = zoid.run("bend", 9, load="build/drift.so", init={"u": u}, coefficient={"k": 0.5}, c_1=0.5,
                 param_steps=0.25, check=True)
zoid.load_operators("build/drift.so")
assert {"drift", "bend"} <= {o["operator"] for o in zoid.operators()}
assert "param_steps" in zoid.run.__doc__ and "pull" in zoid.run.__signature__.parameters
again = zoid.run("bend", 9, init={"u": u}, coefficient={"k": 0.5}, c_1=0.5, param_steps=0.25)
assert (first["u"] == again["u"]).all() and first["u"].shape == u.shape
assert zoid.run("drift", 9, shape=(100,), pull=0.5, check=True).steps == 9
try:
    zoid.load_operators("other.so")
except zoid.BadArgument as refusal:
    print("right:", refusal)
END
    cat >restart.py <<'END'
import numpy
import zoid

with zoid.restart("ck", steps=40, pull=0.5) as session:
    session.run()
    assert (session["u"] == numpy.load("whole.npy")).all()
END
    python_of=(env PYTHONDONTWRITEBYTECODE=1 "PYTHONPATH=$tests/../apps/python" \
        "ZOID_LIBRARY=$lib/libzoid.so" "$python")
    observe "${python_of[@]}" load.py
    holds "Python loads it: $rc $(cat "$work/out" "$work/err")" \
        grep -q '^right: .*has an operator drift, and so has .*build/drift.so' "$work/out"
    if ! lacks HDF5; then
        observe "${python_of[@]}" restart.py
        holds "and restarts load it: $rc $(cat "$work/err")" [ "$rc" = 0 ]
    fi
fi
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: builds
# Operators from a shared library that is built against an installed Zoid: programs in C and Python
# load it, and files that are none of this version's are refused.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
tests=$(cd "$(dirname "$0")/.." && pwd)
user=$tests/outside/installed
prefix=$work/prefix
cc=$(cached CMAKE_C_COMPILER)
need_cmake

for component in Unspecified starpu; do
    observe cmake --install "$ZOID_BUILD_DIR" --prefix "$prefix" --component $component
    holds "Zoid is installed: $rc" [ "$rc" = 0 ]
done
lib=$(dirname "$(find "$prefix" -name libzoid.so)")
cd "$work"
observe cmake -G Ninja -S "$user" -B build "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_C_COMPILER=$cc" \
    "-DCMAKE_C_FLAGS=$(sanitizers)" "-DZOID_SANITIZE=$(cached ZOID_SANITIZE)"
holds "the project is configured: $(tail -5 "$work/err")" [ "$rc" = 0 ]
time_limit=550 observe cmake --build build -j2 --target drift
holds "and builds: $(tail -20 "$work/out")" [ "$rc" = 0 ]
shown=$(nm -D --defined-only build/drift.so | awk '$2 != "A" { print $NF }' | grep -v sanitize)
holds "its table alone is shown: $shown" [ "$shown" = zoid_module_op ]

# compile OUTPUT ARGUMENT...
compile() {
    observe "$cc" -std=gnu11 -fPIC ${sanitized:+"$(sanitizers)"} -o "$@"
    holds "$1 is built: $(head -3 "$work/err")" [ "$rc" = 0 ]
}
flags=("-I$prefix/include" "-I$prefix/include/zoid" "-L$lib" -lzoid "-Wl,-rpath,$lib")
compile load "$user/load.c" "${flags[@]}"

observe env STARPU_NCUDA=0 ./load build/drift.so
holds "it computes: $rc $(cat "$work/out")" grep -qx 'drift: right' "$work/out"
observe env STARPU_NCUDA=0 ./load build/drift.so "$PWD/build/drift.so"
holds "loaded twice, too: $rc $(cat "$work/out")" grep -qx 'drift: right' "$work/out"

# --- what is refused

# refuses FILE PATTERN
refuses() {
    observe ./load "$1"
    holds "$1 is refused: $rc $(cat "$work/out")" [ "$rc" = 2 ]
    holds "$1: $(cat "$work/out")" grep -q -- "$2" "$work/out"
}
refuses absent.so 'cannot load operators: absent.so: No such file'
refuses "$user/load.c" 'cannot load operators: .*load.c: '

echo 'int nothing;' >nothing.c
compile nothing.so -shared nothing.c
refuses nothing.so 'nothing.so has no operators; build it by zoid_add_operators'

compile clash.so -shared '-DFAMILY="own"' '-DPARAM="steps"' "$user/clash.c" "${flags[@]}"
refuses clash.so 'operator own of clash.so has a parameter steps'
compile heat.so -shared '-DFAMILY="heat"' '-DPARAM="odd"' "$user/clash.c" "${flags[@]}"
refuses heat.so 'heat.so has an operator heat, and there is another one'

# A library of another release in place of this one, when the module is built.
mkdir other
echo 'int zoid_type_size(void) { return 0; }' >other.c
echo 'ZOID_ADVANCED_99_0 { global: *; };' >other.map
soname=$(readelf -d "$lib/libzoid.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
compile other/libzoid.so -shared other.c -Wl,--version-script=other.map "-Wl,-soname,$soname"
echo 'int zoid_type_size(void); int zoid_module_op(void) { return zoid_type_size(); }' >late.c
compile late.so -shared late.c -Lother -lzoid
refuses late.so 'late.so was built for another version of Zoid than this, .*ZOID_ADVANCED_99_0'

# --- Python

if [ -n "$sanitized" ] || ! find_python numpy; then
    echo "sanitized, or no Python with NumPy: the package is not tested"
else
    cat >load.py <<'END'
import zoid

assert "drift" not in {o["operator"] for o in zoid.operators()}
zoid.load_operators("build/drift.so")
assert "drift" in {o["operator"] for o in zoid.operators()}
assert zoid.run("drift", 9, shape=(100,), pull=0.5, check=True).steps == 9
try:
    zoid.load_operators("clash.so")
except zoid.BadArgument as refusal:
    print("right:", refusal)
END
    observe env STARPU_NCUDA=0 PYTHONDONTWRITEBYTECODE=1 "PYTHONPATH=$tests/../apps/python" \
        "ZOID_LIBRARY=$lib/libzoid.so" "$python" load.py
    holds "Python loads it: $rc $(cat "$work/out")" grep -q '^right: .*parameter steps' "$work/out"
fi
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: builds
# What is installed starts: programs, the library in programs of others, and the Python package, in
# an empty environment, where neither the build nor the StarPU that it was made with is to be seen.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
tests=$(cd "$(dirname "$0")/.." && pwd)
prefix=$work/prefix

# A system's own StarPU is not copied, nor one that was to stay where it is.
starpu=$(cached STARPU_PREFIX)
bundled=yes
case $starpu:$(cached ZOID_BUNDLE_STARPU) in
/usr:* | /usr/local:* | *:OFF) bundled=no ;;
esac

# The man pages are made at installation; they are not what this is about.
for component in Unspecified starpu; do
    observe cmake --install "$ZOID_BUILD_DIR" --prefix "$prefix" --component $component
    holds "Zoid is installed: $rc" [ "$rc" = 0 ]
done
lib=$(dirname "$(find "$prefix" -name libzoid.so)")
private=$lib/zoid

# --- what is there

# named FILE: whether its dynamic section names the build, or the place of StarPU.
named() {
    readelf -d "$1" | grep -q -e "$ZOID_BUILD_DIR" || {
        [ $bundled = yes ] && readelf -d "$1" | grep -q -e "$starpu"
    }
}
while read -r file; do
    if named "$file"; then complain "$file knows where it was made"; else pass; fi
done < <(find "$prefix/bin" "$lib" -type f \( -perm -1 -o -name '*.so*' \))
copies=$(find "$prefix" -name 'libstarpu*' | wc -l)
if [ $bundled = yes ]; then
    holds "StarPU comes along" [ "$copies" -ge 1 ]
    holds "with its licence" grep -q 'GNU LESSER GENERAL PUBLIC LICENSE' \
        "$private/StarPU-COPYING.LGPL"
else
    holds "no StarPU comes along" [ "$copies" = 0 ]
fi

# --- what hides the rest

# In a namespace of its own a process sees empty folders in the places of the build and of StarPU.
hidden=("$ZOID_BUILD_DIR")
[ $bundled = no ] || hidden+=("$starpu")
# shellcheck disable=SC2016 # for the shell in there
hide='while [ "$1" != -- ]; do mount -t tmpfs none "$1" || exit; shift; done; shift; exec "$@"'
for how in -m -rm none; do
    away=(unshare "$how" sh -c "$hide" - "${hidden[@]}" --)
    if [ $how = none ]; then
        echo "no namespaces here: the build and its StarPU stay in sight"
        away=()
    elif "${away[@]}" test ! -e "$ZOID_BUILD_DIR/CMakeCache.txt" 2>/dev/null; then
        break
    fi
done

# bare COMMAND...: runs it as on a machine that has never seen a build; as observe. It does not
# measure the machine, beside other tests, and sanitizers are told what they were told here.
told=(ZOID_RATES_MODE=default)
for name in ASAN_OPTIONS LSAN_OPTIONS TSAN_OPTIONS UBSAN_OPTIONS HWLOC_PLUGINS_PATH; do
    [ -z "${!name:-}" ] || told+=("$name=${!name}")
done
bare() { observe "${away[@]}" env -i "${told[@]}" "$@"; }

# here COMMAND...: the same with tools.
here() { bare PATH=/usr/local/bin:/usr/bin:/bin "HOME=$work" STARPU_WORKERS_NOBIND=1 "$@"; }

# --- programs

cd "$work"
bare "$prefix/bin/zoid-heat" --size 32 --machine h200 --nodes 2 --plan
holds "zoid-heat finds the machines of its installation: $rc" [ "$rc" = 0 ]
bare "$prefix/bin/zoid-heat" --size 32 --steps 3 --check
holds "zoid-heat starts: $rc" [ "$rc" = 0 ]
holds "and is right" [ "$(value check)" = passed ]
# A StarPU that scripts/setup has not built misses its folder, and says so.
case $starpu in
*/zoid/starpu-*) holds "and has no complaints" [ ! -s "$work/err" ] ;;
esac
started=0
for program in "$prefix"/bin/zoid-*; do
    bare "$program" --version
    holds "${program##*/} starts: $rc" [ "$rc" = 0 ]
    started=$((started + 1))
done
holds "there are programs" [ $started -ge 10 ]
if [ $bundled = yes ]; then
    # Its place in sight, too: nobody's but the copies are loaded.
    observe env -i "${told[@]}" LD_DEBUG=libs "$prefix/bin/zoid-heat" --version
    loaded=$(sed -n 's/.*calling init: \(.*libstarpu.*\)/\1/p' "$work/err")
    holds "libstarpu is loaded" [ -n "$loaded" ]
    holds "the copy is: $loaded" [ "$(grep -vc "^$prefix/.*/zoid/libstarpu" <<<"$loaded")" = 0 ]
fi
if has_ranks; then
    forgive_mpi
    told+=("ASAN_OPTIONS=$ASAN_OPTIONS")
    here "$(command -v mpirun)" --allow-run-as-root --oversubscribe -n 2 \
        "$prefix/bin/zoid-heat" --size 32 --steps 3 --check
    holds "two ranks start: $rc" [ "$rc" = 0 ]
    holds "and are right" [ "$(value check)" = passed ]
fi

# --- programs of others

# right COMMAND...: it starts, and says that what it has computed is right.
right() {
    here "$@"
    holds "$* is right: $rc $(cat "$work/out")" grep -q ': right$' "$work/out"
}

user=$tests/outside/installed
cc=$(cached CMAKE_C_COMPILER)
here "PKG_CONFIG_PATH=$lib/pkgconfig" pkg-config --cflags --libs zoid
holds "pkg-config knows it: $rc" [ "$rc" = 0 ]
read -ra flags <"$work/out"
here "$cc" -std=gnu11 ${sanitized:+"$(sanitizers)"} "$user/user.c" -o user "${flags[@]}" \
    "-Wl,-rpath,$lib"
holds "a program is built with pkg-config's flags: $rc" [ "$rc" = 0 ]
right ./user

here cmake -G Ninja -S "$user" -B build "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_C_COMPILER=$cc" \
    "-DCMAKE_C_FLAGS=$(sanitizers)" "-DZOID_SANITIZE=$(cached ZOID_SANITIZE)"
holds "a project finds it: $rc" [ "$rc" = 0 ]
here cmake --build build -j2
holds "and builds: $(tail -20 "$work/out")" [ "$rc" = 0 ]
right build/user

# The first program of docs/library.md is killed, and goes on to the same end.
here "$cc" -std=c11 ${sanitized:+"$(sanitizers)"} "$user/shot.c" -o shot "${flags[@]}" \
    "-Wl,-rpath,$lib"
holds "a session is built with pkg-config's flags: $rc" [ "$rc" = 0 ]
if ! lacks HDF5; then
    here ./shot whole.npy
    holds "it runs: $rc $(cat "$work/err")" grep -qx '600 steps' "$work/out"
    rm -rf ck
    "${away[@]}" env -i "${told[@]}" "HOME=$work" ./shot end.npy >/dev/null 2>&1 &
    shot=$!
    for ((i = 0; i < 600; i++)); do
        [ -z "$(compgen -G 'ck/checkpoint-*.h5')" ] || break
        sleep 0.02
    done
    pkill -KILL -P $shot 2>/dev/null || true
    kill -KILL $shot 2>/dev/null || true
    wait $shot 2>/dev/null || true
    holds "it has left a checkpoint" [ -n "$(compgen -G 'ck/checkpoint-*.h5')" ]
    here ./shot end.npy ck
    holds "it goes on: $rc $(cat "$work/err")" grep -qx '600 steps' "$work/out"
    holds "to the same end" cmp -s whole.npy end.npy
fi

# --- Python

# computes PYTHON [SETTING...]: it imports the package and runs something.
computes() {
    local python=$1
    shift
    bare "$@" "$python" -c \
        'import zoid; print(zoid.run("heat", 3, shape=(16, 16), check=True).steps)'
}

# venv FOLDER: an environment with the package in it, made as docs/installing.md says.
venv() {
    # Of a copy: where a wheel is made, folders are left.
    rm -rf package
    cp -r "$tests/../apps/python" package
    here "$python" -m venv --system-site-packages --without-pip "$1"
    holds "there is an environment: $rc" [ "$rc" = 0 ]
    here "$1/bin/python3" -m pip install --quiet --no-index --no-build-isolation --no-deps \
        --disable-pip-version-check ./package
    holds "the package installs: $rc" [ "$rc" = 0 ]
}

if [ -n "$sanitized" ]; then
    echo "sanitized: what Python loads is tested by test_python alone"
elif ! find_python numpy setuptools wheel pip venv; then
    echo "no Python with NumPy, pip, setuptools, wheel and venv: the package is not tested"
else
    venv "$prefix"
    computes "$prefix/bin/python3"
    holds "in the prefix of Zoid it computes: $rc" [ "$(cat "$work/out")" = 3 ]

    venv venv
    computes venv/bin/python3 "PATH=$prefix/bin"
    holds "with its programs on the PATH it does: $rc" [ "$(cat "$work/out")" = 3 ]
    computes venv/bin/python3 "LD_LIBRARY_PATH=$lib"
    holds "where the loader finds it it does: $rc" [ "$(cat "$work/out")" = 3 ]
    computes venv/bin/python3 "ZOID_LIBRARY=$lib/libzoid.so"
    holds "where it is named it does: $rc" [ "$(cat "$work/out")" = 3 ]
    # One in the system is found always.
    if ! ldconfig -p 2>/dev/null | grep -q libzoid; then
        computes venv/bin/python3
        holds "elsewhere it does not" [ "$rc" = 1 ]
        says 'ImportError: there is no libzoid.so.0.*; install Zoid .*set ZOID_LIBRARY'
    fi
fi
finish

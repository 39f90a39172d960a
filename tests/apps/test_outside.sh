#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: builds
# A program that knows nothing but the installed Zoid brings an operator of its own, and the
# installed zoid-run loads another one, which looks to one side.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
outside=$(cd "$(dirname "$0")/../outside" && pwd)

place=$(place_for outside)

build_outside() {
    local component cores
    need_cmake
    # The man pages are made at installation; they are not what this is about.
    for component in Unspecified starpu; do
        observe cmake --install "$ZOID_BUILD_DIR" --prefix "$place/prefix" --component $component
        holds "Zoid is installed: $rc" [ "$rc" = 0 ]
    done
    if [ "$gpus" = 0 ] && [ -z "${ZOID_TEST_BUILDS:-}" ]; then cores=ON; fi
    observe cmake -G Ninja -S "$outside" -B "$place/build" \
        -DCMAKE_BUILD_TYPE=Release "-DSLOPE_ON_CORES=${cores:-OFF}" \
        -DCMAKE_PREFIX_PATH="$place/prefix" "-DCMAKE_C_FLAGS=$(sanitizers)" \
        "-DCMAKE_EXE_LINKER_FLAGS=$(sanitizers)" \
        "-DCMAKE_CUDA_ARCHITECTURES=$(cached CMAKE_CUDA_ARCHITECTURES)"
    holds "the project finds it: $(tail -5 "$work/err")" [ "$rc" = 0 ]
    # With code for GPUs it takes minutes.
    time_limit=550 observe cmake --build "$place/build" "-j$(nproc)"
    holds "and builds: $(tail -20 "$work/out")" [ "$rc" = 0 ]
}
if [ ! -e "$place/build/slope.so" ]; then build_outside; fi
# The folder may have had another name.
libraries=$place/prefix/$(cached CMAKE_INSTALL_LIBDIR)

run_outside() {
    expect 0 env "LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$@" \
        "$place/build/outside"
    holds "$* ran: $(cat "$work/out")" [ "$(grep -c 'right$' "$work/out")" -ge 6 ]
    holds "$* ran all of it right" [ -z "$(grep -v 'right$' "$work/out")" ]
}
# run_slope DEVICE: with several times in a launch of a GPU.
run_slope() {
    for type in f32 f64; do
        expect 0 env "LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$1" \
            "$place/prefix/bin/zoid-run" --load "$place/build/slope.so" --operator slope \
            --type $type --size 61x18x90 --steps 13 --method leaning --block 17 --depth 6 --check
        holds "slope in $type with $1: '$(value check)'" [ "$(value check)" = passed ]
    done
}
run_outside STARPU_NCUDA=0
run_slope STARPU_NCUDA=0
if [ "$gpus" != 0 ]; then
    run_outside STARPU_NCPU=0
    holds "and on a GPU" grep -q ' cuda: right' "$work/out"
    run_slope STARPU_NCPU=0
    holds "on a GPU: '$(value workers.cpu)'" [ "$(value workers.cpu)" = 0 ]
fi
finish

# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2034 # those who source it use the compiler and the instruction set
# What tests share that build a module of operators which a script in Python writes and compares.
# Source it after lib.sh, with `here` as its folder.
need_modules
need_numpy
cc=$(cached CMAKE_C_COMPILER)
isa=$("$info" | awk '$1 == "isa" { print $2 }')

# in_python NAME ARGS...: observes a script of this folder, with Zoid's package and this build.
in_python() {
    time_limit=550 observe env STARPU_NCUDA=0 PYTHONDONTWRITEBYTECODE=1 \
        "PYTHONPATH=$here/../../../apps/python" "ZOID_LIBRARY=$ZOID_BUILD_DIR/libzoid.so" \
        "$python" "$here/$1" "$compile" "${@:2}"
}

# build_module SECONDS: builds the project that lies in the working folder, in `build`.
build_module() {
    observe cmake -G Ninja -S . -B build -DCMAKE_BUILD_TYPE=Release \
        "-Dzoid_DIR=$ZOID_BUILD_DIR/package" "-DCMAKE_C_COMPILER=$cc" -DCMAKE_C_FLAGS=-Werror
    holds "the project is configured: $(tail -5 "$work/err")" [ "$rc" = 0 ]
    time_limit=$1 observe cmake --build build -j2
    holds "and builds: $(tail -20 "$work/out")" [ "$rc" = 0 ]
}

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: builds
# One header and one row: a copy of the tree gets operators more, which look to one side only, and
# runs them by every method on every device.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
tests=$(cd "$(dirname "$0")/.." && pwd)
place=$(place_for new_operator)
tree=$place/tree

# Code for GPUs takes minutes to build: where there is one, or where what is built stays.
cuda=OFF
if [ "$gpus" != 0 ] || { [ -n "${ZOID_TEST_BUILDS:-}" ] && ! lacks CUDA; }; then cuda=ON; fi

# launcher: of a compiler, which takes from the build the objects that depend neither on the rows
# nor on what was found on this machine.
launcher() {
    command -v ninja >/dev/null && [ -z "$sanitized" ] &&
        ninja -C "$ZOID_BUILD_DIR" -t deps >"$work/deps" 2>/dev/null || return 0
    awk '/: #deps/ { object = $1; sub(/:$/, "", object) }
        /codelets\/ops\.def$|runtime\/config\.h$/ { print object }' "$work/deps" >"$work/others"
    [ -s "$work/others" ] || return 0
    cat >"$work/launcher" <<EOF
#!/bin/sh
for word; do
    [ "\$last" != -o ] || object=\$word
    last=\$word
done
if [ -e "$ZOID_BUILD_DIR/\$object" ] && ! grep -qxF "\$object" "$work/others"; then
    cp "$ZOID_BUILD_DIR/\$object" "\$object"
else
    exec "\$@"
fi
EOF
    chmod +x "$work/launcher"
    echo "$work/launcher"
}

build_copy() {
    need_cmake
    rm -rf "$tree"
    mkdir -p "$tree"
    for part in CMakeLists.txt graphs codelets runtime apps scripts; do
        cp -r "$tests/../$part" "$tree"
    done
    # Of the other rows one stays, or the copy would be long in building.
    awk 'BEGIN { RS = ""; ORS = "\n\n" } !/^ZOID_(FAMILY|SINGLE)\(/ || /\(jacobi2d,/' \
        "$tests/../codelets/ops.def" >"$tree/codelets/ops.def"
    for family in upwind slope; do
        cp "$tests/outside/$family.h" "$tree/codelets/ops"
        sed "s|\"$family.h\"|\"codelets/ops/$family.h\"|" "$tests/outside/$family.def" \
            >>"$tree/codelets/ops.def"
    done
    observe cmake -G Ninja -S "$tree" -B "$place/build" -DBUILD_TESTING=OFF -DZOID_CUDA=$cuda \
        "-DCMAKE_C_COMPILER_LAUNCHER=$(launcher)" \
        "-DCMAKE_CUDA_ARCHITECTURES=$(cached CMAKE_CUDA_ARCHITECTURES)" \
        "-DZOID_STARPU_PREFIX=${ZOID_STARPU_PREFIX:-$(cached ZOID_STARPU_PREFIX)}"
    holds "the copy is configured: $(tail -5 "$work/err")" [ "$rc" = 0 ]
    time_limit=550 observe cmake --build "$place/build" "-j$(nproc)" --target zoid-run zoid-info
    holds "and built: $(tail -20 "$work/out")" [ "$rc" = 0 ]
}
if [ ! -x "$place/build/apps/zoid-run" ]; then build_copy; fi

ZOID_BUILD_DIR=$place/build
# The folder may have had another name.
export LD_LIBRARY_PATH=$place/build${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
info=$place/build/apps/zoid-info
run=$place/build/apps/zoid-run
holds "the operators are there: $(families)" \
    [ "$(families | paste -sd' ')" = "jacobi2d upwind slope" ]
# tried FAMILY TYPE METHOD: by all devices.
tried() {
    for device in STARPU_NCUDA=0 STARPU_NCPU=0; do
        [ $device = STARPU_NCUDA=0 ] || [ "$gpus" != 0 ] || continue
        expect 0 env $device "$run" --operator "$1" --type "$2" --method "$3" --size 31x18x44 \
            --steps 7 --block 9 --depth 3 --check
        holds "$1 in $2 by $3 with $device: '$(value check)'" \
            [ "$(value method) $(value check)" = "$3 passed" ]
    done
}
# So do options: for all that the rows list.
expect 0 "$run" --operator upwind --size 31x18x44 --steps 7 --wind 0.5 --lull 0 --check
holds "with other parameters: '$(value check)'" [ "$(value check)" = passed ]
expect 2 "$run" --operator upwind --size 31x18x44 --wind 0 && says 'above 0, at most 1'
expect 2 "$run" --operator slope --size 31x18x44 --wind 0.5 && says 'slope has no wind'
for method in $(methods); do
    for family in upwind slope; do
        for type in $(trait $family type | tr '|' ' '); do
            tried $family "$type" "$method"
        done
    done
done
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# One header and one row: a copy of the tree gets an operator more, and runs it by every method on
# every device.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
tests=$(cd "$(dirname "$0")/.." && pwd)
tree=$work/tree

mkdir "$tree"
for part in CMakeLists.txt graphs codelets runtime apps scripts; do
    cp -r "$tests/../$part" "$tree"
done
# Of the other rows one stays, or the copy would be long in building.
awk 'BEGIN { RS = ""; ORS = "\n\n" } !/^ZOID_(FAMILY|SINGLE)\(/ || /\(jacobi2d,/' \
    "$tests/../codelets/ops.def" >"$tree/codelets/ops.def"
cp "$tests/outside/upwind.h" "$tree/codelets/ops"
sed 's|"upwind.h"|"codelets/ops/upwind.h"|' "$tests/outside/upwind.def" >>"$tree/codelets/ops.def"

cuda=OFF
if [ "$("$info" | awk '$1 == "workers.cuda" { print $2 }')" != 0 ]; then cuda=ON; fi
observe cmake -G Ninja -S "$tree" -B "$work/build" -DBUILD_TESTING=OFF -DZOID_CUDA=$cuda \
    "-DCMAKE_CUDA_ARCHITECTURES=$(cached CMAKE_CUDA_ARCHITECTURES)" \
    "-DZOID_STARPU_PREFIX=$(cached ZOID_STARPU_PREFIX)"
holds "the copy is configured: $(tail -5 "$work/err")" [ "$rc" = 0 ]
observe cmake --build "$work/build" -j2 --target zoid-run zoid-info
holds "and built: $(tail -20 "$work/out")" [ "$rc" = 0 ]

ZOID_BUILD_DIR=$work/build
info=$work/build/apps/zoid-info
run=$work/build/apps/zoid-run
holds "the operator is there: $(families)" [ "$(families | paste -sd' ')" = "jacobi2d upwind" ]
for method in $(methods); do
    for type in $(trait upwind type | tr '|' ' '); do
        for device in STARPU_NCUDA=0 STARPU_NCPU=0; do
            [ $device = STARPU_NCUDA=0 ] || [ $cuda = ON ] || continue
            expect 0 env $device "$run" --operator upwind --size 31x18x44 --steps 7 \
                --method "$method" --block 9 --depth 3 --type "$type" --check
            holds "upwind in $type by $method with $device: '$(value check)'" \
                [ "$(value method) $(value check)" = "$method passed" ]
        done
    done
done
finish

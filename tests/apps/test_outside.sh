#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A program that knows nothing but the installed Zoid brings an operator of its own.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
outside=$(cd "$(dirname "$0")/../outside" && pwd)

# The man pages are made at installation; they are not what this is about.
for component in Unspecified starpu; do
    observe cmake --install "$ZOID_BUILD_DIR" --prefix "$work/prefix" --component $component
    holds "Zoid is installed: $rc" [ "$rc" = 0 ]
done
observe cmake -G Ninja -S "$outside" -B "$work/build" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$work/prefix" "-DCMAKE_C_FLAGS=$(sanitizers)" \
    "-DCMAKE_EXE_LINKER_FLAGS=$(sanitizers)" \
    "-DCMAKE_CUDA_ARCHITECTURES=$(cached CMAKE_CUDA_ARCHITECTURES)"
holds "the project finds it: $(tail -5 "$work/err")" [ "$rc" = 0 ]
observe cmake --build "$work/build" -j2
holds "and builds: $(tail -20 "$work/out")" [ "$rc" = 0 ]

run_outside() {
    expect 0 env "$@" "$work/build/outside"
    holds "$* ran: $(cat "$work/out")" [ "$(grep -c 'right$' "$work/out")" -ge 6 ]
    holds "$* ran all of it right" [ -z "$(grep -v 'right$' "$work/out")" ]
}
run_outside STARPU_NCUDA=0
if [ "$("$info" | awk '$1 == "workers.cuda" { print $2 }')" != 0 ]; then
    run_outside STARPU_NCPU=0
    holds "and on a GPU" grep -q ' cuda: right' "$work/out"
fi
finish

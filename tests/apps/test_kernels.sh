#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The numbers of GPU kernels in codelets/cuda/kernels.def are those of the kernels; without CUDA
# they are at least those of all operators, in the order of the table.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
rows=$(dirname "$0")/../../codelets/cuda/kernels.def

expect 0 "$info" --kernels
grep '^ZOID_KERNELS' "$rows" >"$work/kept"
holds "zoid-info --kernels has its rows: $(diff "$work/kept" "$work/out" | head -4)" \
    cmp -s "$work/kept" "$work/out"
finish

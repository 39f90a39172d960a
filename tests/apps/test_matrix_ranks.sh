#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The library's matrices on two and three ranks; tests/runtime/ranks/test_matrices is that on one.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_mpirun

for n in 2 3; do
    CK_FORK=no ranks "$n" "$ZOID_BUILD_DIR/tests/runtime_ranks_test_matrices"
    holds "$n ranks multiply with matrices: $(cat "$work/out")" [ "$rc" = 0 ]
    holds "$n ranks multiplied" [ "$(grep -c '^100%' "$work/out")" = "$n" ]
done
finish

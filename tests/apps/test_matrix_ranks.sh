#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The library's matrices on two and three ranks; tests/runtime/ranks/test_matrices is that on one.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_mpirun

for n in 2 3; do
    suite_on_ranks "$n" runtime_ranks_test_matrices "multiply with matrices"
done
finish

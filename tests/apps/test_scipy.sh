#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# zoid-spmv against SciPy: matrices that it writes are read alike, and multiplied alike up to
# rounding, by every polynomial; and rows that are numbered anew have as narrow a band as its.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
if ! python3 -c 'import scipy.io, scipy.sparse.csgraph' 2>/dev/null; then
    echo "no SciPy here: nothing to compare with"
    exit 77
fi
observe python3 "$(dirname "$0")/scipy_spmv.py" "$apps/zoid-spmv" "$work"
cat "$work/out"
holds "SciPy agrees: $rc" [ "$rc" = 0 ]
finish

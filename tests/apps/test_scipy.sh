#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# zoid-spmv against SciPy: matrices that it writes are read alike, and multiplied alike up to
# rounding, by every polynomial; and rows that are numbered anew have as narrow a band as its.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
if ! find_python scipy.io scipy.sparse.csgraph; then
    echo "no SciPy here: nothing to compare with; the package is python3-scipy"
    exit 77
fi
observe "$python" "$(dirname "$0")/scipy_spmv.py" "$apps/zoid-spmv" "$work"
cat "$work/out"
holds "SciPy agrees: $rc" [ "$rc" = 0 ]
finish

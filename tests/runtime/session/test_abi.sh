#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Python's table of functions is the one that the headers make.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../../apps/lib.sh
. "$(dirname "$0")/../../apps/lib.sh"
root=$(cd "$(dirname "$0")/../../.." && pwd)
find_python json || { echo "no Python here"; exit 77; }
observe "$python" "$root/scripts/abi-table"
holds "scripts/abi-table: $rc" [ "$rc" = 0 ]
holds "apps/python/zoid/_abi.py is old; make it by: scripts/abi-table >apps/python/zoid/_abi.py" \
    cmp -s "$work/out" "$root/apps/python/zoid/_abi.py"
mkdir -p "$work/runtime" "$work/scripts"
cp "$root/scripts/abi-table" "$work/scripts/"
cp "$root/runtime/zoid.h" "$work/runtime/"
sed 's/int64_t zoid_session_step(/struct stat zoid_session_step(/' "$root/runtime/zoid_session.h" \
    >"$work/runtime/zoid_session.h"
observe "$python" "$work/scripts/abi-table"
holds "a declaration that it does not know is an error or another table" \
    [ "$(cmp -s "$work/out" "$root/apps/python/zoid/_abi.py"; echo $?)" != 0 ]
finish

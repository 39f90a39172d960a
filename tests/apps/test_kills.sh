#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs that are killed, ten times: scripts/kills does it as often as one likes.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
if "$info" | grep -q '^missing HDF5'; then
    echo "this build has no HDF5: nothing is killed"
    exit 77
fi
observe "$(dirname "$0")/../../scripts/kills" --seed "${ZOID_TEST_SEED:-$RANDOM}" 10
cat "$work/out" "$work/err"
holds "ten kills: $rc" [ "$rc" = 0 ]
finish

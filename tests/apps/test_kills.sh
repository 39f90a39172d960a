#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs that are killed, ten times: scripts/kills does it as often as one likes.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_hdf5 "nothing is killed"
observe "$(dirname "$0")/../../scripts/kills" --seed "${ZOID_TEST_SEED:-$RANDOM}" 10
cat "$work/out" "$work/err"
holds "ten kills: $rc" [ "$rc" = 0 ]
finish

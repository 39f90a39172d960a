#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: measures
# Ranks keep to the rates that there are: they would measure each other.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_mpirun
cd "$work"
export ZOID_RATES=$work/rates ZOID_RATES_MODE=learn STARPU_NCUDA=0
long=(--size 128 --steps 100)

# What one process has left, several neither add to nor refine.
ranks 2 "$heat" "${long[@]}"
holds "ranks run: $rc" [ "$rc" = 0 ]
holds "they measure nothing" [ ! -e rates ]
STARPU_NCPU=1 observe "$heat" "${long[@]}"
holds "one process learns" grep -q '"runs"' rates
cp rates before
for _ in 1 2; do
    ranks 2 "$heat" "${long[@]}"
    holds "ranks run: $rc" [ "$rc" = 0 ]
    holds "with its rates" [ "$(value rates)" = calibrated ]
done
ranks 2 "$heat" "${long[@]}" --radius 2
holds "ranks run: $rc" [ "$rc" = 0 ]
holds "they leave the file alone" cmp -s rates before
finish

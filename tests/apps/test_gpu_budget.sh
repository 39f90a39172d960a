#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A refused --gpu-mem names the smallest that would do: with exactly that the run is done and right,
# with a MiB less it is refused.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
if "$info" | grep -qx 'workers.cuda 0'; then
    echo "no GPU here"
    exit 77
fi
RANDOM=${ZOID_TEST_SEED:-20240609}
echo "ZOID_TEST_SEED=${ZOID_TEST_SEED:-20240609}"

pick() { eval "picked=\${$((RANDOM % $# + 1))}"; }

# named: the limit in MiB that the last refusal names.
named() { sed -n 's/.*--gpu-mem \([0-9][0-9]*\)M.*/\1/p' "$work/err"; }

for method in auto naive trapezoid overlapped leaning auto recursive leaning; do
    options=(--steps $((RANDOM % 12 + 1)) --method "$method" --check)
    options+=(--size $((RANDOM % 400 + 1))x$((RANDOM % 300 + 1))x$((RANDOM % 200 + 20)))
    pick f32 f64
    options+=(--type "$picked")
    pick "" "--block 7" "--depth 4" "--block 16 --depth 3"
    read -ra cut <<<"$picked"
    run=("$heat" "${options[@]}" "${cut[@]}")

    expect 3 "${run[@]}" --gpu-mem 1M
    least=$(named)
    holds "a refusal names a limit: ${run[*]}" [ -n "$least" ]
    holds "and says what it needs" grep -q "at least $least MiB" "$work/err"
    expect 0 "${run[@]}" --gpu-mem "${least}M"
    holds "it is right: ${run[*]}" [ "$(value check)" = passed ]
    expect 3 "${run[@]}" --gpu-mem $((least - 1))M
    holds "both refusals name the same: ${run[*]}" [ "$(named)" = "$least" ]
done

expect 4 env STARPU_NCUDA=0 "$heat" --size 8 --gpu-mem 1G && says GPU
finish

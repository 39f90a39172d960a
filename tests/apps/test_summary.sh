#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Who reads what a run prints: people on a terminal, programs elsewhere.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
if ! command -v script >/dev/null; then
    echo "no script here: there is no terminal to be had"
    exit 77
fi

# on_terminal COMMAND...: runs it on one, and leaves what it printed there in $work/out.
on_terminal() {
    observe script -qec "$*" /dev/null
    tr -d '\r' <"$work/out" >"$work/plain"
    mv "$work/plain" "$work/out"
    holds "exit code $rc: $*" [ "$rc" = 0 ]
}
# shown PATTERN: a line is like this.
shown() { holds "no '$1' in: $(cat "$work/out")" grep -qE -- "$1" "$work/out"; }
keys() { awk '{ print $1 }' "$work/out"; }

small=(--size 40x30x20 --steps 8 --method leaning --block 4 --depth 3)
expect 0 "$heat" "${small[@]}" --check
keys >"$work/keys"
holds "elsewhere the report: $(cat "$work/keys")" grep -qx gups "$work/keys"
on_terminal "$heat" "${small[@]}" --check
shown '^heat3d_r1_f32: 40 x 30 x 20 points, 8 steps$'
shown '^  method     leaning, slabs of 4 planes, 3 steps a visit; [0-9]+ (cores?|GPUs?)$'
shown '^  speed      [0-9.e-]+ GUP/s$'
shown '^  time       [0-9.e-]+ s, [0-9.e-]+ s predicted by default rates$'
shown '^  bound by   [a-z_]+'
shown '^  ram        [0-9.]+ [KMG]iB of [0-9.]+ [MGT]iB$'
shown '^  check      passed$'
holds "and nothing else: $(cat "$work/out")" [ "$(wc -l <"$work/out")" = 7 ]
on_terminal "$heat" "${small[@]}" --check --porcelain
holds "--porcelain is the report" cmp "$work/keys" <(keys)
on_terminal "$heat" "${small[@]}" --quiet
holds "--quiet prints nothing" [ ! -s "$work/out" ]
on_terminal "$apps/zoid-life" --size 9
shown '^  alive      [0-9]+$'
on_terminal "$heat" "${small[@]}" --quiet --progress
shown '^100\.0 %  pass 3/3  [0-9.]+ GUP/s  0 s left$'
# Launchers have terminals of their own for what they start.
on_terminal env OMPI_COMM_WORLD_SIZE=1 "$heat" "${small[@]}" --check
holds "under a launcher it is the report" cmp "$work/keys" <(keys)
finish

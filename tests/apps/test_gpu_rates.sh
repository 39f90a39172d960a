#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs on a GPU teach: on one that is not there (tests/outside/absent_gpu.c), which takes a time
# that nobody has measured, what two runs have taught predicts the blocks of others. How long runs
# take beside that depends on who else uses this machine.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
skip() { echo "$*"; exit 77; }

export ZOID_RATES=$work/rates
unset ZOID_RATES_MODE
absent_gpus 1 || skip "no CUDA in the build, or another than the one that is not there"

# learnt OPERATOR KEY: a number of the first GPU in the file; of the operator, or of the GPU.
learnt() {
    awk -v op="\"$1\":" -v key="\"$2\":" '$1 == "\"gpus\":" { gpus = 1 }
        gpus && (op == "\"\":" || $1 == op) { on = 1 }
        on && $1 == key { print $2 + 0; exit }' "$ZOID_RATES"
}
# near A B PART: whether A is no farther from B than by a part of it.
near() { awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN { exit !(a > b * (1 - p) && a < b * (1 + p)) }'; }
# foretold PART COMMAND...: its blocks take what was expected of them.
foretold() {
    local expected
    expect 0 "${gpu[@]}" "${@:2}"
    expected=$(value core_seconds.predicted)
    holds "blocks take $(value core_seconds.measured), expected $expected: ${*:2}" \
        near "$expected" "$(value core_seconds.measured)" "$1"
}

# A matrix is measured on no fields of another size: on a real GPU that ended the program.
observe "${gpu[@]}" "$apps/zoid-spmv" --rows 100000 --steps 4 --gpu-mem 4G --rates learn
holds "rates are learnt: $(cat "$work/err")" [ "$rc" = 0 ]
says 'measured .*heat3d_r1_f32'
holds "a matrix has no rates" [ -z "$(grep -o 'band' "$ZOID_RATES")" ]
rm "$ZOID_RATES"

# What is missing is measured, both links at once too; so short a run teaches nothing.
observe "${gpu[@]}" ABSENT_BOTH=1.9 "$heat" --size 64 --steps 16 --gpu-mem 4G --rates learn
holds "rates are learnt: $(cat "$work/err")" [ "$rc" = 0 ]
says 'measured heat3d_r1_f32, tasks in'
holds "link_both: $(learnt '' link_both)" near "$(learnt '' link_both)" 1.6 0.3
holds "no run has taught: $(learnt heat3d_r1_f32 runs)" [ -z "$(learnt heat3d_r1_f32 runs)" ]

# As if it had been measured where a point took a third of what it takes; in slabs of 64 planes.
sed -i -e 's/"gpu_step": .*,/"gpu_step": 1.2e-11,/' -e 's/"gpu_even": .*/"gpu_even": 1e-11/' \
    "$ZOID_RATES"
slabs=(--method leaning --block 64 --depth 16)
gpu+=(ABSENT_RATE=0.03 ABSENT_SEED=1)
one=("$heat" --size 256x256x512 --steps 192 "${slabs[@]}" --gpu-mem 4G)
two=("$heat" --size 256x256x768 --steps 128 "${slabs[@]}" --gpu-mem 200M)
expect 0 "${gpu[@]}" "${one[@]}" --rates learn
before=$(value core_seconds.predicted)
holds "what was known before would do as well: $before of $(value core_seconds.measured)" \
    near "$(value core_seconds.measured)" "$(awk "BEGIN { print 2 * $before }")" 0.4
holds "the run has taught: $(learnt heat3d_r1_f32 runs)" [ "$(learnt heat3d_r1_f32 runs)" = 1 ]
expect 0 "${gpu[@]}" ABSENT_SEED=2 "${two[@]}" --rates learn
holds "so has another" [ "$(learnt heat3d_r1_f32 runs)" = 2 ]
cp "$ZOID_RATES" "$work/first"
foretold 0.1 ABSENT_SEED=3 "$heat" --size 256x256x1024 --steps 96 "${slabs[@]}" --gpu-mem 4G \
    --rates keep
foretold 0.1 ABSENT_SEED=4 "$heat" --size 256x256x640 --steps 144 "${slabs[@]}" --gpu-mem 200M \
    --rates keep
holds "nobody changed the file" cmp -s "$ZOID_RATES" "$work/first"

# Another card has rates of its own beside these, and a run on it changes none of them.
other=("${gpu[@]}" "ABSENT_NAME=NVIDIA H100 80GB HBM3")
observe "${other[@]}" "$info"
holds "another card: $(value gpu)" [ "$(value gpu)" = NVIDIA ]
observe "${other[@]}" "${one[@]}" --rates keep
holds "its rates are defaults: $(value rates)" [ "$(value rates)" = default ]
finish

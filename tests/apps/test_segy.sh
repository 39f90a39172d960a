#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# SEG-Y: models that NumPy has made, and records that it reads; what is none, or none that fits.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
wave=$apps/zoid-wave
here=$(cd "$(dirname "$0")" && pwd)

if lacks SEG-Y; then
    echo "this build has no SEG-Y: it is not tested; scripts/setup installs libsegyio-dev"
    exit 77
fi
need_numpy
cd "$work"
holds "models and records" "$python" "$here/segy.py" "$wave" "$work"

# What segy.py has left: whole.sgy, of 9 x 5 traces of 7 samples.
size=(--size 9x5x7 --steps 2)
expect 0 "$wave" "${size[@]}" --coefficient v2=whole.sgy
expect 2 "$wave" --size 5x9x8 --coefficient v2=whole.sgy && says '45 traces of 7 samples'
expect 2 "$wave" --size 9x4x7 --coefficient v2=whole.sgy && says '45 traces of 7 samples'
expect 2 "$wave" "${size[@]}" --coefficient v2=whole.sgy:v2 && says 'has no datasets'
bytes=$(stat -c %s whole.sgy)
for cut in 0 1 3199 3210 3599 3600 3700 $((bytes - 1)); do
    head -c "$cut" whole.sgy >cut.sgy
    expect 2 "$wave" "${size[@]}" --coefficient v2=cut.sgy && says 'cut.sgy'
done
# Samples of another kind: 2-byte whole numbers.
cp whole.sgy other.sgy
printf '\0\3' | dd of=other.sgy bs=1 seek=3224 conv=notrunc status=none
expect 2 "$wave" "${size[@]}" --coefficient v2=other.sgy && says 'other.sgy is no SEG-Y'
expect 4 "$wave" "${size[@]}" --coefficient v2=none.sgy
expect 2 "$wave" "${size[@]}" --steps 40000 --receivers z=3 --record long.sgy && says 'for 32767'
holds "nothing is left" [ ! -e long.sgy ]
expect 4 "$wave" "${size[@]}" --receivers z=3 --record none/x.sgy
finish

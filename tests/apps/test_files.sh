#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Fields from files and into files: what is written comes in again, whatever computes with it;
# shapes and layers are what docs/operators.md says; what is no field, or unstable, is refused.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
wave=$apps/zoid-wave
seismic=$apps/zoid-seismic
kinds=(npy raw)
lacks HDF5 || kinds+=(h5)
here=$(cd "$(dirname "$0")" && pwd)
cd "$work"

# field I N FILE: the I-th of N parts that make up a file of values alone.
field() {
    local bytes
    bytes=$(($(stat -c %s "$3") / $2))
    head -c $((($1 + 1) * bytes)) "$3" | tail -c "$bytes"
}

# numbers TYPE FILE: the values of a file, one a line; TYPE is f4 or f8.
numbers() { od -An -v "-w${1#f}" "-t$1" "$2" | awk '{ print $1 }'; }

# ---- out and in again --------------------------------------------------------------------------

# comes_back SIZE TYPE OPTIONS...: a state that was written is the one that is read.
comes_back() {
    local options=("--size" "$1" "--type" "$2" "${@:3}") kind
    expect 0 "$wave" "${options[@]}" --seed 3 --steps 5 --dump all.raw
    field 0 2 all.raw >u.raw
    field 1 2 all.raw >before.raw
    for kind in "${kinds[@]}"; do
        expect 0 "$wave" "${options[@]}" --seed 3 --steps 5 --dump "all.$kind"
        expect 0 "$wave" "${options[@]}" --init u=u.raw --init u_before=before.raw --steps 0 \
            --dump "again.$kind"
        # HDF5 says of which step they are.
        [ "$kind" = h5 ] || holds "$* as $kind: other bytes" cmp "all.$kind" "again.$kind"
    done
    [ "$kind" = h5 ] || return 0
    expect 0 "$wave" "${options[@]}" --init u=all.h5 --init u_before=all.h5:u_before --steps 0 \
        --dump again.raw
    holds "$* from HDF5: other bytes" cmp all.raw again.raw
}
comes_back 23x7x5 f32
comes_back 9x14 f64
comes_back 301 f32 --dims 1
comes_back 1x1x1 f64 --radius 6

# ---- the same whatever computes it -------------------------------------------------------------

forgive_mpi
several=false
if has_ranks; then several=true; fi
# A medium of its own, and a state of f64 for a run of f32.
expect 0 "$heat" --size 21x18x30 --type f64 --steps 0 --seed 8 --dump v.npy
expect 0 "$heat" --size 21x18x30 --type f32 --steps 0 --seed 9 --dump u.raw
given=(--size 21x18x30 --init u=u.raw --coefficient v2=v.npy --scale v2=0.09)
expect 0 "$wave" "${given[@]}" --radius 2 --steps 13 --check --dump first.raw
holds "the stability number: $(value derived.stability)" \
    awk -v s="$(value derived.stability)" 'BEGIN { exit !(s > 0.5 && s < 0.61) }'
for method in naive leaning trapezoid overlapped recursive; do
    expect 0 "$wave" "${given[@]}" --radius 2 --steps 13 --method $method --dump other.raw
    holds "$method: other bytes" cmp first.raw other.raw
done
expect 0 "$wave" "${given[@]}" --radius 2 --steps 13 --cells 2x3x1 --dump other.raw
holds "cells: other bytes" cmp first.raw other.raw
if $several; then
    ranks 3 "$wave" "${given[@]}" --radius 2 --steps 13 --oversubscribe --dump other.raw
    holds "three ranks: $rc" [ "$rc" = 0 ]
    holds "three ranks: other bytes" cmp first.raw other.raw
    ranks 3 "$wave" "${given[@]}" --coefficient v2=-1 --oversubscribe
    holds "three ranks refuse: $rc" [ "$rc" = 2 ]
    says 'v2 from -1, at \(0, 0, 0\), is -0.09, and should be at least 0'
fi
# Three fields of a medium that is the usual one.
for f in rho=1.5 lambda=0.75 mu=0.75; do medium+=(--coefficient "$f"); done
expect 0 "$seismic" --size 12 --steps 4 --init zero --init vz=gaussian:2 "${medium[@]}" \
    --dump first.raw --check
expect 0 "$seismic" --size 12 --steps 4 --init vz=gaussian:2 --dump other.raw
holds "the usual medium: other bytes" cmp first.raw other.raw
expect 0 "$apps/zoid-life" --size 9 --steps 0 --dump cells.npy
expect 0 "$apps/zoid-life" --size 9 --steps 0 --init alive=cells.npy --seed 5 --dump cells2.npy
holds "cells: other bytes" cmp cells.npy cells2.npy

# ---- shapes, layers, speeds --------------------------------------------------------------------

# like WHAT EXPRESSION: the values of the last dump, of f64, are those that awk makes of x, y, z and
# the number of the field, m.
like() {
    numbers f8 shape.raw | awk -v what="$1" '
        function v(x, y, z, m) { return '"$2"' }
        { i = NR - 1; x = i % 12; y = int(i / 12) % 5; z = int(i / 60) % 7; m = int(i / 420)
          if ($1 + 0 != v(x, y, z, m)) { bad++ } }
        END { if (bad || NR != 840) { print what ": " bad " of " NR >"/dev/stderr"; exit 1 } }'
}
pi='atan2(0, -1)'
# shape EXPRESSION OPTIONS...
shape() {
    expect 0 "$wave" --size 12x5x7 --type f64 --steps 0 --dump shape.raw "${@:2}"
    holds "${*:2}" like "${*:2}" "$1"
}
bell() { echo "exp(-(((x-6)/$1)*((x-6)/$1) + ((y-2)/$1)*((y-2)/$1) + ((z-3)/$1)*((z-3)/$1)) / 2)"; }
shape "$(bell 0.3125)" --init gaussian
shape "$(bell 2.5)" --init gaussian:2.5
shape "$(bell 2)" --init u=gaussian:2
shape "sin(2*$pi*1*(x + 0*0)/12)" --init plane
shape "sin(2*$pi*3*(x + 0.25*m)/12)" --init plane:3,0.25
shape "m ? 0.5 : -3" --init u=-3 --init u_before=0.5
shape "m ? 0 : int(z*3/7) == 0 ? 1 : int(z*3/7) == 1 ? 2.5 : -4" --init u_before=0 \
    --init u=layers:1,2.5,-4
shape "m ? 0 : 1" --init point --init gaussian --init zero --init u=1 --init u_before=0
# (v dt / dx)^2, and layers of speeds: as runs do with the same v2.
run=(--size 12x5x7 --type f64 --steps 6 --init gaussian:2 --dump)
expect 0 "$wave" "${run[@]}" a.raw --velocity layers:1500,3000 --dx 10 --dt 0.0015
expect 0 "$wave" "${run[@]}" b.raw --coefficient v2=layers:0.050625,0.2025
holds "speeds" cmp a.raw b.raw
expect 0 "$apps/zoid-run" --operator wave "${run[@]}" b.raw --velocity layers:1500,3000 --dx 10 \
    --dt 0.0015
holds "speeds by zoid-run" cmp a.raw b.raw
expect 0 "$wave" "${run[@]}" b.raw --coefficient v2=layers:0.1,0.4 --scale v2=0.50625
holds "scaled" cmp a.raw b.raw

# ---- what is refused ---------------------------------------------------------------------------

while read -r code pattern options; do
    read -ra options <<<"$options"
    expect "$code" "$wave" --size 12x5x7 "${options[@]}" && says "${pattern//_/ }"
done <<'END'
2 has_no_such_field --init w=1
2 has_no_such_coefficient --coefficient u=1
2 names_no_field --coefficient 1
2 names_no_field --coefficient v2=
2 gaussian:WIDTH --init u=gaussian:1,2
2 layers:VALUE --init u=layers
2 finite --init u=nan
4 cannot_read_none.h5 --init u=none.h5
2 is_a_folder --init u=.
2 give_--dx_H_--dt_T --velocity 1500
2 both_give_v2 --velocity 1 --dx 1 --dt 0.1 --coefficient v2=0.1
2 is_no_length --velocity 1 --dx 0 --dt 1
2 multiplies_what_is_given --scale v2=2
2 should_be_at_least_0 --coefficient v2=layers:0.1,-0.1
2 value_240_of_v2_from_layers:0.1,-0.1,_at_\(0,_0,_4\) --coefficient v2=layers:0.1,-0.1
2 no_finite_number_of_type_f32 --coefficient v2=1e39
2 stability_number_is_1.5,.*--scale_v2=0.4444 --coefficient v2=0.75
2 stability_number_is_1.5,.*--dt_0.3333 --velocity 0.8660254038 --dx 0.5 --dt 0.5
END
expect 0 "$wave" --size 12x5x7 --coefficient v2=0.75 --force
holds "$(value derived.stability)" [ "$(value derived.stability)" = 1.5 ]
expect 2 "$heat" --size 9 --lambda 0.2 && says 'stability number is 1.2, .*--lambda 0.166667 or'
expect 0 "$heat" --size 9 --lambda 0.2 --force
expect 2 "$seismic" --size 9 --dt 0.3 && says 'stability number is 1.05, .*--dt 0.285714'
expect 2 "$seismic" --size 9 --coefficient rho=0 && says 'rho from 0, .* should be above 0'
expect 2 "$apps/zoid-life" --size 9 --init alive=2 && says 'should be 0 or 1'
expect 2 "$wave" --size 12x5x8 --init u=shape.raw && says 'shape.raw has .* bytes'
expect 2 "$apps/zoid-life" --size 9 --init alive=0.5 && says 'are bytes; give whole numbers'
expect 2 "$apps/zoid-life" --size 9 --init gaussian && says 'are bytes; give whole numbers'
mkfifo pipe
expect 2 "$wave" --size 12 --init u=pipe && says 'no regular file'
if [ "${kinds[-1]}" = h5 ]; then
    mkfifo pipe.h5
    cat pipe.h5 >/dev/null &
    expect 2 "$wave" --size 12 --dump pipe.h5 && says 'pipe.h5 is no regular file'
    wait
    expect 4 "$wave" --size 12 --steps 1 --dump none/x.h5 && says 'none/x.h5'
else
    expect 4 "$wave" --size 12 --steps 1 --dump x.h5 && says 'no HDF5'
    holds "nothing is left" [ ! -e x.h5 ]
fi

# ---- what others write and read ----------------------------------------------------------------

if find_python numpy h5py || find_python numpy; then
    holds "what NumPy and h5py write and read" "$python" \
        "$here/files.py" "$wave" "${kinds[@]}"
else
    echo "no Python with NumPy here: what it writes and reads is not tested; see scripts/setup"
fi

# ---- a picture -----------------------------------------------------------------------------------

picture=$here/../../scripts/picture
if command -v gnuplot >/dev/null; then
    expect 0 "$wave" --size 12x5x7 --steps 0 --init gaussian --dump cube.npy
    expect 0 "$wave" --size 21x17 --type f64 --init gaussian:2 --steps 5 --dump square.npy
    expect 0 "$heat" --size 21x17 --init zero --steps 0 --dump flat.npy
    for what in 'square.npy one.png 1' 'square.npy one.png' 'flat.npy one.png'; do
        read -ra words <<<"$what"
        rm -f one.png
        observe "$picture" "${words[@]}"
        holds "a picture of $what: $rc" [ "$rc" = 0 ]
        holds "it is one" [ "$(head -c 4 one.png | tail -c 3)" = PNG ]
    done
    while read -r code options; do
        read -ra words <<<"$options"
        observe "$picture" "${words[@]}"
        holds "no picture of $options: $rc" [ "$rc" = "$code" ]
    done <<'END'
2 square.npy one.png 2
2 square.npy one.png -1
2 cube.npy one.png
2 a.raw one.png
4 none.npy one.png
4 square.npy none/one.png
END
else
    echo "no gnuplot here: scripts/picture is not tested; see scripts/setup"
fi
finish

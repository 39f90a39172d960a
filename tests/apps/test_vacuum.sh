#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: measures
# Free surfaces as the top of a medium below v2 = 0, and for seismic below lambda = mu = 0: nothing
# stays in the air, and what comes back is that of the image in the plane where the air ends, but
# for a part of a point.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
cd "$work"
export STARPU_NCUDA=0
wave=$apps/zoid-wave
seismic=$apps/zoid-seismic

# record FILE PROGRAM STEPS OPTIONS...: what the receivers see, a row for each step, in FILE.
record() {
    expect 0 "$2" "${@:4}" --type f64 --init zero --steps "$3" --record seen.npy --quiet
    # The header of a .npy file ends with the first newline.
    tail -c +$(($(head -n 1 seen.npy | wc -c) + 1)) seen.npy >seen.raw
    od -An -v -w$(($(stat -c %s seen.raw) / ($3 + 1))) -tf8 seen.raw >"$1"
}

# compare SIGN SPEED: of what the receivers of `free` and `air` see, by how many points the surface
# lies too near, and the largest difference from the image over its largest value.
compare() {
    read -r near error < <(paste free air | awk -v sign="$1" -v speed="$2" '
        function size(x) { return x < 0 ? -x : x }
        { image[NR] = sign * $2; back[NR] = $3 - $1; air += size($4) }
        END {
            for (t = 2; t < NR; t++) {
                slope = (image[t + 1] - image[t - 1]) / 2
                along += (back[t] - image[t]) * slope
                all += slope * slope
                off = size(back[t] - image[t]) > off ? size(back[t] - image[t]) : off
                most = size(image[t]) > most ? size(image[t]) : most
            }
            printf "%.4f %.4f\n", air ? 9 : along / all * speed / 2, off / most
        }')
}

# surface RADIUS: sets `near` to how many points the surface lies too near to a source 30 points
# below it, and `error` to the largest difference from the image over its largest value, of a wave
# of 13.3 points a wavelength, 0.42 points a step.
surface() {
    record free "$wave" 223 --radius "$1" --size 120x240 --coefficient v2=0.1764 \
        --source 60,90:ricker:0.0315789,38 --receivers 60,90 --receivers 60,150
    # The last row of the air is 39, and stays 0.
    record air "$wave" 223 --radius "$1" --size 120x160 \
        --coefficient v2=layers:0,0.1764,0.1764,0.1764 \
        --source 60,69:ricker:0.0315789,38 --receivers 60,69 --receivers 60,39
    compare -1 0.42
}

# elastic FIELD FREQUENCY SPEED PLACE: the same of plane waves of a velocity on a line of seismic,
# whose image would be at PLACE; the last plane of the vacuum is 39, and its stress stays 0.
elastic() {
    local line=(--boundary "x-=periodic,x+=periodic,y-=periodic,y+=periodic" --dt 0.25
        --coefficient rho=1)
    record free "$seismic" 400 --size 1x1x600 "${line[@]}" --coefficient lambda=1 \
        --coefficient mu=1 --source "$1@0,0,300:ricker:$2" --receivers "$1@0,0,300" \
        --receivers "$1@0,0,$((230 + $4))"
    record air "$seismic" 400 --size 1x1x240 "${line[@]}" --coefficient lambda=layers:0,1,1,1,1,1 \
        --coefficient mu=layers:0,1,1,1,1,1 --source "$1@0,0,70:ricker:$2" \
        --receivers "$1@0,0,70" --receivers "s${1#v}z@0,0,39"
    compare 1 "$3"
}

if [ "${1-}" = --table ]; then
    for radius in 1 2 3 4 5 6; do
        surface $radius
        echo "radius $radius: $near points too near, $error of the amplitude"
    done
    for part in 1 0.5; do
        for kind in "vz 0.0326 0.4330 7" "vx 0.0188 0.25 9"; do
            read -r field frequency speed place <<<"$kind"
            elastic $field "$(awk "BEGIN { print $frequency * $part }")" $speed $place
            echo "seismic $field, $part: $near points too near, $error of the amplitude"
        done
    done
    exit
fi

# radius, points at most, part of the amplitude at most.
while read -r radius points part; do
    surface "$radius"
    holds "radius $radius: $near points, $error" awk -v near="$near" -v error="$error" \
        -v points="$points" -v part="$part" \
        'BEGIN { exit !(near <= points && near > -1e-4 && error <= part) }'
done <<'END'
1 1e-4 1e-4
2 0.08 0.09
4 0.11 0.13
END

elastic vz 0.0326 0.4330 7
holds "P: $near points, $error" awk -v near="$near" -v error="$error" \
    'BEGIN { exit !(near > 0.06 && near <= 0.08 && error <= 0.08) }'
elastic vx 0.0188 0.25 9
holds "S: $near points, $error" awk -v near="$near" -v error="$error" \
    'BEGIN { exit !(near > 0.06 && near <= 0.08 && error <= 0.08) }'

# Over a staircase of air, by every method.
cat >hill.py <<'END'
import struct
rows = [[0.0 if z < 12 + abs(x - 20) // 3 else 0.1 for x in range(41)] for z in range(60)]
open("hill.raw", "wb").write(b"".join(struct.pack("<41d", *row) for row in rows))
# Points of 21 x 11 x 30, of seismic.
planes = [[0.0 if z < 8 + abs(x - 10) // 3 + y // 4 else 0.7 for x in range(21)]
          for z in range(30) for y in range(11)]
open("mountain.raw", "wb").write(b"".join(struct.pack("<21d", *row) for row in planes))
END
"${python:-python3}" hill.py
for method in naive leaning trapezoid recursive overlapped; do
    expect 0 "$wave" --size 41x60 --type f64 --radius 4 --init zero --steps 60 --method $method \
        --coefficient v2=hill.raw --source 20,40:ricker:0.05 --check --dump u.raw
    holds "the check by $method" [ "$(value check)" = passed ]
    holds "nothing in the air by $method" [ "$(head -c $((41 * 12 * 8)) u.raw | tr -d '\0')" = "" ]
    expect 0 "$seismic" --size 21x11x30 --type f64 --init zero --steps 30 --method $method \
        --coefficient rho=1 --coefficient lambda=mountain.raw --coefficient mu=mountain.raw \
        --boundary absorb,z-=dirichlet --absorb-points 4 --source vz@10,5,18:ricker:0.05 --check \
        --dump u.raw
    holds "the check of seismic by $method" [ "$(value check)" = passed ]
    # Stresses are fields 3 to 8, and planes 0 to 7 are air.
    for field in 3 4 5 6 7 8; do
        holds "no stress $field in the air by $method" [ "$(tail -c \
            +$((field * 21 * 11 * 30 * 8 + 1)) u.raw | head -c $((21 * 11 * 8 * 8)) |
            tr -d '\0')" = "" ]
    done
done
finish

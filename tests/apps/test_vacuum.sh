#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: measures
# A free surface of waves as the top of a medium below v2 = 0: nothing stays in the air, and what
# comes back is that of the image in the plane where v2 = 0 ends, but for a part of a point.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
cd "$work"
export STARPU_NCUDA=0
wave=$apps/zoid-wave

# record FILE OPTIONS...: what the receivers see, a row for each step, in FILE.
record() {
    expect 0 "$wave" "${@:2}" --type f64 --init zero --steps 223 --record seen.npy --quiet
    # The header of a .npy file ends with the first newline.
    tail -c +$(($(head -n 1 seen.npy | wc -c) + 1)) seen.npy >seen.raw
    od -An -v -w$(($(stat -c %s seen.raw) / 224)) -tf8 seen.raw >"$1"
}

# surface RADIUS: sets `near` to how many points the surface lies too near to a source 30 points
# below it, and `error` to the largest difference from the image over its largest value, of a wave
# of 13.3 points a wavelength, 0.42 points a step.
surface() {
    record free --radius "$1" --size 120x240 --coefficient v2=0.1764 \
        --source 60,90:ricker:0.0315789,38 --receivers 60,90 --receivers 60,150
    # The last row of the air is 39, and stays 0.
    record air --radius "$1" --size 120x160 --coefficient v2=layers:0,0.1764,0.1764,0.1764 \
        --source 60,69:ricker:0.0315789,38 --receivers 60,69 --receivers 60,39
    read -r near error < <(paste free air | awk '
        function size(x) { return x < 0 ? -x : x }
        { image[NR] = -$2; back[NR] = $3 - $1; air += size($4) }
        END {
            for (t = 2; t < NR; t++) {
                slope = (image[t + 1] - image[t - 1]) / 2
                along += (back[t] - image[t]) * slope
                all += slope * slope
                off = size(back[t] - image[t]) > off ? size(back[t] - image[t]) : off
                most = size(image[t]) > most ? size(image[t]) : most
            }
            printf "%.4f %.4f\n", air ? 9 : along / all * 0.42 / 2, off / most
        }')
}

if [ "${1-}" = --table ]; then
    for radius in 1 2 3 4 5 6; do
        surface $radius
        echo "radius $radius: $near points too near, $error of the amplitude"
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

# Over a staircase of air, by every method.
cat >hill.py <<'END'
import struct
rows = [[0.0 if z < 12 + abs(x - 20) // 3 else 0.1 for x in range(41)] for z in range(60)]
open("hill.raw", "wb").write(b"".join(struct.pack("<41d", *row) for row in rows))
END
"${python:-python3}" hill.py
for method in naive leaning trapezoid recursive overlapped; do
    expect 0 "$wave" --size 41x60 --type f64 --radius 4 --init zero --steps 60 --method $method \
        --coefficient v2=hill.raw --source 20,40:ricker:0.05 --check --dump u.raw
    holds "the check by $method" [ "$(value check)" = passed ]
    holds "nothing in the air by $method" [ "$(head -c $((41 * 12 * 8)) u.raw | tr -d '\0')" = "" ]
done
finish

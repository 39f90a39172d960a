# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154 # those who source it have sourced lib.sh
# What layers at faces send back of a wave, for tests that source lib.sh. They run on cores, in the
# folder of their work.
cd "$work" || exit
export STARPU_NCUDA=0
wave=$apps/zoid-wave

# The type and radius of the runs, and the points of a wavelength.
type=f64 radius=4 length=13.3

# record FILE OPTIONS...: what the receiver of a run sees, a number a line, in FILE.
record() {
    local bytes=${type#f}
    bytes=$((bytes / 8))
    expect 0 "$wave" "${@:2}" --type "$type" --radius "$radius" --init zero \
        --coefficient v2=0.1764 --record seen.npy --quiet
    # The header of a .npy file ends with the first newline.
    tail -c +$(($(head -n 1 seen.npy | wc -c) + 1)) seen.npy | od -An -v -w$bytes -tf$bytes >"$1"
}

# geometry LAYER ANGLE: a wave of `length` points a wavelength, 0.42 points a step, from a source 30
# points before the layer, to a receiver that sees its reflection at the angle. The sides are far
# enough away not to be seen.
geometry() {
    read -r off steps far width ricker first < <(awk -v layer="$1" -v angle="$2" \
        -v points="$length" 'BEGIN {
        turn = angle * atan2(0, -1) / 180
        off = int(60 * sin(turn) / cos(turn) + 0.5)
        path = 2 * (30 + layer) / cos(turn) + 2.2 * points
        f = 0.42 / points
        printf "%d %d %d %d %.17g %.17g\n", off, path / 0.42 * 1.05, int(path / 2) + 8,
            2 * (int((path + off) / 2) + 12), f, 1.2 / f }')
}

# shot FILE BEYOND OPTIONS...: the record with that many points between the source's distance and
# the face, besides the `radius` that the reach leaves out.
shot() {
    local at=$((radius + $2 + 30)) middle=$((width / 2))
    record "$1" --size "${width}x$((at + far + radius))" --steps "$steps" "${@:3}" \
        --source "$middle,$at:ricker:$ricker,$first" --receivers "$((middle + off)),$at"
}

# reflection POINTS ANGLE OPTIONS...: sets `db` to the reflection of a layer of POINTS points, with
# those that the reach leaves out, over that of a wall.
reflection() {
    geometry "$1" "$2"
    shot free "$far"
    shot wall 0
    shot layer $(($1 - radius)) "${@:3}"
    holds "all that it sees is finite: ${*:3}" [ "$(grep -c n free wall layer)" = \
        $'free:0\nwall:0\nlayer:0' ]
    db=$(paste free wall layer | awk '
        function most(a, b) { return a * a > b * b ? sqrt(a * a) : b }
        { wall = most($2 - $1, wall); layer = most($3 - $1, layer) }
        END { printf "%.1f\n", 20 * log(layer / wall) / log(10) }')
}

# table: a line for each line NAME POINTS OPTIONS... of standard input, with the reflection of that
# layer at `angles`, in dB.
table() {
    local name points options angle
    while read -r name points options; do
        printf '%-28s' "$name"
        for angle in "${angles[@]}"; do
            # shellcheck disable=SC2086 # they are options
            reflection "$points" "$angle" $options
            printf ' %6s' "$db"
        done
        echo
    done
}

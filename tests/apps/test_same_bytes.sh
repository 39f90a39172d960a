#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# However a problem is cut, on however many workers, by whichever instructions: the same bytes.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
problem=(--size 61x47x83 --steps 37 --init random --seed 7 --quiet)

# A case worked by hand: the six inner points, plane 1, x fastest.
expect 0 "$heat" --size 5x4x3 --steps 1 --seed 7 --type f32 --dump "$work/hand"
# Rows 1 and 2 of plane 1, without their first and last points.
inner=$(od -An -v -tx4 -w20 "$work/hand" | awk 'NR == 6 || NR == 7 { print $2, $3, $4 }' |
    paste -sd' ')
holds "the worked check gives $inner" \
    [ "$inner" = "3ee5975e 3f08223f 3ed6d422 3f388d92 3f3caf4d 3eb745cc" ]

# same OPTIONS...: the problem gives the reference's bytes. Environment variables pass through env.
same() {
    one_in 2 || return 0
    rm -f "$work/dump"
    expect 0 "$@" "${problem[@]}" --type "$type" --dump "$work/dump"
    holds "other bytes in $type: $*" cmp "$work/reference.$type" "$work/dump"
}

for type in f32 f64; do
    expect 0 "$heat" "${problem[@]}" --type $type --method leaning --block 5 --depth 9 --check \
        --dump "$work/reference.$type"
    holds "the dump is whole" [ -s "$work/reference.$type" ]
    same "$heat"
    for block in 1 5 83 1000; do
        same "$heat" --method naive --block $block
    done
    for cut in "1 1" "1 5" "4 9" "5 9" "16 37" "83 12" "90 4"; do
        same "$heat" --method overlapped --block "${cut% *}" --depth "${cut#* }"
    done
    for cut in "2 1" "2 37" "3 9" "5 9" "7 4" "41 40" "83 5" "90 2"; do
        same "$heat" --method leaning --block "${cut% *}" --depth "${cut#* }"
    done
    for cut in "2 1" "2 37" "5 2" "16 5" "41 40" "42 37" "83 5"; do
        same "$heat" --method trapezoid --block "${cut% *}" --depth "${cut#* }"
    done
    # Leaves of all sizes: the least, some, and the whole domain.
    for cut in "1 37 1" "1 20 200K" "2 9 100K" "3 16 1M" "5 4 1" "7 37 400K" "83 5 1G" "90 40 1"; do
        read -r block depth leaf <<<"$cut"
        same "$heat" --method recursive --block "$block" --depth "$depth" --leaf "$leaf"
    done
    for name in $(aliases); do
        block=(--block 7)
        [ "$name" != b2r ] || block=()
        same "$heat" --method "$name" "${block[@]}"
    done
    for traversal in two step naive; do
        same "$heat" --method leaning --depth 6 --traversal $traversal --overlap off
    done
    for workers in "1 0" "2 0" "3 0" "1 1" "0 1"; do
        # Without a GPU the last two are no mixes.
        [ "${workers#* }" = 0 ] || [ "$gpus" != 0 ] || continue
        for method in naive trapezoid overlapped leaning recursive; do
            same env STARPU_NCPU="${workers% *}" STARPU_NCUDA="${workers#* }" "$heat" \
                --method $method --block 6 --depth 5
        done
    done
done

# Every instruction set that this processor has; the best one is what ran above.
best=$("$info" | awk '$1 == "isa" { print $2 }')
for isa in portable v3 v4; do
    for type in f32 f64; do
        same env STARPU_NCUDA=0 ZOID_ISA=$isa "$heat" --method leaning --block 5 --depth 9
        same env STARPU_NCUDA=0 ZOID_ISA=$isa "$heat" --method naive --block 11
    done
    [ "$isa" != "$best" ] || break
done

# A comparison that could not fail would prove nothing: another seed must differ.
expect 0 "$heat" "${problem[@]}" --seed 8 --dump "$work/dump"
holds "another seed gives other bytes" [ -n "$(cmp "$work/reference.f32" "$work/dump" || true)" ]
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs whose state is on a disk: the same bytes as in main memory, with the smallest budgets, and
# what is left and said when the disk is too small, breaks, or the run is interrupted.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
RANDOM=${ZOID_TEST_SEED:-20240610}
echo "ZOID_TEST_SEED=${ZOID_TEST_SEED:-20240610}"
disk=$work/disk
mkdir "$disk"
# Many cores hold much at once: small states then need no disk.
export STARPU_NCUDA=0 STARPU_NCPU=2

# left: what is in the disk's folder.
left() { find "$disk" -mindepth 1 -printf '%f\n'; }

# ---- every method, odd sizes, the smallest budget -------------------------------------------

spilled=0
mapfile -t operators < <(families)
read -ra all_methods <<<"$(methods)"
cases=$(effort 18)
for ((i = 0; i < cases; i++)); do
    any auto "${all_methods[@]}"
    method=(--method "$picked")
    any "" "" "--overlap off"
    read -ra overlap <<<"$picked"
    family=${operators[i % ${#operators[@]}]}
    any_of "$(trait "$family" dims)"
    case $picked in
    1) size=$((RANDOM * 20 + 1)) low=2000 ;;
    2) size=$((RANDOM % 900 + 1))x$((RANDOM % 3000 + 1)) low=60 ;;
    *) size=$((RANDOM % 120 + 1))x$((RANDOM % 90 + 1))x$((RANDOM % 300 + 1)) low=12 ;;
    esac
    problem=("$run" --operator "$family" --dims "$picked" --size "$size"
        --steps $((RANDOM % 14 + 1)))
    any "" "--block $((RANDOM % low + low))" "--depth $((RANDOM % 9 + 1))" "--block $low --depth 20"
    read -ra cut <<<"$picked"
    any_of "$(trait "$family" boundary)"
    if [ "$picked" != none ] && [ $((RANDOM % 2)) = 0 ]; then problem+=(--boundary "$picked"); fi
    # Some are not periodic with an odd extent.
    observe "${problem[@]}" --plan
    [ "$rc" = 0 ] || problem=("${problem[@]:0:${#problem[@]}-2}")
    # A method or a slab that is refused is tested elsewhere.
    observe "${problem[@]}" "${method[@]}" "${cut[@]}" --plan
    [ "$rc" = 0 ] || { method=() cut=(); }
    expect 0 "${problem[@]}" --dump "$work/a" --quiet
    wanted=("${problem[@]}" "${method[@]}" "${cut[@]}" "${overlap[@]}" --disk "$disk")
    expect 3 "${wanted[@]}" --ram 1
    mib=$(least ram)
    holds "a refusal names a budget: ${wanted[*]}" [ -n "$mib" ]
    expect 0 "${wanted[@]}" --ram "${mib}M" --dump "$work/b"
    holds "on disk: the same bytes: ${wanted[*]} --ram ${mib}M" cmp -s "$work/a" "$work/b"
    if grep -q '^disk\.folder' "$work/out"; then spilled=$((spilled + 1)); fi
    if [ "$mib" -gt 1 ]; then
        expect 3 "${wanted[@]}" --ram $((mib - 1))M
        holds "both refusals name the same: ${wanted[*]}" [ "$(least ram)" = "$mib" ]
    fi
done
holds "some of them were on disk, not $spilled" [ "$spilled" -ge $((cases / 3)) ]
holds "nothing is left in the folder: $(left)" [ -z "$(left)" ]

# ---- what it reports, and how much it moves -------------------------------------------------

# Slabs of 16 whole planes and two passes: every plane is read once a pass, and written.
steps=8 side=128
if quick; then side=96; fi
cut=(--method leaning --block 16 --depth $((steps / 2)) --strip 0)
small=("$heat" --size "${side}x${side}x256" --steps "$steps" --disk "$disk")
stream=("${small[@]}" "${cut[@]}")
expect 3 "${stream[@]}" --ram 1
tight=$(least ram)M
expect 0 "${stream[@]}" --ram "$tight" --check --report "$work/report.json"
holds "the check passes" [ "$(value check)" = passed ]
domain=$((side * side * 256 * 4))
for key in bytes.disk_read bytes.disk_write; do
    moved=$(value $key)
    holds "$key is one or two domains, not $moved" \
        [ "$moved" -ge $((domain / 4)) -a "$moved" -le $((domain * 5 / 2)) ]
done
holds "the report names the folder" [ "$(value disk.folder)" = "$disk" ]
holds "the JSON does as well" grep -q '"disk": {' "$work/report.json"
expect 0 "${small[@]}" --ram 1G
holds "what main memory has room for is not put on a disk" [ "$(value bytes.disk_write)" = 0 ]
holds "and nothing is said of one" [ -z "$(value disk.folder)" ]
expect 0 "${small[@]}" --ram "$tight" --plan
holds "a plan says what it takes" [ "$(value disk.total)" -ge $domain ]

# ---- too small, absent, not a folder --------------------------------------------------------

stream=("$heat" --size "${side}x${side}x256" --steps "$steps" "${cut[@]}")
expect 3 "${stream[@]}" --ram "$tight" --disk "$disk:1K"
size=$(least disk)
holds "a refusal names how much of the disk" [ -n "$size" ]
expect 0 "${stream[@]}" --ram "$tight" --disk "$disk:${size}M" --quiet
expect 3 "${stream[@]}" --ram "$tight" --disk "$disk:$((size - 1))M"
for folder in /nonexistent "$work/err" /dev/null; do
    expect 4 "${stream[@]}" --disk "$folder"
    says "$folder"
done
for folder in "" :1M "$disk:1Q" "$disk:0"; do expect 2 "${stream[@]}" --disk "$folder"; done
mkdir "$work/a:b"
expect 0 "${stream[@]}" --ram "$tight" --disk "$work/a:b" --quiet
if [ "$(id -u)" != 0 ]; then
    mkdir -m 500 "$work/locked"
    expect 4 "${stream[@]}" --ram "$tight" --disk "$work/locked"
    says "$work/locked"
fi
# A limit on the size of files plays a disk that has less room than it says.
observe sh -c 'ulimit -f 100; trap "" XFSZ; exec "$@"' sh "${stream[@]}" --ram "$tight" \
    --disk "$disk" --quiet
holds "no room after all: 4, not $rc" [ "$rc" = 4 ]
holds "in one line" one_line
says "$disk"
mkdir "$work/full"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=8m none "$work/full" 2>"$work/err"; then
    expect 4 "${stream[@]}" --ram "$tight" --disk "$work/full"
    says "$work/full"
    umount "$work/full"
fi
if [ "$(id -u)" = 0 ] && mount -t ramfs none "$work/full" 2>"$work/err"; then
    expect 0 "${stream[@]}" --ram "$tight" --disk "$work/full" --check
    holds "a file system without O_DIRECT is said to be one" [ "$(value disk.direct)" = false ]
    holds "and does" [ "$(value check)" = passed ]
    umount "$work/full"
fi

# ---- a disk that breaks, and a run that is interrupted --------------------------------------

if [ -z "$(sanitizers)" ]; then
    preloaded broken_disk
    for call in pread pwrite; do
        for after in 0 7 40; do
            expect 4 env LD_PRELOAD="$work/broken_disk.so" BROKEN=$call BROKEN_AFTER=$after \
                "${stream[@]}" --ram "$tight" --disk "$disk" --dump "$work/none"
            says "$disk"
            holds "no dump is left" [ ! -e "$work/none" ]
        done
    done
fi
for signal in INT TERM; do
    env --default-signal=INT "$heat" --size "${side}x${side}x256" --steps 1000000 "${cut[@]}" \
        --ram "$tight" --disk "$disk" --quiet --dump "$work/none" 2>"$work/err" &
    pid=$!
    trap 'kill -KILL $pid 2>/dev/null || true; rm -rf "$work"' EXIT
    for ((i = 0; i < 100; i++)); do
        # Only what it has open in that folder: a library that is being loaded may be larger.
        largest=$(find "/proc/$pid/fd" -lname "$(realpath "$disk")/*" \
            -exec stat -L -c %s {} + 2>/dev/null |
            sort -n | tail -1) || true
        if [ "${largest:-0}" -ge $domain ]; then break; fi
        sleep 0.1
    done
    holds "a run has its state in a file" [ "$i" -lt 100 ]
    kill -$signal $pid
    rc=0
    wait $pid || rc=$?
    holds "$signal ends it with $rc" [ "$rc" = $((128 + $(kill -l $signal))) ]
    says interrupted
    holds "in one line" one_line
    holds "nothing is left: $(left)" [ -z "$(left)" -a ! -e "$work/none" ]
done

# ---- three memories, each with the least that does ---------------------------------------------

unset STARPU_NCUDA STARPU_NCPU
streams=("$heat --size 256x256x1024 --steps 9"
    "$heat --size 256x256x1023 --steps 3 --method naive"
    "$heat --size 256x257x1024 --steps 11 --method trapezoid --block 32 --depth 8"
    "$heat --size 256x256x1024 --steps 5 --method recursive --type f64"
    "$heat --size 256x256x1024 --steps 9 --overlap off")
for family in "${operators[@]}"; do
    ! in_order "$family" || continue # not on GPUs yet
    any_of "$(trait "$family" dims)"
    case $picked in
    1) size=40000003 ;;
    2) size=6007x6001 ;;
    *) size=257x255x513 ;;
    esac
    case $family in
    life3d) size=513x511x515 ;;
    esac
    streams+=("$run --operator $family --dims $picked --size $size --steps 4")
done
[ "$gpus" != 0 ] || streams=()
for stream in "${streams[@]}"; do
    read -ra wanted <<<"$stream --disk $disk"
    expect 3 "${wanted[@]}" --ram 1 --gpu-mem 2G
    mib=$(least ram)
    expect 3 "${wanted[@]}" --ram "${mib}M" --gpu-mem 1M
    device=$(least gpu-mem)
    expect 0 "${wanted[@]}" --ram "${mib}M" --gpu-mem "${device}M" --check
    holds "on GPU, memory and disk: $stream" [ "$(value check)" = passed ]
    holds "the GPU did it: $stream" [ "$(value bytes.h2d)" -gt 0 ]
    holds "the disk was used: $stream" [ "$(value bytes.disk_write)" -gt 0 ]
    expect 3 "${wanted[@]}" --ram "${mib}M" --gpu-mem "$((device - 1))M"
done
finish

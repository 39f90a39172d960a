# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154 # what gpu-check has read of its options and of the machine
# What scripts/gpu-check measures of runs that a GPU has no memory for, or that several GPUs share,
# each in turns with the same run in the memory of one. It sources this.

# limit_rows: name, GPUs, GiB of all fields, steps, what it is run with, what that should reach of
# the run in memory (-: nothing), program and options. It is run with a limit of GPU memory, with
# all cores as workers too, with two GPUs, or as two ranks of a GPU each.
limit_rows() {
    cat <<'END'
heat-16g 1 16 1024 8G,4G 0.95 zoid-heat --size 1024x1024x4096
wave-r4 1 12 512 3G - zoid-wave --radius 4 --size 1024x1024x1024
seismic 1 12 256 3G - zoid-seismic --size 512x512x1024
heat-f64 1 16 1024 4G - zoid-heat --type f64 --size 1024x1024x2048
heat-r2 1 16 1024 4G - zoid-heat --radius 2 --size 1024x1024x4096
heat-cores 1 8 1024 cores 0.99 zoid-heat --size 1024x1024x2048
two-ranks-8g 2 8 1024 ranks - zoid-heat --size 1024x1024x2048
two-gpus-8g 2 8 1024 gpus 1.85 zoid-heat --size 1024x1024x2048
two-gpus-16g 2 16 1024 gpus 1.85 zoid-heat --size 1024x1024x4096
heat-48g 1 48 1024 12G 0.95 zoid-heat --size 1024x1024x12288
END
}

# smaller WHAT: a size, or bytes, of --quick.
smaller() {
    case $quick$1 in
    yes*x*x*) echo "${1%x*}x$((${1##*x} / 4))" ;;
    yes[0-9]*G) echo "$((${1%G} * 256))M" ;;
    *) echo "$1" ;;
    esac
}

# no_room GPUS GIB KINDS: why the row cannot be run here; fails where it can.
no_room() {
    local gib=$2
    [ $quick = no ] || gib=$(calculate "$2 / 4")
    if [ "$gpus" -lt "$1" ]; then
        echo "GPUs here: $gpus"
    elif true_of "$(info gpu_mem) < 1.1 * $gib * 2 ^ 30"; then
        echo "a GPU has no memory for it"
    elif true_of "$(info ram) < 1.15 * $gib * 2 ^ 30 + 2 ^ 32"; then
        echo "there is too little RAM"
    elif [ "$3" = ranks ] && lacks_ranks; then
        :
    else
        return 1
    fi
}

# limited NAME KIND ROUND PROGRAM OPTIONS...: runs it once, with its report in
# $work/NAME.KIND.ROUND.
limited() {
    local name=$1 kind=$2 file=$1.$2.$3 rc=0 environment=(STARPU_NCUDA=1 STARPU_NCPU=0) launcher=()
    local command=("$apps/$4" "${@:5}")
    case $kind in
    memory) ;;
    cores) environment=(STARPU_NCUDA=1) ;;
    gpus) environment=(STARPU_NCUDA=2 STARPU_NCPU=0) ;;
    ranks) by_ranks 2 ;;
    *) command+=(--gpu-mem "$(smaller "$kind")") ;;
    esac
    [ -z "$out" ] || command+=(--report "$out/$file.json")
    say "measuring $name, $kind: ${command[*]##*/}"
    bounded 300 env "${environment[@]}" "${launcher[@]}" "${command[@]}" >"$work/$file" \
        2>"$work/$file.err" </dev/null || rc=$?
    case $rc in
    0)
        [ -z "$out" ] || json_line "$@" >>"$out/runs.jsonl"
        [ "$(of "$file" workers.cuda)" != 0 ] && return
        row "$name, $kind" "the plan does not use the GPU" "a plan for the GPU" FAILED ;;
    124 | 137) row "$name, $kind" "the time is up" "a figure" "cut off" ;;
    *) row "$name, $kind" \
        "exit code $rc: $(grep '^zoid-' "$work/$file.err" || tail -n 1 "$work/$file.err")" \
        "a figure" FAILED ;;
    esac
    return 1
}

# json_line NAME KIND ROUND PROGRAM OPTIONS...: the figures of that run as an object.
json_line() {
    local key value line
    line="{\"row\": \"$1\", \"kind\": \"$2\", \"round\": $3, \"command\": \"${*:4}\""
    for key in steps gups seconds bytes.h2d bytes.d2h planned.h2d planned.d2h; do
        value=$(of "$1.$2.$3" $key)
        line+=", \"$key\": ${value:-null}"
    done
    echo "$line}"
}

# middle NAME KIND KEY: of all rounds of that run.
middle() {
    local i
    for ((i = 0; i < limit_rounds; i++)); do of "$1.$2.$i" "$3"; done | median
}

# judge NAME KIND GOAL: beside the run in memory.
judge() {
    local rate whole ratio way moved planned=()
    rate=$(middle "$1" "$2" gups) whole=$(middle "$1" memory gups)
    ratio=$(calculate "$rate / $whole")
    row "$1, $2, and in the memory of one" "$rate, $whole GUP/s" "" ""
    if [ "$3" = - ]; then
        row "$1, $2 over in memory" "$ratio" "" ""
    else
        reach "$1, $2 over in memory" "$ratio" "$3"
    fi
    row "$1, $2: GB up, down" "$(calculate "$(middle "$1" "$2" bytes.h2d) / 1e9"), $(calculate \
        "$(middle "$1" "$2" bytes.d2h) / 1e9")" "" ""
    for way in h2d d2h; do
        moved=$(middle "$1" "$2" bytes.$way)
        ratio=$(of "$1.$2.0" planned.$way)
        [[ $ratio =~ ^[1-9] ]] || return 0
        planned+=("$(calculate "$moved / $ratio")")
    done
    row "$1, $2: moved over planned, up, down" "${planned[0]}, ${planned[1]}" "" ""
}

# limit_row NAME GPUS GIB STEPS KINDS GOAL PROGRAM OPTIONS...
limit_row() {
    local name=$1 most=$4 kind kinds goal=$6 why word command=() i
    if why=$(no_room "$2" "$3" "$5"); then
        row "$name" "left out: $why" "" skipped
        return
    fi
    read -ra kinds <<<"${5//,/ }"
    [ "$steps" = all ] || [ "$most" -le "$steps" ] || most=$steps
    for word in "${@:7}"; do command+=("$(smaller "$word")"); done
    command+=(--steps "$most")
    for ((i = 0; i < limit_rounds; i++)); do
        for kind in memory "${kinds[@]}"; do
            limited "$name" "$kind" $i "${command[@]}" || return 0
        done
    done
    for kind in "${kinds[@]}"; do
        judge "$name" "$kind" "$goal"
    done
}

# The largest takes as long as all the others.
run_limits() {
    local line words usual
    usual=$(limit_rows | awk '$1 != "heat-48g" { print $1 }' | paste -sd,)
    while read -r line; do
        read -ra words <<<"$line"
        if [[ ,${rows:-$usual}, = *,${words[0]},* ]]; then
            limit_row "${words[@]}"
        fi
    done < <(limit_rows)
}

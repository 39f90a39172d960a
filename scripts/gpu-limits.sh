# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154 # what gpu-check has read of its options and of the machine
# What scripts/gpu-check measures of runs that a GPU has no memory for, each in turns with the same
# run in the memory of one. It sources this.

# limit_rows: name, GiB of all fields, steps, what it is run with, what that should reach of the run
# in memory (-: nothing), program and options. It is run with a limit of GPU memory, or with all
# cores as workers too.
limit_rows() {
    cat <<'END'
heat-16g 16 1024 8G,4G 0.95 zoid-heat --size 1024x1024x4096
wave-r4 12 512 3G - zoid-wave --radius 4 --size 1024x1024x1024
seismic 12 256 3G - zoid-seismic --size 512x512x1024
heat-f64 16 1024 4G - zoid-heat --type f64 --size 1024x1024x2048
heat-r2 16 1024 4G - zoid-heat --radius 2 --size 1024x1024x4096
heat-cores 8 1024 cores 0.99 zoid-heat --size 1024x1024x2048
heat-48g 48 1024 12G 0.95 zoid-heat --size 1024x1024x12288
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

# no_room GPUS GIB RAM: why a row cannot be run here that wants so many GPUs, GiB of fields in the
# memory of one, and of RAM; fails where it can.
no_room() {
    local part=1
    [ $quick = no ] || part=4
    if [ "$gpus" -lt "$1" ]; then
        echo "GPUs here: $gpus"
    elif true_of "$(info gpu_mem) < 1.1 * $2 / $part * 2 ^ 30"; then
        echo "a GPU has no memory for it"
    elif true_of "$(info ram) < 1.15 * $3 / $part * 2 ^ 30 + 2 ^ 32"; then
        echo "there is too little RAM"
    else
        return 1
    fi
}

# steps_of STEPS USUAL: those of a row, but no more than --steps, or else than usual.
steps_of() {
    local most=${steps:-$2}
    if [ "$most" = all ] || [ "$1" -lt "$most" ]; then most=$1; fi
    echo "$most"
}

# limited NAME KIND ROUND PROGRAM OPTIONS...: runs it once, with its report in
# $work/NAME.KIND.ROUND, for `longest` seconds at most. KIND: one GPU in its memory, or with cores
# or a limit; or so many GPUs, which hand passes on, or have a part or a rank each.
longest=300
limited() {
    local name=$1 kind=$2 file=$1.$2.$3 rc=0 environment=(STARPU_NCUDA=1 STARPU_NCPU=0) launcher=()
    local command=("$apps/$4" "${@:5}") places
    case $kind in
    memory | one) ;;
    cores) environment=(STARPU_NCUDA=1) ;;
    gpus*)
        environment=("STARPU_NCUDA=${kind#gpus}" STARPU_NCPU=0)
        command+=(--balance gpu) ;;
    parts*)
        environment=("STARPU_NCUDA=${kind#parts}" STARPU_NCPU=0)
        printf -v places '+gpus:1%.0s' $(seq "${kind#parts}")
        command+=(--balance split --places "${places#+}") ;;
    ranks*) by_ranks "${kind#ranks}" ;;
    *) command+=(--gpu-mem "$(smaller "$kind")") ;;
    esac
    [ -z "$out" ] || command+=(--report "$out/$file.json")
    say "measuring $name, $kind: ${command[*]##*/}"
    bounded "$longest" env "${environment[@]}" "${launcher[@]}" "${command[@]}" \
        >"$work/$file.out" 2>"$work/$file.err" </dev/null || rc=$?
    case $rc in
    0)
        if [ "$(of "$file.out" workers.cuda)" != 0 ]; then
            mv "$work/$file.out" "$work/$file"
            [ -z "$out" ] || json_line "$@" >>"$out/runs.jsonl"
            return
        fi
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
    for key in steps gups seconds predicted_seconds {bytes,planned}.{h2d,d2h,p2p} bytes.mpi; do
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

# gigabytes NAME KIND WAY...: those that moved.
gigabytes() {
    local way
    for way in "${@:3}"; do middle "$1" "$2" "bytes.$way"; done |
        awk '{ printf "%s%.4g", (NR == 1 ? "" : ", "), $1 / 1e9 }'
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
    row "$1, $2: GB up, down" "$(gigabytes "$1" "$2" h2d d2h)" "" ""
    for way in h2d d2h; do
        moved=$(middle "$1" "$2" bytes.$way)
        ratio=$(of "$1.$2.0" planned.$way)
        [[ $ratio =~ ^[1-9] ]] || return 0
        planned+=("$(calculate "$moved / $ratio")")
    done
    row "$1, $2: moved over planned, up, down" "${planned[0]}, ${planned[1]}" "" ""
}

# limit_row NAME GIB STEPS KINDS GOAL PROGRAM OPTIONS...
limit_row() {
    local name=$1 kind kinds goal=$5 why word command=() i
    if why=$(no_room 1 "$2" "$2"); then
        row "$name" "left out: $why" "" skipped
        return
    fi
    read -ra kinds <<<"${4//,/ }"
    for word in "${@:6}"; do command+=("$(smaller "$word")"); done
    command+=(--steps "$(steps_of "$3" 256)")
    for ((i = 0; i < limit_rounds; i++)); do
        for kind in memory "${kinds[@]}"; do
            limited "$name" "$kind" $i "${command[@]}" || return 0
        done
    done
    for kind in "${kinds[@]}"; do
        judge "$name" "$kind" "$goal"
    done
}

# each_row FUNCTION LIST: FUNCTION of the words of each row of LIST that --rows names; without it
# of all but the largest, which takes as long as all other rows of limits.
each_row() {
    local line words
    while read -r line; do
        read -ra words <<<"$line"
        case ,${rows:-${words[0]/heat-48g/}}, in
        *",${words[0]},"*) "$1" "${words[@]}" ;;
        esac
    done < <("$2")
}

run_limits() { each_row limit_row limit_rows; }

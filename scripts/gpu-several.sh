# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154 # what gpu-check has read of its options and of the machine
# What scripts/gpu-check measures of several GPUs of one host beside one of them: passes that they
# hand on, a part of the domain for each, and a rank for each. It sources this.

# several_rows: name, GPUs, limits of a GPU's memory (weak, strong, of the small domain; -: all of
# it), planes of 1024x1024 points that are 8 GiB of fields, steps, program and options. The first
# rows count most where time is short.
several_rows() {
    cat <<'END_OF_ROWS'
wave-2 2 - 682 512 zoid-wave --radius 4
heat-2 2 - 2048 1024 zoid-heat
wave-4 4 - 682 512 zoid-wave --radius 4
heat-4 4 - 2048 1024 zoid-heat
wave-2-quarter 2 2G,4G,240M 682 512 zoid-wave --radius 4
heat-2-quarter 2 2G,4G,64M 2048 1024 zoid-heat
wave-4-quarter 4 2G,4G,240M 682 512 zoid-wave --radius 4
heat-4-quarter 4 2G,4G,64M 2048 1024 zoid-heat
END_OF_ROWS
}

declare -A way_names=([one]="one GPU" [gpus]="passes handed on" [parts]="a part each"
    [ranks]="a rank each")

# attempt NAME KIND ROUND PROGRAM OPTIONS...: as limited, once; sets `cut` if the time is up.
attempt() {
    local run=$work/$1.$2.$3
    if [ -e "$run" ] || [ -e "$run.err" ]; then
        [ -e "$run" ]
    elif [ "$(time_left)" = 0 ]; then
        cut=yes
        return 1
    else
        limited "$@"
    fi
}

# of_domain TIMES LIMIT: so many times 8 GiB of fields, which each GPU has so much memory for; sets
# `run`, the name of its runs, and `command`.
of_domain() {
    run=${program[0]#zoid-}-$((8 * $1))g${2:+-$2}
    command=("${program[@]}" --size "$(smaller "1024x1024x$(($1 * planes))")" --steps "$most"
        ${2:+--gpu-mem "$(smaller "$2")"})
}

# of_scale SCALE: sets the domains of one GPU and of all, in 8 GiB, the limit, and the efficiency
# that is asked without one.
of_scale() {
    case $1 in
    strong) one=2 all=2 limit=${limits[1]:-} goal=0.90 ;;
    weak) one=1 all=$n limit=${limits[0]:-} goal=0.95 ;;
    esac
}

# ended_well NAME KIND: all rounds of that run.
ended_well() {
    local i
    for ((i = 0; i < limit_rounds; i++)); do [ -e "$work/$1.$2.$i" ] || return 1; done
}

# off_plan NAME KIND: bytes that moved each way less those planned, of the round where that is most;
# ? where the plan does not know them, absent where a run has not printed either of them.
off_plan() {
    local i files=()
    for ((i = 0; i < limit_rounds; i++)); do files+=("$work/$1.$2.$i"); done
    awk 'function size(x) { return x < 0 ? -x : x }
        BEGIN { ways = split("h2d d2h p2p", way) }
        FNR == 1 { round++ }
        { value[round, $1] = $2 }
        END { for (w = 1; w <= ways; w++) {
                  most = 0
                  for (r = 1; r <= round; r++) {
                      planned = value[r, "planned." way[w]]
                      moved = value[r, "bytes." way[w]]
                      if (planned == "null") { most = "?"; break }
                      if (planned " " moved !~ /^[0-9]+ [0-9]/) { most = "absent"; break }
                      if (size(moved - planned) > size(most)) most = moved - planned
                  }
                  if (most ~ /[0-9]/) most = sprintf("%.0f", most)
                  printf "%s%s %s", (w == 1 ? "" : ", "), way[w], most } }' "${files[@]}"
}

# judge_bytes LABEL NAME KIND: of all ranks.
judge_bytes() {
    local off verdict=ok
    row "$1: GB up, down, between GPUs, between ranks" \
        "$(gigabytes "$2" "$3" h2d d2h p2p mpi)" "" ""
    off=$(off_plan "$2" "$3")
    case $off in
    *' '[-1-9a]*) verdict=off ;;
    *'?'*) verdict=skipped ;;
    esac
    row "$1: bytes beyond the plan" "$off" "h2d 0, d2h 0, p2p 0" $verdict
}

# judge_run NAME KIND LABEL: once, what a run moves and how well it is predicted.
judge_run() {
    [ ! -e "$work/judged.$1.$2" ] || return 0
    : >"$work/judged.$1.$2"
    judge_bytes "$1, $3" "$1" "$2"
    within "$1, $3: predicted over measured seconds" "$(calculate \
        "$(middle "$1" "$2" predicted_seconds) / $(middle "$1" "$2" seconds)")" 0.9 1.1
}

# judge_scale SCALE: each way that has ended beside one GPU, and the best of them.
judge_scale() {
    local scale=$1 one all limit goal run command base rate times best='' way
    of_scale "$scale"
    of_domain $one "$limit"
    ended_well "$run" one || return 0
    base=$(middle "$run" one gups)
    judge_run "$run" one "${way_names[one]}"
    of_domain "$all" "$limit"
    for way in "${ways[@]}"; do
        ended_well "$run" "$way$n" || continue
        rate=$(middle "$run" "$way$n" gups)
        times=$(calculate "$rate / $base")
        row "$name, $scale, ${way_names[$way]}: GUP/s, of one, times one, efficiency" \
            "$rate, $base, $times, $(calculate "$times / $n")" "" ""
        judge_run "$run" "$way$n" "${way_names[$way]}, $n GPUs"
        if [ -z "$best" ] || true_of "$times > $best"; then best=$times; fi
    done
    [ -n "$best" ] || return 0
    if [ -n "$limit" ]; then
        reach "$name, $scale, the best of them over one GPU" "$best" "$(calculate "0.9 * $n")"
    else
        reach "$name, $scale, the best of them over $n times one" "$(calculate "$best / $n")" $goal
    fi
}

# same_bytes WAY: on a small domain of odd extents.
same_bytes() {
    local limit=${limits[2]:-}
    local run=${program[0]#zoid-}-odd${limit:+-$limit}
    attempt "$run" "$1$n" 0 "${program[@]}" --size 509x127x1021 --steps 97 --check \
        ${limit:+--gpu-mem "$limit"} || return 0
    if [ "$(of "$run.$1$n.0" check)" = passed ]; then
        row "$name, ${way_names[$1]}: the plain loop's bytes, 509x127x1021" passed passed ok
    else
        row "$name, ${way_names[$1]}: the plain loop's bytes, 509x127x1021" "not compared" passed \
            FAILED
    fi
}

# several_row NAME GPUS LIMITS PLANES STEPS PROGRAM OPTIONS...: a minute for a run at most, as one
# that takes ten times as long as the others tells enough.
several_row() {
    local name=$1 n=$2 limits=() planes=$4 most program=("${@:6}") ways=(gpus parts) longest=60
    local scale way i why near run command one all limit goal cut=no
    most=$(steps_of "$5" all)
    [ "$3" = - ] || IFS=, read -ra limits <<<"$3"
    near=${limits[1]:-16G}
    if why=$(no_room "$n" "${near%G}" $((8 * n))); then
        row "$name" "left out: $why" "" skipped
        return
    fi
    if why=$(lacks_ranks); then
        row "$name, ${way_names[ranks]}" "left out: $why" "" skipped
    else
        ways+=(ranks)
    fi
    for ((i = 0; i < limit_rounds; i++)); do
        for scale in strong weak; do
            of_scale $scale
            of_domain $one "$limit"
            attempt "$run" one $i "${command[@]}" || true
            of_domain $all "$limit"
            for way in "${ways[@]}"; do
                attempt "$run" "$way$n" $i "${command[@]}" || true
            done
        done
    done
    judge_scale strong
    judge_scale weak
    for way in "${ways[@]}"; do same_bytes "$way"; done
    [ $cut = no ] || row "$name" "the time is up" "all of its figures" "cut off"
}

run_several() { each_row several_row several_rows; }

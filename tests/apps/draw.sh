# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Whole runs at random, for those who source lib.sh: `subjects` lists what can run, `draw` makes a
# command line of one of them, into `words`: its environment, its program, its options. All follows
# from RANDOM.

launcher=()
read -ra all_methods <<<"$(methods)"
read -ra all_aliases <<<"$(aliases)"
mapfile -t rank_aliases < <(printf '%s\n' "${all_aliases[@]}" | grep '^2D-1D-')
cuts=(none none strip)
# all_help PROGRAM: all of its options; older programs have one help alone.
all_help() { "$1" --help-all 2>/dev/null || "$1" --help; }
all_help "$heat" >"$work/help"
if grep -q -e '--cells' "$work/help"; then cuts+=(cells cells); fi
traversals=(- - two step naive)
if grep -q -e '--traversal=\[gpus' "$work/help"; then
    traversals+=('gpus=naive,cores=two' cores=naive)
fi
teams=()
if grep -q -e '--team' "$work/help"; then teams=(- - - 1 2 3 5); fi

# subjects: a line for each operator of each program that runs some: the program, the option that
# chooses the operator or -, the operator, and its dimensions, radii, types and boundaries.
subjects() {
    local program option name names listed dims radii types boundaries
    local -A traits
    while read -r name _ dims _ radii _ types _ boundaries; do
        traits[$name]="$dims $radii $types $boundaries"
    done < <("$info" | sed -n 's/^operator //p')
    for program in "$apps"/zoid-*; do
        all_help "$program" >"$work/help"
        grep -q -e '--dump' "$work/help" && grep -q -e '--size' "$work/help" || continue
        listed='s/^ *--\(kernel\|operator\)=\([a-z0-9_|]*\).*/--\1 \2/p'
        read -r option names < <(sed -n "$listed" "$work/help") ||
            read -r option names <<<"- $(only_operator "$program" "${!traits[@]}")"
        for name in ${names//|/ }; do echo "${program##*/} $option $name ${traits[$name]}"; done
    done
}

# only_operator PROGRAM FAMILY...: the family that it runs; variants have longer names.
only_operator() {
    local variant family
    variant=$("$1" --size 9 --plan | awk '$1 == "operator" { print $2 }')
    for family in "${@:2}"; do
        if [[ $variant = "$family"* ]]; then echo "$family"; fi
    done
}

# maybe OPTION VALUE...: one of the values, or where - comes up the option stays away.
maybe() {
    any "${@:2}"
    [ "$picked" = - ] || words+=("$1" "$picked")
}

# draw_size DIMS: odd and small ones, often smaller than the reach.
draw_size() {
    local axis sizes=()
    for ((axis = 1; axis < $1; axis++)); do
        any 1 2 3 5 17 33
        sizes+=("$picked")
    done
    any 1 2 3 7 19 40 64 151
    sizes+=("$picked")
    size=$(IFS=x && echo "${sizes[*]}")
}

# draw_large DIMS: some MiB, most of which a small budget leaves on the disk.
draw_large() {
    case $1 in
    1) size=$((RANDOM * 40 + 200001)) ;;
    2) size=$((RANDOM % 900 + 200))x$((RANDOM % 1500 + 500)) ;;
    *) size=$((RANDOM % 80 + 31))x$((RANDOM % 60 + 31))x$((RANDOM % 100 + 61)) ;;
    esac
}

# draw_boundary DIMS A|B...: nothing, one for all faces, or one for each.
draw_boundary() {
    local dims=$1 names=$2 axis low faces=()
    boundary=
    any none all each each
    [ "$names" != none ] && [ "$picked" != none ] || return 0
    if [ "$picked" = all ]; then
        any_of "$names"
        boundary=$picked
        return
    fi
    for axis in x y z; do
        [ ${#faces[@]} -lt $((2 * dims)) ] || break
        any_of "$names"
        low=$picked
        any_of "$names"
        # A periodic axis is it at both faces.
        if [ "$low" = periodic ] || [ "$picked" = periodic ]; then low=periodic picked=periodic; fi
        faces+=("$axis-=$low" "$axis+=$picked")
    done
    boundary=$(IFS=, && echo "${faces[*]}")
}

# periodic_chain DIMS: whether the boundary that was drawn closes the chain axis to a circle.
periodic_chain() {
    local axes=xyz
    [ "$boundary" = periodic ] || [[ $boundary = *"${axes:$1-1:1}-=periodic"* ]]
}

# draw_cells DIMS DEPTH: up to 4 cells along the first axis and 3 along others, the last of which is
# cut half of the time, and epochs of up to 3 visits.
draw_cells() {
    local axis all=1 visits=$((RANDOM % 3 + 1)) cells=()
    for ((axis = 1; axis <= $1; axis++)); do
        cells+=($((RANDOM % (axis == 1 ? 4 : 3) + 1)))
        if [ "$axis" = "$1" ] && [ $((RANDOM % 2)) = 0 ]; then cells[axis - 1]=1; fi
        all=$((all * cells[axis - 1]))
    done
    words+=(--cells "$(IFS=x && echo "${cells[*]}")")
    if [ $all -gt 1 ] && [ "$visits" -gt 1 ]; then words+=(--epoch $((visits * $2))); fi
}

# draw_planes DIMS DEPTH: how planes are cut, if at all. Large ones are cut into no more strips than
# small ones.
draw_planes() {
    local extent narrow
    IFS=x read -ra extent <<<"$size"
    narrow=$(($1 == 1 ? 1 : extent[$1 - 2] / 40 + 1))
    any "${cuts[@]}"
    # Planes of one dimension are points.
    if [ "$1" = 1 ] && [ "$picked" = strip ]; then return 0; fi
    case $picked in
    strip)
        any 0 $narrow $((2 * narrow)) $((5 * narrow)) $((9 * narrow)) $((30 * narrow))
        words+=(--strip "$picked")
        ;;
    cells) draw_cells "$1" "$2" ;;
    esac
}

# draw_way DIMS: how space-time is cut, and in which order a block is computed. Large domains are
# cut into no more blocks than small ones. `named`: how often it is one of these lists of aliases.
named=(all_aliases)
draw_way() {
    local dims=$1 method extent low depth
    IFS=x read -ra extent <<<"$size"
    low=$((extent[dims - 1] / 400 + 1))
    any auto auto "${all_methods[@]}" "${all_methods[@]}" "${named[@]}"
    method=$picked
    if [[ $method = *_aliases ]]; then
        local -n list=$method
        any "${list[@]}"
        method='alias'
    fi
    words+=(--method "$picked")
    any - $((RANDOM % 20 + 1)) $((RANDOM % 5 + 1))
    depth=$picked
    if [ "$method" != alias ]; then
        maybe --traversal "${traversals[@]}"
        maybe --overlap - - on off
        if [ "${#teams[@]}" -gt 0 ]; then maybe --team "${teams[@]}"; fi
        # Where nobody says how deep a visit is, epochs are of some steps all the same.
        draw_planes "$dims" "${depth/-/2}"
    fi
    [ "$method" != auto ] || return 0
    maybe --block - $(((RANDOM % 24 + 1) * low)) $(((RANDOM % 24 + 1) * low)) \
        $(((RANDOM % 90 + 1) * low))
    # Many aliases have a depth of their own.
    if [ "$method" != alias ] && [ "$depth" != - ]; then words+=(--depth "$depth"); fi
    # No recursion closes the chain axis to a circle.
    if [ "$method" = recursive ] && ! periodic_chain "$dims"; then maybe --leaf - 1 700 20K; fi
}

# draw_layers RADIUS: where a face of `boundary` is pml, the points of its layers, which may be
# wider than cells, and a `size` that has room for two of them along each axis, and a point between
# them now and then.
draw_layers() {
    local least axis extent
    [[ $boundary = *pml* ]] || return 0
    any $((RANDOM % 3 + 1)) $((RANDOM % 14 + 1))
    words+=(--pml-points "$picked")
    least=$((2 * ($1 + picked) + 1))
    IFS=x read -ra extent <<<"$size"
    for axis in "${!extent[@]}"; do
        if [ "${extent[axis]}" -lt $least ]; then extent[axis]=$((least + RANDOM % 3)); fi
    done
    size=$(IFS=x && echo "${extent[*]}")
}

# draw SUBJECT: a run, into `words`. What is on a disk wants a folder of that name.
draw() {
    local program option name dims radii types boundaries radius
    read -r program option name dims radii types boundaries <<<"$1"
    words=("STARPU_NCPU=$((RANDOM % 3 + 1))" "$program")
    [ "$option" = - ] || words+=("$option" "$name")
    any_of "$dims"
    dims=$picked
    any small small small large
    if [ "$picked" = small ]; then
        draw_size "$dims"
        maybe --steps 0 1 2 3 5 9 13 24
    else
        draw_large "$dims"
        words+=(--disk "disk:64M")
        maybe --ram 1M 1M 2M 4M 8M 1G
        maybe --steps 1 3 7
    fi
    # Two and three dimensions follow from the size.
    [ "$dims" != 1 ] || words+=(--dims 1)
    # Where there is no choice there may be no option.
    any_of "$radii"
    radius=$picked
    [ "$picked" = "$radii" ] || words+=(--radius "$picked")
    any_of "$types"
    [ "$picked" = "$types" ] || words+=(--type "$picked")
    draw_boundary "$dims" "$boundaries"
    draw_layers "$radius"
    words+=(--size "$size")
    if [ -n "$boundary" ]; then bounded "$dims" "$boundary" && words+=("${bounds[@]}"); fi
    maybe --init - - - - random point zero
    maybe --seed - $RANDOM $RANDOM
    draw_way "$dims"
}

# with_ranks N: has the run of `words` start as so many ranks, on any number of cores.
with_ranks() {
    words+=(--oversubscribe)
    launcher=(mpirun --allow-run-as-root --oversubscribe -n "$1")
}

# draw_ranks SUBJECT: a run of 2 to 8 ranks, into `words` and `launcher`, of a domain that so many
# can share; half of the time they find out for themselves how. Aliases of several ranks come up
# often; those leave the last axis whole. Where it is whole, each rank may have several places.
draw_ranks() {
    local extent axis all grid room named=(all_aliases rank_aliases rank_aliases)
    for (( ; ; )); do
        draw "$1"
        IFS=x read -ra extent <<<"$size"
        all=1 grid=() room=true
        for axis in "${!extent[@]}"; do
            grid+=($((RANDOM % (axis == 0 ? 4 : 3) + 1)))
            if [ $((axis + 1)) = ${#extent[@]} ] &&
                { [[ ${words[*]} = *'--method 2D-1D'* ]] || [ $((RANDOM % 2)) = 0 ]; }; then
                grid[axis]=1
            fi
            [ ${grid[axis]} -le $(((extent[axis] + 2) / 3)) ] || room=false
            all=$((all * grid[axis]))
        done
        if ! $room || [ $all = 1 ] || [ $all -gt 8 ]; then continue; fi
        maybe --ranks - "$(IFS=x && echo "${grid[*]}")"
        maybe --exchange - joined joined direct
        with_ranks $all
        any alone alone shared
        if [ "$picked" = shared ] && [ "${grid[-1]}" = 1 ] && can_share; then
            [[ ${words[*]} = *--ranks* ]] || words+=(--ranks "$(IFS=x && echo "${grid[*]}")")
            add_places
        fi
        return
    done
}

# can_share: whether several places can share the run of `words`.
can_share() {
    local cells
    [[ ${words[*]} != *--disk* ]] && [[ ${words[*]} != *--overlap* ]] &&
        [ "${size##*x}" -gt 6 ] &&
        [[ " ${all_aliases[*]} " != *" $(option_of --method) "* ]] || return 1
    cells=$(option_of --cells)
    [ -z "$cells" ] || [ "${cells##*x}" = 1 ]
}

# add_places: has two or three sets of cores share the run of `words`, each with a method and sizes
# of its own, with a border that stays, or moves since one of two is slow.
add_places() {
    local chain=${size##*x}
    words[0]=STARPU_NCPU=3
    any cores:1+cores:1 cores:1+cores:2 cores:2+cores cores:1+cores:1+cores:1
    words+=(--balance split --places "$picked")
    any - - $((RANDOM % (chain - 1) + 1)) $((RANDOM % (chain - 1) + 1)):stay
    [ "$picked" = - ] || words+=(--split-at "$picked")
    [[ ${words[*]} = *--epoch* ]] || maybe --epoch - 1 2 3 5 9
    maybe --cores-method - - "${all_methods[@]}"
    maybe --cores-block - - $((RANDOM % 12 + 1))
    maybe --cores-depth - - $((RANDOM % 6 + 1))
    maybe --cores-team - - - 1 2
    any 0:1 0:4 1:4 0:10@5 1:10@5
    launcher=(env "ZOID_SLOW=$picked" "${launcher[@]}")
}

# maybe_places: does so in one of four cases in which that can be.
maybe_places() {
    any alone alone alone shared
    if [ "$picked" = shared ] && can_share; then add_places; fi
}

# draw_places SUBJECT: a run that several places share. draw_any SUBJECT: one that they may share.
draw_places() {
    launcher=()
    until draw "$1" && can_share; do :; done
    add_places
}
draw_any() {
    launcher=()
    draw "$1"
    maybe_places
}

# draw_dealt SUBJECT: a run whose blocks are dealt to two or three cores, into `words` and
# `launcher`, of which some are slow. Methods whose blocks wait for one another are not for it.
draw_dealt() {
    local name
    while :; do
        draw "$1"
        [[ ${words[*]} != *--disk* ]] && [[ ${words[*]} != *'--overlap off'* ]] &&
            [[ ${words[*]} != *--team* ]] && [[ ${words[*]} != *--leaf* ]] || continue
        name=$(option_of --method)
        case $name in leaning | recursive) continue ;; esac
        [[ " ${all_aliases[*]} " != *" $name "* ]] || continue
        break
    done
    words[0]=STARPU_NCPU=3
    any cores cores:2 cores:1+cores:1 cores:1+cores:2 cores:1+cores:1+cores:1
    words+=(--balance scheduler --places "$picked")
    any 0:1 0:3 1:3 0:10@5
    launcher=(env "ZOID_SLOW=$picked")
}

# option_of OPTION: its value in `words`, if it is there.
option_of() {
    local i
    for i in "${!words[@]}"; do
        if [ "${words[i]}" = "$1" ]; then echo "${words[i + 1]}"; fi
    done
}

# without OPTION...: takes these and their values out of `command`.
without() {
    local option
    for option in "$@"; do
        mapfile -t command < <(printf '%s\n' "${command[@]}" | sed -E "/^--$option\$/{N;d}")
    done
}

# longer AXIS: makes the --size of `command` one more along it.
longer() {
    local axes=xyz before i extent
    before=${axes%%"$1"*}
    for i in "${!command[@]}"; do
        [ "${command[i]}" = --size ] || continue
        IFS=x read -ra extent <<<"${command[i + 1]}"
        extent[${#before}]=$((extent[${#before}] + 1))
        command[i + 1]=$(IFS=x && echo "${extent[*]}")
    done
}

# give_way: does with `command` as the last refusal says; fails if that says nothing to do.
give_way() {
    local way axis named
    axis=$(sed -n 's/.*give an even --size along \([xyz]\).*/\1/p' "$work/err")
    if [ -n "$axis" ]; then
        longer "$axis"
    elif grep -qE 'sweeps in order.*drop --cells|--leaf .*drop it' "$work/err"; then
        # And what goes with them.
        without cells epoch leaf
    elif grep -qE 'sweeps in order.*drop --strip' "$work/err"; then
        without strip epoch
    else
        named='method|block|depth|epoch|split-at|cores-method|cores-block|cores-depth|cores-team'
        named+='|ram|gpu-mem|disk'
        read -ra way < <(grep -oE "(use|is) --($named) [^ ;,]+" "$work/err") || return 1
        command+=("${way[@]:1}")
    fi
}

# attempt APPS OPTIONS...: does the run of `words` with the programs of a folder, in the folder that
# we are in, started by `launcher`, into `command`. What is refused is done again as the refusal
# says; `codes` has the exit codes, and `messages` what they came with.
attempt() {
    local tries
    command=("${launcher[@]}" env "${words[0]}" "$1/${words[1]}" "${words[@]:2}")
    codes=
    : >messages
    for ((tries = 0; tries < 6; tries++)); do
        observe "${command[@]}" "${@:2}"
        codes+=,$rc
        cat "$work/err" >>messages
        if [ "$rc" != 2 ] && [ "$rc" != 3 ]; then break; fi
        give_way || break
    done
    codes=${codes#,}
}

# name_cases N: how many there are, into `cases`, what they are drawn from, into `seed`, and a line
# that says both; N unless ZOID_TEST_CASES is set, of the day unless ZOID_TEST_SEED is.
name_cases() {
    seed=${ZOID_TEST_SEED:-$(date -u +%Y%m%d)}
    cases=${ZOID_TEST_CASES:-$(effort "$1")}
    echo "ZOID_TEST_SEED=$seed ZOID_TEST_CASES=$cases"
}

# next_places: sets `next` to place 0 or 1, the one not taken before, or to both in a long run.
next_places() {
    turn=$((turn + 1))
    next=($((turn % 2)))
    [ "$effort" != long ] || next=(0 1)
}

# too_thin: whether the last attempt was refused since cells have fewer points than a step looks at,
# or ranks none, or since the operator is for one rank.
too_thin() {
    grep -q -e 'thinner than what blocks look at .* in a step' \
        -e 'are more than it can be cut into' -e 'planes along . for a step' \
        -e 'cannot be cut along .: .*; use 1 rank' messages
}

# for_ranks: of the subjects on standard input those that several ranks can share.
for_ranks() {
    local line program option name chosen
    while read -r line; do
        read -r program option name _ <<<"$line"
        chosen=()
        [ "$option" = - ] || chosen=("$option" "$name")
        "$apps/$program" "${chosen[@]}" --size 16 --ranks 2 --plan >"$work/out" 2>"$work/err" ||
            ! grep -q 'cannot be cut along' "$work/err" || continue
        echo "$line"
    done
}

# for_dealt: of the subjects on standard input those that do not sweep in order.
for_dealt() {
    local line name
    while read -r line; do
        read -r _ _ name _ <<<"$line"
        in_order "$name" || echo "$line"
    done
}

# drawn_and_checked I: whether run I ends well, and gives the bytes of the plain loop nest; or is
# refused since cells have fewer points than a step looks at, which is a line in `tally`.
tally=$work/tally
: >"$tally"
drawn_and_checked() {
    local check folder
    failures=0
    folder=$(mktemp -d -p "$work")
    local work=$folder
    cd "$work" || return
    mkdir disk
    attempt "$apps" --check
    check=$(value check)
    if [ "$rc" = 2 ] && too_thin; then
        echo refused >>"$tally"
    elif [ "$rc $check" != "0 passed" ]; then
        complain "exit codes $codes, the check '$check': run $1: ${command[*]}"
        cat messages >&2
    fi
    rm -rf "$work"
    [ "$failures" = 0 ]
}

# check_drawn N PARTS DRAW: draws N runs, or those that name_cases says, of the subjects on standard
# input, by a function that is given a subject, and checks them; no more than one in PARTS is too
# thin. Where there are fewer cases than subjects, others come up every day.
check_drawn() {
    local subject first i
    name_cases "$1"
    mapfile -t subject
    RANDOM=$seed
    first=$RANDOM
    for ((i = 0; i < cases; i++)); do
        "$3" "${subject[(first + i) % ${#subject[@]}]}"
        launch drawn_and_checked $i
    done
    land_all
    most_ran "$2"
}

# most_ran PARTS: whether no more than one in so many was too thin.
most_ran() {
    local thin
    thin=$(wc -l <"$tally")
    holds "most of them ran: $thin of $cases were too thin" \
        [ "$thin" -le $(((cases + $1 - 1) / $1)) ]
}

# ---- side by side --------------------------------------------------------------------------------

# launch COMMAND...: in the background, as one of `jobs` at once. land_all waits for the last ones.
# Both count what succeeds and what fails, and where there are many say now and then how far it is.
running=0 ended=0
: "${jobs:=2}"
launch() {
    "$@" &
    running=$((running + 1))
    [ "$running" -lt "$jobs" ] || land
}

land() {
    if wait -n; then pass; else failures=$((failures + 1)); fi
    running=$((running - 1))
    ended=$((ended + 1))
    [ $((ended % 50)) != 0 ] || echo "$ended runs, $failures failed" >&2
}

land_all() { while [ "$running" -gt 0 ]; do land; done; }

# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154 # what gpu-check has read of its options and of the machine
# What scripts/gpu-check measures of ranks: Jin's methods on two that share a GPU, and how fast one
# rank a GPU and one process for all of them become with more GPUs. It sources this.

# lacks_ranks: why this machine or this build knows no ranks; fails where both do.
lacks_ranks() {
    if ! mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
        echo "there is no Open MPI's mpirun"
    elif grep -q '^missing MPI' "$work/info"; then
        echo "this build has no MPI"
    else
        return 1
    fi
}

by_ranks() { launcher=(mpirun --allow-run-as-root --oversubscribe -n "$1"); }

# on_one_gpu NAME OPTIONS...: two ranks that share the first GPU, also where there are several. So
# many steps are several epochs for all methods.
on_one_gpu() {
    local launcher first=${CUDA_VISIBLE_DEVICES:-0}
    by_ranks 2
    if [ "$gpus" != 1 ]; then
        # StarPU measures links anew where there are other GPUs than before.
        local -x CUDA_VISIBLE_DEVICES=${first%%,*} STARPU_HOME=$STARPU_HOME/one
    fi
    bench "$1" 1 --what run --steps 256 "${@:2}" && ran_on_gpu "$1"
}

# measure_jin OPERATOR GOAL: 2D-1D-TBMR over 2D-1D-T, on a domain that ranks have no room for.
measure_jin() {
    local method over
    for method in T TBMR; do
        on_one_gpu "$1-$method" --operator "$1" --dims 3 --radius 1 --type f32 \
            --size "$shared_size" --gpu-mem "$shared_gpu_mem" --method "2D-1D-$method" || return 0
        row "2D-1D-$method, $1, two ranks on a GPU: GUP/s, planes, steps an epoch" \
            "$(of "$1-$method" gups), $(of "$1-$method" block), $(of "$1-$method" epoch)" "" ""
    done
    over=$(calculate "$(of "$1-T" bytes.domain) / 2 / $(of "$1-T" gpu.budget)")
    reach "$1: domain over the GPU memory of two ranks" "$over" 2
    reach "2D-1D-TBMR over 2D-1D-T, $1, two ranks on a GPU" \
        "$(calculate "$(of "$1-TBMR" gups) / $(of "$1-T" gups)")" "$2"
}

# domain_of N: what N GPUs have where each has a cube.
domain_of() {
    case $1 in
    1) echo "${cube_side}x${cube_side}x$cube_side" ;;
    2) echo "${cube_side}x$((2 * cube_side))x$cube_side" ;;
    4) echo "$((2 * cube_side))x$((2 * cube_side))x$cube_side" ;;
    esac
}

# together KIND N M: N GPUs, as so many ranks or as one process, compute the domain of M.
together() {
    local launcher=() each=$2
    if [ "$1" = ranks ]; then
        by_ranks "$2"
        each=1
    fi
    bench "$1$2-$3" "$each" --what run --size "$(domain_of "$3")" --steps 1024 &&
        ran_on_gpu "$1$2-$3"
}

# efficiency NAME N ONE: of a run on N GPUs, beside one on a GPU.
efficiency() { calculate "$(of "$1" gups) / $(of "$3" gups) / $2"; }

# scale_to N MOST: with N GPUs, of a cube each, and of the domain of the most that there are.
scale_to() {
    local n=$1 most=$2 kind
    local -A what=([ranks]="one rank a GPU" [process]="one process")
    for kind in ranks process; do
        together $kind "$n" "$n" && together $kind "$n" "$most" || return 0
        row "${what[$kind]}, $n GPUs, $(domain_of "$n")" "$(of "$kind$n-$n" gups) GUP/s" "" ""
        reach "${what[$kind]}, weak, $n GPUs over $n times one" \
            "$(efficiency "$kind$n-$n" "$n" process1-1)" 0.95
        reach "${what[$kind]}, strong, $n GPUs over $n times one, $(domain_of "$most")" \
            "$(efficiency "$kind$n-$most" "$n" "process1-$most")" 0.90
    done
}

measure_scaling() {
    local most=1 n
    for n in 2 4; do
        if [ "$gpus" -ge $n ]; then
            most=$n
        else
            row "one rank a GPU, one process, $n GPUs" "left out: GPUs here: $gpus" "" skipped
        fi
    done
    [ $most -gt 1 ] || return 0
    together process 1 1 && together process 1 $most || return 0
    for n in 2 4; do
        [ $n -gt $most ] || scale_to $n $most
    done
}

run_ranks() {
    local why
    if why=$(lacks_ranks); then
        row "ranks" "$why" "" skipped
        return
    fi
    measure_jin heat 1.84
    measure_jin box19 2.68
    measure_scaling
}

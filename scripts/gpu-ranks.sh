# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154 # what gpu-check has read of its options and of the machine
# What scripts/gpu-check measures of ranks that share a GPU: Jin's methods. It sources this.

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

run_ranks() {
    local why
    if why=$(lacks_ranks); then
        row "ranks" "$why" "" skipped
        return
    fi
    measure_jin heat 1.84
    measure_jin box19 2.68
}

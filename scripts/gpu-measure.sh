# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154 # what gpu-check has read of its options and of the machine
# What scripts/gpu-check measures beside copying and plain kernels: each operator, blocks through
# StarPU, and band matrices. It sources this.

# bench NAME WORKERS OPTIONS...: runs zoid-bench once under that name, as many ranks as `launcher`
# starts. WORKERS of each: 2, two GPUs; 1+, one GPU with all the cores.
launcher=()
bench() {
    local name=$1 workers=$2 environment=() rc=0
    shift 2
    [ ! -e "$work/$name" ] || return 0
    environment=("STARPU_NCUDA=${workers%+}")
    [[ $workers = *+ ]] || environment+=(STARPU_NCPU=0)
    say "measuring: ${environment[*]} ${launcher[*]} zoid-bench $* --rounds $rounds"
    bounded 300 env "${environment[@]}" "${launcher[@]}" "$apps/zoid-bench" "$@" \
        --rounds "$rounds" >"$work/$name.out" 2>"$work/$name.err" || rc=$?
    if [ $rc = 124 ] || [ $rc = 137 ]; then
        row "${launcher[*]} zoid-bench $*" "the time is up" "a figure" "cut off"
        return 1
    fi
    if [ $rc != 0 ]; then
        # A launcher adds lines of its own.
        row "${launcher[*]} zoid-bench $*" \
            "exit code $rc: $(grep '^zoid-' "$work/$name.err" || tail -n 1 "$work/$name.err")" \
            "a figure" FAILED
        return 1
    fi
    mv "$work/$name.out" "$work/$name"
}

# of NAME KEY: what that run printed.
of() { awk -v key="$2" '$1 == key { print $2 }' "$work/$1"; }

# A plan for cores, where it chose them, would be a comparison of something else.
ran_on_gpu() {
    if grep -qE '^workers [0-9]+ cuda$' "$work/$1"; then return; fi
    row "$1" "the plan does not use the GPU" "a plan for the GPU" FAILED
    return 1
}

depth=64
passes=4

# What kernels should reach of the one-step limit: operator, dimensions, radius, type; step by step,
# and fused.
kernel_goals='heat 3 1 f32 0.88 2.05
heat 3 2 f32 0.85 1.5
heat 3 3 f32 0.82 1.15
heat 3 4 f32 0.80 1.0
heat 3 1 f64 0.88 1.6
box19 3 1 f32 0.80 1.25
box27 3 1 f32 0.75 1.2
wave 3 4 f32 0.92 1.05
life3d 3 1 u8 0.35
fdtd2d 2 1 f32 0.85 2
jacobi2d 2 1 f32 0.85 2
heat2d7 2 1 f32 0.85 2
seismic 3 2 f32 0.75
rbsor 2 1 f32 0.75 1.8
rbsor 3 1 f32 0.75 1.05
jacobi_rhs 2 1 f32 0.85 2
jacobi_rhs 3 1 f32 0.85 1.5'

# What blocks of sweeps in order should: operator, dimensions, size, times.
order_goals='sor 2 8192x8192 512 0.5
sor 3 512x512x512 64 0.5
sor_rhs 2 8192x8192 512 0.5'

# kernel NAME KEY: of the only row of that run's CSV.
kernel() {
    awk -F, -v key="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == key) c = i; next }
        { print $c }' "$work/$1.csv"
}

# An operator at a time: all of them are more than a hundred.
run_kernels() {
    local operator dims radius type step fused name size_dims
    size_dims=$(awk -Fx '{ print NF }' <<<"$kernel_size")
    while read -r operator dims radius type step fused; do
        name=$operator${dims}d.r$radius.$type
        if [ -n "$kernel_size" ] && [ "$size_dims" != "$dims" ]; then
            row "$name, of the one-step limit" "has other dimensions than --kernel-size" "" skipped
            continue
        fi
        bench "$name" 1 --what kernels --device gpu --operator "$operator" --dims "$dims" \
            --radius "$radius" --type "$type" ${kernel_size:+--size "$kernel_size"} \
            --csv "$work/$name.csv" || continue
        row "$name, copying beside it" "$(kernel "$name" copy_gbps) GB/s" "" ""
        reach "$name, of the one-step limit" "$(kernel "$name" step_fraction)" "$step"
        [ -z "$fused" ] ||
            reach "$name, fused, of that limit" "$(kernel "$name" fused_fraction)" "$fused"
    done <<<"$kernel_goals"
    [ -n "$kernel_size" ] || measure_order
}

# In one block, all of it in the GPU's memory.
measure_order() {
    local operator dims size times goal name
    while read -r operator dims size times goal; do
        name=order.$operator${dims}d
        bench "$name" 1 --what kernels --device gpu --operator "$operator" --dims "$dims" \
            --type f32 --size "$size" --depth "$times" --csv "$work/$name.csv" || continue
        reach "$operator, $size, $times times a block, of the one-step limit" \
            "$(kernel "$name" fused_fraction)" "$goal"
    done <<<"$order_goals"
    [ ! -e "$work/order.sor_rhs2d" ] || measure_mlsor "$(kernel order.sor_rhs2d copy_gbps)"
}

# Whole runs, with the way in and out, whose operator is made for each: beside so many GB/s.
measure_mlsor() {
    local p
    for p in 16 32; do
        if ! bounded 60 env STARPU_NCPU=0 STARPU_NCUDA=1 "$apps/zoid-sor" --solver mlsor \
            --subdomain $p --size 8194x8194 --omega 1 --steps 4096 >"$work/mlsor" \
            2>"$work/mlsor.err"; then
            row "zoid-sor --solver mlsor" "$(tail -n 1 "$work/mlsor.err")" "a figure" FAILED
            return 0
        fi
        reach "mlsor, 8194x8194, subdomains of $p, a sweep, of the one-step limit" \
            "$(calculate "$(of mlsor gups) * 8 / $1")" 0.7
    done
}

# Four passes and a short one.
run_chain() {
    local slabs=$((${chain_size##*x} / block))
    bench chain 1 --what chain --size "$chain_size" --steps $((passes * depth + depth / 4)) \
        --method leaning --block "$block" --depth $depth && ran_on_gpu chain || return 0
    row "leaning chain in GPU memory: StarPU, plain" \
        "$(of chain starpu.gups), $(of chain plain.gups) GUP/s" "" ""
    reach "chain, slabs" $slabs 16
    reach "chain, StarPU over kernels back to back" "$(of chain starpu_over_plain)" 0.97
}

# Band matrices of 2 GiB or so: seconds of whole programs, and of copying as many bytes; then with a
# quarter of that for the GPU.
run_spmv() {
    local type w rows steps one planned copy sparse
    if ! python3 -c 'import numpy' 2>/dev/null; then
        row "band matrices" "there is no python3 with numpy" "" skipped
        return
    fi
    if ! bounded 300 python3 "$root/scripts/spmv" "$apps" "$rounds" $spmv >"$work/spmv"; then
        row "band matrices" "scripts/spmv failed, or the time is up" "" FAILED
        return
    fi
    while read -r type w rows steps one planned copy sparse; do
        [ "$type" != type ] && [ "$type" != beyond ] || continue
        reach "band:$w, $rows rows, $type, $steps steps: one a launch, of copying" \
            "$(calculate "$copy / $one")" 0.8
        row "as planned over that" "$(calculate "$one / $planned")" "" ""
        [ -z "$sparse" ] || row "one a launch over cuSPARSE" "$(calculate "$sparse / $one")" "" ""
    done <"$work/spmv"
    local naive k64 k96
    while read -r _ type w rows steps _ one _ naive _ k64 _ k96; do
        reach "band:$w, $rows rows, $type, $steps steps, 4 times the limit: k = 96 over naive" \
            "$(calculate "$naive / $k96")" 55
        reach "k = 96, of one a launch in memory" "$(calculate "$one / $k96")" 0.95
        reach "k = 64 over naive" "$(calculate "$naive / $k64")" 50
        row "k = 64, of one a launch in memory" "$(calculate "$one / $k64")" "" ""
    done < <(grep '^beyond' "$work/spmv")
}

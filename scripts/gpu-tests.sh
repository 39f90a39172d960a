# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154 # what gpu-check has read of its options and of the machine
# What scripts/gpu-check tests, and runs under compute-sanitizer. It sources this.

# --- tests

# gpu_tests: those that are about GPUs, and end within a minute or two of 16 cores.
gpu_tests() {
    printf '%s\n' codelets/{op/test_reach,block/test_halo,mlsor/test_mlsor}_gpu \
        apps/test_{gpu_budget,outside,new_operator} apps/test_spmv_gpu
}

# test_of NAME: runs it as ctest does; skipped with 77.
test_of() {
    exec timeout --kill-after=5 "$(seconds_for 600)" env "ZOID_BUILD_DIR=$build" \
        STARPU_WORKERS_NOBIND=1 ZOID_RATES_MODE=default OMPI_ALLOW_RUN_AS_ROOT=1 \
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 bash "$root/tests/$1.sh"
}

# ended N CODE SECONDS: a row of the N-th of `names`.
ended() {
    local what=${names[$1]} verdict=FAILED said="exit code $2"
    case $2 in
    0) verdict=ok said=passed ;;
    77) verdict=skipped said=skipped ;;
    124 | 137) verdict="cut off" said="the time is up" ;;
    esac
    case $verdict in FAILED | "cut off") tail -n 15 "$work/log.$1" >&2 ;; esac
    row "$what" "$said, $3 s" passed "$verdict"
}

# Those whose blocks are short wait for the driver where other programs use it, too.
run_tests() {
    local names
    if [ $all_tests = yes ]; then
        all_by_ctest
        return
    fi
    mapfile -t names < <(gpu_tests)
    abreast 4 test_of "${names[@]}"
}

# A line for each test as it ends.
all_by_ctest() {
    local verdict=ok summary follower
    : >"$work/ctest"
    timeout 3600 tail -f "$work/ctest" >&2 &
    follower=$!
    bounded 3600 ctest --test-dir "$build" --output-on-failure \
        --parallel $((($(cpus) + 1) / 2)) >"$work/ctest" 2>&1 || verdict=FAILED
    kill $follower
    summary=$(grep -E 'tests passed|No tests' "$work/ctest" | head -n 1) || true
    grep -qE '^100% tests passed' "$work/ctest" || verdict=FAILED
    row "tests" "${summary:-ctest did not end}" "all pass" $verdict
}

# --- compute-sanitizer

find_sanitizer() {
    local nvcc place
    nvcc=$(find_nvcc || true)
    for place in "$(command -v compute-sanitizer || true)" "${nvcc%/nvcc}/compute-sanitizer" \
        /usr/local/cuda/bin/compute-sanitizer; do
        if [ -x "$place" ]; then echo "$place"; return; fi
    done
    return 1
}

# Odd sizes, every traversal and every family of operators; what ends in --gpu-mem gets the least
# memory that it can do with, so its slabs stream.
cube='--size 61x47x83 --steps 13'
small='--size 37x29x41 --steps 5'
sheet='--size 203x161 --steps 13'
sanitizer_cases=(
    "zoid-heat $cube --method naive --block 5 --type f32"
    "zoid-heat $cube --method overlapped --block 6 --depth 5 --type f64"
    "zoid-heat $cube --method leaning --block 5 --depth 9 --type f32"
    "zoid-heat $cube --method leaning --block 7 --depth 4 --type f64"
    "zoid-heat $cube --method trapezoid --block 9 --depth 4 --type f32"
    "zoid-heat $cube --method recursive --block 1 --depth 9 --type f32"
    "zoid-heat $cube --method leaning --block 4 --depth 6 --type f32 --gpu-mem"
    "zoid-heat $cube --method trapezoid --block 13 --depth 5 --type f64 --gpu-mem"
    "zoid-heat $cube --method overlapped --block 7 --depth 3 --type f64 --gpu-mem"
    "zoid-heat $small --radius 2 --method leaning --block 7 --depth 3"
    "zoid-heat $small --radius 4 --method trapezoid --block 17 --depth 2 --boundary neumann"
    "zoid-heat $small --radius 6 --method overlapped --block 13 --depth 2 --boundary periodic"
    "zoid-heat --size 100003 --steps 7 --dims 1 --radius 3 --method leaning --block 999 --depth 3"
    "zoid-heat $sheet --dims 2 --radius 3 --method leaning --block 23 --depth 4"
    "zoid-jacobi $small --kernel box19 --method leaning --block 5 --depth 3"
    "zoid-jacobi $small --kernel box27 --method overlapped --block 6 --depth 2 --gpu-mem"
    "zoid-jacobi $sheet --kernel jacobi2d --method leaning --block 19 --depth 7"
    "zoid-jacobi $sheet --kernel heat2d7 --method trapezoid --block 31 --depth 6"
    "zoid-wave $small --radius 4 --method leaning --block 9 --depth 3 --boundary sponge"
    "zoid-wave $small --radius 2 --method overlapped --block 7 --depth 3 --type f64 --gpu-mem"
    "zoid-life $small --method leaning --block 5 --depth 3"
    "zoid-fdtd $sheet --method leaning --block 17 --depth 5"
    "zoid-seismic $small --method leaning --block 9 --depth 2 --boundary z-=neumann,x+=sponge"
    "zoid-wave $small --radius 4 --method leaning --block 9 --depth 3 --boundary absorb"
    "zoid-wave $small --radius 1 --type f64 --method overlapped --boundary absorb --gpu-mem"
    "zoid-wave $sheet --dims 2 --radius 2 --method recursive --boundary absorb --absorb-points 70"
    "zoid-seismic $small --method trapezoid --depth 2 --boundary absorb,y+=sponge"
    "zoid-wave $small --radius 4 --method leaning --block 9 --depth 3 --boundary pml"
    "zoid-wave $small --radius 1 --type f64 --method leaning --boundary pml --gpu-mem"
    "zoid-wave $small --radius 2 --method trapezoid --boundary pml,x-=sponge --gpu-mem"
    "zoid-wave $sheet --dims 2 --radius 2 --method recursive --boundary pml --pml-points 30"
    "zoid-wave --size 100003 --steps 7 --dims 1 --radius 3 --method naive --boundary pml"
    "zoid-wave $small --radius 4 --method leaning --block 9 --depth 3 --boundary free"
    "zoid-wave $small --radius 2 --type f64 --method trapezoid --boundary free --gpu-mem"
    "zoid-wave $small --radius 4 --method leaning --block 9 --boundary pml,z-=free,x+=free"
    "zoid-wave $sheet --dims 2 --radius 6 --method overlapped --boundary free --cells 3 --epoch 2"
    "zoid-wave --size 100003 --steps 7 --dims 1 --radius 3 --method naive --boundary free"
    "zoid-heat $cube --radius 2 --method recursive --boundary z-=free,y+=free --type f64"
    "zoid-heat $cube --radius 3 --method leaning --block 7 --boundary z-=held,x+=held,y-=free \
        --held z-=sine:0.1,2 --held x+=constant:1"
    "zoid-run --operator heatk $small --type f64 --method trapezoid --gpu-mem \
        --boundary y+=held,z+=held --held y+=ricker:0.1 --held z+=sine:0.3"
    "zoid-heat --size 100003 --steps 7 --dims 1 --radius 3 --boundary held --held x-=sine:0.1 \
        --held x+=constant:1"
    "zoid-run --operator heatk $small --method leaning --block 5 --depth 3 --boundary neumann"
    "zoid-run --operator heatk $small --type f64 --method overlapped --depth 2 --gpu-mem"
    "zoid-run --operator heatk $sheet --method trapezoid --block 31 --depth 6 --kappa 0.2 --dt 1"
    "zoid-heat $cube --method leaning --block 9 --depth 4 --source 20,20,30.5:constant:0.1"
    "zoid-heat $cube --method leaning --block 9 --depth 3 --cells 3x2 --epoch 6 \
        --boundary x-=periodic,x+=periodic"
    "zoid-wave $small --radius 2 --method trapezoid --block 9 --depth 2 --cells 2x3 \
        --boundary neumann"
    "zoid-fdtd $sheet --method overlapped --block 17 --depth 3 --cells 5 --epoch 9"
    "zoid-jacobi $small --kernel box27 --method recursive --block 7 --depth 2 --cells 2x2 --gpu-mem"
    "zoid-heat $cube --method leaning --block 9 --depth 3 --cells 2x1x3 --epoch 6 --gpu-mem"
    "zoid-seismic $small --method trapezoid --block 9 --depth 2 --cells 1x2x2 --boundary periodic"
    "zoid-wave $cube --radius 2 --method b2r --epoch 4 --cells 2x2x2"
    "zoid-sor --size 203x161 --steps 70 --block 90 --depth 40"
    "zoid-sor $small --type f64 --rhs 0.01 --block 20 --depth 5"
    "zoid-sor $sheet --solver rbsor --method leaning --block 19 --depth 3"
    "zoid-sor $small --solver rbsor --rhs 0.5 --method trapezoid --block 17 --depth 2"
    "zoid-sor $small --solver jacobi --rhs 0.5 --method leaning --block 7 --depth 4"
    "zoid-sor --size 203x161 --steps 30 --solver mlsor --rhs 0.5 --block 3 --depth 2"
    "zoid-sor --size 37x29x41 --steps 9 --solver mlsor --subdomain 6 --type f64"
)

# sanitize CASE: the exit code is 0 when the run is right and the tool finds nothing.
sanitize() {
    local command refusal check=(--check)
    read -ra command <<<"$1"
    # It has no plain loop nest; the tests have a program of its definition.
    if [[ $1 = *mlsor* ]]; then check=(); fi
    command=("$apps/${command[0]}" "${check[@]}" "${command[@]:1}")
    if [[ $1 = *--gpu-mem ]]; then
        # It is refused, with the least that would do.
        refusal=$(timeout 60 "${command[@]}" 1M 2>&1) || true
        command+=("$(sed -n 's/.*--gpu-mem \([0-9][0-9]*M\).*/\1/p' <<<"$refusal")")
    fi
    exec timeout --kill-after=5 "$(seconds_for 300)" "$sanitizer" --tool "$tool" \
        --error-exitcode 9 "${command[@]}"
}

run_sanitizers() {
    local tool names
    if ! sanitizer=$(find_sanitizer); then
        row "compute-sanitizer" "is not installed here" "no errors" skipped
        return
    fi
    local -x STARPU_NCUDA=1 STARPU_NCPU=0
    for tool in memcheck racecheck; do
        names=("${sanitizer_cases[@]/#/$tool }")
        abreast "$(cpus)" sanitize "${sanitizer_cases[@]}"
    done
}

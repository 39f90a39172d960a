# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Functions that setup, run and test share. Source it after `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${ZOID_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/zoid}

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { say "$*"; exit 1; }

# usage: the comment block that opens a script, less the shebang and the SPDX line.
usage() { awk 'NR > 2 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"; }

# median: of the numbers on standard input, the lower one of two.
median() { sort -g | awk '{ a[NR] = $1 } END { print a[int((NR + 1) / 2)] }'; }

cpus() { nproc 2>/dev/null || echo 2; }

# find_nvcc: prints the path of nvcc, or fails. ZOID_CUDA=OFF hides it.
find_nvcc() {
    [ "${ZOID_CUDA:-AUTO}" != OFF ] || return 1
    local place
    for place in "${CUDA_HOME:-}/bin/nvcc" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc; do
        if [ -x "$place" ]; then echo "$place"; return; fi
    done
    return 1
}

# lacks [PREFIX]: prints what the StarPU there (default: the system's) lacks; nothing if it will do.
lacks() {
    local -x PKG_CONFIG_PATH=${1:+$1/lib/pkgconfig:}${PKG_CONFIG_PATH:-}
    local version include
    for version in 1.4 1.3 none; do
        if pkg-config --exists "starpu-$version"; then break; fi
    done
    [ $version != none ] || { echo everything; return; }
    include=$(pkg-config --variable=includedir "starpu-$version")/starpu/$version/starpu_config.h
    [ -r "$include" ] || { echo "its headers"; return; }
    grep -q '^#define STARPU_USE_FXT 1' "$include" || echo "FxT (no --trace)"
    grep -q '^#define STARPU_USE_MPI 1' "$include" || echo "MPI (one rank only)"
    ! find_nvcc >/dev/null || grep -q '^#define STARPU_USE_CUDA 1' "$include" ||
        echo "CUDA (no GPUs)"
    [ $version = 1.4 ] || echo "what came with 1.4 (this is $version)"
}

# quietly LOG COMMAND...: output goes to LOG; on failure the log's tail is shown.
quietly() {
    local log=$1
    shift
    mkdir -p "$(dirname "$log")"
    if ! "$@" >"$log" 2>&1; then
        tail -n 30 "$log" >&2
        die "'$*' failed; the whole log is $log"
    fi
}

# configure_and_build PRESET: its log is zoid.log in the preset's build folder. Builds `targets`, or
# everything if there are none.
configure_and_build() {
    local dir
    dir=$(build_dir "$1")
    cd "$root" || exit
    quietly "$dir/configure.log" cmake --preset "$1" "${@:2}"
    quietly "$dir/build.log" cmake --build "$dir" ${targets:+--target "${targets[@]}"}
}

build_dir() {
    case $1 in
    release) echo "$root/build" ;;
    *) echo "$root/build-$1" ;;
    esac
}

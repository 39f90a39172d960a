# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Functions that setup, run and test share. Source it after `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${ZOID_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/zoid}

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { say "$*"; exit 1; }

# usage: the comment block that opens a script, less the shebang and the SPDX line.
usage() { awk 'NR > 2 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"; }

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

# configure_and_build PRESET: its log is zoid.log in the preset's build folder.
configure_and_build() {
    local dir
    dir=$(build_dir "$1")
    cd "$root" || exit
    quietly "$dir/configure.log" cmake --preset "$1" "${@:2}"
    quietly "$dir/build.log" cmake --build "$dir"
}

build_dir() {
    case $1 in
    release) echo "$root/build" ;;
    *) echo "$root/build-$1" ;;
    esac
}

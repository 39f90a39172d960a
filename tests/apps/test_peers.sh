#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# scripts/peers says how it is called, and what is missing; it runs where Python has a peer.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
peers=$(realpath "$(dirname "$0")/../../scripts/peers")
cd "$work"
python=${ZOID_PYTHON:-python3}
command -v "$python" >/dev/null || { echo "no $python here"; exit 77; }

# ends CODE ARGUMENTS...: the script does.
ends() {
    observe "$python" "$peers" "${@:2}"
    holds "exit code $rc of peers ${*:2}" [ "$rc" = "$1" ]
}

ends 0 --help
holds "its help" grep -q 'usage: scripts/peers devito|deepwave' out
for wrong in "" yask "devito --type" "devito --type f16" "devito f32" "deepwave --help"; do
    # shellcheck disable=SC2086 # arguments
    ends 2 $wrong
done
mkdir none
for module in numpy devito deepwave torch; do
    echo "raise ImportError('no $module')" >none/$module.py
done
for peer in devito deepwave; do
    PYTHONPATH=$work/none ends 4 $peer
    says "install it \(pip install numpy $peer\)"
done

if ! quick && "$python" -c 'import numpy, devito' 2>/dev/null; then
    time_limit=600 ends 0 devito
fi
if "$python" -c 'import numpy, torch, deepwave' 2>/dev/null; then
    time_limit=600 ends 0 deepwave
    ZOID_BUILD_DIR=$work ends 4 deepwave
    says "there is no $work/apps/zoid-wave; build it"
fi

finish

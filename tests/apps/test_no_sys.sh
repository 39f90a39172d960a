#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Where /sys is missing, as in some containers, a run is like any other and stderr stays empty:
# hwloc, which we and StarPU ask, says nothing either. A name space of its own covers /sys, which
# takes no privileges where the system lets users have one.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# Runs the command that follows with an empty folder for /sys.
covered=(unshare --user --map-root-user --mount
    sh -c 'mount -t tmpfs none /sys && exec "$@"' sh)
if ! "${covered[@]}" true 2>"$work/err"; then
    echo "skipped: no name space to be had: $(cat "$work/err")"
    exit 77
fi

expect 0 "${covered[@]}" "$heat" --size 16x16x16 --steps 3 --check
holds "the run is checked" [ "$(value check)" = passed ]
expect 0 "${covered[@]}" "$info"
holds "hwloc finds cores" [ "$(value cores)" -ge 1 ]
expect 2 "${covered[@]}" "$heat" --size 0
HWLOC_HIDE_ERRORS=0 observe "${covered[@]}" "$heat" --size 8 --steps 1
holds "a set variable keeps its meaning" grep -q hwloc "$work/err"

finish

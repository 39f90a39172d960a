#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Bad command lines are refused in the words of tests/data/refusals.txt, to the byte, by a line of
# their own and with the same exit code.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
list=$(cd "$(dirname "$0")/../data" && pwd)/refusals.txt
export STARPU_NCUDA=0 STARPU_NCPU=2 STARPU_WORKERS_NOBIND=1
missing=$("$info" | sed -n 's/^missing \([A-Z0-9]*\).*/\1/p' | paste -sd'|')

# refused LINE CODE TEXT: in an empty folder.
refused() {
    local words
    read -ra words <<<"$1"
    rm -rf "$work/there"
    mkdir "$work/there"
    cd "$work/there"
    observe "$apps/${words[0]}" "${words[@]:1}"
    holds "exit code $rc, not $2: $1" [ "$rc" = "$2" ]
    # A part that the build lacks is refused first.
    if [ -n "$missing" ] && grep -qE "this build" "$work/err"; then return; fi
    holds "other words: $1" [ "$(cat "$work/err")" = "$3" ]
}

lines=$(grep -vc '^#' "$list")
holds "there are many: $((lines / 2))" [ "$lines" -ge 500 ]
while read -r line && read -r code text; do
    if spared; then continue; fi
    refused "$line" "$code" "$text"
done < <(grep -v '^#' "$list")
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# The commands of docs/tutorial.md print what the page says.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
page=$(cd "$(dirname "$0")/../../docs" && pwd)/tutorial.md
cd "$work"
export STARPU_NCPU=2 STARPU_NCUDA=0
PATH=$apps:$PATH

# Lines of an indented block after a command, up to the next one, are lines that it prints.
commands=0
while IFS= read -r line; do
    case $line in
    '    $ '*)
        read -ra command <<<"${line#*$ }"
        expect 0 "${command[@]}"
        commands=$((commands + 1))
        tr -s ' ' <"$work/out" | sed 's/^ //; s/ $//' >printed
        ;;
    '    '?*) holds "'${line#    }' of: ${command[*]}" grep -qxF -- "${line#    }" printed ;;
    esac
done <"$page"
holds "there are $commands commands" [ $commands -ge 7 ]
finish

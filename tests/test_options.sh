#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# docs/options.md is what zoid-info prints, and every option of every program is on it; pictures of
# the documents are what scripts/figures draws.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=apps/lib.sh
. "$(dirname "$0")/apps/lib.sh"
page=$(dirname "$0")/../docs/options.md
expect 0 "$info" --options md
holds "docs/options.md is old; make it by: zoid-info --options md >docs/options.md" \
    cmp -s "$work/out" "$page"
expect 0 "$info" --options json
if command -v python3 >/dev/null; then
    holds "the JSON has all settings" python3 - "$work/out" <<'END'
import json
import sys

rows = json.load(open(sys.argv[1]))
keys = [row["key"] for row in rows if row["group"] != "parameters"]
assert len(keys) == len(set(keys)) > 70, keys
assert all(row["doc"] and row["type"] for row in rows)
END
fi
# What a program has of its own is on no page: how it prints, or what it measures.
# Parameters of operators may not have these names.
own=$(sed -n '/^static const char programs/,/;$/s/.*" *\(.*\)".*/\1/p' \
    "$(dirname "$0")/../runtime/session/operators.c" | tr '_\n' '- ')
own=" $own "
holds "there are such options" [ "$(wc -w <<<"$own")" -gt 15 ]
for program in "$apps"/zoid-*; do
    # These run no operator.
    case ${program##*/} in zoid-trace | zoid-compile) continue ;; esac
    expect 0 "$program" --help-all
    while read -r option; do
        if [[ $own = *" $option "* ]]; then continue; fi
        if grep -qe "^\* .--${option}[=\`]" "$page"; then continue; fi
        holds "${program##*/} --$option is a parameter of an operator" \
            grep -q "\"key\": \"$option\"" <("$info" --options json)
    done < <(sed -n 's/^ *--\([a-z0-9-]*\).*/\1/p' "$work/out")
done
holds "options were looked at" [ "$passes" -gt 5 ]

if command -v python3 >/dev/null; then
    mkdir "$work/figures"
    expect 0 python3 "$(dirname "$0")/../scripts/figures" "$work/figures"
    for figure in "$work"/figures/*.svg; do
        holds "${figure##*/} is old; make it by: scripts/figures" \
            cmp -s "$figure" "$(dirname "$0")/../docs/images/${figure##*/}"
    done
    holds "figures were drawn" [ -e "$work/figures/speeds.svg" ]
fi
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: files-only
# Files of codelets/ call one another in one direction, as the symbols of their objects show; a
# table of functions counts as calls of them.
set -euo pipefail
cd "$(dirname "$0")/../.."

# calls: lines "caller called". A build may still have objects of files that are gone.
calls() {
    {
        find codelets -name '*.c' -o -name '*.cu'
        find "$ZOID_BUILD_DIR" -path '*.dir/codelets/*.o' -print0 | xargs -0 nm -A
    } | awk '
        NF == 1 { there[$1] = 1; next }
        { file = $1; sub(/\.o:.*/, "", file); sub(/.*\.dir\//, "", file) }
        !(file in there) { next }
        $(NF - 1) ~ /^[TDRB]$/ { by[$NF] = file }
        $(NF - 1) == "U" { used[$NF " " file] = 1 }
        END {
            for (use in used) {
                split(use, a, " ")
                if (a[1] in by && by[a[1]] != a[2])
                    print a[2], by[a[1]]
            }
        }' | sort -u
}

mapfile -t pairs < <(calls)
files=$(printf '%s\n' "${pairs[@]}" | tr ' ' '\n' | sort -u | wc -l)
if [ "$files" -lt 35 ]; then
    echo "FAILED: the build has objects of $files files that call one another" >&2
    exit 1
fi
if ! circles=$(printf '%s\n' "${pairs[@]}" | tsort 2>&1 >/dev/null) || [ -n "$circles" ]; then
    printf 'FAILED: files call one another in a circle:\n%s\n' "$circles" >&2
    exit 1
fi
# That it would see one.
if printf '%s\n' "${pairs[@]}" 'codelets/op/op.c codelets/block/run.c' |
    tsort >/dev/null 2>&1; then
    echo "FAILED: a circle was not seen" >&2
    exit 1
fi

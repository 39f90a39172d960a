#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: files-only
# Folders include one another in one direction: a file directly in graphs/, codelets/ or runtime/,
# where the public objects are, counts by itself; every other file counts as its folder.
# codelets/test_calls.sh has the calls between files of codelets/.
set -euo pipefail
cd "$(dirname "$0")/.."

room='function room(file) {
    sub(/\.(c|h|cu|cuh)$/, "", file)
    if (file !~ /^(graphs|codelets|runtime)\/[^\/]*$/)
        sub(/[^\/]*$/, "", file)
    return file
}
{ print room($1), room($2) }'

# pairs FOLDER...: "includer included" for each include of a file of the tree.
pairs() {
    grep -rE --include='*.[ch]' --include='*.cu' --include='*.cuh' \
        '^#include "(graphs|codelets|runtime|apps)/' "$@" |
        sed -E 's/^([^:]+):#include "([^"]+)".*/\1 \2/' | awk "$room" | sort -u |
        awk '$1 != $2'
}

folders=(graphs codelets runtime apps)
if ! circles=$(pairs "${folders[@]}" | tsort 2>&1 >/dev/null) || [ -n "$circles" ]; then
    printf 'FAILED: folders include one another in a circle:\n%s\n' "$circles" >&2
    exit 1
fi
# That it would see one.
for circle in 'runtime/zoid_session apps/cli/' 'codelets/block/ codelets/cuda/'; do
    if { pairs "${folders[@]}"; echo "$circle"; } | tsort >/dev/null 2>&1; then
        echo "FAILED: a circle was not seen: $circle" >&2
        exit 1
    fi
done

# Programs that run a session see public headers, and what is compiled for both sides.
seen() {
    grep -nE '^#include "(graphs|codelets|runtime)/' /dev/null "$@" |
        grep -vE '"runtime/(zoid[a-z_]*|ranks/launcher)\.h"$'
}

mapfile -t programs < <(printf "%s\n" apps/cli/*.[ch] apps/zoid-*.c |
    grep -vE '^apps/zoid-(bench|info|trace)\.c$')
if [ ${#programs[@]} -lt 20 ] || seen "${programs[@]}"; then
    echo "FAILED: these see what is inside the library" >&2
    exit 1
fi
# That it would see one.
if ! seen apps/zoid-info.c >/dev/null; then
    echo "FAILED: a header that is not public was not seen" >&2
    exit 1
fi

# again LIBRARY SCRIPT...: the functions that scripts define although the library does.
again() {
    local library=$1
    shift
    grep -nE "^($(sed -n 's/^\([a-z_]*\)() .*/\1/p' "$library" | paste -sd '|'))\(\)" /dev/null "$@"
}

for library in lib draw; do
    mapfile -t scripts < <(grep -lrE "^\. .*/$library\.sh\"" tests/apps --include='*.sh')
    if [ ${#scripts[@]} -lt 5 ] || again "tests/apps/$library.sh" "${scripts[@]}"; then
        echo "FAILED: these define anew what they have from $library.sh" >&2
        exit 1
    fi
done
# That it would see one.
if ! again tests/apps/lib.sh tests/apps/lib.sh >/dev/null; then
    echo "FAILED: a function that is defined anew was not seen" >&2
    exit 1
fi

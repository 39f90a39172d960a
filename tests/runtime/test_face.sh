#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: builds
# The interface of the library: the symbols that runtime/zoid.map lists, those of each version
# declared in its public headers; and the public headers, each complete by itself, in C and in C++.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../apps/lib.sh
. "$(dirname "$0")/../apps/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
cc=$(cached CMAKE_C_COMPILER)

observe cmake --install "$ZOID_BUILD_DIR" --prefix "$work/prefix" --component Unspecified
holds "Zoid is installed: $rc" [ "$rc" = 0 ]
include=$work/prefix/include
mapfile -t headers < <(cd "$include" && find . -type f | sed 's|^\./||' | sort)

# --- symbols

# Lines "symbol version" of the library, of its list and of the headers.
library=$(find "$work/prefix" -name libzoid.so)
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:[^=]*=\([0-9]*\)\.\([0-9]*\).*/\1_\2/p' \
    "$ZOID_BUILD_DIR/CMakeCache.txt")
advanced=ZOID_ADVANCED_$version
readelf --dyn-syms -W "$library" |
    awk '$7 != "UND" && $7 != "ABS" && $5 != "LOCAL" && NR > 3 && NF == 8 { print $8 }' |
    sed 's/@@*/ /' | sort >"$work/shown"
awk '/{$/ { node = $1 } /^global:/ { on = 1; next } /^(local:|})/ { on = 0 }
    on { gsub(/[ ;]/, ""); print $0, node }' "$ZOID_BUILD_DIR/zoid.map" | sort >"$work/listed"
# declared HEADER...: declarations, without those of the system's headers.
declared() {
    printf '#include <zoid/%s>\n' "$@" | "$cc" "-I$include" "-I$include/zoid" -E -xc - |
        awk -v ours="\"$include" '/^# [0-9]/ { on = index($3, ours) == 1; next } on' |
        awk -f "$here/declared.awk" | sort -u
}
declared zoid.h zoid_session.h >"$work/stable"
{
    sed 's/$/ ZOID_1/' "$work/stable"
    declared "${headers[@]#zoid/}" | comm -23 - "$work/stable" | sed "s/$/ $advanced/"
} | sort >"$work/declared"
for node in ZOID_1 "$advanced"; do
    holds "there are some of $node" [ "$(grep -c " $node$" "$work/listed")" -gt 30 ]
done
holds "shown and not listed, or listed and not shown: $(comm -3 "$work/shown" "$work/listed")" \
    cmp -s "$work/shown" "$work/listed"
only_one=$(comm -3 "$work/declared" "$work/listed")
holds "declared and not listed, or listed and not declared: $only_one" \
    cmp -s "$work/declared" "$work/listed"

# Programs that run a session see no more of the library than others do.
for program in heat wave seismic life jacobi fdtd run sor spmv; do
    holds "zoid-$program is linked to libzoid alone" [ "$(readelf -d "$apps/zoid-$program" |
        sed -n 's/.*NEEDED.*\[\(libzoid.*\)\.so.*/\1/p')" = libzoid ]
done

holds "it draws nothing" [ -z "$(readelf -d "$library" | grep -i cairo)" ]

# --- headers

printf '#include <zoid/%s>\n' zoid_session.h zoid_advanced.h runtime/zoid.h >"$work/all.c"
"$cc" "-I$include" "-I$include/zoid" -MM "$work/all.c" | tr -s ' \\' '\n' |
    sed -n "s|[^/]*/\.\./||; s|^$include/||p" | sort -u >"$work/reached"
only_one=$(printf '%s\n' "${headers[@]}" | comm -3 - "$work/reached")
holds "installed and not part of the interface: $only_one" \
    cmp -s "$work/reached" <(printf '%s\n' "${headers[@]}")

# compiles COMPILER LANGUAGE HEADER...
compiles() {
    local compiler=$1 language=$2
    shift 2
    printf '#include <%s>\n' "$@" >"$work/some.h"
    observe "$compiler" -Wall -Wextra -Werror -fsyntax-only "${flags[@]}" -x "$language" \
        -include "$work/some.h" /dev/null
    holds "$language with $*: $(head -3 "$work/err")" [ "$rc" = 0 ]
}
languages=(c)
command -v c++ >/dev/null && languages+=(c++)
mapfile -t backwards < <(printf '%s\n' "${headers[@]}" | tac)
for language in "${languages[@]}"; do
    compiler=$cc
    [ "$language" = c ] || compiler=c++
    flags=("-I$include" "-std=${language}11")
    for header in zoid/zoid.h zoid/zoid_session.h; do
        compiles "$compiler" "$language" "$header"
    done
    flags=("-I$include" "-I$include/zoid")
    for header in "${headers[@]}"; do compiles "$compiler" "$language" "$header"; done
    compiles "$compiler" "$language" "${headers[@]}"
    compiles "$compiler" "$language" "${backwards[@]}"
done
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: builds
# scripts/pluto: bad arguments, what is missing, a build and one that fails, and runs, with files
# that stand for PLUTO: a polycc that leaves the nest as it is, and others that do not.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_modules
pluto=$(cd "$(dirname "$0")/../.." && pwd)/scripts/pluto
CC=$(cached CMAKE_C_COMPILER)
export CC ZOID_CACHE=$work/cache OMP_WAIT_POLICY=passive
cd "$work"

# ends CODE WORDS ARGUMENT...: it does, and says so.
ends() {
    observe "$pluto" "${@:3}"
    holds "exit code $rc, not $1: ${*:3}" [ "$rc" = "$1" ]
    holds "'$2': $(tail -1 err)" grep -q -- "$2" err
}

observe "$pluto" --help
holds "its help: $rc" grep -q 'usage: scripts/pluto FOLDER' out
mkdir source
ends 2 'name the folder'
ends 2 'no folder absent' absent
ends 2 'no option --size' source --size 3
ends 2 'one folder is enough' source source
ends 2 'wants a value' source --rounds
ends 2 'no number above 0' source --rounds 0
ends 2 'no dataset HUGE; choose' source --dataset HUGE
ends 2 'no nest sor; choose' source --only sor
ends 2 "is not PLUTO's source" source

# --- building

touch source/configure.ac
ends 4 'source/isl is empty; fetch it by: git submodule update --init' source
for part in isl cloog-isl piplib polylib openscop candl clan pet; do
    mkdir source/$part
    touch source/$part/configure.ac
done
ends 4 'packages of Debian: .*clang-14 llvm-14-dev llvm-14-tools libclang-14-dev$' \
    source --llvm "$work/absent"

# Tools and an LLVM that seem to be there.
mkdir -p llvm/bin llvm/include/clang/Basic tools
touch llvm/include/clang/Basic/Version.h
for tool in llvm/bin/{clang,llvm-config,FileCheck} \
    tools/{autoreconf,automake,libtoolize,pkg-config,bison,flex,makeinfo,g++}; do
    printf '#!/bin/sh\n' >$tool
    chmod +x $tool
done
[ -n "$(find /usr/include /usr/local/include -name gmp.h -print -quit)" ] || {
    echo 'no gmp.h here: neither the build nor runs are tested'
    finish
    exit 0
}
PATH=$work/tools:$PATH
printf '#!/bin/sh\n: >polycc\nchmod +x polycc\necho "no luck" >&2\nexit 1\n' >source/configure
chmod +x source/configure
ends 4 'PLUTO cannot be built' source --llvm "$work/llvm"
holds "the tools' last lines are shown" grep -q 'no luck' err
holds "polycc of a build that failed is gone" [ ! -e source/polycc ]
cat >source/configure <<'END'
#!/bin/sh
[ "$1" = "--with-clang-prefix=$LLVM" ] || exit 3
printf 'all:\n\tcp ../polycc.made polycc\n' >Makefile
END
cat >polycc.made <<'END'
#!/bin/sh
# polycc NEST --tile --parallel -o FILE [--nodiamond-tile]
[ "$2 $3 $4" = "--tile --parallel -o" ] || exit 9
sed "${CHANGE:-}" "$1" >"$5"
END
chmod +x polycc.made
LLVM=$work/llvm observe "$pluto" source --llvm llvm --build-only
holds "it is built: $rc $(tail -1 err)" [ -x source/polycc ]
holds "by the tools of the folder: $(head -1 err)" grep -q '/source/zoid-build.log' err

# --- runs

tiny=(--dataset MINI --rounds 1 --cores 2)
observe "$pluto" source "${tiny[@]}" --only jacobi-1d --csv csv
holds "it runs: $rc $(tail -1 err)" [ "$rc" = 0 ]
for way in plain minimal 'pluto ' 'pluto, no diamonds' 'zoid, step' 'zoid '; do
    holds "a line of $way" grep -qE "^jacobi_1d +30 +20 +$way" out
done
holds "the CSV file has them" [ "$(grep -c '^jacobi_1d,.*,pluto' csv)" = 2 ]
CHANGE=s/0.33333/0.3333/ observe "$pluto" source "${tiny[@]}" --only jacobi-1d
holds "exit code $rc" [ "$rc" = 1 ]
says 'jacobi_1d: the plain loop and pluto \(tiles of its own\) leave other values'
printf '#!/bin/sh\necho "no nest" >&2\nexit 3\n' >source/polycc
observe "$pluto" source "${tiny[@]}" --only jacobi-1d
holds "PLUTO may take none: $rc" grep -qE '^jacobi_1d +pluto +fails with 3: no nest$' out
ZOID_BUILD_DIR=$work ends 4 'there is no .*/apps/zoid-bench' source
finish

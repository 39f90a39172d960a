#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: builds
# zoid-bench --what loops: nests by all ways have a row each, in the table and the CSV file; values
# that differ are found; what is missing is named; nothing is left, also after an interrupt.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_modules
bench=("$ZOID_BUILD_DIR/apps/zoid-bench" --what loops --rounds 1)
nests=$(cd "$(dirname "$0")/../loops" && pwd)
CC=$(cached CMAKE_C_COMPILER)
mkdir "$work/tmp"
export CC TMPDIR=$work/tmp ZOID_CACHE=$work/cache OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive
export STARPU_NCPU=2
cd "$work"

# rows WAY COPIES: how many the CSV file has, with a figure.
rows() {
    awk -F, -v way="$1" -v copies="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["way"] == way && $at["copies"] == copies && $at["gups"] > 0 && $at["seconds"] > 0 &&
            $at["over_plain"] > 0 { n++ }
        END { print n + 0 }' csv
}

# In tiles of two shapes, and a nest that copies help.
mkdir own
cp "$nests"/{example,sor-2d}.c own
echo 'int none;' >own/none.c
expect 0 "${bench[@]}" --nests own --nests-scale 0.003 --csv csv --json json
for way in plain step zoid; do
    holds "each nest has a row for $way" [ "$(rows $way 0)" = 2 ]
done
for way in minimal balanced; do
    holds "and one or two for $way: $(cat csv)" grep -qx '[2-4]' <(rows $way 0)
done
holds 'copies help one' grep -qx '[12]' <(rows minimal 1)
holds 'whose rows are the minimal ones then' grep -qE \
    '^example +balanced, copies +has the minimal rows$' out
holds 'points, slowest axis last, and steps' grep -q '^sor_2d,f64,2,12,12,1,3,plain,0,-,0,' csv
holds 'the JSON file has all rows' [ "$(grep -c '"nest"' json)" = $(($(wc -l <csv) - 1)) ]
holds 'nothing is left' [ -z "$(ls tmp)" ]

# By the options, and one file; one extent stands for two axes, and a table has the steps' length.
expect 0 "${bench[@]}" --nests "$nests/../apps/compile/nests/seidel-2d.c" --size 14x11 --steps 5
holds 'the extent is that of the slowest axis' grep -qE '^seidel_2d +11x11 +5 +zoid +- ' out
expect 0 env "CC=$CC -g0" "${bench[@]}" --nests "$nests/sor-2d.c" --size 9 --steps 2
holds 'one number is for all axes' grep -qE '^sor_2d +9x9 +2 +zoid +- ' out
expect 2 "${bench[@]}" --nests own --size 4294967306 && says '--size has an extent of 4294967306'
expect 2 "${bench[@]}" --nests own --steps 4294967306 && says '--steps 4294967306 go beyond int'
expect 2 "${bench[@]}" --nests own --dims 3 && says 'no nest of own has as many axes'
expect 2 "${bench[@]}" --nests own/none.c && says '^zoid-bench: own/none.c:2:1: no region'
expect 2 "${bench[@]}" --nests none && says 'none has no .c file with #pragma scop'
sed 's/n - 1/n - 1 + steps/' own/example.c >refused.c
expect 2 "${bench[@]}" --nests refused.c && says '^zoid-bench: refused.c:7:'
sed 's/double a\[n\]/double *a/' own/example.c >pointer.c
expect 2 "${bench[@]}" --nests pointer.c && says 'arrays with all extents'
sed -e 's/double a\[n\]/double a[2 * n]/' -e 's/n - 1/2 * n - 1/' own/example.c >twice.c
expect 2 "${bench[@]}" --nests twice.c
expect 2 "${bench[@]}" --steps 0 && says 'one step'
expect 2 "${bench[@]}" --nests-scale 0 && says 'no scale'
expect 2 "${bench[@]}" --what run --nests-scale 2 && says '--what loops'
expect 2 "${bench[@]}" --what run --pluto own && says '--what loops'
expect 2 "${bench[@]}" --nests own --pluto absent && says 'name polycc of PLUTO by --pluto'
expect 2 "${bench[@]}" --what run --nests own && says '--what loops'

# Tiles that leave other values.
cat >wrong <<EOF
#!/bin/sh
"$apps/zoid-compile" "\$@" || exit
case "\$*" in
*--copies*) sed -i 's/0\.5 \*/0.25 */' "$work"/tmp/*/example/tiles-2-0/example_tiled.c ;;
esac
EOF
chmod +x wrong
expect 1 env "ZOID_COMPILE=$work/wrong" "${bench[@]}" --nests own/example.c --nests-scale 0.001
says 'example: the plain loop and minimal, copies \(tiles of 32\) leave other values'

# A header beside the nest is found by its tiles, too, in a folder whose name is relative.
mkdir headers 'a, b'
echo '#define NONE' >headers/here.h
{
    echo '#include "here.h"'
    cat own/example.c
} >headers/example.c
expect 0 env TMPDIR='a, b' "${bench[@]}" --nests headers/example.c --nests-scale 0.001
holds 'nothing is left there' [ -z "$(ls 'a, b')" ]

# The compiler's own words are shown, and words of CC are not left out.
{
    cat own/example.c
    echo 'int main(void) { return 0; }'
} >twice.c
observe "${bench[@]}" --nests twice.c
holds "exit code $rc, not 4" [ "$rc" = 4 ]
says 'multiple definition of .main'
says 'fails with 1 for twice.c, as it says above'
expect 2 env "CC=$CC -a -b -c -d -e -f -g -h" "${bench[@]}" && says 'CC has more than 8 words'
observe "${bench[@]}" --nests own/example.c --nests-scale 0.001 --pluto own
holds "exit code $rc, not 4: a folder is no polycc" [ "$rc" = 4 ]
says 'own fails with 126'

# What is missing.
expect 4 env "ZOID_COMPILE=$work/absent" "${bench[@]}" && says 'no .*/absent.*build Zoid with isl'
expect 4 env "CC=$work/absent" "${bench[@]}" && says 'cannot start .*/absent: .*; install it'
expect 4 env "TMPDIR=$work/absent" "${bench[@]}" && says 'name another folder by TMPDIR'

# An interrupt ends the tool that runs, too, and its children.
printf '#!/bin/sh\nsleep 100 &\necho $! >%s/tool\nwait\n' "$work" >waits
chmod +x waits
env "ZOID_COMPILE=$work/waits" "${bench[@]}" >out 2>err &
bench_id=$!
for _ in $(seq 200); do
    [ ! -s tool ] || break
    sleep 0.1
done
kill -TERM $bench_id
code=0
wait $bench_id || code=$?
holds "it ends by the signal: $code" [ $code = 143 ]
for _ in $(seq 50); do # a zombie may stay, for which nobody waits
    ! grep -qs '^State:.*[RSD] ' "/proc/$(cat tool)/status" || sleep 0.1
done
holds 'with its tool' [ -z "$(grep -s '^State:.*[RSD] ' "/proc/$(cat tool)/status")" ]
holds 'and leaves nothing' [ -z "$(ls tmp)" ]
finish

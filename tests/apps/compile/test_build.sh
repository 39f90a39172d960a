#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: builds
# zoid-compile --build: modules from nests, for programs and Python, by the commands of the page and
# by an installed Zoid, and on arrays of the file; kept ones need no compiler; tools that fail or
# are ended leave nothing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
need_modules
cc=$(cached CMAKE_C_COMPILER)
page=$here/../../../docs/loops.md
place=$work/place
mkdir "$place"
cd "$place"
export CC=$cc STARPU_NCUDA=0 ZOID_CACHE=$place/cache

# kept: how many files there are in the cache, of modules and of all else.
kept() { find cache/loops -name '*.so' | wc -l; }
unfinished() { find cache out "$@" \( -type d -name '*-*' -o -name '*.[0-9]*' \); }
# Tools that fail, and a compiler that waits until it is ended.
mkdir fails waits nothing scratch
printf '#!/bin/sh\necho it is broken >&2\nexit 1\n' | tee fails/cmake >fails/cc
cat >waits/cc <<END
#!/bin/sh
case "\$*" in *traverse.c*) echo \$\$ >>$place/waiting; exec sleep 100 ;; esac
exec $cc "\$@"
END
chmod +x ./*/c*

# --- the page

awk '/^```c$/ { on = 1; next } /^```$/ { if (on) exit } on' "$page" >diffuse.c
awk '/^```python$/ { on = 1; next } /^```$/ { if (on) exit } on' "$page" >diffuse.py
# Their lines, those that end in \ with the next one.
commands=$(sed -n '/^## Your loop/,/^## Building/{ /^    zoid-/{ :a; /\\$/{ N; s/ *\\\n */ /; ba }
    s/ *#.*//; s|/scratch|scratch|; s/^ *//p } }' "$page")
holds "the page has commands" [ "$(grep -c ^zoid- <<<"$commands")" = 5 ]
while read -ra command; do
    time_limit=300 observe env "PATH=$apps:$PATH" "${command[@]}"
    holds "${command[*]}: $rc $(cat "$work/err")" [ "$rc" = 0 ]
    case ${command[*]} in
    *--build) holds "it says what it builds: $(cat "$work/err")" \
        grep -qE '^zoid-compile: building diffuse for .* \((v3|v4|portable)\)$' "$work/err" ;;
    *--check) holds "the check of ${command[*]}" [ "$(value check)" = passed ] ;;
    *--disk*) holds "it goes by the disk" grep -q '^disk.folder scratch$' "$work/out" ;;
    esac
done <<<"$commands"
holds "its files: $(ls out)" [ "$(ls out | paste -sd' ')" = \
    "CMakeLists.txt diffuse.def diffuse.h diffuse_call.c diffuse_call.h libdiffuse.so" ]
# The program of the page, linked with the module and with the nest itself.
awk '/^```c$/ { n++; next } /^```$/ { if (n == 2) exit } n == 2' "$page" >main.c
commands=$(sed -n '/^## The function/,/^## Building/s/^    //p' "$page" | grep -E '^(gcc|ZOID_)')
holds "the page has two" [ "$(wc -l <<<"$commands")" = 2 ]
observe bash -c "set -e; gcc() { $cc \"\$@\"; }; ${commands//$'\n'/; }"
holds "it runs: $rc $(cat "$work/err")" [ "$rc" = 0 ]
"$cc" -O2 -ffp-contract=off main.c diffuse.c -Iout -o plain
holds "and prints what the nest gives: $(cat "$work/out")" [ "$(cat "$work/out")" = "$(./plain)" ]
if find_python numpy; then
    echo 'assert result["a"].shape == a.shape and not (result["a"] == a).all()' >>diffuse.py
    observe env PYTHONDONTWRITEBYTECODE=1 "PYTHONPATH=$here/../../../apps/python" \
        "ZOID_LIBRARY=$ZOID_BUILD_DIR/libzoid.so" "$python" diffuse.py
    holds "Python runs it: $rc $(cat "$work/err")" [ "$rc" = 0 ]
else
    echo "no Python with NumPy: the package is not tested"
fi

# --- kept modules

expect 0 env "PATH=$place/fails:$PATH" "$compile" diffuse.c -o again --build
holds "a kept module is copied" cmp out/libdiffuse.so again/libdiffuse.so
expect 0 env CC= "PATH=$place/nothing" "$compile" diffuse.c -o again --build
mkdir xdg
mv cache xdg/zoid
expect 0 env -u ZOID_CACHE "XDG_CACHE_HOME=$place/xdg" "PATH=$place/fails:$PATH" \
    "$compile" diffuse.c -o again --build
mv xdg/zoid cache
# broken COMMAND...: another text, compiler or option is built, which fails with the tools' lines.
broken() {
    observe "$@"
    holds "$*: exit code $rc" [ "$rc" = 4 ]
    says '^ *it is broken$'
    says '^zoid-compile: [a-z0-9_]* cannot be built; see again/[a-z0-9_]*.log$'
    holds "$*: all is in the log" grep -q 'it is broken' again/*.log
    holds "$*: no module is left: $(ls again)" [ "$(find again -name '*.so' | wc -l)" = 0 ]
    holds "$*: nothing else: $(unfinished again)" [ "$(unfinished again; kept)" = 1 ]
    rm again/*.log
}
broken env "PATH=$place/fails:$PATH" CFLAGS=-g "$compile" diffuse.c -o again --build
broken env "PATH=$place/fails:$PATH" "$compile" diffuse.c -o again --build --name other
broken env "CC=$place/fails/cc" "$compile" diffuse.c -o again --build

# A launcher may call the compiler, and all words tell kept modules apart.
launched=("ZOID_CACHE=$place/launched")
observe env "${launched[@]}" "CC=env $cc" "$compile" diffuse.c -o launched --build
holds "a launcher is taken: $rc $(cat "$work/err")" [ -e launched/libdiffuse.so ]
expect 0 env "${launched[@]}" "CC=env $cc" "PATH=$place/fails:$PATH" \
    "$compile" diffuse.c -o launched --build
broken env "${launched[@]}" "CC=env $place/fails/cc" "$compile" diffuse.c -o again --build
broken env "${launched[@]}" "CC=env $cc -g0" "PATH=$place/fails:$PATH" \
    "$compile" diffuse.c -o again --build

expect 4 "$compile" diffuse.c -o cache/loops/absent/made --build
says 'cannot make cache/loops/absent/made: No such file or directory; give .* by --output$'

# --- without tools, and ended

expect 4 env CC= "PATH=$place/nothing" "$compile" diffuse.c -o again --build --name other
says 'there is no C compiler; install gcc, or name one by CC'
expect 4 env -u ZOID_CACHE -u XDG_CACHE_HOME HOME= "$compile" diffuse.c -o again --build
says 'there is no folder that keeps modules; name one by ZOID_CACHE'
expect 4 env ZOID_CACHE=/dev/null "$compile" diffuse.c -o again --build --name other
says 'cannot make /dev/null/loops: Not a directory; name another folder by ZOID_CACHE'
observe env CC="$cc" PATH="$place/nothing" "$compile" diffuse.c -o again --build --name other
holds "no cmake: $rc" [ "$rc" = 4 ]
says '^zoid-compile: cannot start cmake: No such file or directory; install it$'
mkdir alone
cp "$compile" alone
expect 4 alone/zoid-compile diffuse.c -o again --build --name other
says 'there is no CMake package of Zoid at .*; install all of Zoid'
expect 2 "$compile" diffuse.c --explain --build && says -- '--build needs a folder'
expect 2 "$compile" diffuse.c -o again --cuda && says -- '--cuda is for --build; give both'
if lacks CUDA; then
    expect 2 "$compile" diffuse.c -o none --build --cuda
    says 'this Zoid was built without CUDA.*; drop --cuda'
    holds "nothing is left" [ ! -e none ]
fi

env "CC=$place/waits/cc" "$compile" diffuse.c -o again --build --name other 2>ended &
started=$!
for _ in {1..600}; do
    if [ -s waiting ]; then break; fi
    sleep 0.1
done
holds "the compiler is called" [ -s waiting ]
kill -TERM $started
rc=0
wait $started || rc=$?
holds "it is ended: $rc" [ "$rc" = 143 ]
holds "with a line: $(cat ended)" \
    grep -qx 'zoid-compile: interrupted; nothing unfinished is left behind' ended
for tool in $(cat waiting || :); do
    holds "and so is the compiler" [ ! -d "/proc/$tool" ]
done
holds "nothing is left: $(unfinished again; ls again)" \
    [ "$(unfinished again; find again -name '*.so' -o -name '*.log'; kept)" = 1 ]

# --- an installed Zoid, twice at once

outside=$(place_for outside)
if [ ! -x "$outside/prefix/bin/zoid-compile" ]; then
    for component in Unspecified starpu; do
        observe cmake --install "$ZOID_BUILD_DIR" --prefix "$outside/prefix" \
            --component $component
        holds "Zoid is installed: $rc" [ "$rc" = 0 ]
    done
fi
libraries=$outside/prefix/$(cached CMAKE_INSTALL_LIBDIR)
export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
for side in one two; do
    "$outside/prefix/bin/zoid-compile" "$here/nests/seidel-2d.c" -o $side --build 2>$side.err &
    eval "$side=\$!"
done
# shellcheck disable=SC2154 # set by eval
for side in "$one" "$two"; do
    rc=0
    wait "$side" || rc=$?
    holds "both are built: $rc $(cat ./*.err)" [ "$rc" = 0 ]
done
holds "one is kept: $(kept)" [ "$(unfinished one two; kept)" = 2 ]
for side in one two; do
    expect 0 "$outside/prefix/bin/zoid-run" --load $side/libseidel_2d.so --operator seidel_2d \
        --size 90x70 --steps 9 --check
    holds "$side is right: '$(value check)'" [ "$(value check)" = passed ]
done

# Its ways are those that --explain names.
"$compile" "$here/nests/seidel-2d.c" --explain >explained
holds "it has methods: $(cat explained)" [ "$(grep -c '^method ' explained)" -ge 5 ]
while read -r _ method answer; do
    observe "$run" --load one/libseidel_2d.so --operator seidel_2d --size 90x70 \
        --method "$method" --plan
    case $answer in
    yes) holds "$method is taken: $(cat "$work/err")" [ "$rc" = 0 ] ;;
    *) holds "$method is refused: $rc" [ "$rc" = 2 ] && says "${answer#no: }" ;;
    esac
done < <(grep '^method ' explained)

# --- arrays of the file, which the module has, or the program

globals=$here/../../outside/globals
time_limit=300 observe "$compile" "$globals/global.c" -o global --build
holds "a nest on arrays of the file is built: $(cat "$work/err")" [ "$rc" = 0 ]
"$cc" -O2 -ffp-contract=off "$globals/main.c" "$globals/global.c" -o plainly
expect 0 ./plainly
cp "$work/out" leaves
for own in '' -DOWN -no-pie; do
    # shellcheck disable=SC2086 # perhaps nothing
    "$cc" $own "$globals/main.c" -o global/main -Lglobal -lglobal "-Wl,-rpath,$place/global"
    expect 0 global/main
    holds "it leaves what the nest leaves, $own" cmp "$work/out" leaves
    expect 0 env ZOID_SETTINGS=nothing=1 global/main fails
    holds "pointers stay where a call fails: $(cat "$work/out")" \
        grep -q '^2 ZOID_SETTINGS has nothing' "$work/out"
done
checked --load global/libglobal.so --operator global_own --size 20x30 --steps 5 --table list_2=1
finish

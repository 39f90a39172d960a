# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2034 # those who source it use the programs and rc
# What the tests of whole programs share. Source it after `set -euo pipefail`; end with `finish`.

# What somebody has measured elsewhere is not for tests.
unset ZOID_RATES
export ZOID_RATES_MODE=default
# A launcher that was slow to hear of a rank's end does not call that a failure (docs/ranks.md).
export OMPI_MCA_orte_allowed_exit_without_sync=1
apps=${ZOID_BUILD_DIR:?set it to the build folder}/apps
heat=$apps/zoid-heat
info=$apps/zoid-info
run=$apps/zoid-run
work=$(mktemp -d)
# Ranks of a launcher that has ended may still remove folders that the next one begins in: each has
# its own. Names of sockets there are short.
if command -v mpirun >/dev/null && [ ${#work} -lt 40 ]; then
    mkdir "$work/launch"
    printf '%s\n' '#!/bin/sh' "OMPI_MCA_orte_tmpdir_base=\$(mktemp -d '$work/oXXXX') || exit" \
        'export OMPI_MCA_orte_tmpdir_base' "PATH='$PATH'" 'exec mpirun "$@"' >"$work/launch/mpirun"
    chmod +x "$work/launch/mpirun"
    PATH=$work/launch:$PATH
fi
trap 'rm -rf "$work"' EXIT
failures=0
picked=
passes=0

# complain WHAT...: counts a failure and shows what the last program said.
complain() {
    failures=$((failures + 1))
    {
        printf 'FAILED: %s\n' "$*"
        head -c 2000 "$work/err" 2>/dev/null | sed 's/^/    stderr: /'
    } >&2
}

pass() { passes=$((passes + 1)); }

# observe COMMAND...: runs it, for two minutes or `time_limit` seconds at most; sets rc, and leaves
# what it printed in $work/out and $work/err.
observe() {
    rc=0
    timeout "${time_limit:-120}" "$@" >"$work/out" 2>"$work/err" </dev/null || rc=$?
}

# complaints: the lines of stderr but those that say that places changed, as they may where one is
# slow.
complaints() {
    local changed=' is too slow to take part| places stay as they are|: a step takes '
    grep -vE "$changed" "$work/err" || true
}

# one_line: stderr is exactly one line, and one of our programs wrote it.
one_line() { [ "$(complaints | wc -l)" = 1 ] && complaints | grep -qE '^zoid-[a-z]+: .+'; }

# expect CODE COMMAND...: the exit code is CODE, and stderr is one line for a failure, else empty.
expect() {
    local code=$1
    shift
    observe "$@"
    if [ "$rc" != "$code" ]; then
        complain "exit code $rc instead of $code: $*"
    elif [ "$code" = 0 ] && [ -n "$(complaints)" ]; then
        complain "something on stderr: $*"
    elif [ "$code" != 0 ] && ! one_line; then
        complain "stderr is not one line of ours: $*"
    else
        pass
    fi
}

# says PATTERN: the last program's message matches.
says() {
    if grep -qE -- "$1" "$work/err"; then pass; else complain "no '$1' on stderr"; fi
}

# value KEY: of the report in $work/out.
value() { awk -v key="$1" '$1 == key { print $2 }' "$work/out"; }

# least OPTION: the budget in MiB that the last refusal names.
least() { sed -n "s/.*--$1[^;]*[ :]\([0-9][0-9]*\)M\$/\1/p" "$work/err"; }

# fits OPTION COMMAND...: the least budget in MiB by which COMMAND has a plan, into memory.
fits() {
    local option=$1
    shift
    memory=1
    while observe "$@" "--$option" "${memory}M" --plan
        [ "$rc" = 3 ]; do
        memory=$(least "$option")
    done
}

# holds DESCRIPTION COMMAND...: the command succeeds.
holds() {
    local what=$1
    shift
    if "$@"; then pass; else complain "$what"; fi
}

# checked OPTIONS...: the run gives the reference's bytes.
checked() {
    expect 0 "$run" "$@" --check
    holds "the check '$(value check)' of $*" [ "$(value check)" = passed ]
}

# drawn NAME: NAME.png is a picture, and so is NAME.svg.
drawn() {
    holds "$1.png is a PNG file" [ "$(head -c 8 "$1.png" | od -An -tx1 | tr -d ' ')" = \
        89504e470d0a1a0a ]
    holds "$1.svg is an SVG file" grep -q '</svg>' "$1.svg"
}

# any VALUE...: one of them, into picked.
any() { eval "picked=\${$((RANDOM % $# + 1))}"; }

# any_of A|B|...: one of them, into picked.
any_of() {
    local list
    IFS='|' read -ra list <<<"$1"
    any "${list[@]}"
}

# share COMMAND...: into `shared`, by every fourth call, options by which two sets of cores share a
# run, and move the border between them; by the other calls, and where they cannot, nothing. Which
# calls those are follows from the day, or from ZOID_TEST_SEED.
shared=()
share_turn=$((10#${ZOID_TEST_SEED:-$(date -u +%Y%m%d)} % 4))
share() {
    shared=()
    share_turn=$(((share_turn + 1) % 4))
    [ $share_turn = 0 ] || return 0
    export STARPU_NCPU=2 ZOID_SLOW=0:3
    observe "$@" --balance split --places cores:1+cores:1 --plan
    [ "$rc" != 0 ] || shared=(--balance split --places cores:1+cores:1)
}

# bounded DIMS BOUNDARY: sets `bounds` to the options for it; a face that is held follows a sine.
bounded() {
    local i axis side axes=xyz
    bounds=(--boundary "$2")
    for ((i = 0; i < $1; i++)); do
        axis=${axes:i:1}
        for side in - +; do
            if [ "$2" = held ] || [[ $2 = *"$axis$side=held"* ]]; then
                bounds+=(--held "$axis$side=sine:0.0$((i + 4)),2")
            fi
        done
    done
}

# families: the operators that this build has. trait FAMILY dims|radius|type|boundary: a list of the
# values that its variants have of it, as in 1|2|3.
families() { "$info" | awk '$1 == "operator" { print $2 }'; }
trait() {
    "$info" | awk -v family="$1" -v trait="$2" '$1 == "operator" && $2 == family {
        for (i = 3; i < NF; i += 2) if ($i == trait) print $(i + 1) }'
}

# in_order FAMILY: whether its points take turns, so that few methods know how.
in_order() {
    [[ $("$run" --operator "$1" --size 9 --method trapezoid --plan 2>&1) = *'sweeps in order'* ]]
}

# methods: that this build has, as the refusal of another one lists them.
methods() {
    "$heat" --method '?' 2>&1 | sed 's/.*choose from //; s/;.*//; s/,//g; s/auto//'
}

# aliases: the names of papers for some of them, from the same line.
aliases() { "$heat" --method '?' 2>&1 | sed 's/.*published variant: //; s/,//g'; }

# cached NAME: what the build's cache says.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$ZOID_BUILD_DIR/CMakeCache.txt"; }

# place_for NAME: the folder where a test builds NAME: one that goes with the test, or one of
# ZOID_TEST_BUILDS, where it stays, and is not built again: perhaps on a machine that has GPUs, but
# not what building takes.
place_for() { echo "${ZOID_TEST_BUILDS:-$work}/$1"; }

# need_cmake: ends the test where there is none.
need_cmake() {
    command -v cmake >/dev/null && return
    echo "no cmake here, and nothing in ZOID_TEST_BUILDS: nothing is built"
    exit 77
}

# need_compile: sets `compile` to the compiler of loop nests.
need_compile() {
    compile=$apps/zoid-compile
    [ ! -x "$compile" ] || return 0
    echo "this build has no zoid-compile: no isl"
    exit 77
}

# need_modules: the same, and ends the test where modules cannot be built or loaded.
need_modules() {
    need_compile
    need_cmake
    [ -n "$sanitized" ] || return 0
    echo "sanitized: modules are built without sanitizers, and Python has none"
    exit 77
}

# sanitizers: the option that the build's code was compiled with, if any.
sanitizers() {
    local list
    list=$(cached ZOID_SANITIZE)
    [ -z "$list" ] || echo "-fsanitize=${list//;/,}"
}

# quick: whether ZOID_EFFORT says so, or a sanitizer does where it says nothing. effort N: how many
# random cases to draw, where a normal run draws N. Both as in tests/effort.h.
sanitized=$(sanitizers)
effort=${ZOID_EFFORT:-${sanitized:+quick}}
quick() { [ "$effort" = quick ]; }
effort() {
    local tenth=$(($1 / 10)) few=$(($1 < 3 ? $1 : 3))
    case $effort in
    quick) echo $((tenth > few ? tenth : few)) ;;
    long) echo $(($1 * 10)) ;;
    *) echo "$1" ;;
    esac
}

# one_in N: whether this case, of many of a kind, is taken: every N-th is, all in a long run. Which
# ones follows from the day, or from ZOID_TEST_SEED.
turn=$((10#${ZOID_TEST_SEED:-$(date -u +%Y%m%d)}))
one_in() {
    turn=$((turn + 1))
    [ "$effort" = long ] || [ $((turn % $1)) = 0 ]
}

# spared: whether this one of many cases of a kind is left out, as four of five are in a quick run
# and with a GPU, whose driver starts two programs a second.
gpus=$("$info" | awk '$1 == "workers.cuda" { print $2 }')
alike=0
spared() {
    alike=$((alike + 1))
    { quick || [ "$gpus" != 0 ]; } && [ $((alike % 5)) != 0 ]
}

# forgive_mpi: from now on nobody looks for leaks; MPI's plugins leave some, and are gone when they
# are looked for.
forgive_mpi() { export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0; }

# find_python MODULE...: sets python to one that has them, the system's first; fails where none has.
find_python() {
    for python in /usr/bin/python3 python3; do
        command -v "$python" >/dev/null || continue
        if "$python" -c "import $(IFS=,; echo "$*")" 2>/dev/null; then return; fi
    done
    python=
    return 1
}

# need_numpy: the same for NumPy; ends the test where there is none.
need_numpy() {
    find_python numpy && return
    echo "no Python with NumPy here: what it would see is not tested; scripts/setup installs it"
    exit 77
}

# lacks WHAT: whether zoid-info says that this build does.
lacks() { grep -q "^missing $1" <<<"$("$info")"; }

# has_mpirun: whether there is Open MPI's, which `ranks` knows.
has_mpirun() {
    command -v mpirun >/dev/null && grep -q 'Open MPI' <<<"$(mpirun --version 2>&1)"
}

# has_ranks: whether several ranks can run a program of this build.
has_ranks() { has_mpirun && ! lacks MPI; }

# need_mpirun: ends the test where there are no ranks to be had.
need_mpirun() {
    forgive_mpi
    if ! has_mpirun; then
        echo "no Open MPI's mpirun here: ranks are not tested"
        exit 77
    fi
    if lacks MPI; then
        echo "this build has no MPI: ranks are not tested"
        exit 77
    fi
}

# ranks N COMMAND...: that many run it; as observe.
ranks() {
    local n=$1
    shift
    ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 \
        observe mpirun --allow-run-as-root --oversubscribe -n "$n" "$@"
}

# suite_on_ranks N PROGRAM WHAT: N ranks of a program of Check tests WHAT, and each has run them.
suite_on_ranks() {
    CK_FORK=no ranks "$1" "$ZOID_BUILD_DIR/tests/$2"
    holds "$1 ranks $3: $(cat "$work/out")" [ "$rc" = 0 ]
    holds "$1 ranks were tested" [ "$(grep -c '^100%' "$work/out")" = "$1" ]
}

# need_hdf5 WHAT: ends the test, and says what there is not, where the build has no HDF5.
need_hdf5() {
    lacks HDF5 || return 0
    echo "this build has no HDF5: $1"
    exit 77
}

# until_it COMMAND...: waits for it to succeed; a minute is never.
until_it() {
    local tries=600
    until "$@" 2>/dev/null; do
        [ $((tries -= 1)) -gt 0 ] || return 1
        sleep 0.1
    done
}

# preloaded NAME: makes $work/NAME.so of tests/outside/NAME.c, to be loaded before a program; not
# for use with sanitizers, which have to be the first themselves.
preloaded() {
    "$(cached CMAKE_C_COMPILER)" -std=gnu11 -O2 -Wall -shared -fPIC -o "$work/$1.so" \
        "$(dirname "${BASH_SOURCE[0]}")/../outside/$1.c" -ldl
}

# cuda_functions defined|undefined LIBRARY: functions of the CUDA runtime in it, sorted.
cuda_functions() { nm -D "--$1-only" "$2" | grep -oE '\b(__)?cuda[A-Z][A-Za-z_0-9]+' | sort -u; }

# absent_gpus N: has `gpu` run a program where N GPUs are that are not there
# (tests/outside/absent_gpu.c); fails where the build has no CUDA, or another than they know. It
# replaces a function inside the library, so programs get the one that hides nothing.
absent_gpus() {
    local nvcc root lacking
    nvcc=$(cached CMAKE_CUDA_COMPILER)
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
    [ -n "$nvcc" ] && [ -z "$sanitized" ] || return 1
    # Who asks is asked in a condition, which no failure would end.
    [ -e "$work/absent_gpu.so" ] ||
        "$(cached CMAKE_C_COMPILER)" -std=gnu11 -O2 -Wall -shared -fPIC -I "$root" \
            -isystem "${nvcc%/bin/nvcc}/include" -o "$work/absent_gpu.so" \
            "$root/tests/outside/absent_gpu.c" || { echo "absent_gpu.c does not compile"; exit 1; }
    # A function of CUDA that is really called instead may do anything.
    if grep -q '^#define CUDART_VERSION *13' "${nvcc%/bin/nvcc}/include/cuda_runtime_api.h"; then
        lacking=$(comm -23 <(cuda_functions undefined "$ZOID_BUILD_DIR/libzoid-inside.so") \
            <(cuda_functions defined "$work/absent_gpu.so"))
        [ -z "$lacking" ] || { echo "absent_gpu.c lacks ${lacking//$'\n'/ }"; exit 1; }
    fi
    absent_library=$work/absent_gpu.so:$ZOID_BUILD_DIR/libzoid-inside.so
    gpu=(env "LD_PRELOAD=$absent_library" "STARPU_HOME=$work/starpu$1" "ABSENT_GPUS=$1"
        "STARPU_NCUDA=$1" STARPU_NCPU=1)
    observe "${gpu[@]}" "$info"
    [ "$(value workers.cuda)" = "$1" ]
}

# host_gpus N: has the programs run, from now on, where N GPUs are that are made of cores
# (tests/outside/host_gpu.h); fails where the build has none. Beside them is a worker on a core,
# unless STARPU_NCPU says otherwise.
host_gpus() {
    local library=$ZOID_BUILD_DIR/libzoid-host.so folder=$work/host$1 program
    [ -e "$library" ] || return 1
    mkdir -p "$folder"
    for program in "$ZOID_BUILD_DIR"/apps/zoid-*; do
        cat >"$folder/${program##*/}" <<END
#!/bin/sh
export LD_PRELOAD="$library\${LD_PRELOAD:+:\$LD_PRELOAD}" STARPU_HOME='$folder' ABSENT_GPUS=$1
export STARPU_NCPU="\${STARPU_NCPU-1}"
exec '$program' "\$@"
END
        chmod +x "$folder/${program##*/}"
    done
    apps=$folder heat=$folder/zoid-heat info=$folder/zoid-info run=$folder/zoid-run
    observe "$info"
    gpus=$(value workers.cuda)
    [ "$gpus" = "$1" ]
}

# ZOID_HOST_GPUS=N, for any script: it tests on GPUs made of cores as on those of a machine.
if [ -n "${ZOID_HOST_GPUS:-}" ]; then
    host_gpus "$ZOID_HOST_GPUS" || { echo "this build has no GPUs made of cores"; exit 1; }
fi

# slow_network FILE: makes what is preloaded into ranks so that their messages take time.
slow_network() {
    "$(cached MPI_C_COMPILER)" -std=gnu11 -O2 -Wall -shared -fPIC -o "$1" \
        "$(dirname "${BASH_SOURCE[0]}")/../outside/slow_network.c"
}

# ours: the lines of our programs on stderr; mpirun adds its own.
ours() { grep -cE '^zoid-[a-z]+: ' "$work/err" || true; }

# Exits with the verdict; a script in which nothing was tested has failed.
finish() {
    echo "$passes passed, $failures failed"
    [ "$failures" = 0 ] && [ "$passes" -gt 0 ] || exit 1
}

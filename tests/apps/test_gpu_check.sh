#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What scripts/gpu-check runs and says on machines of 1, 2 and 4 GPUs: ranks, kernels, limits and
# several GPUs, and that it ends in time and leaves nothing behind. The programs, mpirun and the
# GPUs are made up: they say what they were started with.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
check=$(dirname "$0")/../../scripts/gpu-check
mkdir -p "$work/build/apps" "$work/bin"

cat >"$work/build/apps/zoid-info" <<'END'
#!/bin/sh
printf '%s\n' "workers.cuda $GPUS" "gpu_mem ${GPU_MEM:-1}" "ram ${RAM:-1}" 'cores 1'
END
cat >"$work/build/apps/zoid-bench" <<'END'
#!/bin/sh
echo "${RANKS:-1} ranks, $STARPU_NCUDA GPUs, first ${CUDA_VISIBLE_DEVICES:-0}: $*" >>"$STARTED"
rate=$((${RANKS:-1} * STARPU_NCUDA * 10))
case $* in *TBMR*) rate=$((rate * $FASTER)) ;; esac
[ -z "${SLOW:-}" ] || sleep "$SLOW"
while [ $# -gt 0 ]; do
    if [ "$1" = --csv ]; then
        printf '%s\n' operator,copy_gbps,step_fraction,fused_fraction one,3000,0.95,3 >"$2"
    fi
    shift
done
printf '%s\n' "workers $STARPU_NCUDA cuda" 'gpu.budget 1' 'bytes.domain 8' "gups $rate"
END
cat >"$work/build/apps/zoid-heat" <<'END'
#!/bin/sh
echo "${RANKS:-1} ranks, $STARPU_NCUDA GPUs, ${STARPU_NCPU:-all} cores: ${0##*/} $*" >>"$STARTED"
[ -z "${SLOW:-}" ] || sleep "$SLOW"
each=100 planned=100 check=off between=0
case $* in *'--gpu-mem 8G'*) each=97 ;; *--gpu-mem*) each=90 ;; esac
case $* in *'--gpu-mem 4G'*) planned=null ;; esac
plan=${PLAN:-planned}
case $*,${PARTS:-} in
*split*,) each=$((each * 3 / 4)) ;;
*split*,fail) echo "${0##*/}: no such parts" >&2; exit 3 ;;
*'balance gpu'*) between=70 ;;
esac
case $* in *--check*) check=${CHECK:-passed} ;; esac
printf '%s\n' "gups $((${RANKS:-1} * STARPU_NCUDA * each))" "steps 256" "workers.cuda 1" \
    "bytes.h2d ${UP:-100}" "bytes.d2h ${DOWN:-100}" "bytes.p2p $between" \
    "bytes.mpi $((${RANKS:-0} * 1000000000))" "$plan.h2d $planned" "planned.d2h $planned" \
    "planned.p2p $between" "seconds 2" "predicted_seconds ${PREDICTED:-2}" "check $check"
END
cp "$work/build/apps/zoid-heat" "$work/build/apps/zoid-wave"
cp "$work/build/apps/zoid-heat" "$work/build/apps/zoid-seismic"
cat >"$work/build/apps/zoid-sor" <<'END'
#!/bin/sh
echo 'gups 300'
END
cat >"$work/bin/mpirun" <<'END'
#!/bin/sh
case $1 in --version) echo "mpirun ($MPI)"; exit ;; esac
while [ "$1" != -n ]; do shift; done
export RANKS=$2
shift 2
exec "$@"
END
cat >"$work/bin/compute-sanitizer" <<'END'
#!/bin/sh
case $* in *racecheck*zoid-life*) echo 'a hazard'; exit 9 ;; esac
END
chmod +x "$work"/bin/* "$work"/build/apps/*

# checked_by CODE OPTIONS...: gpu-check ends with that code; `setting` has its environment.
checked_by() {
    : >"$work/started"
    observe env -u CUDA_VISIBLE_DEVICES "PATH=$work/bin:$PATH" "ZOID_BUILD_DIR=$work/build" \
        "STARTED=$work/started" "${setting[@]}" bash "$check" "${@:2}"
    holds "${setting[*]}: gpu-check ${*:2} ends with $rc" [ "$rc" = "$1" ]
}
# checks CODE GPUS FASTER MPI: ranks where there are so many GPUs, registers are so much faster, and
# mpirun is of that MPI.
checks() {
    setting=(GPUS="$2" FASTER="$3" MPI="$4")
    checked_by "$1" --only ranks
}
tells() { holds "'$1' is in the table: $(cat "$work/out")" grep -qE "^$1\$" "$work/out"; }
started() { holds "'$1' is started: $(cat "$work/started")" grep -qE "^$1" "$work/started"; }

checks 0 1 3 'Open MPI'
started '2 ranks, 1 GPUs, first 0: .*heat .*--gpu-mem 1G --method 2D-1D-T '
started '2 ranks, 1 GPUs, first 0: .*box19 .*--gpu-mem 1G --method 2D-1D-TBMR '
tells '2D-1D-TBMR over 2D-1D-T, heat, .* 3 +at least 1.84 +ok'
holds "nothing else" [ "$(wc -l <"$work/started")" = 4 ]

checks 1 1 2 'Open MPI'
tells '2D-1D-TBMR over 2D-1D-T, box19, .* 2 +at least 2.68 +short'

checks 0 1 3 'another MPI'
tells "ranks +there is no Open MPI's mpirun +skipped"

# An operator at a time, and a line as soon as it ends.
setting=(GPUS=1 FASTER=1)
checked_by 0 --only kernels
started '1 ranks, 1 GPUs, .* --operator wave --dims 3 --radius 4 --type f32 '
tells 'heat3d.r1.f32, fused, of that limit +3 +at least 2.05 +ok'
holds "a line tells of it" grep -q ': PASS heat3d.r1.f32, of the one-step limit: 0.95 ' "$work/err"
holds "each is asked for" [ "$(grep -c 'what kernels' "$work/started")" = 20 ]
checked_by 0 --only kernels --kernel-size 64x64
tells 'heat3d.r1.f32, of .* +has other dimensions than --kernel-size +skipped'

# Runs in memory and with limits in turns, of rows by name; figures in a folder.
setting=(GPUS=1 UP=120 DOWN=110 GPU_MEM=80000000000 RAM=50000000000)
checked_by 1 --only limits --rows heat-16g,heat-48g --rounds 2 --out "$work/figures"
tells 'heat-16g, 8G over in memory +0.97 +at least 0.95 +ok'
tells 'heat-16g, 4G over in memory +0.9 +at least 0.95 +short'
tells 'heat-16g, 8G: moved over planned, up, down +1.2, 1.1'
holds "of what was not planned nothing is said" [ "$(grep -c '4G: moved' "$work/out")" = 0 ]
tells 'heat-48g +left out: there is too little RAM +skipped'
holds "in turns" [ "$(sed 's/.*--steps 256//; s/ --report.*//' "$work/started" | paste -sd,)" = \
    ', --gpu-mem 8G, --gpu-mem 4G,, --gpu-mem 8G, --gpu-mem 4G' ]
holds "a line a run" [ "$(grep -c '"bytes.h2d": 120' "$work/figures/runs.jsonl")" = 6 ]
holds "rows as CSV" grep -q '^"heat-16g, 8G over in memory","0.97",' "$work/figures/rows.csv"
checked_by 0 --only limits --rows heat-cores --steps all
started '1 ranks, 1 GPUs, all cores: .* --size 1024x1024x2048 --steps 1024$'
checked_by 0 --only limits --rows wave-r4 --quick
started '.*: zoid-wave --radius 4 --size 1024x1024x256 --steps 256 --gpu-mem 768M$'
checked_by 1 --only limits
holds "all but the largest" [ "$(grep -c 'zoid-heat .*1024x1024x12288' "$work/started")" = 0 ]
checked_by 2 --only limits --rows heat
checked_by 2 --only limits --rows wave-2
checked_by 2 --only limits --steps all5
checked_by 2 --only memory

# Several GPUs: in memory and with a limit; a run that two rows or scales have in common once.
several=(GPU_MEM=80000000000 RAM=50000000000 MPI='Open MPI')
setting=(GPUS=2 "${several[@]}")
checked_by 0 --only several --rows wave-2,heat-2,heat-2-quarter,heat-4-quarter --steps 600
holds "the most important first" [ "$(head -n 1 "$work/started")" = \
    '1 ranks, 1 GPUs, 0 cores: zoid-wave --radius 4 --size 1024x1024x1364 --steps 512' ]
started '1 ranks, 2 GPUs, 0 cores: zoid-wave .* --size 1024x1024x1364 --steps 512 --balance gpu$'
started '1 ranks, 2 GPUs, 0 cores: zoid-heat .* --balance split --places gpus:1\+gpus:1$'
started '2 ranks, 1 GPUs, 0 cores: zoid-heat --size 1024x1024x4096 --steps 600 --gpu-mem 2G$'
started '2 ranks, 1 GPUs, 0 cores: zoid-heat --size 509x127x1021 .* --check --gpu-mem 64M$'
holds "each once: $(sort "$work/started" | uniq -d)" [ "$(sort -u "$work/started" | wc -l)" = 27 ]
holds "no other" [ "$(wc -l <"$work/started")" = 27 ]
tells 'heat-2, weak, a part each: .* +150, 100, 1.5, 0.75'
tells 'wave-2, strong, the best of them over 2 times one +1 +at least 0.90 +ok'
tells 'wave-2, weak, the best of them over 2 times one +1 +at least 0.95 +ok'
tells 'heat-2-quarter, weak, the best of them over one GPU +2 +at least 1.8 +ok'
tells 'wave-16g, a rank each, 2 GPUs: GB up, .* +1e-07, 1e-07, 0, 2'
tells 'wave-16g, passes handed on, 2 GPUs: bytes beyond the plan +h2d 0, d2h 0, p2p 0 .* +ok'
tells 'heat-16g-4G, one GPU: bytes beyond the plan +h2d \?, d2h \?, p2p 0 +.* +skipped'
tells 'heat-8g, one GPU: predicted over measured seconds +1 +0.9 to 1.1 +ok'
tells "heat-2-quarter, a rank each: the plain loop's bytes, 509x127x1021 +passed +passed +ok"
tells 'heat-4-quarter +left out: GPUs here: 2 +skipped'
setting=(GPUS=4 "${several[@]}")
checked_by 0 --only several --rows wave-4-quarter --steps 300
started '1 ranks, 4 GPUs, .* --size 1024x1024x1364 --steps 300 .* (gpus:1\+){3}gpus:1$'
started '4 ranks, 1 GPUs, .*: zoid-wave --radius 4 --size 1024x1024x2728 --steps 300 --gpu-mem 2G$'
tells 'wave-4-quarter, strong, the best of them over one GPU +4 +at least 3.6 +ok'
checked_by 0 --only several --rows heat-4 --quick
started '1 ranks, 4 GPUs, .* --size 1024x1024x2048 --steps 1024 --balance gpu$'
tells 'heat-4, strong, the best of them over 4 times one +1 +at least 0.90 +ok'
setting=(GPUS=1 "${several[@]}")
checked_by 0 --only several
holds "nothing is started" [ ! -s "$work/started" ]
holds "all is left out" [ "$(grep -c 'left out: GPUs here: 1 *skipped' "$work/out")" = 8 ]
# A way that fails leaves the others; other bytes and seconds than planned count.
setting=(GPUS=2 "${several[@]}" PARTS=fail)
checked_by 1 --only several --rows wave-2
tells 'wave-16g, parts2 +exit code 3: zoid-wave: no such parts +a figure +FAILED'
tells 'wave-2, strong, the best of them over 2 times one +1 +at least 0.90 +ok'
setting=(GPUS=2 "${several[@]}" UP=120 PREDICTED=3)
checked_by 1 --only several --rows wave-2
tells 'wave-16g, one GPU: bytes beyond the plan +h2d 20, d2h 0, p2p 0 +.* +off'
tells 'wave-16g, one GPU: predicted over measured seconds +1.5 +0.9 to 1.1 +off'
setting=(GPUS=2 "${several[@]}" PLAN=other)
checked_by 1 --only several --rows wave-2 --rounds 2
tells 'wave-16g, one GPU: bytes beyond the plan +h2d absent, d2h 0, p2p 0 +.* +off'
setting=(GPUS=2 "${several[@]}" CHECK=off MPI='another MPI')
checked_by 1 --only several --rows wave-2
tells "wave-2, a part each: the plain loop's bytes, .* +not compared +passed +FAILED"
tells "wave-2, a rank each +left out: there is no Open MPI's mpirun +skipped"
setting=(GPUS=2 "${several[@]}" SLOW=1)
checked_by 1 --only several --seconds 2
tells 'wave-2 +the time is up +all of its figures +cut off'
tells 'heat-2-quarter +the time is up +all of its figures +cut off'

# Small cases, each with a line of its own.
setting=(GPUS=1 FASTER=1)
checked_by 1 --only sanitizers
tells 'racecheck zoid-life .* +exit code 9, [0-9]+ s +passed +FAILED'
tells 'memcheck zoid-heat .* +passed, [0-9]+ s +passed +ok'
# Two tools each; one case is the one that failed.
cases=$(grep -c '^    "zoid-' "$(dirname "$0")/../../scripts/gpu-tests.sh")
holds "all others are clean" [ "$(grep -c ' ok$' "$work/out")" = $((2 * cases - 1)) ]

# The time is up, or somebody ends it; nothing goes on.
setting=(GPUS=1 FASTER=1 SLOW=98765)
checked_by 1 --only kernels --seconds 3
tells '.*zoid-bench .*--operator heat .* +the time is up +a figure +cut off'
gone() { ! pgrep -f '^sleep 98765$' >"$work/sleeping"; }
holds "nothing is left: $(cat "$work/sleeping" 2>/dev/null)" until_it gone
env "PATH=$work/bin:$PATH" "ZOID_BUILD_DIR=$work/build" "STARTED=$work/started" \
    "${setting[@]}" bash "$check" --only kernels >"$work/out" 2>"$work/err" &
sleeps() { ! gone; }
holds "it runs" until_it sleeps
kill $!
rc=0
wait $! || rc=$?
holds "it was ended: $rc" [ $rc = 130 ]
holds "and nothing is left" until_it gone
finish

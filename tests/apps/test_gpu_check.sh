#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What scripts/gpu-check runs and says of ranks on machines of 1, 2 and 4 GPUs. The programs, mpirun
# and the GPUs are made up: they say what they were started with.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
check=$(dirname "$0")/../../scripts/gpu-check
mkdir -p "$work/build/apps" "$work/bin"

cat >"$work/build/apps/zoid-info" <<'END'
#!/bin/sh
printf '%s\n' "workers.cuda $GPUS" 'gpu_mem 1' 'ram 1' 'cores 1'
END
cat >"$work/build/apps/zoid-bench" <<'END'
#!/bin/sh
echo "${RANKS:-1} ranks, $STARPU_NCUDA GPUs, first ${CUDA_VISIBLE_DEVICES:-0}: $*" >>"$STARTED"
rate=$((${RANKS:-1} * STARPU_NCUDA * 10))
case $* in *TBMR*) rate=$((rate * $FASTER)) ;; esac
printf '%s\n' "workers $STARPU_NCUDA cuda" 'gpu.budget 1' 'bytes.domain 8' "gups $rate"
END
cat >"$work/bin/mpirun" <<'END'
#!/bin/sh
case $1 in --version) echo "mpirun ($MPI)"; exit ;; esac
while [ "$1" != -n ]; do shift; done
export RANKS=$2
shift 2
exec "$@"
END
chmod +x "$work"/bin/* "$work"/build/apps/*

# checks CODE GPUS FASTER MPI: gpu-check ends with that code where there are so many GPUs, registers
# are so much faster, and mpirun is of that MPI.
checks() {
    : >"$work/started"
    observe env -u CUDA_VISIBLE_DEVICES "PATH=$work/bin:$PATH" "ZOID_BUILD_DIR=$work/build" \
        "STARTED=$work/started" GPUS="$2" FASTER="$3" MPI="$4" bash "$check" --only ranks
    holds "$2 GPUs: gpu-check ends with $rc" [ "$rc" = "$1" ]
}
tells() { holds "'$1' is in the table: $(cat "$work/out")" grep -qE "^$1\$" "$work/out"; }
started() { holds "'$1' is started: $(cat "$work/started")" grep -qE "^$1" "$work/started"; }

checks 0 1 3 'Open MPI'
started '2 ranks, 1 GPUs, first 0: .*heat .*--gpu-mem 1G --method 2D-1D-T '
started '2 ranks, 1 GPUs, first 0: .*box19 .*--gpu-mem 1G --method 2D-1D-TBMR '
tells '2D-1D-TBMR over 2D-1D-T, heat, .* 3 +at least 1.84 +ok'
tells 'one rank a GPU, .* 2 GPUs +left out: GPUs here: 1 +skipped'
holds "nothing else" [ "$(wc -l <"$work/started")" = 4 ]

checks 1 1 2 'Open MPI'
tells '2D-1D-TBMR over 2D-1D-T, box19, .* 2 +at least 2.68 +short'

checks 0 2 3 'Open MPI'
started '2 ranks, 1 GPUs, first 0: .*--size 1024x2048x1024 '
started '1 ranks, 2 GPUs, first 0: .*--size 1024x2048x1024 '
tells 'one rank a GPU, .* 4 GPUs +left out: GPUs here: 2 +skipped'
checks 0 4 3 'Open MPI'
for n in 2 4; do
    for kind in 'one rank a GPU' 'one process'; do
        tells "$kind, weak, $n GPUs over $n times one +1 +at least 0.95 +ok"
        tells "$kind, strong, $n GPUs over $n times one, 2048x2048x1024 +1 +at least 0.90 +ok"
    done
done
holds "nothing is left out" [ "$(grep -c skipped "$work/out")" = 0 ]
checks 0 1 3 'another MPI'
tells "ranks +there is no Open MPI's mpirun +skipped"
finish

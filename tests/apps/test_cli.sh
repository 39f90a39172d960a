#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The command line from outside: what is refused, with which exit code, in one line.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
small=(--size 8 --steps 2)

# The syntax of numbers is test_numbers.c's; here every option meets it.
while IFS= read -r line; do
    [ -n "$line" ] || continue
    eval "arguments=($line)"
    # shellcheck disable=SC2154 # eval sets it
    expect 2 "$heat" "${arguments[@]}"
done <<'BAD'
--foo
--foo=3
-x
-xyz
-
foo
-- foo
--size
--check=1
--check 1
--ra 1
--size ''
--size=
--size 0
--size -5
--size +5
--size 5x
--size 5x0x5
--size 5x4x3x2
--size 1e3
--size 8KK
--size 8388608T
--size 9223372036854775808
--size 4194304x4194304x4194304
--size 9223372036854775807
--size $'8\n8'
--steps -1
--steps ''
--steps 9223372036854775808
--steps 9223372036854775807
--seed -1
--seed 18446744073709551616
--block 0
--depth 0
--depth x
--radius 0
--radius 7
--radius 9223372036854775807
--dims 0
--dims 4
--size 5x5 --dims 3
--size 5x5x5 --dims 2
--size 5x5 --boundary z-=neumann
--lambda ''
--lambda nan
--lambda inf
--lambda 1e999
--lambda 0.1x
--lambda 1e39
--method fast
--method ''
--type f16
--type u8
--init ones
--boundary ''
--boundary none
--boundary neumann,
--boundary sponge
--boundary w-=neumann
--boundary x=neumann
--boundary x-=
--boundary x-=nothing
--boundary x-=periodic
--boundary x-=periodic,x+=periodic,x-=neumann
--boundary periodic,y+=neumann
--kernel heat
--ram 0
--ram -1
--gpu-mem 0
--gpu-mem x
--ranks 0
--ranks 1x0
--ranks 1x1x1x1
--ranks two
--dump ''
--report ''
--graph ''
--method 3D-TBM
--method 1d-tbm
--method 2D-TBM --strip 0
--method 1D-TBM --strip 4
--strip -1
--strip some
--size 9 --dims 1 --strip 2
--overlap
--overlap maybe
--traversal one
--method leaning --block 1
--method recursive --leaf 0
--method recursive --leaf x
BAD

# The message names what exists instead.
expect 2 "$heat" --radius 9 && says "radius $(trait heat radius | tr '|' ' ')"
expect 2 "$heat" --boundary z-=periodic && says 'z-=periodic,z\+=periodic'
expect 2 "$heat" --boundary sponge && says 'dirichlet, neumann, periodic'
expect 2 "$heat" --size 8x8 --boundary z-=neumann && says '2 dimensions'
# Periodic along the slowest axis: a method that cannot honour it names one that can, and auto is
# one.
for method in $(methods); do
    observe "$heat" "${small[@]}" --boundary z-=periodic,z+=periodic --check --method "$method"
    if [ "$rc" = 2 ]; then
        holds "the refusal is one line" one_line
        other=$(sed -n 's/.*--method \([a-z]*\).*/\1/p' "$work/err")
        expect 0 "$heat" "${small[@]}" --boundary z-=periodic,z+=periodic --method "$other"
    fi
    holds "periodic with $method: $rc" [ "$rc" = 0 ] || [ "$rc" = 2 ]
done
expect 0 "$heat" "${small[@]}" --boundary periodic --check
holds "auto honours a periodic chain" [ "$(value check)" = passed ]
# Only where the operator has a choice.
expect 2 "$apps/zoid-fdtd" "${small[@]}" --boundary neumann && says 'choose from dirichlet'
expect 0 "$apps/zoid-fdtd" "${small[@]}" --boundary dirichlet
expect 2 "$apps/zoid-fdtd" "${small[@]}" --radius 1
expect 2 "$apps/zoid-life" "${small[@]}" --lambda 0.1
expect 2 "$apps/zoid-life" "${small[@]}" --type f32 && says 'type u8'
expect 2 "$apps/zoid-jacobi" "${small[@]}" --kernel box19 --lambda 0.1 && says 'no lambda'
expect 2 "$apps/zoid-seismic" "${small[@]}" --dt 0 && says 'dt 0 is out of range .*above 0'
expect 2 "$apps/zoid-seismic" "${small[@]}" --dt -0.1 && says 'above 0'
expect 2 "$apps/zoid-seismic" "${small[@]}" --lambda 0.1
expect 0 "$apps/zoid-seismic" "${small[@]}" --dt 0.1 --check
expect 0 "$apps/zoid-run" "${small[@]}" --operator wave --dt 0.1 --check
expect 0 "$apps/zoid-run" "${small[@]}" --operator seismic --dt 7 --dt 0.1 --check
expect 2 "$apps/zoid-jacobi" "${small[@]}" --kernel heat &&
    says 'jacobi1d, jacobi2d, heat2d7, box19, box27'
expect 2 "$apps/zoid-jacobi" --kernel box19 --size 8x8 && says 'dims 3'
expect 0 "$apps/zoid-life" "${small[@]}" --type u8 --check
expect 0 "$apps/zoid-jacobi" "${small[@]}" --kernel heat2d7 --lambda 0.1 --check
expect 0 "$apps/zoid-jacobi" --size 8x8 --check
holds "the first kernel of two dimensions" [ "$(value operator)" = jacobi2d_f32 ]
expect 0 "$apps/zoid-jacobi" --size 8 --dims 3 --check
holds "the first kernel of three dimensions" [ "$(value operator)" = box19_f32 ]
expect 0 "$apps/zoid-wave" "${small[@]}" --boundary sponge --radius 2 --check
expect 0 "$heat" --size 100 --dims 1 --steps 3 --boundary x-=neumann --check
holds "a lone N is a line" [ "$(value size)" = 100x1x1 ]
expect 0 "$heat" --size 9x10 --steps 3 --boundary neumann,x-=dirichlet --check
holds "two axes are two dimensions" [ "$(value size) $(value operator)" = "9x10x1 heat2d_r1_f32" ]
expect 2 "$heat" --method fast && says 'auto.*naive.*trapezoid.*overlapped.*leaning.*recursive'
expect 2 "$heat" --method leaning --block 1 && says '--block 2'
# A name of a paper's stands for all of its choices: another one beside it is refused.
expect 2 "$heat" --method 3D-T &&
    says '1D-N, .*1D-P-TBMR, 2D-N, .*2D-1D-N, .*2D-1D-TBMR, base, single, b2r$'
for name in $(aliases); do
    choices=$("$heat" --help-all | tr -s ' \n' ' ' |
        sed -n "s/.*[:;] $name (\([a-z]*\), \([^)]*\)).*/\2/p")
    holds "--help says what $name stands for" [ -n "$choices" ]
    holds "so does docs/methods.md" grep -q "^| \`$name\` |" "$(dirname "$0")/../../docs/methods.md"
    read -ra choices <<<"${choices//,/}"
    expect 0 "$heat" "${small[@]}" --method "$name" "${choices[@]}" --plan
    holds "$name is in the plan" [ "$(value alias)" = "$name" ]
    holds "and its choices are" [ "--traversal $(value traversal)" = "${choices[*]:0:2}" ]
    off=$(if [ "${choices[3]}" = off ]; then echo false; else echo true; fi)
    holds "$name: overlap $(value overlap)" [ "$(value overlap)" = "$off" ]
    for wrong in "--traversal best" "--traversal two" "--traversal step" "--traversal naive" \
        "--overlap on" "--overlap off"; do
        if [[ " ${choices[*]} " = *" $wrong "* ]] || spared; then continue; fi
        # shellcheck disable=SC2086 # two words
        expect 2 "$heat" "${small[@]}" --method "$name" $wrong &&
            says "$name stands for .*; drop $wrong"
    done
    expect 2 "$heat" "${small[@]}" --method "$name" --leaf 1M && says "$name has no use for --leaf"
done
for name in 1D-N 2D-N 2D-1D-N base; do
    expect 2 "$heat" "${small[@]}" --method $name --depth 2 && says "$name stands for --depth 1"
done
expect 2 "$heat" --method 1D-TB --boundary z-=periodic,z+=periodic &&
    says '1D-TB cannot.*--method [a-z]'
expect 0 "$heat" "${small[@]}" --method recursive --overlap off --report "$work/report.json"
holds "the report says that nothing overlapped" [ "$(value overlap)" = false ]
holds "so does the JSON" grep -q '"overlap": false' "$work/report.json"
holds "a method is no alias" [ -z "$(value alias)" ]
# A leaf is for methods that recurse.
expect 2 "$heat" --method leaning --leaf 1M && says 'leaf.*--method recursive'
expect 2 "$heat" --leaf 1M --boundary z-=periodic,z+=periodic && says leaf
expect 0 "$heat" "${small[@]}" --leaf 1M --check
holds "who names a leaf gets a recursion" [ "$(value method)" = recursive ]
expect 0 "$heat" "${small[@]}" --method recursive --leaf 1 --check
holds "a leaf that is too small is raised: $(value clamped)" [ "$(value clamped)" = true ]
# Strips are for planes that can be cut.
expect 2 "$heat" --method recursive --strip 8 --boundary z-=periodic,z+=periodic &&
    says '--method [no]'
expect 2 "$heat" --size 9 --dims 1 --method 2D-T && says '2D-T .*--method overlapped'
expect 0 "$heat" --size 9x20x90 --steps 2 --strip 7 --leaf 1 --check
holds "a recursion cuts strips: $(value method) $(value strip)" \
    [ "$(value method) $(value strip)" = "recursive 7" ]
expect 2 "$heat" --size 9x20x9 --method 2D-T --strip 20 && says '2D-T stands for strips'
expect 0 "$heat" --size 9x20x9 --steps 2 --strip 7 --report "$work/report.json"
holds "strips are as even as can be: $(value strip)" \
    [ "$(value strip) $(value clamped)" = "7 false" ]
holds "the JSON has them too" grep -q '"strip": 7' "$work/report.json"
expect 0 "$heat" --size 9x20x9 --steps 2 --strip 15
holds "two strips of half of the rows: $(value strip)" [ "$(value strip)" = 10 ]
expect 0 "$heat" --size 9x20x9 --steps 2 --strip 21
holds "one strip is none: $(value strip)" [ "$(value strip)$(value clamped)" = true ]
expect 0 "$heat" --size 9x20x9 --steps 2 --strip auto
holds "planes that fit are not cut" [ -z "$(value strip)" ]
expect 2 "$info" --foo
expect 2 "$info" foo

# Repeated options, numbers at their limits.
expect 0 "$heat" --size 3 --steps 9 --steps 0 --seed 18446744073709551615 --block 1073741824 \
    --depth 1024
holds "the last --steps counts" [ "$(value steps)" = 0 ]
holds "the seed survives" [ "$(value seed)" = 18446744073709551615 ]
expect 0 "$heat" --size 1x1x1024 --steps 3 --check
holds "it is checked" [ "$(value check)" = passed ]
expect 2 "$heat" --size 1x1x1K && says "K is 1024, and for bytes only; write 1000 or 1024"
expect 0 "$heat" --size 9 --ram 1.5GiB --plan
holds "1.5GiB is 1610612736 bytes" [ "$(value ram.budget)" = 1610612736 ]

# Help and version, for people and for help2man.
for program in "$heat" "$info"; do
    expect 0 "$program" --help
    holds "${program##*/} --help says how to use it" grep -q "^Usage: ${program##*/} " "$work/out"
    expect 0 "$program" --version
    holds "${program##*/} --version" \
        grep -qE "^${program##*/} \(Zoid\) [0-9]+\.[0-9]+\.[0-9]+$" "$work/out"
done
expect 0 "$heat" --help
holds "--help is short: $(wc -l <"$work/out") lines" [ "$(wc -l <"$work/out")" -le 90 ]
holds "and leaves out what few need" [ -z "$(grep -e --epoch "$work/out")" ]
expect 0 "$heat" --help-all
for word in --size --dims --steps --radius --lambda --method --block --depth --leaf --overlap \
    --type --boundary --init --seed --ranks --gpu-mem --ram --plan --graph --check --dump \
    --report --progress --quiet --version naive trapezoid overlapped leaning recursive; do
    holds "--help mentions $word" grep -q -e "$word" "$work/out"
done

expect 0 "$apps/zoid-run" --help
holds "--help mentions defaults and ranges" \
    grep -q 'dt=.*lambda=.*any number \[0\.08 or 0\.05\]' <(tr -s ' \n' ' ' <"$work/out")
holds "--help mentions open ends" grep -q 'above 0 \[0\.2\]' <(tr -s ' \n' ' ' <"$work/out")

# What is computed twice is part of the whole.
observe "$heat" --size 40x64x60 --steps 20 --method overlapped --block 10 --depth 9 --strip 16 \
    --progress
holds "a run ends with exit code 0, not $rc" [ "$rc" = 0 ]
holds "some of it was done twice" awk -v n="$(value points.redundant)" 'BEGIN { exit !(n > 0) }'
holds "progress ends with all of it: $(tail -n 1 "$work/err")" \
    grep -q '^100\.0 %' <(tail -n 1 "$work/err")

# Things that this version or this machine has not.
expect 4 "$heat" "${small[@]}" --ranks 2x1x1 && says "mpirun -n 2"
if "$info" | grep -qx 'workers.cuda 0'; then
    expect 4 "$heat" "${small[@]}" --gpu-mem 1G && says GPU
else
    expect 0 "$heat" "${small[@]}" --gpu-mem 1G
fi
expect 0 "$heat" "${small[@]}" --ranks 1x1x1

# What StarPU would abort on.
expect 4 env STARPU_NCPU=0 STARPU_NCUDA=0 "$heat" "${small[@]}"
expect 2 env STARPU_NCPU=two "$heat" "${small[@]}" && says STARPU_NCPU
expect 2 env ZOID_ISA=v9 "$heat" "${small[@]}" && says ZOID_ISA

# OpenMP binds the thread that a program begins with; others' bindings hold.
expect 0 env -u OMP_PROC_BIND STARPU_NCUDA=0 "$info"
all=$(value workers.cpu)
for bind in true close spread; do
    expect 0 env OMP_PROC_BIND=$bind STARPU_NCUDA=0 "$info"
    holds "OMP_PROC_BIND=$bind: $(value workers.cpu) workers" [ "$(value workers.cpu)" = "$all" ]
done
if command -v taskset >/dev/null; then
    first=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
    expect 0 taskset -c "$first" env OMP_PROC_BIND=true STARPU_NCUDA=0 "$info"
    holds "taskset leaves $(value workers.cpu) worker" [ "$(value workers.cpu)" = 1 ]
fi

# More than one rank, as launchers announce it, and launched.
forgive_mpi
expect 4 env OMPI_COMM_WORLD_SIZE=2 "$heat" "${small[@]}" && says ranks
expect 4 env PMI_SIZE=3 "$heat" "${small[@]}" && says ranks
expect 0 env OMPI_COMM_WORLD_SIZE=1 "$heat" "${small[@]}"
if has_mpirun; then
    launch=(mpirun --allow-run-as-root --oversubscribe)
    observe "${launch[@]}" -n 1 "$heat" "${small[@]}"
    holds "one rank under mpirun runs" [ "$rc" = 0 ]
    observe "${launch[@]}" -n 2 "$heat" "${small[@]}"
    holds "two ranks under mpirun run, and end with $rc" [ "$rc" = 0 ]
    holds "one of them speaks" [ "$(grep -c '^app ' "$work/out")" = 1 ]
else
    echo "no Open MPI's mpirun here: launched ranks are not tested"
fi
finish

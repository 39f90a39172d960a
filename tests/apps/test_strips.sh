#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# Planes cut into strips, by every method that can: the same bytes as without, on every boundary, in
# main memory and on a disk.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
folder=$work/disk
mkdir "$folder"

# closes METHOD OPTIONS...: whether it can close the chain axis of such a domain to a circle.
closes() {
    observe "$run" --operator heat --boundary periodic --plan --method "$@"
    [ "$rc" = 0 ] ||
        holds "a refusal with a way out: $(cat "$work/err")" \
            grep -q 'use --method overlapped' "$work/err"
    return "$rc"
}

read -ra all_methods <<<"$(methods)"
for method in "${all_methods[@]}"; do
    for boundary in dirichlet neumann periodic z-=neumann,y+=neumann,x-=neumann; do
        # Some cannot close the chain axis to a circle; all others have to.
        if [ "$boundary" = periodic ] && ! closes "$method" --size 9x9x99; then
            boundary=x-=periodic,x+=periodic,y-=periodic,y+=periodic
        fi
        # A reach that is larger than strips, and blocks that look beyond neighbours.
        checked --operator heat --radius 3 --size 19x31x23 --steps 7 --method "$method" --block 7 \
            --depth 3 --strip 4 --boundary "$boundary"
        checked --operator heat --type f64 --size 19x31x23 --steps 7 --method "$method" --block 6 \
            --depth 5 --strip 1 --boundary "$boundary"
        holds "the strip is in the report: $(value strip)" [ "$(value strip)" = 1 ]
    done
    checked --operator heat --dims 2 --size 201x40 --steps 9 --method "$method" --block 9 \
        --depth 4 --strip 17
    checked --operator fdtd2d --size 101x67 --steps 9 --method "$method" --block 9 --depth 3 \
        --strip 9
    checked --operator wave --size 20x31x22 --steps 9 --method "$method" --block 9 --depth 3 \
        --strip 5 --boundary sponge
    checked --operator seismic --size 23x24x25 --steps 5 --method "$method" --block 12 --depth 2 \
        --strip 7
    checked --operator life3d --size 20x31x22 --steps 9 --method "$method" --block 5 --depth 4 \
        --strip 8
    # So few planes that a block looks round the circle and meets itself.
    for planes in 1 2 5; do
        if closes "$method" --radius 4 --size 10x32x$planes; then
            checked --operator heat --radius 4 --size 10x32x$planes --steps 3 --method "$method" \
                --boundary periodic --depth 1 --strip 1
            checked --operator wave --radius 3 --size 13x33x$planes --steps 5 --method "$method" \
                --boundary periodic --depth 2 --strip 3
        fi
    done
    # In the least main memory that works the state goes to a disk and back, a strip at a time. What
    # many workers have in their hands would be all of it.
    large=(--operator heat --size 60x100x400 --steps 7 --method "$method" --block 10 --depth 2
        --strip 50)
    export STARPU_NCUDA=0 STARPU_NCPU=2
    expect 3 "$run" "${large[@]}" --ram 1M --disk "$folder"
    least=$(sed -n 's/.*use --ram \([0-9]*M\).*/\1/p' "$work/err")
    checked "${large[@]}" --ram "$least" --disk "$folder"
    for name in disk_read disk_write; do
        bytes=$(value bytes.$name)
        holds "$method $name in $least: $bytes" [ "${bytes:-0}" -gt 6000000 ]
    done
    unset STARPU_NCUDA STARPU_NCPU
    if [ "$gpus" != 0 ]; then
        expect 3 "$run" "${large[@]}" --gpu-mem 1M --disk "$folder"
        least=$(sed -n 's/.*use --gpu-mem \([0-9]*M\).*/\1/p' "$work/err")
        checked "${large[@]}" --gpu-mem "$least" --disk "$folder"
    fi
done
# Small leaves, in deep passes over many planes: beside strips a recursion cuts time as well.
for boundary in dirichlet neumann x-=periodic,x+=periodic,y-=periodic,y+=periodic,z+=neumann; do
    for strip in 1 6 23; do
        checked --operator heat --size 11x24x301 --steps 29 --block 2 --depth 13 --leaf 1 \
            --strip $strip --boundary "$boundary"
        holds "$(value method) cuts planes" [ "$(value method)" = recursive ]
    done
done
checked --operator heat --radius 2 --type f64 --dims 2 --size 57x501 --steps 23 --block 3 \
    --depth 9 --leaf 1 --strip 9
checked --operator fdtd2d --size 37x501 --steps 23 --block 2 --depth 9 --leaf 1 --strip 5
checked --operator seismic --size 13x27x201 --steps 9 --block 2 --depth 9 --leaf 1 --strip 5 \
    --overlap off
checked --operator wave --size 90x80x70 --steps 6 --boundary neumann --strip 20 --ram 20M \
    --disk "$folder"
for alias in 2D-N 2D-T 2D-TBM; do
    checked --operator heat --size 20x31x22 --steps 9 --method $alias
    holds "$alias cuts strips of $(value strip)" [ "$(value strip)" -lt 31 ]
done
# Nobody asks for strips: on cores, and only where nothing else fits.
flat=(--operator heat --size 1500x1500x6 --steps 4 --disk "$folder")
export STARPU_NCUDA=0 STARPU_NCPU=2
expect 3 "$run" "${flat[@]}" --ram 1M --strip 0
uncut=$(sed -n 's/.*use --ram \([0-9]*\)M.*/\1/p' "$work/err")
expect 3 "$run" "${flat[@]}" --ram 1M
least=$(sed -n 's/.*use --ram \([0-9]*\)M.*/\1/p' "$work/err")
holds "with strips $least MiB do, without $uncut" [ "$least" -lt "$uncut" ]
checked "${flat[@]}" --ram "${least}M"
holds "cut to fit: '$(value strip)'" [ -n "$(value strip)" ]
expect 0 "$run" "${flat[@]}" --ram "${uncut}M" --plan
holds "not cut where it fits: '$(value strip)'" [ -z "$(value strip)" ]
finish

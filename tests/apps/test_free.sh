#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Free faces: the bytes of the plain loop by every method, the values of a doubled domain that is
# odd, places of sources and receivers, checkpoints.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
cd "$work"
wave=$apps/zoid-wave
run=$apps/zoid-run

# --- the same bytes

uneven=(--dy 1.25 --dz 0.9)
for method in naive leaning trapezoid recursive overlapped; do
    checked --operator wave --size 18x13x40 --radius 3 --steps 7 "${uneven[@]}" --method $method \
        --boundary free
    checked --operator wave --size 23x19 --type f64 --radius 4 --steps 23 --method $method \
        --block 8 --boundary x+=free,y-=free,y+=neumann
    checked --operator wave --size 131 --dims 1 --radius 2 --steps 40 --method $method \
        --boundary x-=free
    checked --operator heat --size 14x11x30 --type f64 --radius 2 --steps 9 --method $method \
        --boundary z-=free,x-=periodic,x+=periodic
done
for method in leaning trapezoid; do
    # Beside layers of every kind; the lowest slabs.
    checked --operator wave --size 38x33x50 --radius 2 --steps 9 --method $method \
        --block 4 --depth 1 --boundary pml,z-=free,x+=absorb,y-=sponge --absorb-points 7
    checked --operator wave --size 40x41x60 --type f64 --radius 4 --steps 12 --method $method \
        --boundary pml,z+=free,y-=neumann
done
# The domain is smaller than the reach, or a point; both faces are in one sweep.
checked --operator wave --size 3x2x3 --radius 6 --steps 5 --boundary free
checked --operator wave --size 1x7x2 --radius 4 --steps 5 --boundary free,y+=neumann
checked --operator wave --size 1x1x1 --steps 3 --boundary free
checked --operator wave --size 9x3 --radius 4 --steps 5 --boundary y-=free
checked --operator wave --size 40x41x30 --steps 9 --traversal naive --boundary free
# Tiles, by one core and by a team.
checked --operator wave --size 40x400x20 --radius 2 --steps 12 --boundary z-=free,z+=free
checked --operator wave --size 40x400x130 --radius 2 --steps 12 --team 2 --boundary z-=free
checked --operator wave --size 3000x90 --radius 4 --steps 24 --team 2 --boundary y-=free,y+=free
# Cells along all axes, strips, a disk.
checked --operator wave --size 31x29x43 --type f64 --steps 12 --cells 3x2x2 --epoch 2 \
    --boundary free
checked --operator wave --size 93x81 --radius 4 --steps 30 --cells 3x2 --epoch 2 \
    --boundary x-=free,y+=free,y-=absorb --absorb-points 5
checked --operator wave --size 40x37x60 --steps 12 --strip 5 --epoch 2 --boundary free
mkdir disk
checked --operator wave --size 60x50x400 --steps 12 --boundary z-=free --disk "$work/disk" \
    --ram 64M
if has_ranks; then
    ranks 2 "$run" --operator wave --size 40x37x60 --radius 2 --steps 12 --boundary free \
        --oversubscribe --check
    holds "two ranks" [ "$rc$(value check)" = 0passed ]
    ranks 2 "$run" --operator wave --size 23x37x20 --radius 4 --steps 5 --ranks 1x2x1 \
        --boundary free,z+=neumann --oversubscribe --check
    holds "two ranks along y" [ "$rc$(value check)" = 0passed ]
fi

# --- the doubled domain

# odd SIZES TYPE: writes half.raw, which is 0 in the planes x = n - 1, y = 0 and z = 0, and
# whole.raw, in which it is continued to the odd side of them.
cat >odd.py <<'PY'
import random, struct, sys
n, letter = [int(i) for i in sys.argv[1].split("x")], sys.argv[2]
free = [n[0] - 1, 0, 0][:len(n)]
random.seed(7)
half = {}
def at(p):
    q, sign = [], 1
    for i, f in zip(p, free):
        i -= f
        sign *= (i > 0) - (i < 0) if f == 0 else (i < 0) - (i > 0)
        q.append(abs(i))
    if tuple(q) not in half:
        half[tuple(q)] = random.random()
    return sign * half[tuple(q)]
def points(lo, hi):
    if not lo:
        return [()]
    return [p + (i,) for i in range(lo[-1], hi[-1]) for p in points(lo[:-1], hi[:-1])]
def write(name, lo, hi):
    # x is the fastest.
    out = [at(p) for p in sorted(points(lo, hi), key=lambda p: p[::-1])]
    open(name, "wb").write(struct.pack("<%d%s" % (len(out), letter), *out))
write("half.raw", [0] * len(n), n)
write("whole.raw", [1 - m if f == 0 else 0 for m, f in zip(n, free)],
      [m if f == 0 else 2 * m - 1 for m, f in zip(n, free)])
PY
# compare SIZES TYPE: whether u of both runs is the same in the half domain.
cat >part.py <<'PY'
import struct, sys
n, letter = [int(i) for i in sys.argv[1].split("x")] + [1, 1], sys.argv[2]
dims = len(sys.argv[1].split("x"))
big = [2 * m - 1 if a < dims else 1 for a, m in enumerate(n)]
size = struct.calcsize(letter)
def read(name, count):
    return struct.unpack("<%d%s" % (count, letter), open(name, "rb").read()[:count * size])
a = read("a.raw", n[0] * n[1] * n[2])
b = read("b.raw", big[0] * big[1] * big[2])
lo = [0] + [m - 1 if i < dims else 0 for i, m in enumerate(n)][1:]
for z in range(n[2]):
    for y in range(n[1]):
        for x in range(n[0]):
            u = a[x + n[0] * (y + n[1] * z)]
            v = b[x + lo[0] + big[0] * (y + lo[1] + big[1] * (z + lo[2]))]
            if u != v:
                sys.exit("%s: %d, %d, %d is %r, and %r in the whole" % (sys.argv[1], x, y, z, u, v))
sys.exit(0 if any(a) else "all values are 0")
PY
python=${python:-python3}
# doubled SIZES DOUBLED FACES TYPE OPTIONS...
doubled() {
    local letter=f
    if [ "$4" = f64 ]; then letter=d; fi
    "$python" odd.py "$1" $letter
    expect 0 "$run" --size "$1" --type "$4" --boundary "$3" --init u=half.raw --dump a.raw \
        "${@:5}"
    expect 0 "$run" --size "$2" --type "$4" --init u=whole.raw --dump b.raw "${@:5}"
    holds "as in the doubled domain: ${*}" "$python" part.py "$1" $letter
}
for type in f32 f64; do
    doubled 13x11 25x21 x+=free,y-=free $type --operator wave --init u_before=0 --radius 4 \
        --steps 12 --coefficient v2=0.09
    doubled 9x8x12 17x15x23 x+=free,y-=free,z-=free $type --operator wave --init u_before=0 \
        --radius 3 --steps 9 --coefficient v2=0.09
    doubled 9x8x12 17x15x23 x+=free,y-=free,z-=free $type --operator heat --radius 2 --steps 9
done

# --- sources and receivers

shot=(--size 40x30 --steps 20 --init zero --coefficient v2=0.09 --boundary y-=free)
expect 0 "$wave" "${shot[@]}" --source 20,1:ricker:0.05 --receivers 20,0 --receivers 3,0.5 \
    --record seen.npy --dump u.raw
holds "nothing at the surface" [ "$(head -c $((40 * 4)) u.raw | tr -d '\0')" = "" ]
holds "and something below" [ "$(head -c $((40 * 40)) u.raw | tr -d '\0')" != "" ]
expect 2 "$wave" "${shot[@]}" --source 20,0.5:ricker:0.05
says 'source 1 is at 0.5 along y, in the layers at a face whose values stay; give a place from 1'
for operator in seismic heatk jacobi box27 life3d; do
    expect 2 "$run" --operator $operator --size 9x9x9 --boundary z-=free
    says "$operator cannot have a free boundary"
done

# --- checkpoints

if ! lacks HDF5; then
    box=("$wave" --size 30x31x36 --radius 2 --boundary "pml,z-=free,x-=neumann" --pml-points 5)
    expect 0 "${box[@]}" --steps 30 --dump whole.raw
    expect 0 "${box[@]}" --steps 12 --method leaning --block 5 --depth 3 --checkpoint ck \
        --checkpoint-every 6
    observe "$wave" --steps 30 --restart ck --method trapezoid --block 11 --depth 2 \
        --dump again.raw --check
    holds "it goes on" [ "$rc$(value check)" = 0passed ]
    holds "it ends with the same values" cmp whole.raw again.raw
    expect 2 "$wave" --steps 30 --restart ck --boundary pml,z-=neumann,x-=neumann
    says 'contradicts the checkpoint'
fi

finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Faces that are held at the values of a series: those of the definition, the bytes of the plain
# loop by every method, forms of series, refusals, checkpoints.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
cd "$work"
heat=$apps/zoid-heat
run=$apps/zoid-run
python=${python:-python3}

# --- the definition

# write.py FILE VALUES...: writes a line of f8 for NumPy.
cat >write.py <<'PY'
import struct, sys
v = [float(x) for x in sys.argv[2:]]
head = "{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }" % len(v)
head += " " * (63 - (10 + len(head)) % 64) + "\n"
open(sys.argv[1], "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) +
                              head.encode() + struct.pack("<%dd" % len(v), *v))
PY
# heat of radius 2, or heatk with kx = ky = kz = 0.125, from start.raw, in f64: x- has the numbers
# of a file, y+ a constant, z- a sine, z+ a wavelet, and x+ and y- keep their values.
cat >held.py <<'PY'
import math, struct, sys
from fractions import Fraction as F
name, n, steps = sys.argv[1], [int(i) for i in sys.argv[2].split("x")], int(sys.argv[3])
r, points = (2, 1)[name == "heatk"], n[0] * n[1] * n[2]
c = [F(-5.0 / 2), F(4.0 / 3), F(-1.0 / 12)]
u = list(struct.unpack("<%dd" % points, open("start.raw", "rb").read()))
def fma(a, b, c):
    return float(F(a) * F(b) + F(c))
def sum_of(p):
    step = (1, n[0], n[0] * n[1])
    if name == "heat":
        acc = float(3 * c[0]) * u[p]
        for i in (1, 2):
            for s in step:
                acc = fma(float(c[i]), u[p - i * s] + u[p + i * s], acc)
        return fma(0.08, acc, u[p])
    acc = 0.0
    for s in step:
        acc = fma(0.125, u[p + s] - u[p], acc)
        acc = fma(0.125, u[p - s] - u[p], acc)
    return u[p] + acc
for t in range(steps):
    v, at = list(u), 0
    x_low, y_high = [3, -1, 0.5][min(t, 2)], 0.75
    w = math.pi * 0.05 * (t - 3)
    z_low = 0.25 * math.sin(2 * math.pi * 0.1 * t)
    z_high = (1 - 2 * (w * w)) * math.exp(-(w * w))
    for z in range(n[2]):
        for y in range(n[1]):
            for x in range(n[0]):
                if all(r <= i < m - r for i, m in zip((x, y, z), n)):
                    v[at] = sum_of(at)
                if x < r:
                    v[at] = x_low
                if y >= n[1] - r:
                    v[at] = y_high
                if z < r:
                    v[at] = z_low
                if z >= n[2] - r:
                    v[at] = z_high
                at += 1
    u = v
open("want.raw", "wb").write(struct.pack("<%dd" % points, *u))
PY
"$python" write.py tide.npy 3 -1 0.5
held=(--boundary 'dirichlet,x-=held,y+=held,z-=held,z+=held' --held 'x-=tide.npy'
    --held 'y+=constant:0.75' --held 'z-=sine:0.1,0.25' --held 'z+=ricker:0.05,3')
for operator in heat heatk; do
    box=(--operator "$operator" --size 9x8x7 --type f64)
    if [ $operator = heat ]; then box+=(--radius 2); else
        box+=(--coefficient kx=0.125 --coefficient ky=0.125 --coefficient kz=0.125)
    fi
    expect 0 "$run" "${box[@]}" --steps 0 --dump start.raw
    expect 0 "$run" "${box[@]}" --steps 7 "${held[@]}" --dump got.raw --check
    "$python" held.py $operator 9x8x7 7
    holds "$operator is as defined" cmp got.raw want.raw
done

# --- the same bytes

all=(--boundary held)
for face in x- x+ y-; do all+=(--held "$face=sine:0.02,0.5"); done
for face in y+ z- z+; do all+=(--held "$face=ricker:0.1,3"); done
for method in naive leaning trapezoid recursive overlapped; do
    checked --operator heat --size 18x13x40 --radius 3 --steps 7 --dz 1.2 --method $method \
        "${all[@]}"
    checked --operator heatk --size 14x11x30 --type f64 --steps 9 --method $method \
        --boundary z-=held,x-=periodic,x+=periodic,z+=neumann --held z-=ricker:0.1
    checked --operator heat --size 23x19 --type f64 --radius 4 --steps 23 --method $method \
        --block 8 --boundary x+=held,y-=held,y+=free --held x+=constant:2 --held y-=tide.npy
    checked --operator heatk --size 131 --dims 1 --steps 40 --method $method --boundary x-=held \
        --held x-=tide.npy
done
# The domain is smaller than the reach, or a point; mirrored points are held ones.
checked --operator heat --size 3x2x3 --radius 6 --steps 5 "${all[@]}"
checked --operator heat --size 1x1x1 --steps 3 "${all[@]}"
checked --operator heat --size 5x4 --radius 4 --steps 5 --boundary y-=held,y+=neumann,x+=neumann \
    --held y-=tide.npy
checked --operator heat --size 40x41x30 --steps 9 --traversal naive "${all[@]}"
# Tiles, by one core and by a team.
checked --operator heat --size 40x400x20 --radius 2 --steps 12 "${all[@]}"
checked --operator heat --size 40x400x130 --radius 2 --steps 12 --team 2 "${all[@]}"
checked --operator heat --size 3000x90 --radius 4 --steps 24 --team 2 --boundary y-=held,x+=held \
    --held y-=sine:0.1 --held x+=tide.npy
# Cells along all axes, strips, a disk.
checked --operator heat --size 31x29x43 --type f64 --steps 12 --cells 3x2x2 --epoch 2 "${all[@]}"
checked --operator heatk --size 93x81 --steps 30 --cells 3x2 --epoch 2 \
    --boundary x-=held,y+=held --held x-=sine:0.01 --held y+=tide.npy
checked --operator heat --size 40x37x60 --steps 12 --strip 5 --epoch 2 "${all[@]}"
mkdir disk
checked --operator heat --size 60x50x400 --steps 12 "${all[@]}" --disk "$work/disk" --ram 64M
if has_ranks; then
    ranks 2 "$run" --operator heat --size 40x37x60 --radius 2 --steps 12 "${all[@]}" \
        --oversubscribe --check
    holds "two ranks" [ "$rc$(value check)" = 0passed ]
fi

# --- series and refusals

# A source at the same series, of a field that a step does not change otherwise.
line=(--size 64 --dims 1 --lambda 0 --steps 9 --init zero --type f64)
for series in sine:0.1 sine:0.1,2 ricker:0.05 constant:3 tide.npy; do
    expect 0 "$heat" "${line[@]}" --source "20:$series" --dump a.raw
    expect 0 "$heat" "${line[@]}" --boundary x-=held --held "x-=$series" --dump b.raw
    holds "the last value of $series" "$python" - "$series" <<'PY'
import math, struct, sys
a, b = [struct.unpack("<64d", open(f, "rb").read()) for f in ("a.raw", "b.raw")]
kind, _, rest = sys.argv[1].partition(":")
s = {"sine": [float((rest + ",1").split(",")[1]) * math.sin(2 * math.pi * 0.1 * t)
              for t in range(9)], "constant": [3] * 9, "tide.npy": [3, -1, 0.5]}.get(kind)
if s is None:
    s = [(1 - 2 * r * r) * math.exp(-(r * r))
         for r in (math.pi * 0.05 * (t - 20) for t in range(9))]
sys.exit(abs(a[20] - sum(s)) > 1e-12 or abs(b[0] - s[-1]) > 1e-12 or any(b[1:]))
PY
done
expect 2 "$heat" "${line[@]}" --boundary x-=held
says 'the boundary x- is held, and its values are missing; give --held x-=SERIES'
expect 2 "$heat" "${line[@]}" --held x-=constant:1
says '--held x-=...: the boundary x- is dirichlet; give --boundary x-=held'
expect 2 "$heat" "${line[@]}" --boundary x-=held --held x=constant:1
says "--held 'x=constant:1' names no face"
expect 2 "$heat" "${line[@]}" --boundary x-=held --held x-=sine:0
says '--held: a sine of 0 cycles a step; give more than 0'
expect 2 "$heat" "${line[@]}" --boundary x-=held --held x-=constant:nan
expect 4 "$heat" "${line[@]}" --boundary x-=held --held x-=none.npy
expect 2 "$heat" "${line[@]}" --type f32 --boundary x-=held --held x-=constant:1e39
says 'in step 0, and f32 takes finite values'
expect 2 "$heat" "${line[@]}" --boundary x-=held --held x-=constant:1 --source 0:constant:1
says 'source 1 is at 0 along x, in the layers at a face that is held; give a place from 1 to 62'
expect 2 "$heat" "${line[@]}" --boundary x-=held --held x-=constant:1 --source 63:constant:1
says 'source 1 is at 63 along x, in the layers at a face whose values stay; give a place from 1 to'
expect 2 "$heat" "${line[@]}" --boundary x+=held --held x+=constant:1 --receivers 62.5
says 'receiver 1 is at 62.5 along x, in the layers at a face that is held'
expect 2 "$heat" "${line[@]}" --held z-=constant:1
says '--held z-=...: the domain has 1 dimensions, and no face along z; drop it'
expect 2 "$run" --operator wave --size 9x9x9 --held z-=constant:1
says '--held z-=...: wave cannot have a held boundary; drop it'
for operator in wave seismic jacobi box27 life3d; do
    expect 2 "$run" --operator $operator --size 9x9x9 --boundary z-=held --held z-=constant:1
    says "$operator cannot have a held boundary"
done

# --- checkpoints

if ! lacks HDF5; then
    box=("$heat" --size 30x31x36 --radius 2 "${held[@]}")
    expect 0 "${box[@]}" --steps 30 --dump whole.raw
    expect 0 "${box[@]}" --steps 12 --method leaning --block 5 --depth 3 --checkpoint ck \
        --checkpoint-every 6
    mv tide.npy gone.npy
    observe "$heat" --steps 30 --restart ck --method trapezoid --block 11 --depth 2 \
        --dump again.raw --check
    holds "it goes on" [ "$rc$(value check)" = 0passed ]
    holds "it ends with the same values" cmp whole.raw again.raw
    mv gone.npy tide.npy
    expect 0 "${box[@]}" --steps 30 --restart ck --dump again.raw
    holds "and by the same options" cmp whole.raw again.raw
    expect 2 "$heat" --steps 30 --restart ck --held y+=constant:0.5
    says '--held is not what the checkpoint'
    expect 2 "$heat" --steps 30 --restart ck --boundary x-=held
    says '--boundary'
fi

finish

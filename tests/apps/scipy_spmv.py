# SPDX-License-Identifier: BSD-3-Clause
# What tests/apps/test_scipy.sh compares: scipy_spmv.py PROGRAM FOLDER.
import subprocess
import sys

import numpy
import scipy.io
import scipy.sparse
import scipy.sparse.csgraph

program, folder = sys.argv[1:]
random = numpy.random.default_rng(7)
failures = 0


def holds(what, fine):
    global failures
    failures += not fine
    if not fine:
        print("FAILED:", what)


def run(*options):
    """Runs the program; the derived values of its report, by name."""
    done = subprocess.run([program, *map(str, options)], capture_output=True, text=True,
                          timeout=100)
    holds(f"{options}: {done.returncode} {done.stderr}", done.returncode == 0)
    return dict(line.split(None, 1) for line in done.stdout.splitlines() if " " in line)


def close(what, name, should):
    values = numpy.load(f"{folder}/{name}.npy")
    scale = numpy.abs(should).max()
    holds(f"{what}: other values", values.shape == should.shape
          and numpy.abs(values - should).max() <= 1e-12 * scale)


def band(n, width, density):
    """Few entries within a band, and the diagonal."""
    a = scipy.sparse.random(n, n, density, random_state=int(random.integers(1 << 30)))
    a = scipy.sparse.triu(scipy.sparse.tril(a, width), -width) + scipy.sparse.identity(n) / 2
    return scipy.sparse.csr_matrix(a / numpy.abs(a).sum(axis=1).max())


def petsc(path, a, index):
    a = scipy.sparse.csr_matrix(a)
    with open(path, "wb") as f:
        for part in ([1211216, *a.shape, a.nnz], numpy.diff(a.indptr), a.indices):
            f.write(numpy.asarray(part).astype(index).tobytes())
        f.write(a.data.astype(">f8").tobytes())


def files():
    """Every sort of file, twice three steps of two vectors."""
    n = 300
    a = band(n, 40, 0.05)
    x = random.random((n, 2))
    numpy.save(f"{folder}/x.npy", x)
    general, symmetric, skew = a, a + a.T, a - a.T
    scipy.io.mmwrite(f"{folder}/general.mtx", general, symmetry="general", precision=17)
    scipy.io.mmwrite(f"{folder}/symmetric.mtx", symmetric, symmetry="symmetric", precision=17)
    scipy.io.mmwrite(f"{folder}/skew.mtx", skew, symmetry="skew-symmetric", precision=17)
    scipy.io.mmwrite(f"{folder}/array.mtx", general.toarray(), precision=17)
    petsc(f"{folder}/narrow", general, ">i4")
    petsc(f"{folder}/wide", general, ">i8")
    kinds = {"general.mtx": general, "symmetric.mtx": symmetric, "skew.mtx": skew,
             "array.mtx": general, "narrow": general, "wide": general}
    for name, matrix in kinds.items():
        read = scipy.io.mmread(f"{folder}/{name}") if name.endswith(".mtx") else matrix
        should = x
        for _ in range(3):
            should = scipy.sparse.csr_matrix(read) @ should
        for reorder in "none", "rcm":
            run("--matrix", f"{folder}/{name}", "--vectors", 2, "--vector", f"{folder}/x.npy",
                "--steps", 3, "--reorder", reorder, "--dump", f"{folder}/y.npy")
            close(f"{name}, {reorder}", "y", should)


def polynomials():
    n, steps = 400, 6
    a = band(n, 20, 0.2)
    scipy.io.mmwrite(f"{folder}/a.mtx", a, symmetry="general", precision=17)
    x, b = random.random((n, 1)), random.random((n, 1))
    numpy.save(f"{folder}/x.npy", x)
    numpy.save(f"{folder}/b.npy", b)
    numbers = random.random(steps + 1)
    numpy.savetxt(f"{folder}/terms", numbers)
    lo, hi, omega = -0.5, 1.5, 0.75
    scaled = (a * 2 - scipy.sparse.identity(n) * (hi + lo)) / (hi - lo)
    shifts = [0.1, 0.2, 0.25 + 0.5j, 0.25 - 0.5j, 0.3, 0.4]
    bases = {"power": [x], f"chebyshev:{lo},{hi}": [x], f"richardson:{omega}": [x],
             "newton:0.1,0.2,0.25+0.5i,0.3,0.4": [x]}
    for name, v in bases.items():
        for i in range(steps):
            if name == "power":
                v.append(a @ v[i])
            elif name.startswith("chebyshev"):
                v.append(2 * (scaled @ v[i]) - v[i - 1] if i else scaled @ v[i])
            elif name.startswith("richardson"):
                v.append(v[i] + omega * (b - a @ v[i]))
            else:
                v.append(a @ v[i] - shifts[i] * v[i])
        more = ["--rhs", f"{folder}/b.npy"] if name.startswith("richardson") else []
        options = ["--matrix", f"{folder}/a.mtx", "--vector", f"{folder}/x.npy", "--steps", steps,
                   "--polynomial", name, *more, "--dump", f"{folder}/y.npy"]
        run(*options)
        close(name, "y", v[-1].real)
        # Of a pair of shifts the first step has the real part alone.
        if not name.startswith("newton"):
            run(*options, "--terms", f"{folder}/terms")
            close(f"the sum of {name}", "y", sum(s * w for s, w in zip(numbers, v)))


def bandwidth(a):
    a = scipy.sparse.coo_matrix(a)
    return int(numpy.abs(a.row - a.col).max())


def orders():
    for i in range(10):
        n = 200 + 90 * i
        a = band(n, 3 + 4 * i, 0.03 + 0.3 / (i + 1))
        mixed = random.permutation(n)
        a = scipy.sparse.csr_matrix(a[mixed][:, mixed])
        a = scipy.sparse.csr_matrix(a + a.T)
        scipy.io.mmwrite(f"{folder}/mixed.mtx", a, precision=17)
        order = scipy.sparse.csgraph.reverse_cuthill_mckee(a, True)
        theirs = bandwidth(a[order][:, order])
        ours = int(run("--matrix", f"{folder}/mixed.mtx", "--reorder", "rcm",
                       "--steps", 1)["derived.lower"])
        holds(f"{n} rows: a band of {ours}, and SciPy's is {theirs}", ours <= 1.05 * theirs + 1)


files()
polynomials()
orders()
sys.exit(failures > 0)

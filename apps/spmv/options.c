/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/spmv/options.h"

#include <stddef.h>

#include "runtime/session/number.h"

struct zoid_spmv_said zoid_spmv_said = {.steps = -1, .vectors = 1, .polynomial_text = "power"};

static enum zoid_status read_duplicates(const struct zoid_option *option, const char *value,
                                        void *into)
{
    static const char *const names[] = {"refuse", "sum", NULL};
    const int i = zoid_read_name(option, value, names);

    (void)into;
    zoid_spmv_said.matrix.sum = i == 1;
    return i < 0 ? ZOID_BAD_ARGUMENT : ZOID_OK;
}

static enum zoid_status read_reorder(const struct zoid_option *option, const char *value,
                                     void *into)
{
    static const char *const names[] = {"none", "rcm", NULL};
    const int i = zoid_read_name(option, value, names);

    (void)into;
    zoid_spmv_said.matrix.reorder = i == 1;
    return i < 0 ? ZOID_BAD_ARGUMENT : ZOID_OK;
}

static enum zoid_status read_format(const struct zoid_option *option, const char *value, void *into)
{
    const char *const names[] = {zoid_format_name(ZOID_FORMAT_AUTO),
                                 zoid_format_name(ZOID_FORMAT_DIA),
                                 zoid_format_name(ZOID_FORMAT_SELL), NULL};
    const int i = zoid_read_name(option, value, names);

    (void)into;
    if (i >= 0)
        zoid_spmv_said.format = (enum zoid_format)i;
    return i < 0 ? ZOID_BAD_ARGUMENT : ZOID_OK;
}

static enum zoid_status read_type(const struct zoid_option *option, const char *value, void *into)
{
    static const char *const names[] = {"f64", "f32", NULL};
    const int i = zoid_read_name(option, value, names);

    if (i >= 0)
        ((struct zoid_options *)into)->type = i ? ZOID_F32 : ZOID_F64;
    return i < 0 ? ZOID_BAD_ARGUMENT : ZOID_OK;
}

static enum zoid_status read_polynomial(const struct zoid_option *option, const char *value,
                                        void *into)
{
    (void)option, (void)into;
    zoid_spmv_said.polynomial_text = value;
    return zoid_polynomial_read(value, &zoid_spmv_said.polynomial);
}

static enum zoid_status read_rhs(const struct zoid_option *option, const char *value, void *into)
{
    (void)into;
    zoid_spmv_said.rhs = value;
    zoid_spmv_said.right =
        zoid_number_real(option->name, value, &zoid_spmv_said.rhs_value) ? value : NULL;
    return ZOID_OK;
}

static enum zoid_status read_init(const struct zoid_option *option, const char *value, void *into)
{
    const int i = zoid_read_name(option, value, zoid_init_names);

    if (i >= 0)
        ((struct zoid_options *)into)->init = (enum zoid_init)i;
    return i < 0 ? ZOID_BAD_ARGUMENT : ZOID_OK;
}

#define OWN(member) .own = &zoid_spmv_said, .at = offsetof(struct zoid_spmv_said, member)

const struct zoid_option zoid_spmv_problem[] = {
    {.doc = "The matrix:"},
    {.name = "matrix",
     .arg = "FILE|band:W|laplace:NXxNY[xNZ]|random:W,DENSITY",
     .doc = "a square matrix: a file of Matrix Market's (.mtx, or that compressed by gzip), or of "
            "PETSc's (binary); or by a rule: all W diagonals on either side, random; minus the "
            "Laplacian on a grid; of a band so many of the entries [band:32]",
     .read = zoid_read_path,
     OWN(matrix.text)},
    {.name = "rows",
     .arg = "N",
     .doc = "rows of band:W and random:W,DENSITY [64K]",
     .read = zoid_read_long,
     OWN(matrix.rows),
     .least = 1},
    {.name = "duplicates",
     .arg = "refuse|sum",
     .doc = "entries of a file that have the same place [refuse]",
     .read = read_duplicates},
    {.name = "reorder",
     .arg = "rcm|none",
     .doc = "number rows and columns anew, by reverse Cuthill-McKee, so that the band is narrow "
            "[none]",
     .read = read_reorder},
    {.name = "format",
     .arg = "dia|sell|auto",
     .doc = "how rows lie in memory: dia, all of the band, with its zeros; sell, entries with "
            "their columns; auto, what the matrix makes smaller [auto]",
     .read = read_format},
    {.name = "type", .arg = "f64|f32", .doc = "type of a value [f64]", .read = read_type},
    {.doc = "What is computed:"},
    {.name = "steps",
     .arg = "K",
     .doc = "times that the matrix is applied [10, or as many as --terms or newton have; the most "
            "of a power iteration, 10000]",
     .read = zoid_read_long,
     OWN(steps)},
    {.name = "polynomial",
     .arg = "power|chebyshev:LO,HI|newton:SHIFTS|richardson:OMEGA",
     .doc =
         "what a step makes of x: power, A x; chebyshev, Chebyshev's recurrence for eigenvalues "
         "in an interval; newton, (A - S) x, with shifts S, S, ..., of which X+Yi is two, X + Yi "
         "and X - Yi; richardson, x + OMEGA (b - A x) [power]",
     .read = read_polynomial},
    {.name = "terms",
     .arg = "FILE",
     .doc = "add up the vectors of all steps, each times a number of this file, which has one more "
            "than steps, the first for the vector itself [no sum]",
     .read = zoid_read_path,
     OWN(terms)},
    {.name = "rhs",
     .arg = "FILE|X",
     .doc = "b of richardson, one number for each row and vector, or one for all [0]",
     .read = read_rhs},
    {.name = "power-iteration",
     .arg = "TOL",
     .doc = "scale the vector every 16 steps, until the eigenvalue moves by no more than TOL times "
            "itself; exit with 1 if it never does",
     .read = zoid_read_tolerance,
     OWN(tolerance)},
    {.name = "vectors",
     .arg = "M",
     .doc = "vectors that the matrix is multiplied with at once [1]",
     .read = zoid_read_long,
     OWN(vectors),
     .least = 1},
    {.name = "vector",
     .arg = "FILE[:DATASET]",
     .doc = "what they are at first, row after row: of NumPy's, HDF5 or raw [what --init says]",
     .read = zoid_read_path,
     OWN(vector)},
    {.name = "init",
     .arg = "random|zero|point|hot",
     .doc =
         "what they are without a file; a point is 1 in the middle row and 0 elsewhere; hot is 1 "
         "in the first row and 0 elsewhere [random]",
     .read = read_init},
    {.name = "seed",
     .arg = "N",
     .doc = "seed of random vectors, and of random matrices [0]",
     .read = zoid_read_u64,
     .at = offsetof(struct zoid_options, seed)},
    {.name = NULL},
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* Polynomials of a band matrix, times vectors: which matrix, which polynomial, which vectors. */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "apps/driver/driver.h"
#include "apps/driver/numbers.h"
#include "apps/matrix/named.h"
#include "apps/spmv/polynomial.h"
#include "apps/spmv/power.h"

/* What the command line says beside what it says to every program, and what is made of it. */
static struct {
    struct zoid_named_matrix_options matrix;
    enum zoid_format format;
    long vectors, steps; /* steps: -1: not given */
    const char *vector, *terms, *rhs;
    const char *right; /* the file that rhs is; NULL: it is a number, or there is none */
    double tolerance;  /* of power iteration; 0: there is none */
    struct zoid_polynomial polynomial;

    struct zoid_named_matrix *named;
    struct zoid_band *band;
    struct zoid_vectors with;
    struct zoid_initial initial;
    const char *polynomial_text;
} wanted = {.steps = -1, .vectors = 1, .polynomial_text = "power"};

/* Of a default run, and the most of a power iteration. */
enum { STEPS = 10, POWER_STEPS = 10000 };

/* ---- options ------------------------------------------------------------------------------- */

static enum zoid_status read_matrix(const struct zoid_option *option, const char *value, void *into)
{
    (void)into;
    return zoid_read_path(option, value, &wanted.matrix.text);
}

static enum zoid_status read_rows(const struct zoid_option *option, const char *value, void *into)
{
    (void)into;
    return zoid_read_long(option, value, &wanted.matrix.rows);
}

static enum zoid_status read_duplicates(const struct zoid_option *option, const char *value,
                                        void *into)
{
    static const char *const names[] = {"refuse", "sum", NULL};
    const int i = zoid_read_name(option, value, names);

    (void)into;
    wanted.matrix.sum = i == 1;
    return i < 0 ? ZOID_BAD_ARGUMENT : ZOID_OK;
}

static enum zoid_status read_reorder(const struct zoid_option *option, const char *value,
                                     void *into)
{
    static const char *const names[] = {"none", "rcm", NULL};
    const int i = zoid_read_name(option, value, names);

    (void)into;
    wanted.matrix.reorder = i == 1;
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
        wanted.format = (enum zoid_format)i;
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

static enum zoid_status read_steps(const struct zoid_option *option, const char *value, void *into)
{
    (void)into;
    return zoid_read_long(option, value, &wanted.steps);
}

static enum zoid_status read_vectors(const struct zoid_option *option, const char *value,
                                     void *into)
{
    (void)into;
    return zoid_read_long(option, value, &wanted.vectors);
}

static enum zoid_status read_vector(const struct zoid_option *option, const char *value, void *into)
{
    (void)into;
    return zoid_read_path(option, value, &wanted.vector);
}

static enum zoid_status read_polynomial(const struct zoid_option *option, const char *value,
                                        void *into)
{
    (void)option, (void)into;
    wanted.polynomial_text = value;
    return zoid_polynomial_read(value, &wanted.polynomial);
}

static enum zoid_status read_terms(const struct zoid_option *option, const char *value, void *into)
{
    (void)into;
    return zoid_read_path(option, value, &wanted.terms);
}

static enum zoid_status read_rhs(const struct zoid_option *option, const char *value, void *into)
{
    (void)into;
    wanted.rhs = value;
    wanted.right = zoid_number_real(option->name, value, &wanted.with.rhs) ? value : NULL;
    return ZOID_OK;
}

static enum zoid_status read_tolerance(const struct zoid_option *option, const char *value,
                                       void *into)
{
    enum zoid_status status = zoid_number_real(option->name, value, &wanted.tolerance);

    (void)into;
    if (!status && !(wanted.tolerance > 0))
        status = zoid_fail(ZOID_BAD_ARGUMENT, "--%s %s is never reached; give more than 0",
                           option->name, value);
    return status;
}

static enum zoid_status read_init(const struct zoid_option *option, const char *value, void *into)
{
    static const char *const names[] = {[ZOID_INIT_RANDOM] = "random",
                                        [ZOID_INIT_ZERO] = "zero",
                                        [ZOID_INIT_POINT] = "point",
                                        [ZOID_INIT_HOT] = "hot",
                                        NULL};
    const int i = zoid_read_name(option, value, names);

    if (i >= 0)
        ((struct zoid_options *)into)->init = (enum zoid_init)i;
    return i < 0 ? ZOID_BAD_ARGUMENT : ZOID_OK;
}

static const struct zoid_option problem[] = {
    {.doc = "The matrix:"},
    {.name = "matrix",
     .arg = "FILE|band:W|laplace:NXxNY[xNZ]|random:W,DENSITY",
     .doc = "a square matrix: a file of Matrix Market's (.mtx, or that compressed by gzip), or of "
            "PETSc's (binary); or by a rule: all W diagonals on either side, random; minus the "
            "Laplacian on a grid; of a band so many of the entries [band:32]",
     .read = read_matrix},
    {.name = "rows",
     .arg = "N",
     .doc = "rows of band:W and random:W,DENSITY [64K]",
     .read = read_rows,
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
     .read = read_steps},
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
     .read = read_terms},
    {.name = "rhs",
     .arg = "FILE|X",
     .doc = "b of richardson, one number for each row and vector, or one for all [0]",
     .read = read_rhs},
    {.name = "power-iteration",
     .arg = "TOL",
     .doc = "scale the vector every 16 steps, until the eigenvalue moves by no more than TOL times "
            "itself; exit with 1 if it never does",
     .read = read_tolerance},
    {.name = "vectors",
     .arg = "M",
     .doc = "vectors that the matrix is multiplied with at once [1]",
     .read = read_vectors,
     .least = 1},
    {.name = "vector",
     .arg = "FILE[:DATASET]",
     .doc = "what they are at first, row after row: of NumPy's, HDF5 or raw [what --init says]",
     .read = read_vector},
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

/* ---- the problem --------------------------------------------------------------------------- */

static enum zoid_status check_together(const struct zoid_options *o)
{
    const bool power = wanted.tolerance > 0;
    const bool richardson = wanted.polynomial.basis == ZOID_RICHARDSON;

    (void)o;
    if (power && (wanted.polynomial.basis != ZOID_POWER || wanted.terms))
        return zoid_fail(ZOID_BAD_ARGUMENT, "--power-iteration takes powers and no sum; drop "
                                            "--polynomial and --terms");
    if (power && wanted.vectors > 1)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "--power-iteration takes one vector, not %ld; drop --vectors",
                         wanted.vectors);
    if (wanted.rhs && !richardson)
        return zoid_fail(ZOID_BAD_ARGUMENT, "--rhs is for richardson:OMEGA; drop it");
    return ZOID_OK;
}

static enum zoid_status set_steps(struct zoid_options *o)
{
    const struct zoid_polynomial *p = &wanted.polynomial;
    const long most = zoid_polynomial_most(p);

    o->steps = wanted.steps >= 0 ? wanted.steps : wanted.tolerance > 0 ? POWER_STEPS : STEPS;
    if (wanted.steps < 0 && most < LONG_MAX)
        o->steps = most;
    if (p->number && p->numbers != o->steps + 1)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "--terms %s has %ld numbers, and %ld steps take %ld; let them agree",
                         wanted.terms, p->numbers, o->steps, o->steps + 1);
    if (o->steps > most)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "--polynomial %s has shifts for %ld steps, not %ld; give more of them, or "
                         "fewer --steps",
                         wanted.polynomial_text, most, o->steps);
    return ZOID_OK;
}

static enum zoid_status make_terms(const struct zoid_options *o)
{
    struct zoid_term *term = NULL;
    enum zoid_status status =
        zoid_polynomial_terms(&wanted.polynomial, o->steps, wanted.rhs != NULL, &term);

    if (!status)
        status = zoid_band_set_terms(wanted.band, 0, term, o->steps > 0 ? o->steps : 1);
    free(term);
    return status;
}

static enum zoid_status make_band(struct zoid_options *o, struct zoid_problem *p)
{
    const struct zoid_matrix *matrix = zoid_named_matrix_get(wanted.named);
    const struct zoid_band_options options = {
        .matrix = matrix,
        .type = o->type == ZOID_TYPES ? ZOID_F64 : o->type,
        .format = wanted.format,
        .vectors = wanted.vectors,
        .previous = wanted.tolerance > 0 || zoid_polynomial_looks_back(&wanted.polynomial),
        .sum = wanted.polynomial.number != NULL,
        .rhs = wanted.rhs ? zoid_vectors_rhs : NULL,
        .rhs_user = &wanted.with};
    enum zoid_status status = zoid_band_create(&options, &wanted.band);

    if (status)
        return status;
    *p = (struct zoid_problem){.op = zoid_band_op(wanted.band),
                               .n = {zoid_matrix_about(matrix).n, 1, 1},
                               .steps = o->steps};
    /* What runs between two looks is planned. */
    if (wanted.tolerance > 0 && p->steps > ZOID_POWER_LEG)
        p->steps = ZOID_POWER_LEG;
    status = make_terms(o);
    return status ? status : zoid_problem_check(p);
}

/* What is written: the sum, which is the last field, or x. */
static int result(void)
{
    const struct zoid_op *op = zoid_band_op(wanted.band);

    return wanted.polynomial.number ? op->nstate - 1 : 0;
}

static enum zoid_status open_vectors(const struct zoid_problem *p)
{
    enum zoid_status status = ZOID_OK;

    wanted.with.problem = p;
    wanted.with.order = zoid_named_matrix_order(wanted.named);
    wanted.with.initial = &wanted.initial;
    if (wanted.polynomial.number)
        wanted.with.first = wanted.polynomial.number[0];
    zoid_vectors_show(&wanted.with, p->op->field[result()]);
    if (wanted.vector)
        status = zoid_vectors_open(&wanted.with, wanted.vector, &wanted.with.input);
    if (!status && wanted.right)
        status = zoid_vectors_open(&wanted.with, wanted.right, &wanted.with.right);
    return status;
}

static enum zoid_status make(struct zoid_options *o, struct zoid_problem *p)
{
    enum zoid_status status = check_together(o);

    if (!status && wanted.terms)
        status = zoid_polynomial_sum(wanted.terms, &wanted.polynomial);
    if (!status)
        status = set_steps(o);
    if (!wanted.matrix.text)
        wanted.matrix.text = "band:32";
    wanted.matrix.seed = o->seed;
    o->again = wanted.tolerance > 0;
    if (!status)
        status = zoid_named_matrix_open(&wanted.matrix, &wanted.named);
    if (!status)
        status = make_band(o, p);
    wanted.steps = o->steps;
    return status ? status : open_vectors(p);
}

/* ---- the run ------------------------------------------------------------------------------- */

static void start(struct zoid_initial *initial)
{
    wanted.initial = *initial;
    initial->state = zoid_vectors_box;
    initial->of = &wanted.with;
}

static enum zoid_status pieces(struct zoid_job *job)
{
    enum zoid_status status = zoid_band_fill(wanted.band, job);

    return status ? status : zoid_vectors_status(&wanted.with);
}

static void derive(const struct zoid_powered *powered, struct zoid_derived *derived)
{
    const struct zoid_matrix_about m = zoid_matrix_about(zoid_named_matrix_get(wanted.named));
    const double band = (double)m.n * (double)(m.lower + 1 + m.upper) -
                        (double)m.lower * (double)(m.lower + 1) / 2 -
                        (double)m.upper * (double)(m.upper + 1) / 2;
    const struct zoid_derived all[] = {
        {.name = "format", .text = zoid_format_name(zoid_band_format(wanted.band))},
        {.name = "lower", .value = (double)m.lower},
        {.name = "upper", .value = (double)m.upper},
        {.name = "entries", .value = (double)m.entries},
        {.name = "fill", .value = (double)m.entries / band},
        {.name = powered ? "eigenvalue" : NULL, .value = powered ? powered->eigenvalue : 0}};

    memcpy(derived, all, sizeof all);
}

static enum zoid_status run(struct zoid_job *job, const struct zoid_initial *initial, bool progress,
                            struct zoid_report *report)
{
    const struct zoid_power power = {.vectors = &wanted.with,
                                     .band = wanted.band,
                                     .tolerance = wanted.tolerance,
                                     .steps = wanted.steps,
                                     .progress = progress};
    struct zoid_powered powered;
    enum zoid_status status;

    (void)initial;
    if (wanted.tolerance > 0) {
        status = zoid_power_run(&power, job, report, &powered);
        derive(&powered, report->derived);
        return status;
    }
    status = zoid_job_run(job, progress, report);
    derive(NULL, report->derived);
    return status ? status : zoid_vectors_finite(&wanted.with, job, result());
}

static enum zoid_status each(const struct zoid_job *job, zoid_part_fn *part, void *user)
{
    return zoid_vectors_each(&wanted.with, job, result(), part, user);
}

int main(int argc, char **argv)
{
    static const char *const families[] = {NULL};
    static const struct zoid_app app = {
        .name = "zoid-spmv",
        .families = families,
        .problem = problem,
        .summary = "Multiplies vectors with a band matrix many times, or with a polynomial of it, "
                   "where the matrix may be larger than the memory next to the processor.",
        .own_params = true,
        .make = make,
        .start = start,
        .pieces = pieces,
        .run = run,
        .each = each,
        .shown = &wanted.with.shown,
    };
    const int code = zoid_app_main(&app, argc, argv);

    zoid_input_close(&wanted.with.input);
    zoid_input_close(&wanted.with.right);
    zoid_band_destroy(&wanted.band);
    zoid_named_matrix_close(&wanted.named);
    zoid_polynomial_free(&wanted.polynomial);
    return code;
}

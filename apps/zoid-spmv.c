/* SPDX-License-Identifier: BSD-3-Clause */
/* Polynomials of a band matrix times vectors: settings, matrix, terms and vectors. */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "apps/driver/driver.h"
#include "apps/spmv/options.h"
#include "apps/spmv/power.h"
#include "runtime/io/h5.h"
#include "runtime/session/number.h"

/* Objects made from the command line; main releases them. */
static struct {
    struct zoid_named_matrix *named;
    struct zoid_band *band;
    struct zoid_vectors with;
    struct zoid_initial initial;
    long leg; /* steps between eigenvalue estimates; 0: no estimates */
} made;

static struct zoid_spmv_said own, *const said = &own;

/* Steps of a default run, and the maximum of a power iteration. */
enum { STEPS = 10, POWER_STEPS = 10000 };

/* ---- the problem --------------------------------------------------------------------------- */

static enum zoid_status take_settings(const struct zoid_settings *s)
{
    *said = (struct zoid_spmv_said){.matrix = {.text = s->matrix,
                                               .rows = s->has_rows ? s->rows : 0,
                                               .seed = s->seed,
                                               .sum = s->duplicates,
                                               .reorder = s->reorder},
                                    .format = (enum zoid_format)s->format,
                                    .vectors = s->vectors,
                                    .steps = s->has_steps ? s->steps : -1,
                                    .vector = s->vector,
                                    .terms = s->terms,
                                    .rhs = s->rhs,
                                    .tolerance = s->power_iteration,
                                    .polynomial_text = s->polynomial};
    if (s->rhs)
        said->right = zoid_number_real("rhs", s->rhs, &said->rhs_value) ? s->rhs : NULL;
    return zoid_polynomial_read(s->polynomial, &said->polynomial);
}

static enum zoid_status check_together(const struct zoid_options *o)
{
    const bool power = said->tolerance > 0;
    const bool richardson = said->polynomial.basis == ZOID_RICHARDSON;

    if (power && (said->polynomial.basis != ZOID_POWER || said->terms))
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "{power_iteration} takes powers and no sum; drop {polynomial} and {terms}");
    if (power && said->vectors > 1)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{power_iteration} takes one vector, not %ld; drop {vectors}",
                         said->vectors);
    if (said->rhs && !richardson)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{rhs} is for richardson:OMEGA; drop it");
    if (o->keep.coefficients)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "checkpoints have vectors, and no matrix; drop {checkpoint_coefficients}");
    return ZOID_OK;
}

static enum zoid_status set_steps(struct zoid_options *o)
{
    const struct zoid_polynomial *p = &said->polynomial;
    const long most = zoid_polynomial_most(p);

    o->steps = said->steps >= 0 ? said->steps : said->tolerance > 0 ? POWER_STEPS : STEPS;
    if (said->steps < 0 && most < LONG_MAX)
        o->steps = most;
    if (p->number && p->numbers != o->steps + 1)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{terms=%s} has %ld numbers, and %ld steps take %ld; let them agree",
                         said->terms, p->numbers, o->steps, o->steps + 1);
    if (o->steps > most)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{polynomial=%s} has shifts for %ld steps, not %ld; give more of them, or "
                         "fewer {steps}",
                         said->polynomial_text, most, o->steps);
    return ZOID_OK;
}

static enum zoid_status make_terms(const struct zoid_options *o)
{
    struct zoid_term *term = NULL;
    enum zoid_status status =
        zoid_polynomial_terms(&said->polynomial, o->steps, said->rhs != NULL, &term);

    if (!status)
        status = zoid_band_set_terms(made.band, 0, term, o->steps > 0 ? o->steps : 1);
    free(term);
    return status;
}

static enum zoid_status make_band(struct zoid_options *o, struct zoid_problem *p)
{
    const struct zoid_matrix *matrix = zoid_named_matrix_get(made.named);
    const struct zoid_band_options options = {
        .matrix = matrix,
        .type = o->type == ZOID_TYPES ? ZOID_F64 : o->type,
        .format = said->format,
        .vectors = said->vectors,
        .previous = said->tolerance > 0 || zoid_polynomial_looks_back(&said->polynomial),
        .sum = said->polynomial.number != NULL,
        .rhs = said->rhs ? zoid_vectors_rhs : NULL,
        .rhs_user = &made.with};
    enum zoid_status status = zoid_band_create(&options, &made.band);

    if (status)
        return status;
    *p = (struct zoid_problem){
        .op = zoid_band_op(made.band), .n = {zoid_matrix_about(matrix).n, 1, 1}, .steps = o->steps};
    made.leg = said->tolerance > 0 ? ZOID_POWER_LEG : 0;
    status = make_terms(o);
    return status ? status : zoid_problem_check(p);
}

/* Returns the field to write: the sum, which is the last one, or x. */
static int result(void)
{
    const struct zoid_op *op = zoid_band_op(made.band);

    return said->polynomial.number ? op->nstate - 1 : 0;
}

/* A restarted run does not need the initial x. */
static enum zoid_status open_vectors(const struct zoid_options *o, const struct zoid_problem *p)
{
    enum zoid_status status = ZOID_OK;

    made.with.problem = p;
    made.with.rhs = said->rhs_value;
    made.with.order = zoid_named_matrix_order(made.named);
    made.with.initial = &made.initial;
    if (said->polynomial.number)
        made.with.first = said->polynomial.number[0];
    zoid_vectors_show(&made.with, p->op->field[result()]);
    if (said->vector && !o->keep.restart)
        status = zoid_vectors_open(&made.with, said->vector, &made.with.input);
    if (!status && said->right)
        status = zoid_vectors_open(&made.with, said->right, &made.with.right);
    return status;
}

static enum zoid_status make(struct zoid_options *o, struct zoid_problem *p)
{
    enum zoid_status status = take_settings(o->settings);

    if (!status)
        status = check_together(o);
    if (!status && said->terms)
        status = zoid_polynomial_sum(said->terms, &said->polynomial);
    if (!status)
        status = set_steps(o);
    o->again = said->tolerance > 0;
    if (!status)
        status = zoid_named_matrix_open(&said->matrix, &made.named);
    if (!status)
        status = make_band(o, p);
    return status ? status : open_vectors(o, p);
}

/* Identifies a file by a checksum of its contents, since it may have been renamed. */
static void say_file(const char *option, uint64_t sum, FILE *out)
{
    fprintf(out, "%s=a file with the sum %016" PRIx64 "\n", option, sum);
}

static enum zoid_status say_matrix(FILE *out)
{
    const struct zoid_named_matrix_options *m = &said->matrix;
    uint64_t sum;
    enum zoid_status status;

    if (zoid_named_matrix_rule(made.named)) {
        fprintf(out, "matrix=%s\nrows=%ld\n", m->text,
                zoid_matrix_about(zoid_named_matrix_get(made.named)).n);
        return ZOID_OK;
    }
    status = zoid_named_matrix_sum(made.named, &sum);
    if (!status)
        say_file("matrix", sum, out);
    return status;
}

/* The state has the order of the matrix, and rounding depends on the format, so both must be the
 * same on a restart. */
static enum zoid_status say(FILE *out)
{
    const struct zoid_polynomial *p = &said->polynomial;
    uint64_t sum = 0;
    enum zoid_status status = say_matrix(out);

    fprintf(out, "reorder=%s\nformat=%s\nvectors=%ld\npower-iteration=%.17g\npolynomial=%s\n",
            said->matrix.reorder ? "rcm" : "none", zoid_format_name(zoid_band_format(made.band)),
            said->vectors, said->tolerance, said->polynomial_text);
    if (p->number)
        say_file("terms", zoid_h5_sum(p->number, (size_t)p->numbers * sizeof *p->number), out);
    if (!status && said->right)
        status = zoid_vectors_sum(&made.with, &sum);
    if (said->right)
        say_file("rhs", sum, out);
    else if (said->rhs)
        fprintf(out, "rhs=%.17g\n", said->rhs_value);
    return status;
}

/* ---- the run ------------------------------------------------------------------------------- */

static void start(struct zoid_initial *initial)
{
    made.initial = *initial;
    initial->state = zoid_vectors_box;
    initial->of = &made.with;
}

static enum zoid_status pieces(struct zoid_job *job)
{
    enum zoid_status status = zoid_band_fill(made.band, job);

    return status ? status : zoid_vectors_status(&made.with);
}

static void derive(const struct zoid_powered *powered, struct zoid_derived *derived)
{
    const struct zoid_matrix_about m = zoid_matrix_about(zoid_named_matrix_get(made.named));
    const double band = (double)m.n * (double)(m.lower + 1 + m.upper) -
                        (double)m.lower * (double)(m.lower + 1) / 2 -
                        (double)m.upper * (double)(m.upper + 1) / 2;
    const struct zoid_derived all[] = {
        {.name = "format", .text = zoid_format_name(zoid_band_format(made.band))},
        {.name = "lower", .value = (double)m.lower},
        {.name = "upper", .value = (double)m.upper},
        {.name = "entries", .value = (double)m.entries},
        {.name = "fill", .value = (double)m.entries / band},
        {.name = powered ? "eigenvalue" : NULL, .value = powered ? powered->eigenvalue : 0}};

    memcpy(derived, all, sizeof all);
}

static enum zoid_status run_power(struct zoid_march *march, struct zoid_job *job,
                                  struct zoid_report *report)
{
    const struct zoid_power power = {
        .vectors = &made.with, .band = made.band, .tolerance = said->tolerance, .march = march};
    struct zoid_powered powered;
    enum zoid_status status = zoid_power_run(&power, job, report, &powered);

    derive(&powered, report->derived);
    return status;
}

static enum zoid_status run(struct zoid_march *march, struct zoid_job *job,
                            struct zoid_report *report)
{
    enum zoid_status status;

    if (said->tolerance > 0)
        return run_power(march, job, report);
    zoid_march_begin(march, job);
    status = zoid_march_to(march, march->total, report);
    status = zoid_march_end(march, status, report);
    derive(NULL, report->derived);
    return status ? status : zoid_vectors_finite(&made.with, job, result());
}

static enum zoid_status each(const struct zoid_job *job, zoid_part_fn *part, void *user)
{
    return zoid_vectors_each(&made.with, job, result(), part, user);
}

int main(int argc, char **argv)
{
    static const char *const families[] = {NULL}, *const types[] = {"f64", "f32", NULL};
    static const struct zoid_row_change changes[] = {
        {.key = "size", .how = ZOID_ROW_LEFT_OUT},
        {.key = "steps",
         .value = "K",
         .doc = "times that the matrix is applied [10]",
         .detail = "as many as terms or newton have; the most of a power iteration, 10000"},
        {.key = "init",
         .type = &zoid_type_init_kind,
         .value = "random|zero|point|hot",
         .doc = "initial vectors without a file [random]",
         .detail = "a point is 1 in the middle row and 0 elsewhere; hot is 1 in the first row and "
                   "0 elsewhere"},
        {.key = "seed", .doc = "seed of random vectors, and of random matrices [0]"},
        {.key = "type",
         .how = ZOID_ROW_ADDED,
         .group = &zoid_group_matrix,
         .list = types,
         .value = "f64|f32",
         .doc = "type of a value [f64]"},
        {.key = "rhs",
         .how = ZOID_ROW_ADDED,
         .group = &zoid_group_power,
         .type = &zoid_type_text,
         .value = "FILE|X",
         .doc = "b of richardson [0]",
         .detail = "one number for each row and vector, or one for all"},
        {.key = NULL}};
    static const struct zoid_app app = {
        .name = "zoid-spmv",
        .families = families,
        .groups = ZOID_GROUP_problem | ZOID_GROUP_matrix | ZOID_GROUP_power | ZOID_GROUPS_RUN,
        .changes = changes,
        .summary = "Multiplies vectors with a band matrix many times, or with a polynomial of it, "
                   "where the matrix may be larger than the memory next to the processor.",
        .make = make,
        .leg = &made.leg,
        .say = say,
        .start = start,
        .pieces = pieces,
        .run = run,
        .each = each,
        .shown = &made.with.shown,
    };
    const int code = zoid_app_main(&app, argc, argv);

    zoid_input_close(&made.with.input);
    zoid_input_close(&made.with.right);
    zoid_band_destroy(&made.band);
    zoid_named_matrix_close(&made.named);
    zoid_polynomial_free(&said->polynomial);
    return code;
}

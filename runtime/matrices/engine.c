/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/matrices/engine.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/band.h"
#include "runtime/error.h"
#include "runtime/io/h5.h"
#include "runtime/matrices/named.h"
#include "runtime/matrices/polynomial.h"
#include "runtime/matrices/power.h"
#include "runtime/matrices/vectors.h"
#include "runtime/session/number.h"
#include "runtime/session/session.h"
#include "runtime/session/store.h"

/* Steps of a default run, and the maximum of a power iteration. */
enum { STEPS = 10, POWER_STEPS = 10000 };

struct state {
    struct zoid_named_matrix *named;
    struct zoid_band *band;
    struct zoid_vectors with;
    struct zoid_initial initial;
    struct zoid_polynomial polynomial;
    const char *right; /* file of the right-hand side; NULL: a number, if there is an rhs */
};

static bool iterates(const struct zoid_session *s)
{
    return s->settings.power_iteration > 0;
}

/* ---- settings ------------------------------------------------------------------------------ */

static enum zoid_status check_together(const struct zoid_session *s)
{
    const struct zoid_settings *k = &s->settings;
    const struct state *own = s->own;
    const bool power = iterates(s), richardson = own->polynomial.basis == ZOID_RICHARDSON;

    if (power && (own->polynomial.basis != ZOID_POWER || k->terms))
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "{power_iteration} takes powers and no sum; drop {polynomial} and {terms}");
    if (power && k->vectors > 1)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{power_iteration} takes one vector, not %ld; drop {vectors}", k->vectors);
    if (k->rhs && !richardson)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{rhs} is for richardson:OMEGA; drop it");
    if (k->checkpoint_coefficients)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "checkpoints have vectors, and no matrix; drop {checkpoint_coefficients}");
    return ZOID_OK;
}

static enum zoid_status set_steps(struct zoid_session *s)
{
    struct zoid_settings *k = &s->settings;
    const struct state *own = s->own;
    const struct zoid_polynomial *p = &own->polynomial;
    const long most = zoid_polynomial_most(p);

    if (!k->has_steps)
        k->steps = most < LONG_MAX ? most : iterates(s) ? POWER_STEPS : STEPS;
    if (p->number && p->numbers != k->steps + 1)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{terms=%s} has %ld numbers, and %ld steps take %ld; let them agree",
                         k->terms, p->numbers, k->steps, k->steps + 1);
    if (k->steps > most)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{polynomial=%s} has shifts for %ld steps, not %ld; give more of them, or "
                         "fewer {steps}",
                         k->polynomial, most, k->steps);
    return ZOID_OK;
}

/* ---- the problem --------------------------------------------------------------------------- */

static enum zoid_status make_terms(struct zoid_session *s)
{
    const struct zoid_settings *k = &s->settings;
    const struct state *own = s->own;
    struct zoid_term *term = NULL;
    enum zoid_status status =
        zoid_polynomial_terms(&own->polynomial, k->steps, k->rhs != NULL, &term);

    if (!status)
        status = zoid_band_set_terms(own->band, 0, term, k->steps > 0 ? k->steps : 1);
    free(term);
    return status;
}

static enum zoid_status open_matrix(struct zoid_session *s)
{
    const struct zoid_settings *k = &s->settings;
    struct state *own = s->own;
    const struct zoid_named_matrix_options options = {.text = k->matrix,
                                                      .rows = k->has_rows ? k->rows : 0,
                                                      .seed = k->seed,
                                                      .sum = k->duplicates,
                                                      .reorder = k->reorder,
                                                      .given = s->matrix};

    return zoid_named_matrix_open(&options, &own->named);
}

static enum zoid_status make_band(struct zoid_session *s)
{
    const struct zoid_settings *k = &s->settings;
    struct state *own = s->own;
    const struct zoid_matrix *matrix = zoid_named_matrix_get(own->named);
    const struct zoid_band_options options = {
        .matrix = matrix,
        .type = k->has_type ? (enum zoid_type)k->type : ZOID_F64,
        .format = (enum zoid_format)k->format,
        .vectors = k->vectors,
        .previous = iterates(s) || zoid_polynomial_looks_back(&own->polynomial),
        .sum = own->polynomial.number != NULL,
        .rhs = k->rhs ? zoid_vectors_rhs : NULL,
        .rhs_user = &own->with};
    enum zoid_status status = zoid_band_create(&options, &own->band);

    if (status)
        return status;
    s->problem = (struct zoid_problem){
        .op = zoid_band_op(own->band), .n = {zoid_matrix_about(matrix).n, 1, 1}, .steps = k->steps};
    s->leg = iterates(s) ? ZOID_POWER_LEG : 0;
    status = make_terms(s);
    return status ? status : zoid_problem_check(&s->problem);
}

/* Returns the field to write: the sum, which is the last one, or x. */
static int result(const struct state *own)
{
    return own->polynomial.number ? zoid_band_op(own->band)->nstate - 1 : 0;
}

/* A restarted run does not need the initial x. */
static enum zoid_status open_vectors(struct zoid_session *s)
{
    const struct zoid_settings *k = &s->settings;
    struct state *own = s->own;
    enum zoid_status status = ZOID_OK;

    own->with.problem = &s->problem;
    own->with.arrays = &s->arrays;
    own->with.order = zoid_named_matrix_order(own->named);
    own->with.initial = &own->initial;
    if (own->polynomial.number)
        own->with.first = own->polynomial.number[0];
    zoid_vectors_show(&own->with, s->problem.op->field[result(own)]);
    s->shown = &own->with.shown;
    if (k->vector && !k->restart)
        status = zoid_vectors_open(&own->with, k->vector, &own->with.input);
    if (!status && own->right)
        status = zoid_vectors_open(&own->with, own->right, &own->with.right);
    return status;
}

static enum zoid_status each(const void *session, const struct zoid_job *job, zoid_part_fn *part,
                             void *user)
{
    const struct state *own = ((const struct zoid_session *)session)->own;

    return zoid_vectors_each(&own->with, job, result(own), part, user);
}

static enum zoid_status make(struct zoid_session *s)
{
    const struct zoid_settings *k = &s->settings;
    struct state *own = s->own;
    enum zoid_status status;

    s->reader = (struct zoid_reader){.each = each, .of = s};
    if (k->rhs)
        own->right = zoid_number_real("rhs", k->rhs, &own->with.rhs) ? k->rhs : NULL;
    status = zoid_polynomial_read(k->polynomial, &own->polynomial);
    if (!status)
        status = check_together(s);
    if (!status && k->terms)
        status = zoid_polynomial_read_coefficients(k->terms, &own->polynomial);
    if (!status)
        status = set_steps(s);
    s->request.again = s->request.again || iterates(s);
    if (!status)
        status = open_matrix(s);
    if (!status)
        status = make_band(s);
    return status ? status : open_vectors(s);
}

static void close_all(struct zoid_session *s)
{
    struct state *own = s->own;

    zoid_input_close(&own->with.input);
    zoid_input_close(&own->with.right);
    zoid_band_destroy(&own->band);
    zoid_named_matrix_close(&own->named);
    zoid_polynomial_free(&own->polynomial);
}

/* ---- checkpoints --------------------------------------------------------------------------- */

/* A file is known by the checksum of its contents, since it may have been renamed. */
static enum zoid_status store_matrix(struct zoid_session *s, struct zoid_stored *stored)
{
    const struct state *own = s->own;
    const char *text = s->matrix ? NULL : s->settings.matrix;
    uint64_t sum;
    enum zoid_status status;

    if (!zoid_named_matrix_rule(own->named)) {
        status = zoid_named_matrix_sum(own->named, &sum);
        return status ? status : zoid_stored_add(stored, "matrix", ZOID_STORED_TEXT, text, &sum);
    }
    status = zoid_store_text(stored, "matrix", text);
    return status
               ? status
               : zoid_store_whole(stored, "rows",
                                  (uint64_t)zoid_matrix_about(zoid_named_matrix_get(own->named)).n);
}

static enum zoid_status store_terms(struct zoid_session *s, struct zoid_stored *stored)
{
    const struct zoid_polynomial *p = &((const struct state *)s->own)->polynomial;
    uint64_t sum;

    if (!p->number)
        return ZOID_OK;
    sum = zoid_h5_sum(p->number, (size_t)p->numbers * sizeof *p->number);
    return zoid_stored_add(stored, "terms", ZOID_STORED_TEXT, s->settings.terms, &sum);
}

static enum zoid_status store_rhs(struct zoid_session *s, struct zoid_stored *stored)
{
    const struct state *own = s->own;
    uint64_t sum = 0;
    enum zoid_status status;

    if (!s->settings.rhs)
        return ZOID_OK;
    if (!own->right)
        return zoid_store_real(stored, "rhs", own->with.rhs);
    status = zoid_vectors_sum(&own->with, &sum);
    return status ? status : zoid_stored_add(stored, "rhs", ZOID_STORED_TEXT, own->right, &sum);
}

/* The state has the order of the matrix, and rounding depends on the format, so both must be the
 * same on a restart. */
static enum zoid_status store(struct zoid_session *s, struct zoid_stored *stored)
{
    const struct zoid_settings *k = &s->settings;
    const struct state *own = s->own;
    enum zoid_status status =
        zoid_store_text(stored, "type", zoid_type_name(zoid_band_op(own->band)->type));

    if (!status)
        status = store_matrix(s, stored);
    if (!status)
        status = zoid_store_text(stored, "reorder", k->reorder ? "rcm" : "none");
    if (!status)
        status = zoid_store_text(stored, "format", zoid_format_name(zoid_band_format(own->band)));
    if (!status)
        status = zoid_store_whole(stored, "vectors", (uint64_t)k->vectors);
    if (!status)
        status = zoid_store_text(stored, "polynomial", k->polynomial);
    if (!status)
        status = store_terms(s, stored);
    return status ? status : store_rhs(s, stored);
}

/* ---- the run ------------------------------------------------------------------------------- */

static void start(struct zoid_session *s)
{
    struct state *own = s->own;

    own->initial = s->initial;
    s->initial.state = zoid_vectors_box;
    s->initial.of = &own->with;
}

static enum zoid_status pieces(struct zoid_session *s)
{
    const struct state *own = s->own;
    enum zoid_status status = zoid_band_fill(own->band, s->job);

    return status ? status : zoid_vectors_status(&own->with);
}

static void derive_matrix(struct zoid_session *s, const struct zoid_powered *powered)
{
    const struct state *own = s->own;
    const struct zoid_matrix_about m = zoid_matrix_about(zoid_named_matrix_get(own->named));
    const double band = (double)m.n * (double)(m.lower + 1 + m.upper) -
                        (double)m.lower * (double)(m.lower + 1) / 2 -
                        (double)m.upper * (double)(m.upper + 1) / 2;
    const struct zoid_derived all[] = {
        {.name = "format", .text = zoid_format_name(zoid_band_format(own->band))},
        {.name = "lower", .value = (double)m.lower},
        {.name = "upper", .value = (double)m.upper},
        {.name = "entries", .value = (double)m.entries},
        {.name = "fill", .value = (double)m.entries / band},
        {.name = "eigenvalue", .value = powered ? powered->eigenvalue : 0}};

    for (size_t i = 0; i < sizeof all / sizeof *all - !powered; i++)
        zoid_session_derive(s, &all[i]);
}

static enum zoid_status run(struct zoid_session *s)
{
    const struct state *own = s->own;
    const struct zoid_power power = {.vectors = &own->with,
                                     .band = own->band,
                                     .tolerance = s->settings.power_iteration,
                                     .loop = &s->loop};
    struct zoid_powered powered;
    enum zoid_status status = zoid_power_run(&power, s->job, &s->report, &powered);

    derive_matrix(s, &powered);
    return status;
}

static enum zoid_status derive(struct zoid_session *s, enum zoid_status before)
{
    const struct state *own = s->own;

    derive_matrix(s, NULL);
    return before ? before : zoid_vectors_finite(&own->with, s->job, result(own));
}

static const char *const also[] = {"type", "rhs", NULL};

const struct zoid_engine zoid_matrix_engine = {.name = "a matrix",
                                               .groups = ZOID_GROUP_matrix | ZOID_GROUP_power,
                                               .refuses = ZOID_GROUP_operator | ZOID_GROUP_fields |
                                                          ZOID_GROUP_points | ZOID_GROUP_solve |
                                                          ZOID_GROUP_snapshots,
                                               .also = also,
                                               .state = sizeof(struct state),
                                               .make = make,
                                               .close = close_all,
                                               .start = start,
                                               .pieces = pieces,
                                               .store = store,
                                               .iterates = iterates,
                                               .run = run,
                                               .derive = derive};

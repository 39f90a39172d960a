/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/call/call.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/compile/call/touched.h"
#include "runtime/zoid_advanced.h"
#include "runtime/zoid_session.h"

/* ---- arrays -------------------------------------------------------------------------------- */

/* Returns the number of the buffer of an array that is `age` older than the newest after `steps` of
 * the nest. */
static int number_of(const struct zoid_call_array *array, long steps, int age)
{
    const int turns = zoid_call_turns(array);

    return (int)((array->first + steps % turns + turns - age) % turns);
}

static char *buffer(const struct zoid_call *c, const struct zoid_call_array *array, long steps,
                    int age)
{
    const int i = number_of(array, steps, age);

    if (i < array->named || !i)
        return array->data[i];
    return (char *)array->data[0] +
           (size_t)(i * zoid_call_points(c, array)) * zoid_type_size(c->type);
}

/* Returns the array, or a box of it, for a session: mirrored axes have negative strides, and those
 * that it lacks strides of 0. */
static struct zoid_array view(const struct zoid_call *c, const struct zoid_call_array *array,
                              char *data, const struct zoid_call_box *box)
{
    const int64_t size = (int64_t)zoid_type_size(c->type);
    struct zoid_array v = {
        .type = c->type == ZOID_F32 ? "<f4" : "<f8", .axes = c->axes, .device = -1, .data = data};
    int64_t stride = size;

    for (int a = c->axes - 1; a >= 0; a--) {
        const bool has = array->axes >> a & 1;
        const long lo = box ? zoid_call_coordinate(box->lo[a], c->extent[a]) : 0;
        const long hi = box ? zoid_call_coordinate(box->hi[a], c->extent[a]) : c->extent[a];

        v.shape[a] = hi - lo;
        v.stride[a] = has ? c->mirrored[a] ? -stride : stride : 0;
        v.data = (char *)v.data + (has ? (c->mirrored[a] ? hi - 1 : lo) * stride : 0);
        stride *= has ? c->extent[a] : 1;
    }
    return v;
}

/* ---- before the run ------------------------------------------------------------------------ */

bool zoid_call_computes(const struct zoid_call *c)
{
    bool any = false;

    for (int a = 0; a < c->axes; a++)
        if (c->extent[a] < 1)
            return false;
    for (int i = 0; i < c->nboxes; i++)
        any |= !zoid_call_is_empty(c, &c->box[i]);
    return any && c->steps > 0;
}

static enum zoid_status check_extents(const struct zoid_call *c)
{
    for (int a = 0; a < c->axes; a++)
        if (c->extent[a] < c->least[a])
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "arrays of %ld points along axis %d, which the nest leaves; give at "
                             "least %ld",
                             c->extent[a], a, c->least[a]);
    return ZOID_OK;
}

/* Returns whether two buffers have a byte in common. */
static bool overlap(const struct zoid_call *c, const struct zoid_call_array *a, int k,
                    const struct zoid_call_array *b, int l)
{
    const size_t size = zoid_type_size(c->type);
    const uintptr_t x = (uintptr_t)buffer(c, a, 0, k), y = (uintptr_t)buffer(c, b, 0, l);
    const size_t x_bytes = (size_t)a->points[number_of(a, 0, k)] * size;
    const size_t y_bytes = (size_t)b->points[number_of(b, 0, l)] * size;

    return x_bytes && y_bytes && x < y + y_bytes && y < x + x_bytes;
}

/* Compares an array with those after it, and its own, if they are apart. */
static enum zoid_status check_apart(const struct zoid_call *c, int first)
{
    const struct zoid_call_array *a = &c->array[first];

    for (int i = first; i < c->narrays; i++) {
        const struct zoid_call_array *b = &c->array[i];

        for (int k = 0; k < zoid_call_turns(a) && (a->written || b->written); k++)
            for (int l = i == first ? k + 1 : 0; l < zoid_call_turns(b); l++)
                if (overlap(c, a, k, b, l))
                    return zoid_fail(ZOID_BAD_ARGUMENT,
                                     "the arrays %s and %s overlap; give each memory of its own",
                                     a->name, b->name);
    }
    return ZOID_OK;
}

static enum zoid_status check_arrays(const struct zoid_call *c)
{
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < c->narrays && !status; i++)
        for (int k = 0; k == 0 || k < c->array[i].named; k++)
            if (!c->array[i].data[k] && c->array[i].points[k])
                status = zoid_fail(ZOID_BAD_ARGUMENT, "the array %s is NULL; give one",
                                   c->array[i].name);
    for (int i = 0; i < c->narrays && !status; i++)
        status = check_apart(c, i);
    return status;
}

/* ---- the operator -------------------------------------------------------------------------- */

/* Returns whether two arrays have the same bytes beyond a box. */
static bool same_beyond(const struct zoid_call *c, const char *a, const char *b,
                        const struct zoid_call_box *box)
{
    const size_t size = zoid_type_size(c->type);
    const int x = c->axes - 1;
    const size_t n = (size_t)c->extent[x];
    const size_t lo = (size_t)zoid_call_coordinate(box->lo[x], c->extent[x]);
    const size_t hi = (size_t)zoid_call_coordinate(box->hi[x], c->extent[x]);
    int64_t rows = 1;

    for (int d = 0; d < x; d++)
        rows *= c->extent[d];
    for (int64_t row = 0; row < rows; row++, a += n * size, b += n * size) {
        bool inside = true;
        int64_t rest = row;

        for (int d = x - 1; d >= 0; d--) {
            const long at = (long)(rest % c->extent[d]);

            rest /= c->extent[d];
            inside &= at >= zoid_call_coordinate(box->lo[d], c->extent[d]) &&
                      at < zoid_call_coordinate(box->hi[d], c->extent[d]);
        }
        if (inside
                ? memcmp(a, b, lo * size) || memcmp(a + hi * size, b + hi * size, (n - hi) * size)
                : memcmp(a, b, n * size))
            return false;
    }
    return true;
}

/* Returns the first pair of arrays that differ, or NULL. */
static const struct zoid_call_alike *differs(const struct zoid_call *c,
                                             const struct zoid_call_operator *o)
{
    for (int i = 0; i < o->nalike; i++) {
        const struct zoid_call_alike *alike = &o->alike[i];
        const struct zoid_call_array *a = &c->array[alike->array];
        const struct zoid_call_array *b = alike->other < 0 ? a : &c->array[alike->other];

        for (int k = alike->other < 0; k < zoid_call_turns(b); k++)
            if (!same_beyond(c, buffer(c, a, 0, 0), buffer(c, b, 0, k), &alike->box))
                return alike;
    }
    return NULL;
}

static enum zoid_status choose(const struct zoid_call *c,
                               const struct zoid_call_operator **operator)
{
    const struct zoid_call_alike *alike = NULL;

    for (int i = 0; i < c->noperators; i++) {
        *operator= & c->operator[i];
        alike = differs(c, *operator);
        if (!alike)
            return ZOID_OK;
    }
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "the arrays that are %s in turns differ beyond the box that the nest writes, "
                     "which its operator does not allow; let them begin equal there",
                     c->array[alike->array].name);
}

/* ---- settings ------------------------------------------------------------------------------ */

/* Returns whether a setting is one of how, or where, a run is computed: its bytes are the same. */
static bool is_free(const char *key)
{
    const char *all = zoid_settings_json();
    char row[100];
    const char *at, *end, *group;

    snprintf(row, sizeof row, "\"key\": \"%s\",", key);
    at = all ? strstr(all, row) : NULL;
    end = at ? strchr(at, '}') : NULL;
    group = at ? strstr(at, "\"group\": ") : NULL;
    return group && group < end &&
           (!strncmp(group, "\"group\": \"cut\"", 14) ||
            !strncmp(group, "\"group\": \"memory\"", 17));
}

/* Takes KEY=VALUE KEY=VALUE of the environment. */
static enum zoid_status take_settings(struct zoid_session *s)
{
    static const char space[] = " \t\n";
    const char *given = getenv("ZOID_SETTINGS");
    char *text = given ? strdup(given) : NULL, *rest = NULL;
    enum zoid_status status = ZOID_OK;

    if (given && !text)
        return zoid_fail(ZOID_RESOURCE, "memory ran out; free some");
    for (char *word = text ? strtok_r(text, space, &rest) : NULL; word && !status;
         word = strtok_r(NULL, space, &rest)) {
        char *value = strchr(word, '=');

        if (value)
            *value++ = '\0';
        if (!value)
            status = zoid_fail(ZOID_BAD_ARGUMENT,
                               "ZOID_SETTINGS has '%s', which is no KEY=VALUE; write one", word);
        else if (!is_free(word))
            status = zoid_fail(ZOID_BAD_ARGUMENT,
                               "ZOID_SETTINGS has %s, which is no setting of how or where a run is "
                               "computed; take depth, gpu_mem or the like",
                               word);
        else
            status = zoid_session_set_text(s, word, value);
    }
    free(text);
    return status;
}

/* Sets the parameters by their keys, which the library makes of their names. */
static enum zoid_status set_params(const struct zoid_call *c, const char *family,
                                   struct zoid_session *s)
{
    const struct zoid_op *op;
    enum zoid_status status = ZOID_OK;
    size_t i = 0;

    while ((op = zoid_op_at(i)) && strcmp(op->family, family) != 0)
        i++;
    for (int p = 0; op && p < c->nparams && !status; p++)
        status = zoid_session_set_real(s, op->param[p].name, c->param[p]);
    return status;
}

static enum zoid_status set_fields(const struct zoid_call *c, const struct zoid_call_operator *o,
                                   struct zoid_session *s)
{
    enum zoid_status status = ZOID_OK;

    for (int f = 0; f < o->nfields && !status; f++) {
        const struct zoid_call_field *field = &o->field[f];
        const struct zoid_call_array *array = &c->array[field->array];
        const struct zoid_array from = view(c, array, buffer(c, array, 0, field->age), NULL);

        status = zoid_session_set_array(s, field->coefficient ? "coefficient" : "init", field->name,
                                        &from);
    }
    return status;
}

/* Makes the values of each table for the steps of the operator, one table after the other. */
static enum zoid_status make_tables(const struct zoid_call *c, const struct zoid_call_operator *o,
                                    double **values)
{
    const long each = c->rows > 1 ? o->steps : 1;

    if (!c->ntables)
        return ZOID_OK;
    *values = c->row ? malloc((size_t)(c->rows * each * c->ntables) * sizeof **values) : NULL;
    if (!*values)
        return zoid_fail(ZOID_RESOURCE, "memory ran out; free some");
    for (int i = 0; i < c->ntables; i++)
        for (long r = 0; r < c->rows * each; r++)
            (*values)[i * c->rows * each + r] = c->row[r / each * c->ntables + i];
    return ZOID_OK;
}

static enum zoid_status set_tables(const struct zoid_call *c, const struct zoid_call_operator *o,
                                   double *values, struct zoid_session *s)
{
    const long n = c->rows * (c->rows > 1 ? o->steps : 1);
    enum zoid_status status = ZOID_OK;

    for (int i = 0; i < c->ntables && !status; i++) {
        const struct zoid_array array = {.type = "<f8",
                                         .axes = 1,
                                         .device = -1,
                                         .data = values + i * n,
                                         .shape = {n},
                                         .stride = {sizeof *values}};

        status = zoid_session_set_array(s, "table", c->table_name[i], &array);
    }
    return status;
}

static enum zoid_status set_all(const struct zoid_call *c, const struct zoid_call_operator *o,
                                struct zoid_session *s)
{
    int64_t size[ZOID_AXES];
    enum zoid_status status = take_settings(s);

    for (int a = 0; a < c->axes; a++)
        size[a] = c->extent[c->axes - 1 - a];
    if (!status && c->steps > INT64_MAX / 2 / o->steps)
        status = zoid_fail(ZOID_BAD_ARGUMENT, "%ld steps; take fewer", c->steps);
    if (!status)
        status = zoid_session_set_text(s, "operator", o->name);
    if (!status)
        status = zoid_session_set_ints(s, "size", c->axes, size);
    if (!status)
        status = zoid_session_set_int(s, "steps", c->steps * o->steps);
    /* Values that are no finite numbers, as the nest has them. */
    if (!status)
        status = zoid_session_set_int(s, "force", 1);
    if (!status)
        status = set_params(c, o->name, s);
    return status ? status : set_fields(c, o, s);
}

/* ---- the run ------------------------------------------------------------------------------- */

static enum zoid_status read_result(const struct zoid_call *c, const struct zoid_call_operator *o,
                                    const struct zoid_call_result *r, struct zoid_session *s)
{
    const struct zoid_call_array *array = &c->array[r->array];
    int64_t lo[ZOID_AXES], hi[ZOID_AXES];
    struct zoid_array to;

    if (c->steps - r->age < 1 || (r->box && zoid_call_is_empty(c, r->box)))
        return ZOID_OK;
    to = view(c, array, buffer(c, array, c->steps, r->age), r->box);
    for (int a = 0; a < c->axes; a++) {
        const int x = c->axes - 1 - a;
        const long n = c->extent[a];
        const long first = r->box ? zoid_call_coordinate(r->box->lo[a], n) : 0;
        const long past = r->box ? zoid_call_coordinate(r->box->hi[a], n) : n;

        lo[x] = c->mirrored[a] ? n - past : first;
        hi[x] = c->mirrored[a] ? n - first : past;
    }
    return zoid_session_read(s, o->field[r->field].name, lo, hi, &to);
}

/* Returns whether results are read `back` steps before the end. */
static bool has_results(const struct zoid_call *c, const struct zoid_call_operator *o, int back)
{
    bool any = back == 0;

    for (int i = 0; i < o->nresults; i++)
        any |= o->result[i].back == back && c->steps - o->result[i].age >= 1;
    return any;
}

/* Reads each result at its time, older ones after a leg that ends before the last step. */
static enum zoid_status compute(const struct zoid_call *c, const struct zoid_call_operator *o,
                                struct zoid_session *s)
{
    const int64_t end = c->steps * o->steps;
    int64_t at = 0;
    int back = ZOID_CALL_TURNS, ranks = 1;
    bool legs = false;
    enum zoid_status status;

    for (int b = 1; b <= back; b++)
        legs |= has_results(c, o, b);
    status = zoid_ranks_start();
    zoid_rank(&ranks);
    if (!status && ranks > 1)
        status = zoid_fail(ZOID_BAD_ARGUMENT,
                           "the function of a nest runs in one process, and there are %d ranks; "
                           "start one, or run the operator by zoid-run",
                           ranks);
    if (!status)
        status = zoid_session_set_int(s, "resumable", legs);
    for (; back >= 0 && !status; back--) {
        if (!has_results(c, o, back))
            continue;
        status = zoid_session_advance(s, end - back - at);
        at = end - back;
        for (int i = 0; i < o->nresults && !status; i++)
            if (o->result[i].back == back)
                status = read_result(c, o, &o->result[i], s);
    }
    return status;
}

static enum zoid_status run_with(struct zoid_call *c)
{
    const struct zoid_call_operator *o = NULL;
    struct zoid_session *s = NULL;
    double *tables = NULL;
    enum zoid_status status = zoid_call_extend(c);

    if (!status)
        status = choose(c, &o);
    if (!status)
        status = zoid_session_create(&s);
    if (!status)
        status = set_all(c, o, s);
    if (!status)
        status = make_tables(c, o, &tables);
    if (!status)
        status = set_tables(c, o, tables, s);
    if (!status)
        status = compute(c, o, s);
    zoid_session_destroy(&s);
    free(tables);
    return status;
}

static enum zoid_status run(const struct zoid_call *caller)
{
    struct zoid_call c = *caller;
    enum zoid_status status = check_extents(&c);

    zoid_call_measure(&c);
    if (!status)
        status = check_arrays(&c);
    if (!status)
        status = zoid_operators_add(c.table);
    if (!status)
        status = run_with(&c);
    zoid_call_shrink(&c, caller, !status);
    return status;
}

bool zoid_call_run(const struct zoid_call *call)
{
    const enum zoid_status status = zoid_call_computes(call) ? run(call) : ZOID_OK;

    if (!status)
        return true;
    if (call->failure) {
        call->failure(call->user, status, zoid_error());
        return false;
    }
    fprintf(stderr, "%s: %s\n", call->name, zoid_error());
    abort();
}

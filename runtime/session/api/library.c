/* SPDX-License-Identifier: BSD-3-Clause */
/* Facts about the library, and matrices. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op/tables.h"
#include "runtime/error.h"
#include "runtime/matrices/named.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/about.h"
#include "runtime/session/api/api.h"
#include "runtime/session/shared.h"

int zoid_abi(void)
{
    return ZOID_ABI;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

/* A text about operators. Callers may have those of before operators were added. */
struct made {
    struct made *before;
    int tables; /* that had been added */
    char *text;
};

static struct made *make_text(char *(*make)(void), struct made *before)
{
    struct made *made = malloc(sizeof *made);

    if (made)
        *made = (struct made){before, zoid_tables_added(), make()};
    if (made && !made->text) {
        free(made);
        return NULL;
    }
    return made;
}

/* Returns a text that is made once, and again when operators were added. */
static const char *once(struct made **newest, char *(*make)(void))
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    struct made *made;

    pthread_mutex_lock(&mutex);
    made = *newest;
    if (!made || made->tables != zoid_tables_added())
        made = make_text(make, made);
    if (made)
        *newest = made;
    pthread_mutex_unlock(&mutex);
    return made ? made->text : NULL;
}

const char *zoid_operators_json(void)
{
    static struct made *newest;

    return once(&newest, zoid_about_operators);
}

const char *zoid_settings_json(void)
{
    static struct made *newest;

    return once(&newest, zoid_settings_make_json);
}

/* Each thread's text of the machine. */
static pthread_key_t machine_text;
static int no_key;

static void make_key(void)
{
    no_key = pthread_key_create(&machine_text, free);
}

/* Makes a text the thread's own, in place of the one before. */
static const char *own(char *text)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char *before;

    pthread_once(&once, make_key);
    before = no_key ? NULL : pthread_getspecific(machine_text);
    if (!text || no_key || pthread_setspecific(machine_text, text)) {
        free(text);
        zoid_no_memory();
        return NULL;
    }
    free(before);
    return text;
}

const char *zoid_machine_json(void)
{
    struct zoid_machine machine;

    if (!zoid_shared_machine(&machine) && zoid_machine_probe(&machine))
        return NULL;
    return own(zoid_about_machine(&machine));
}

/* ---- ranks --------------------------------------------------------------------------------- */

int zoid_rank(int *size)
{
    const struct zoid_ranks *here = zoid_ranks_here();

    if (size)
        *size = here->size;
    return here->rank;
}

int zoid_failed_alone(enum zoid_status status)
{
    return !zoid_ranks_know(status);
}

/* ---- matrices ------------------------------------------------------------------------------ */

static bool is_packed(const struct zoid_array *a, char kind, int size)
{
    struct zoid_array_view v;

    return a->axes == 1 && a->device < 0 && !zoid_api_view(a, "", &v) && v.element.kind == kind &&
           v.element.size == size && !v.element.big && v.stride[0] == size;
}

/* Widens starts of 32 bits; the caller frees the result. */
static int64_t *starts_of(const struct zoid_array *a)
{
    const long n = (long)a->shape[0];
    int64_t *start = malloc((size_t)n * sizeof *start + 1);

    for (long i = 0; start && i < n; i++)
        start[i] =
            is_packed(a, 'i', 8) ? ((const int64_t *)a->data)[i] : ((const int32_t *)a->data)[i];
    return start;
}

enum zoid_status zoid_matrix_from_csr(const struct zoid_array *start,
                                      const struct zoid_array *column,
                                      const struct zoid_array *value, struct zoid_matrix **matrix)
{
    const bool wide = is_packed(column, 'i', 8), f64 = is_packed(value, 'f', 8);
    struct zoid_csr csr = {.column = column->data,
                           .value = value->data,
                           .wide = wide,
                           .type = f64 ? ZOID_F64 : ZOID_F32};
    int64_t *starts;
    enum zoid_status status;

    if ((!is_packed(start, 'i', 4) && !is_packed(start, 'i', 8)) || start->shape[0] < 2 ||
        (!wide && !is_packed(column, 'i', 4)) || (!f64 && !is_packed(value, 'f', 4)))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "a matrix of compressed rows is three contiguous arrays of one axis, in "
                         "main memory: starts of rows and columns i4 or i8, values f4 or f8");
    starts = starts_of(start);
    if (!starts)
        return zoid_no_memory();
    csr.n = (long)start->shape[0] - 1;
    csr.start = starts;
    if (starts[csr.n] > column->shape[0] || column->shape[0] != value->shape[0])
        status = zoid_fail(ZOID_BAD_ARGUMENT,
                           "the rows have %ld entries, and there are %ld columns and %ld values",
                           (long)starts[csr.n], (long)column->shape[0], (long)value->shape[0]);
    else
        status = zoid_matrix_create(&csr, matrix);
    free(starts);
    return status;
}

enum zoid_status zoid_matrix_open(const char *text, struct zoid_matrix **matrix)
{
    return zoid_named_matrix_make(text, matrix);
}

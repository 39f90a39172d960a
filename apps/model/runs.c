/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/model/runs.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op.h"
#include "graphs/common/arith.h"
#include "graphs/graph.h"
#include "graphs/reach.h"
#include "runtime/boundary.h"

/* ---- a report ------------------------------------------------------------------------------ */

static const struct zoid_op *op_of(const char *name)
{
    for (size_t i = 0; name && zoid_op_at(i); i++)
        if (!strcmp(zoid_op_at(i)->name, name))
            return zoid_op_at(i);
    return NULL;
}

static double number_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static long count_at(const json_t *object, const char *key)
{
    return (long)json_integer_value(json_object_get(object, key));
}

/* Read a list of three numbers; returns false if there is no such list. */
static bool three_at(const json_t *object, const char *key, long axis[ZOID_AXES])
{
    const json_t *list = json_object_get(object, key);

    for (size_t a = 0; a < ZOID_AXES; a++)
        axis[a] = (long)json_integer_value(json_array_get(list, a));
    return json_array_size(list) == ZOID_AXES && axis[0] > 0 && axis[1] > 0 && axis[2] > 0;
}

static double mean_of(const json_t *list)
{
    double sum = 0;

    for (size_t i = 0; i < json_array_size(list); i++)
        sum += json_number_value(json_array_get(list, i));
    return json_array_size(list) ? sum / (double)json_array_size(list) : NAN;
}

static void take_rest(const json_t *o, struct zoid_model_run *run)
{
    const json_t *workers = json_object_get(o, "workers"), *bytes = json_object_get(o, "bytes");
    const json_t *points = json_object_get(o, "points");
    const char *exchange = json_string_value(json_object_get(o, "exchange"));
    const int ranks = (int)zoid_model_ranks(run);

    run->cpu = (int)zoid_max(count_at(workers, "cpu") / ranks, 1);
    run->cuda = (int)count_at(workers, "cuda") / ranks;
    run->joined = exchange && !strcmp(exchange, "joined");
    run->h2d = number_at(bytes, "h2d");
    run->d2h = number_at(bytes, "d2h");
    run->redundant = 1 + number_at(points, "redundant") / number_at(points, "useful");
    run->block_seconds = mean_of(json_object_get(json_object_get(o, "per_rank"), "block_seconds"));
}

static enum zoid_status take(const json_t *o, struct zoid_model_run *run)
{
    const char *op = json_string_value(json_object_get(o, "operator"));
    const char *method = json_string_value(json_object_get(o, "method"));

    run->op = op_of(op);
    run->method = method ? zoid_method_find(method) : NULL;
    run->steps = count_at(o, "steps");
    run->block = count_at(o, "block");
    run->depth = count_at(o, "depth");
    run->epoch = count_at(o, "epoch");
    run->seconds = number_at(o, "seconds");
    if (!op || !method || !three_at(o, "size", run->n) || run->steps < 1 || run->block < 1 ||
        run->depth < 1 || !(run->seconds > 0))
        return zoid_fail(ZOID_RESOURCE, "%s is no report of a run; --report FILE.json writes one",
                         run->file);
    if (!run->op || !run->method)
        return zoid_fail(ZOID_BAD_ARGUMENT, "%s is of %s by %s, which this build does not have",
                         run->file, op, method);
    if (!three_at(o, "ranks", run->ranks) || !three_at(o, "cells", run->cells) || run->epoch < 1)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s is of one rank, which exchanges nothing; start runs by mpirun",
                         run->file);
    if (json_object_get(o, "places"))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s is of several places, which no model here knows; use {balance=cpu}",
                         run->file);
    take_rest(o, run);
    return ZOID_OK;
}

static enum zoid_status read_one(struct zoid_model_run *run)
{
    json_error_t error;
    json_t *object = json_load_file(run->file, 0, &error);
    enum zoid_status status;

    if (!object)
        return zoid_fail(ZOID_RESOURCE,
                         "cannot read the report %s: %s; --report FILE.json writes one", run->file,
                         error.text);
    status = take(object, run);
    json_decref(object);
    return status;
}

/* ---- a list -------------------------------------------------------------------------------- */

enum zoid_status zoid_model_read(const char *files, struct zoid_model_runs *runs)
{
    enum zoid_status status = ZOID_OK;
    size_t most = 1;

    for (const char *c = files; *c; c++)
        most += *c == ',';
    *runs =
        (struct zoid_model_runs){.names = strdup(files), .run = calloc(most, sizeof *runs->run)};
    if (!runs->names || !runs->run)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    for (char *next = runs->names, *name; !status && (name = strsep(&next, ","));) {
        runs->run[runs->n].file = name;
        status = read_one(&runs->run[runs->n++]);
    }
    return status;
}

void zoid_model_free(struct zoid_model_runs *runs)
{
    free(runs->run);
    free(runs->names);
    *runs = (struct zoid_model_runs){.n = 0};
}

/* ---- their problems ------------------------------------------------------------------------ */

long zoid_model_ranks(const struct zoid_model_run *run)
{
    return run->ranks[0] * run->ranks[1] * run->ranks[2];
}

bool zoid_model_alike(const struct zoid_model_run *a, const struct zoid_model_run *b)
{
    return a->op == b->op && a->method == b->method && a->steps == b->steps && a->cpu == b->cpu &&
           a->cuda == b->cuda && !memcmp(a->n, b->n, sizeof a->n) &&
           !memcmp(a->ranks, b->ranks, sizeof a->ranks);
}

static struct zoid_shape shape_of(const struct zoid_model_run *run)
{
    const struct zoid_problem problem = {.op = run->op, .n = {run->n[0], run->n[1], run->n[2]}};

    return zoid_problem_shape(&problem);
}

long zoid_model_reach(const struct zoid_model_run *run)
{
    const struct zoid_shape shape = shape_of(run);
    long most = 1;

    for (int a = 0; a < shape.dims; a++) {
        long lo, hi;

        zoid_axis_reach(&shape, a, &lo, &hi);
        most = zoid_max(most, shape.stages * zoid_max(lo, hi));
    }
    return most;
}

long zoid_model_most(const struct zoid_model_run *run)
{
    long most = run->steps;

    for (int a = 0; a < ZOID_AXES; a++)
        if (run->ranks[a] > 1)
            most = zoid_min(most, run->n[a] / run->ranks[a] / zoid_model_reach(run));
    return zoid_max(most, 1);
}

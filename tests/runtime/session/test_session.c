/* SPDX-License-Identifier: BSD-3-Clause */
/* Sessions as programs use them: states, values in their ways, legs, checkpoints, arrays, sources,
 * solvers and matrices. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codelets/cuda/array.h"
#include "runtime/zoid_session.h"
#include "tests/suite.h"

enum { NX = 23, NY = 17, POINTS = NX * NY };

static char folder[] = "/tmp/zoid-session-XXXXXX";

static void must(enum zoid_status status)
{
    ck_assert_msg(!status, "%d %s", status, zoid_error());
}

static struct zoid_session *begin(const char *operator)
{
    const int64_t size[] = {NX, NY};
    struct zoid_session *s = NULL;

    must(zoid_session_create(&s));
    if (operator)
        must(zoid_session_set_text(s, "operator", operator));
    must(zoid_session_set_ints(s, "size", 2, size));
    must(zoid_session_set_int(s, "seed", 7));
    return s;
}

static struct zoid_array array_of(const char *type, void *data)
{
    return (struct zoid_array){
        .type = type, .axes = 2, .device = -1, .shape = {NY, NX}, .data = data};
}

static void read_u(struct zoid_session *s, float u[POINTS])
{
    const struct zoid_array to = array_of("<f4", u);

    must(zoid_session_read(s, "u", NULL, NULL, &to));
}

/* ---- states and settings ------------------------------------------------------------------- */

START_TEST(calls_that_a_state_does_not_allow_do_nothing)
{
    struct zoid_session *s = begin("heat");
    float u[POINTS];
    const struct zoid_array to = array_of("<f4", u);

    ck_assert_int_eq(zoid_session_step(s), -1);
    ck_assert_int_eq(zoid_session_read(s, "u", NULL, NULL, &to), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_session_finish(s), ZOID_BAD_ARGUMENT);
    ck_assert_ptr_null(zoid_session_plan_text(s));
    must(zoid_session_plan(s));
    ck_assert_int_eq(zoid_session_set_int(s, "steps", 3), ZOID_BAD_ARGUMENT);
    ck_assert_str_eq(zoid_error_key(), "steps");
    ck_assert_int_eq(zoid_session_plan(s), ZOID_BAD_ARGUMENT);
    must(zoid_session_start(s));
    ck_assert_int_eq(zoid_session_start(s), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_session_advance(s, 11), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_session_advance(s, -2), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_session_solve(s, NULL), ZOID_BAD_ARGUMENT);
    must(zoid_session_advance(s, 4));
    must(zoid_session_advance(s, -1));
    ck_assert_int_eq(zoid_session_step(s), 10);
    zoid_session_destroy(&s);
    ck_assert_ptr_null(s);
    zoid_session_destroy(&s);
}
END_TEST

START_TEST(a_plan_that_fails_leaves_a_session_to_mend)
{
    struct zoid_session *s = begin("heat");

    must(zoid_session_set_text(s, "ram", "1K"));
    ck_assert_int_eq(zoid_session_plan(s), ZOID_DOES_NOT_FIT);
    ck_assert_str_eq(zoid_error_key(), "ram");
    must(zoid_session_unset(s, "ram"));
    must(zoid_session_set_int(s, "radius", 9));
    ck_assert_int_eq(zoid_session_plan(s), ZOID_BAD_ARGUMENT);
    must(zoid_session_set_int(s, "radius", 2));
    must(zoid_session_plan(s));
    ck_assert_str_eq(zoid_session_get(s, "radius"), "2");
    ck_assert_ptr_nonnull(strstr(zoid_session_about_json(s), "\"radius\": 2"));
    zoid_session_destroy(&s);
}
END_TEST

START_TEST(values_are_set_in_several_ways)
{
    struct zoid_session *s = begin("heat");
    const int64_t cells[] = {1, 2};

    must(zoid_session_set_real(s, "steps", 1e2));
    ck_assert_str_eq(zoid_session_get(s, "steps"), "100");
    ck_assert_int_eq(zoid_session_set_real(s, "steps", 1.5), ZOID_BAD_ARGUMENT);
    ck_assert_int_eq(zoid_session_set_text(s, "steps", "1K"), ZOID_BAD_ARGUMENT);
    ck_assert_str_eq(zoid_error_key(), "steps");
    must(zoid_session_set_real(s, "walltime", 90));
    ck_assert_str_eq(zoid_session_get(s, "walltime"), "90s");
    must(zoid_session_set_int(s, "check", 1));
    ck_assert_str_eq(zoid_session_get(s, "check"), "yes");
    ck_assert_int_eq(zoid_session_set_int(s, "check", 2), ZOID_BAD_ARGUMENT);
    must(zoid_session_set_ints(s, "cells", 2, cells));
    ck_assert_str_eq(zoid_session_get(s, "cells"), "1x2");
    must(zoid_session_set_text(s, "gpu_mem", "1.5K"));
    ck_assert_str_eq(zoid_session_get(s, "gpu_mem"), "1536");
    must(zoid_session_set_real(s, "lambda", 0.125));
    ck_assert_int_eq(zoid_session_set_text(s, "sizee", "3"), ZOID_BAD_ARGUMENT);
    ck_assert_ptr_null(zoid_session_get(s, "sizee"));
    ck_assert_int_eq(zoid_session_unset(s, "sizee"), ZOID_BAD_ARGUMENT);
    zoid_session_destroy(&s);
}
END_TEST

/* ---- legs, checkpoints --------------------------------------------------------------------- */

START_TEST(legs_and_checkpoints_lead_to_the_same_end)
{
    static const char *const methods[] = {"naive", "leaning", "trapezoid", "overlapped"};
    struct zoid_session *s = begin("wave");
    char path[64];
    float whole[POINTS], parts[POINTS];

    must(zoid_session_set_int(s, "steps", 30));
    must(zoid_session_run(s));
    read_u(s, whole);
    zoid_session_destroy(&s);
    s = begin("wave");
    must(zoid_session_set_int(s, "steps", 30));
    must(zoid_session_set_text(s, "method", methods[_i]));
    for (int step = 0; step < 14; step += 7)
        must(zoid_session_advance(s, 7));
    snprintf(path, sizeof path, "%s/ck%d", folder, _i);
    must(zoid_session_checkpoint(s, path));
    must(zoid_session_advance(s, -1));
    read_u(s, parts);
    ck_assert_mem_eq(whole, parts, sizeof whole);
    zoid_session_destroy(&s);
    /* Nothing is given again, but another method. */
    must(zoid_session_create(&s));
    must(zoid_session_restart(s, path));
    must(zoid_session_set_text(s, "method", methods[(_i + 1) % 4]));
    must(zoid_session_start(s));
    ck_assert_int_eq(zoid_session_step(s), 14);
    ck_assert_int_eq(zoid_session_steps(s), 30);
    must(zoid_session_advance(s, -1));
    read_u(s, parts);
    ck_assert_mem_eq(whole, parts, sizeof whole);
    zoid_session_destroy(&s);
}
END_TEST

/* Restarts with one more setting, which agrees or contradicts. */
static void restarts(const char *path, const char *key, const char *value, const char *then)
{
    struct zoid_session *s = NULL;
    enum zoid_status status;

    must(zoid_session_create(&s));
    must(zoid_session_restart(s, path));
    must(zoid_session_set_text(s, key, value));
    status = zoid_session_plan(s);
    if (!then) {
        ck_assert_msg(!status, "%s=%s: %s", key, value, zoid_error());
    } else {
        ck_assert_msg(status == ZOID_BAD_ARGUMENT, "%s=%s agrees", key, value);
        ck_assert_str_eq(zoid_error_key(), key);
        ck_assert_msg(strstr(zoid_error(), then), "%s", zoid_error());
    }
    zoid_session_destroy(&s);
}

START_TEST(settings_are_compared_by_value)
{
    struct zoid_session *s = begin("wave");
    char path[64];

    must(zoid_session_set_text(s, "boundary", "neumann"));
    must(zoid_session_set_text(s, "init", "hot"));
    must(zoid_session_set_text(s, "source", "3,4:ricker:0.1"));
    must(zoid_session_set_text(s, "coefficient", "v2=0.125"));
    must(zoid_session_advance(s, 3));
    snprintf(path, sizeof path, "%s/value", folder);
    must(zoid_session_checkpoint(s, path));
    zoid_session_destroy(&s);
    restarts(path, "size", "23x17", NULL);
    restarts(path, "size", "23", "23x17x1");
    restarts(path, "boundary", "x-=neumann,x+=neumann,y-=neumann,y+=neumann", NULL);
    restarts(path, "boundary", "dirichlet", "y+=neumann");
    restarts(path, "seed", "07", NULL);
    restarts(path, "seed", "8", "has 7");
    restarts(path, "init", "hot", NULL);
    restarts(path, "init", "zero", "hot");
    restarts(path, "radius", "1", NULL);
    restarts(path, "radius", "2", "has 1");
    restarts(path, "source", "3.0,4:ricker:1e-1", NULL);
    restarts(path, "source", "3,5:ricker:0.1", "begun with");
    restarts(path, "receivers", "y=3", NULL);
    restarts(path, "coefficient", "v2=0.1250", NULL);
    restarts(path, "steps", "11", NULL);
    restarts(path, "steps", "2", "is of step 3");
}
END_TEST

static int stop_at_once(void *calls, const struct zoid_session *s, double done)
{
    ++*(int *)calls;
    return done < 0 || zoid_session_progress(s) > 1 ? 0 : 1;
}

START_TEST(progress_may_stop_a_run)
{
    struct zoid_session *s = begin("wave");
    int calls = 0;

    must(zoid_session_set_int(s, "steps", 100000000));
    must(zoid_session_set_int(s, "depth", 2));
    ck_assert_int_eq(zoid_session_set_progress(s, stop_at_once, &calls, 0), ZOID_BAD_ARGUMENT);
    must(zoid_session_set_progress(s, stop_at_once, &calls, 0.05));
    ck_assert_int_eq(zoid_session_advance(s, -1), ZOID_STOPPED);
    ck_assert_int_ge(calls, 1);
    ck_assert(zoid_session_step(s) > 0 && zoid_session_step(s) < 100000000);
    must(zoid_session_set_progress(s, NULL, NULL, 0));
    must(zoid_session_advance(s, 3));
    zoid_session_stop(s);
    ck_assert_int_eq(zoid_session_advance(s, 3), ZOID_STOPPED);
    must(zoid_session_advance(s, 3));
    zoid_session_destroy(&s);
}
END_TEST

/* ---- arrays and points --------------------------------------------------------------------- */

static void swap_bytes(const void *from, size_t size, size_t n, void *to)
{
    for (size_t i = 0; i < n * size; i++)
        ((char *)to)[i] = ((const char *)from)[i - i % size + size - 1 - i % size];
}

START_TEST(arrays_of_any_layout_give_the_same)
{
    float u[POINTS], big[POINTS], mirrored[POINTS], wide[2 * POINTS], end[POINTS], other[POINTS];
    double out[POINTS];
    struct zoid_array views[] = {array_of("<f4", u), array_of(">f4", big),
                                 array_of("<f4", mirrored + POINTS - 1), array_of("<f4", wide)},
                      to = array_of("<f8", out);

    for (int i = 0; i < POINTS; i++)
        u[i] = mirrored[POINTS - 1 - i] = wide[2 * i] = (float)(i % 7) / 3;
    swap_bytes(u, sizeof *u, POINTS, big);
    memcpy(views[2].stride, (int64_t[]){-4 * NX, -4}, 2 * sizeof(int64_t));
    memcpy(views[3].stride, (int64_t[]){8 * NX, 8}, 2 * sizeof(int64_t));
    for (int v = 0; v < 4; v++) {
        struct zoid_session *s = begin("heat");
        const int64_t lo[] = {2, 3, 0}, hi[] = {5, 4, 1};
        float box[3];
        struct zoid_array part = {
            .type = "<f4", .axes = 2, .device = -1, .shape = {1, 3}, .data = box};

        must(zoid_session_set_array(s, "init", "u", &views[v]));
        must(zoid_session_run(s));
        read_u(s, v ? other : end);
        ck_assert_mem_eq(v ? other : end, end, sizeof end);
        must(zoid_session_read(s, "u", NULL, NULL, &to));
        must(zoid_session_read(s, "u", lo, hi, &part));
        for (int i = 0; i < POINTS; i++)
            ck_assert(out[i] == (double)end[i]);
        ck_assert_mem_eq(box, end + 3 * NX + 2, sizeof box);
        part.shape[1] = 2;
        ck_assert_int_eq(zoid_session_read(s, "u", lo, hi, &part), ZOID_BAD_ARGUMENT);
        zoid_session_destroy(&s);
    }
}
END_TEST

START_TEST(arrays_are_refused_by_key)
{
    struct zoid_session *s = begin("heat");
    float u[POINTS];
    struct zoid_array view = array_of("<f4", u);

    ck_assert_int_eq(zoid_session_set_array(s, "steps", NULL, &view), ZOID_BAD_ARGUMENT);
    ck_assert_str_eq(zoid_error_key(), "steps");
    ck_assert_int_eq(zoid_session_set_array(s, "init", NULL, &view), ZOID_BAD_ARGUMENT);
    /* In main memory; ZOID_RESOURCE: this build has no CUDA. */
    view.device = 0;
    ck_assert_int_eq(zoid_session_set_array(s, "init", "u", &view),
                     zoid_cuda_array_open ? ZOID_BAD_ARGUMENT : ZOID_RESOURCE);
    ck_assert_str_eq(zoid_error_key(), "init");
    zoid_session_destroy(&s);
}
END_TEST

START_TEST(points_are_numbers_or_texts)
{
    struct zoid_source_row source = {
        .size = sizeof source, .position = {3, 4}, .amplitude = 2, .ricker = 0.125};
    const double places[] = {5, 6, 7.5, 8};
    double record[2][11 * 2];
    struct zoid_array to = {.type = "<f8", .axes = 2, .device = -1, .shape = {11, 2}};

    for (int numbers = 0; numbers < 2; numbers++) {
        struct zoid_session *s = begin("wave");

        must(zoid_session_set_text(s, "init", "zero"));
        if (numbers) {
            must(zoid_session_add_source(s, &source));
            must(zoid_session_add_receivers(s, NULL, 2, places, 0));
        } else {
            must(zoid_session_set_text(s, "source", "3,4,2:ricker:0.125"));
            must(zoid_session_set_text(s, "receivers", "5,6"));
            must(zoid_session_set_text(s, "receivers", "7.5,8"));
        }
        must(zoid_session_run(s));
        ck_assert_int_eq(zoid_session_record_rows(s), 11);
        to.data = record[numbers];
        must(zoid_session_record(s, &to));
        zoid_session_destroy(&s);
    }
    ck_assert_mem_eq(record[0], record[1], sizeof record[0]);
    ck_assert(record[0][20] != 0);
}
END_TEST

/* The same places and wavelet: in points, in units, and in bare numbers of units; as texts, and as
 * numbers. */
START_TEST(units_are_those_of_dx_and_dt)
{
    static const struct {
        const char *source, *receivers, *units;
    } as[] = {{"3,4:ricker:0.125,9", "y=5", "grid"},
              {"30m,0.04km:ricker:62.5Hz,18ms", "y=50m", "grid"},
              {"30,40:ricker:62.5,0.018", "y=50", "physical"}};
    const struct zoid_source_row row = {
        .size = sizeof row, .position = {30, 40}, .physical = 1, .ricker = 62.5, .delay = 0.018};
    double first[11 * (NX - 2)], other[11 * (NX - 2)];
    struct zoid_array to = {.type = "<f8", .axes = 2, .device = -1, .shape = {11, NX - 2}};

    for (int i = 0; i < 4; i++) {
        struct zoid_session *s = begin("wave");

        must(zoid_session_set_text(s, "init", "zero"));
        must(zoid_session_set_real(s, "dx", 10));
        must(zoid_session_set_real(s, "dt", 0.002));
        must(zoid_session_set_text(s, "units", as[i % 3].units));
        must(zoid_session_set_text(s, "receivers", as[i % 3].receivers));
        if (i < 3)
            must(zoid_session_set_text(s, "source", as[i].source));
        else
            must(zoid_session_add_source(s, &row));
        must(zoid_session_run(s));
        to.data = i ? other : first;
        must(zoid_session_record(s, &to));
        if (i)
            ck_assert_mem_eq(first, other, sizeof first);
        zoid_session_destroy(&s);
    }
    ck_assert(first[10 * (NX - 2) + 2] != 0);
}
END_TEST

/* Half a cycle a step is the most, also if its product is rounded up; as text and as a number. */
START_TEST(steps_resolve_half_a_cycle)
{
    static const struct {
        double hertz;
        const char *text;
        enum zoid_status status;
    } as[] = {{500. / 9, "3,4:ricker:55.555555555555557Hz", ZOID_OK},
              {56, "3,4:ricker:56Hz", ZOID_BAD_ARGUMENT}};

    for (int i = 0; i < 4; i++) {
        const struct zoid_source_row row = {
            .size = sizeof row, .position = {30, 40}, .physical = 1, .ricker = as[i / 2].hertz};
        struct zoid_session *s = begin("wave");

        must(zoid_session_set_real(s, "dx", 10));
        must(zoid_session_set_text(s, "dt", "9ms"));
        must(i % 2 ? zoid_session_add_source(s, &row)
                   : zoid_session_set_text(s, "source", as[i / 2].text));
        ck_assert_int_eq(zoid_session_plan(s), as[i / 2].status);
        if (as[i / 2].status)
            ck_assert_ptr_nonnull(strstr(zoid_error(), "steps resolve 0.5"));
        zoid_session_destroy(&s);
    }
}
END_TEST

START_TEST(a_unit_needs_its_size)
{
    struct zoid_session *s = begin("wave");

    must(zoid_session_set_text(s, "receivers", "y=50m"));
    ck_assert_int_eq(zoid_session_plan(s), ZOID_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(zoid_error(), "dx"));
    must(zoid_session_set_real(s, "dx", 10));
    must(zoid_session_plan(s));
    zoid_session_destroy(&s);
}
END_TEST

/* An operator's dt is that of points whose distance is 1. */
START_TEST(spacing_and_step_of_an_operator)
{
    enum { X = 9, Y = 8, Z = 10, SIZE = X * Y * Z };
    const int64_t size[] = {X, Y, Z};
    char path[64];
    float v[2][SIZE];
    struct zoid_array to = {.type = "<f4", .axes = 3, .device = -1, .shape = {Z, Y, X}};

    snprintf(path, sizeof path, "%s/dt", folder);
    for (int i = 0; i < 2; i++) {
        struct zoid_session *s = NULL;

        must(zoid_session_create(&s));
        must(zoid_session_set_text(s, "operator", "seismic"));
        must(zoid_session_set_ints(s, "size", 3, size));
        must(zoid_session_set_real(s, "dt", i ? 1.25 : 0.125));
        if (i)
            must(zoid_session_set_real(s, "dx", 10));
        must(zoid_session_advance(s, 5));
        to.data = v[i];
        must(zoid_session_read(s, "vx", NULL, NULL, &to));
        if (i)
            must(zoid_session_checkpoint(s, path));
        zoid_session_destroy(&s);
    }
    ck_assert_mem_eq(v[0], v[1], sizeof v[0]);
    restarts(path, "dt", "1.25", NULL);
    restarts(path, "dt", "0.125", "has 1.25");
    restarts(path, "dx", "10", NULL);
    restarts(path, "dx", "5", "has 10");
}
END_TEST

static void shot_layers(struct zoid_session *s)
{
    must(zoid_session_set_text(s, "boundary", "pml"));
    must(zoid_session_set_int(s, "pml_points", 2));
}

/* Shots one after the other, of one session that goes back, as of a session each; with layers whose
 * shift follows from the wavelet, too. */
START_TEST(shots_are_those_of_sessions_of_their_own)
{
    enum { SHOTS = 3, STEPS = 20, RECEIVERS = 2 };
    double alone[SHOTS][(STEPS + 1) * RECEIVERS], again[(STEPS + 1) * RECEIVERS];
    float u[POINTS], end[POINTS];
    struct zoid_array to = {
        .type = "<f8", .axes = 2, .device = -1, .shape = {STEPS + 1, RECEIVERS}};
    struct zoid_session *one = begin("wave");

    must(zoid_session_set_text(one, "coefficient", "v2=0.2"));
    must(zoid_session_set_int(one, "steps", STEPS));
    if (_i)
        shot_layers(one);
    for (int shot = 0; shot < SHOTS; shot++) {
        struct zoid_source_row source = {
            .size = sizeof source, .position = {4 + 5 * shot, 6}, .ricker = shot < 2 ? 0.1 : 0.4};
        const double places[] = {3 + shot, 4, 12, 7 + shot};
        struct zoid_session *s = begin("wave");

        must(zoid_session_set_text(s, "coefficient", "v2=0.2"));
        must(zoid_session_set_int(s, "steps", STEPS));
        if (_i)
            shot_layers(s);
        must(zoid_session_add_source(s, &source));
        must(zoid_session_add_receivers(s, NULL, RECEIVERS, places, 0));
        must(zoid_session_run(s));
        to.data = alone[shot];
        must(zoid_session_record(s, &to));
        read_u(s, end);
        zoid_session_destroy(&s);
        if (shot) {
            must(zoid_session_rewind(one));
            ck_assert_int_eq(zoid_session_step(one), 0);
            must(zoid_session_clear_points(one));
        }
        must(zoid_session_add_source(one, &source));
        must(zoid_session_add_receivers(one, NULL, RECEIVERS, places, 0));
        must(zoid_session_advance(one, 7));
        must(zoid_session_advance(one, -1));
        to.data = again;
        must(zoid_session_record(one, &to));
        ck_assert_mem_eq(alone[shot], again, sizeof again);
        read_u(one, u);
        ck_assert_mem_eq(u, end, sizeof u);
    }
    ck_assert_mem_ne(alone[0], alone[1], sizeof alone[0]);
    /* Without any. */
    must(zoid_session_rewind(one));
    must(zoid_session_clear_points(one));
    must(zoid_session_advance(one, -1));
    ck_assert_int_eq(zoid_session_record_rows(one), 0);
    zoid_session_destroy(&one);
}
END_TEST

/* A checkpoint of a session that went back has the sources of its last run. */
START_TEST(checkpoints_have_the_new_sources)
{
    float u[2][POINTS];
    struct zoid_session *s = begin("wave"), *then = NULL;
    char path[64];

    must(zoid_session_set_text(s, "coefficient", "v2=0.2"));
    must(zoid_session_set_text(s, "init", "zero"));
    must(zoid_session_set_int(s, "checkpoint_every", 10));
    must(zoid_session_set_int(s, "steps", 20));
    shot_layers(s);
    for (int shot = 0; shot < 2; shot++) {
        const struct zoid_source_row source = {
            .size = sizeof source, .position = {4 + 5 * shot, 6}, .ricker = shot ? 0.4 : 0.1};

        if (shot) {
            must(zoid_session_rewind(s));
            must(zoid_session_clear_points(s));
        }
        snprintf(path, sizeof path, "%s/shot%d", folder, shot);
        must(zoid_session_set_text(s, "checkpoint", path));
        must(zoid_session_add_source(s, &source));
        must(zoid_session_advance(s, shot ? 10 : -1));
    }
    must(zoid_session_create(&then));
    must(zoid_session_restart(then, path));
    must(zoid_session_advance(s, -1));
    must(zoid_session_advance(then, -1));
    read_u(s, u[0]);
    read_u(then, u[1]);
    ck_assert_mem_eq(u[0], u[1], sizeof u[0]);
    zoid_session_destroy(&then);
    zoid_session_destroy(&s);
}
END_TEST

/* ---- solvers and matrices ------------------------------------------------------------------ */

START_TEST(a_solver_solves)
{
    struct zoid_session *s = begin(NULL);
    struct zoid_solution solution = {.size = sizeof solution};
    double f[POINTS], u[POINTS];
    struct zoid_array rhs = array_of("<f8", f), to = array_of("<f8", u);

    for (int i = 0; i < POINTS; i++)
        f[i] = 1;
    must(zoid_session_set_text(s, "solver", _i ? "rbsor" : "mlsor"));
    must(zoid_session_set_text(s, "type", "f64"));
    must(zoid_session_set_text(s, "init", "zero"));
    must(zoid_session_set_array(s, "rhs", NULL, &rhs));
    must(zoid_session_set_real(s, "tolerance", 1e-9));
    must(zoid_session_set_int(s, "steps", 4000));
    ck_assert_int_eq(zoid_session_advance(s, 1), ZOID_BAD_ARGUMENT);
    must(zoid_session_solve(s, &solution));
    ck_assert(solution.residual < 1e-9 && solution.initial_residual > 1);
    ck_assert_int_ge(solution.first_below, 1);
    must(zoid_session_read(s, "u", NULL, NULL, &to));
    for (int y = 1; y < NY - 1; y++)
        for (int x = 1; x < NX - 1; x++) {
            const double *c = u + y * NX + x;

            ck_assert(fabs(4 * c[0] - c[1] - c[-1] - c[NX] - c[-NX] - 1) < 1e-6);
        }
    zoid_session_destroy(&s);
}
END_TEST

START_TEST(a_solver_that_does_not_converge_says_so)
{
    struct zoid_session *s = begin(NULL);
    struct zoid_solution solution = {.size = sizeof solution};

    must(zoid_session_set_real(s, "tolerance", 1e-9));
    must(zoid_session_set_int(s, "steps", 2));
    ck_assert_int_eq(zoid_session_solve(s, &solution), ZOID_CHECK_FAILED);
    ck_assert_int_eq(solution.sweeps, 2);
    ck_assert_int_eq(solution.first_below, -1);
    zoid_session_destroy(&s);
}
END_TEST

START_TEST(a_matrix_is_raised_to_a_power)
{
    enum { N = 5, ENTRIES = 9 };
    int32_t start[N + 1] = {0, 2, 4, 6, 8, 9}, column[ENTRIES] = {0, 1, 1, 2, 2, 3, 3, 4, 4};
    double value[ENTRIES] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, x[N] = {1, 1, 1, 1, 1}, y[N], z[N];
    struct zoid_array
        a = {.type = "<i4", .axes = 1, .device = -1, .shape = {N + 1}, .data = start},
        b = {.type = "<i4", .axes = 1, .device = -1, .shape = {ENTRIES}, .data = column},
        c = {.type = "<f8", .axes = 1, .device = -1, .shape = {ENTRIES}, .data = value},
        v = {.type = "<f8", .axes = 1, .device = -1, .shape = {N}, .data = x};
    struct zoid_matrix *matrix = NULL;
    struct zoid_session *s = NULL;

    must(zoid_matrix_from_csr(&a, &b, &c, &matrix));
    must(zoid_session_create(&s));
    must(zoid_session_set_matrix(s, matrix));
    must(zoid_session_set_int(s, "steps", 8));
    must(zoid_session_set_array(s, "vector", NULL, &v));
    must(zoid_session_run(s));
    v.data = y;
    must(zoid_session_read(s, "x", NULL, NULL, &v));
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < N; i++) {
            z[i] = 0;
            for (int e = start[i]; e < start[i + 1]; e++)
                z[i] = fma(value[e], x[column[e]], z[i]);
        }
        memcpy(x, z, sizeof x);
    }
    for (int i = 0; i < N; i++)
        ck_assert(y[i] == z[i]);
    zoid_session_destroy(&s);
    zoid_matrix_destroy(&matrix);
    must(zoid_matrix_open("band:2", &matrix));
    zoid_matrix_destroy(&matrix);
    b.shape[0] = 3;
    ck_assert_int_eq(zoid_matrix_from_csr(&a, &b, &c, &matrix), ZOID_BAD_ARGUMENT);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, calls_that_a_state_does_not_allow_do_nothing);
    tcase_add_test(tests, a_plan_that_fails_leaves_a_session_to_mend);
    tcase_add_test(tests, values_are_set_in_several_ways);
    tcase_add_loop_test(tests, legs_and_checkpoints_lead_to_the_same_end, 0, 4);
    tcase_add_test(tests, progress_may_stop_a_run);
    tcase_add_test(tests, settings_are_compared_by_value);
    tcase_add_test(tests, arrays_of_any_layout_give_the_same);
    tcase_add_test(tests, arrays_are_refused_by_key);
    tcase_add_test(tests, points_are_numbers_or_texts);
    tcase_add_loop_test(tests, shots_are_those_of_sessions_of_their_own, 0, 2);
    tcase_add_test(tests, checkpoints_have_the_new_sources);
    tcase_add_test(tests, units_are_those_of_dx_and_dt);
    tcase_add_test(tests, steps_resolve_half_a_cycle);
    tcase_add_test(tests, a_unit_needs_its_size);
    tcase_add_test(tests, spacing_and_step_of_an_operator);
    tcase_add_loop_test(tests, a_solver_solves, 0, 2);
    tcase_add_test(tests, a_solver_that_does_not_converge_says_so);
    tcase_add_test(tests, a_matrix_is_raised_to_a_power);
}

int main(void)
{
    char command[64];
    int failed;

    if (!mkdtemp(folder))
        return EXIT_FAILURE;
    setenv("ZOID_RATES_MODE", "default", 0);
    failed = run_suite("session", 120, add);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) ? EXIT_FAILURE : failed;
}

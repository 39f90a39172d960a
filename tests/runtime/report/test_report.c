/* SPDX-License-Identifier: BSD-3-Clause */
/* The report's two formats, parsed back. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graphs/zoid.h"
#include "runtime/zoid_advanced.h"
#include "tests/suite.h"

static struct zoid_report sample(void)
{
    return (struct zoid_report){.app = "zoid-heat",
                                .op = zoid_op_find("heat", 3, 1, ZOID_F64),
                                .size = {5, 70000000000, 3},
                                .steps = 12,
                                .seed = 7,
                                .method = "leaning",
                                .block = 4,
                                .depth = 9,
                                .clamped = true,
                                .seconds = 0.125,
                                .gups = 2.5,
                                .check = "passed",
                                .cpu_workers = 16,
                                .cuda_workers = 2,
                                .busy_workers = 15.75,
                                .h2d = 0x1p53 - 1,
                                .d2h = 0,
                                .p2p = NAN,
                                .disk_read = 3,
                                .disk_write = 4,
                                .mpi = 5,
                                .planned = {6, 7, 8, 9, NAN},
                                .useful = 12600000000000,
                                .redundant = 17,
                                .tasks = 42,
                                .predicted_seconds = 0.25,
                                .core_seconds = 1.5,
                                .predicted_core_seconds = NAN,
                                .bound = "memory",
                                .bound_fraction = 0.5,
                                .rates = "calibrated"};
}

static json_t *written(const struct zoid_report *report)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    json_error_t error;
    json_t *object;

    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(zoid_report_json(report, out), ZOID_OK);
    fclose(out);
    object = json_loads(text, 0, &error);
    ck_assert_msg(object != NULL, "line %d: %s", error.line, error.text);
    free(text);
    return object;
}

/* The text of a report; the caller frees it. */
static char *printed(const struct zoid_report *report)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(zoid_report_print(report, out), ZOID_OK);
    fclose(out);
    return text;
}

START_TEST(json_has_every_value)
{
    struct zoid_report report = sample();
    json_t *expected = json_pack(
        "{s:s, s:s, s:s, s:s, s:i, s:[i,I,i], s:i, s:i, s:s, s:i, s:i, s:b, s:f, s:f, s:s, "
        "s:{s:i, s:i}, s:f, s:{s:I, s:i, s:n, s:i, s:i, s:i}, "
        "s:{s:i, s:i, s:i, s:i, s:n}, s:{s:I, s:i}, s:i, s:f, "
        "s:{s:f, s:n}, s:{s:s, s:f}, s:s}",
        "version", zoid_version(), "app", "zoid-heat", "operator", "heat3d_r1_f64", "type", "f64",
        "radius", 1, "size", 5, (json_int_t)70000000000, 3, "steps", 12, "seed", 7, "method",
        "leaning", "block", 4, "depth", 9, "clamped", 1, "seconds", 0.125, "gups", 2.5, "check",
        "passed", "workers", "cpu", 16, "cuda", 2, "busy_workers", 15.75, "bytes", "h2d",
        (json_int_t)9007199254740991, "d2h", 0, "p2p", "disk_read", 3, "disk_write", 4, "mpi", 5,
        "planned", "h2d", 6, "d2h", 7, "p2p", 8, "disk_read", 9, "disk_write", "points", "useful",
        (json_int_t)12600000000000, "redundant", 17, "tasks", 42, "predicted_seconds", 0.25,
        "core_seconds", "measured", 1.5, "predicted", "bound", "name", "memory", "fraction", 0.5,
        "rates", "calibrated");
    json_t *object = written(&report);

    ck_assert_ptr_nonnull(expected);
    ck_assert_msg(json_equal(object, expected), "got %s", json_dumps(object, 0));
    json_decref(object);
    json_decref(expected);
}
END_TEST

START_TEST(derived_values_follow_where_there_are_some)
{
    struct zoid_report report = sample();
    json_t *object = written(&report), *derived;
    char *text;

    ck_assert_ptr_null(json_object_get(object, "derived"));
    json_decref(object);
    report.derived[0] = (struct zoid_derived){.name = "alive", .value = 12};
    report.derived[1] = (struct zoid_derived){.name = "peak", .value = 0.5};
    report.derived[2] = (struct zoid_derived){.name = "by", .text = "hand"};
    object = written(&report);
    derived = json_object_get(object, "derived");
    ck_assert_int_eq(json_object_size(derived), 3);
    ck_assert_int_eq(json_integer_value(json_object_get(derived, "alive")), 12);
    ck_assert(json_real_value(json_object_get(derived, "peak")) == 0.5);
    json_decref(object);
    text = printed(&report);
    ck_assert_ptr_nonnull(strstr(text, "\nderived.alive 12\nderived.peak 0.5\nderived.by hand\n"));
    free(text);
}
END_TEST

/* With several ranks: the totals, and for each figure a list of the ranks' values. */
START_TEST(ranks_have_lists_of_their_own)
{
    const struct zoid_rank_report each[] = {
        {.messages = 12,
         .mpi = 3072,
         .waiting = 0.25,
         .busy_workers = 0.875,
         .block_seconds = 2.5,
         .stream = 0x1.8p51},
        {.messages = 10, .mpi = 0x1p40, .waiting = 0, .busy_workers = NAN}};
    struct zoid_report report = sample();
    json_t *object, *expected;
    char *text;

    report.ranks[0] = 1, report.ranks[1] = 2, report.ranks[2] = 1;
    report.exchange = ZOID_EXCHANGE_JOINED;
    report.messages = 22;
    report.waiting = 0.25;
    report.each = each;
    object = written(&report);
    expected =
        json_pack("{s:[i,i], s:[i,I], s:[f,i], s:[f,n], s:[f,i], s:[I,i]}", "messages", 12, 10,
                  "bytes_mpi", 3072, (json_int_t)1 << 40, "waiting", 0.25, 0, "busy_workers", 0.875,
                  "block_seconds", 2.5, 0, "stream", (json_int_t)3 << 50, 0);
    ck_assert_ptr_nonnull(expected);
    ck_assert(json_equal(json_object_get(object, "per_rank"), expected));
    ck_assert(json_real_value(json_object_get(object, "waiting")) == 0.25);
    json_decref(expected);
    json_decref(object);
    text = printed(&report);
    ck_assert_ptr_nonnull(strstr(text, "\nranks 1x2x1\nexchange joined\nmessages 22\nwaiting "
                                       "0.25\nper_rank.messages 12 10\nper_rank.bytes_mpi 3072 "));
    ck_assert_ptr_nonnull(strstr(text, "\nper_rank.waiting 0.25 0\n"));
    ck_assert_ptr_nonnull(strstr(text, "\nper_rank.busy_workers 0.875 null\n"));
    free(text);
}
END_TEST

/* The epochs, of 4 steps from step 8 on, after which the border of a report has settled; -1: they
 * are unknown. */
static long settled(const long way[][2], long moves, long first, long last)
{
    struct zoid_report report = sample();
    json_t *object, *value;
    long epochs;

    report.places = 2;
    report.place[0] = report.place[1] = (struct zoid_place_report){.kind = "cores"};
    report.start = 8;
    report.epoch = 4;
    report.border = (struct zoid_border_report){.first = first, .last = last, .moves = moves};
    for (long i = 0; i < zoid_min(moves, ZOID_BORDERS_MOST); i++) {
        report.border.way[i].step = way[i][0];
        report.border.way[i].planes = way[i][1];
    }
    object = written(&report);
    value = json_object_get(json_object_get(object, "border"), "settled");
    epochs = json_is_null(value) ? -1 : (long)json_integer_value(value);
    json_decref(object);
    return epochs;
}

START_TEST(borders_settle)
{
    static const long often[ZOID_BORDERS_MOST + 1][2] = {{12, 20}};

    ck_assert_int_eq(settled(NULL, 0, 40, 40), 0);
    ck_assert_int_eq(settled((const long[][2]){{16, 101}, {24, 100}}, 2, 50, 100), 2);
    ck_assert_int_eq(settled((const long[][2]){{16, 97}, {24, 104}, {36, 100}}, 3, 50, 100), 7);
    ck_assert_int_eq(settled((const long[][2]){{16, 50}, {28, 99}, {32, 100}}, 3, 98, 100), 5);
    ck_assert_int_eq(settled(often, ZOID_BORDERS_MOST + 1, 40, 20), -1);
}
END_TEST

START_TEST(unknown_is_null)
{
    static const char *const unknown[] = {"seconds", "gups", "busy_workers", "predicted_seconds"};
    struct zoid_report report = sample();
    json_t *object, *bound;

    report.seconds = report.gups = report.busy_workers = report.predicted_seconds = NAN;
    report.bound = NULL;
    report.bound_fraction = NAN;
    object = written(&report);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        ck_assert_msg(json_is_null(json_object_get(object, unknown[i])), "%s", unknown[i]);
    bound = json_object_get(object, "bound");
    ck_assert(json_is_null(json_object_get(bound, "name")));
    ck_assert(json_is_null(json_object_get(bound, "fraction")));
    json_decref(object);
}
END_TEST

START_TEST(text_has_the_same_keys_in_the_same_order)
{
    struct zoid_report report = sample();
    char *text = printed(&report), *line = text, key[64];
    json_t *object = written(&report), *value, *part;
    const char *name, *member;

    json_object_foreach(object, name, value)
    {
        if (!json_is_object(value)) {
            snprintf(key, sizeof key, "%s ", name);
            ck_assert_msg(!strncmp(line, key, strlen(key)), "no '%s' at '%.20s'", key, line);
            line = strchr(line, '\n') + 1;
            continue;
        }
        json_object_foreach(value, member, part)
        {
            snprintf(key, sizeof key, "%s.%s ", name, member);
            ck_assert_msg(!strncmp(line, key, strlen(key)), "no '%s' at '%.20s'", key, line);
            line = strchr(line, '\n') + 1;
        }
    }
    ck_assert_str_eq(line, "");
    free(text);
    json_decref(object);
}
END_TEST

START_TEST(text_prints_values_plainly)
{
    static const char *const lines[] = {
        "size 5x70000000000x3\n",         "clamped true\n",  "check passed\n",  "bytes.p2p null\n",
        "points.useful 12600000000000\n", "seconds 0.125\n", "workers.cpu 16\n"};
    struct zoid_report report = sample();
    char *text = printed(&report);

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        ck_assert_msg(strstr(text, lines[i]) != NULL, "no %s in\n%s", lines[i], text);
    free(text);
}
END_TEST

START_TEST(seeds_keep_all_their_bits)
{
    struct zoid_report report = sample();
    char *text;
    json_t *object;

    report.seed = INT64_MAX;
    object = written(&report);
    ck_assert_int_eq(json_integer_value(json_object_get(object, "seed")), INT64_MAX);
    json_decref(object);
    report.seed = UINT64_MAX;
    object = written(&report);
    ck_assert_str_eq(json_string_value(json_object_get(object, "seed")), "18446744073709551615");
    json_decref(object);
    text = printed(&report);
    ck_assert_ptr_nonnull(strstr(text, "\nseed 18446744073709551615\n"));
    free(text);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, json_has_every_value);
    tcase_add_test(tests, derived_values_follow_where_there_are_some);
    tcase_add_test(tests, ranks_have_lists_of_their_own);
    tcase_add_test(tests, borders_settle);
    tcase_add_test(tests, unknown_is_null);
    tcase_add_test(tests, text_has_the_same_keys_in_the_same_order);
    tcase_add_test(tests, text_prints_values_plainly);
    tcase_add_test(tests, seeds_keep_all_their_bits);
}

int main(void)
{
    return run_suite("report", 60, add);
}

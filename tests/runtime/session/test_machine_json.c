/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine as JSON: every property that zoid-info prints, with workers once a session was
 * planned. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/io/formats.h"
#include "runtime/machine/facts.h"
#include "runtime/zoid_session.h"
#include "tests/suite.h"

static json_t *parse(void)
{
    const char *text = zoid_machine_json();
    json_t *all = text ? json_loads(text, 0, NULL) : NULL;

    ck_assert_ptr_nonnull(all);
    return all;
}

/* Values of the JSON; `found` counts facts. */
struct facts {
    json_t *all;
    size_t found;
};

static json_t *value_of(json_t *all, const char *key)
{
    const char *dot = strchr(key, '.');
    char group[16];

    if (!dot)
        return json_object_get(all, key);
    snprintf(group, sizeof group, "%.*s", (int)(dot - key), key);
    return json_object_get(json_object_get(all, group), dot + 1);
}

static void is_there(void *user, const struct zoid_fact *fact)
{
    struct facts *f = user;
    json_t *value = fact->kind == ZOID_FACT_MISSING
                        ? json_object_get(json_object_get(f->all, "missing"), fact->key)
                        : value_of(f->all, fact->key);

    f->found++;
    ck_assert_msg(value != NULL, "no %s", fact->key);
    if (fact->kind == ZOID_FACT_TEXT || fact->kind == ZOID_FACT_MISSING)
        ck_assert_str_eq(json_string_value(value), fact->text);
    else if (fact->kind == ZOID_FACT_CACHE)
        ck_assert_int_eq(json_integer_value(json_object_get(value, "bytes")), fact->number);
    else if (fact->kind == ZOID_FACT_WORDS)
        ck_assert_uint_eq(json_array_size(value), 2);
    else if (strcmp(fact->key, "ram_available") != 0)
        ck_assert_int_eq(json_integer_value(value), fact->number);
}

static json_int_t workers(json_t *all)
{
    return json_integer_value(value_of(all, "workers.cpu")) +
           json_integer_value(value_of(all, "workers.cuda"));
}

START_TEST(has_all_that_is_printed)
{
    struct facts facts = {.all = parse()};
    struct zoid_machine machine;

    ck_assert_int_eq(zoid_machine_probe(&machine), ZOID_OK);
    zoid_machine_facts(&machine, is_there, &facts);
    zoid_format_facts(is_there, &facts);
    ck_assert_uint_gt(facts.found, 12);
    ck_assert_int_eq(workers(facts.all), 0);
    json_decref(facts.all);
}
END_TEST

START_TEST(has_workers_once_a_session_was_planned)
{
    struct zoid_session *s = NULL;
    json_t *all;

    ck_assert_int_eq(zoid_session_create(&s), ZOID_OK);
    ck_assert_int_eq(zoid_session_set_text(s, "operator", "heat"), ZOID_OK);
    ck_assert_int_eq(zoid_session_set_text(s, "size", "32x32"), ZOID_OK);
    ck_assert_int_eq(zoid_session_plan(s), ZOID_OK);
    all = parse();
    ck_assert_int_gt(workers(all), 0);
    json_decref(all);
    zoid_session_destroy(&s);
    ck_assert_int_eq(zoid_shutdown(), ZOID_OK);
    all = parse();
    ck_assert_int_eq(workers(all), 0);
    json_decref(all);
}
END_TEST

START_TEST(says_why_there_is_none)
{
    setenv("ZOID_ISA", "abacus", 1);
    ck_assert_ptr_null(zoid_machine_json());
    ck_assert_ptr_nonnull(strstr(zoid_error(), "ZOID_ISA=abacus"));
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, has_all_that_is_printed);
    tcase_add_test(tests, has_workers_once_a_session_was_planned);
    tcase_add_test(tests, says_why_there_is_none);
}

int main(void)
{
    return run_suite("machine_json", 60, add);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of operators that a program adds: found like Zoid's own, with keys of settings for their
 * parameters; and those that are refused. */
#include <string.h>

#include "runtime/session/settings.h"
#include "runtime/session/store.h"
#include "tests/suite.h"

/* The table of tests/outside/lopsided.def. */
const struct zoid_op *lopsided_op(size_t i);

/* An operator of this program, which only looks like one. */
static struct zoid_op made;

static const struct zoid_op *made_op(size_t i)
{
    return i ? NULL : &made;
}

/* The same as another table, which is never added: tests may run in one process. */
static const struct zoid_op *refused_op(size_t i)
{
    return made_op(i);
}

static void make(const char *family, int nparams, const char *const *name)
{
    made = *lopsided_op(0);
    made.name = made.family = family;
    made.nparams = nparams;
    for (int p = 0; p < nparams; p++)
        made.param[p] = (struct zoid_param){.name = name[p], .summary = "a number", .most = 1};
}

static void refused(const char *why)
{
    const size_t first = strlen(zoid_operators_json());

    ck_assert_int_eq(zoid_operators_add(refused_op), ZOID_BAD_ARGUMENT);
    ck_assert_msg(strstr(zoid_error(), why) != NULL, "%s", zoid_error());
    ck_assert_uint_eq(strlen(zoid_operators_json()), first);
}

START_TEST(added)
{
    const struct zoid_op *first = lopsided_op(0), *op;
    struct zoid_settings settings;

    ck_assert_ptr_null(zoid_op_find(first->family, first->dims, first->radius, first->type));
    ck_assert_int_eq(zoid_operators_add(lopsided_op), ZOID_OK);
    ck_assert_int_eq(zoid_operators_add(lopsided_op), ZOID_OK);
    op = zoid_op_find(first->family, first->dims, first->radius, first->type);
    ck_assert_ptr_nonnull(op);
    ck_assert_str_eq(op->name, first->name);
    ck_assert(op->cpu[ZOID_PORTABLE] == first->cpu[ZOID_PORTABLE]);
    ck_assert_ptr_nonnull(strstr(zoid_operators_json(), first->family));
    ck_assert_int_eq(zoid_settings_open(&settings), ZOID_OK);
    ck_assert_int_eq(zoid_settings_set(&settings, "operator", first->family), ZOID_OK);
    zoid_settings_close(&settings);
}
END_TEST

/* Zoid's own operators go by its version, others by their text. */
START_TEST(texts)
{
    ck_assert_uint_eq(zoid_op_at(0)->text, 0);
    ck_assert_uint_ne(lopsided_op(0)->text, 0);
    ck_assert_uint_eq(lopsided_op(0)->text, lopsided_op(1)->text);
}
END_TEST

START_TEST(keys)
{
    static const char *const name[] = {"C_1", "steps", "c_1", "_x", "omega", "help", "a", "Lo"},
                             *const key[] = {"c_1",   "param_steps", "param_c_1", "param__x",
                                             "omega", "param_help",  "a",         "lo"};
    const struct zoid_op *op;

    make("made", ZOID_MAX_PARAMS, name);
    ck_assert_msg(!zoid_operators_add(made_op), "%s", zoid_error());
    op = zoid_op_find("made", made.dims, made.radius, made.type);
    for (int p = 0; p < ZOID_MAX_PARAMS; p++) {
        ck_assert_str_eq(op->param[p].name, key[p]);
        ck_assert_int_eq(zoid_op_param(op, key[p]), p);
        ck_assert_str_eq(made.param[p].name, name[p]);
    }
    ck_assert_ptr_nonnull(strstr(zoid_settings_json(), "\"param_steps\""));
}
END_TEST

START_TEST(names_that_are_taken)
{
    make("heat", 0, NULL);
    refused("has an operator heat, and so has Zoid itself");
    ck_assert_int_eq(zoid_operators_add(lopsided_op), ZOID_OK);
    make("lopsided", 0, NULL);
    refused("has an operator lopsided, and so has /");
}
END_TEST

START_TEST(boxes)
{
    make("boxed", 0, NULL);
    made.stage[0].nboxes = 1;
    refused("box 0 of stage 0 is larger than the reads of its field allow");
}
END_TEST

/* Fields 0 and 1 change roles: beyond the box, the one that a stage writes has the values of the
 * other, which it has to read. */
START_TEST(kept_fields)
{
    size_t i = 0;

    while (strcmp(lopsided_op(i)->family, "seesaw") != 0)
        i++;
    made = *lopsided_op(i);
    made.name = made.family = "rocker";
    made.keeps_own = false;
    made.stage[1].read[0].field = 0;
    refused("stage 1 leaves points of a as they are in b, which it does not read; add b");
}
END_TEST

START_TEST(parameters_of_one_name)
{
    static const char *const name[] = {"param_steps", "steps"};

    make("pair", 2, name);
    refused("two parameters that would be the setting param_steps, one of them steps");
}
END_TEST

START_TEST(instruction_sets)
{
    make("slow", 0, NULL);
    made.cpu[zoid_isa_best()] = NULL;
    refused("no code for the instruction set");
    refused(zoid_isa_name(zoid_isa_best()));
}
END_TEST

/* A row that no block could run is refused, not run. */
START_TEST(impossible_rows)
{
    static const char why[] = "that there cannot be";

    make("odd", 0, NULL);
    made.stage[0].read[0].reach.lo[0] = -1;
    refused(why);
    made.stage[0].read[0].reach.lo[0] = ZOID_MAX_REACH + 1;
    refused(why);
    make("odd", 0, NULL);
    made.stage[0].read[0].field = made.nstate + made.ncoef;
    refused(why);
    make("odd", 0, NULL);
    made.stage[0].writes |= 1u << made.nstate;
    refused(why);
    make("odd", 0, NULL);
    made.step = made.nstages + 1;
    refused(why);
    make("odd", 0, NULL);
    made.nparams = ZOID_MAX_PARAMS + 1;
    refused(why);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, added);
    tcase_add_test(tests, texts);
    tcase_add_test(tests, keys);
    tcase_add_test(tests, names_that_are_taken);
    tcase_add_test(tests, boxes);
    tcase_add_test(tests, kept_fields);
    tcase_add_test(tests, parameters_of_one_name);
    tcase_add_test(tests, instruction_sets);
    tcase_add_test(tests, impossible_rows);
}

int main(void)
{
    return run_suite("operators", 20, add);
}

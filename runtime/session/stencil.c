/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/stencil.h"

#include "codelets/op/tables.h"
#include "runtime/error.h"
#include "runtime/session/problem.h"
#include "runtime/session/session.h"
#include "runtime/session/store.h"

/* An omega is a parameter here. */
static enum zoid_status check_omega(const struct zoid_settings *s, const struct zoid_op *op)
{
    if (!s->has_omega)
        return ZOID_OK;
    if (zoid_op_param(op, "omega") < 0)
        return zoid_fail(ZOID_BAD_ARGUMENT, "%s has no omega; drop {omega}", op->family);
    if (s->omega.automatic)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{omega=auto} is for iterations with a {solver}; give a number");
    return ZOID_OK;
}

static enum zoid_status make(struct zoid_session *s)
{
    const struct zoid_settings *k = &s->settings;
    enum zoid_status status =
        zoid_problem_make(zoid_problem_family(k, zoid_session_families(s)), k, &s->problem);

    return status ? status : check_omega(k, s->problem.op);
}

/* An operator from elsewhere is the same if its text is. */
static enum zoid_status store(struct zoid_session *s, struct zoid_stored *stored)
{
    const struct zoid_op *op = s->problem.op;
    enum zoid_status status = zoid_store_text(stored, "operator", op->family);

    if (!status && op->text)
        status = zoid_stored_add(stored, "load", ZOID_STORED_TEXT, zoid_tables_file(op), &op->text);
    return status ? status : zoid_store_problem(&s->problem, stored);
}

/* An omega may be a parameter. */
static const char *const also[] = {"omega", NULL};

const struct zoid_engine zoid_stencil_engine = {.name = "an operator",
                                                .refuses = ZOID_GROUP_solve | ZOID_GROUP_matrix |
                                                           ZOID_GROUP_power,
                                                .also = also,
                                                .make = make,
                                                .store = store};

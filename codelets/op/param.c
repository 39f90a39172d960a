/* SPDX-License-Identifier: BSD-3-Clause */
#include "codelets/param.h"

#include <stdio.h>
#include <string.h>

#include "codelets/op.h"
#include "codelets/op/range.h"
#include "codelets/op/traits.h"

struct zoid_params zoid_op_defaults(const struct zoid_op *op)
{
    struct zoid_params params = {.spacing = {1, 1, 1},
                                 .speed = -1,
                                 .absorb = {.points = 40, .reflection = 1e-4},
                                 .pml = {.points = 10, .shift = 0.003}};

    for (int i = 0; i < op->nparams; i++)
        params.value[i] = op->param[i].value;
    for (int i = 0; i < op->ntables; i++)
        params.table[i] = op->table[i].value;
    zoid_op_derive(op, &params);
    return params;
}

void zoid_op_derive(const struct zoid_op *op, struct zoid_params *params)
{
    for (int a = 0; a < ZOID_PARAM_AXES; a++)
        params->spacing[a] = params->spacing[a] == 0 ? 1 : params->spacing[a];
    memset(params->constant, 0, sizeof params->constant);
    if (op->constants)
        op->constants(op, params, params->constant);
    for (int i = 0; i < ZOID_MAX_CONSTANTS; i++)
        params->constant32[i] = (float)params->constant[i];
    params->tables = op->ntables;
    params->stages = op->step;
}

int zoid_op_param(const struct zoid_op *op, const char *name)
{
    for (int i = 0; i < op->nparams; i++)
        if (!strcmp(op->param[i].name, name))
            return i;
    return -1;
}

bool zoid_op_spaced(const struct zoid_op *op)
{
    const struct zoid_params same = zoid_op_defaults(op);
    struct zoid_params other = same;

    other.spacing[1] = 0.5;
    other.spacing[2] = 0.25;
    zoid_op_derive(op, &other);
    return memcmp(same.constant, other.constant, sizeof same.constant) != 0;
}

int zoid_op_table(const struct zoid_op *op, const char *name)
{
    for (int i = 0; i < op->ntables; i++)
        if (!strcmp(op->table[i].name, name))
            return i;
    return -1;
}

bool zoid_param_allows(const struct zoid_param *param, double value)
{
    return isfinite(value) && (param->above ? value > param->least : value >= param->least) &&
           (param->below ? value < param->most : value <= param->most);
}

void zoid_param_range(const struct zoid_param *param, char *text, size_t size)
{
    const bool low = isfinite(param->least), high = isfinite(param->most);
    char least[40] = "", most[40] = "";

    if (low)
        snprintf(least, sizeof least, "%s %g", param->above ? "above" : "at least", param->least);
    if (high)
        snprintf(most, sizeof most, "%s %g", param->below ? "below" : "at most", param->most);
    snprintf(text, size, "%s%s%s", low || high ? least : "any number", low && high ? ", " : "",
             most);
}

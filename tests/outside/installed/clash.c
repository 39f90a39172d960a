/* SPDX-License-Identifier: BSD-3-Clause */
/* A module whose operator has the name FAMILY and a parameter with the name PARAM. */
#include <zoid/zoid_advanced.h>

const struct zoid_op *zoid_module_op(size_t i);

const struct zoid_op *zoid_module_op(size_t i)
{
    static const struct zoid_op op = {.name = FAMILY "1d",
                                      .family = FAMILY,
                                      .dims = 1,
                                      .nparams = 1,
                                      .param = {{.name = PARAM, .summary = "a number"}}};

    return i ? NULL : &op;
}

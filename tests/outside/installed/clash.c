/* SPDX-License-Identifier: BSD-3-Clause */
/* A module whose operator only looks like one, named FAMILY, with parameters named PARAM: of the
 * text TEXT, the version VERSION, the ABI ABI; with NO_CODE without code for any processor. */
#include <zoid/zoid_advanced.h>

#include "codelets/op/module.h"

#ifndef FAMILY
#define FAMILY "drift"
#endif
#ifndef PARAM
#define PARAM "pull"
#endif
#ifndef TEXT
#define TEXT 1
#endif
#ifndef ABI
#define ABI ZOID_MODULE_ABI
#endif

static void nothing(const struct zoid_sweep *sweep)
{
    (void)sweep;
}

static const struct zoid_op *at(size_t i)
{
    static const struct zoid_op op = {
        .name = FAMILY "1d_r1_f32",
        .family = FAMILY,
        .dims = 1,
        .radius = 1,
        .nstate = 1,
        .field = {"u"},
        .nstages = 1,
        .step = 1,
        .stage = {{.nreads = 1, .read = {{.reach = {.lo = {1, 0, 0}}}}, .writes = 1}},
        .nparams = 1,
        .param = {{.name = PARAM, .summary = "a number", .value = 0.5, .most = 1}},
#ifndef NO_CODE
        .cpu = {nothing, nothing, nothing},
#endif
        .text = TEXT};

    return i ? NULL : &op;
}

extern const struct zoid_module zoid_module;
const struct zoid_module zoid_module = {
    .abi = ABI, .version = VERSION, .op_bytes = sizeof(struct zoid_op), .table = at};

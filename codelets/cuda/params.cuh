/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters of an operator as kernels take them, by value. */
#ifndef ZOID_CODELETS_CUDA_PARAMS_CUH
#define ZOID_CODELETS_CUDA_PARAMS_CUH

#include "codelets/cuda/run.h"

namespace
{

/* Parameters of a launch, with constants of its type, and the tables' values of the time of its
 * sweep. */
struct launch_params {
    double value[ZOID_MAX_PARAMS];
    union {
        double constant[ZOID_MAX_CONSTANTS];
        float constant32[ZOID_MAX_CONSTANTS];
    };
    double now[ZOID_MAX_TABLES];
};

launch_params params_of(const zoid_op *op, const zoid_params *given, long t)
{
    launch_params params = {};
    const double *now = zoid_table_row(given, t);

    for (int i = 0; i < ZOID_MAX_PARAMS; i++)
        params.value[i] = given->value[i];
    for (int i = 0; i < ZOID_MAX_CONSTANTS; i++)
        if (op->type == ZOID_F32)
            params.constant32[i] = given->constant32[i];
        else
            params.constant[i] = given->constant[i];
    for (int i = 0; i < op->ntables; i++)
        params.now[i] = now[i];
    return params;
}

} // namespace
#endif

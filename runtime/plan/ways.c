/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/ways.h"

#include "codelets/cpu/run.h"
#include "codelets/cuda/run.h"
#include "codelets/op/traits.h"
#include "graphs/method.h"
#include "runtime/plan/cells.h"

const char *zoid_ways_not_on_gpus(const struct zoid_op *op)
{
    if (zoid_op_on_gpus(op))
        return NULL;
    if (zoid_op_in_order(op) && !zoid_op_in_warps(op))
        return "sweeps in order that depend on places or times as values, or in several stages, or "
               "not in 2-D";
    if (!zoid_op_plain(op))
        return "has fields that only its own runner knows";
    return "has no code for one";
}

static void print(const char *what, const char *name, const char *no, FILE *to)
{
    fprintf(to, no ? "%s%s no: %s\n" : "%s%s yes\n", what, name, no);
}

static void print_runners(const struct zoid_block_runner *const *runner,
                          const struct zoid_blocks *blocks, bool *any, FILE *to)
{
    for (; runner && *runner; runner++)
        if ((*runner)->fits(blocks)) {
            fprintf(to, "%s%s", *any ? ", " : "cores by ", (*runner)->name);
            *any = true;
        }
}

void zoid_op_print_ways(const struct zoid_op *op, FILE *to)
{
    /* Large enough for every method. */
    static const long n[ZOID_AXES] = {512, 512, 512};
    const struct zoid_shape shape = zoid_op_shape(op, n);
    const struct zoid_layout layout = zoid_layout_make(op, shape.n, zoid_layout_ghost(&shape));
    const struct zoid_blocks blocks = {.op = op,
                                       .shape = &shape,
                                       .layout = &layout,
                                       .traversal = ZOID_TRAVERSAL_BEST,
                                       .planes = 32,
                                       .times = 8,
                                       .team = 1};
    bool any = false;

    for (size_t i = 0; zoid_methods[i]; i++)
        print("method ", zoid_methods[i]->name, zoid_method_refuses(zoid_methods[i], &shape), to);
    print_runners(op->runner, &blocks, &any, to);
    print_runners(zoid_cpu_runners, &blocks, &any, to);
    fputs(any ? "\n" : "cores no\n", to);
    print("gpus", "", zoid_ways_not_on_gpus(op), to);
    if (op->dims > 1)
        print("cells", "", zoid_cells_possible(&shape) ? NULL : zoid_cells_uncut(op, &shape), to);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/kernels.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int never(const struct zoid_cuda_sweep *sweep)
{
    (void)sweep;
    abort();
}

#define TILES(v, r, u, l)                                     \
    {                                                         \
        .values = (v), .rows = (r), .units = (u), .lead = (l) \
    }
#define NO_TILES \
    {            \
        0        \
    }
#define ZOID_KERNELS(variant, fused, shared, fused_tiles, single, single_shared, single_tiles) \
    {#variant,                                                                                 \
     {.most = (fused),                                                                         \
      .most_shared = (shared),                                                                 \
      .tiles = fused_tiles,                                                                    \
      .one = (single) ? never : NULL,                                                          \
      .one_shared = (single_shared),                                                           \
      .one_tiles = single_tiles}},
static const struct row {
    const char *name;
    struct zoid_cuda_kernels kernels;
} rows[] = {
#include "codelets/cuda/kernels.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Operators of the table with the kernels of their rows. */
static struct zoid_op with[ROWS];

static void make_all(void)
{
    const struct zoid_op *op;

    for (size_t i = 0; (op = zoid_op_at(i)); i++)
        for (size_t k = 0; k < ROWS && !op->text; k++)
            if (!strcmp(rows[k].name, op->name)) {
                with[k] = *op;
                with[k].cuda = never;
                with[k].kernels = &rows[k].kernels;
            }
}

const struct zoid_op *zoid_kernels_with(const struct zoid_op *op)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    if (op->kernels || zoid_op_find(op->family, op->dims, op->radius, op->type) != op)
        return op;
    pthread_once(&once, make_all);
    for (size_t k = 0; k < ROWS && !op->text; k++)
        if (!strcmp(rows[k].name, op->name))
            return &with[k];
    return op;
}

static void print_tiles(const struct zoid_cuda_tiles *t, FILE *out)
{
    if (t->units)
        fprintf(out, ", TILES(%d, %d, %d, %d)", t->values, t->rows, t->units, t->lead);
    else
        fputs(", NO_TILES", out);
}

void zoid_kernels_print(FILE *out)
{
    const struct zoid_op *op;

    for (size_t i = 0; (op = zoid_op_at(i)); i++) {
        const struct zoid_cuda_kernels *k = zoid_kernels_with(op)->kernels;

        if (op->text || !k)
            continue;
        fprintf(out, "ZOID_KERNELS(%s, %d, %zu", op->name, k->most, k->most_shared);
        print_tiles(&k->tiles, out);
        fprintf(out, ", %d, %zu", k->one != NULL, k->one_shared);
        print_tiles(&k->one_tiles, out);
        fputs(")\n", out);
    }
}

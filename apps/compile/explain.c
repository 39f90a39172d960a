/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/explain.h"

#include <stdlib.h>
#include <string.h>

#include "codelets/op/reference.h"

/* The operators for the library, which takes a function without arguments of its own. */
static struct zoid_op op[2];
static int nops;

static const struct zoid_op *table(size_t i)
{
    return i < (size_t)nops ? &op[i] : NULL;
}

/* The functions that a module would have: they are not called. */
static void sweep(const struct zoid_sweep *s)
{
    (void)s;
    abort();
}

static void skewed(const struct zoid_skewed_row *s)
{
    (void)s;
    abort();
}

static int kernel(const struct zoid_cuda_sweep *s)
{
    (void)s;
    abort();
}

/* The library tries boxes by the plain loop. These are of the compiler's making, and the update is
 * not compiled: all its values are 0. */
static void loop(const struct zoid_loop *l)
{
    const long *n = l->shape->n;
    const size_t size = zoid_type_size(l->op->type);
    const size_t at = (size_t)((l->p[2] * n[1] + l->p[1]) * n[0] + l->p[0]);

    for (int f = 0; f < l->op->nstate; f++)
        if (!(l->skips >> f & 1))
            memset((char *)l->to[f] + at * size, 0, (size_t)l->count * size);
}

static void print_params(const struct zoid_op *keyed, const struct zoid_op *named, FILE *to)
{
    for (int i = 0; i < keyed->nparams; i++) {
        fprintf(to, "parameter %s option --", named->param[i].name);
        for (const char *c = keyed->param[i].name; *c; c++)
            fputc(*c == '_' ? '-' : *c, to);
        fputc('\n', to);
    }
    for (int i = 0; i < keyed->ntables; i++)
        fprintf(to, "table %s option --table %s=\n", keyed->table[i].name, keyed->table[i].name);
}

enum zoid_status zoid_explain(const struct zoid_emitted *emitted, FILE *to)
{
    const struct zoid_op *keyed;
    enum zoid_status status;

    nops = emitted->nops;
    for (int i = 0; i < nops; i++) {
        op[i] = emitted->op[i];
        op[i].cuda = kernel;
        op[i].reference = loop;
        for (int isa = 0; isa < ZOID_ISAS; isa++) {
            op[i].cpu[isa] = sweep;
            op[i].skewed[isa] = skewed;
        }
    }
    status = zoid_operators_add(table);
    for (size_t i = 0; !status && (keyed = zoid_op_at(i)); i++)
        for (int k = 0; k < nops; k++)
            if (!strcmp(keyed->family, op[k].family)) {
                fprintf(to, "operator %s bytes %g flops %g\n", keyed->family,
                        keyed->bytes * (double)zoid_type_size(keyed->type), keyed->flops);
                print_params(keyed, &op[k], to);
                zoid_op_print_ways(keyed, to);
            }
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks are cut into tiles where a core's cache does not hold them, and left whole where it does:
 * tiles lean, so that a deep block of few rows would have many, each over no rows at most times. */
#include <stdlib.h>

#include "codelets/device.h"
#include "tests/codelets/sample.h"
#include "tests/suite.h"

enum { TIMES = 200 };

struct counting {
    enum zoid_isa isa;
    long sweeps;
};

static int sweep(void *self, const struct zoid_sweep *given, size_t nout,
                 const struct zoid_segment *out)
{
    struct counting *c = self;

    c->sweeps++;
    return zoid_cpu.sweep(&c->isa, given, nout, out);
}

/* Sweeps of a block of a whole domain on a core with so much cache. */
static long sweeps_with(const struct zoid_op *op, size_t cache)
{
    const long n[ZOID_AXES] = {200, 15, 10};
    const struct zoid_shape shape = zoid_op_shape(op, n);
    const struct zoid_layout layout = zoid_layout_make(op, n, zoid_layout_ghost(&shape));
    const size_t plane = zoid_layout_plane_bytes(&layout) * (size_t)op->nstate;
    const long planes = n[zoid_chain(&shape)];
    const struct zoid whole = zoid_domain(&shape, 0, TIMES);
    const struct zoid_view in = {.hi = planes}, out = {.t0 = TIMES, .t1 = TIMES, .hi = planes};
    const size_t bytes = (size_t)planes * plane;
    struct zoid_part part[] = {{.reads = true, .in = in, .capacity = planes},
                               {.writes = true, .out = out, .capacity = planes}};
    struct zoid_device device = zoid_cpu;
    struct counting counting = {.isa = zoid_isa_best()};
    const struct zoid_run run = {.op = op,
                                 .params = (const struct zoid_params[]){zoid_op_defaults(op)},
                                 .shape = &shape,
                                 .layout = &layout,
                                 .zoid = whole,
                                 .region = whole,
                                 .nparts = 2,
                                 .part = part,
                                 .scratch = sample_memory(2 * bytes)};

    part[0].base = sample_memory(bytes);
    part[1].base = sample_memory(bytes);
    device.batch = device.abreast;
    device.cache = cache;
    device.sweep = sweep;
    zoid_run_block(&run, &device, &counting);
    free(part[0].base);
    free(part[1].base);
    free(run.scratch);
    return counting.sweeps;
}

START_TEST(only_what_a_cache_does_not_hold_is_cut)
{
    const struct zoid_op *op = zoid_op_find("heat", 2 + _i, 1, ZOID_F32);

    ck_assert_int_eq(sweeps_with(op, 1 << 20), TIMES);
    ck_assert_int_gt(sweeps_with(op, 1 << 10), TIMES);
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_loop_test(tests, only_what_a_cache_does_not_hold_is_cut, 0, 2);
}

int main(void)
{
    return run_suite("tiles", 60, add);
}

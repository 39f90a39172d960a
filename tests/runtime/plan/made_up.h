/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of `heat` on synthetic machines, and their predicted costs. */
#ifndef ZOID_TESTS_RUNTIME_PLAN_MADE_UP_H
#define ZOID_TESTS_RUNTIME_PLAN_MADE_UP_H

#include "runtime/plan/place.h"
#include "runtime/plan/tier.h"

enum place { CORES, CORES_AND_DISK, GPU, GPU_STREAMS, GPU_AND_DISK, PLACES };

struct setting {
    struct zoid_machine machine;
    struct zoid_rates rates;
    struct zoid_op op;
    enum place place;
    const struct zoid_method *method;
    long planes, steps, block, depth;
    int lanes;
    enum zoid_boundary left; /* of x */
    uint64_t gpu_mem;        /* 0: as the place says */
    long strips;             /* that planes are cut into; 0: uncut */
    long visits;             /* of an epoch, of these; 0: one */
};

/* Shared memory of a thread block, in bytes. */
enum { SHARED = 227 << 10 };

struct setting setting_of(enum place place, const struct zoid_method *method);
/* Adds all tiers, with room for everything except on GPUs. */
void add_tiers(struct zoid_plan *plan, const struct zoid_rates *rates, uint64_t gpu_mem);
struct zoid_plan plan_of(const struct setting *setting);
/* The part of the slabs that a GPU keeps; and the bytes that its memory must hold. */
enum zoid_keep slabs_on_gpu(const struct zoid_plan *plan);
uint64_t gpu_bytes(const struct zoid_plan *plan);
/* Predicted cost; its parts are checked for consistency. */
struct zoid_cost cost_of(const struct setting *setting);
double seconds_of(const struct setting *setting);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole fields of one operator on one device, to measure its kernels without a runtime. */
#ifndef ZOID_RUNTIME_MEASURE_FIELD_H
#define ZOID_RUNTIME_MEASURE_FIELD_H

#include "runtime/zoid_advanced.h"

struct zoid_field_request {
    const struct zoid_machine *machine; /* of an open context */
    const struct zoid_problem *problem; /* with Dirichlet faces, or edges of its own */
    bool gpu;                           /* on the first GPU; else on all cores together */
    enum zoid_traversal traversal;      /* for zoid_field_sweep: STEP or NAIVE */
    long depth;                         /* steps of a block; those of the problem are ignored */
    uint64_t budget;                    /* bytes */
};

struct zoid_field;

/* Allocates and fills all fields: the state before, the state after, coefficients and scratch. The
 * caller closes the field. ZOID_DOES_NOT_FIT: they need more than the budget. ZOID_BAD_ARGUMENT: a
 * field has 2^52 bytes or more. ZOID_RESOURCE: out of memory, or CUDA fails. *field is unchanged
 * after a failure. */
enum zoid_status zoid_field_open(const struct zoid_field_request *request,
                                 struct zoid_field **field);
void zoid_field_close(struct zoid_field **field);
uint64_t zoid_field_bytes(const struct zoid_field *field);

/* Copies one state's memory to the other's, `times` times. Each copy exceeds the caches, even if
 * the state does not. Stores the bytes read and written, and the seconds. */
enum zoid_status zoid_field_copy(struct zoid_field *field, long times, double *bytes,
                                 double *seconds);
/* Runs `times` blocks of `depth` steps over the whole domain, each from the same state, with one
 * sweep for every time. Stores the seconds. */
enum zoid_status zoid_field_sweep(struct zoid_field *field, long times, double *seconds);
/* Runs the same blocks with the GPU's default kernels, several fused times per launch if
 * possible. */
enum zoid_status zoid_field_fuse(struct zoid_field *field, long times, double *seconds);

/* Copies whole cache lines with non-temporal stores, if the processor has them: write-allocate
 * would add half of a copy's traffic. */
void zoid_stream_copy(void *to, const void *from, size_t bytes);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole fields of one operator on one device, to run its kernels on with no runtime over them. */
#ifndef ZOID_RUNTIME_MEASURE_FIELD_H
#define ZOID_RUNTIME_MEASURE_FIELD_H

#include "runtime/zoid.h"

struct zoid_field_request {
    const struct zoid_machine *machine; /* of an open context */
    const struct zoid_problem *problem; /* with Dirichlet faces, or edges of its own */
    bool gpu;                           /* on the first GPU; else on all cores at once */
    enum zoid_traversal traversal;      /* of zoid_field_sweep: STEP or NAIVE */
    long depth;                         /* steps of a block; its problem's are not looked at */
    uint64_t budget;                    /* bytes */
};

struct zoid_field;

/* Allocates and fills all fields: the state before, the one after, and what the times between are
 * computed into. ZOID_DOES_NOT_FIT: they need more than the budget. */
enum zoid_status zoid_field_open(const struct zoid_field_request *request,
                                 struct zoid_field **field);
void zoid_field_close(struct zoid_field **field);
uint64_t zoid_field_bytes(const struct zoid_field *field);

/* Copies from one state's memory to the other's, again and again; what a copy moves is larger than
 * the caches, even where the state is not. Bytes read and written, and the time that it took. */
enum zoid_status zoid_field_copy(struct zoid_field *field, long times, double *bytes,
                                 double *seconds);
/* Runs `times` blocks of `depth` steps over the whole domain, from the same state each: a sweep for
 * every time. */
enum zoid_status zoid_field_sweep(struct zoid_field *field, long times, double *seconds);
/* The same blocks as the GPU runs them by itself, several times a launch where it can. */
enum zoid_status zoid_field_fuse(struct zoid_field *field, long times, double *seconds);

/* Copies whole cache lines past the caches, where the processor can: stores that first read what
 * they overwrite would move half as much again as a copy must. */
void zoid_stream_copy(void *to, const void *from, size_t bytes);

#endif

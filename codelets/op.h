/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators: what happens to one point. ops.def is the only list of them; each of its rows expands
 * to one `struct zoid_op` a variant (dimensions x radius x type), named like heat3d_r1_f32. An
 * operator from outside the tree fills the same struct. */
#ifndef ZOID_CODELETS_OP_H
#define ZOID_CODELETS_OP_H

#include <stdbool.h>
#include <stddef.h>

#include "codelets/param.h"
#include "graphs/zoid.h"

#ifdef __cplusplus
extern "C" {
#endif

enum zoid_type { ZOID_F32, ZOID_F64, ZOID_U8, ZOID_TYPES };
enum { ZOID_MAX_FIELDS = 16, ZOID_MAX_READS = 16, ZOID_MAX_REACH = 8, ZOID_MAX_GROUPS = 4 };

typedef unsigned char zoid_u8;
typedef float zoid_f32;
typedef double zoid_f64;

/* Instruction sets that the CPU traversals are compiled for, the best last. */
enum zoid_isa { ZOID_PORTABLE, ZOID_V3, ZOID_V4, ZOID_ISAS };

/* What a stage reads of one field: [p - lo, p + hi] along each axis, by sweeps at most
 * ZOID_MAX_REACH. */
struct zoid_read {
    int field;
    struct zoid_reach reach;
};

struct zoid_stage {
    int nreads;
    struct zoid_read read[ZOID_MAX_READS];
    unsigned writes; /* bit f: state field f */
    /* The order in which it takes the points, see graphs/zoid.h; only ZOID_ASCENDING is run. Not
     * where fields change roles. */
    signed char order;
};

/* What an initial state makes of values in [0, 1), in place and in double; each is rounded to the
 * type once after it. */
typedef void zoid_fill_fn(size_t count, double *value);

struct zoid_op;
/* The square of the stability number, with the coefficients of a point: where that is beyond 1
 * values grow without end. */
typedef double zoid_stability_fn(const struct zoid_op *op, const struct zoid_params *params,
                                 const double *coefficient);

struct zoid_sweep; /* codelets/sweep.h */
typedef void zoid_sweep_fn(const struct zoid_sweep *sweep);

struct zoid_row; /* codelets/order.h */
typedef void zoid_row_fn(const struct zoid_row *row);

struct zoid_block_runner; /* codelets/block.h */

struct zoid_loop; /* codelets/reference.h */
typedef void zoid_loop_fn(const struct zoid_loop *loop);

struct zoid_cuda_sweep; /* codelets/cuda/run.h */
typedef int zoid_cuda_fn(const struct zoid_cuda_sweep *sweep);
struct zoid_cuda_kernels; /* likewise */

/* Bytes of the coefficients of planes [lo, hi), which some operators know alone. */
typedef size_t zoid_coefficient_bytes_fn(const struct zoid_op *op, long lo, long hi);

struct zoid_op {
    const char *name;   /* of the variant */
    const char *family; /* of the row */
    int dims, radius;
    enum zoid_type type;
    int nstate, ncoef; /* state fields first, then coefficients */
    const char *field[ZOID_MAX_FIELDS];
    zoid_fill_fn *fill[ZOID_MAX_FIELDS]; /* NULL: the values; of a byte, 256 times as much */
    unsigned bits;                       /* bit f: field f, of bytes, holds nothing but 0 and 1 */
    unsigned positive, not_negative;     /* bit f: coefficient field f is above 0, or at least 0 */
    zoid_stability_fn *stability;        /* NULL: it is stable, or nobody knows */
    /* Values of a point, of every state field, which lie one after the other; 0: one. Several go
     * with lines, edges of the operator's own, and a runner of its own. */
    long width;
    /* The only coefficient field is no values but bytes, which only the operator's own runner
     * knows: so many of any planes. They come in pieces of planes, and to whatever computes a plane
     * from as far off as stages read that field. With edges of the operator's own. NULL: values. */
    zoid_coefficient_bytes_fn *coefficient_bytes;
    const void *self; /* for an operator that is made at run time: what its functions know */
    /* Time t is computed by stage (t - 1) % nstages. A step takes `step` of them, which divides
     * nstages: with fewer than all, fields change roles from one step to the next. */
    int nstages, step;
    bool rotates;   /* state fields 0 and 1 change roles every step */
    bool own_edges; /* the update itself says what happens at the domain's faces */
    bool sponge;    /* what it writes may fade near a face: ZOID_SPONGE is a boundary of it */
    /* Bit f: sources and receivers may be in state field f, which every step writes. And the field
     * of the coefficient that what sources add is multiplied by; 0: none. */
    unsigned sources;
    int gain;
    bool colours; /* it tells points with an even sum of coordinates from the others: the extent
                   * of a periodic axis is even */
    /* Where planes may be cut into cells, as in graphs/zoid.h; and why not everywhere, in words
     * that follow "cannot be cut ...: ", NULL where an order is the reason. */
    long grain[ZOID_PLANE_AXES];
    const char *grain_reason;
    struct zoid_stage stage[ZOID_MAX_STAGES];
    double flops, bytes; /* an update of one point by one whole step, least traffic */
    int nparams;
    struct zoid_param param[ZOID_MAX_PARAMS];
    zoid_sweep_fn *cpu[ZOID_ISAS]; /* NULL where this build has none */
    zoid_row_fn *row;              /* of the stages that take points in order */
    /* Planes of scratch that its sweeps on a core take for themselves; such sweeps are its own. */
    long spare;
    /* What runs its blocks on cores, beside sweeps: a list that ends with NULL; NULL: nothing. */
    const struct zoid_block_runner *const *runner;
    zoid_cuda_fn *cuda;                      /* NULL where this build has none */
    const struct zoid_cuda_kernels *kernels; /* the others; there where `cuda` is */
    zoid_loop_fn *reference;                 /* one point after another over plain arrays */
};

/* Variants in the order of ops.def; NULL past the end. */
const struct zoid_op *zoid_op_at(size_t i);
/* NULL when there is no such variant. */
const struct zoid_op *zoid_op_find(const char *family, int dims, int radius, enum zoid_type type);

size_t zoid_type_size(enum zoid_type type);
const char *zoid_type_name(enum zoid_type type);

/* State fields that the same stages write lie and move together; a stage writes (some of) one such
 * group, and what it does not write of it is carried. Group g has the fields [first[g],
 * first[g + 1]); group n has the coefficients. */
struct zoid_groups {
    int n; /* of state fields */
    int first[ZOID_MAX_GROUPS + 2];
};
struct zoid_groups zoid_op_groups(const struct zoid_op *op);
/* The group that a stage writes. */
int zoid_op_written(const struct zoid_op *op, int stage);
/* Whether all stages that write a group read what they write of it at the point only. */
bool zoid_op_pointwise(const struct zoid_op *op, int group);

/* Where the field that starts as `field` is stored after some steps. */
static inline int zoid_op_stored(const struct zoid_op *op, int field, long steps)
{
    return op->rotates && field < 2 ? (int)((field + steps) % 2) : field;
}

/* The field whose value the points keep that a stage leaves out when it writes `field`: the same
 * one, or where fields change roles, the one that was the newest before. */
static inline int zoid_op_kept(const struct zoid_op *op, int stage, int field)
{
    return op->rotates && field < 2 && op->stage[stage].writes >> field & 1 ? 1 - field : field;
}

/* What stage `stage` reads of any field, */
struct zoid_reach zoid_op_reach(const struct zoid_op *op, int stage);
/* and all stages of coefficients. */
struct zoid_reach zoid_op_coefficient_reach(const struct zoid_op *op);
/* Values of a point. */
static inline long zoid_op_width(const struct zoid_op *op)
{
    return op->width ? op->width : 1;
}
/* Bytes of a point of a state field. */
size_t zoid_op_point_bytes(const struct zoid_op *op);
/* Whether every field has a value for each point, and coefficients are fields: those that sweeps
 * and the plain loop nest know. */
bool zoid_op_plain(const struct zoid_op *op);
/* Whether a stage takes points in order. */
bool zoid_op_in_order(const struct zoid_op *op);
/* Whether GPUs can run it: kernels know it, it is plain or has its own, in lanes if in order. */
bool zoid_op_on_gpus(const struct zoid_op *op);
/* The shape of this operator on a domain of n[0] x n[1] x n[2] points (1 beyond dims), with nothing
 * beyond its faces, or where the operator has edges of its own, open ones. Its stages are those of
 * a step. */
struct zoid_shape zoid_op_shape(const struct zoid_op *op, const long n[ZOID_AXES]);

/* The best instruction set this processor has that the build has code for. Every lower one works
 * as well. */
enum zoid_isa zoid_isa_best(void);
const char *zoid_isa_name(enum zoid_isa isa);
/* The instruction set of that name; false, and *isa untouched, when there is none or it is beyond
 * zoid_isa_best(). */
bool zoid_isa_find(const char *name, enum zoid_isa *isa);

#ifdef __cplusplus
}
#endif
#endif

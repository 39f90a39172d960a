/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators: the stencil update of one point. ops.def lists all of them; each of its rows expands
 * to one `struct zoid_op` per variant (dimensions x radius x type), named like heat3d_r1_f32. An
 * operator from outside the tree fills the same struct. */
#ifndef ZOID_CODELETS_OP_H
#define ZOID_CODELETS_OP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Instruction sets that the CPU traversals are compiled for, in ascending order. */
enum zoid_isa { ZOID_PORTABLE, ZOID_V3, ZOID_V4, ZOID_ISAS };

/* Stencil of a stage in one field: [p - lo, p + hi] along each axis. Sweeps support at most
 * ZOID_MAX_REACH. */
struct zoid_read {
    int field;
    struct zoid_reach reach;
};

/* Box of a field in a stage: along each axis the points [leaves.lo, n - leaves.hi). */
struct zoid_stage_box {
    int field;
    struct zoid_reach leaves;
};

struct zoid_stage {
    int nreads;
    struct zoid_read read[ZOID_MAX_READS];
    unsigned writes; /* bit f: state field f */
    /* Iteration order of the points, see graphs/zoid.h; only ZOID_ASCENDING is implemented.
     * ZOID_ANY_ORDER if fields change roles. */
    signed char order;
    /* Boxes of written fields; without one, a field has the points whose reads of the stage, of all
     * fields, are inside the domain. Beyond the box a field keeps its value. A box may be larger if
     * the field's new value ignores loads from outside. Not at open faces. */
    int nboxes;
    struct zoid_stage_box box[ZOID_MAX_FIELDS];
};

/* Maps uniform values in [0, 1) to an initial field, in place and in double. The caller rounds each
 * result to the type once. */
typedef void zoid_fill_fn(size_t count, double *value);

struct zoid_op;
/* Returns the square of the stability number at a point with the given coefficients; above 1,
 * values grow without bound. */
typedef double zoid_stability_fn(const struct zoid_op *op, const struct zoid_params *params,
                                 const double *coefficient);

/* Returns the largest speed of waves at a point with the given coefficients, in distances of points
 * along x a step. */
typedef double zoid_speed_fn(const struct zoid_op *op, const struct zoid_params *params,
                             const double *coefficient);

/* Computes the constants of an operator, in double, from its parameters and spacing; returns their
 * number, at most ZOID_MAX_CONSTANTS. */
typedef int zoid_constants_fn(const struct zoid_op *op, const struct zoid_params *params,
                              double *constant);

struct zoid_sweep; /* codelets/sweep.h */
typedef void zoid_sweep_fn(const struct zoid_sweep *sweep);

struct zoid_row; /* codelets/cpu/order.h */
typedef void zoid_row_fn(const struct zoid_row *row);

struct zoid_skewed_row; /* codelets/cpu/skewed.h */
typedef void zoid_skewed_fn(const struct zoid_skewed_row *row);

struct zoid_block_runner; /* codelets/block.h */

struct zoid_loop; /* codelets/op/reference.h */
typedef void zoid_loop_fn(const struct zoid_loop *loop);

struct zoid_cuda_sweep; /* codelets/cuda/run.h */
typedef int zoid_cuda_fn(const struct zoid_cuda_sweep *sweep);
struct zoid_cuda_kernels; /* likewise */

/* Returns the bytes of the coefficients of planes [lo, hi), for operators whose coefficients are
 * bytes of their own format. */
typedef size_t zoid_coefficient_bytes_fn(const struct zoid_op *op, long lo, long hi);

struct zoid_op {
    const char *name;   /* variant's name */
    const char *family; /* name of its row in ops.def */
    int dims, radius;
    enum zoid_type type;
    int nstate, ncoef; /* state fields first, then coefficients */
    const char *field[ZOID_MAX_FIELDS];
    zoid_fill_fn *fill[ZOID_MAX_FIELDS]; /* NULL: the uniform values; of a byte, times 256 */
    unsigned bits;                       /* bit f: field f, of bytes, has only values 0 and 1 */
    unsigned positive, not_negative;     /* bit f: coefficient field f is > 0, or >= 0 */
    zoid_stability_fn *stability;        /* NULL: stable, or no bound is known */
    /* Stability is that of the maximum of each coefficient over the domain, not of each point. */
    bool apart;
    zoid_constants_fn *constants; /* NULL: no constants */
    /* Number of values per point of every state field, contiguous; 0: one. Several require a 1-D
     * domain, own_edges and a runner of the operator's own. */
    long width;
    /* Not NULL: the only coefficient field is bytes in a format that only the operator's own runner
     * reads; returns their number. They are stored in pieces (segments) of planes; a block that
     * computes a plane gets the pieces of all planes within the reach of stages in that field.
     * Requires own_edges. NULL: coefficients are values. */
    zoid_coefficient_bytes_fn *coefficient_bytes;
    const void *self; /* data of the functions of an operator that is made at run time */
    /* Stage (t - 1) % nstages computes time t. A step is `step` stages, a divisor of nstages: with
     * fewer than nstages, fields change roles from step to step. */
    int nstages, step;
    bool rotates; /* state fields 0 and 1 change roles (ping-pong) every step */
    /* Where a stage does not compute such a field, it keeps its own value, two steps old, instead
     * of the newest one, that of the other field. */
    bool keeps_own;
    bool own_edges;       /* the update itself implements the domain's boundary conditions */
    bool sponge;          /* ZOID_SPONGE is a valid boundary */
    zoid_speed_fn *speed; /* ZOID_ABSORB is one, too; NULL: it is not */
    /* ZOID_PML is one, too: the operator is that of waves, u(t + 1) = 2 u(t) - u(t - 1) + c D u(t),
     * with c its only coefficient, D the sum of second differences, and a speed. */
    bool pml;
    /* ZOID_ODD is one, too: with the sign of the state turned, or with an axis mirrored, it makes
     * the same of the state; it reads state along axes only. */
    bool odd;
    bool held; /* ZOID_DRIVEN is one, too, unless the type is ZOID_U8 */
    /* `sources`, bit f: sources and receivers are allowed in state field f, which every step
     * writes. `gain`: coefficient field that multiplies the sources' values; 0: none. */
    unsigned sources;
    int gain;
    /* Distinguishes points by the parity of the sum of their coordinates (red-black): a periodic
     * axis needs an even extent. */
    bool colours;
    /* Positions at which planes may be partitioned into cells, as in graphs/zoid.h. `grain_reason`:
     * reason for a restriction, to follow "cannot be cut ...: "; NULL if the iteration order is the
     * reason. */
    long grain[ZOID_PLANE_AXES];
    const char *grain_reason;
    struct zoid_stage stage[ZOID_MAX_STAGES];
    double flops, bytes; /* per point and step; bytes: least memory traffic */
    int nparams;
    struct zoid_param param[ZOID_MAX_PARAMS];
    int ntables;
    struct zoid_op_table table[ZOID_MAX_TABLES];
    zoid_sweep_fn *cpu[ZOID_ISAS]; /* NULL: not in this build */
    zoid_row_fn *row;              /* for stages that take points in order */
    /* The same for rows of points at several times, NULL: not in this build; only if `by_words`:
     * updates use positions and times by the words of point.h alone, never at->t or at->p. */
    zoid_skewed_fn *skewed[ZOID_ISAS];
    bool by_words;
    /* Planes of scratch that sweeps of the operator's own use as a buffer on a core. */
    long spare;
    /* Further runners of its blocks on cores, besides sweeps, terminated by NULL; may be NULL. */
    const struct zoid_block_runner *const *runner;
    zoid_cuda_fn *cuda;                      /* NULL: not in this build */
    const struct zoid_cuda_kernels *kernels; /* further kernels; not NULL if `cuda` is not */
    zoid_loop_fn *reference;                 /* point by point over plain arrays */
    /* Hash of the header and the row that it was compiled from (zoid_add_operators); 0: one of
     * Zoid's own, or made without them. */
    uint64_t text;
};

/* Returns variant i in the order of ops.def; NULL past the end. */
const struct zoid_op *zoid_op_at(size_t i);
/* Returns a variant; NULL if it does not exist. */
const struct zoid_op *zoid_op_find(const char *family, int dims, int radius, enum zoid_type type);

size_t zoid_type_size(enum zoid_type type);
const char *zoid_type_name(enum zoid_type type);

/* Groups of fields. State fields that the same stages write are stored and moved together; a stage
 * writes fields of one such group and carries the other fields of that group unchanged. Group g has
 * the fields [first[g], first[g + 1]); group n is the coefficients. */
struct zoid_groups {
    int n; /* number of groups of state fields */
    int first[ZOID_MAX_GROUPS + 2];
};
struct zoid_groups zoid_op_groups(const struct zoid_op *op);

/* Returns the storage index of the field named `field` after `steps` steps. */
static inline int zoid_op_stored(const struct zoid_op *op, int field, long steps)
{
    return op->rotates && field < 2 ? (int)((field + steps) % 2) : field;
}

/* Returns the field from which a stage that writes `field` carries the points that it does not
 * compute: the same one, or if fields change roles, the one that was newest before, unless they
 * keep their own. */
static inline int zoid_op_kept(const struct zoid_op *op, int stage, int field)
{
    const bool newest = op->rotates && !op->keeps_own && field < 2;

    return newest && op->stage[stage].writes >> field & 1 ? 1 - field : field;
}

/* Union of the reaches of a stage over all fields. */
struct zoid_reach zoid_op_reach(const struct zoid_op *op, int stage);
/* Returns the layers at closed faces that a stage leaves out of a field that it writes. */
struct zoid_reach zoid_op_leaves(const struct zoid_op *op, int stage, int field);
/* Number of values per point. */
static inline long zoid_op_width(const struct zoid_op *op)
{
    return op->width ? op->width : 1;
}
/* Bytes per point of a state field. */
size_t zoid_op_point_bytes(const struct zoid_op *op);
/* Returns the shape of this operator on a domain of n[0] x n[1] x n[2] points (1 beyond dims).
 * Faces are ZOID_DIRICHLET, or ZOID_BARE if own_edges. Its stages are those of a step. */
struct zoid_shape zoid_op_shape(const struct zoid_op *op, const long n[ZOID_AXES]);

/* Returns the best instruction set that the build and this processor support. All lower ones work
 * as well. */
enum zoid_isa zoid_isa_best(void);
const char *zoid_isa_name(enum zoid_isa isa);
/* Finds an instruction set by name. False, and *isa unchanged, if the name is unknown or beyond
 * zoid_isa_best(). */
bool zoid_isa_find(const char *name, enum zoid_isa *isa);

#ifdef __cplusplus
}
#endif
#endif

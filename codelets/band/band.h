/* SPDX-License-Identifier: BSD-3-Clause */
/* A band matrix as an operator: how its rows lie in pieces, and what computes with them.
 *
 * Rows come in groups of as many as a line has values, counted from row 0; a piece has all groups
 * that any of its rows is in. So a vector has a value of each row of a group, at one diagonal, or
 * of one entry of each.
 *
 *     DIA     values of a group: diagonal after diagonal, of each a line
 *     SELL    heads of the groups, and one that ends them; lines of values, entry after entry;
 *             then where these are: see struct zoid_sell_head
 *     rhs     after either, a row after the other
 */
#ifndef ZOID_CODELETS_BAND_BAND_H
#define ZOID_CODELETS_BAND_BAND_H

#include "codelets/block.h"
#include "codelets/cuda/run.h"
#include "codelets/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

struct zoid_matrix {
    struct zoid_matrix_about about;
    struct zoid_matrix_rows rows;
    void (*release)(void *user); /* of the rows, with the matrix; NULL: they are whose they were */
    /* Its own rows, if it has any; columns count from the row's number. */
    int64_t *start;
    int32_t *column;
    double *value;
};

/* Where the data of a group begin: lines of values, and numbers that say which columns these are
 * of. Of each line there is one number: where the columns follow one another from row to row, that
 * of the first row's; else NONE, and after the numbers of all lines follow those of the line, one
 * for each row, NONE where it has no such entry. Columns count from the group's `first`. Numbers
 * have 16 bits, or where a group may reach too far, 32. */
struct zoid_sell_head {
    int64_t first;
    uint64_t line, number;
};

/* Sorts entries of a row by ascending column; those of the same column stay in their order. False
 * without memory. */
bool zoid_sort_row(int64_t n, int32_t *column, double *value);

struct zoid_band {
    struct zoid_op op;
    char name[64];
    const struct zoid_matrix *matrix;
    enum zoid_format format;
    long lanes;     /* rows of a group */
    long diagonals; /* lower + 1 + upper */
    long vectors;
    int previous, sum; /* fields; -1: there are none such */
    zoid_rhs_fn *rhs;
    const void *rhs_user;
    bool wide; /* SELL: numbers have 32 bits */
    /* SELL: each group's first column, and lines and numbers of all groups before it; then of all.
     */
    struct zoid_sell_head *before;
    /* Step start + 1 + i takes term[i]; steps before and after these, the first and the last. */
    long start, terms;
    struct zoid_term *term;
    struct zoid_cuda_kernels kernels; /* of the op, where this build has any */
};

static inline const struct zoid_band *zoid_band_of(const struct zoid_op *op)
{
    return (const struct zoid_band *)op->self;
}

static inline const struct zoid_term *zoid_band_term(const struct zoid_band *b, long t)
{
    return &b->term[zoid_max(0, zoid_min(t - 1 - b->start, b->terms - 1))];
}

/* ---- pieces ------------------------------------------------------------------------------- */

enum { ZOID_SELL_NONE_16 = UINT16_MAX };
static const uint32_t ZOID_SELL_NONE_32 = UINT32_MAX;

/* Where the parts of a piece of rows [lo, hi) lie in it, in bytes. */
struct zoid_band_piece {
    long first, groups; /* the first group, and how many */
    size_t values, numbers, rhs, bytes;
};
struct zoid_band_piece zoid_band_piece_of(const struct zoid_band *band, long lo, long hi);
/* A zoid_coefficient_bytes_fn. */
size_t zoid_band_bytes(const struct zoid_op *op, long lo, long hi);
/* A zoid_piece_fn; user is the band. */
void zoid_band_write(void *band, long lo, long hi, void *bytes);
/* Looks at every group for band->before; false without memory. */
bool zoid_band_count(struct zoid_band *band);

/* ---- kernels, for each instruction set and type -------------------------------------------- */

struct zoid_band_groups {
    long groups, diagonals;            /* DIA */
    const void *values;                /* of the first group; of SELL, of the piece */
    const struct zoid_sell_head *head; /* of SELL, of the first group */
    const void *numbers;               /* of the piece */
    bool wide;
    bool far;      /* values come from memory, not from a cache */
    long column;   /* of x[0] */
    const void *x; /* one vector; of DIA from the first group's first diagonal on */
    void *sums;    /* rows of all groups, one after the other */
};

/* So many values of a step: each is a pointer to the first, or NULL where the term leaves it out.
 * Only `next` may be one of the others, `sums`. */
struct zoid_band_step {
    struct zoid_term term;
    long n;
    const void *sums, *cur, *prev, *rhs;
    void *next;
    const void *sum;
    void *new_sum;
};

struct zoid_band_kernels {
    void (*dia)(const struct zoid_band_groups *groups);
    void (*sell)(const struct zoid_band_groups *groups);
    void (*step)(const struct zoid_band_step *step);
};

const struct zoid_band_kernels *zoid_band_kernels_of(enum zoid_isa isa, enum zoid_type type);

/* ---- what runs blocks ------------------------------------------------------------------------ */

extern const struct zoid_block_runner *const zoid_band_runners[];
/* Rows that are computed at once, at most, and what of them suits a cache of so many bytes. */
enum { ZOID_BAND_ROWS_MOST = 4096 };
long zoid_band_batch(const struct zoid_op *op, size_t cache);
/* Times that march in it. */
long zoid_band_march(const struct zoid_op *op, size_t cache);
/* What all times of a march keep in a half of the scratch beyond a box, which has to be worth it.
 */
long zoid_band_slack(const struct zoid_op *op, long planes);
/* Bytes of a core's own places, at the front of the scratch: x, sums, and sums row by row. */
size_t zoid_band_own_bytes(const struct zoid_band *band);
/* Runs a block with times that march in so much cache. */
void zoid_band_run(const struct zoid_run *run, const struct zoid_cpu *cpu, size_t cache);
/* The plain loop nest: a zoid_loop_fn. */
void zoid_band_loop(const struct zoid_loop *loop);

#ifdef __cplusplus
}
#endif
#endif

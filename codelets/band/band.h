/* SPDX-License-Identifier: BSD-3-Clause */
/* Band matrices as operators: storage of rows in pieces, kernels and the runner.
 *
 * Rows form groups of one cache line of values each (64 bytes), counted from row 0. A piece
 * (coefficient segment) has all groups that any of its rows is in. A vector thus holds one value of
 * each row of a group: of one diagonal (DIA), or of one entry index (SELL).
 *
 *     DIA     values of a group: diagonal after diagonal, a line for each
 *     SELL    heads of the groups, and an end head; lines of values, entry after entry; then
 *             the column numbers: see struct zoid_sell_head
 *     rhs     after either, row after row */
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
    void (*release)(void *user); /* frees `rows` with the matrix; NULL: the caller owns them */
    /* Rows that it owns, if any; columns are relative to the row's index. */
    int64_t *start;
    int32_t *column;
    double *value;
};

/* Offsets of a group's data: of its lines of values, and of its column numbers. Each line has one
 * number: if the columns are consecutive from row to row, the column of the first row; else (a
 * scattered line) ZOID_SELL_NONE_16 or _32. The numbers of all lines are followed by those of the
 * scattered lines, one per row, again ZOID_SELL_NONE if the row has no such entry. Columns are
 * relative to the group's `first`. Numbers have 16 bits, or 32 bits (zoid_band.wide) if a group may
 * span too many columns. */
struct zoid_sell_head {
    int64_t first;
    uint64_t line, number;
};

/* Sorts the entries of a row by ascending column, stably. False: out of memory, with the row
 * unchanged. */
bool zoid_sort_row(int64_t n, int32_t *column, double *value);

struct zoid_band {
    struct zoid_op op;
    char name[64];
    const struct zoid_matrix *matrix;
    enum zoid_format format;
    long lanes;     /* rows per group */
    long diagonals; /* lower + 1 + upper */
    long vectors;
    int previous, sum; /* field indices; -1: not present */
    zoid_rhs_fn *rhs;
    const void *rhs_user;
    bool wide; /* SELL: column numbers have 32 bits */
    /* SELL: each group's first column, and the number of lines and of column numbers of all groups
     * before it; at the end the totals. Owned. */
    struct zoid_sell_head *before;
    /* Step start + 1 + i uses term[i]; earlier steps use the first, later ones the last. */
    long start, terms;
    struct zoid_term *term;
    struct zoid_cuda_kernels kernels; /* kernels of the op, if this build has any */
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

/* Layout of a piece of rows [lo, hi): offsets of its parts, in bytes. */
struct zoid_band_piece {
    long first, groups; /* index of the first group, number of groups */
    size_t values, numbers, rhs, bytes;
};
struct zoid_band_piece zoid_band_piece_of(const struct zoid_band *band, long lo, long hi);
/* Returns the bytes of a piece; a zoid_coefficient_bytes_fn. */
size_t zoid_band_bytes(const struct zoid_op *op, long lo, long hi);
/* Writes a piece; a zoid_piece_fn with the band as user. */
void zoid_band_write(void *band, long lo, long hi, void *bytes);
/* Computes band->before, which the band owns, from all groups of the matrix. False: out of memory;
 * band->before is then NULL or incomplete. */
bool zoid_band_count(struct zoid_band *band);

/* ---- kernels, for each instruction set and type -------------------------------------------- */

struct zoid_band_groups {
    long groups, diagonals;            /* DIA */
    const void *values;                /* of the first group; SELL: of the piece */
    const struct zoid_sell_head *head; /* SELL: of the first group */
    const void *numbers;               /* SELL: of the piece */
    bool wide;
    bool far;      /* values come from memory, not from a cache: prefetch */
    long column;   /* column of x[0] */
    const void *x; /* one vector; DIA: from the first group's first diagonal on */
    void *sums;    /* output: the sums of all rows, contiguous */
};

/* Arguments of a step of n values: pointers to the first of each, or NULL if the term omits it.
 * `next` may alias `sums`, and nothing else. */
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

/* ---- runners --------------------------------------------------------------------------------- */

extern const struct zoid_block_runner *const zoid_band_runners[];
/* Bytes of a row of the matrix, on average. */
double zoid_band_row_bytes(const struct zoid_op *op);
/* Most rows computed together; and the number that suits a cache of `cache` bytes. */
enum { ZOID_BAND_ROWS_MOST = 4096 };
long zoid_band_batch(const struct zoid_op *op, size_t cache);
/* Number of times of a wavefront in a cache of `cache` bytes, at least 1. */
long zoid_band_wavefront(const struct zoid_op *op, size_t cache);
/* Planes of a half of the scratch, beyond a box, for the times of a wavefront; at most `planes`, so
 * that the memory is worth it. */
long zoid_band_slack(const struct zoid_op *op, long planes);
/* Bytes of a core's buffers at the front of the scratch: x, sums, and sums row by row. */
size_t zoid_band_own_bytes(const struct zoid_band *band);
/* Runs a block as a wavefront that is sized for `cache` bytes. */
void zoid_band_run(const struct zoid_block_args *run, const struct zoid_cpu *cpu, size_t cache);
/* The plain loop nest; a zoid_loop_fn. */
void zoid_band_loop(const struct zoid_loop *loop);

#ifdef __cplusplus
}
#endif
#endif

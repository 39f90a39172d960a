/* SPDX-License-Identifier: BSD-3-Clause */
/* SOR in place by tiles in wavefronts, as loop nests are tiled for GPUs (Di 2013): the geometry of
 * tiles, for any rows phi and any tile size.
 *
 *     coordinate k of a point   e_k = phi_k . (t, point)     points by the slowest axis first
 *     its tile                  tau_k = floor(e_k / tile_k)
 *     inter-tile wavefront      tau_1 + ... + tau_m          one after the other, with a barrier
 *     intra-tile wavefront      e_1 if its row orders all dependences (balanced rows),
 *                               else e_1 + ... + e_m         likewise, within a tile
 *
 * The tiles of a wavefront are independent, and so are the points of an intra-tile wavefront. Only
 * tiles with points are visited: for each wavefront there is a list of rows of tiles, along the
 * last coordinate. */
#ifndef ZOID_CODELETS_WAVEFRONT_WAVEFRONT_H
#define ZOID_CODELETS_WAVEFRONT_WAVEFRONT_H

#include "codelets/op.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ZOID_WAVEFRONT_ROWS = 1 + ZOID_AXES,
    ZOID_WAVEFRONT_BOUNDS = 192,
    ZOID_WAVEFRONT_PHI = 8 /* largest coefficient of a row */
};

/* A row for each of the time and the axes; beyond them zeros. */
struct zoid_wavefront_shape {
    int phi[ZOID_WAVEFRONT_ROWS][ZOID_WAVEFRONT_ROWS];
};

/* Return the minimal or balanced rows of SOR, as zoid-compile --shapes prints them. */
struct zoid_wavefront_shape zoid_wavefront_sor(int axes, bool balanced);

/* Return the determinant of the rows and columns that two sets of bits select; of no rows, 1. */
long zoid_wavefront_minor(const struct zoid_wavefront_shape *shape, unsigned rows,
                          unsigned columns);

struct zoid_wavefront_nest {
    int axes;          /* 1 to ZOID_AXES */
    long n[ZOID_AXES]; /* points, x first; 1 beyond the axes; the first and last are not updated */
    long steps;
    struct zoid_wavefront_shape shape;
};

/* at . (variables) + tile . (first coordinates of a tile) + constant >= 0 */
struct zoid_wavefront_bound {
    int at[ZOID_WAVEFRONT_ROWS], tile[ZOID_WAVEFRONT_ROWS];
    long constant;
};
struct zoid_wavefront_bounds {
    int n;
    struct zoid_wavefront_bound bound[ZOID_WAVEFRONT_BOUNDS];
};

/* Tiles of one size. */
struct zoid_wavefront {
    struct zoid_wavefront_nest nest;
    int rows;          /* m = 1 + axes */
    bool balanced;     /* the first row orders all dependences */
    bool empty;        /* no points are updated */
    long n[ZOID_AXES]; /* points, the slowest axis first */
    int inverse[ZOID_WAVEFRONT_ROWS][ZOID_WAVEFRONT_ROWS]; /* (t, point) of e */
    int tile[ZOID_WAVEFRONT_ROWS];
    /* Least and greatest (t, point) of a tile, from those of its first coordinates. */
    long before[ZOID_WAVEFRONT_ROWS], after[ZOID_WAVEFRONT_ROWS];
    long first[ZOID_WAVEFRONT_ROWS], last[ZOID_WAVEFRONT_ROWS]; /* tiles along each coordinate */
    /* Bounds of points of a tile: of the tile alone; of (t), of (t, slowest axis), and so on; and
     * of its intra-tile wavefronts, from 0 on. */
    struct zoid_wavefront_bounds tiles, points[ZOID_WAVEFRONT_ROWS], waves;
};

/* Find the geometry. Returns NULL, or a reason, to follow "rows ": they have no inverse in
 * integers, do not order the dependences of SOR, or are too large. */
const char *zoid_wavefront_make(const struct zoid_wavefront_nest *nest, const int *tile,
                                struct zoid_wavefront *w);
/* Returns true if a tile has points that are updated. */
bool zoid_wavefront_live(const struct zoid_wavefront *w, const long *tau);
/* Returns true if all points of a tile are updated. */
bool zoid_wavefront_full(const struct zoid_wavefront *w, const long *tau);
/* Stores the first and last intra-tile wavefronts of a tile with points. */
void zoid_wavefront_span(const struct zoid_wavefront *w, const long *tau, long *first, long *last);
/* Number of intra-tile wavefronts of a full tile. */
long zoid_wavefront_waves(const struct zoid_wavefront *w);
/* Points of the box around a tile with its halo: along an axis (the slowest first), and all. */
long zoid_wavefront_extent(const struct zoid_wavefront *w, int axis);
double zoid_wavefront_box(const struct zoid_wavefront *w);

/* Tiles of a wavefront along the last coordinate: tau_2 ... tau_(m-1), the first tau_m, and the
 * number of tiles of the wavefront in the rows before. */
struct zoid_wavefront_row {
    int lead[ZOID_WAVEFRONT_ROWS - 2], first, before;
};
/* A wavefront: the sum of its tiles' coordinates, its first row, and its tiles. */
struct zoid_wavefront_wave {
    int sum, row, tiles;
};
struct zoid_wavefront_list {
    long nwaves, nrows;
    struct zoid_wavefront_wave *wave;
    struct zoid_wavefront_row *row;
};

/* List the tiles with points; the caller frees them. False, and an empty list: out of memory, or
 * more tiles than integers count. */
bool zoid_wavefront_tiles(const struct zoid_wavefront *w, struct zoid_wavefront_list *list);
/* List one wavefront of `tiles` full tiles, for measurements. False if no wavefront in the middle
 * has that many, or out of memory. */
bool zoid_wavefront_full_list(const struct zoid_wavefront *w, long tiles,
                              struct zoid_wavefront_list *list);
void zoid_wavefront_free(struct zoid_wavefront_list *list);
/* First and last sum of coordinates that a wavefront may have. */
void zoid_wavefront_sums(const struct zoid_wavefront *w, long *first, long *last);
/* Stores the number of tiles of each wavefront from the first sum to the last one, and how many of
 * them are full, by the bounds of lines of tiles: a tile that only has points between integers
 * counts, too. Each array has room for one number more. */
void zoid_wavefront_count(const struct zoid_wavefront *w, long *tiles, long *full);
/* Stores the coordinates of tile number `i` of a wavefront of the list. */
void zoid_wavefront_tile(const struct zoid_wavefront *w, const struct zoid_wavefront_list *list,
                         long wave, long i, long *tau);

/* Tiles to compute, and the threads that do. */
struct zoid_wavefront_run {
    const struct zoid_wavefront *w;
    const struct zoid_wavefront_list *list;
    enum zoid_type type; /* ZOID_F32 or ZOID_F64 */
    double omega;
    int threads[ZOID_AXES]; /* along q_m, q_(m - 1), ...; on cores all along q_2 */
    int resident;           /* tiles at a time, on a GPU of each multiprocessor */
    long repeat;            /* times that the list is gone through; one is the loop nest */
};

#ifdef __cplusplus
}
#endif
#endif

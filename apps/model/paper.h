/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of the B+2R paper (Liu and Perumalla, Eq. 7), and bounds of two others. */
#ifndef ZOID_APPS_MODEL_PAPER_H
#define ZOID_APPS_MODEL_PAPER_H

#include "apps/model/runs.h"

/* F_step = (F_c + F_MPI + F_H2D) / R, each a x + b. The b of functions that a run has once an epoch
 * cannot be told apart by runs, so they are one. */
enum zoid_paper_term {
    ZOID_PAPER_CPU,    /* a of F_CPU: points that cores compute in an epoch */
    ZOID_PAPER_GPU,    /* a of F_GPU: points of the padded box, times R */
    ZOID_PAPER_KERNEL, /* b of F_GPU: R */
    ZOID_PAPER_MPI,    /* a of F_MPI: points of the ghost layers */
    ZOID_PAPER_LINK,   /* a of F_H2D: points that cross the link */
    ZOID_PAPER_EPOCH,  /* b of all others: 1 */
    ZOID_PAPER_TERMS
};
extern const char *const zoid_paper_names[ZOID_PAPER_TERMS];

struct zoid_paper {
    double by[ZOID_PAPER_TERMS]; /* seconds, not negative */
};

/* Fit the constants by least squares of relative errors. ZOID_BAD_ARGUMENT: no run. */
enum zoid_status zoid_paper_fit(const struct zoid_model_runs *runs, struct zoid_paper *paper);
/* Return the seconds of a run with epochs of R steps. */
double zoid_paper_seconds(const struct zoid_paper *paper, const struct zoid_model_run *run, long r);

#endif

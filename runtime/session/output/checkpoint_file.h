/* SPDX-License-Identifier: BSD-3-Clause */
/* Layout of the file, shared by the writer and the reader of checkpoints. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_CHECKPOINT_FILE_H
#define ZOID_RUNTIME_SESSION_OUTPUT_CHECKPOINT_FILE_H

#include "runtime/io/h5.h"
#include "runtime/session/output/checkpoint.h"

enum { ZOID_CHECKPOINT_NAME = 96 };

#define ZOID_CHECKPOINT_COMPLETE "complete" /* attribute, written last */
#define ZOID_CHECKPOINT_OWN "numbers"       /* dataset: the engine's own */
#define ZOID_CHECKPOINT_TABLES "settings/"  /* prefix of datasets: tables of settings */

/* Number of fields in a checkpoint. */
static inline int zoid_checkpoint_count(const struct zoid_op *op, bool coefficients)
{
    return op->nstate + (coefficients ? op->ncoef : 0);
}

/* The dataset of a field. */
struct zoid_h5_dataset zoid_checkpoint_dataset(const struct zoid_problem *problem, int field);

/* Layers whose memory is in a checkpoint: face i, by axis and side, of
 * zoid_checkpoint_layer. Its dataset has plane after plane, of each psi, P and zeta. */
struct zoid_checkpoint_layer {
    int axis, side;
    char name[24];
    long planes; /* from `lo` on */
    long lo;
    size_t bytes; /* of a plane */
    struct zoid_h5_dataset dataset;
};
/* Set the layer at face i, whose dataset has the name in `layer`; false: it has none. */
bool zoid_checkpoint_layer(const struct zoid_problem *problem, int i,
                           struct zoid_checkpoint_layer *layer);
/* Name of the dataset with the checksums of dataset `of`. */
void zoid_checkpoint_sums(const char *of, char name[ZOID_CHECKPOINT_NAME]);
/* Write everything except the values of datasets. */
enum zoid_status zoid_checkpoint_put(struct zoid_h5 *h5, const struct zoid_checkpoint *about);
/* Remove all checkpoints of the folder, except that of a step and the last one before it. */
enum zoid_status zoid_checkpoint_keep(const char *folder, long step);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What those who write checkpoints and those who read them know of the file. */
#ifndef ZOID_RUNTIME_SESSION_OUTPUT_CHECKPOINT_FILE_H
#define ZOID_RUNTIME_SESSION_OUTPUT_CHECKPOINT_FILE_H

#include "runtime/io/h5.h"
#include "runtime/session/output/checkpoint.h"

enum { ZOID_CHECKPOINT_NAME = 96 };

#define ZOID_CHECKPOINT_COMPLETE "complete" /* an attribute, the last that is written */
#define ZOID_CHECKPOINT_OWN "numbers"       /* a dataset: the program's own */

/* How many fields are in one, with the coefficients or without. */
static inline int zoid_checkpoint_count(const struct zoid_op *op, bool coefficients)
{
    return op->nstate + (coefficients ? op->ncoef : 0);
}

/* The dataset of a field. */
struct zoid_h5_dataset zoid_checkpoint_dataset(const struct zoid_problem *problem, int field);
/* The name of the dataset with the sums of another one. */
void zoid_checkpoint_sums(const char *of, char name[ZOID_CHECKPOINT_NAME]);
/* Everything that is neither a field nor the program's own numbers. */
enum zoid_status zoid_checkpoint_put(struct zoid_h5 *h5, const struct zoid_checkpoint *about);
enum zoid_status zoid_checkpoint_get(struct zoid_h5 *h5, struct zoid_checkpoint *about);
/* Removes all checkpoints of the folder but that of a step, and of those before it the last. */
enum zoid_status zoid_checkpoint_keep(const char *folder, long step);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of boxes. */
#ifndef ZOID_CODELETS_OP_WRONG_BOX_H
#define ZOID_CODELETS_OP_WRONG_BOX_H

#include "codelets/op.h"

/* A box that its field cannot have: its index in the stage, and the reason, to follow its name. */
struct zoid_wrong_box {
    int stage, box;
    const char *why; /* NULL: all boxes are right */
};
/* Returns the first wrong box of an operator. Boxes larger than the reach leaves are tried by the
 * operator's reference loop on small domains, in memory that it allocates and frees. */
struct zoid_wrong_box zoid_wrong_box(const struct zoid_op *op);

#endif

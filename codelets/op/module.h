/* SPDX-License-Identifier: BSD-3-Clause */
/* Description of a shared object of operators (ZoidOperators.cmake), under the name `zoid_module`,
 * for checks before it is called. */
#ifndef ZOID_CODELETS_OP_MODULE_H
#define ZOID_CODELETS_OP_MODULE_H

#include "codelets/op.h"

/* Goes up with every change of struct zoid_op, or of what its functions may be called with. */
enum { ZOID_MODULE_ABI = 8 };

/* Returns variant i of a table; NULL past the end. */
typedef const struct zoid_op *zoid_table_fn(size_t i);

struct zoid_module {
    int abi;             /* first member of every version */
    const char *version; /* of Zoid */
    size_t op_bytes;     /* of struct zoid_op */
    zoid_table_fn *table;
};

#endif

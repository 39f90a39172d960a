/* SPDX-License-Identifier: BSD-3-Clause */
/* The cores that the thread which opens a context may run on. Where OMP_PROC_BIND is set, OpenMP's
 * runtime, which StarPU brings along, has bound that thread to one place before the program begins,
 * and StarPU would start workers there and nowhere else. */
#ifndef ZOID_RUNTIME_MACHINE_BINDING_H
#define ZOID_RUNTIME_MACHINE_BINDING_H

#include <stdbool.h>

struct zoid_binding {
    bool changed;
    unsigned long before[16]; /* a bit for each processor of the system */
};

/* Lets the calling thread run wherever OpenMP found that the program may, if OpenMP has bound it.
 * Who was bound by anybody else stays so. */
void zoid_binding_widen(struct zoid_binding *binding);
/* Binds it again as it was. */
void zoid_binding_restore(const struct zoid_binding *binding);

#endif

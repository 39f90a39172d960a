/* SPDX-License-Identifier: BSD-3-Clause */
/* Affinity of the thread that opens a context. If OMP_PROC_BIND is set, the OpenMP runtime, which
 * StarPU loads, has bound that thread to one place before main(), and StarPU would start all
 * workers there. */
#ifndef ZOID_RUNTIME_MACHINE_BINDING_H
#define ZOID_RUNTIME_MACHINE_BINDING_H

#include <stdbool.h>

struct zoid_binding {
    bool changed;
    unsigned long before[16]; /* the previous affinity, a bit per processor */
};

/* Sets the calling thread's affinity to all of OpenMP's places, if OpenMP has bound it to some of
 * them. Otherwise does nothing: an affinity from another source stays. */
void zoid_binding_widen(struct zoid_binding *binding);
/* Restores the affinity of before, in the same thread. */
void zoid_binding_restore(const struct zoid_binding *binding);

#endif

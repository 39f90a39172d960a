/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines that files describe, for plans of runs there. A folder has
 *
 *     machine.json   as zoid-info --json prints it
 *     rates.json     as zoid-info --calibrate writes it, with the network between ranks
 *     origin.txt     a line: who measured it, and when, or what else its numbers are from */
#ifndef ZOID_RUNTIME_MACHINE_DESCRIBED_H
#define ZOID_RUNTIME_MACHINE_DESCRIBED_H

#include "runtime/machine/rates.h"

struct zoid_described {
    char name[64];    /* last part of the folder's path */
    char origin[256]; /* without the end of its line */
    struct zoid_machine machine;
    struct zoid_rates rates; /* the caller frees them with zoid_rates_free */
};

/* Reads a folder or, if `name` has no slash, the folder of that name in $ZOID_MACHINES or in
 * share/zoid/machines beside the library or above it. ZOID_BAD_ARGUMENT: there is no such machine.
 * ZOID_RESOURCE: a file is missing or broken. */
enum zoid_status zoid_described_read(const char *name, struct zoid_described *described);

#endif

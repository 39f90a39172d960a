/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of a machine and of a build, one at a time: zoid-info prints them, and
 * zoid_machine_json returns them. */
#ifndef ZOID_RUNTIME_MACHINE_FACTS_H
#define ZOID_RUNTIME_MACHINE_FACTS_H

#include <stdint.h>

#include "runtime/zoid_advanced.h"

enum zoid_fact_kind {
    ZOID_FACT_TEXT,
    ZOID_FACT_WORDS, /* a list, as a text with spaces */
    ZOID_FACT_NUMBER,
    ZOID_FACT_CACHE,  /* number: bytes */
    ZOID_FACT_MISSING /* a capability that the build or the machine lacks; text: the effect */
};

struct zoid_fact {
    enum zoid_fact_kind kind;
    const char *key; /* as in workers.cpu */
    const char *text;
    uint64_t number;
    int cores; /* that share a cache */
};

typedef void zoid_fact_fn(void *user, const struct zoid_fact *fact);
/* Pass the properties of a machine to `put`. */
void zoid_machine_facts(const struct zoid_machine *machine, zoid_fact_fn *put, void *user);
/* Print a line `key value`, or `missing key (text)`; `out` is a FILE. */
void zoid_fact_print(void *out, const struct zoid_fact *fact);

#endif

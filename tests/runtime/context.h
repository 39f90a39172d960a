/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by tests that plan and run: a context, and the size that a refusal names. */
#ifndef ZOID_TESTS_RUNTIME_CONTEXT_H
#define ZOID_TESTS_RUNTIME_CONTEXT_H

#include <stdlib.h>
#include <string.h>

#include "runtime/zoid_advanced.h"
#include "tests/check.h"

/* Opens a context with `workers` cores and rates that are the same on every machine, with or
 * without a disk. The caller closes it. */
static inline struct zoid_context *open_context(const char *workers, bool disk)
{
    const struct zoid_context_options options = {.folder = {[ZOID_DISK] = disk ? "." : NULL},
                                                 .rates = ZOID_RATES_DEFAULT};
    struct zoid_context *context;

    ck_assert_int_eq(setenv("STARPU_NCPU", workers, 1), 0);
    ck_assert_msg(!zoid_context_open(&options, &context), "%s", zoid_error());
    return context;
}

/* The MiB in the message of a refusal. */
static inline uint64_t named_mib(void)
{
    const char *at = strstr(zoid_error(), "at least ");

    ck_assert_msg(at, "%s", zoid_error());
    return strtoull(at + strlen("at least "), NULL, 10);
}

#endif

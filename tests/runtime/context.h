/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests that plan and run share: a context, and what a refusal names. */
#ifndef ZOID_TESTS_RUNTIME_CONTEXT_H
#define ZOID_TESTS_RUNTIME_CONTEXT_H

#include <stdlib.h>
#include <string.h>

#include "runtime/zoid.h"
#include "tests/check.h"

/* So many cores, with rates that are the same on every machine, beside a disk or without one. */
static inline struct zoid_context *open_context(const char *workers, bool disk)
{
    const struct zoid_context_options options = {.folder = {[ZOID_DISK] = disk ? "." : NULL},
                                                 .rates = ZOID_RATES_DEFAULT};
    struct zoid_context *context;

    ck_assert_int_eq(setenv("STARPU_NCPU", workers, 1), 0);
    ck_assert_msg(!zoid_context_open(&options, &context), "%s", zoid_error());
    return context;
}

/* The MiB that a refusal names. */
static inline uint64_t named_mib(void)
{
    const char *at = strstr(zoid_error(), "at least ");

    ck_assert_msg(at, "%s", zoid_error());
    return strtoull(at + strlen("at least "), NULL, 10);
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/effort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FACTOR = 10, FEW = 3 };

/* -1: quick, 0: normal, 1: long. */
static int level(void)
{
    static const char *const names[] = {"quick", "normal", "long"};
    const char *asked = getenv("ZOID_EFFORT");

    if (!asked || !*asked)
        return -SANITIZED;
    for (int i = 0; i < 3; i++)
        if (!strcmp(asked, names[i]))
            return i - 1;
    fprintf(stderr, "ZOID_EFFORT is quick, normal or long, not '%s'\n", asked);
    exit(EXIT_FAILURE);
}

int effort(int cases)
{
    const int few = cases < FEW ? cases : FEW, tenth = cases / FACTOR;

    switch (level()) {
    case -1:
        return tenth > few ? tenth : few;
    case 1:
        return cases * FACTOR;
    default:
        return cases;
    }
}

int effort_each(int cases, int kinds)
{
    const int each = effort(cases) / kinds;

    return each > 1 ? each : 1;
}

bool effort_is_quick(void)
{
    return level() < 0;
}

double effort_limit(double seconds)
{
    return level() > 0 ? seconds * FACTOR : seconds;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/nap.h"

#include <math.h>
#include <time.h>

#include "runtime/machine/clock.h"

/* Several round trips of a message to another core, or through a fast network. */
static const double AWAKE = 50e-6;
/* Linux adds 50 us to any sleep, so that a shorter one would not end earlier. */
static const double FIRST = 20e-6;
static const double GROWTH = 1.25;

double zoid_nap_next(struct zoid_nap *nap, double longest)
{
    const double length = fmin(nap->next > 0 ? nap->next : FIRST, longest);

    nap->next = fmin(length * GROWTH, longest);
    return length;
}

void zoid_nap(struct zoid_nap *nap, double longest)
{
    const double now = zoid_machine_clock();
    double length;

    if (nap->since == 0)
        nap->since = now;
    if (now < nap->since + AWAKE)
        return;
    length = zoid_nap_next(nap, longest);
    nanosleep(&(struct timespec){.tv_nsec = (long)(length * 1e9)}, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder on a disk: home of data that main memory has no room for. */
#include "runtime/plan/amount.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/tier.h"

static uint64_t data_of(const struct zoid_plan *p, int kind)
{
    return p->keep[kind][ZOID_DISK] == ZOID_KEEP_ALL ? zoid_budget_data(p, kind) : 0;
}

static bool home(const struct zoid_site *site)
{
    return site->folder[ZOID_DISK] != NULL;
}

static double up(const struct zoid_rates *rates)
{
    return rates->disk_read;
}

static double down(const struct zoid_rates *rates)
{
    return rates->disk_write;
}

static double datum(const struct zoid_rates *rates)
{
    return rates->disk_datum;
}

static enum zoid_status refuse(const struct zoid_shortage *s)
{
    const unsigned long long least = zoid_mib(s->least), has = s->capacity / ZOID_MIB;
    const char *folder = s->site->folder[ZOID_DISK];

    if (s->asked && s->capacity == s->asked)
        return zoid_fail(
            ZOID_DOES_NOT_FIT,
            "needs at least %llu MiB of the disk, and {disk} allows %llu MiB; use {disk=%s:%lluM}",
            least, has, folder, least);
    return zoid_fail(ZOID_RESOURCE,
                     "needs at least %llu MiB of the disk, and %s has %llu MiB free; make room or "
                     "name another folder",
                     least, folder, has);
}

const struct zoid_tier_type zoid_tier_disk = {.name = "disk",
                                              .in = " on the disk",
                                              .grain = ZOID_DISK_BLOCK,
                                              .data = data_of,
                                              .home = home,
                                              .up = up,
                                              .down = down,
                                              .datum = datum,
                                              .refuse = refuse};

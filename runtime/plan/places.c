/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/plan/places.h"

#include <stdlib.h>
#include <string.h>

#include "graphs/common/arith.h"
#include "runtime/error.h"
#include "runtime/plan/place.h"

/* ---- places by name ------------------------------------------------------------------------ */

static enum zoid_status bad_places(const char *text)
{
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "'%s' names no places; use one of cores, cores:N, gpus and gpus:N, or up to "
                     "%d of them joined by +, as in {places=cores+gpus}",
                     text, ZOID_PARTS_MOST);
}

/* Parse one place from *at on, and move past it. */
static bool parse_place(const char **at, enum zoid_place_kind *kind, int *workers)
{
    const char *from = *at;
    char *end;
    long n = 0;

    for (int k = 0; k < ZOID_ANY; k++) {
        const size_t length = strlen(zoid_places[k]->name);

        if (strncmp(from, zoid_places[k]->name, length) != 0)
            continue;
        *kind = (enum zoid_place_kind)k;
        *at = from + length;
        break;
    }
    if (*at == from)
        return false;
    if (**at == ':') {
        from = *at + 1;
        n = *from >= '1' && *from <= '9' ? strtol(from, &end, 10) : 0;
        if (n < 1 || n > 1 << 16)
            return false;
        *at = end;
    }
    *workers = (int)n;
    return true;
}

enum zoid_status zoid_places_parse(const char *text, struct zoid_places_named *named)
{
    const char *at = text;

    named->places = 0;
    do {
        at += named->places > 0;
        if (named->places == ZOID_PARTS_MOST || !parse_place(&at, &named->place[named->places].kind,
                                                             &named->place[named->places].workers))
            return bad_places(text);
        named->places++;
    } while (*at == '+');
    return *at ? bad_places(text) : ZOID_OK;
}

/* ---- workers of places --------------------------------------------------------------------- */

static enum zoid_status too_few(enum zoid_place_kind kind, int there)
{
    return zoid_fail(kind == ZOID_GPUS ? ZOID_RESOURCE : ZOID_BAD_ARGUMENT,
                     "{places} names more %s than the %d that StarPU has here; name fewer",
                     zoid_places[kind]->name, there);
}

int zoid_places_workers(const struct zoid_site *site, enum zoid_place_kind kind)
{
    return kind == ZOID_CORES ? site->machine->cpu_workers : site->workers[kind];
}

enum zoid_status zoid_places_seat(const struct zoid_site *site,
                                  const struct zoid_places_named *named, struct zoid_place seat[])
{
    for (int k = 0; k < ZOID_ANY; k++) {
        const int there = zoid_places_workers(site, (enum zoid_place_kind)k);
        int taken = 0, open = 0, of_kind = 0, first = 0;

        for (int i = 0; i < named->places; i++)
            if (named->place[i].kind == (enum zoid_place_kind)k) {
                taken += zoid_max(named->place[i].workers, 1);
                open += !named->place[i].workers;
                of_kind++;
            }
        if (taken > there)
            return too_few((enum zoid_place_kind)k, there);
        if (open > 1)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "{places} leaves the rest of the %s to several places; give all but "
                             "one of them a number, as in %s:1",
                             zoid_places[k]->name, zoid_places[k]->name);
        for (int i = 0; i < named->places; i++) {
            const int rest = there - taken + 1, n = named->place[i].workers;

            if (named->place[i].kind != (enum zoid_place_kind)k)
                continue;
            seat[i] = (struct zoid_place){.kind = (enum zoid_place_kind)k,
                                          .workers = n ? n : rest,
                                          .first = first,
                                          .shares = of_kind > 1};
            first += seat[i].workers;
        }
    }
    return ZOID_OK;
}

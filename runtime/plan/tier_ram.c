/* SPDX-License-Identifier: BSD-3-Clause */
/* Main memory: home of all data, or on their way between those who compute and a disk. */
#include "graphs/cell.h"
#include "runtime/error.h"
#include "runtime/plan/amount.h"
#include "runtime/plan/budget.h"
#include "runtime/plan/place.h"
#include "runtime/plan/tier.h"

/* The state is filled and read plane by plane, with all cells of a plane at once: half of the slabs
 * that may be there. */
static uint64_t with_all_cells(const struct zoid_plan *p)
{
    const uint64_t cells = (uint64_t)zoid_rank_cells(&p->graph);

    return cells > 1 ? 2 * cells : 0;
}

/* Slabs that main memory holds if their home is a disk. On cores: the slabs that blocks have open,
 * the same number in transfer to the next lane or to the disk, and one arriving. If points have
 * memory, lanes are a slab further apart. If all passes share one lane, blocks that run at the same
 * time are close in the order of one pass, or of one per cell with slopes of its own. On GPUs:
 * StarPU keeps the buffer of a slab until the block that writes it has ended. */
static uint64_t slabs_in_memory(const struct zoid_plan *p)
{
    const struct zoid_place_type *type = zoid_place_of(p);
    uint64_t open = (uint64_t)p->census.open_slabs;
    uint64_t running = zoid_budget_running(p), most;
    uint64_t rings = zoid_larger((uint64_t)p->census.kind[ZOID_REUSE].rows, 1);
    const uint64_t begun = (uint64_t)type->begun, beside = (uint64_t)type->beside;

    if (p->graph.method->revisits)
        most = zoid_smaller(rings, running) * open +
               begun * running * (uint64_t)p->census.block_slabs + beside;
    else
        most = begun * (zoid_plan_streams(p) ? (uint64_t)p->place.workers : running) * open +
               beside + (zoid_remembers(&p->graph.shape) ? running : 0);
    return zoid_larger(most, with_all_cells(p));
}

/* Pieces of memory of layers besides one for each slab: those that blocks list. */
static uint64_t memory_more(const struct zoid_plan *p)
{
    return (uint64_t)zoid_place_of(p)->begun * (zoid_budget_running(p) + 1) *
           (uint64_t)p->census.max_memory;
}

static uint64_t data_of(const struct zoid_plan *p, int kind)
{
    const uint64_t all = zoid_budget_data(p, kind);

    switch (p->keep[kind][ZOID_RAM]) {
    case ZOID_KEEP_BLOCKS:
        return zoid_smaller(
            all, zoid_larger(zoid_tier_coefficients(p, zoid_budget_running(p)), with_all_cells(p)));
    case ZOID_KEEP_OPEN:
        return zoid_smaller(all, slabs_in_memory(p) + (kind == ZOID_MEMORY ? memory_more(p) : 0));
    default:
        return all;
    }
}

static bool home(const struct zoid_site *site)
{
    (void)site;
    return true;
}

static enum zoid_status refuse(const struct zoid_shortage *s)
{
    const unsigned long long least = zoid_mib(s->least), has = s->capacity / ZOID_MIB;
    const bool limited = s->capacity < s->site->machine->ram_available;

    if (s->site->others && s->capacity != s->asked)
        return zoid_fail(ZOID_DOES_NOT_FIT,
                         "needs at least %llu MiB of main memory, and other jobs leave %llu MiB; "
                         "destroy one of them first",
                         least, has);
    return zoid_fail(ZOID_DOES_NOT_FIT,
                     "needs at least %llu MiB of main memory, and %s %llu MiB; use {ram=%lluM}%s",
                     least, limited ? ZOID_KEY("ram") " allows" : "this machine has free", has,
                     least,
                     limited ? "" : " on a machine that has it, or a smaller " ZOID_KEY("size"));
}

const struct zoid_tier_type zoid_tier_ram = {
    .name = "ram", .in = " in memory", .grain = 1, .home = home, .data = data_of, .refuse = refuse};

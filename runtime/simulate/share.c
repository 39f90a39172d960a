/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares of a simulation, in place of runtime/ranks/share.c and share_gpus.c: each rank has the
 * described machine to itself, and contexts set its workers. */
#include "runtime/ranks/share.h"

enum zoid_status zoid_share_cores(const struct zoid_ranks *ranks, struct zoid_share *share)
{
    *share = (struct zoid_share){.ranks = ranks->host_size, .bound = "nobody"};
    return ZOID_OK;
}

enum zoid_status zoid_share_gpus(const struct zoid_ranks *ranks, struct zoid_share *share)
{
    (void)ranks;
    (void)share;
    return ZOID_OK;
}

/* Actors take no time to poll. */
bool zoid_share_polls_hurt(const struct zoid_share *share)
{
    (void)share;
    return false;
}

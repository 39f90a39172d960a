/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/shared.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/machine/free_ram.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct zoid_context *shared;
static int holders;
/* Its options; owns the texts. */
static struct zoid_context_options has;

/* ---- options ------------------------------------------------------------------------------- */

static bool alike(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* Returns the key of an option that differs, or NULL. Measured rates, and those that are
 * there already, are the same. Less memory of GPUs is the plan's budget. */
static const char *differs(const struct zoid_context_options *wanted)
{
    const bool less = wanted->gpu_mem && wanted->gpu_mem < has.gpu_mem;

    if (wanted->gpu_mem != has.gpu_mem && !less)
        return "gpu_mem";
    if (!alike(wanted->trace, has.trace))
        return "trace";
    if (!alike(wanted->machine, has.machine))
        return "machine";
    if (wanted->nodes != has.nodes)
        return "nodes";
    if (wanted->oversubscribe != has.oversubscribe)
        return "oversubscribe";
    if ((wanted->rates == ZOID_RATES_DEFAULT) != (has.rates == ZOID_RATES_DEFAULT))
        return "rates";
    return NULL;
}

static void forget(void)
{
    free((void *)has.trace);
    free((void *)has.machine);
    has = (struct zoid_context_options){.gpu_mem = 0};
}

/* Keeps a copy of the options. Returns whether there was memory for it. */
static bool keep(const struct zoid_context_options *wanted)
{
    has = *wanted;
    has.trace = wanted->trace ? strdup(wanted->trace) : NULL;
    has.machine = wanted->machine ? strdup(wanted->machine) : NULL;
    return (!wanted->trace || has.trace) && (!wanted->machine || has.machine);
}

/* ---- the context --------------------------------------------------------------------------- */

static enum zoid_status close_shared(void)
{
    forget();
    return zoid_context_close(&shared);
}

/* StarPU's threads must not outlive what they use. */
static void close_at_exit(void)
{
    pthread_mutex_lock(&mutex);
    if (!holders)
        close_shared();
    pthread_mutex_unlock(&mutex);
}

static enum zoid_status open_shared(const struct zoid_context_options *wanted,
                                    const struct zoid_opener *opener)
{
    static bool registered;
    enum zoid_status status;

    if (!registered)
        registered = !atexit(close_at_exit);
    status = keep(wanted) ? opener->open(opener->user, wanted, &shared) : zoid_no_memory();
    if (status)
        forget();
    return status;
}

static enum zoid_status take(const struct zoid_context_options *wanted,
                             const struct zoid_opener *opener)
{
    const char *key = shared ? differs(wanted) : NULL;
    const bool left = shared && !holders;
    enum zoid_status status = ZOID_OK;

    if (key && holders)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{%s} differs from that of another session, and sessions that are there "
                         "at a time share it; destroy the other one first",
                         key);
    if (left && (key || !opener->serves(opener->user, shared)))
        status = close_shared();
    else if (left && !shared->described)
        zoid_context_share_memory(shared, zoid_machine_free_ram());
    if (!status && !shared)
        status = open_shared(wanted, opener);
    return status;
}

enum zoid_status zoid_shared_take(const struct zoid_context_options *wanted,
                                  const struct zoid_opener *opener, struct zoid_context **context)
{
    enum zoid_status status;

    pthread_mutex_lock(&mutex);
    status = take(wanted, opener);
    if (!status) {
        holders++;
        *context = shared;
    }
    pthread_mutex_unlock(&mutex);
    return status;
}

enum zoid_status zoid_shared_give_back(struct zoid_context **context)
{
    enum zoid_status status = ZOID_OK;

    if (!*context)
        return ZOID_OK;
    pthread_mutex_lock(&mutex);
    *context = NULL;
    if (--holders == 0 && has.trace)
        status = close_shared();
    pthread_mutex_unlock(&mutex);
    return status;
}

bool zoid_shared_machine(struct zoid_machine *machine)
{
    bool there;

    pthread_mutex_lock(&mutex);
    there = shared;
    if (there)
        *machine = *zoid_context_machine(shared);
    pthread_mutex_unlock(&mutex);
    return there;
}

int zoid_shared_holders(void)
{
    int n;

    pthread_mutex_lock(&mutex);
    n = holders;
    pthread_mutex_unlock(&mutex);
    return n;
}

enum zoid_status zoid_shared_close(void)
{
    enum zoid_status status = ZOID_OK;

    pthread_mutex_lock(&mutex);
    if (holders)
        status = zoid_fail(ZOID_BAD_ARGUMENT, "%d sessions are there; destroy them first", holders);
    else if (shared)
        status = close_shared();
    pthread_mutex_unlock(&mutex);
    return status;
}

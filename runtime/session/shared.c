/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/shared.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"

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
 * there already, are the same. */
static const char *differs(const struct zoid_context_options *wanted)
{
    if (wanted->gpu_mem != has.gpu_mem)
        return "gpu_mem";
    if (!alike(wanted->trace, has.trace))
        return "trace";
    if (wanted->oversubscribe != has.oversubscribe)
        return "oversubscribe";
    if ((wanted->rates == ZOID_RATES_DEFAULT) != (has.rates == ZOID_RATES_DEFAULT))
        return "rates";
    for (int t = 0; t < ZOID_TIERS; t++)
        if (!alike(wanted->folder[t], has.folder[t]))
            return "disk";
    return NULL;
}

static void forget(void)
{
    free((void *)has.trace);
    for (int t = 0; t < ZOID_TIERS; t++)
        free((void *)has.folder[t]);
    has = (struct zoid_context_options){.gpu_mem = 0};
}

/* Keeps a copy of the options. Returns whether there was memory for it. */
static bool keep(const struct zoid_context_options *wanted)
{
    bool whole = true;

    has = *wanted;
    has.trace = wanted->trace ? strdup(wanted->trace) : NULL;
    whole = !wanted->trace || has.trace;
    for (int t = 0; t < ZOID_TIERS; t++) {
        has.folder[t] = wanted->folder[t] ? strdup(wanted->folder[t]) : NULL;
        whole = whole && (!wanted->folder[t] || has.folder[t]);
    }
    return whole;
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

static enum zoid_status open_shared(const struct zoid_context_options *wanted, zoid_open_fn *open,
                                    void *user)
{
    static bool registered;
    enum zoid_status status;

    if (!registered)
        registered = !atexit(close_at_exit);
    status = keep(wanted) ? open(user, wanted, &shared) : zoid_no_memory();
    if (status)
        forget();
    return status;
}

static enum zoid_status take(const struct zoid_context_options *wanted, zoid_open_fn *open,
                             void *user)
{
    const char *key = shared ? differs(wanted) : NULL;
    enum zoid_status status = ZOID_OK;

    if (key && holders)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{%s} differs from that of another session, and sessions that are there "
                         "at a time share it; destroy the other one first",
                         key);
    if (key)
        status = close_shared();
    if (!status && !shared)
        status = open_shared(wanted, open, user);
    return status;
}

enum zoid_status zoid_shared_take(const struct zoid_context_options *wanted, zoid_open_fn *open,
                                  void *user, struct zoid_context **context)
{
    enum zoid_status status;

    pthread_mutex_lock(&mutex);
    status = take(wanted, open, user);
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

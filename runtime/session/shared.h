/* SPDX-License-Identifier: BSD-3-Clause */
/* The context that sessions share. It stays open between them, so that only the first one waits for
 * StarPU to start. Thread-safe. */
#ifndef ZOID_RUNTIME_SESSION_SHARED_H
#define ZOID_RUNTIME_SESSION_SHARED_H

#include "runtime/zoid_advanced.h"

/* How a holder opens a context; `user` is the holder's. */
struct zoid_opener {
    enum zoid_status (*open)(void *user, const struct zoid_context_options *wanted,
                             struct zoid_context **context);
    /* Whether one that others have left has all that opening it anew would give. */
    bool (*serves)(void *user, const struct zoid_context *context);
    void *user;
};

/* Take the shared context, which the opener opens unless there is one with these options, without
 * folders, and at least this gpu_mem. The machine's free memory is counted anew for the first
 * holder. Collective. ZOID_BAD_ARGUMENT: other sessions hold one with other options; the message
 * names the key. Also fails as `open` does. */
enum zoid_status zoid_shared_take(const struct zoid_context_options *wanted,
                                  const struct zoid_opener *opener, struct zoid_context **context);
/* Give it back; NULL in *context afterwards. One with a trace is closed with its last holder, since
 * the trace is complete then. Collective. Fails as zoid_context_close does. */
enum zoid_status zoid_shared_give_back(struct zoid_context **context);
/* Copy the description of its machine. False: there is no shared context. */
bool zoid_shared_machine(struct zoid_machine *machine);
/* Return the number of sessions that hold it. */
int zoid_shared_holders(void);
/* Close it. Collective. ZOID_BAD_ARGUMENT: a session holds it. */
enum zoid_status zoid_shared_close(void);

#endif

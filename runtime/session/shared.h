/* SPDX-License-Identifier: BSD-3-Clause */
/* The context that sessions share. It stays open between them, so that only the first one waits for
 * StarPU to start. Thread-safe. */
#ifndef ZOID_RUNTIME_SESSION_SHARED_H
#define ZOID_RUNTIME_SESSION_SHARED_H

#include "runtime/zoid.h"

/* Opens a context; `user` is the caller's. */
typedef enum zoid_status zoid_open_fn(void *user, const struct zoid_context_options *wanted,
                                      struct zoid_context **context);

/* Take the shared context, which `open` opens unless there is one with these options. Collective.
 * ZOID_BAD_ARGUMENT: other sessions hold one with other options; the message names the key. Also
 * fails as `open` does. */
enum zoid_status zoid_shared_take(const struct zoid_context_options *wanted, zoid_open_fn *open,
                                  void *user, struct zoid_context **context);
/* Give it back; NULL in *context afterwards. One with a trace is closed with its last holder, since
 * the trace is complete then. Collective. Fails as zoid_context_close does. */
enum zoid_status zoid_shared_give_back(struct zoid_context **context);
/* Return the number of sessions that hold it. */
int zoid_shared_holders(void);
/* Close it. Collective. ZOID_BAD_ARGUMENT: a session holds it. */
enum zoid_status zoid_shared_close(void);

#endif

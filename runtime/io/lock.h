/* SPDX-License-Identifier: BSD-3-Clause */
/* A lock between programs that change a file: each waits until the owner releases it or ends, in
 * whatever way. */
#ifndef ZOID_RUNTIME_IO_LOCK_H
#define ZOID_RUNTIME_IO_LOCK_H

#include "runtime/zoid.h"

/* Wait for the lock of a file. It is on a file of its own, PATH.lock, which stays, since each
 * change replaces the file itself. ZOID_RESOURCE: the file cannot be locked. */
enum zoid_status zoid_lock_take(const char *path, int *lock);
/* Release it; accepts -1 in *lock, and leaves that. */
void zoid_lock_leave(int *lock);

#endif

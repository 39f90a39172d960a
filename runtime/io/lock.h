/* SPDX-License-Identifier: BSD-3-Clause */
/* One program at a time changes a file that several read: each waits until the one before has
 * ended, in whatever way. */
#ifndef ZOID_RUNTIME_IO_LOCK_H
#define ZOID_RUNTIME_IO_LOCK_H

#include "runtime/zoid.h"

/* Waits for the file's turn. What programs wait for is a file of its own beside it, PATH.lock,
 * which stays: the file itself is another one after each change. */
enum zoid_status zoid_lock_take(const char *path, int *lock);
/* Accepts -1 in *lock. */
void zoid_lock_leave(int *lock);

#endif

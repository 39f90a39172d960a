/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of a trace, by the program zoid-trace, so that no other one has to load a library that
 * draws. */
#ifndef ZOID_APPS_CLI_DRAW_H
#define ZOID_APPS_CLI_DRAW_H

#include "runtime/zoid.h"

/* Start zoid-trace, from the folder of this program, on a folder with a trace, and wait for its
 * end. Fails as that does, with its message. ZOID_RESOURCE: it cannot be started. */
enum zoid_status zoid_draw_trace(const char *folder);

#endif

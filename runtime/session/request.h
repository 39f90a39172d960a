/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings as the planner and the context take them, and which settings need another one. */
#ifndef ZOID_RUNTIME_SESSION_REQUEST_H
#define ZOID_RUNTIME_SESSION_REQUEST_H

#include "runtime/session/settings.h"

/* Return the request for a plan of a single leg; its texts are the settings'. */
struct zoid_request zoid_settings_request(const struct zoid_settings *settings);
/* Return the options of a context without a trace; their texts are the settings'. */
struct zoid_context_options zoid_settings_context(const struct zoid_settings *settings);
/* ZOID_BAD_ARGUMENT: a setting is given without the one that it refines. */
enum zoid_status zoid_settings_check(const struct zoid_settings *settings);

#endif

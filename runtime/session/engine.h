/* SPDX-License-Identifier: BSD-3-Clause */
/* Engines: the kinds of computation of a session. An engine makes the problem that a job runs from
 * the settings, and may run it by itself. Its state is session->own. */
#ifndef ZOID_RUNTIME_SESSION_ENGINE_H
#define ZOID_RUNTIME_SESSION_ENGINE_H

#include <stdio.h>

#include "runtime/session/output/reader.h"
#include "runtime/session/output/stored.h"
#include "runtime/zoid_advanced.h"

struct zoid_session;

struct zoid_engine {
    const char *name;
    unsigned groups;  /* settings that select it: ZOID_GROUP_...; 0: the engine for all others */
    unsigned refuses; /* groups whose settings mean nothing to it, */
    const char *const *also; /* except these keys, up to a NULL; or NULL */
    size_t state;            /* bytes of its state, zeros before `make` */
    /* Make session->problem from the settings, and adapt session->request, `every` and `leg` to it.
     * Settings that the engine chooses are stored into session->settings. */
    enum zoid_status (*make)(struct zoid_session *session);
    /* Release members of the state; or NULL. */
    void (*close)(struct zoid_session *session);
    /* Complete session->initial; or NULL. */
    void (*start)(struct zoid_session *session);
    /* Write the initial state to the job (user: the session). NULL: zoid_initial_box. */
    zoid_box_fn *fill;
    /* Fill coefficients that are stored in pieces (coefficient segments); or NULL. */
    enum zoid_status (*pieces)(struct zoid_session *session);
    /* Add the settings of its groups that define the result, with checksums of files. */
    enum zoid_status (*store)(struct zoid_session *session, struct zoid_stored *stored);
    /* Print additions to the plan; or NULL. */
    void (*show)(const struct zoid_session *session, FILE *out);
    /* Whether it runs by itself, with `run`, rather than step after step; or NULL: never. */
    bool (*iterates)(const struct zoid_session *session);
    /* Run the filled job to its end by session->loop, from its opening on, make session->report,
     * and complete the outputs. After ZOID_CHECK_FAILED results are written nevertheless. */
    enum zoid_status (*run)(struct zoid_session *session);
    /* Add derived values to the report of a run that ended with `before`; or NULL. Collective.
     * Returns `before`, or if that is ZOID_OK, ZOID_CHECK_FAILED if the result has non-finite
     * values. */
    enum zoid_status (*derive)(struct zoid_session *session, enum zoid_status before);
};

/* All engines, up to a NULL; the one without groups comes last. */
extern const struct zoid_engine *const zoid_engines[];

#endif

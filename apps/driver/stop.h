/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals that stop a run which can go on later. The first one lets the run end with a pass that
 * can be its last; the second one ends the program at once, as it would without all this. */
#ifndef ZOID_APPS_DRIVER_STOP_H
#define ZOID_APPS_DRIVER_STOP_H

#include "runtime/zoid.h"

/* From now on signals stop this job: SIGINT, SIGTERM, SIGHUP and SIGUSR1. Of several ranks SIGUSR1
 * alone does, since launchers kill soon after they have sent another one. */
void zoid_stop_listen(struct zoid_job *job);
/* From now on they do what they did before. */
void zoid_stop_ignore(void);
/* Whether one has come since the job was listened for. */
bool zoid_stop_heard(void);

#endif

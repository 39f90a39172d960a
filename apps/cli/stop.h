/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals that stop a run so that it can be restarted. The first signal ends the run at the end of
 * a pass; the second has its previous effect, usually to kill the program. */
#ifndef ZOID_APPS_CLI_STOP_H
#define ZOID_APPS_CLI_STOP_H

struct zoid_session;

/* Install handlers for SIGINT, SIGTERM, SIGHUP and SIGUSR1 that call zoid_session_stop(session),
 * except for ignored signals. Under MPI only SIGUSR1: launchers follow the others with SIGKILL. One
 * session at a time; it must outlive the handlers. */
void zoid_stop_listen(struct zoid_session *session);
/* Restore the previous handlers: before the session is closed, or another one listens. */
void zoid_stop_ignore(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for program_invocation_short_name */
#include "apps/cli/stop.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "runtime/zoid_session.h"

/* With several ranks only the first one is used. */
static const int stopping[] = {SIGUSR1, SIGINT, SIGTERM, SIGHUP};
enum { SIGNALS = sizeof stopping / sizeof *stopping };
static struct sigaction before[SIGNALS];
static int listening; /* number of signals handled */
static struct zoid_session *volatile stopped;
static volatile sig_atomic_t heard;
static bool seen; /* standard error is a terminal */

static void give_back(void)
{
    for (int i = 0; i < listening; i++)
        sigaction(stopping[i], &before[i], NULL);
}

static void stop(int signal)
{
    static const char text[] = ": stopping at the end of a pass; once more ends it at once\n";
    const char *name = program_invocation_short_name;
    const int error = errno;

    (void)signal;
    heard = 1;
    zoid_session_stop(stopped);
    give_back();
    if (seen) {
        /* A failed write cannot be reported. */
        (void)!write(STDERR_FILENO, name, strlen(name));
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
    }
    errno = error;
}

void zoid_stop_listen(struct zoid_session *session)
{
    struct sigaction action = {.sa_handler = stop, .sa_flags = SA_RESTART};
    int size, rank = zoid_rank(&size);

    stopped = session;
    heard = 0;
    seen = isatty(STDERR_FILENO) && rank == 0;
    listening = size > 1 ? 1 : SIGNALS;
    /* Block the others while one is handled. */
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < listening; i++)
        sigaddset(&action.sa_mask, stopping[i]);
    for (int i = 0; i < listening; i++) {
        sigaction(stopping[i], NULL, &before[i]);
        /* Signals that are ignored, as under nohup, stay ignored. */
        if (before[i].sa_handler != SIG_IGN)
            sigaction(stopping[i], &action, NULL);
    }
}

void zoid_stop_ignore(void)
{
    if (!heard)
        give_back();
    listening = 0;
}

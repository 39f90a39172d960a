/* SPDX-License-Identifier: BSD-3-Clause */
/* StarPU's own converter, as starpu_fxt_tool calls it. It runs in a child process: it ends the
 * process on input that it does not like, writes to stderr, and does not free its memory. */
#include <errno.h>
#include <fcntl.h>
#include <starpu.h>
#include <starpu_fxt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/trace/trace.h"

enum { CONVERTED = 0, NO_FOLDER = 1 };

static void be_quiet(void)
{
    int null = open("/dev/null", O_WRONLY);

    if (null >= 0) {
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
    }
}

/* The outputs have their default names, relative to the folder. */
static void convert(const char *folder, const char *file)
{
    struct starpu_fxt_options options;
    char name[1024];

    if (chdir(folder))
        _exit(NO_FOLDER);
    be_quiet();
    snprintf(name, sizeof name, "%s", file);
    starpu_fxt_options_init(&options);
    options.ninputfiles = 1;
    options.filenames[0] = name;
    /* A web page of the scheduler, as large as all other outputs together. */
    options.anim_path = NULL;
    starpu_fxt_generate_trace(&options);
    _exit(CONVERTED);
}

enum zoid_status zoid_trace_convert(const char *folder, const char *file)
{
    pid_t child, ended;
    int result;

    child = fork();
    if (!child)
        convert(folder, file);
    if (child < 0)
        return zoid_fail(ZOID_RESOURCE, "cannot start a process to convert the trace: %s",
                         strerror(errno));
    do
        ended = waitpid(child, &result, 0);
    while (ended < 0 && errno == EINTR);
    if (ended == child && WIFEXITED(result) && WEXITSTATUS(result) == CONVERTED)
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE,
                     "StarPU cannot convert the trace %s/%s; starpu_fxt_tool -i on it says why",
                     folder, file);
}

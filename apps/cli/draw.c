/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for environ and pipe2 */
#include "apps/cli/draw.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/ranks/launcher.h"

static const char program[] = "zoid-trace";

/* Writes the path of the program, in the folder of this one. */
static bool find(char path[PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - sizeof program);
    char *slash;

    if (length < 0)
        return false;
    path[length] = '\0';
    slash = strrchr(path, '/');
    if (!slash)
        return false;
    strcpy(slash + 1, program);
    return true;
}

/* Returns the environment without variables of a launcher, since the program is no rank. The
 * caller frees it; NULL: out of memory. */
static char **environment(void)
{
    size_t n = 0, kept = 0;
    char **copy;

    while (environ[n])
        n++;
    copy = calloc(n + 1, sizeof *copy);
    for (size_t i = 0; copy && i < n; i++)
        if (!zoid_launcher_owns(environ[i]))
            copy[kept++] = environ[i];
    return copy;
}

static enum zoid_status cannot_start(const char *path, int error)
{
    return zoid_fail(ZOID_RESOURCE, "cannot start %s, which draws the trace: %s; install it there",
                     path, strerror(error));
}

/* Starts the program with its standard error in a pipe. Returns an errno value, or 0. */
static int start(char *path, const char *folder, int out, pid_t *child)
{
    char *const arguments[] = {(char *)program, "--", (char *)folder, NULL};
    char **variables = environment();
    posix_spawn_file_actions_t files;
    int error = variables ? 0 : ENOMEM;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, out, STDERR_FILENO);
    if (!error)
        error = posix_spawn(child, path, &files, NULL, arguments, variables);
    posix_spawn_file_actions_destroy(&files);
    free(variables);
    return error;
}

/* Reads all that the program says. */
static void read_all(int in, char *text, size_t room)
{
    size_t length = 0;
    ssize_t n;

    while (length < room - 1 && (n = read(in, text + length, room - 1 - length)) > 0)
        length += (size_t)n;
    text[length] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

/* Fails as the program did. */
static enum zoid_status verdict(const char *text, int ended)
{
    const size_t name = strlen(program);
    const int code = WIFEXITED(ended) ? WEXITSTATUS(ended) : ZOID_RESOURCE;

    if (code == 0)
        return ZOID_OK;
    if (!strncmp(text, program, name) && !strncmp(text + name, ": ", 2))
        text += name + 2;
    return zoid_fail((enum zoid_status)code, "%s", *text ? text : "zoid-trace was ended");
}

enum zoid_status zoid_draw_trace(const char *folder)
{
    char path[PATH_MAX], text[1024];
    int ends[2], error, ended = 0;
    pid_t child = 0;

    if (!find(path))
        return cannot_start(program, errno);
    if (pipe2(ends, O_CLOEXEC))
        return cannot_start(path, errno);
    error = start(path, folder, ends[1], &child);
    close(ends[1]);
    if (!error) {
        read_all(ends[0], text, sizeof text);
        while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
            ;
    }
    close(ends[0]);
    return error ? cannot_start(path, error) : verdict(text, ended);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for environ and nftw */
#include "apps/bench/tools.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/error.h"

static volatile sig_atomic_t interrupted;
static volatile pid_t running;
static const int ending[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
enum { ENDING = sizeof ending / sizeof *ending };
static struct sigaction before[ENDING];

static void interrupt(int signal)
{
    interrupted = signal;
    if (running > 0)
        kill(-running, signal);
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = interrupt};

    for (int i = 0; i < ENDING; i++)
        if (!sigaction(ending[i], NULL, &before[i]) && before[i].sa_handler != SIG_IGN)
            sigaction(ending[i], &action, NULL);
}

void zoid_tools_read(const char *path, char text[ZOID_TOOLS_TEXT])
{
    FILE *file = fopen(path, "re");
    const size_t size = file ? fread(text, 1, ZOID_TOOLS_TEXT - 1, file) : 0;

    text[size] = '\0';
    if (file)
        fclose(file);
}

enum zoid_status zoid_tools_run(const char *folder, const char *const argv[], int *code)
{
    char out[PATH_MAX], err[PATH_MAX];
    posix_spawn_file_actions_t files;
    posix_spawnattr_t group;
    pid_t child;
    int error, ended = 0;

    zoid_path(out, "%s/out", folder);
    zoid_path(err, "%s/err", folder);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC,
                                     0666);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err, O_WRONLY | O_CREAT | O_TRUNC,
                                     0666);
    /* In a group of its own, so that signals reach its children, too. */
    posix_spawnattr_init(&group);
    posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
    error = posix_spawnp(&child, argv[0], &files, &group, (char *const *)argv, environ);
    posix_spawnattr_destroy(&group);
    posix_spawn_file_actions_destroy(&files);
    if (error)
        return zoid_fail(ZOID_RESOURCE, "cannot start %s: %s; install it", argv[0],
                         strerror(error));
    running = child;
    if (interrupted)
        kill(-child, interrupted);
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        ;
    running = 0;
    if (interrupted)
        return zoid_fail(ZOID_RESOURCE, "interrupted");
    *code = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
    return ZOID_OK;
}

/* Prints the last lines of a file to stderr, ZOID_TOOLS_TEXT bytes at most. Returns whether it has
 * any. */
static bool show_end(const char *path)
{
    FILE *file = fopen(path, "re");
    char text[ZOID_TOOLS_TEXT];
    size_t size = 0;

    if (!file)
        return false;
    if (!fseek(file, -(long)sizeof text, SEEK_END))
        fscanf(file, "%*[^\n]");
    size = fread(text, 1, sizeof text, file);
    fclose(file);
    fwrite(text, 1, size, stderr);
    return size > 0;
}

enum zoid_status zoid_tools_complain(const char *folder, const char *tool, const char *what,
                                     int code)
{
    char path[PATH_MAX], text[ZOID_TOOLS_TEXT];

    zoid_path(path, "%s/err", folder);
    zoid_tools_read(path, text);
    /* A refusal of zoid-compile. */
    if (code == ZOID_BAD_ARGUMENT && !strncmp(text, what, strlen(what)))
        return zoid_fail(ZOID_BAD_ARGUMENT, "%.*s", (int)strcspn(text, "\n"), text);
    return zoid_fail(ZOID_RESOURCE, "%s fails with %d for %s%s", tool, code, what,
                     show_end(path) ? ", as it says above" : " and says nothing; is TMPDIR full?");
}

enum zoid_status zoid_tools_must(const char *folder, const char *what, const char *const argv[])
{
    int code = 0;
    enum zoid_status status = zoid_tools_run(folder, argv, &code);

    return status || !code ? status : zoid_tools_complain(folder, argv[0], what, code);
}

static enum zoid_status find_tools(struct zoid_tools *tools)
{
    const char *own = getenv("ZOID_COMPILE"), *cc = getenv("CC");
    char here[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    char *slash, *rest = NULL;

    here[length < 0 ? 0 : length] = '\0';
    slash = strrchr(here, '/');
    if (slash)
        *slash = '\0';
    zoid_path(tools->cc, "%s", cc && *cc ? cc : "gcc");
    for (cc = strtok_r(tools->cc, " ", &rest); cc && tools->words < ZOID_TOOLS_WORDS;
         cc = strtok_r(NULL, " ", &rest))
        tools->compiler[tools->words++] = cc;
    if (cc)
        return zoid_fail(ZOID_BAD_ARGUMENT, "CC has more than %d words; put them in a script",
                         ZOID_TOOLS_WORDS);
    if (!tools->words)
        tools->compiler[tools->words++] = "gcc";
    zoid_path(tools->share, "%s/../share/zoid/loops", here);
    if (own && *own)
        zoid_path(tools->compile, "%s", own);
    else
        zoid_path(tools->compile, "%s/zoid-compile", here);
    if (!access(tools->compile, X_OK))
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE,
                     "there is no %s, which makes tiles and modules of nests; build Zoid with isl, "
                     "or name one by ZOID_COMPILE",
                     tools->compile);
}

enum zoid_status zoid_tools_open(struct zoid_tools *tools)
{
    const char *folder = getenv("TMPDIR");
    char whole[PATH_MAX];
    enum zoid_status status = find_tools(tools);

    if (status)
        return status;
    folder = folder && *folder ? folder : "/tmp";
    /* Programs find it from elsewhere, too. */
    if (realpath(folder, whole))
        zoid_path(tools->folder, "%s/zoid-loops-XXXXXX", whole);
    if (!tools->folder[0] || !mkdtemp(tools->folder)) {
        tools->folder[0] = '\0';
        return zoid_fail(ZOID_RESOURCE,
                         "cannot make a folder in %s: %s; name another folder by TMPDIR", folder,
                         strerror(errno));
    }
    catch_signals();
    return zoid_tools_must(tools->folder, "its version",
                           (const char *const[]){tools->compiler[0], "--version", NULL});
}

static int remove_one(const char *name, const struct stat *about, int kind, struct FTW *where)
{
    (void)about, (void)kind, (void)where;
    remove(name);
    return 0;
}

void zoid_tools_close(struct zoid_tools *tools)
{
    if (!tools->folder[0])
        return;
    nftw(tools->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    tools->folder[0] = '\0';
    for (int i = 0; i < ENDING; i++)
        sigaction(ending[i], &before[i], NULL);
    if (interrupted)
        raise(interrupted);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for asprintf, dladdr, environ, nftw and sched_getaffinity */
#include "apps/compile/files.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct build {
    const char *folder, *name;
    const struct zoid_emitted *files;
    bool cuda;
    char compiler[PATH_MAX]; /* empty: there is none */
    char cache[PATH_MAX];
    char key[2 * 16 + 2]; /* texts, Zoid and options; then, once it is known, the compiler */
    char kept[PATH_MAX];
    char module[PATH_MAX];
    char place[PATH_MAX]; /* where it is built, in the cache */
    char log[PATH_MAX];
    sigset_t caught, before;
    int interrupted; /* by this signal */
};

static enum zoid_status cannot_keep(const char *path)
{
    return zoid_fail(ZOID_RESOURCE, "cannot make %s: %s; name another folder by ZOID_CACHE", path,
                     strerror(errno));
}

/* --- the key of a module */

static uint64_t add(uint64_t hash, const char *text)
{
    do
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    while (*text++);
    return hash;
}

/* A file by its name and state. */
static uint64_t add_file(uint64_t hash, const char *name)
{
    char text[100], real[PATH_MAX];
    struct stat about;

    if (!realpath(name, real) || stat(real, &about))
        return add(hash, name);
    snprintf(text, sizeof text, "%jd %jd.%ld", (intmax_t)about.st_size,
             (intmax_t)about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
    return add(add(hash, real), text);
}

static const uint64_t nothing = UINT64_C(0xcbf29ce484222325);

static uint64_t texts_and_options(const struct build *b)
{
    static const char *const options[] = {"CFLAGS", "LDFLAGS", "CUDACXX", "CUDAFLAGS", "CUDAARCHS"};
    uint64_t hash = nothing;
    Dl_info library;
    const char *(*version)(void) = zoid_version;

    hash = add(add(add(hash, b->files->header), b->files->rows), b->files->cmake);
    hash = add(hash, b->files->call ? b->files->call : "");
    hash = add(hash, zoid_version());
    /* Another build of the same version, or in another place. */
    if (dladdr(*(void *const *)&version, &library))
        hash = add_file(hash, library.dli_fname);
    hash = add(hash, zoid_isa_name(zoid_isa_best()));
    hash = add(hash, b->cuda ? "cuda" : "");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        hash = add(hash, getenv(options[i]) ? getenv(options[i]) : "");
    return hash;
}

/* Finds a program as execvp does. Returns whether there is one. */
static bool find(const char *name, size_t length, char found[PATH_MAX])
{
    const char *folder = getenv("PATH");

    if (memchr(name, '/', length)) {
        zoid_path(found, "%.*s", (int)length, name);
        return !access(found, X_OK);
    }
    for (size_t n; folder && *folder; folder += n + (folder[n] == ':')) {
        n = strcspn(folder, ":");
        zoid_path(found, "%.*s/%.*s", (int)n, folder, (int)length, name);
        if (n && !access(found, X_OK))
            return true;
    }
    return false;
}

/* The first word of the compiler, which the environment names as CMake expects it, perhaps behind a
 * launcher or with options. */
static void find_compiler(struct build *b)
{
    static const char *const names[] = {"gcc", "cc"};
    const char *asked = getenv("CC");
    bool found = false;

    if (asked && *asked)
        found = find(asked, strcspn(asked, " "), b->compiler);
    else
        for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
            found = find(names[i], strlen(names[i]), b->compiler);
    if (!found)
        b->compiler[0] = '\0';
}

/* The compiler with the words after its first one: programs by their files. */
static uint64_t add_compiler(const struct build *b)
{
    uint64_t hash = add_file(nothing, b->compiler);
    const char *word = getenv("CC");
    char found[PATH_MAX];

    for (word = word ? word + strcspn(word, " ") : ""; *word; word += strcspn(word, " ")) {
        word += strspn(word, " ");
        if (*word && *word != '-' && find(word, strcspn(word, " "), found))
            hash = add_file(hash, found);
        else if (*word)
            hash = add(hash, word);
    }
    return hash;
}

/* Returns whether there is a folder for the cache. */
static bool find_cache(struct build *b)
{
    const char *own = getenv("ZOID_CACHE"), *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");

    if (own && *own)
        zoid_path(b->cache, "%s/loops", own);
    else if (cache && *cache)
        zoid_path(b->cache, "%s/zoid/loops", cache);
    else if (home && *home)
        zoid_path(b->cache, "%s/.cache/zoid/loops", home);
    return b->cache[0];
}

static enum zoid_status make_folders(char *folder)
{
    for (char *c = folder + 1;; c++)
        if (*c == '/' || !*c) {
            const char was = *c;

            *c = '\0';
            if (mkdir(folder, 0777) && errno != EEXIST)
                return cannot_keep(folder);
            *c = was;
            if (!was)
                return ZOID_OK;
        }
}

/* Returns whether the cache has the module; where there is no compiler now, that of any. */
static bool find_kept(struct build *b)
{
    const uint64_t hash = texts_and_options(b);
    struct dirent *entry;
    DIR *folder;
    bool found;

    snprintf(b->key, sizeof b->key, "%016" PRIx64 "-", hash);
    if (b->compiler[0]) {
        snprintf(b->key, sizeof b->key, "%016" PRIx64 "-%016" PRIx64, hash, add_compiler(b));
        zoid_path(b->kept, "%s/%s.so", b->cache, b->key);
        return !access(b->kept, R_OK);
    }
    folder = opendir(b->cache);
    found = false;
    while (folder && !found && (entry = readdir(folder))) {
        found = !strncmp(entry->d_name, b->key, strlen(b->key)) && strstr(entry->d_name, ".so");
        zoid_path(b->kept, "%s/%s", b->cache, entry->d_name);
    }
    if (folder)
        closedir(folder);
    return found;
}

/* --- tools */

/* Finds the CMake package of the Zoid that this program belongs to: installed, or in a build. */
static enum zoid_status find_package(char package[PATH_MAX])
{
    static const char *const places[] = {ZOID_PACKAGE, "../package"};
    char own[PATH_MAX], file[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    char *slash;

    own[length < 0 ? 0 : length] = '\0';
    slash = strrchr(own, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        zoid_path(package, "%s/%s", own, places[i]);
        zoid_path(file, "%s/zoid-config.cmake", package);
        if (!access(file, R_OK))
            return ZOID_OK;
    }
    return zoid_fail(ZOID_RESOURCE,
                     "there is no CMake package of Zoid at %s/%s; install all of Zoid, by "
                     "cmake --install, and use the zoid-compile of that",
                     own, ZOID_PACKAGE);
}

/* Sends a signal to the children, and to their groups: Ninja gives each compiler one. */
static void signal_children(int signal)
{
    char list[100];
    FILE *file;
    int child;

    snprintf(list, sizeof list, "/proc/self/task/%ld/children", (long)getpid());
    file = fopen(list, "re");
    while (file && fscanf(file, "%d", &child) == 1)
        if (kill(-child, signal))
            kill(child, signal);
    if (file)
        fclose(file);
}

/* Ends all tools. Those that lose their parent become children of this program. */
static void end_tools(pid_t group, int signal)
{
    const struct timespec moment = {.tv_nsec = 50 * 1000 * 1000};
    pid_t ended;

    kill(-group, signal);
    for (int i = 0; i < 200; i++) {
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
            ;
        if (ended < 0)
            return;
        nanosleep(&moment, NULL);
        signal_children(i < 40 ? signal : SIGKILL);
    }
}

/* Waits for a program. Returns its status. */
static int await(struct build *b, pid_t child)
{
    sigset_t awaited = b->caught;
    int ended = 0, signal;

    sigaddset(&awaited, SIGCHLD);
    while (waitpid(child, &ended, WNOHANG) == 0)
        if (!sigwait(&awaited, &signal) && signal != SIGCHLD) {
            b->interrupted = signal;
            end_tools(child, signal);
            break;
        }
    return ended;
}

/* Runs a program in a group of its own, without input; its output goes to the log. */
static enum zoid_status run(struct build *b, char *const argv[])
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    pid_t child;
    int error, ended;

    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, b->log, O_WRONLY | O_CREAT | O_APPEND,
                                     0666);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_init(&how);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&how, &b->before);
    error = posix_spawnp(&child, argv[0], &files, &how, argv, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    if (error)
        return zoid_fail(ZOID_RESOURCE, "cannot start %s: %s; install it", argv[0],
                         strerror(error));
    ended = await(b, child);
    if (!b->interrupted && WIFEXITED(ended) && !WEXITSTATUS(ended))
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE, "%s cannot be built%s; see %s/%s.log", b->name,
                     WIFEXITED(ended) ? "" : ": a tool was ended", b->folder, b->name);
}

/* Prints the last lines of the log, and keeps it. */
static void show_log(const struct build *b)
{
    enum { LINES = 20, MOST = 1 << 22 };
    char to[PATH_MAX], *text = malloc(MOST + 1);
    FILE *file = fopen(b->log, "re");
    size_t size = 0, first, lines = 0;

    if (file && text && fseek(file, -MOST, SEEK_END))
        rewind(file);
    if (file && text)
        size = fread(text, 1, MOST, file);
    if (file)
        fclose(file);
    for (first = size; first && lines <= LINES; first--)
        lines += text[first - 1] == '\n';
    if (lines > LINES)
        first++;
    if (size)
        fwrite(text + first, 1, size - first, stderr);
    free(text);
    zoid_path(to, "%s/%s.log", b->folder, b->name);
    if (file)
        zoid_copy_file(b->log, to, 0666);
}

/* --- building */

/* Gives CMake the choices of Zoid's own build, where the environment makes none. */
static void prepare(const struct build *b)
{
    char found[PATH_MAX];

    setenv("CC", b->compiler, 0);
    if (find("ninja", 5, found))
        setenv("CMAKE_GENERATOR", "Ninja", 0);
#ifdef ZOID_NVCC
    setenv("CUDACXX", ZOID_NVCC, 0);
    setenv("CUDAARCHS", ZOID_ARCHITECTURES, 0);
#endif
}

static enum zoid_status run_tools(struct build *b, const char *package)
{
    char made[PATH_MAX], where[PATH_MAX + 20], isas[40], cores[20];
    const char *isa = zoid_isa_name(zoid_isa_best());
    char *const configure[] = {"cmake", "-S", b->place,
                               "-B",    made, "-DCMAKE_BUILD_TYPE=Release",
                               where,   isas, b->cuda ? "-DZOID_MODULE_LANGUAGES=CUDA" : NULL,
                               NULL};
    char *const build[] = {"cmake", "--build", made, "--parallel", cores, NULL};
    cpu_set_t set;
    enum zoid_status status;

    zoid_path(made, "%s/build", b->place);
    snprintf(where, sizeof where, "-Dzoid_DIR=%s", package);
    snprintf(isas, sizeof isas, "-DZOID_MODULE_OPTIONS=ISAS%s%s",
             zoid_isa_best() == ZOID_PORTABLE ? "" : ";",
             zoid_isa_best() == ZOID_PORTABLE ? "" : isa);
    CPU_ZERO(&set);
    snprintf(cores, sizeof cores, "%d",
             sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set));
    fprintf(stderr, "zoid-compile: building %s for this machine's cores (%s)%s\n", b->name, isa,
            b->cuda ? " and GPUs" : "");
    prepare(b);
    status = run(b, configure);
    if (!status)
        status = run(b, build);
    if (status && !b->interrupted)
        show_log(b);
    return status;
}

/* Builds in a folder of its own, so that others who build the same are not in the way. */
static enum zoid_status build(struct build *b, const char *package)
{
    char module[PATH_MAX];
    enum zoid_status status = make_folders(b->cache);

    if (status)
        return status;
    zoid_path(b->place, "%s/%s-XXXXXX", b->cache, b->name);
    if (!mkdtemp(b->place))
        return cannot_keep(b->place);
    zoid_path(b->log, "%s/log", b->place);
    status = zoid_build_texts(b->place, b->name, b->files);
    if (!status)
        status = run_tools(b, package);
    zoid_path(module, "%s/build/lib%s.so", b->place, b->name);
    if (!status && rename(module, b->kept))
        status = cannot_keep(b->kept);
    nftw(b->place, zoid_remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return status;
}

/* Signals that end the program wait until nothing unfinished is left. Those that are ignored, as
 * under nohup, stay ignored. */
static void block_signals(struct build *b)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;
    sigset_t blocked;

    sigemptyset(&b->caught);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        if (!sigaction(ending[i], NULL, &action) && action.sa_handler != SIG_IGN)
            sigaddset(&b->caught, ending[i]);
    blocked = b->caught;
    sigaddset(&blocked, SIGCHLD);
    sigprocmask(SIG_BLOCK, &blocked, &b->before);
    /* Tools of a tool that has ended come here, to be ended too. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

enum zoid_status zoid_build_check(bool cuda)
{
#ifndef ZOID_NVCC
    if (cuda)
        return zoid_fail(ZOID_BAD_ARGUMENT, "this Zoid was built without CUDA, so no module of its "
                                            "has code for GPUs; drop {cuda}, or build Zoid with "
                                            "CUDA");
#endif
    (void)cuda;
    return ZOID_OK;
}

enum zoid_status zoid_build(const char *folder, const char *name, const struct zoid_emitted *files,
                            bool cuda)
{
    struct build b = {.folder = folder, .name = name, .files = files, .cuda = cuda};
    char log[PATH_MAX], package[PATH_MAX];
    enum zoid_status status = ZOID_OK;

    zoid_path(b.module, "%s/lib%s.so", folder, name);
    zoid_path(log, "%s/%s.log", folder, name);
    unlink(log);
    if (!find_cache(&b))
        return zoid_fail(ZOID_RESOURCE, "there is no folder that keeps modules; name one by "
                                        "ZOID_CACHE");
    find_compiler(&b);
    if (!find_kept(&b)) {
        unlink(b.module);
        status = find_package(package);
        if (!status && !b.compiler[0])
            status = zoid_fail(ZOID_RESOURCE, "there is no C compiler; install gcc, or name one by "
                                              "CC");
        if (status)
            return status;
        block_signals(&b);
        status = build(&b, package);
        /* A signal that waits ends the program here. */
        if (b.interrupted)
            raise(b.interrupted);
        sigprocmask(SIG_SETMASK, &b.before, NULL);
    }
    return status ? status : zoid_copy_file(b.kept, b.module, 0777);
}

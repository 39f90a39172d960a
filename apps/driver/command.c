/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for the program's name */
#include "apps/driver/command.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/error.h"
#include "runtime/ranks/ranks.h"
#include "runtime/session/number.h"

/* Keys start where argp prints no short option. */
enum { KEY_HELP = 0x100, KEY_VERSION, KEY_FIRST };

/* What parse_option returns to argp, told apart from its own EINVAL for a getopt error. */
enum { REFUSED = EDOM, SHOWN = ECANCELED };

/* Argp puts these two names into a group of their own, at the end. */
static const struct zoid_option general[] = {
    {.name = "help", .doc = "print this and exit"},
    {.name = "version", .doc = "print the version and exit"},
    {.name = NULL},
};

struct parse {
    const struct zoid_command *command;
    struct argp argp;
    const struct zoid_option **option; /* of key KEY_FIRST + i */
    size_t options;
    bool given; /* the operand */
    int groups;
    void *into;
    const char *culprit; /* the argument that getopt stumbled over */
};

enum zoid_status zoid_read_flag(const struct zoid_option *option, const char *value, void *into)
{
    (void)value;
    *(bool *)((char *)into + option->at) = true;
    return ZOID_OK;
}

enum zoid_status zoid_read_path(const struct zoid_option *option, const char *value, void *into)
{
    if (!*value)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '' names no file; name one", option->name);
    *(const char **)((char *)into + option->at) = value;
    return ZOID_OK;
}

enum zoid_status zoid_read_u64(const struct zoid_option *option, const char *value, void *into)
{
    return zoid_number_unsigned(
        option->name, value,
        (struct zoid_number_range){.least = (uint64_t)option->least, .most = UINT64_MAX},
        (uint64_t *)((char *)into + option->at));
}

enum zoid_status zoid_read_long(const struct zoid_option *option, const char *value, void *into)
{
    uint64_t v = 0;
    enum zoid_status status = zoid_number_unsigned(
        option->name, value,
        (struct zoid_number_range){.least = (uint64_t)option->least, .most = LONG_MAX}, &v);

    if (!status)
        *(long *)((char *)into + option->at) = (long)v;
    return status;
}

enum zoid_status zoid_read_tolerance(const struct zoid_option *option, const char *value,
                                     void *into)
{
    double *const tolerance = (double *)((char *)into + option->at);
    enum zoid_status status = zoid_number_real(option->name, value, tolerance);

    if (!status && !(*tolerance > 0))
        status = zoid_fail(ZOID_BAD_ARGUMENT, "{%s=%s} is never reached; give more than 0",
                           option->name, value);
    return status;
}

int zoid_read_name(const struct zoid_option *option, const char *value, const char *const *names)
{
    char list[256] = "";
    FILE *text = fmemopen(list, sizeof list, "w");

    for (int i = 0; names[i]; i++) {
        if (!strcmp(names[i], value)) {
            if (text)
                fclose(text);
            return i;
        }
        if (text)
            fprintf(text, "%s%s", i ? ", " : "", names[i]);
    }
    if (text)
        fclose(text);
    zoid_fail(ZOID_BAD_ARGUMENT, "{%s} '%s' does not exist; choose from %s", option->name, value,
              list);
    return -1;
}

/* Nothing unfinished stays: dumps and reports are removed before, and the disk's file has no
 * name. Of several ranks none speaks: a launcher also ends those that are left when one failed,
 * which has said why. */
static void say_interrupted(int signal)
{
    static const char text[] = ": interrupted; nothing unfinished is left behind\n";
    const char *name = program_invocation_short_name;
    struct sigaction usual = {.sa_handler = SIG_DFL};

    if (zoid_ranks_here()->size == 1 && zoid_ranks_here()->rank == 0) {
        /* There is nobody to tell that a message failed. */
        (void)!write(STDERR_FILENO, name, strlen(name));
        (void)!write(STDERR_FILENO, text, sizeof text - 1);
    }
    sigaction(signal, &usual, NULL);
    raise(signal);
}

static void catch_signals(void)
{
    static const int fatal[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction before, action = {.sa_handler = say_interrupted};

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        /* One that is ignored, as under nohup, stays so. */
        if (!sigaction(fatal[i], NULL, &before) && before.sa_handler != SIG_IGN)
            sigaction(fatal[i], &action, NULL);
}

/* What all ranks print is printed by the first. */
static enum zoid_status mute(void)
{
    int null = open("/dev/null", O_WRONLY);

    if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
        return zoid_fail(ZOID_RESOURCE, "cannot open /dev/null: %s", strerror(errno));
    close(null);
    return ZOID_OK;
}

enum zoid_status zoid_command_start(void)
{
    enum zoid_status status;

    catch_signals();
    /* Streams get the opposite of the mode they are used in: their use fails, as on a closed one.
     */
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
            abort();
    signal(SIGPIPE, SIG_IGN);
    status = zoid_ranks_start();
    return !status && zoid_ranks_here()->rank > 0 ? mute() : status;
}

enum zoid_status zoid_command_alone(const char *name)
{
    if (zoid_ranks_here()->size == 1)
        return ZOID_OK;
    return zoid_ranks_agree(zoid_fail(ZOID_RESOURCE,
                                      "%d ranks, but %s works alone; start it without mpirun",
                                      zoid_ranks_here()->size, name));
}

enum zoid_status zoid_command_try_stdout(void)
{
    int flags = fcntl(STDOUT_FILENO, F_GETFL);

    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
        return zoid_fail(ZOID_RESOURCE, "standard output is closed; open it or give {quiet}");
    return ZOID_OK;
}

static void show_version(const struct zoid_command *command)
{
    printf("%s (Zoid) %s\n", command->name, zoid_version());
}

static enum zoid_status read_value(const struct parse *p, const struct zoid_option *option,
                                   const char *value)
{
    return option->read(option, value, option->own ? option->own : p->into);
}

static enum zoid_status take_operand(struct parse *p, const char *value)
{
    const struct zoid_option *operand = p->command->operand;

    if (!operand)
        return zoid_fail(ZOID_BAD_ARGUMENT, "'%s' is not an option; {help} lists them", value);
    if (!*value)
        return zoid_fail(ZOID_BAD_ARGUMENT, "'' is no %s; give one", operand->name);
    if (p->given)
        return zoid_fail(ZOID_BAD_ARGUMENT, "'%s' is one %s too many; give one", value,
                         operand->name);
    p->given = true;
    return read_value(p, operand, value);
}

static enum zoid_status miss_operand(const struct parse *p)
{
    const struct zoid_option *operand = p->command->operand;

    if (!operand || p->given)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT, "there is no %s; give one, as in %s %s", operand->name,
                     p->command->name, operand->name);
}

static enum zoid_status take_option(struct parse *p, const struct zoid_option *option, char *value)
{
    enum zoid_status status = read_value(p, option, value);

    if (!status && p->command->taken)
        p->command->taken(option, value, p->into);
    return status;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct parse *p = state->input;

    switch (key) {
    case KEY_HELP:
        argp_help(&p->argp, stdout, ARGP_HELP_STD_HELP, (char *)p->command->name);
        return SHOWN;
    case KEY_VERSION:
        show_version(p->command);
        return SHOWN;
    case ARGP_KEY_ARG:
        return take_operand(p, arg) ? REFUSED : 0;
    case ARGP_KEY_END:
        return miss_operand(p) ? REFUSED : 0;
    case ARGP_KEY_ERROR:
        /* Getopt passes an argument before it complains, but not a cluster of short options. */
        p->culprit = state->argv[state->next - 1];
        if (state->next < state->argc && state->argv[state->next][0] == '-' &&
            state->argv[state->next][1] != '-')
            p->culprit = state->argv[state->next];
        return ARGP_ERR_UNKNOWN;
    default:
        if (key < KEY_FIRST || (size_t)(key - KEY_FIRST) >= p->options)
            return ARGP_ERR_UNKNOWN;
        return take_option(p, p->option[key - KEY_FIRST], arg) ? REFUSED : 0;
    }
}

static enum zoid_status explain(const struct parse *p)
{
    const char *culprit = p->culprit;
    size_t length = strcspn(culprit, "=");
    const struct argp_option *o = p->argp.options;

    while (o->name || o->doc) {
        if (o->name && !strncmp(culprit, "--", 2) && strlen(o->name) == length - 2 &&
            !strncmp(culprit + 2, o->name, length - 2))
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             o->arg ? "%.*s needs a value; give one as in %.*s=%s"
                                    : "%.*s takes no value; give %.*s alone",
                             (int)length, culprit, (int)length, culprit, o->arg);
        o++;
    }
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "there is no option '%s' to be used like this; {help} lists them", culprit);
}

static bool is_row(const struct zoid_option *o)
{
    return o->name || o->doc;
}

static size_t rows_of(const struct zoid_command *command)
{
    size_t n = sizeof general / sizeof *general;

    for (size_t t = 0; command->options[t]; t++)
        for (const struct zoid_option *o = command->options[t]; is_row(o); o++)
            n++;
    return n;
}

static void add_rows(struct parse *p, struct argp_option *rows, const struct zoid_option *table)
{
    for (const struct zoid_option *o = table; is_row(o); o++) {
        int key = KEY_FIRST + (int)p->options;

        if (table == general)
            key = o == general ? KEY_HELP : KEY_VERSION;
        p->groups += !o->name;
        p->option[p->options] = o;
        rows[p->options++] = (struct argp_option){.name = o->name,
                                                  .key = o->name ? key : 0,
                                                  .arg = o->arg,
                                                  .doc = o->doc,
                                                  .group = p->groups};
    }
}

static enum zoid_status parse_rows(struct parse *p, int argc, char **argv, bool *shown)
{
    static const unsigned quiet = ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP | ARGP_IN_ORDER;
    error_t error = argp_parse(&p->argp, argc, argv, quiet, NULL, p);

    *shown = error == SHOWN;
    if (!error || error == SHOWN)
        return ZOID_OK;
    if (error == REFUSED)
        return ZOID_BAD_ARGUMENT;
    if (error == ENOMEM)
        return zoid_fail(ZOID_RESOURCE, "out of memory");
    return explain(p);
}

enum zoid_status zoid_command_parse(const struct zoid_command *command, int argc, char **argv,
                                    void *into, bool *shown)
{
    size_t room = rows_of(command), length = 0;
    struct argp_option *rows = calloc(room, sizeof *rows);
    struct parse p = {.command = command, .option = calloc(room, sizeof *p.option), .into = into};
    char *doc = NULL;
    FILE *text = open_memstream(&doc, &length);
    enum zoid_status status = zoid_fail(ZOID_RESOURCE, "out of memory");

    if (text) {
        fprintf(text, "%s\v%s", command->summary, command->notes ? command->notes : "");
        fclose(text);
    }
    if (rows && p.option && doc) {
        for (size_t t = 0; command->options[t]; t++)
            add_rows(&p, rows, command->options[t]);
        add_rows(&p, rows, general);
        p.argp = (struct argp){.options = rows,
                               .parser = parse_option,
                               .args_doc = command->operand ? command->operand->name : NULL,
                               .doc = doc};
        status = parse_rows(&p, argc, argv, shown);
    }
    free(doc);
    free(p.option);
    free(rows);
    return zoid_ranks_agree(status);
}

/* A message may quote an argument, and an argument may hold anything. */
static void print_line(const char *name, const char *message)
{
    fprintf(stderr, "%s: ", name);
    for (; *message; message++)
        fputc(iscntrl((unsigned char)*message) ? '?' : *message, stderr);
    fputc('\n', stderr);
}

void zoid_command_abort(const char *name, enum zoid_status status)
{
    print_line(name, zoid_error_as(ZOID_NAMES_OPTIONS));
    zoid_ranks_abort(status);
}

int zoid_command_finish(const struct zoid_command *command, enum zoid_status status)
{
    bool lost = ferror(stdout);

    errno = 0;
    lost |= fclose(stdout) != 0;
    if (lost && !status)
        status = zoid_fail(ZOID_RESOURCE,
                           "cannot write to standard output: %s; redirect it or give {quiet}",
                           errno ? strerror(errno) : "a write failed");
    if (!zoid_ranks_know(status))
        zoid_command_abort(command->name, status);
    if (status && zoid_ranks_here()->rank == 0)
        print_line(command->name, zoid_error_as(ZOID_NAMES_OPTIONS));
    zoid_ranks_end();
    return (int)status;
}

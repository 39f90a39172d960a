/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for program_invocation_short_name, asprintf */
#include "apps/cli/command.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Keys begin where argp prints no short option. */
enum { KEY_HELP = 0x100, KEY_HELP_ALL, KEY_VERSION, KEY_FIRST };

/* Values that parse_option returns to argp, distinct from argp's EINVAL for a getopt error. */
enum { REFUSED = EDOM, SHOWN = ECANCELED };

/* Sorts after all groups of settings. */
enum { GENERAL_GROUP = 64 };

static const struct argp_option general[] = {
    {.name = "help", .key = KEY_HELP, .doc = "print this and exit", .group = GENERAL_GROUP},
    {.name = "help-all",
     .key = KEY_HELP_ALL,
     .doc = "print this with all options and more about each, and exit",
     .group = GENERAL_GROUP},
    {.name = "version",
     .key = KEY_VERSION,
     .doc = "print the version and exit",
     .group = GENERAL_GROUP},
};
enum { GENERAL = sizeof general / sizeof *general };

struct parse {
    const struct zoid_command *command;
    struct argp argp;
    struct argp_option *option; /* headings and rows, then the general options */
    size_t options;
    struct zoid_command_rows texts; /* owns the texts of `option` */
    bool given;                     /* the operand was given */
    enum zoid_status refused;       /* status of the value that was refused */
    const char *culprit;            /* the argument that getopt rejected */
};

/* ---- rows ---------------------------------------------------------------------------------- */

enum zoid_status zoid_command_no_memory(void)
{
    return zoid_fail(ZOID_RESOURCE, "out of memory");
}

/* Takes ownership of an allocated text (or NULL), and returns it. NULL: out of memory; the text is
 * freed. */
static const char *keep(struct zoid_command_rows *rows, char *text)
{
    char **more = text ? realloc(rows->text, (rows->ntexts + 1) * sizeof *more) : NULL;

    if (!more) {
        rows->lost = true;
        free(text);
        return NULL;
    }
    rows->text = more;
    return more[rows->ntexts++] = text;
}

void zoid_command_add(struct zoid_command_rows *rows, const struct zoid_command_row *row)
{
    struct zoid_command_row *more = realloc(rows->row, (rows->n + 1) * sizeof *more);
    char *name = strdup(row->option.key);

    if (more)
        rows->row = more;
    if (!keep(rows, name) || !more) {
        rows->lost = true;
        return;
    }
    for (char *c = name; *c; c++)
        *c = (char)(*c == '_' ? '-' : *c);
    more += rows->n++;
    *more = *row;
    more->name = name;
}

void zoid_command_add_group(struct zoid_command_rows *rows, const char *title,
                            const struct zoid_option *options, size_t n,
                            enum zoid_status (*set)(void *object, size_t index, const char *text),
                            void *object)
{
    for (size_t i = 0; i < n; i++) {
        struct zoid_command_row row = {
            .option = options[i], .set = set, .object = object, .index = i};

        row.option.group = 1;
        row.option.title = title;
        zoid_command_add(rows, &row);
    }
}

void zoid_command_free(struct zoid_command_rows *rows)
{
    for (size_t i = 0; i < rows->ntexts; i++)
        free(rows->text[i]);
    free(rows->text);
    free(rows->row);
    *rows = (struct zoid_command_rows){.n = 0};
}

/* ---- operators of files -------------------------------------------------------------------- */

/* Returns the row of an option, whose name may be shortened; NULL: no such row, or several. */
static const struct zoid_command_row *row_of(const struct zoid_command_rows *rows, const char *name,
                                             size_t length)
{
    const struct zoid_command_row *found = NULL;
    int n = 0;

    for (size_t i = 0; i < rows->n; i++)
        if (!strncmp(rows->row[i].name, name, length)) {
            found = &rows->row[i];
            if (!found->name[length])
                return found;
            n++;
        }
    return n == 1 ? found : NULL;
}

enum zoid_status zoid_command_load(const struct zoid_command_rows *rows, int argc, char **argv,
                                   bool *loaded)
{
    enum zoid_status status = ZOID_OK;

    *loaded = false;
    for (int i = 1; i < argc && !status && strcmp(argv[i], "--") != 0; i++) {
        const size_t length = strcspn(argv[i], "=");
        const bool joined = argv[i][length];
        const struct zoid_command_row *row =
            strncmp(argv[i], "--", 2) ? NULL : row_of(rows, argv[i] + 2, length - 2);
        const char *value;

        if (!row || !row->option.value || (!joined && i + 1 == argc))
            continue;
        i += !joined;
        value = joined ? argv[i] + length + 1 : argv[i];
        if (strcmp(row->option.key, "load") != 0 || !*value)
            continue;
        status = zoid_operators_load(value);
        *loaded = true;
    }
    return status;
}

/* ---- signals and streams ------------------------------------------------------------------- */

/* No incomplete files remain: dumps and reports have no name until they are committed, nor has the
 * disk's file; where the file system has no such files, they are removed here. Several ranks print
 * nothing: after a failure, which has its own message, launchers send signals to the remaining
 * ranks. */
static void say_interrupted(int signal)
{
    static const char text[] = ": interrupted; nothing unfinished is left behind\n";
    const char *name = program_invocation_short_name;
    struct sigaction usual = {.sa_handler = SIG_DFL};
    int size;

    zoid_output_remove_unfinished();
    if (zoid_rank(&size) == 0 && size == 1) {
        /* A failed write cannot be reported. */
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
        /* Signals that are ignored, as under nohup, stay ignored. */
        if (!sigaction(fatal[i], NULL, &before) && before.sa_handler != SIG_IGN)
            sigaction(fatal[i], &action, NULL);
}

/* Discard stdout on ranks other than 0: all ranks print the same. */
static enum zoid_status mute(void)
{
    int null = open("/dev/null", O_WRONLY);

    if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
        return zoid_fail(ZOID_RESOURCE, "cannot open /dev/null: %s", strerror(errno));
    close(null);
    return ZOID_OK;
}

static void print_log(void *user, const char *line)
{
    (void)user;
    fprintf(stderr, "%s\n", line);
}

enum zoid_status zoid_command_start(void)
{
    enum zoid_status status;

    catch_signals();
    zoid_set_log(print_log, NULL);
    /* Open closed descriptors in the opposite mode, so that their use fails as on a closed stream.
     */
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
            abort();
    signal(SIGPIPE, SIG_IGN);
    status = zoid_ranks_start();
    return !status && zoid_rank(NULL) > 0 ? mute() : status;
}

enum zoid_status zoid_command_alone(const char *name)
{
    int size;

    zoid_rank(&size);
    if (size == 1)
        return ZOID_OK;
    return zoid_ranks_agree(zoid_fail(
        ZOID_RESOURCE, "%d ranks, but %s works alone; start it without mpirun", size, name));
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

static enum zoid_status take_operand(struct parse *p, const char *value)
{
    const struct zoid_command_row *operand = p->command->operand;

    if (!operand)
        return zoid_fail(ZOID_BAD_ARGUMENT, "'%s' is not an option; {help} lists them", value);
    if (!*value)
        return zoid_fail(ZOID_BAD_ARGUMENT, "'' is no %s; give one", operand->option.key);
    if (p->given)
        return zoid_fail(ZOID_BAD_ARGUMENT, "'%s' is one %s too many; give one", value,
                         operand->option.key);
    p->given = true;
    return operand->set(operand->object, operand->index, value);
}

static enum zoid_status miss_operand(const struct parse *p)
{
    const struct zoid_command_row *operand = p->command->operand;

    if (!operand || p->given)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT, "there is no %s; give one, as in %s %s",
                     operand->option.key, p->command->name, operand->option.key);
}

static enum zoid_status take_option(const struct parse *p, size_t i, const char *value)
{
    const struct zoid_command_row *row = &p->command->rows->row[i];

    return row->set(row->object, row->index, value);
}

/* ---- --help -------------------------------------------------------------------------------- */

/* Return whether the values of a row take more than a line: argp breaks no line there. */
static bool is_long(const struct zoid_option *s)
{
    return s->value && strlen(s->value) > 80;
}

/* Documentation of a row: its first line, or with `all` its detail too, its default, and values
 * that take lines of their own. */
static const char *doc_of(struct zoid_command_rows *texts, const struct zoid_option *s, bool all)
{
    const bool brackets = s->fallback && !strchr(s->doc, '[');
    const char *detail = all ? s->detail : NULL;
    const char *values = is_long(s) ? s->value : NULL;
    char *text = NULL;

    if (asprintf(&text, "%s%s%s%s%s%s%s%s", s->doc, brackets ? " [" : "",
                 brackets ? s->fallback : "", brackets ? "]" : "", detail ? ": " : "",
                 detail ? detail : "", values ? ": " : "", values ? values : "") < 0)
        text = NULL;
    for (char *bar = text && values ? text + strlen(text) - strlen(values) : NULL;
         bar && (bar = strchr(bar, '|'));)
        *bar = ' ';
    return keep(texts, text);
}

static void add_options(struct parse *p, bool all)
{
    const struct zoid_command_rows *rows = p->command->rows;
    uint64_t headed = 0;

    p->options = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct zoid_option *s = &rows->row[i].option;
        const bool hidden = !all && s->advanced;

        if (!hidden && !(headed >> s->group & 1)) {
            char *title = NULL;

            headed |= UINT64_C(1) << s->group;
            if (asprintf(&title, "%s:", s->title) < 0)
                title = NULL;
            p->option[p->options++] =
                (struct argp_option){.doc = keep(&p->texts, title), .group = s->group};
        }
        p->option[p->options++] = (struct argp_option){.name = rows->row[i].name,
                                                       .key = KEY_FIRST + (int)i,
                                                       .arg = is_long(s) ? "NAME" : s->value,
                                                       .flags = hidden ? OPTION_HIDDEN : 0,
                                                       .doc = doc_of(&p->texts, s, all),
                                                       .group = s->group};
    }
    memcpy(p->option + p->options, general, sizeof general);
    p->options += GENERAL;
    p->option[p->options] = (struct argp_option){.name = NULL};
}

static error_t show_help(struct parse *p, bool all)
{
    add_options(p, all);
    /* Use 100 columns, unless the user has set a format. */
    setenv("ARGP_HELP_FMT", "rmargin=100,opt-doc-col=34", 0);
    argp_help(&p->argp, stdout, ARGP_HELP_STD_HELP, (char *)p->command->name);
    return SHOWN;
}

/* ---- parsing ------------------------------------------------------------------------------- */

static error_t refuse(struct parse *p, enum zoid_status status)
{
    p->refused = status;
    return status ? REFUSED : 0;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct parse *p = state->input;

    switch (key) {
    case KEY_HELP:
    case KEY_HELP_ALL:
        return show_help(p, key == KEY_HELP_ALL);
    case KEY_VERSION:
        show_version(p->command);
        return SHOWN;
    case ARGP_KEY_ARG:
        return refuse(p, take_operand(p, arg));
    case ARGP_KEY_END:
        return refuse(p, miss_operand(p));
    case ARGP_KEY_ERROR:
        /* Getopt has advanced past the argument, except in a cluster of short options. */
        p->culprit = state->argv[state->next - 1];
        if (state->next < state->argc && state->argv[state->next][0] == '-' &&
            state->argv[state->next][1] != '-')
            p->culprit = state->argv[state->next];
        return ARGP_ERR_UNKNOWN;
    default:
        if (key < KEY_FIRST || (size_t)(key - KEY_FIRST) >= p->command->rows->n)
            return ARGP_ERR_UNKNOWN;
        return refuse(p, take_option(p, (size_t)(key - KEY_FIRST), arg));
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

static enum zoid_status parse_all(struct parse *p, int argc, char **argv, bool *shown)
{
    static const unsigned quiet = ARGP_NO_ERRS | ARGP_NO_EXIT | ARGP_NO_HELP | ARGP_IN_ORDER;
    error_t error;

    add_options(p, false);
    if (p->texts.lost || p->command->rows->lost)
        return zoid_command_no_memory();
    error = argp_parse(&p->argp, argc, argv, quiet, NULL, p);
    *shown = error == SHOWN;
    if (!error || error == SHOWN)
        return ZOID_OK;
    /* The setting has reported why it was refused, or that memory ran out. */
    if (error == REFUSED)
        return p->refused;
    if (error == ENOMEM)
        return zoid_command_no_memory();
    return explain(p);
}

enum zoid_status zoid_command_parse(const struct zoid_command *command, int argc, char **argv,
                                    bool *shown)
{
    /* At most one heading per row. */
    const size_t room = 2 * command->rows->n + GENERAL + 1;
    struct parse p = {.command = command, .option = calloc(room, sizeof *p.option)};
    char *doc = NULL;
    enum zoid_status status = zoid_command_no_memory();

    if (asprintf(&doc, "%s\v%s", command->summary, command->notes ? command->notes : "") < 0)
        doc = NULL;
    if (p.option && doc) {
        p.argp = (struct argp){.options = p.option,
                               .parser = parse_option,
                               .args_doc = command->operand ? command->operand->option.key : NULL,
                               .doc = doc};
        status = parse_all(&p, argc, argv, shown);
    }
    free(doc);
    free(p.option);
    zoid_command_free(&p.texts);
    return zoid_ranks_agree(status);
}

enum zoid_status zoid_command_start_alone(const struct zoid_command *command, int argc, char **argv,
                                          bool *shown)
{
    enum zoid_status status = zoid_command_start();

    if (!status)
        status = zoid_command_parse(command, argc, argv, shown);
    return status || *shown ? status : zoid_command_alone(command->name);
}

/* Replaces control characters: messages quote arguments. */
static void print_line(const char *name, const char *message)
{
    fprintf(stderr, "%s: ", name);
    for (; *message; message++)
        fputc(iscntrl((unsigned char)*message) ? '?' : *message, stderr);
    fputc('\n', stderr);
}

void zoid_command_message(char text[ZOID_COMMAND_MESSAGE])
{
    zoid_error_text(ZOID_NAMES_OPTIONS, text, ZOID_COMMAND_MESSAGE);
}

void zoid_command_abort(const char *name, enum zoid_status status)
{
    char message[ZOID_COMMAND_MESSAGE];

    zoid_command_message(message);
    print_line(name, message);
    zoid_ranks_abort(status);
}

int zoid_command_finish(const struct zoid_command *command, enum zoid_status status)
{
    char message[ZOID_COMMAND_MESSAGE];
    bool lost = ferror(stdout);

    errno = 0;
    lost |= fclose(stdout) != 0;
    if (lost && !status)
        status = zoid_fail(ZOID_RESOURCE,
                           "cannot write to standard output: %s; redirect it or give {quiet}",
                           errno ? strerror(errno) : "a write failed");
    if (zoid_failed_alone(status))
        zoid_command_abort(command->name, status);
    zoid_command_message(message);
    if (status && zoid_rank(NULL) == 0)
        print_line(command->name, message);
    zoid_ranks_end();
    return (int)status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/driver/restart.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "apps/driver/rows.h"
#include "runtime/error.h"
#include "runtime/ranks/ranks.h"

/* ---- log of settings ----------------------------------------------------------------------- */

void zoid_restart_note(const struct zoid_command_row *row, const char *value, void *user)
{
    struct zoid_said *said = user;
    const size_t length = strlen(said->text), room = sizeof said->text - length;
    int n;

    if (!(row->setting.flags & (ZOID_SAME | ZOID_TOTAL)))
        return;
    n = snprintf(said->text + length, room, "%s%s%s\n", row->option, value ? "=" : "",
                 value ? value : "");
    if (n > 0 && (size_t)n < room && !(value && strchr(value, '\n')))
        return;
    said->lost = true;
    said->text[length] = '\0';
}

static size_t lines(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* Returns the length of the option's name at the beginning of a line. */
static size_t name_length(const char *line)
{
    return strcspn(line, "=\n");
}

/* Returns the first line from `line` on that sets this option, or NULL. */
static const char *find_option(const char *line, const char *name, size_t length)
{
    for (; *line; line = strchr(line, '\n') + 1)
        if (name_length(line) == length && !strncmp(line, name, length))
            return line;
    return NULL;
}

/* Writes a line as an option and returns its length, at most 8 times that of the line. Whole
 * numbers are expanded: programs up to 0.1 accepted suffixes K, M, G and T, powers of 1024. */
static int write_option(const char *line, int length, char *to)
{
    static const char suffixes[] = "KMGT";
    const struct zoid_setting_type *const whole[] = {&zoid_type_count, &zoid_type_unsigned,
                                                     &zoid_type_axes};
    const int name = (int)name_length(line);
    const struct zoid_setting *row;
    char key[64];
    bool plain = true;
    int n;

    snprintf(key, sizeof key, "%.*s", name, line);
    row = zoid_settings_find(key);
    for (size_t t = 0; row && t < sizeof whole / sizeof *whole; t++)
        plain = plain && row->type != whole[t];
    n = sprintf(to, "--%.*s", plain ? length : name, line);
    for (const char *c = line + name, *end = line + length; c < end && !plain;) {
        char *rest = (char *)c;
        const unsigned long long v = *c >= '0' && *c <= '9' ? strtoull(c, &rest, 10) : 0;
        const char *suffix = rest > c && rest < end ? strchr(suffixes, *rest) : NULL;

        if (rest == c) {
            to[n++] = *c++;
            continue;
        }
        n += sprintf(to + n, "%llu", suffix ? v << 10 * (suffix - suffixes + 1) : v);
        c = rest + (suffix != NULL);
    }
    to[n] = '\0';
    return n;
}

/* Returns a command line of the checkpoint's options, without those given now, followed by the
 * current arguments. The caller frees it, one allocation; NULL: out of memory. */
static char **arguments_of(const struct zoid_checkpoint *about, const char *now, int argc,
                           char **argv, int *count)
{
    const size_t n = lines(about->options), pointers = (n + (size_t)argc + 1) * sizeof(char *);
    char **all = malloc(pointers + 8 * (strlen(about->options) + n + 1));
    char *to = (char *)all + pointers;
    const char *line = about->options, *end;
    int i = 0;

    if (!all)
        return NULL;
    all[i++] = argv[0];
    for (; (end = strchr(line, '\n')); line = end + 1) {
        const int length = (int)(end - line);

        if (find_option(now, line, name_length(line)))
            continue;
        all[i++] = to;
        to += write_option(line, length, to) + 1;
    }
    for (int a = 1; a < argc; a++)
        all[i++] = argv[a];
    all[i] = NULL;
    *count = i;
    return all;
}

/* ---- the checkpoint ------------------------------------------------------------------------ */

static enum zoid_status open_checkpoint(const char *name, const char *given,
                                        struct zoid_checkpoint_file **file)
{
    char path[PATH_MAX] = "";
    enum zoid_status status = ZOID_OK;

    if (zoid_ranks_here()->rank == 0)
        status = zoid_checkpoint_find(name, given, path);
    status = zoid_ranks_agree(status);
    if (status)
        return status;
    zoid_ranks_broadcast(path, sizeof path);
    return zoid_ranks_agree(zoid_checkpoint_open(path, file));
}

enum zoid_status zoid_restart_read(struct zoid_restart *restart, const struct zoid_command *command,
                                   int argc, char **argv, struct zoid_settings *settings,
                                   bool *shown)
{
    enum zoid_status status = zoid_command_parse(command, argc, argv, shown);
    int count = 0;

    if (status || *shown || !settings->restart)
        return status;
    status = open_checkpoint(command->name, settings->restart, &restart->from);
    if (status)
        return status;
    restart->arguments =
        arguments_of(zoid_checkpoint_about(restart->from), restart->said.text, argc, argv, &count);
    if (!restart->arguments)
        return zoid_no_memory();
    zoid_settings_close(settings);
    *restart->said.text = '\0';
    status = zoid_program_defaults(command->rows, settings);
    if (!status)
        status = zoid_command_parse(command, count, restart->arguments, shown);
    /* The state is read from the checkpoint, so files of the initial state may be gone. */
    zoid_settings_forget_state(settings);
    return status;
}

void zoid_restart_end(struct zoid_restart *restart)
{
    zoid_checkpoint_close(&restart->from);
    free(restart->arguments);
    restart->arguments = NULL;
}

/* ---- contradictions ------------------------------------------------------------------------ */

static enum zoid_status contradicts(const char *path, const char *option, const char *now,
                                    const char *then)
{
    return zoid_fail(
        ZOID_BAD_ARGUMENT,
        "{%s=%s} contradicts the checkpoint %s, which has %s; drop it, or start without {restart}",
        option, now, path, then);
}

static const struct zoid_op *find_op(const char *name)
{
    const struct zoid_op *op;

    for (size_t i = 0; (op = zoid_op_at(i)); i++)
        if (!strcmp(op->name, name))
            return op;
    return NULL;
}

static enum zoid_status check_op(const char *path, const struct zoid_checkpoint *then,
                                 const struct zoid_op *now)
{
    const struct zoid_op *op = find_op(then->op);
    char is[24], was[24];

    if (!strcmp(then->op, now->name))
        return ZOID_OK;
    if (!op || strcmp(op->family, now->family) != 0)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s is not the operator of the checkpoint %s, which has %s; use the "
                         "program and options for that",
                         now->name, path, then->op);
    if (op->type != now->type)
        return contradicts(path, "type", zoid_type_name(now->type), zoid_type_name(op->type));
    snprintf(is, sizeof is, "%d", op->radius == now->radius ? now->dims : now->radius);
    snprintf(was, sizeof was, "%d", op->radius == now->radius ? op->dims : op->radius);
    return contradicts(path, op->radius == now->radius ? "dims" : "radius", is, was);
}

static enum zoid_status check_size(const char *path, const long then[ZOID_AXES],
                                   const long now[ZOID_AXES])
{
    char is[80], was[80];

    if (!memcmp(then, now, ZOID_AXES * sizeof *then))
        return ZOID_OK;
    snprintf(is, sizeof is, "%ldx%ldx%ld", now[0], now[1], now[2]);
    snprintf(was, sizeof was, "%ldx%ldx%ld", then[0], then[1], then[2]);
    return contradicts(path, "size", is, was);
}

static void write_faces(const long *face, int dims, char *text, size_t room)
{
    size_t length = 0;

    *text = '\0';
    for (int i = 0; i < dims * ZOID_SIDES && length < room; i++)
        length += (size_t)snprintf(text + length, room - length, "%s%c%c=%s", i ? "," : "",
                                   "xyz"[i / ZOID_SIDES], "-+"[i % ZOID_SIDES],
                                   zoid_boundary_name((enum zoid_boundary)face[i]));
}

static enum zoid_status check_faces(const char *path, const struct zoid_checkpoint *then,
                                    const struct zoid_checkpoint *now, int dims)
{
    char is[160], was[160];

    if (!memcmp(then->face, now->face, sizeof then->face))
        return ZOID_OK;
    write_faces(now->face, dims, is, sizeof is);
    write_faces(then->face, dims, was, sizeof was);
    return contradicts(path, "boundary", is, was);
}

static enum zoid_status check_params(const char *path, const struct zoid_checkpoint *then,
                                     const struct zoid_checkpoint *now, const struct zoid_op *op)
{
    char is[32], was[32];
    int i = 0;

    while (i < op->nparams && then->param[i] == now->param[i])
        i++;
    if (i == op->nparams)
        return ZOID_OK;
    snprintf(is, sizeof is, "%.17g", now->param[i]);
    snprintf(was, sizeof was, "%.17g", then->param[i]);
    return contradicts(path, op->param[i].name, is, was);
}

/* Returns the first line from `line` on that sets this option, and for `init` one that names a
 * field; or NULL. */
static const char *find_given(const char *line, const char *name)
{
    const size_t length = strlen(name);

    while ((line = find_option(line, name, length)) && !strcmp(name, "init") &&
           !memchr(line + length + 1, '=', strcspn(line, "\n") - length - 1))
        line = strchr(line, '\n') + 1;
    return line;
}

/* Returns whether two lists have the same lines of an option, in the same order. */
static bool said_alike(const char *a, const char *b, const char *name)
{
    while ((a = find_given(a, name)) && (b = find_given(b, name))) {
        const size_t length = strcspn(a, "\n") + 1;

        if (strncmp(a, b, length) != 0)
            return false;
        a += length;
        b += length;
    }
    return !a && !find_given(b, name);
}

/* Options whose effect cannot be read off the state must be the same, except that receivers may be
 * added to a run without receivers. */
static enum zoid_status check_said(const char *path, const char *then, const char *now)
{
    static const char *const names[] = {"init", "source", "receivers"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!said_alike(then, now, names[i]) &&
            (strcmp(names[i], "receivers") != 0 || find_given(then, names[i])))
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "{%s} is not what the checkpoint %s was begun with; drop it, or start "
                             "without {restart}",
                             names[i], path);
    return ZOID_OK;
}

/* Compares the origins of the coefficients. */
static enum zoid_status check_start(const char *path, const struct zoid_checkpoint *then,
                                    const struct zoid_checkpoint *now)
{
    char is[32], was[32];

    if (then->init != now->init)
        return contradicts(path, "init", zoid_init_name(now->init), zoid_init_name(then->init));
    snprintf(is, sizeof is, "%" PRIu64, now->seed);
    snprintf(was, sizeof was, "%" PRIu64, then->seed);
    if (then->seed != now->seed)
        return contradicts(path, "seed", is, was);
    if (then->source == now->source || then->coefficients)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "the coefficients have the sum %016" PRIx64 ", and those of the checkpoint %s "
                     "had %016" PRIx64 "; give the files and options that it was begun with",
                     now->source, path, then->source);
}

/* Compares the program's own settings (zoid_app.say), which come in a fixed order. */
static enum zoid_status check_program(const char *path, const char *then, const char *now)
{
    while (*then && *now) {
        const size_t was = strcspn(then, "\n"), is = strcspn(now, "\n");
        const size_t name = name_length(now), of = zoid_min(name + 1, is);
        char option[80], here[160], there[160];

        if (was == is && !strncmp(then, now, is)) {
            then += was + (then[was] == '\n');
            now += is + (now[is] == '\n');
            continue;
        }
        if (name_length(then) != name || strncmp(then, now, name) != 0)
            break;
        snprintf(option, sizeof option, "%.*s", (int)name, now);
        snprintf(here, sizeof here, "%.*s", (int)(is - of), now + of);
        snprintf(there, sizeof there, "%.*s", (int)(was - of), then + of);
        return contradicts(path, option, here, there);
    }
    if (!*then && !*now)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "the checkpoint %s is of another program, or of another version of this one; "
                     "use that, or start without {restart}",
                     path);
}

static enum zoid_status check_all(const char *path, const struct zoid_checkpoint *then,
                                  const struct zoid_checkpoint *now,
                                  const struct zoid_problem *problem)
{
    enum zoid_status status = check_program(path, then->program, now->program);

    if (!status)
        status = check_op(path, then, problem->op);
    if (!status)
        status = check_size(path, then->n, now->n);
    if (!status)
        status = check_faces(path, then, now, problem->op->dims);
    if (!status)
        status = check_params(path, then, now, problem->op);
    if (!status)
        status = check_said(path, then->options, now->options);
    return status ? status : check_start(path, then, now);
}

/* ---- the problem --------------------------------------------------------------------------- */

/* Positions the problem, its state and its record at the checkpoint. */
static enum zoid_status go_on(struct zoid_restart *restart, struct zoid_problem *p,
                              struct zoid_initial *initial, struct zoid_record *record)
{
    const struct zoid_checkpoint *then = zoid_checkpoint_about(restart->from);
    const char *path = zoid_checkpoint_name(restart->from);
    enum zoid_status status = check_all(path, then, &restart->about, initial->problem);

    if (!status && p->steps < then->step)
        status = zoid_fail(
            ZOID_BAD_ARGUMENT,
            "{steps=%ld} contradicts the checkpoint %s, which is of step %ld; give at least that",
            p->steps, path, then->step);
    if (!status)
        status = zoid_checkpoint_fields(restart->from, initial->problem);
    p->start = then->step;
    p->steps -= then->step;
    if (!status)
        status = zoid_record_begin_with(p, then->number, then->numbers, record);
    initial->state = zoid_checkpoint_box;
    initial->of = restart->from;
    if (then->coefficients) {
        initial->coefficients = zoid_checkpoint_box;
        initial->user = restart->from;
    }
    return status;
}

static enum zoid_status say(struct zoid_restart *restart)
{
    struct zoid_checkpoint *about = &restart->about;
    FILE *out = fmemopen(about->program, sizeof about->program - 1, "w");
    enum zoid_status status = out ? restart->say(out) : ZOID_OK;

    if (!out || ((fflush(out) || ferror(out)) && !status))
        status = zoid_fail(ZOID_BAD_ARGUMENT, "the options are longer than a checkpoint has space "
                                              "for; give fewer or shorter ones");
    if (out)
        fclose(out);
    return status;
}

enum zoid_status zoid_restart_problem(struct zoid_restart *restart,
                                      const struct zoid_options *options,
                                      struct zoid_problem *problem, struct zoid_initial *initial,
                                      struct zoid_record *record)
{
    struct zoid_checkpoint *about = &restart->about;
    enum zoid_status status = ZOID_OK;

    if (!options->keep.checkpoint && !restart->from)
        return ZOID_OK;
    *about = zoid_checkpoint_of(initial->problem, initial);
    about->coefficients = options->keep.coefficients;
    memcpy(about->options, restart->said.text, sizeof about->options);
    if (restart->said.lost)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "the options are longer than a checkpoint has space for, or have line "
                         "breaks; give fewer or shorter ones");
    if (restart->say)
        status = say(restart);
    if (!status && (options->given.coefficients.n || options->given.velocity))
        status = zoid_checkpoint_source(initial, &about->source);
    return status || !restart->from ? status : go_on(restart, problem, initial, record);
}

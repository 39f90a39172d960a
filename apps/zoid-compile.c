/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for asprintf */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/cli/command.h"
#include "apps/compile/build.h"
#include "apps/compile/compile.h"
#include "apps/compile/emit.h"
#include "apps/compile/explain.h"
#include "apps/compile/mlsor.h"
#include "apps/compile/tiled.h"

enum row {
    OUTPUT,
    BUILD,
    CUDA,
    NAME,
    TYPE,
    FLOAT_LITERALS,
    EXPLAIN,
    SHAPES,
    TILED,
    COPIES,
    TILE,
    MLSOR,
    SUBDOMAIN,
    LAYERS,
    FORWARD,
    ROWS
};

struct wanted {
    char *file, *output, *name;
    bool build, cuda, explain, shapes, float_literals, float_data, tiled, mlsor;
    struct zoid_tiling tiling;
    int tiles; /* that were given */
    struct zoid_mlsor_pass pass;
};

enum { TILE_FALLBACK = 32, SUBDOMAIN_FALLBACK = 16 };

static enum zoid_status keep(char **to, const char *text)
{
    free(*to);
    *to = strdup(text);
    return *to ? ZOID_OK : zoid_command_no_memory();
}

/* Names of operators are those of C. */
static enum zoid_status check_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

    if (strlen(name) <= 40 && *name && strspn(name, letters) == strlen(name) && *name > '9')
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "'%s' is no name of an operator; give letters, digits and "
                     "_, 40 at most",
                     name);
}

static enum zoid_status set_tile(struct wanted *w, const char *text)
{
    for (w->tiles = 0; w->tiles < ZOID_SHAPE_DIMS; text++) {
        char *end;
        const long number = strtol(text, &end, 10);

        if (*text < '0' || *text > '9' || number < 1 || number > ZOID_TILE_MOST)
            break;
        w->tiling.tile[w->tiles++] = (int)number;
        text = end;
        if (!*text)
            return ZOID_OK;
        if (*text != ',')
            break;
    }
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "{tile} is no list of 1 to %d numbers, each from 1 to %d, such as 32,64",
                     ZOID_SHAPE_DIMS, ZOID_TILE_MOST);
}

static enum zoid_status set_count(const char *text, long least, const char *refusal, int *to)
{
    char *end;
    const long number = strtol(text, &end, 10);

    if (*text < '0' || *text > '9' || *end || number < least || number > ZOID_MLSOR_MOST)
        return zoid_fail(ZOID_BAD_ARGUMENT, refusal, ZOID_MLSOR_MOST);
    *to = (int)number;
    return ZOID_OK;
}

static enum zoid_status set(void *object, size_t index, const char *text)
{
    struct wanted *w = object;
    enum zoid_status status;

    switch ((enum row)index) {
    case OUTPUT:
        return keep(&w->output, text);
    case BUILD:
        w->build = true;
        break;
    case CUDA:
        w->cuda = true;
        break;
    case NAME:
        status = check_name(text);
        return status ? status : keep(&w->name, text);
    case TYPE:
        w->float_data = !strcmp(text, "f32");
        if (!w->float_data && strcmp(text, "f64"))
            return zoid_fail(ZOID_BAD_ARGUMENT, "there is no type '%s'; choose from f32, f64",
                             text);
        break;
    case FLOAT_LITERALS:
        w->float_literals = true;
        break;
    case EXPLAIN:
        w->explain = true;
        break;
    case SHAPES:
        w->shapes = true;
        break;
    case TILED:
        w->tiled = true;
        w->tiling.balanced = !strcmp(text, "balanced");
        if (!w->tiling.balanced && strcmp(text, "minimal"))
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "there are no rows '%s'; choose from minimal, balanced", text);
        break;
    case COPIES:
        w->tiling.copies = true;
        break;
    case MLSOR:
        w->mlsor = true;
        break;
    case SUBDOMAIN:
        return set_count(text, 2, "{subdomain} is to be a number from 2 to %d", &w->pass.subdomain);
    case LAYERS:
        return set_count(text, 1, "{layers} is to be a number from 1 to %d", &w->pass.layers);
    case FORWARD:
        w->pass.forward = true;
        break;
    default:
        return set_tile(w, text);
    }
    return ZOID_OK;
}

static enum zoid_status set_file(void *object, size_t index, const char *text)
{
    struct wanted *w = object;

    (void)index;
    return keep(&w->file, text);
}

static const struct zoid_option options[ROWS] = {
    [OUTPUT] = {.key = "output",
                .value = "DIR",
                .doc = "write the operator into this folder; -o is the same"},
    [BUILD] = {.key = "build",
               .doc = "build libNAME.so there, for --load, for this machine's cores; kept in "
                      "~/.cache/zoid/loops"},
    [CUDA] = {.key = "cuda", .doc = "build it for GPUs, too"},
    [NAME] = {.key = "name", .value = "NAME", .doc = "of the operator, in place of the function's"},
    [TYPE] = {.key = "type",
              .value = "f32|f64",
              .fallback = "f64",
              .doc = "DATA_TYPE of nests of PolyBench"},
    [FLOAT_LITERALS] = {.key = "float_literals",
                        .doc = "read numbers as gcc -fsingle-precision-constant does"},
    [EXPLAIN] = {.key = "explain", .doc = "print what the nest means: fields, stages, values"},
    [SHAPES] = {.key = "shapes",
                .doc = "print dependences, and shapes of tiles: minimal, balanced"},
    [TILED] = {.key = "tiled",
               .value = "minimal|balanced",
               .doc = "write NAME_tiled.c in place of the operator: the file with the nest in "
                      "tiles of these rows, for gcc -fopenmp"},
    [COPIES] = {.key = "copies",
                .doc = "with --tiled: make the copies that remove false dependences which hinder"},
    [TILE] = {.key = "tile",
              .value = "NUMBER,...",
              .fallback = "32",
              .doc = "how far the tiles of --tiled go, by rows"},
    [MLSOR] = {.key = "mlsor",
               .doc = "write NAME_mlsor.c in place of the operator: the file with a nest of a star "
                      "in order in MLSOR's order of points, for gcc -fopenmp"},
    [SUBDOMAIN] = {.key = "subdomain",
                   .value = "P",
                   .fallback = "16",
                   .doc = "with --mlsor: points of a subdomain along each axis"},
    [LAYERS] = {.key = "layers",
                .value = "K",
                .doc = "with --mlsor: sweeps of a subdomain in a row [half of subdomain]"},
    [FORWARD] = {.key = "forward_only",
                 .doc = "with --mlsor: never go back through the domain [every other time]"},
};

/* Reads a file, and a byte more than a nest may have, so that a longer one shows. */
static enum zoid_status read_file(const char *name, struct zoid_text *text, char **bytes)
{
    FILE *file = fopen(name, "rb");
    const bool opened = file;
    bool failed;

    errno = 0;
    *bytes = malloc(ZOID_TEXT_MOST + 1);
    if (file && *bytes)
        text->size = fread(*bytes, 1, ZOID_TEXT_MOST + 1, file);
    failed = !file || ferror(file);
    if (file)
        fclose(file);
    if (!*bytes)
        return zoid_command_no_memory();
    text->bytes = *bytes;
    return failed ? zoid_fail(ZOID_BAD_ARGUMENT, "cannot %s %s: %s; give a C file",
                              opened ? "read" : "open", name, strerror(errno ? errno : ENOENT))
                  : ZOID_OK;
}

/* Programs would refuse to load it. */
static enum zoid_status check_new(const char *operator)
{
    const struct zoid_op *op;

    for (size_t i = 0; (op = zoid_op_at(i)); i++)
        if (!strcmp(op->family, operator))
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "Zoid has an operator %s; name this one by {name}", operator);
    return ZOID_OK;
}

static enum zoid_status write_all(const struct wanted *w, const struct zoid_emitted *files,
                                  const char *operator)
{
    enum zoid_status status = check_new(operator);

    if (!status)
        status = zoid_build_texts(w->output, operator, files);
    if (!status && files->more)
        fprintf(stderr, "zoid-compile: the module has no function of the nest:\n%s", files->more);
    return status || !w->build ? status : zoid_build(w->output, operator, files, w->cuda);
}

static enum zoid_status write_tiled(struct wanted *w, struct zoid_meaning *m, const char *name)
{
    const int dims = m->dependences->dims;
    enum zoid_status status;
    const char *text;

    if (w->tiles > 1 && w->tiles != dims)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{tile} has %d numbers, and tiles %d rows; give %d",
                         w->tiles, dims, dims);
    for (int i = w->tiles; i < dims; i++)
        w->tiling.tile[i] = w->tiles ? w->tiling.tile[0] : TILE_FALLBACK;
    text = zoid_tiled(m, &w->tiling);
    status = zoid_build_folder(w->output);
    return status ? status
                  : zoid_build_write(w->output, zoid_text_print(m->text, "%s_tiled.c", name), text);
}

static enum zoid_status write_mlsor(struct wanted *w, struct zoid_meaning *m, const char *name)
{
    const char *text = zoid_mlsor_text(m, &w->pass);
    const enum zoid_status status = zoid_build_folder(w->output);

    return status ? status
                  : zoid_build_write(w->output, zoid_text_print(m->text, "%s_mlsor.c", name), text);
}

/* Prints the meaning, then the operators, or the reason for a nest without one. */
static void explain(struct zoid_text *text, const struct zoid_meaning *m, const char *operator)
{
    jmp_buf escape;
    char line[500];

    zoid_ir_print(m->ir, stdout);
    memcpy(escape, text->escape, sizeof escape);
    if (!setjmp(text->escape)) {
        const struct zoid_emitted files = zoid_emit(text, m, operator);

        if (check_new(operator) || zoid_explain(&files, stdout)) {
            zoid_error_text(ZOID_NAMES_OPTIONS, line, sizeof line);
            printf("operator no: %s\n", line);
        }
    } else {
        printf("operator no: %.*s\n", (int)strcspn(text->refusal, "\n"), text->refusal);
    }
    memcpy(text->escape, escape, sizeof escape);
}

/* *refused: a refusal was written to standard error. */
static enum zoid_status compile(struct wanted *w, struct zoid_text *text, bool *refused)
{
    struct zoid_meaning *m;
    const char *name;
    struct zoid_emitted files;
    enum zoid_status status;

    text->file = w->file;
    text->float_literals = w->float_literals;
    text->float_data = w->float_data;
    *refused = true;
    m = zoid_compile_text(text);
    if (!m || setjmp(text->escape)) {
        fputs(text->refusal, stderr);
        return ZOID_OK;
    }
    name = w->name ? w->name : m->ir->name;
    if (w->explain)
        explain(text, m, name);
    if (w->shapes)
        zoid_shape_print(m, stdout);
    if (w->tiled || w->mlsor) {
        status = w->tiled ? write_tiled(w, m, name) : write_mlsor(w, m, name);
        *refused = false;
        return status;
    }
    if (w->output)
        files = zoid_emit(text, m, name);
    *refused = false;
    return w->output ? write_all(w, &files, name) : ZOID_OK;
}

static enum zoid_status check_mlsor(struct wanted *w)
{
    if (!w->mlsor && (w->pass.subdomain || w->pass.layers || w->pass.forward))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         w->pass.subdomain ? "{subdomain} is for {mlsor}; give both"
                         : w->pass.layers  ? "{layers} is for {mlsor}; give both"
                                           : "{forward_only} is for {mlsor}; give both");
    if (!w->mlsor)
        return ZOID_OK;
    if (w->tiled || w->build)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         w->tiled ? "{mlsor} and {tiled} write different orders; leave out one"
                                  : "{mlsor} writes C that is not for {build}; leave out one");
    if (!w->output)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{mlsor} needs a folder; name one by {output}");
    if (!w->pass.subdomain)
        w->pass.subdomain = SUBDOMAIN_FALLBACK;
    if (!w->pass.layers)
        w->pass.layers = w->pass.subdomain / 2;
    if (w->pass.layers > w->pass.subdomain / 2)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "{layers=%d} are more than half of {subdomain=%d}; give at most %d",
                         w->pass.layers, w->pass.subdomain, w->pass.subdomain / 2);
    return ZOID_OK;
}

static enum zoid_status check_build(const struct wanted *w)
{
    if (w->cuda && !w->build)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{cuda} is for {build}; give both");
    if (w->build && !w->output)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{build} needs a folder; name one by {output}");
    if (w->tiled && (w->build || !w->output))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         w->build ? "{tiled} writes C that is not for {build}; leave out one"
                                  : "{tiled} needs a folder; name one by {output}");
    if (!w->tiled && w->tiling.copies)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{copies} is for {tiled}; give both");
    if (!w->tiled && w->tiles)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{tile} is for {tiled}; give both");
    return zoid_build_check(w->cuda);
}

int main(int argc, char **argv)
{
    struct wanted wanted = {.file = NULL};
    struct zoid_command_rows rows = {.n = 0};
    const struct zoid_command_row operand = {
        .option = {.key = "nest.c", .doc = "the file"}, .set = set_file, .object = &wanted};
    const struct zoid_command command = {
        .name = "zoid-compile",
        .summary = "Makes an operator of a loop nest in C, which stands between #pragma scop and "
                   "#pragma endscop. docs/loops.md says what it accepts.",
        .rows = &rows,
        .operand = &operand,
    };
    struct zoid_text text = {.size = 0};
    char *bytes = NULL;
    bool shown = false, refused = false;
    enum zoid_status status;

    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "-o"))
            argv[i] = "--output";
    zoid_command_add_group(&rows, "Nests", options, ROWS, set, &wanted);
    status = zoid_command_start_alone(&command, argc, argv, &shown);
    if (!status && !shown && !wanted.output && !wanted.explain && !wanted.shapes && !wanted.tiled &&
        !wanted.mlsor)
        status = zoid_fail(ZOID_BAD_ARGUMENT, "nothing to do; give {output}, {explain} or "
                                              "{shapes}");
    if (!status && !shown)
        status = check_mlsor(&wanted);
    if (!status && !shown)
        status = check_build(&wanted);
    if (!status && !shown)
        status = read_file(wanted.file, &text, &bytes);
    if (!status && !shown)
        status = compile(&wanted, &text, &refused);
    zoid_text_free(&text);
    free(bytes);
    free(wanted.file);
    free(wanted.output);
    free(wanted.name);
    zoid_command_free(&rows);
    status = zoid_command_finish(&command, status);
    return refused && !status ? ZOID_BAD_ARGUMENT : status;
}

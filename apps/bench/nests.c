/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for asprintf */
#include "apps/bench/nests.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/error.h"

bool zoid_nests_has(const char *path)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    bool has = false;

    while (file && !has && getline(&line, &room, file) >= 0)
        has = !strncmp(line + strspn(line, " \t"), "#pragma scop", 12);
    free(line);
    if (file)
        fclose(file);
    return has;
}

static bool is_name(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

    return *text > '9' && strspn(text, letters) == strlen(text);
}

/* Reads the first lines of --explain. Returns whether extents and steps are names. */
static bool read_meaning(const char *text, struct zoid_nest_file *nest)
{
    const char *extent = strstr(text, "\nextent "), *time = strstr(text, "\ntime ");
    bool names = extent && time;
    int used;

    if (sscanf(text, "nest %63s type %63s", nest->name, nest->type) != 2)
        return false;
    for (extent = extent ? extent + 7 : NULL; names && *extent != '\n'; nest->axes++) {
        names = nest->axes < ZOID_AXES &&
                sscanf(extent, " %*s %63[^,\n]%n", nest->extent[nest->axes], &used) == 1;
        if (!names)
            break;
        extent += used + (extent[used] == ',');
        if (extent[-1] != ',' && *extent != '\n')
            names = false; /* or mirrored */
        names = names && is_name(nest->extent[nest->axes]);
    }
    return names && sscanf(time, "\ntime %*s from %*s step 1 steps %63[^\n]", nest->steps) == 1 &&
           is_name(nest->steps);
}

/* Writes a parameter: for an array, a case of zoid_bytes. Returns whether it can be called. */
static bool write_parameter(const struct zoid_nest_file *nest, const char *text, size_t length,
                            FILE *call, FILE *bytes, int *arrays)
{
    const size_t bracket =
        memchr(text, '[', length) ? (size_t)((char *)memchr(text, '[', length) - text) : length;
    size_t from = bracket;
    char name[ZOID_NESTS_WORD];

    while (from && text[from - 1] != ' ' && text[from - 1] != '*')
        from--;
    snprintf(name, sizeof name, "%.*s", (int)(bracket - from), text + from);
    if (bracket < length && text[bracket + 1] != ']') {
        fprintf(bytes, "    if (array == %d) {\n        typedef %.*szoid_t%.*s;\n", *arrays,
                (int)from, text, (int)(length - bracket), text + bracket);
        fputs("        return sizeof(zoid_t);\n    }\n", bytes);
        fprintf(call, "data[%d]", (*arrays)++);
        return true;
    }
    if (bracket < length || memchr(text, '*', length))
        return false;
    for (int a = 0; a < nest->axes; a++)
        if (!strcmp(name, nest->extent[a])) {
            fprintf(call, "%s", name);
            return true;
        }
    if (!strcmp(name, nest->steps))
        fprintf(call, "%s", name);
    else if (strstr(text, "double ") == text || strstr(text, "float ") == text)
        fputs("0.1", call);
    else
        return false;
    return true;
}

/* Prints the extents and steps as variables. */
static void write_sizes(const struct zoid_nest_file *nest, FILE *to)
{
    for (int a = 0; a < nest->axes; a++) {
        bool again = false;

        for (int b = 0; b < a; b++)
            again |= !strcmp(nest->extent[a], nest->extent[b]);
        if (!again)
            fprintf(to, "    const int %s = (int)zoid_n[%d]; (void)%s;\n", nest->extent[a], a,
                    nest->extent[a]);
    }
    fprintf(to, "    const int %s = (int)zoid_steps; (void)%s;\n", nest->steps, nest->steps);
}

/* Writes nest.h, of the declaration that zoid-compile has written. */
static enum zoid_status write_header(const struct zoid_nest_file *nest)
{
    char path[PATH_MAX], text[ZOID_TOOLS_TEXT], *call = NULL, *bytes = NULL;
    const char *declared, *at, *end;
    size_t sizes[2];
    FILE *calls = open_memstream(&call, &sizes[0]), *arrays = open_memstream(&bytes, &sizes[1]);
    FILE *to = NULL;
    int n = 0;
    bool sound = calls && arrays;

    zoid_path(path, "%s/%s_call.h", nest->folder, nest->name);
    zoid_tools_read(path, text);
    declared = strstr(text, "#else\n");
    declared = declared ? declared + 6 : NULL;
    at = declared ? strchr(declared, '(') : NULL;
    end = at ? strstr(at, ");\n") : NULL;
    sound = sound && end;
    while (sound && at < end) {
        const size_t length = strcspn(++at, ",)");
        const size_t blank = strspn(at, " \n");

        sound = write_parameter(nest, at + blank, length - blank, calls, arrays, &n);
        at += length;
        fputs(at < end ? ", " : "", calls);
    }
    if (calls)
        fclose(calls);
    if (arrays)
        fclose(arrays);
    zoid_path(path, "%s/nest.h", nest->folder);
    if (sound && n)
        to = fopen(path, "we");
    if (to) {
        fprintf(to, "#include <stddef.h>\n%.*s);\n#define ZOID_REAL %s\n", (int)(end - declared),
                declared, strcmp(nest->type, "f32") ? "double" : "float");
        fprintf(to, "enum { ZOID_AXES = %d, ZOID_ARRAYS = %d };\n", nest->axes, n);
        fputs("static size_t zoid_bytes(int array, const long *zoid_n, long zoid_steps)\n{\n", to);
        write_sizes(nest, to);
        fprintf(to,
                "%s    return 0;\n}\n"
                "static void zoid_call(const long *zoid_n, long zoid_steps, void **data)\n{\n",
                bytes);
        write_sizes(nest, to);
        fprintf(to, "    %s(%s);\n}\n", nest->name, call);
    }
    free(call);
    free(bytes);
    if (to && !fclose(to))
        return ZOID_OK;
    if (!sound || !n)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s: parameters are to be extents, the number of steps, real numbers, and "
                         "arrays with all extents",
                         nest->path);
    return zoid_fail(ZOID_RESOURCE, "cannot write %s: %s; make room", path, strerror(errno));
}

enum zoid_status zoid_nest_open(const struct zoid_tools *tools, const char *path,
                                struct zoid_nest_file *nest)
{
    char text[ZOID_TOOLS_TEXT], out[PATH_MAX];
    enum zoid_status status;

    *nest = (struct zoid_nest_file){.tools = tools};
    zoid_path(nest->path, "%s", path);
    status = zoid_tools_must(tools->folder, path,
                             (const char *const[]){tools->compile, path, "--explain", NULL});
    if (status)
        return status;
    zoid_path(out, "%s/out", tools->folder);
    zoid_tools_read(out, text);
    if (!read_meaning(text, nest))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s: extents and the number of steps are to be parameters, as they are",
                         path);
    zoid_path(nest->folder, "%s/%s", tools->folder, nest->name);
    return ZOID_OK;
}

enum zoid_status zoid_nest_module(const struct zoid_nest_file *nest)
{
    enum zoid_status status;

    if (mkdir(nest->folder, 0777) && errno != EEXIST)
        return zoid_fail(ZOID_RESOURCE, "cannot make %s: %s; name another folder by TMPDIR",
                         nest->folder, strerror(errno));
    status = zoid_tools_must(nest->folder, nest->path,
                             (const char *const[]){nest->tools->compile, nest->path, "--output",
                                                   nest->folder, "--build", NULL});
    return status ? status : write_header(nest);
}

/* ---- programs ---------------------------------------------------------------------------- */

/* Compiles measure.c with a file, or the module (NULL). */
static enum zoid_status build(const struct zoid_nest_file *nest, const char *file,
                              const char *program)
{
    char header[PATH_MAX + 24], measure[PATH_MAX], out[PATH_MAX], library[ZOID_NESTS_WORD + 2];
    char folder[PATH_MAX + 2], source[PATH_MAX];
    const char *slash = strrchr(nest->path, '/');
    const char *const options[] = {"-std=gnu11",
                                   "-O3",
                                   "-march=native",
                                   "-ffp-contract=off",
                                   "-fopenmp",
                                   "-w",
                                   "-iquote", /* headers of the nest are found from its tiles */
                                   source,
                                   header,
                                   measure,
                                   "-o",
                                   out,
                                   file ? file : folder,
                                   file ? "-lm" : library,
                                   file ? NULL : "-Xlinker",
                                   "-rpath",
                                   "-Xlinker",
                                   nest->folder};
    const char *argv[ZOID_TOOLS_WORDS + sizeof options / sizeof *options + 1] = {NULL};
    const int words = nest->tools->words;

    snprintf(header, sizeof header, "-DZOID_NEST=\"%s/nest.h\"", nest->folder);
    zoid_path(measure, "%s/measure.c", nest->tools->share);
    zoid_path(out, "%s/%s", nest->folder, program);
    snprintf(library, sizeof library, "-l%s", nest->name);
    snprintf(folder, sizeof folder, "-L%s", nest->folder);
    zoid_path(source, "%.*s", slash ? (int)(slash - nest->path) + 1 : 1, slash ? nest->path : ".");
    for (int i = 0; i < words; i++)
        argv[i] = nest->tools->compiler[i];
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        argv[(size_t)words + i] = options[i];
    return zoid_tools_must(nest->folder, nest->path, argv);
}

enum zoid_status zoid_nest_plain(const struct zoid_nest_file *nest)
{
    return build(nest, nest->path, "plain");
}

enum zoid_status zoid_nest_zoid(const struct zoid_nest_file *nest)
{
    return build(nest, NULL, "zoid");
}

/* Returns whether two files have the same bytes after their first lines. */
static bool same_tiles(const char *a, const char *b)
{
    FILE *x = fopen(a, "re"), *y = fopen(b, "re");
    int c = '\n', d = '\n';
    bool same = x && y;

    while (same && (c = getc(x)) != '\n' && c != EOF)
        ;
    while (same && (d = getc(y)) != '\n' && d != EOF)
        ;
    while (same && c != EOF) {
        c = getc(x);
        d = getc(y);
        same = c == d;
    }
    if (x)
        fclose(x);
    if (y)
        fclose(y);
    return same;
}

enum zoid_status zoid_nest_tiled(const struct zoid_nest_file *nest, const char *other,
                                 struct zoid_nest_tiles *t)
{
    char folder[PATH_MAX], file[PATH_MAX], others[PATH_MAX], path[PATH_MAX], text[ZOID_TOOLS_TEXT];
    int code = 0;
    enum zoid_status status;

    zoid_path(folder, "%s/tiles-%s", nest->folder, t->way);
    zoid_path(file, "%s/%s_tiled.c", folder, nest->name);
    zoid_path(others, "%s/tiles-%s/%s_tiled.c", nest->folder, other ? other : "", nest->name);
    status = zoid_tools_run(nest->folder,
                            (const char *const[]){nest->tools->compile, nest->path, "--tiled",
                                                  t->rows, "--tile", t->tile, "--output", folder,
                                                  t->copies ? "--copies" : NULL, NULL},
                            &code);
    t->made = t->same = false;
    if (!status && code) {
        zoid_path(path, "%s/err", nest->folder);
        zoid_tools_read(path, text);
        return t->copies && strstr(text, "no false dependence that hinders")
                   ? ZOID_OK
                   : zoid_tools_complain(nest->folder, nest->tools->compile, nest->path, code);
    }
    if (status)
        return status;
    t->same = other && same_tiles(file, others);
    t->made = !t->same;
    return t->made ? build(nest, file, t->way) : ZOID_OK;
}

enum zoid_status zoid_nest_pluto(const struct zoid_nest_file *nest, const char *polycc,
                                 struct zoid_nest_tiles *t)
{
    char file[PATH_MAX], path[PATH_MAX], text[ZOID_TOOLS_TEXT], source[PATH_MAX], tool[PATH_MAX];
    int code = 0;
    enum zoid_status status;

    if (!realpath(polycc, tool) || access(tool, X_OK))
        return zoid_fail(ZOID_BAD_ARGUMENT, "cannot run %s: %s; name polycc of PLUTO by {pluto}",
                         polycc, strerror(errno));
    if (!realpath(nest->path, source))
        return zoid_fail(ZOID_RESOURCE, "cannot read %s: %s", nest->path, strerror(errno));
    zoid_path(file, "%s/%s_pluto.c", nest->folder, t->way);
    /* It leaves files where it runs. */
    status = zoid_tools_run(nest->folder,
                            (const char *const[]){"sh", "-c", "cd \"$0\" && exec \"$@\"",
                                                  nest->folder, tool, source, "--tile",
                                                  "--parallel", "-o", file, t->rows, NULL},
                            &code);
    if (!status && (code == 126 || code == 127)) /* of sh, which cannot start it */
        return zoid_tools_complain(nest->folder, polycc, nest->path, code);
    t->made = !status && !code && !access(file, R_OK);
    if (status || t->made)
        return status ? status : build(nest, file, t->way);
    zoid_path(path, "%s/err", nest->folder);
    zoid_tools_read(path, text);
    snprintf(t->said, sizeof t->said, "fails with %d: %.*s", code, (int)strcspn(text, "\n"), text);
    return ZOID_OK;
}

/* Sets ZOID_SETTINGS, with those that the user gives last. */
static enum zoid_status set_settings(const char *ours, char **was)
{
    const char *given = getenv("ZOID_SETTINGS");
    char *all = NULL;

    *was = given ? strdup(given) : NULL;
    if ((given && !*was) || asprintf(&all, "%s %s", ours, given ? given : "") < 0)
        return zoid_no_memory();
    setenv("ZOID_SETTINGS", all, 1);
    free(all);
    return ZOID_OK;
}

enum zoid_status zoid_nest_run(const struct zoid_nest_file *nest, const struct zoid_nest_run *run,
                               double *seconds, bool *same)
{
    char path[PATH_MAX], file[PATH_MAX], text[ZOID_TOOLS_TEXT], number[1 + ZOID_AXES][24];
    const char *argv[5 + ZOID_AXES] = {path, run->mode, file, number[0]};
    char *was = NULL;
    int code = 0;
    enum zoid_status status = run->settings ? set_settings(run->settings, &was) : ZOID_OK;

    zoid_path(path, "%s/%s", nest->folder, run->program);
    zoid_path(file, "%s/values", nest->folder);
    snprintf(number[0], sizeof number[0], "%ld", run->steps);
    for (int a = 0; a < nest->axes; a++) {
        snprintf(number[1 + a], sizeof number[1 + a], "%ld", run->n[a]);
        argv[4 + a] = number[1 + a];
    }
    if (!status)
        status = zoid_tools_run(nest->folder, argv, &code);
    if (run->settings && was)
        setenv("ZOID_SETTINGS", was, 1);
    else if (run->settings)
        unsetenv("ZOID_SETTINGS");
    free(was);
    if (status)
        return status;
    zoid_path(path, "%s/out", nest->folder);
    zoid_tools_read(path, text);
    *same = code == 0;
    if (code > 1 || sscanf(text, "%lf", seconds) != 1)
        return zoid_tools_complain(nest->folder, run->program, nest->path, code);
    return ZOID_OK;
}

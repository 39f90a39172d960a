/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators that shared objects and programs add to those of the library. */
#define _GNU_SOURCE /* for dladdr */
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op/tables.h"
#include "codelets/op/wrong_box.h"
#include "runtime/error.h"
#include "runtime/session/family.h"
#include "runtime/session/settings.h"
#include "runtime/session/stencil.h"

/* ---- keys of parameters -------------------------------------------------------------------- */

/* Options that programs have besides settings; tests/test_options.sh takes them from here. */
static const char programs[] =
    " plan plans graph progress porcelain quiet help help_all version what rounds draw device csv "
    "json calibrate options kernel kernels fit test keep several_hosts weak nests nests_scale "
    "pluto ";

static bool is_program_option(const char *key)
{
    char word[64];

    snprintf(word, sizeof word, " %s ", key);
    return strstr(programs, word);
}

/* Returns whether a setting has the key, and no parameter may have it as well. */
static bool is_setting(const char *key)
{
    const char *const *also = zoid_stencil_engine.also;
    const struct zoid_setting *row = zoid_settings_table;

    while (*also && strcmp(*also, key) != 0)
        also++;
    while (row->key && strcmp(row->key, key) != 0)
        row++;
    return row->key && !*also;
}

/* Returns whether parameter i cannot have the key: those before it have theirs. */
static bool is_taken(const struct zoid_op *op, int i, const char *key)
{
    for (int p = 0; p < i; p++)
        if (!strcmp(op->param[p].name, key))
            return true;
    return is_setting(key) || is_program_option(key);
}

enum { KEY = 96 };
/* Keys of the parameters of one operator. */
typedef char keys[ZOID_MAX_PARAMS][KEY];

/* Names a parameter as settings are: in lower case, and with param_ before those of others. */
static enum zoid_status name_param(struct zoid_op *op, int i, char both[KEY])
{
    const char *name = op->param[i].name;
    char *key = both + strlen("param_");

    snprintf(both, KEY, "param_%s", name);
    for (char *c = key; *c; c++)
        *c = (char)(isalnum((unsigned char)*c) ? tolower((unsigned char)*c) : '_');
    if (!isalpha((unsigned char)*key) || is_taken(op, i, key))
        key = both;
    op->param[i].name = key;
    if (!is_taken(op, i, key))
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "operator %s has two parameters that would be the setting %s, one of them %s; "
                     "rename it",
                     op->family, key, name);
}

/* ---- tables -------------------------------------------------------------------------------- */

static const struct zoid_op *find_family(const char *family)
{
    size_t i = 0;

    return zoid_family_next(family, &i);
}

static bool is_within(long n, long least, long most)
{
    return n >= least && n <= most;
}

/* Returns whether blocks can look as far as a stage does, in fields that there are. */
static bool sound_stage(const struct zoid_op *op, const struct zoid_stage *stage)
{
    bool sound = is_within(stage->nreads, 0, ZOID_MAX_READS) && !(stage->writes >> op->nstate);

    for (int i = 0; sound && i < stage->nreads; i++) {
        const struct zoid_read *read = &stage->read[i];

        sound = is_within(read->field, 0, op->nstate + op->ncoef - 1);
        for (int a = 0; a < ZOID_AXES; a++)
            sound = sound && is_within(read->reach.lo[a], 0, ZOID_MAX_REACH) &&
                    is_within(read->reach.hi[a], 0, ZOID_MAX_REACH);
    }
    return sound;
}

/* Returns whether an operator is one that a row of a .def can say. */
static bool is_sound(const struct zoid_op *op)
{
    bool sound = is_within(op->dims, 1, ZOID_AXES) && op->nstate >= 1 && op->ncoef >= 0 &&
                 op->nstate + op->ncoef <= ZOID_MAX_FIELDS &&
                 is_within(op->nstages, 1, ZOID_MAX_STAGES) && op->step >= 1 &&
                 op->nstages % op->step == 0 && is_within(op->nparams, 0, ZOID_MAX_PARAMS) &&
                 is_within(op->ntables, 0, ZOID_MAX_TABLES);

    for (int i = 0; sound && i < op->nstages; i++)
        sound = sound_stage(op, &op->stage[i]);
    return sound;
}

/* Returns whether a stage reads a field. */
static bool reads(const struct zoid_stage *stage, int field)
{
    for (int i = 0; i < stage->nreads; i++)
        if (stage->read[i].field == field)
            return true;
    return false;
}

/* Refuses a stage that carries points from a field that it does not read: blocks would not have
 * them. */
static enum zoid_status check_kept(const char *file, const struct zoid_op *op)
{
    for (int s = 0; s < op->nstages; s++)
        for (int f = 0; f < op->nstate; f++) {
            const int kept = zoid_op_kept(op, s, f);

            if (op->stage[s].writes >> f & 1 && kept != f && !reads(&op->stage[s], kept))
                return zoid_fail(
                    ZOID_BAD_ARGUMENT,
                    "%s has an operator %s: stage %d leaves points of %s as they are in %s, which "
                    "it does not read; add %s to its .read, or set .keeps_own",
                    file, op->name, s, op->field[f], op->field[kept], op->field[kept]);
        }
    return ZOID_OK;
}

static enum zoid_status check_operator(const char *file, const struct zoid_op *op)
{
    const struct zoid_op *other = find_family(op->family);
    const enum zoid_isa best = zoid_isa_best();
    const char *of = other ? zoid_tables_file(other) : NULL;
    struct zoid_wrong_box wrong;

    if (other)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has an operator %s, and so has %s; rename one of them", file,
                         op->family, of ? of : "Zoid itself");
    if (!is_sound(op))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has an operator %s of fields, stages or a reach that there cannot be "
                         "(0 to %d points each way); mend its row",
                         file, op->name, ZOID_MAX_REACH);
    wrong = zoid_wrong_box(op);
    if (wrong.why)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has an operator %s: box %d of stage %d %s; mend "
                         "its row",
                         file, op->name, wrong.box, wrong.stage, wrong.why);
    if (!op->cpu[best])
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has no code for the instruction set %s of this processor; build it "
                         "again with that among the ISAS of zoid_add_operators",
                         file, zoid_isa_name(best));
    return check_kept(file, op);
}

/* Copies the operators, with their parameters' keys. */
static enum zoid_status fill(const struct zoid_table *table, struct zoid_op *ops, keys *key)
{
    enum zoid_status status = ZOID_OK;

    for (size_t i = 0; i < table->n && !status; i++) {
        ops[i] = *table->made_by(i);
        status = check_operator(table->file, &ops[i]);
        for (int p = 0; p < ops[i].nparams && !status; p++)
            status = name_param(&ops[i], p, key[i][p]);
    }
    return status;
}

/* Adds the operators of a file, for ever. */
static enum zoid_status add(const char *file, zoid_table_fn *made_by)
{
    struct zoid_table *table = malloc(sizeof *table);
    char *name = strdup(file);
    struct zoid_op *ops;
    size_t n = 0;
    enum zoid_status status = zoid_no_memory();

    while (made_by(n))
        n++;
    /* Keys follow the operators. */
    ops = calloc(n + 1, sizeof *ops + sizeof(keys));
    if (table && name && ops) {
        *table = (struct zoid_table){.file = name, .made_by = made_by, .n = n, .op = ops};
        status = fill(table, ops, (keys *)(ops + n));
        if (!status && !zoid_tables_add(table))
            status = zoid_fail(ZOID_BAD_ARGUMENT, "%s is one file of operators too many", file);
    }
    if (!status)
        return ZOID_OK;
    free(table);
    free(name);
    free(ops);
    return status;
}

/* Adds a table, unless it is there. One thread at a time does. */
static enum zoid_status add_once(const char *file, zoid_table_fn *made_by)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    enum zoid_status status = ZOID_OK;

    pthread_mutex_lock(&mutex);
    if (!zoid_tables_have(made_by))
        status = add(file, made_by);
    pthread_mutex_unlock(&mutex);
    return status;
}

enum zoid_status zoid_operators_add(const struct zoid_op *(*table)(size_t i))
{
    const struct zoid_op *(*const made_by)(size_t i) = table;
    Dl_info of;
    char *file = NULL;
    enum zoid_status status;

    if (dladdr(*(void *const *)&made_by, &of))
        file = realpath(of.dli_fname, NULL);
    status = add_once(file ? file : "this program", table);
    free(file);
    return status;
}

/* ---- shared objects ------------------------------------------------------------------------ */

/* Returns whether two versions have the same major and minor number. */
static bool same_minor(const char *a, const char *b)
{
    const char *dot = strchr(a, '.');
    const size_t length = dot ? (size_t)(dot + 1 - a) + strcspn(dot + 1, ".") : strlen(a);

    return !strncmp(a, b, length) && (!b[length] || b[length] == '.');
}

static enum zoid_status check_module(const char *file, const struct zoid_module *m)
{
    if (!m)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has no operators; build it by zoid_add_operators(NAME MODULE ROWS "
                         "FILE)",
                         file);
    if (m->abi != ZOID_MODULE_ABI)
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has operators of the ABI %d, and this library takes those of %d; "
                         "build it again",
                         file, m->abi, ZOID_MODULE_ABI);
    if (!same_minor(m->version, zoid_version()) || m->op_bytes != sizeof(struct zoid_op))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s was built for Zoid %s, and this is %s; build it again", file,
                         m->version, zoid_version());
    return ZOID_OK;
}

/* The engine's symbols have the version in their node's name (zoid.map). */
static enum zoid_status refuse(const char *file, const char *why)
{
    if (strstr(why, "ZOID_ADVANCED_"))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s was built for another version of Zoid than this, %s; build it again: "
                         "%s",
                         file, zoid_version(), why);
    return zoid_fail(ZOID_BAD_ARGUMENT, "cannot load operators: %s", why);
}

enum zoid_status zoid_operators_load(const char *path)
{
    /* The loader would look for a name without a slash elsewhere. */
    char *file = realpath(path, NULL);
    const struct zoid_module *about;
    enum zoid_status status;
    void *module;

    if (!file)
        return zoid_fail(ZOID_BAD_ARGUMENT, "cannot load operators: %s: %s", path, strerror(errno));
    module = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!module) {
        status = refuse(path, dlerror());
    } else {
        about = dlsym(module, "zoid_module");
        status = check_module(path, about);
        if (!status)
            status = add_once(file, about->table);
        if (status)
            dlclose(module);
    }
    free(file);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Operators of shared libraries that programs load. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "codelets/op/tables.h"
#include "runtime/session/settings.h"

/* The table of a module (ZoidOperators.cmake). */
#define TABLE "zoid_module_op"

/* The engine's symbols have the version in their node's name (zoid.map). */
static enum zoid_status refuse(const char *path, const char *why)
{
    if (strstr(why, "ZOID_ADVANCED_"))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s was built for another version of Zoid than this, %s; build it again: "
                         "%s",
                         path, zoid_version(), why);
    return zoid_fail(ZOID_BAD_ARGUMENT, "cannot load operators: %s", why);
}

static bool is_taken(const char *family)
{
    const struct zoid_op *op;

    for (size_t i = 0; (op = zoid_op_at(i)); i++)
        if (!strcmp(op->family, family))
            return true;
    return false;
}

static enum zoid_status check_operator(const char *path, const struct zoid_op *op)
{
    if (is_taken(op->family))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has an operator %s, and there is another one of that name; rename it",
                         path, op->family);
    for (int p = 0; p < op->nparams; p++)
        if (zoid_settings_find(op->param[p].name))
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "operator %s of %s has a parameter %s, and there is a setting of that "
                             "name; rename the parameter",
                             op->family, path, op->param[p].name);
    return ZOID_OK;
}

static enum zoid_status add(const char *path, zoid_table_fn *table)
{
    enum zoid_status status = ZOID_OK;
    const struct zoid_op *op;

    if (table && zoid_tables_have(table))
        return ZOID_OK;
    if (!table || !table(0))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s has no operators; build it by zoid_add_operators(NAME MODULE ROWS "
                         "FILE)",
                         path);
    for (size_t i = 0; !status && (op = table(i)); i++)
        status = check_operator(path, op);
    if (!status && !zoid_tables_add(table))
        status = zoid_fail(ZOID_BAD_ARGUMENT, "%s is one file of operators too many", path);
    return status;
}

enum zoid_status zoid_operators_load(const char *path)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    zoid_table_fn *table;
    enum zoid_status status;
    /* The loader would look for a name without a slash elsewhere. */
    char *file = realpath(path, NULL);
    void *module;

    if (!file)
        return zoid_fail(ZOID_BAD_ARGUMENT, "cannot load operators: %s: %s", path, strerror(errno));
    pthread_mutex_lock(&mutex);
    module = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (module) {
        *(void **)&table = dlsym(module, TABLE);
        status = add(path, table);
        if (status)
            dlclose(module);
    } else {
        status = refuse(path, dlerror());
    }
    pthread_mutex_unlock(&mutex);
    free(file);
    return status;
}

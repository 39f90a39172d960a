/* SPDX-License-Identifier: BSD-3-Clause */
/* What is asked of a run, by key: settings.def as a struct and as a table. */
#ifndef ZOID_RUNTIME_SESSION_SETTINGS_H
#define ZOID_RUNTIME_SESSION_SETTINGS_H

#include "runtime/session/number.h"
#include "runtime/session/setting.h"

/* Groups are listed in zoid_program.h. */
#define ZOID_GROUP_EXTERN(group, title) extern const struct zoid_setting_group zoid_group_##group;
ZOID_SETTING_GROUPS(ZOID_GROUP_EXTERN)

/* Values of `solver`. */
enum zoid_solver { ZOID_JACOBI, ZOID_SOR, ZOID_RBSOR, ZOID_MLSOR, ZOID_SSOR };

/* Values of `mean`. */
enum zoid_mean { ZOID_HARMONIC, ZOID_ARITHMETIC };

/* A parameter of an operator that was set. */
struct zoid_setting_param {
    const char *name; /* the operator's */
    double value;
};

/* Plain data but for what types own; zoid_settings_open makes it, zoid_settings_close frees it. */
struct zoid_settings {
#define ZOID_SETTING(key, TYPE, ...) ZOID_SETTING_MEMBER(key, TYPE)
#define ZOID_SPELLING(...)
#include "runtime/session/settings.def"
#undef ZOID_SETTING
#undef ZOID_SPELLING
    int nparams;
    struct zoid_setting_param param[ZOID_MAX_PARAMS];
};

/* All rows, those of settings.def and the spellings; a row with a NULL key ends them. */
extern const struct zoid_setting zoid_settings_table[];
/* NULL: there is none with that key, which may have dashes for underscores. */
const struct zoid_setting *zoid_settings_find(const char *key);
/* A row for a parameter of operators: the type REAL, stored by name. */
struct zoid_setting zoid_settings_param(const char *name, const char *doc);

enum zoid_status zoid_settings_open(struct zoid_settings *settings);
void zoid_settings_close(struct zoid_settings *settings);
/* Sets a key by the text of a command line. ZOID_BAD_ARGUMENT: no such key; or as
 * zoid_setting_set. */
enum zoid_status zoid_settings_set(struct zoid_settings *settings, const char *key,
                                   const char *text);

/* Forgets the fields and the shape that init names: the state comes from elsewhere. */
void zoid_settings_forget_state(struct zoid_settings *settings);
/* Get the distance of points along each axis; default: 1. */
void zoid_settings_spacing(const struct zoid_settings *settings, double spacing[ZOID_AXES]);
/* Return the units of numbers of the domain. */
struct zoid_units zoid_settings_units(const struct zoid_settings *settings);
const char *zoid_init_name(enum zoid_init kind);
const char *zoid_solver_name(enum zoid_solver solver);

/* The settings and parameters that were set, as a JSON object {key: value}, to be freed; NULL: out
 * of memory. */
char *zoid_settings_given(const struct zoid_settings *settings);

/* All settings and parameters of operators as a JSON array of objects, to be freed; NULL: out of
 * memory. */
char *zoid_settings_make_json(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* A setting is a row of a table: a key, a type, limits, a default, a line of documentation, and
 * where its value lies in the object that the table is of. Tables are expanded from .def files of
 *
 *     ZOID_SETTING(key, TYPE, group, default, limits, flags, value, doc, detail)
 *
 * (settings.def, and those of programs), with the macros at the end of this header. */
#ifndef ZOID_RUNTIME_SESSION_SETTING_H
#define ZOID_RUNTIME_SESSION_SETTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/zoid_advanced.h"

/* Exactly one of the first four. */
enum zoid_setting_flags {
    ZOID_SAME = 1 << 0,     /* defines the result: stored in checkpoints, must agree on restart */
    ZOID_TOTAL = 1 << 1,    /* stored; a restart may change it */
    ZOID_FREE = 1 << 2,     /* of speed or outputs: never stored */
    ZOID_CLI = 1 << 3,      /* of programs: no meaning in a library */
    ZOID_LATE = 1 << 4,     /* may be changed after the start */
    ZOID_MANY = 1 << 5,     /* values accumulate */
    ZOID_ADVANCED = 1 << 6, /* listed by --help-all alone */
    ZOID_COMPOUND = 1 << 7  /* a spelling of programs that sets other keys */
};

/* Rows of a group stand together under its title in --help and in docs/options.md. */
struct zoid_setting_group {
    const char *name, *title;
    unsigned bit;
};

struct zoid_limits {
    uint64_t least, most; /* of whole numbers */
    const char *above;    /* a real number must be above 0: how one that is not is called */
    const char *like;     /* an example of a value, for messages; or NULL */
};
struct zoid_setting_type;

struct zoid_setting {
    const char *key;
    const struct zoid_setting_type *type;
    const char *(*name)(size_t i); /* of types that name values: the i-th, NULL after the last */
    const char *const *list;       /* those of them that are allowed, up to a NULL; NULL: all */
    const struct zoid_setting_group *group;
    const char *fallback; /* the text that would set the default; NULL: chosen later, as doc says */
    struct zoid_limits limits;
    unsigned flags;
    const char *value, *doc, *detail; /* the value in --help, NULL: none; a line; more, or NULL */
    size_t at, has; /* offsets in the object: of the value; of a bool, whether it was set */
};

/* What a type does; nothing else tells types apart. `value` is in the object, at row->at. */
/* What the canonical text of a value is in JSON; a number that is none, as `auto`, is a string. */
enum zoid_setting_form {
    ZOID_FORM_TEXT,
    ZOID_FORM_WHOLE,
    ZOID_FORM_REAL,
    ZOID_FORM_AXES, /* a text there */
    ZOID_FORM_FLAG,
    ZOID_FORM_LIST /* of its lines */
};

struct zoid_setting_type {
    const char *name; /* in JSON */
    enum zoid_setting_form form;
    /* Reads a text; NULL: there was none, as of a flag. ZOID_BAD_ARGUMENT leaves the value alone.
     */
    enum zoid_status (*set)(const struct zoid_setting *row, const char *text, void *value);
    /* Prints the canonical text of a value; NULL: what was set is kept as it is. */
    void (*print)(const struct zoid_setting *row, const void *value, FILE *out);
    /* Frees what the value owns and makes it all zeros; NULL: it owns nothing. */
    void (*clear)(void *value);
    size_t size; /* of a value without `clear` */
};

/* Sets the value of a row in its object. ZOID_BAD_ARGUMENT: the text is no value of the row's type
 * or outside its limits; the message names the key. */
enum zoid_status zoid_setting_set(const struct zoid_setting *row, const char *text, void *object);
/* Whether it was set, rather than being the default. */
bool zoid_setting_has(const struct zoid_setting *row, const void *object);
/* The canonical text of its value, to be freed; NULL: out of memory, or there is none. */
char *zoid_setting_text(const struct zoid_setting *row, const void *object);
/* Sets a value to its default, and notes that it was not set. */
enum zoid_status zoid_setting_reset(const struct zoid_setting *row, void *object);
/* Finds the face that `length` bytes of a text name, as z-. False: another text. */
bool zoid_setting_face(const char *text, size_t length, int *axis, int *side);
/* Writes a number with as few digits as tell it apart. */
void zoid_setting_print_real(double value, char *text, size_t room);
/* Sets n rows of an object of zeros to their defaults; and frees what their values own. */
enum zoid_status zoid_setting_defaults(const struct zoid_setting *rows, size_t n, void *object);
void zoid_setting_clear(const struct zoid_setting *rows, size_t n, void *object);

/* ---- values of types, as they lie in an object --------------------------------------------- */

/* One after another, owned. */
struct zoid_setting_texts {
    int n;
    char **text;
};

struct zoid_setting_axes {
    long n[ZOID_AXES];
    int axes; /* number of axes that were named; 0: none */
};

struct zoid_setting_slice {
    int axis;
    long at;       /* index of the plane; -1: */
    double metres; /* its position */
};

struct zoid_setting_faces {
    unsigned char face[ZOID_AXES][ZOID_SIDES]; /* enum zoid_boundary */
    int named;                                 /* axes up to the last one with a face of its own */
};

/* The value of each kind of workers, by enum zoid_place_kind. */
struct zoid_setting_by_kind {
    int of[ZOID_ANY];
    bool named[ZOID_ANY];
};

/* A kind of initial state, or a shape of all state fields, and values of single fields. */
struct zoid_setting_init {
    int kind;   /* enum zoid_init */
    bool named; /* it, or a shape, was asked for */
    char *all;  /* that shape, or NULL */
    struct zoid_setting_texts fields;
};

struct zoid_setting_count_or {
    bool automatic;
    long value;
};

struct zoid_setting_real_or {
    bool automatic;
    double value;
};

/* ---- types --------------------------------------------------------------------------------- */

/* Most texts of a list, and of those FIELD=VALUE. */
enum { ZOID_MOST_TEXTS = 64, ZOID_MAX_GIVEN = 2 * ZOID_MAX_FIELDS };

extern const struct zoid_setting_type zoid_type_flag, zoid_type_count, zoid_type_unsigned,
    zoid_type_bytes, zoid_type_real, zoid_type_length, zoid_type_seconds, zoid_type_enum,
    zoid_type_by_kind, zoid_type_choice, zoid_type_method, zoid_type_or_COUNT, zoid_type_or_REAL,
    zoid_type_or_DURATION, zoid_type_axes, zoid_type_slice, zoid_type_faces, zoid_type_path,
    zoid_type_text, zoid_type_value, zoid_type_fields, zoid_type_lines, zoid_type_operators,
    zoid_type_init, zoid_type_init_kind;

/* The columns limits and TYPE as initializers; a type has two, itself and its names. */
#define ZOID_LIMITS_ANY    \
    {                      \
        .most = UINT64_MAX \
    }
#define ZOID_LIMITS_RANGE(from, to)   \
    {                                 \
        .least = (from), .most = (to) \
    }
#define ZOID_LIMITS_ABOVE_0(called) \
    {                               \
        .above = (called)           \
    }
#define ZOID_LIMITS_LIKE(example)             \
    {                                         \
        .most = UINT64_MAX, .like = (example) \
    }

#define ZOID_TYPE_FLAG &zoid_type_flag, NULL
#define ZOID_TYPE_COUNT &zoid_type_count, NULL
#define ZOID_TYPE_UNSIGNED &zoid_type_unsigned, NULL
#define ZOID_TYPE_BYTES &zoid_type_bytes, NULL
#define ZOID_TYPE_REAL &zoid_type_real, NULL
#define ZOID_TYPE_LENGTH &zoid_type_length, NULL
#define ZOID_TYPE_SECONDS &zoid_type_seconds, NULL
#define ZOID_TYPE_ENUM(names) &zoid_type_enum, names
#define ZOID_TYPE_BY_KIND(names) &zoid_type_by_kind, names
#define ZOID_TYPE_CHOICE(names) &zoid_type_choice, names
#define ZOID_TYPE_METHOD &zoid_type_method, NULL
#define ZOID_TYPE_OR(T, word) &zoid_type_or_##T, NULL
#define ZOID_TYPE_AXES &zoid_type_axes, NULL
#define ZOID_TYPE_SLICE &zoid_type_slice, NULL
#define ZOID_TYPE_FACES_OF(names) &zoid_type_faces, names
#define ZOID_TYPE_PATH &zoid_type_path, NULL
#define ZOID_TYPE_TEXT &zoid_type_text, NULL
#define ZOID_TYPE_VALUE &zoid_type_value, NULL
#define ZOID_TYPE_FIELDS &zoid_type_fields, NULL
#define ZOID_TYPE_LINES &zoid_type_lines, NULL
#define ZOID_TYPE_OPERATORS &zoid_type_operators, NULL
#define ZOID_TYPE_INIT_OF(names) &zoid_type_init, names

#define ZOID_STORE_FLAG bool
#define ZOID_STORE_COUNT long
#define ZOID_STORE_UNSIGNED uint64_t
#define ZOID_STORE_BYTES uint64_t
#define ZOID_STORE_REAL double
#define ZOID_STORE_LENGTH double
#define ZOID_STORE_SECONDS double
#define ZOID_STORE_ENUM(names) int
#define ZOID_STORE_BY_KIND(names) struct zoid_setting_by_kind
#define ZOID_STORE_CHOICE(names) char *
#define ZOID_STORE_METHOD char *
#define ZOID_STORE_OR(T, word) ZOID_STORE_OR_##T
#define ZOID_STORE_OR_COUNT struct zoid_setting_count_or
#define ZOID_STORE_OR_REAL struct zoid_setting_real_or
#define ZOID_STORE_OR_DURATION struct zoid_setting_real_or
#define ZOID_STORE_AXES struct zoid_setting_axes
#define ZOID_STORE_SLICE struct zoid_setting_slice
#define ZOID_STORE_FACES_OF(names) struct zoid_setting_faces
#define ZOID_STORE_PATH char *
#define ZOID_STORE_TEXT char *
#define ZOID_STORE_VALUE char *
#define ZOID_STORE_FIELDS struct zoid_setting_texts
#define ZOID_STORE_LINES struct zoid_setting_texts
#define ZOID_STORE_OPERATORS struct zoid_setting_texts
#define ZOID_STORE_INIT_OF(names) struct zoid_setting_init

/* A row as members of its object; as an element of its table; and that its flags are sound. */
#define ZOID_SETTING_MEMBER(key, TYPE) \
    ZOID_STORE_##TYPE key;             \
    bool has_##key;
#define ZOID_SETTING_ROW(object, key, TYPE, group, fallback, limits, flags, value, doc, detail) \
    {#key,                                                                                      \
     ZOID_TYPE_##TYPE,                                                                          \
     NULL,                                                                                      \
     &zoid_group_##group,                                                                       \
     fallback,                                                                                  \
     ZOID_LIMITS_##limits,                                                                      \
     flags,                                                                                     \
     value,                                                                                     \
     doc,                                                                                       \
     detail,                                                                                    \
     offsetof(object, key),                                                                     \
     offsetof(object, has_##key)},
#define ZOID_SETTING_SOUND(key, flags)                                 \
    _Static_assert(!((flags)&15 & (((flags)&15) - 1)) && ((flags)&15), \
                   #key ": one of SAME, TOTAL, FREE, CLI");

#endif

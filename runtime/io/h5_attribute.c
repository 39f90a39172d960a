/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdlib.h>
#include <string.h>

#include "runtime/io/h5_file.h"

/* Values in memory, and their type in the file. */
struct values {
    int n;
    hid_t memory, kept;
    const void *at;
};

/* Attributes of the file are those of its root group. */
static hid_t open_owner(const struct zoid_h5 *file, const char *of)
{
    return H5Oopen(file->id, *of ? of : "/", H5P_DEFAULT);
}

static bool replace(hid_t owner, const char *name, hid_t space, const struct values *v,
                    hid_t *attribute)
{
    if (H5Aexists(owner, name) > 0 && H5Adelete(owner, name) < 0)
        return false;
    *attribute = H5Acreate2(owner, name, v->kept, space, H5P_DEFAULT, H5P_DEFAULT);
    return *attribute >= 0 && H5Awrite(*attribute, v->memory, v->at) >= 0;
}

static enum zoid_status put(struct zoid_h5 *file, const char *of, const char *name,
                            const struct values *v)
{
    const hsize_t n = (hsize_t)v->n;
    enum zoid_status status = ZOID_OK;
    hid_t owner, space, attribute = -1;

    zoid_h5_enter();
    space = n == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &n, NULL);
    owner = open_owner(file, of);
    if (owner < 0 || !replace(owner, name, space, v, &attribute))
        status = zoid_h5_fail(file, name);
    if (attribute >= 0)
        H5Aclose(attribute);
    if (owner >= 0)
        H5Oclose(owner);
    if (space >= 0)
        H5Sclose(space);
    zoid_h5_leave();
    return status;
}

enum zoid_status zoid_h5_put_longs(struct zoid_h5 *file, const char *of, const char *name, int n,
                                   const long *values)
{
    const struct values v = {
        .n = n, .memory = H5T_NATIVE_LONG, .kept = H5T_STD_I64LE, .at = values};

    return put(file, of, name, &v);
}

enum zoid_status zoid_h5_put_doubles(struct zoid_h5 *file, const char *of, const char *name, int n,
                                     const double *values)
{
    const struct values v = {
        .n = n, .memory = H5T_NATIVE_DOUBLE, .kept = H5T_IEEE_F64LE, .at = values};

    return put(file, of, name, &v);
}

enum zoid_status zoid_h5_put_text(struct zoid_h5 *file, const char *of, const char *name,
                                  const char *text)
{
    struct values v = {.n = 1, .at = &text};
    enum zoid_status status;

    zoid_h5_enter();
    v.memory = v.kept = H5Tcopy(H5T_C_S1);
    H5Tset_size(v.kept, H5T_VARIABLE); /* h5py reads other texts as bytes */
    H5Tset_cset(v.kept, H5T_CSET_UTF8);
    zoid_h5_leave();
    status = put(file, of, name, &v);
    zoid_h5_enter();
    H5Tclose(v.kept);
    zoid_h5_leave();
    return status;
}

/* ---- getting ----------------------------------------------------------------------------- */

struct open_attribute {
    hid_t owner, id, type;
    H5T_class_t class;
    long n;
};

static void open_attribute(const struct zoid_h5 *file, const char *of, const char *name,
                           struct open_attribute *a)
{
    hid_t space;

    *a = (struct open_attribute){.owner = open_owner(file, of), .id = -1, .type = -1, .n = -1};
    if (a->owner < 0 || H5Aexists(a->owner, name) <= 0)
        return;
    a->id = H5Aopen(a->owner, name, H5P_DEFAULT);
    if (a->id < 0)
        return;
    a->type = H5Aget_type(a->id);
    a->class = a->type < 0 ? H5T_NO_CLASS : H5Tget_class(a->type);
    space = H5Aget_space(a->id);
    if (space >= 0) {
        a->n = (long)H5Sget_simple_extent_npoints(space);
        H5Sclose(space);
    }
}

static void close_attribute(struct open_attribute *a)
{
    if (a->type >= 0)
        H5Tclose(a->type);
    if (a->id >= 0)
        H5Aclose(a->id);
    if (a->owner >= 0)
        H5Oclose(a->owner);
}

bool zoid_h5_has(struct zoid_h5 *file, const char *of, const char *name)
{
    struct open_attribute a;

    zoid_h5_enter();
    open_attribute(file, of, name, &a);
    close_attribute(&a);
    zoid_h5_leave();
    return a.id >= 0;
}

static enum zoid_status missing(const struct zoid_h5 *file, const char *of, const char *name,
                                const char *what)
{
    return zoid_fail(ZOID_BAD_ARGUMENT, "%s%s%s has no attribute %s that is %s; name another file",
                     of, *of ? " of " : "", file->called, name, what);
}

static enum zoid_status get(struct zoid_h5 *file, const char *of, const char *name,
                            const struct values *v, void *to)
{
    const H5T_class_t wanted = H5Tget_class(v->memory);
    struct open_attribute a;
    enum zoid_status status = ZOID_OK;
    char what[32];

    snprintf(what, sizeof what, "%d number%s", v->n, v->n == 1 ? "" : "s");
    zoid_h5_enter();
    open_attribute(file, of, name, &a);
    if (a.id < 0 || a.class != wanted || a.n != v->n)
        status = missing(file, of, name, what);
    else if (H5Aread(a.id, v->memory, to) < 0)
        status = zoid_h5_fail(file, name);
    close_attribute(&a);
    zoid_h5_leave();
    return status;
}

enum zoid_status zoid_h5_get_longs(struct zoid_h5 *file, const char *of, const char *name, int n,
                                   long *values)
{
    const struct values v = {.n = n, .memory = H5T_NATIVE_LONG};

    return get(file, of, name, &v, values);
}

enum zoid_status zoid_h5_get_doubles(struct zoid_h5 *file, const char *of, const char *name, int n,
                                     double *values)
{
    const struct values v = {.n = n, .memory = H5T_NATIVE_DOUBLE};

    return get(file, of, name, &v, values);
}

/* Text of any length or, as others may write it, of a fixed length. NULL: it cannot be read; the
 * caller frees it. */
static char *read_text(const struct open_attribute *a)
{
    const hid_t type = H5Tcopy(a->type);
    const size_t length = H5Tget_size(a->type);
    char *text = NULL;

    if (H5Tis_variable_str(a->type) > 0) {
        char *theirs = NULL;

        if (H5Aread(a->id, type, &theirs) >= 0 && theirs)
            text = strdup(theirs);
        H5free_memory(theirs);
    } else if ((text = calloc(1, length + 1)) && H5Aread(a->id, type, text) < 0) {
        free(text);
        text = NULL;
    }
    H5Tclose(type);
    return text;
}

enum zoid_status zoid_h5_get_text(struct zoid_h5 *file, const char *of, const char *name,
                                  size_t size, char *to)
{
    struct open_attribute a;
    enum zoid_status status = ZOID_OK;
    char *text = NULL;

    zoid_h5_enter();
    open_attribute(file, of, name, &a);
    if (a.id >= 0 && a.class == H5T_STRING && a.n == 1)
        text = read_text(&a);
    if (!text || strlen(text) >= size)
        status = missing(file, of, name, "a text, or not too long a one");
    else
        strcpy(to, text);
    free(text);
    close_attribute(&a);
    zoid_h5_leave();
    return status;
}

/* ---- listing ----------------------------------------------------------------------------- */

enum zoid_status zoid_h5_group(struct zoid_h5 *file, const char *name)
{
    enum zoid_status status = ZOID_OK;
    hid_t group;

    zoid_h5_enter();
    group = H5Gcreate2(file->id, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0)
        status = zoid_h5_fail(file, name);
    else
        H5Gclose(group);
    zoid_h5_leave();
    return status;
}

long zoid_h5_attributes(struct zoid_h5 *file, const char *of)
{
    H5O_info_t about;
    hid_t owner;
    long n = 0;

    zoid_h5_enter();
    owner = open_owner(file, of);
    if (owner >= 0 && H5Oget_info2(owner, &about, H5O_INFO_NUM_ATTRS) >= 0)
        n = (long)about.num_attrs;
    if (owner >= 0)
        H5Oclose(owner);
    zoid_h5_leave();
    return n;
}

enum zoid_status zoid_h5_attribute_at(struct zoid_h5 *file, const char *of, long i,
                                      struct zoid_h5_attribute *attribute)
{
    struct open_attribute a = {.id = -1};
    enum zoid_status status = ZOID_OK;
    hid_t owner;
    ssize_t length = -1;

    zoid_h5_enter();
    owner = open_owner(file, of);
    if (owner >= 0)
        length = H5Aget_name_by_idx(owner, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i,
                                    attribute->name, sizeof attribute->name, H5P_DEFAULT);
    if (length < 0 || length >= (ssize_t)sizeof attribute->name) {
        status = zoid_h5_fail(file, of);
    } else {
        open_attribute(file, of, attribute->name, &a);
        attribute->kind = a.class == H5T_INTEGER ? 'i' : a.class == H5T_FLOAT ? 'f' : 's';
        attribute->n = (int)a.n;
        close_attribute(&a);
    }
    if (owner >= 0)
        H5Oclose(owner);
    zoid_h5_leave();
    return status;
}

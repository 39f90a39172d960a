/* SPDX-License-Identifier: BSD-3-Clause */
/* A build without HDF5: no file is ever open. */
#include "runtime/io/h5.h"

static enum zoid_status none(const char *what)
{
    return zoid_fail(ZOID_RESOURCE,
                     "%s: this build has no HDF5; give .npy or raw files, or build Zoid where "
                     "libhdf5 and libxxhash are",
                     what);
}

const char *zoid_h5_version(void)
{
    return NULL;
}

uint64_t zoid_h5_sum(const void *bytes, size_t count)
{
    (void)bytes;
    return count;
}

enum zoid_status zoid_h5_open(const char *path, const char *called, enum zoid_h5_use use,
                              struct zoid_h5 **file)
{
    (void)path, (void)use, (void)file;
    return none(called);
}

enum zoid_status zoid_h5_close(struct zoid_h5 **file)
{
    (void)file;
    return ZOID_OK;
}

long zoid_h5_count(const struct zoid_h5 *file)
{
    (void)file;
    return 0;
}

enum zoid_status zoid_h5_at(struct zoid_h5 *file, long i, struct zoid_h5_dataset *dataset)
{
    (void)file, (void)i, (void)dataset;
    return none("a dataset");
}

enum zoid_status zoid_h5_find(struct zoid_h5 *file, const char *name,
                              struct zoid_h5_dataset *dataset)
{
    (void)file, (void)dataset;
    return none(name);
}

enum zoid_status zoid_h5_add(struct zoid_h5 *file, const struct zoid_h5_dataset *dataset,
                             long *offset)
{
    (void)file, (void)offset;
    return none(dataset->name);
}

enum zoid_status zoid_h5_scale(struct zoid_h5 *file, const char *scale, long n, double step)
{
    (void)file, (void)n, (void)step;
    return none(scale);
}

enum zoid_status zoid_h5_attach(struct zoid_h5 *file, const char *dataset, int axis,
                                const char *scale)
{
    (void)file, (void)axis, (void)scale;
    return none(dataset);
}

enum zoid_status zoid_h5_read(struct zoid_h5 *file, const char *dataset,
                              const struct zoid_h5_part *part, void *to)
{
    (void)file, (void)part, (void)to;
    return none(dataset);
}

enum zoid_status zoid_h5_write(struct zoid_h5 *file, const char *dataset,
                               const struct zoid_h5_part *part, const void *from)
{
    (void)file, (void)part, (void)from;
    return none(dataset);
}

enum zoid_status zoid_h5_put_longs(struct zoid_h5 *file, const char *of, const char *name, int n,
                                   const long *values)
{
    (void)file, (void)of, (void)n, (void)values;
    return none(name);
}

enum zoid_status zoid_h5_put_doubles(struct zoid_h5 *file, const char *of, const char *name, int n,
                                     const double *values)
{
    (void)file, (void)of, (void)n, (void)values;
    return none(name);
}

enum zoid_status zoid_h5_put_text(struct zoid_h5 *file, const char *of, const char *name,
                                  const char *text)
{
    (void)file, (void)of, (void)text;
    return none(name);
}

bool zoid_h5_has(struct zoid_h5 *file, const char *of, const char *name)
{
    (void)file, (void)of, (void)name;
    return false;
}

enum zoid_status zoid_h5_get_longs(struct zoid_h5 *file, const char *of, const char *name, int n,
                                   long *values)
{
    (void)file, (void)of, (void)n, (void)values;
    return none(name);
}

enum zoid_status zoid_h5_get_doubles(struct zoid_h5 *file, const char *of, const char *name, int n,
                                     double *values)
{
    (void)file, (void)of, (void)n, (void)values;
    return none(name);
}

enum zoid_status zoid_h5_get_text(struct zoid_h5 *file, const char *of, const char *name,
                                  size_t size, char *text)
{
    (void)file, (void)of, (void)size, (void)text;
    return none(name);
}

enum zoid_status zoid_h5_group(struct zoid_h5 *file, const char *name)
{
    (void)file;
    return none(name);
}

long zoid_h5_attributes(struct zoid_h5 *file, const char *of)
{
    (void)file, (void)of;
    return 0;
}

enum zoid_status zoid_h5_attribute_at(struct zoid_h5 *file, const char *of, long i,
                                      struct zoid_h5_attribute *attribute)
{
    (void)file, (void)i, (void)attribute;
    return none(of);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5 files: their contents, and contiguous datasets, whose values can also be written and read
 * without the library, at their offsets. In a build without HDF5 the same functions fail with
 * ZOID_RESOURCE and name the missing library.
 *
 * Messages name the file and the dataset. Thread-safe: a lock protects the library. All values are
 * written little-endian; they are read in any byte order. */
#ifndef ZOID_RUNTIME_IO_H5_H
#define ZOID_RUNTIME_IO_H5_H

#include <stdbool.h>

#include "runtime/io/element.h"
#include "runtime/zoid.h"

/* Version of the library; NULL: this build has no HDF5. */
const char *zoid_h5_version(void);

/* Checksum (XXH3-64) of `count` bytes, which files store with the data. Without HDF5 it is
 * `count`. */
uint64_t zoid_h5_sum(const void *bytes, size_t count);

struct zoid_h5;

/* Access to a file. NEW: its contents are dropped. */
enum zoid_h5_use { ZOID_H5_READ, ZOID_H5_CHANGE, ZOID_H5_NEW };

/* Open the file at `path`, which may be /proc/self/fd/N; messages call it `called`. Neither string
 * needs to outlive the call. ZOID_RESOURCE: it cannot be read or written. ZOID_BAD_ARGUMENT: not
 * HDF5, or damaged; opened to be written, that may be ZOID_RESOURCE as well. */
enum zoid_status zoid_h5_open(const char *path, const char *called, enum zoid_h5_use use,
                              struct zoid_h5 **file);
/* Write all data that are not yet in the file, and close it; accepts NULL in *file, which is NULL
 * afterwards in any case. Values written to their offsets without the library stay. */
enum zoid_status zoid_h5_close(struct zoid_h5 **file);

/* A dataset. Names are paths from the root, without its slash: "u", "model/v2". */
struct zoid_h5_dataset {
    const char *name;
    int axes;               /* 0: one value; more than ZOID_FILE_AXES: too many to be read */
    long n[ZOID_FILE_AXES]; /* the slowest axis first */
    struct zoid_element element;
    bool scale; /* dimension scale: the coordinates of an axis of other datasets */
    /* Offset in the file of the first value, if the dataset is contiguous; -1: it is not
     * (compressed, for instance), or is in another file. */
    long offset;
};

/* Number of datasets that the file had when it was opened, in groups as well, by name; and the i-th
 * one. Its name is valid while the file is open. */
long zoid_h5_count(const struct zoid_h5 *file);
enum zoid_status zoid_h5_at(struct zoid_h5 *file, long i, struct zoid_h5_dataset *dataset);
/* The dataset of a name; dataset->name is the caller's string. ZOID_BAD_ARGUMENT: there is no such
 * dataset; the message lists the existing ones. */
enum zoid_status zoid_h5_find(struct zoid_h5 *file, const char *name,
                              struct zoid_h5_dataset *dataset);

/* Add a contiguous dataset with the name, axes, n and element's kind and size of `dataset`. Its
 * bytes, from *offset on, are allocated at once and not initialised. Those of 4096 bytes and more
 * begin at a multiple of 4096. */
enum zoid_status zoid_h5_add(struct zoid_h5 *file, const struct zoid_h5_dataset *dataset,
                             long *offset);
/* Add the coordinates of an axis, i · step for each of its n points, as a dataset (dimension
 * scale), unless it exists. */
enum zoid_status zoid_h5_scale(struct zoid_h5 *file, const char *scale, long n, double step);
/* Attach these coordinates to axis `axis` of the dataset; 0 is the slowest. */
enum zoid_status zoid_h5_attach(struct zoid_h5 *file, const char *dataset, int axis,
                                const char *scale);

/* The values of the box [lo, hi), the slowest axis first, packed, as elements of this machine; the
 * element's kind must be the dataset's. */
struct zoid_h5_part {
    long lo[ZOID_FILE_AXES], hi[ZOID_FILE_AXES];
    struct zoid_element element;
};

enum zoid_status zoid_h5_read(struct zoid_h5 *file, const char *dataset,
                              const struct zoid_h5_part *part, void *to);
enum zoid_status zoid_h5_write(struct zoid_h5 *file, const char *dataset,
                               const struct zoid_h5_part *part, const void *from);

/* Create an empty group. */
enum zoid_status zoid_h5_group(struct zoid_h5 *file, const char *name);

/* Attributes of the dataset or group `of` or, if that is "", of the file. Put replaces an attribute
 * of that name. Get fails with ZOID_BAD_ARGUMENT if there is no attribute of that name with n
 * values of that type, or if its text has more than `size` - 1 bytes. */
enum zoid_status zoid_h5_put_longs(struct zoid_h5 *file, const char *of, const char *name, int n,
                                   const long *values);
enum zoid_status zoid_h5_put_doubles(struct zoid_h5 *file, const char *of, const char *name, int n,
                                     const double *values);
enum zoid_status zoid_h5_put_text(struct zoid_h5 *file, const char *of, const char *name,
                                  const char *text);
bool zoid_h5_has(struct zoid_h5 *file, const char *of, const char *name);
enum zoid_status zoid_h5_get_longs(struct zoid_h5 *file, const char *of, const char *name, int n,
                                   long *values);
enum zoid_status zoid_h5_get_doubles(struct zoid_h5 *file, const char *of, const char *name, int n,
                                     double *values);
enum zoid_status zoid_h5_get_text(struct zoid_h5 *file, const char *of, const char *name,
                                  size_t size, char *text);

struct zoid_h5_attribute {
    char name[96];
    char kind; /* 'i' integers, 'f' floats, 's' any other, as a text */
    int n;     /* number of values */
};

/* Return the number of attributes of `of`, 0 if there is no such object; describe the i-th one, by
 * name. */
long zoid_h5_attributes(struct zoid_h5 *file, const char *of);
enum zoid_status zoid_h5_attribute_at(struct zoid_h5 *file, const char *of, long i,
                                      struct zoid_h5_attribute *attribute);

#endif

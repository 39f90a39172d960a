/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5 files: what is in them, and datasets whose values lie one after the other in the file, so
 * that anybody who knows where may write and read them by himself. A build without HDF5 has the
 * same functions, which fail with ZOID_RESOURCE and say what is missing.
 *
 * Messages name the file and the dataset. May be called from any thread: the library takes turns.
 * All values in files are little-endian; they are read from any order. */
#ifndef ZOID_RUNTIME_IO_H5_H
#define ZOID_RUNTIME_IO_H5_H

#include "runtime/io/element.h"
#include "runtime/zoid.h"

/* The library's version; NULL: this build has none. */
const char *zoid_h5_version(void);

/* The XXH3-64 of some bytes, which files carry beside what they are to prove. */
uint64_t zoid_h5_sum(const void *bytes, size_t count);

struct zoid_h5;

/* How a file is opened. NEW: whatever it holds is dropped. */
enum zoid_h5_use { ZOID_H5_READ, ZOID_H5_CHANGE, ZOID_H5_NEW };

/* `path` is opened; it may be /proc/self/fd/N. `called` is what messages call it; both are copied.
 * ZOID_RESOURCE: it cannot be read or written. ZOID_BAD_ARGUMENT: it is no HDF5 file, or a damaged
 * one. */
enum zoid_status zoid_h5_open(const char *path, const char *called, enum zoid_h5_use use,
                              struct zoid_h5 **file);
/* Writes what is not yet in the file; accepts NULL in *file, which is NULL afterwards in any case.
 * Values that others have put at their offsets stay. */
enum zoid_status zoid_h5_close(struct zoid_h5 **file);

/* A dataset. Names are paths from the root, without its slash: "u", "model/v2". */
struct zoid_h5_dataset {
    const char *name;
    int axes;               /* 0: one value; more than ZOID_FILE_AXES: too many to be read */
    long n[ZOID_FILE_AXES]; /* the slowest axis first */
    struct zoid_element element;
    bool scale;  /* it is the coordinates of an axis of others */
    long offset; /* in the file, of the first value, after which the others follow; -1: they do not:
                    such as are compressed, or are not in this file */
};

/* Datasets in the order of their names, groups' too: how many there are, and the i-th. Its name
 * stays as long as the file is open. */
long zoid_h5_count(const struct zoid_h5 *file);
enum zoid_status zoid_h5_at(struct zoid_h5 *file, long i, struct zoid_h5_dataset *dataset);
/* The one of a name. ZOID_BAD_ARGUMENT: there is none; the message lists those that there are. */
enum zoid_status zoid_h5_find(struct zoid_h5 *file, const char *name,
                              struct zoid_h5_dataset *dataset);

/* Adds a dataset; of `dataset`, name, axes, n and element's kind and size count. Its bytes are in
 * the file at once, and hold nothing in particular: *offset is where. Those of 4096 bytes and more
 * begin at a multiple of 4096. */
enum zoid_status zoid_h5_add(struct zoid_h5 *file, const struct zoid_h5_dataset *dataset,
                             long *offset);
/* Adds the coordinates of an axis, i · step for each of its n points, as a dataset of its own,
 * unless it is there already. */
enum zoid_status zoid_h5_scale(struct zoid_h5 *file, const char *scale, long n, double step);
/* Axis `axis` of the dataset, the slowest is 0, has these coordinates. */
enum zoid_status zoid_h5_attach(struct zoid_h5 *file, const char *dataset, int axis,
                                const char *scale);

/* Values of the box [lo, hi), the slowest axis first, one after the other as this machine has those
 * of the element, whose kind is the dataset's. */
struct zoid_h5_part {
    long lo[ZOID_FILE_AXES], hi[ZOID_FILE_AXES];
    struct zoid_element element;
};

enum zoid_status zoid_h5_read(struct zoid_h5 *file, const char *dataset,
                              const struct zoid_h5_part *part, void *to);
enum zoid_status zoid_h5_write(struct zoid_h5 *file, const char *dataset,
                               const struct zoid_h5_part *part, const void *from);

/* Attributes, of a dataset, or where `of` is "" of the file. Putting replaces one of that name.
 * Getting fails with ZOID_BAD_ARGUMENT where there is none of that name, with so many values; a
 * text that is longer than `size` - 1 bytes, too. */
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

#endif

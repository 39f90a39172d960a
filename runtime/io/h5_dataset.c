/* SPDX-License-Identifier: BSD-3-Clause */
#include <hdf5_hl.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/error.h"
#include "runtime/io/h5_file.h"

/* ---- descriptions of datasets ------------------------------------------------------------ */

static struct zoid_element element_of(hid_t type)
{
    static const char letters[] = "iu";
    struct zoid_element e = {.kind = '?', .size = (int)H5Tget_size(type)};
    const H5T_class_t class = H5Tget_class(type);

    if (class == H5T_INTEGER && H5Tget_precision(type) == 8 * (size_t)e.size)
        e.kind = letters[H5Tget_sign(type) == H5T_SGN_NONE];
    else if (class == H5T_FLOAT &&
             (H5Tequal(type, H5T_IEEE_F32LE) > 0 || H5Tequal(type, H5T_IEEE_F32BE) > 0 ||
              H5Tequal(type, H5T_IEEE_F64LE) > 0 || H5Tequal(type, H5T_IEEE_F64BE) > 0))
        e.kind = 'f';
    e.big = e.kind != '?' && e.size > 1 && H5Tget_order(type) == H5T_ORDER_BE;
    return e;
}

static long offset_of(hid_t dataset)
{
    const hid_t made = H5Dget_create_plist(dataset);
    haddr_t offset = HADDR_UNDEF;

    if (made >= 0 && H5Pget_layout(made) == H5D_CONTIGUOUS && H5Pget_external_count(made) == 0)
        offset = H5Dget_offset(dataset);
    H5Pclose(made);
    return offset == HADDR_UNDEF ? -1 : (long)offset;
}

static bool describe(hid_t set, struct zoid_h5_dataset *d)
{
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    hsize_t n[H5S_MAX_RANK] = {0};
    const bool known =
        type >= 0 && space >= 0 && (d->axes = H5Sget_simple_extent_dims(space, n, NULL)) >= 0;

    for (int a = 0; known && a < d->axes && a < ZOID_FILE_AXES; a++)
        d->n[a] = (long)n[a];
    if (known) {
        d->element = element_of(type);
        d->offset = offset_of(set);
        d->scale = H5DSis_scale(set) > 0;
    }
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    return known;
}

long zoid_h5_count(const struct zoid_h5 *file)
{
    return file->count;
}

static enum zoid_status absent(const struct zoid_h5 *file, const char *name)
{
    char list[320] = "";
    FILE *text = fmemopen(list, sizeof list, "w");

    for (long i = 0; text && i < file->count; i++)
        fprintf(text, "%s%s", i ? ", " : "", file->name[i]);
    if (text)
        fclose(text);
    return zoid_fail(ZOID_BAD_ARGUMENT, "%s has no dataset %s; it has %s", file->called, name,
                     *list ? list : "none");
}

enum zoid_status zoid_h5_find(struct zoid_h5 *file, const char *name, struct zoid_h5_dataset *found)
{
    struct zoid_h5_dataset d = {.name = name};
    enum zoid_status status = ZOID_OK;
    hid_t set;

    zoid_h5_enter();
    set = H5Dopen2(file->id, name, H5P_DEFAULT);
    if (set < 0)
        status = absent(file, name);
    else if (!describe(set, &d))
        status = zoid_h5_fail(file, name);
    if (set >= 0)
        H5Dclose(set);
    zoid_h5_leave();
    if (!status)
        *found = d;
    return status;
}

enum zoid_status zoid_h5_at(struct zoid_h5 *file, long i, struct zoid_h5_dataset *dataset)
{
    return zoid_h5_find(file, file->name[i], dataset);
}

/* ---- new datasets ------------------------------------------------------------------------ */

/* Its bytes are allocated at once, and are not filled with zeros. */
static hid_t create(const struct zoid_h5 *file, const char *name, hid_t type, hid_t space)
{
    const hid_t link = H5Pcreate(H5P_LINK_CREATE), made = H5Pcreate(H5P_DATASET_CREATE);
    hid_t set;

    H5Pset_create_intermediate_group(link, 1);
    H5Pset_layout(made, H5D_CONTIGUOUS);
    H5Pset_alloc_time(made, H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(made, H5D_FILL_TIME_NEVER);
    /* Equal states make equal files. */
    H5Pset_obj_track_times(made, false);
    set = H5Dcreate2(file->id, name, type, space, link, made, H5P_DEFAULT);
    if (set < 0)
        zoid_h5_fail(file, name);
    H5Pclose(made);
    H5Pclose(link);
    return set;
}

enum zoid_status zoid_h5_add(struct zoid_h5 *file, const struct zoid_h5_dataset *d, long *offset)
{
    hsize_t n[ZOID_FILE_AXES];
    hid_t space, set;
    long at = -1;

    for (int a = 0; a < d->axes; a++)
        n[a] = (hsize_t)d->n[a];
    zoid_h5_enter();
    space = H5Screate_simple(d->axes, n, NULL);
    set = create(file, d->name, zoid_h5_type(&d->element), space);
    if (set >= 0 && (at = offset_of(set)) < 0)
        zoid_fail(ZOID_RESOURCE, "%s of %s has got no room in the file; name another file", d->name,
                  file->called);
    if (set >= 0)
        H5Dclose(set);
    if (space >= 0)
        H5Sclose(space);
    zoid_h5_leave();
    if (at < 0)
        return ZOID_RESOURCE;
    *offset = at;
    return ZOID_OK;
}

/* ---- the coordinates of axes ------------------------------------------------------------- */

static enum zoid_status add_scale(const struct zoid_h5 *file, const char *name, hsize_t n,
                                  double step)
{
    double *at = calloc((size_t)n, sizeof *at);
    enum zoid_status status = ZOID_RESOURCE;
    hid_t space = H5Screate_simple(1, &n, NULL), set = -1;

    for (hsize_t i = 0; at && i < n; i++)
        at[i] = (double)i * step;
    if (!at)
        zoid_no_memory();
    else
        set = create(file, name, H5T_IEEE_F64LE, space);
    if (set >= 0)
        status = H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, at) < 0 ||
                         H5DSset_scale(set, name) < 0
                     ? zoid_h5_fail(file, name)
                     : ZOID_OK;
    if (set >= 0)
        H5Dclose(set);
    if (space >= 0)
        H5Sclose(space);
    free(at);
    return status;
}

enum zoid_status zoid_h5_scale(struct zoid_h5 *file, const char *scale, long n, double step)
{
    enum zoid_status status = ZOID_OK;

    zoid_h5_enter();
    if (H5Lexists(file->id, scale, H5P_DEFAULT) <= 0)
        status = add_scale(file, scale, (hsize_t)n, step);
    zoid_h5_leave();
    return status;
}

enum zoid_status zoid_h5_attach(struct zoid_h5 *file, const char *dataset, int axis,
                                const char *scale)
{
    enum zoid_status status = ZOID_OK;
    hid_t set, values;

    zoid_h5_enter();
    set = H5Dopen2(file->id, dataset, H5P_DEFAULT);
    values = set < 0 ? -1 : H5Dopen2(file->id, scale, H5P_DEFAULT);
    if (values < 0 || H5DSattach_scale(set, values, (unsigned)axis) < 0)
        status = zoid_h5_fail(file, dataset);
    if (values >= 0)
        H5Dclose(values);
    if (set >= 0)
        H5Dclose(set);
    zoid_h5_leave();
    return status;
}

/* ---- values ------------------------------------------------------------------------------ */

/* Compressed chunks are decompressed once if planes are read in order, and the chunk cache (up to 1
 * GiB) has room for a layer of them along the slowest axis. */
static hid_t cache_layer(hid_t set)
{
    const size_t most = (size_t)1 << 30;
    const hid_t made = H5Dget_create_plist(set), space = H5Dget_space(set), type = H5Dget_type(set);
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    hsize_t n[H5S_MAX_RANK], chunk[H5S_MAX_RANK];
    const int axes = H5Sget_simple_extent_dims(space, n, NULL);
    double layer = (double)H5Tget_size(type);

    if (axes > 0 && H5Pget_layout(made) == H5D_CHUNKED &&
        H5Pget_chunk(made, H5S_MAX_RANK, chunk) == axes) {
        for (int a = 0; a < axes; a++)
            layer *= (double)(a ? (n[a] + chunk[a] - 1) / chunk[a] * chunk[a] : chunk[a]);
        if (layer < (double)most)
            H5Pset_chunk_cache(access, 100003, (size_t)layer, 1);
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Pclose(made);
    return access;
}

/* The dataset that was read last stays open, with its cache. */
static bool open_to_read(struct zoid_h5 *f, const char *name)
{
    hid_t set, access;

    if (f->read >= 0 && !strcmp(f->read_name, name))
        return true;
    if (f->read >= 0)
        H5Dclose(f->read);
    free(f->read_name);
    f->read = -1;
    f->read_name = strdup(name);
    set = f->read_name ? H5Dopen2(f->id, name, H5P_DEFAULT) : -1;
    if (set < 0)
        return false;
    access = cache_layer(set);
    H5Dclose(set);
    f->read = H5Dopen2(f->id, name, access);
    H5Pclose(access);
    return f->read >= 0;
}

/* The part of a dataset in the file, and in memory. */
struct transfer {
    hid_t file, memory;
};

static bool open_transfer(hid_t set, const struct zoid_h5_part *part, struct transfer *t)
{
    hsize_t first[ZOID_FILE_AXES] = {0}, count[ZOID_FILE_AXES] = {0};
    int axes;

    *t = (struct transfer){.file = H5Dget_space(set), .memory = -1};
    axes = t->file < 0 ? -1 : H5Sget_simple_extent_ndims(t->file);
    if (axes < 0 || axes > ZOID_FILE_AXES)
        return false;
    for (int a = 0; a < axes; a++) {
        first[a] = (hsize_t)part->lo[a];
        count[a] = (hsize_t)(part->hi[a] - part->lo[a]);
    }
    if (axes > 0 && H5Sselect_hyperslab(t->file, H5S_SELECT_SET, first, NULL, count, NULL) < 0)
        return false;
    t->memory = axes > 0 ? H5Screate_simple(axes, count, NULL) : H5Screate(H5S_SCALAR);
    return t->memory >= 0;
}

static void close_transfer(struct transfer *t)
{
    if (t->memory >= 0)
        H5Sclose(t->memory);
    if (t->file >= 0)
        H5Sclose(t->file);
}

enum zoid_status zoid_h5_read(struct zoid_h5 *file, const char *dataset,
                              const struct zoid_h5_part *part, void *to)
{
    const hid_t type = zoid_h5_type(&part->element);
    struct transfer t = {.file = -1, .memory = -1};
    enum zoid_status status = ZOID_OK;

    zoid_h5_enter();
    if (!open_to_read(file, dataset) || !open_transfer(file->read, part, &t) ||
        H5Dread(file->read, type, t.memory, t.file, H5P_DEFAULT, to) < 0)
        status = zoid_h5_fail(file, dataset);
    close_transfer(&t);
    zoid_h5_leave();
    return status;
}

enum zoid_status zoid_h5_write(struct zoid_h5 *file, const char *dataset,
                               const struct zoid_h5_part *part, const void *from)
{
    const hid_t type = zoid_h5_type(&part->element);
    struct transfer t = {.file = -1, .memory = -1};
    enum zoid_status status = ZOID_OK;
    hid_t set;

    zoid_h5_enter();
    set = H5Dopen2(file->id, dataset, H5P_DEFAULT);
    if (set < 0 || !open_transfer(set, part, &t) ||
        H5Dwrite(set, type, t.memory, t.file, H5P_DEFAULT, from) < 0)
        status = zoid_h5_fail(file, dataset);
    close_transfer(&t);
    if (set >= 0)
        H5Dclose(set);
    zoid_h5_leave();
    return status;
}

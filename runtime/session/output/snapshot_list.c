/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/output/snapshot_list.h"

#include <limits.h>

#include "runtime/error.h"
#include "runtime/io/h5.h"
#include "runtime/io/output.h"

const char zoid_snapshot_file[] = "snapshot";

/* True if a file has the fields and the shape that are written now. */
static bool alike(const struct zoid_snapshot_list *l, long step)
{
    const struct zoid_xdmf_grid *g = l->grid;
    char path[PATH_MAX];
    struct zoid_h5 *h5 = NULL;
    bool same;

    zoid_folder_path(l->folder, zoid_snapshot_file, step, path);
    same = !zoid_h5_open(path, path, ZOID_H5_READ, &h5);
    for (int f = 0; f < g->fields && same; f++) {
        struct zoid_h5_dataset d;

        same = !zoid_h5_find(h5, g->field[f], &d) && d.axes == g->dims;
        for (int a = 0; same && a < d.axes; a++)
            same = d.n[a] == g->n[d.axes - 1 - a];
    }
    zoid_h5_close(&h5);
    return same;
}

enum zoid_status zoid_snapshot_list_find(struct zoid_snapshot_list *l, long start)
{
    struct zoid_folder all;
    bool room = true;
    enum zoid_status status = zoid_folder_list(l->folder, zoid_snapshot_file, &all);

    for (size_t i = all.n; i-- > 0 && start > 0;)
        if (room && all.step[i] <= start && alike(l, all.step[i]))
            room = zoid_folder_add(&l->listed, all.step[i]);
    zoid_folder_free(&all);
    return room || status ? status : zoid_no_memory();
}

/* ParaView has nothing to draw for one axis. */
static enum zoid_status write_list(const struct zoid_snapshot_list *l)
{
    char path[PATH_MAX], name[NAME_MAX];
    struct zoid_output *output;
    enum zoid_status status;
    FILE *out;

    if (l->grid->dims == 1)
        return ZOID_OK;
    (void)!snprintf(path, sizeof path, "%s/snapshots.xmf", l->folder);
    status = zoid_output_open(path, &output);
    if (status)
        return status;
    out = zoid_output_stream(output);
    zoid_xdmf_begin(out);
    for (size_t i = 0; i < l->listed.n; i++) {
        zoid_folder_name(zoid_snapshot_file, l->listed.step[i], name);
        zoid_xdmf_add(
            l->grid,
            &(struct zoid_xdmf_time){.time = (double)l->listed.step[i] * l->dt, .file = name}, out);
    }
    zoid_xdmf_end(out);
    return zoid_output_commit(&output);
}

enum zoid_status zoid_snapshot_list_add(struct zoid_snapshot_list *l, long step)
{
    return zoid_folder_add(&l->listed, step) ? write_list(l) : zoid_no_memory();
}

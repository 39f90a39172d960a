/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/io/formats.h"

#include "runtime/io/h5.h"
#include "runtime/io/segy.h"

static const struct zoid_fact no_hdf5 = {.kind = ZOID_FACT_MISSING,
                                         .key = "HDF5",
                                         .text =
                                             "this build is without it or libxxhash: no .h5 files"};
static const struct zoid_fact no_segy = {.kind = ZOID_FACT_MISSING,
                                         .key = "SEG-Y",
                                         .text = "this build is without libsegyio: no .sgy files"};

void zoid_format_facts(zoid_fact_fn *put, void *user)
{
    const struct zoid_fact hdf5 = {
        .kind = ZOID_FACT_TEXT, .key = "hdf5", .text = zoid_h5_version()};

    put(user, hdf5.text ? &hdf5 : &no_hdf5);
    if (!zoid_segy_here())
        put(user, &no_segy);
}

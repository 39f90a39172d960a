/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/files/ending.h"

#include <string.h>
#include <sys/stat.h>

#include "apps/files/h5.h"

enum zoid_ending zoid_ending_of(const char *path)
{
    static const struct {
        const char *text;
        enum zoid_ending ending;
    } known[] = {{".raw", ZOID_ENDS_RAW}, {".npy", ZOID_ENDS_NPY},  {".h5", ZOID_ENDS_H5},
                 {".hdf5", ZOID_ENDS_H5}, {".sgy", ZOID_ENDS_SEGY}, {".segy", ZOID_ENDS_SEGY}};
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
        if (!strcmp(dot, known[i].text))
            return known[i].ending;
    return ZOID_ENDS_OTHERWISE;
}

enum zoid_status zoid_ending_try_h5(const struct zoid_output *output, const char *what,
                                    const char *path)
{
    struct zoid_h5 *file = NULL;
    struct stat about;
    enum zoid_status status = ZOID_OK;

    if (!fstat(fileno(zoid_output_stream(output)), &about) && !S_ISREG(about.st_mode))
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "the %s %s is no regular file, which HDF5 needs; name one, or one that "
                         "ends in .npy",
                         what, path);
    status = zoid_h5_open(zoid_output_file(output), path, ZOID_H5_NEW, &file);
    return status ? status : zoid_h5_close(&file);
}

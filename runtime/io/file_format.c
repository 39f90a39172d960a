/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/io/file_format.h"

#include <string.h>
#include <sys/stat.h>

#include "runtime/io/h5.h"

enum zoid_file_format zoid_file_format_of(const char *path)
{
    static const struct {
        const char *text;
        enum zoid_file_format format;
    } known[] = {{".raw", ZOID_FORMAT_RAW},  {".npy", ZOID_FORMAT_NPY},
                 {".h5", ZOID_FORMAT_H5},    {".hdf5", ZOID_FORMAT_H5},
                 {".sgy", ZOID_FORMAT_SEGY}, {".segy", ZOID_FORMAT_SEGY}};
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
        if (!strcmp(dot, known[i].text))
            return known[i].format;
    return ZOID_FORMAT_OTHERWISE;
}

enum zoid_status zoid_file_format_try_h5(const struct zoid_output *output, const char *what,
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

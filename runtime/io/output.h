/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that a run leaves behind. A file is opened before the run, to check that it can be written,
 * and gets its name only when it is complete and on disk: until then an existing file of that name
 * is untouched, and a run that fails, is interrupted or is killed leaves nothing, since the file
 * has no name yet. On file systems without such files it is called .zoid-XXXXXX, in the same
 * folder, and stays behind if the program is killed, or ended by a signal whose handler does not
 * call zoid_output_remove_unfinished. Anything other than a regular file (a pipe, a device) is
 * written directly. */
#ifndef ZOID_RUNTIME_IO_OUTPUT_H
#define ZOID_RUNTIME_IO_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "runtime/zoid.h"

struct zoid_output;

/* True if two outputs would be one regular file, which only the later one would survive. */
bool zoid_output_same(const char *a, const char *b);
/* Open an output. ZOID_RESOURCE: the path cannot be written. Does not wait for the reader of a
 * pipe. */
enum zoid_status zoid_output_open(const char *path, struct zoid_output **output);
FILE *zoid_output_stream(const struct zoid_output *output);
/* Path of the file behind the stream, not its final one, for those who open files by name; valid
 * while the output is open. */
const char *zoid_output_file(const struct zoid_output *output);
/* Write the file to the disk, and give it its name. *output is NULL afterwards in any case, and a
 * file that could not be written completely is gone. */
enum zoid_status zoid_output_commit(struct zoid_output **output);
/* Drop the file; accepts NULL in *output. */
void zoid_output_discard(struct zoid_output **output);

#endif

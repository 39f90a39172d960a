/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that a run leaves behind. One is opened before the run, to find out that it can be
 * written, and takes its place only when it is complete and on its disk: until then whatever had
 * its name is untouched, and a run that fails, is interrupted or is killed leaves nothing, since
 * the file has no name yet. Where the file system knows no such files it is called .zoid-XXXXXX
 * beside its place, which stays behind when the program is killed. What is no regular file (a pipe,
 * a device) is written directly. */
#ifndef ZOID_RUNTIME_IO_OUTPUT_H
#define ZOID_RUNTIME_IO_OUTPUT_H

#include <stdio.h>

#include "runtime/zoid.h"

struct zoid_output;

/* Whether two outputs would be one regular file, of which the later one would stay. */
bool zoid_output_same(const char *a, const char *b);
/* ZOID_RESOURCE when the path cannot be written. Never waits for a pipe's reader. */
enum zoid_status zoid_output_open(const char *path, struct zoid_output **output);
FILE *zoid_output_stream(const struct zoid_output *output);
/* The file behind the stream, for those who write by name: not its own, and as long as it is open.
 */
const char *zoid_output_file(const struct zoid_output *output);
/* Puts the file in its place. In any case *output is NULL afterwards, and a file that could not be
 * written completely is gone. */
enum zoid_status zoid_output_commit(struct zoid_output **output);
/* Forgets the file; accepts NULL in *output. */
void zoid_output_discard(struct zoid_output **output);

#endif

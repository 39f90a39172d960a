/* SPDX-License-Identifier: BSD-3-Clause */
/* The module of an operator, built by Zoid's CMake package, and a cache of modules by hash. */
#ifndef ZOID_APPS_COMPILE_BUILD_H
#define ZOID_APPS_COMPILE_BUILD_H

#include <stdbool.h>

#include "apps/compile/emit.h"
#include "runtime/zoid_advanced.h"

/* Write a file under another name, and give it its own when it is whole. ZOID_RESOURCE: it could
 * not be written, and a former one is as it was. */
enum zoid_status zoid_build_write(const char *folder, const char *name, const char *bytes);
/* Make a folder whose parent exists, unless it is there. */
enum zoid_status zoid_build_folder(const char *folder);
/* Write the operator's files into a folder, which is made if its parent exists. */
enum zoid_status zoid_build_texts(const char *folder, const char *name,
                                  const struct zoid_emitted *files);
/* ZOID_BAD_ARGUMENT: this Zoid cannot build for GPUs. */
enum zoid_status zoid_build_check(bool cuda);
/* Build FOLDER/libNAME.so for this machine's cores, and with `cuda` for GPUs, or copy the one of
 * the cache for the same texts, Zoid, compiler and options. Prints a line on standard error before
 * it builds, and after a failure the last lines of the tools, all of which FOLDER/NAME.log then
 * has; no former module is left. SIGINT, SIGTERM or SIGHUP end the tools, and then the program. */
enum zoid_status zoid_build(const char *folder, const char *name, const struct zoid_emitted *files,
                            bool cuda);

#endif

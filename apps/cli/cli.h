/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings of a program besides those of its session: cli.def as a struct and as options. */
#ifndef ZOID_APPS_CLI_CLI_H
#define ZOID_APPS_CLI_CLI_H

#include "apps/cli/command.h"

typedef bool zoid_cli_FLAG;
typedef char *zoid_cli_PATH;

struct zoid_cli {
#define ZOID_CLI_SETTING(key, TYPE, ...) zoid_cli_##TYPE key;
#include "apps/cli/cli.def"
#undef ZOID_CLI_SETTING
};

/* Append the options, which store into *cli: it must outlive the rows, and owns copies of paths. */
void zoid_cli_rows(struct zoid_cli *cli, struct zoid_command_rows *rows);
/* Free the paths, and clear *cli; also valid on one that is clear. */
void zoid_cli_close(struct zoid_cli *cli);

#endif

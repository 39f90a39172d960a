/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings of a program besides those of its run: cli.def as a struct and as a table. */
#ifndef ZOID_APPS_CLI_CLI_H
#define ZOID_APPS_CLI_CLI_H

#include "apps/cli/command.h"

struct zoid_cli {
#define ZOID_SETTING(key, TYPE, ...) ZOID_SETTING_MEMBER(key, TYPE)
#include "apps/cli/cli.def"
#undef ZOID_SETTING
};

/* Ends with a row whose key is NULL. */
extern const struct zoid_setting zoid_cli_table[];
void zoid_cli_close(struct zoid_cli *cli);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/cli/cli.h"

#include "runtime/session/settings.h"

#define ZOID_SETTING(key, TYPE, group, fallback, limits, flags, ...) ZOID_SETTING_SOUND(key, flags)
#include "apps/cli/cli.def"
#undef ZOID_SETTING

const struct zoid_setting zoid_cli_table[] = {
#define ZOID_SETTING(key, TYPE, ...) ZOID_SETTING_ROW(struct zoid_cli, key, TYPE, __VA_ARGS__)
#include "apps/cli/cli.def"
#undef ZOID_SETTING
    {.key = NULL},
};

void zoid_cli_close(struct zoid_cli *cli)
{
    zoid_setting_clear(zoid_cli_table, sizeof zoid_cli_table / sizeof *zoid_cli_table - 1, cli);
}

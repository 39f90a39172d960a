/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum { FLAG, PATH };

static const struct {
    int type;
    size_t at;
    struct zoid_option option;
} table[] = {
#define ZOID_CLI_SETTING(name, TYPE, hidden, of, line, more) \
    {TYPE,                                                   \
     offsetof(struct zoid_cli, name),                        \
     {.key = #name, .value = of, .doc = line, .detail = more, .advanced = hidden}},
#include "apps/cli/cli.def"
#undef ZOID_CLI_SETTING
};
enum { ROWS = sizeof table / sizeof *table };

#define TITLE(group, title) title,
static const char *const titles[] = {ZOID_SETTING_GROUPS(TITLE)};

static enum zoid_status set(void *cli, size_t i, const char *text)
{
    void *value = (char *)cli + table[i].at;
    char *copy;

    if (table[i].type == FLAG) {
        *(bool *)value = true;
        return ZOID_OK;
    }
    if (!*text)
        return zoid_fail(ZOID_BAD_ARGUMENT, ZOID_NO_FILE, table[i].option.key);
    copy = strdup(text);
    if (!copy)
        return zoid_command_no_memory();
    free(*(char **)value);
    *(char **)value = copy;
    return ZOID_OK;
}

void zoid_cli_rows(struct zoid_cli *cli, struct zoid_command_rows *rows)
{
    for (size_t i = 0; i < ROWS; i++) {
        struct zoid_command_row row = {
            .option = table[i].option, .set = set, .object = cli, .index = i};

        row.option.title = titles[ZOID_GROUP_NUMBER_cli];
        row.option.group = 1 + ZOID_GROUP_NUMBER_cli;
        zoid_command_add(rows, &row);
    }
}

void zoid_cli_close(struct zoid_cli *cli)
{
    for (size_t i = 0; i < ROWS; i++)
        if (table[i].type == PATH)
            free(*(char **)((char *)cli + table[i].at));
    *cli = (struct zoid_cli){.plan = false};
}

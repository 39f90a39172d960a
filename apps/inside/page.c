/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for asprintf */
#include <stdlib.h>
#include <string.h>

#include "apps/inside/rows.h"

enum { COLUMNS = 100 };

/* Prints an item of a list, with line breaks between words. */
static void print_item(const char *text, FILE *out)
{
    int column = 0;

    while (*text) {
        const int length = (int)strcspn(text, " ");

        if (column && column + 1 + length > COLUMNS)
            column = fprintf(out, "\n  ") - 2;
        else if (column)
            column += fprintf(out, " ");
        column += fprintf(out, "%.*s", length, text) + (column == 1);
        text += length + strspn(text + length, " ");
    }
    fputc('\n', out);
}

static void print_option(const struct zoid_command_row *row, FILE *out)
{
    const struct zoid_option *o = &row->option;
    char *item = NULL;

    if (asprintf(&item, "* `--%s%s%s`%s%s%s: %s%s%s", row->name, o->value ? "=" : "",
                 o->value ? o->value : "", o->fallback ? " [" : "", o->fallback ? o->fallback : "",
                 o->fallback ? "]" : "", o->doc, o->detail ? "; " : "",
                 o->detail ? o->detail : "") >= 0)
        print_item(item, out);
    free(item);
}

void zoid_options_page(FILE *out)
{
    struct zoid_command_rows rows = {.n = 0};
    int group = 0;

    fputs(
        "# Options\n\nWhat a run can be asked, with defaults in brackets. `zoid-info --options md` "
        "prints this page;\na program has those that one of its operators can use, and "
        "`--help-all` lists them. Keywords of\nPython have the same names, with `_` for `-`.\n",
        out);
    for (const struct zoid_setting *s = zoid_settings_table; s->key; s++)
        if (!zoid_option_respelled(s))
            zoid_command_add(&rows, &(struct zoid_command_row){.option = zoid_option_of(s)});
    for (size_t i = 0; i < rows.n; i++) {
        const struct zoid_option *option = &rows.row[i].option;

        if (option->group != group)
            fprintf(out, "\n## %s\n\n", option->title);
        group = option->group;
        print_option(&rows.row[i], out);
    }
    zoid_command_free(&rows);
}

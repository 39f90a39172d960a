/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* for asprintf */
#include <stdlib.h>
#include <string.h>

#include "apps/driver/rows.h"

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

static void print_row(const struct zoid_setting *s, FILE *out)
{
    char *item = NULL, option[64];
    int n = 0;

    for (; s->key[n] && n < (int)sizeof option - 1; n++)
        option[n] = (char)(s->key[n] == '_' ? '-' : s->key[n]);
    option[n] = '\0';
    if (asprintf(&item, "* `--%s%s%s`%s%s%s: %s%s%s", option, s->value ? "=" : "",
                 s->value ? s->value : "", s->fallback ? " [" : "", s->fallback ? s->fallback : "",
                 s->fallback ? "]" : "", s->doc, s->detail ? "; " : "",
                 s->detail ? s->detail : "") >= 0)
        print_item(item, out);
    free(item);
}

/* Returns whether programs have another form of this row, which is printed instead. */
static bool spelt_otherwise(const struct zoid_setting *s)
{
    for (const struct zoid_setting *other = zoid_settings_table; other->key; other++)
        if ((other->flags & ZOID_COMPOUND) && !(s->flags & ZOID_COMPOUND) &&
            !strcmp(other->key, s->key))
            return true;
    return false;
}

void zoid_options_page(FILE *out)
{
    const struct zoid_setting_group *group = NULL;

    fputs(
        "# Options\n\nWhat a run can be asked, with defaults in brackets. `zoid-info --options md` "
        "prints this page;\na program has those that one of its operators can use, and "
        "`--help-all` lists them. Keywords of\nPython have the same names, with `_` for `-`.\n",
        out);
    for (const struct zoid_setting *s = zoid_settings_table; s->key; s++) {
        if (s->group != group)
            fprintf(out, "\n## %s\n\n", s->group->title);
        group = s->group;
        if (!spelt_otherwise(s))
            print_row(s, out);
    }
}

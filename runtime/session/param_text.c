/* SPDX-License-Identifier: BSD-3-Clause */
/* Text of --help for a parameter: its meaning in each family. */
#include <stdlib.h>
#include <string.h>

#include "codelets/op/range.h"
#include "runtime/session/family.h"

/* Iterator over the variants of the families that have the parameter `name`. */
struct walk {
    const char *const *families;
    const char *name;
    size_t family, row;
    const struct zoid_op *op;
    const struct zoid_param *param;
};

static struct walk walk_of(const char *const *families, const char *name)
{
    return (struct walk){.families = families, .name = name};
}

/* Advances to the next such variant; false: no more. */
static bool next(struct walk *w)
{
    while (w->families[w->family]) {
        w->op = zoid_family_next(w->families[w->family], &w->row);
        if (w->op && zoid_op_param(w->op, w->name) >= 0) {
            w->param = &w->op->param[zoid_op_param(w->op, w->name)];
            return true;
        }
        if (!w->op) {
            w->family++;
            w->row = 0;
        }
    }
    return false;
}

/* Parts of the text; families with the same summary share a clause. */
enum part { SUMMARY, FAMILY, RANGE, DEFAULT };

static void say(const struct walk *w, enum part part, char *text, size_t size)
{
    if (part == RANGE)
        zoid_param_range(w->param, text, size);
    else if (part == DEFAULT)
        snprintf(text, size, "%g", w->param->value);
    else
        snprintf(text, size, "%s", part == FAMILY ? w->op->family : w->param->summary);
}

/* Returns whether an earlier variant of the same clause has the same text. */
static bool said_before(const struct walk *w, enum part part)
{
    struct walk before = walk_of(w->families, w->name);
    char text[256], other[256];

    say(w, part, text, sizeof text);
    while (next(&before) && before.op != w->op) {
        say(&before, part, other, sizeof other);
        if (!strcmp(text, other) && !strcmp(before.param->summary, w->param->summary))
            return true;
    }
    return false;
}

/* Prints the texts of all variants with the summary of `first`, without duplicates. */
static void print_all(const struct walk *first, enum part part, const char *between, FILE *out)
{
    struct walk w = walk_of(first->families, first->name);
    char text[256];
    int n = 0;

    while (next(&w))
        if (!strcmp(w.param->summary, first->param->summary) && !said_before(&w, part)) {
            say(&w, part, text, sizeof text);
            fprintf(out, "%s%s", n++ ? between : "", text);
        }
}

char *zoid_param_describe(const char *const *families, const char *name)
{
    struct walk w = walk_of(families, name);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    int clauses = 0;

    if (!out)
        return NULL;
    while (next(&w))
        if (!said_before(&w, SUMMARY)) {
            fputs(clauses++ ? "; " : "", out);
            if (families[1]) {
                print_all(&w, FAMILY, ", ", out);
                fputs(": ", out);
            }
            fprintf(out, "%s, ", w.param->summary);
            print_all(&w, RANGE, " or ", out);
            fputs(" [", out);
            print_all(&w, DEFAULT, " or ", out);
            fputs("]", out);
        }
    fclose(out);
    return text;
}

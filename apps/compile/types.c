/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/compile/parser.h"

/* Words of types, as bits. */
enum {
    INT = 1,
    LONG = 2,
    UNSIGNED = 4,
    SIGNED = 8,
    FLOAT = 16,
    DOUBLE = 32,
    OTHER = 64,
    LONGS = 128,
    VOID = 256,
    CONST = 512,
    SKIPPED = 1024,
    TYPEDEF = 2048,
    ALONE = 4096, /* no other word of a number beside it */
    STATIC = 8192,
    EXTERN = 16384
};

static const struct {
    const char *word;
    int bits;
} words[] = {{"int", INT},
             {"long", LONG},
             {"unsigned", UNSIGNED},
             {"signed", SIGNED},
             {"float", FLOAT},
             {"double", DOUBLE},
             {"size_t", LONG | UNSIGNED | ALONE},
             {"ptrdiff_t", LONG | ALONE},
             {"int32_t", INT | ALONE},
             {"uint32_t", UNSIGNED | ALONE},
             {"int64_t", LONG | ALONE},
             {"uint64_t", LONG | UNSIGNED | ALONE},
             {"void", VOID},
             {"const", CONST},
             {"static", SKIPPED | STATIC},
             {"extern", SKIPPED | EXTERN},
             {"inline", SKIPPED},
             {"register", SKIPPED},
             {"restrict", SKIPPED},
             {"__restrict", SKIPPED},
             {"__restrict__", SKIPPED},
             {"typedef", TYPEDEF},
             {"char", OTHER},
             {"short", OTHER},
             {"_Bool", OTHER},
             {"bool", OTHER},
             {"_Complex", OTHER},
             {"struct", OTHER},
             {"union", OTHER},
             {"enum", OTHER},
             {"volatile", OTHER}};

/* The bits of the word here; 0: not the word of a type. */
static int bits_here(const struct zoid_parser *p)
{
    const struct zoid_token t = zoid_now(p);
    const struct zoid_macro *macro = zoid_find_macro(p, &t);

    if (macro)
        return macro->kind != ZOID_MACRO_TYPE ? 0 : macro->type == ZOID_FLOAT ? FLOAT : DOUBLE;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (zoid_at_name(p, words[i].word))
            return words[i].bits;
    if (zoid_at_name(p, "DATA_TYPE"))
        return p->text->float_data ? FLOAT : DOUBLE;
    return 0;
}

bool zoid_read_type(struct zoid_parser *p, struct zoid_specifier *type)
{
    const int numbers = INT | LONG | UNSIGNED | SIGNED | FLOAT | DOUBLE;
    const size_t begin = p->i;
    int all = 0, now;
    bool attributes = false;

    for (; (attributes |= zoid_skip_attributes(p)), (now = bits_here(p)); p->i++) {
        /* long long is the only word that may stand twice. */
        if ((now & all & (numbers & ~LONG)) || (now & all & LONG && all & LONGS) ||
            ((now | all) & ALONE && now & numbers && all & numbers))
            all |= OTHER;
        if (now & all & LONG)
            all |= LONGS;
        all |= now;
        if (now == OTHER &&
            (zoid_at_name(p, "struct") || zoid_at_name(p, "union") || zoid_at_name(p, "enum")))
            p->i += p->token[p->i + 1].kind == ZOID_TOKEN_NAME;
    }
    *type = (struct zoid_specifier){.constant = all & CONST,
                                    .is_typedef = all & TYPEDEF,
                                    .is_void = all & VOID,
                                    .stored = all & SKIPPED,
                                    .is_static = all & STATIC,
                                    .is_extern = all & EXTERN,
                                    .has_attributes = attributes,
                                    .other = all & (OTHER | VOID)};
    if (all & (FLOAT | DOUBLE)) {
        type->type = all & FLOAT ? ZOID_FLOAT : ZOID_DOUBLE;
        type->other |= (all & (LONG | INT | UNSIGNED | SIGNED)) || (all & FLOAT && all & DOUBLE);
    } else if (all & (INT | LONG | UNSIGNED | SIGNED)) {
        type->other |= (all & UNSIGNED) && (all & SIGNED);
        type->type = all & LONG ? (all & UNSIGNED ? ZOID_ULONG : ZOID_LONG)
                                : (all & UNSIGNED ? ZOID_UNSIGNED : ZOID_INT);
    } else
        type->other = true;
    /* A name that the file does not define, and that a header may: a type, if a name follows. */
    if (!(all & (INT | LONG | UNSIGNED | SIGNED | FLOAT | DOUBLE | OTHER | VOID))) {
        if (all && zoid_now(p).kind == ZOID_TOKEN_NAME)
            p->i++;
        else if (zoid_now(p).kind == ZOID_TOKEN_NAME &&
                 p->token[p->i + 1].kind == ZOID_TOKEN_NAME && p->i + 1 < p->end)
            p->i++;
    }
    return p->i > begin;
}

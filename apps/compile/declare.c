/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations before the region: globals, the function around it, its parameters and locals. */
#include <string.h>

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

    for (; (now = bits_here(p)); p->i++) {
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

static void other(struct zoid_symbol *s, const char *reason)
{
    s->kind = ZOID_SYMBOL_OTHER;
    s->reason = reason;
}

/* Reads an extent up to its ]. Returns false for others: uses of
 * the array are refused, not its declaration. */
static bool try_extent(struct zoid_parser *p, struct zoid_poly *extent)
{
    struct zoid_text *text = p->text;
    const int depth = p->depth;
    jmp_buf escape;
    volatile bool read = false;

    memcpy(escape, text->escape, sizeof escape);
    if (!setjmp(text->escape)) {
        *extent = zoid_ast_poly(text, zoid_read_expression(p), "extent");
        zoid_need(p, ']', "] after an extent");
        read = true;
    }
    memcpy(text->escape, escape, sizeof escape);
    p->depth = depth;
    return read;
}

/* [extent], or [static const extent], of an array, whose [ was read. */
static void read_extent(struct zoid_parser *p, struct zoid_symbol *s)
{
    const size_t begin = p->i - 1;
    struct zoid_poly extent;

    while (zoid_at_name(p, "static") || zoid_at_name(p, "const") || zoid_at_name(p, "restrict") ||
           zoid_at_name(p, "__restrict__") || zoid_at_name(p, "__restrict"))
        p->i++;
    if (zoid_take(p, ']')) {
        if (s->dims)
            other(s, "has an extent that is not stated; write [n]");
        s->open = true;
        s->dims++;
        return;
    }
    if (!try_extent(p, &extent)) {
        other(s, "has an extent that is no sum or product of sizes and integers; write one");
        p->i = begin;
        (void)zoid_skip_bracket(p);
    } else if (s->dims == ZOID_NEST_DIMS)
        other(s, "has more than 3 axes in space; take an array of at most 3");
    else
        s->extent[s->dims++] = extent;
}

/* POLYBENCH_2D(a, N, M, n, m): an array a[n][m]. */
static bool polybench_array(struct zoid_parser *p, const struct zoid_specifier *type)
{
    static const char *const names[] = {"POLYBENCH_1D", "POLYBENCH_2D", "POLYBENCH_3D"};
    int dims = 0;
    struct zoid_token name;
    struct zoid_symbol *s;

    for (int i = 0; i < 3; i++)
        if (zoid_at_name(p, names[i]))
            dims = i + 1;
    if (!dims)
        return false;
    p->polybench = true;
    p->i++;
    zoid_need(p, '(', "(");
    name = zoid_now(p);
    s = zoid_declare(p, ZOID_SYMBOL_ARRAY, &name, type->type);
    p->i++;
    for (int i = 0; i < dims; i++) {
        zoid_need(p, ',', ",");
        while (p->i < p->end && !zoid_at_mark(p, ',') && !zoid_at_mark(p, ')'))
            p->i++;
    }
    for (int i = 0; i < dims; i++) {
        zoid_need(p, ',', ",");
        s->extent[s->dims++] = zoid_ast_poly(p->text, zoid_read_expression(p), "extent");
    }
    zoid_need(p, ')', ")");
    return true;
}

/* The kind of a name without indices. */
static void scalar(struct zoid_parser *p, struct zoid_symbol *s, bool parameter)
{
    if (!parameter)
        other(s, "is a variable of the file; make it a parameter of the function");
    else if (s->type >= ZOID_FLOAT)
        s->kind = ZOID_SYMBOL_REAL;
    else if (p->nest->nsizes == ZOID_POLY_SIZES)
        other(s, "is one integer too many; 12 parameters are integers at most");
    else {
        s->number = p->nest->nsizes;
        p->nest->names[s->number] = s->name;
        p->nest->size[p->nest->nsizes++] = s;
    }
}

/* A declarator: n, *a, a[n][m], (*a)[n]. Stops before , or ; or ). */
static void read_declarator(struct zoid_parser *p, const struct zoid_specifier *type,
                            bool parameter)
{
    int stars = 0;
    bool inside = false;
    struct zoid_token name;
    struct zoid_symbol *s;
    struct zoid_specifier rest;

    if (polybench_array(p, type))
        return;
    if (zoid_take(p, '('))
        inside = true;
    while (zoid_take(p, '*')) {
        stars++;
        while (zoid_at_name(p, "const") || zoid_at_name(p, "restrict") ||
               zoid_at_name(p, "__restrict__") || zoid_at_name(p, "__restrict"))
            p->i++;
        if (zoid_at_name(p, "volatile"))
            (void)zoid_read_type(p, &rest);
    }
    name = zoid_now(p);
    if (name.kind != ZOID_TOKEN_NAME)
        return;
    p->i++;
    s = zoid_declare(p, ZOID_SYMBOL_SIZE, &name, type->type);
    s->constant = type->constant;
    s->global = !parameter;
    s->pointer = stars == 1;
    s->is_static = type->is_static;
    s->is_extern = type->is_extern;
    if (inside) {
        if (stars != 1 || !zoid_take(p, ')')) {
            other(s, "is no array of numbers; declare it as one");
            return;
        }
        s->open = true;
        s->dims = 1;
    } else if (stars == 1) {
        s->open = true;
        s->dims = 1;
    }
    while (s->kind != ZOID_SYMBOL_OTHER && zoid_take(p, '[')) {
        if (stars && !inside)
            other(s, "is an array of pointers; write T (*a)[n]");
        read_extent(p, s);
    }
    if (zoid_at_mark(p, '('))
        other(s, "is a function; write a value");
    if (s->kind == ZOID_SYMBOL_OTHER)
        return;
    if (stars > 1)
        other(s, "is a pointer to pointers; write T (*a)[n]");
    else if (type->other)
        other(s, "has a type that a nest cannot use; take float, double, int, long, unsigned or "
                 "size_t");
    else if (!s->dims)
        scalar(p, s, parameter);
    else if (type->type < ZOID_FLOAT)
        other(s, "is an array of integers; take float or double");
    else
        s->kind = ZOID_SYMBOL_ARRAY;
}

/* Skips to a mark outside brackets; false at the end. */
static bool skip_to(struct zoid_parser *p, unsigned a, unsigned b)
{
    while (p->i < p->end) {
        if (zoid_at_mark(p, a) || zoid_at_mark(p, b))
            return true;
        if (zoid_at_mark(p, '(') || zoid_at_mark(p, '[') || zoid_at_mark(p, '{')) {
            if (!zoid_skip_bracket(p))
                return false;
        } else
            p->i++;
    }
    return false;
}

/* Global declaration: float a, b[n]; */
static void read_global(struct zoid_parser *p, size_t end)
{
    struct zoid_specifier type;

    if (!zoid_read_type(p, &type))
        return;
    if (type.is_typedef) {
        struct zoid_macro *m = zoid_text_new(p->text, sizeof *m);

        m->name = zoid_now(p);
        m->kind = !type.other && type.type >= ZOID_FLOAT && p->i + 1 == end ? ZOID_MACRO_TYPE
                                                                            : ZOID_MACRO_OTHER;
        m->type = type.type;
        m->reason = "is a type that a nest cannot use; take float or double";
        m->next = p->macros;
        if (m->name.kind == ZOID_TOKEN_NAME)
            p->macros = m;
        return;
    }
    do {
        struct zoid_symbol *const before = p->scope;

        read_declarator(p, &type, false);
        if (p->scope != before)
            p->scope->has_values = zoid_at_mark(p, '=');
        if (!skip_to(p, ',', ';') || p->i >= end)
            return;
    } while (zoid_take(p, ','));
}

/* Notes the first reason why the function is not the nest alone. */
static void note_more(struct zoid_parser *p, size_t token, const char *why)
{
    if (p->nest->more)
        return;
    p->nest->more = why;
    p->nest->more_at = p->token[token].at;
}

/* Notes a parameter that was declared, or not, since the scope was `before`. */
static void note_parameter(struct zoid_parser *p, size_t token, const struct zoid_symbol *before)
{
    struct zoid_nest *nest = p->nest;
    struct zoid_symbol *s = p->scope;

    if (s == before || s->kind == ZOID_SYMBOL_OTHER)
        note_more(p, token,
                  s == before
                      ? "a parameter that has no name; give it one"
                      : zoid_text_print(p->text, "the parameter %s %s", s->name, s->reason));
    else if (nest->nparameters == ZOID_NEST_PARAMETERS)
        note_more(p, token, "more than 64 parameters; take fewer");
    else
        nest->parameter[nest->nparameters++] = s;
}

/* The parameters between the parentheses of a function. */
static void read_parameters(struct zoid_parser *p, size_t open, size_t close)
{
    const size_t end = p->end;
    struct zoid_specifier type;

    p->i = open + 1;
    p->end = close;
    while (p->i < close) {
        const size_t begin = p->i;
        const struct zoid_symbol *before = p->scope;

        if (!zoid_read_type(p, &type))
            type = (struct zoid_specifier){.other = true};
        if (!(type.is_void && p->i == close)) {
            read_declarator(p, &type, true);
            note_parameter(p, begin, before);
        }
        if (!skip_to(p, ',', ','))
            break;
        p->i++;
    }
    p->end = end;
}

/* Returns whether the token before the current one, or the one after, gives the name another value.
 */
static bool assigned(const struct zoid_parser *p, size_t i)
{
    const struct zoid_token *before = &p->token[i - 1], *after = &p->token[i + 1];
    static const unsigned marks[] = {'=',
                                     ZOID_MARK2('+', '='),
                                     ZOID_MARK2('-', '='),
                                     ZOID_MARK2('*', '='),
                                     ZOID_MARK2('/', '='),
                                     ZOID_MARK2('%', '='),
                                     ZOID_MARK2('&', '='),
                                     ZOID_MARK2('|', '='),
                                     ZOID_MARK2('^', '='),
                                     ZOID_MARK3('<', '<', '='),
                                     ZOID_MARK3('>', '>', '='),
                                     ZOID_MARK2('+', '+'),
                                     ZOID_MARK2('-', '-')};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (after->mark == marks[i])
            return true;
    return before->mark == ZOID_MARK2('+', '+') || before->mark == ZOID_MARK2('-', '-') ||
           before->mark == '&';
}

/* int t, i; or another declaration inside the function. */
static void read_local(struct zoid_parser *p)
{
    struct zoid_specifier type;

    if (!zoid_read_type(p, &type))
        return;
    do {
        const bool pointer = zoid_at_mark(p, '*') || zoid_at_mark(p, '(');
        struct zoid_token name;
        struct zoid_symbol *s;

        while (zoid_take(p, '*') || zoid_take(p, '('))
            continue;
        while (zoid_at_name(p, "restrict") || zoid_at_name(p, "const"))
            p->i++;
        name = zoid_now(p);
        if (name.kind != ZOID_TOKEN_NAME)
            return;
        p->i++;
        s = zoid_declare(p, ZOID_SYMBOL_LOOP, &name, type.type);
        if (pointer || zoid_at_mark(p, '['))
            other(s, "is no parameter of the function; make it one");
        else if (type.other || type.type >= ZOID_FLOAT)
            other(s, "outlives the point; declare it with a value where the point is computed");
        if (!skip_to(p, ',', ';'))
            return;
    } while (zoid_take(p, ','));
}

/* Notes statements of the function outside its region; not declarations without values. */
static void note_statements(struct zoid_parser *p, size_t begin, size_t end, bool after)
{
    const size_t was = p->i, was_end = p->end;
    struct zoid_specifier type;

    p->end = end;
    for (p->i = begin; p->i < end && !p->nest->more;) {
        const size_t start = p->i;

        if (zoid_take(p, ';'))
            continue;
        if (after && zoid_at_name(p, "return") && p->token[start + 1].mark == ';')
            p->i++;
        else if (!after && zoid_read_type(p, &type))
            while (p->i < end && !zoid_at_mark(p, ';') && !zoid_at_mark(p, '=') &&
                   !zoid_at_mark(p, '('))
                p->i++;
        if (!zoid_at_mark(p, ';'))
            note_more(p, start, "the function does more than its region; leave that to its caller");
    }
    p->i = was;
    p->end = was_end;
}

/* Notes a function that is no void NAME(...), or has other statements than the region. */
static void note_function(struct zoid_parser *p, size_t begin, size_t name, size_t body,
                          size_t region)
{
    const size_t was = p->i;
    struct zoid_specifier type;
    size_t past;

    p->i = begin;
    if (!zoid_read_type(p, &type) || !type.is_void || p->i != name)
        note_more(p, name, "a function that returns a value; make it void");
    if (zoid_token_is(p->text, &p->token[name], "main"))
        note_more(p, name, "the function main; write the nest in a function of its own");
    note_statements(p, body + 1, region, false);
    p->i = body;
    past = zoid_skip_bracket(p) ? p->i - 1 : p->end;
    note_statements(p, p->endscop + 1, past, true);
    p->i = was;
}

/* The names inside the function before the region. Those of a block that ends are dropped. */
static void read_locals(struct zoid_parser *p, size_t region)
{
    struct zoid_symbol *block[ZOID_TEXT_NESTING];
    const size_t end = p->end;
    int depth = 0;

    p->end = region;
    while (p->i < region) {
        const struct zoid_token t = zoid_now(p), before = p->token[p->i - 1];
        const bool start =
            before.mark == '{' || before.mark == '}' || before.mark == ';' || before.mark == ')' ||
            before.kind == ZOID_TOKEN_DIRECTIVE ||
            (before.mark == '(' && zoid_token_is(p->text, &p->token[p->i - 2], "for"));
        struct zoid_symbol *s = t.kind == ZOID_TOKEN_NAME ? zoid_find_symbol(p, &t) : NULL;
        const size_t now = p->i;

        if (t.mark == '{') {
            if (depth == ZOID_TEXT_NESTING)
                zoid_refuse(p->text, t.at, "nested more than %d times; nest less", depth);
            block[depth++] = p->scope;
        } else if (t.mark == '}' && depth)
            p->scope = block[--depth];
        else if (start && t.kind == ZOID_TOKEN_NAME && !s && !zoid_at_name(p, "return") &&
                 !zoid_at_name(p, "else") && !zoid_at_name(p, "goto"))
            read_local(p);
        if (p->i == now)
            p->i++;
        for (size_t i = now; i < p->i; i++) {
            s = p->token[i].kind == ZOID_TOKEN_NAME && assigned(p, i)
                    ? zoid_find_symbol(p, &p->token[i])
                    : NULL;
            if (s && s->kind != ZOID_SYMBOL_LOOP)
                s->changed = true;
        }
    }
    p->end = end;
}

/* The ( of the parameters of a function whose { is token `body`; refuses a file without one. */
static size_t parameters(struct zoid_parser *p, size_t begin, size_t body)
{
    size_t open = body;

    do {
        int depth = 0;

        for (; open > begin; open--) {
            const struct zoid_token *t = &p->token[open];

            if (t->kind == ZOID_TOKEN_MARK)
                depth += (t->mark == ')') - (t->mark == '(');
            if (t->mark == '(' && !depth)
                break;
        }
        if (open == begin)
            zoid_refuse(p->text, p->token[body].at, "not the head of a function; write NAME(...)");
        open--;
    } while (zoid_token_is(p->text, &p->token[open], "__attribute__"));
    return open + 1;
}

/* A function whose { is the current token; true if the region is inside. Else goes past it. */
static bool enter_function(struct zoid_parser *p, size_t begin, size_t region)
{
    const size_t body = p->i, open = parameters(p, begin, body);
    const struct zoid_token *name = &p->token[open - 1];
    struct zoid_symbol *s;

    if (zoid_skip_bracket(p) && p->i <= region) {
        if (name->kind == ZOID_TOKEN_NAME && name->length <= 60) {
            s = zoid_declare(p, ZOID_SYMBOL_OTHER, name, ZOID_INT);
            other(s, "is a function; write a value");
        }
        return false;
    }
    if (name->kind != ZOID_TOKEN_NAME || name->length > 40)
        zoid_refuse(p->text, name->at,
                    "not the name of a function; take one of 40 letters at most");
    p->nest->name = zoid_word(p, name);
    note_function(p, begin, open - 1, body, region);
    p->i = open;
    (void)zoid_skip_bracket(p);
    read_parameters(p, open, p->i - 1);
    p->i = body + 1;
    read_locals(p, region);
    return true;
}

void zoid_read_declarations(struct zoid_parser *p, size_t region)
{
    size_t begin;

    for (size_t i = 0; i < region; i++)
        p->polybench |= zoid_token_is(p->text, &p->token[i], "DATA_TYPE");
    for (p->i = begin = 0; p->i < region;) {
        const struct zoid_token t = zoid_now(p);

        if (t.kind == ZOID_TOKEN_DIRECTIVE) {
            begin = ++p->i;
        } else if (zoid_at_mark(p, ';')) {
            const size_t end = p->i;

            p->i = begin;
            read_global(p, end);
            begin = p->i = end + 1;
        } else if (zoid_at_mark(p, '{')) {
            const struct zoid_token *before = &p->token[p->i - (p->i > begin)];

            if (before->mark == ')') {
                if (enter_function(p, begin, region))
                    return;
                begin = p->i;
            } else if (!zoid_skip_bracket(p) || p->i > region)
                break;
        } else if (zoid_at_mark(p, '(') || zoid_at_mark(p, '[')) {
            if (!zoid_skip_bracket(p))
                break;
        } else
            p->i++;
    }
    zoid_refuse(p->text, p->token[region].at, "a region outside a function; write it in one");
}

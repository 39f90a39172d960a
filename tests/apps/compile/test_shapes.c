/* SPDX-License-Identifier: BSD-3-Clause */
/* Dependences and shapes: those of the literature, those of every pair of instances in a small
 * domain, and those of every row with small coefficients. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "apps/compile/compile.h"
#include "apps/compile/shapes.h"
#include "codelets/wavefront/wavefront.h"
#include "tests/suite.h"

#define HEAD(arrays) "void f(int n, int steps" arrays ")\n{\n#pragma scop\n"
#define TIME "for (int t = 0; t < steps; t++) {\n"
#define END "}\n#pragma endscop\n}\n"
#define X(lo, hi) "for (int i = " #lo "; i < n - " #hi "; i++) "
#define Y(lo, hi) "for (int j = " #lo "; j < n - " #hi "; j++) "
#define Z(lo, hi) "for (int k = " #lo "; k < n - " #hi "; k++) "
#define A1 ", double a[n]"
#define AB1 ", double a[n], double b[n]"
#define AB2 ", double a[n][n], double b[n][n]"
#define AB3 ", double a[n][n][n], double b[n][n][n]"
#define STAR2(a) #a "[i-1][j] + " #a "[i+1][j] + " #a "[i][j-1] + " #a "[i][j+1] + " #a "[i][j]"
#define STAR3(a)                                                                       \
#a "[i-1][j][k] + " #a "[i+1][j][k] + " #a "[i][j-1][k] + " #a "[i][j+1][k] + " #a \
       "[i][j][k-1] + " #a "[i][j][k+1] + " #a "[i][j][k]"
#define ROW3(a, i, j) \
#a "[" #i "][" #j "][k-1] + " #a "[" #i "][" #j "][k] + " #a "[" #i "][" #j "][k+1]"
#define PLANE3(a, i) ROW3(a, i, j - 1) " + " ROW3(a, i, j) " + " ROW3(a, i, j + 1)
#define BOX3(a) PLANE3(a, i - 1) " + " PLANE3(a, i) " + " PLANE3(a, i + 1)

static const char example[] = HEAD(A1) TIME X(0, 1) "a[i] = a[i] + a[i+1];" END;
static const char sor1[] = HEAD(A1) TIME X(1, 1) "a[i] = a[i-1] + a[i] + a[i+1];" END;
static const char sor2[] = HEAD(AB2) TIME X(1, 1) Y(1, 1) "a[i][j] = " STAR2(a) ";" END;
static const char sor3[] = HEAD(AB3) TIME X(1, 1) Y(1, 1) Z(1, 1) "a[i][j][k] = " STAR3(a) ";" END;
static const char seidel[] =
    HEAD(AB2) TIME X(1, 1) Y(1, 1) "a[i][j] = " STAR2(a) " + a[i-1][j-1] + a[i-1][j+1] + "
                                                         "a[i+1][j-1] + a[i+1][j+1];" END;
static const char jacobi1[] =
    HEAD(AB1) TIME X(1, 1) "b[i] = a[i-1] + a[i] + a[i+1];" X(1, 1) "a[i] = b[i];" END;
static const char jacobi2[] = HEAD(AB2) TIME X(1, 1) Y(1, 1) "b[i][j] = " STAR2(a) ";" X(1, 1)
    Y(1, 1) "a[i][j] = b[i][j];" END;
static const char heat7[] =
    HEAD(AB2) TIME X(1, 1) Y(1, 1) "b[i][j] = " STAR2(a) " + a[i+1][j+1] + a[i-1][j-1];" X(1, 1)
        Y(1, 1) "a[i][j] = b[i][j];" END;
static const char jacobi3[] = HEAD(AB3) TIME X(1, 1) Y(1, 1)
    Z(1, 1) "b[i][j][k] = " STAR3(a) ";" X(1, 1) Y(1, 1) Z(1, 1) "a[i][j][k] = b[i][j][k];" END;
static const char jacobi27[] = HEAD(AB3) TIME X(1, 1) Y(1, 1)
    Z(1, 1) "b[i][j][k] = " BOX3(a) ";" X(1, 1) Y(1, 1) Z(1, 1) "a[i][j][k] = b[i][j][k];" END;
static const char halves[] = HEAD(AB1)
    TIME X(1, 1) "b[i] = a[i-1] + a[i] + a[i+1];" X(1, 1) "a[i] = b[i-1] + b[i] + b[i+1];" END;
static const char fdtd[] = HEAD(", double ex[n][n], double ey[n][n], double hz[n][n]") TIME X(1, 0)
    Y(0, 0) "ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i-1][j]);\n" X(0, 0)
        Y(1, 0) "ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j-1]);\n" X(0, 1)
            Y(0, 1) "hz[i][j] = hz[i][j] - 0.7 * (ex[i][j+1] - ex[i][j] + ey[i+1][j] - "
                    "ey[i][j]);\n" END;
static const char turns[] =
    HEAD(", double u[2][n]") TIME X(1, 1) "u[(t+1)%2][i] = u[t%2][i-1] - u[(t+1)%2][i];" END;
static const char colours[] = HEAD(A1) TIME X(1, 1) "if (i % 2 == 0) a[i] = a[i-1] + a[i+1];" X(
    1, 1) "if (i % 2 == 1) a[i] = a[i-1] + a[i+1];" END;
static const char face[] = HEAD(AB2) TIME Y(0, 0) "a[0][j] = b[0][j];" X(1, 0)
    Y(0, 0) "a[i][j] = a[i-1][j] + b[i][j];" X(0, 0) Y(0, 0) "b[i][j] = a[i][j];" END;

static const char sor27[] = HEAD(AB3) TIME X(1, 1) Y(1, 1) Z(1, 1) "a[i][j][k] = " BOX3(a) ";" END;
static const char wave[] =
    HEAD(", double u[2][n][n]") TIME X(1, 1) Y(1, 1) "u[(t+1)%2][i][j] = u[t%2][i-1][j] + "
                                                     "u[t%2][i+1][j] - u[(t+1)%2][i][j];" END;
static const char twice[] = HEAD(AB1) TIME X(1, 1) "b[i] = a[i-1] + a[i] + a[i+1];" X(
    1, 1) "a[i] = b[i];" X(1, 1) "a[i] = 0.5 * a[i];" END;
static const char down[] =
    HEAD(", double a[n][n]") TIME "for (int j = n - 1; j > 0; j--) for (int i = n - 1; i > 0; "
                                  "i--) a[i][j] = a[i][j-1] + a[i-1][j];" END;
static const char kept[] = HEAD(AB1) TIME X(1, 1) "a[i] = a[i-1] + b[i];" END;

static const struct {
    const char *name, *text;
    int dependences; /* 0: the literature has no number */
    const char *minimal, *balanced, *hindering;
    int copied; /* dependences with the copies; 0: there are no copies */
    const char *copied_minimal, *copied_balanced;
} nests[] = {
    {"example", example, 5, "(1 0) (1 1)", "(2 1) (1 1)", "anti 0 -> 0 (0 1)", 8, "(1 0) (1 1)+0,1",
     "(1 0) (1 1)+0,1"},
    {"sor1", sor1, 7, "(1 0) (1 1)", "(2 1) (1 1)", "none", 0, NULL, NULL},
    {"sor2", sor2, 11, "(1 0 0) (1 1 0) (1 0 1)", "(2 1 1) (1 0 0) (1 1 0)", "none", 0, NULL, NULL},
    {"sor3", sor3, 15, "(1 0 0 0) (1 1 0 0) (1 0 1 0) (1 0 0 1)",
     "(2 1 1 1) (1 0 0 0) (1 1 0 0) (1 0 0 1)", "none", 0, NULL, NULL},
    {"sor27", sor27, 55, "(1 0 0 0) (1 1 0 0) (2 1 1 0) (4 2 1 1)",
     "(8 4 2 1) (1 0 0 0) (1 1 0 0) (4 2 1 1)", "none", 0, NULL, NULL},
    {"seidel", seidel, 19, "(1 0 0) (1 1 0) (2 1 1)", "(4 2 1) (1 0 0) (1 1 0)", "none", 0, NULL,
     NULL},
    {"jacobi1", jacobi1, 10, "(1 0) (2 1)+0,1", "(1 0) (2 1)+0,1", "anti 0 -> 1 (0 -1)", 13,
     "(1 0) (1 1)", "(1 0) (1 1)"},
    {"jacobi2", jacobi2, 14, "(1 0 0) (2 1 0)+0,1 (2 0 1)+0,1", "(1 0 0) (2 1 0)+0,1 (2 0 1)+0,1",
     "anti 0 -> 1 (0 -1 0), anti 0 -> 1 (0 0 -1)", 17, "(1 0 0) (1 1 0) (1 0 1)",
     "(1 0 0) (1 1 0) (1 0 1)"},
    {"heat7", heat7, 18, "(1 0 0) (2 1 0)+0,1 (2 0 1)+0,1", "(1 0 0) (2 1 0)+0,1 (2 0 1)+0,1",
     "anti 0 -> 1 (0 -1 -1), anti 0 -> 1 (0 -1 0), anti 0 -> 1 (0 0 -1)", 21,
     "(1 0 0) (1 1 0) (1 0 1)", "(1 0 0) (1 1 0) (1 0 1)"},
    {"jacobi3", jacobi3, 18, "(1 0 0 0) (2 1 0 0)+0,1 (2 0 1 0)+0,1 (2 0 0 1)+0,1",
     "(1 0 0 0) (2 1 0 0)+0,1 (2 0 1 0)+0,1 (2 0 0 1)+0,1",
     "anti 0 -> 1 (0 -1 0 0), anti 0 -> 1 (0 0 -1 0), anti 0 -> 1 (0 0 0 -1)", 21,
     "(1 0 0 0) (1 1 0 0) (1 0 1 0) (1 0 0 1)", "(1 0 0 0) (1 1 0 0) (1 0 1 0) (1 0 0 1)"},
    /* The copy is read before and behind the point along each axis, so that it gains nothing. */
    {"jacobi27", jacobi27, 58, "(1 0 0 0) (2 1 0 0)+0,1 (2 0 1 0)+0,1 (2 0 0 1)+0,1",
     "(1 0 0 0) (2 1 0 0)+0,1 (2 0 1 0)+0,1 (2 0 0 1)+0,1", NULL, 61,
     "(1 0 0 0) (2 1 0 0)+0,1,1 (2 0 1 0)+0,1,1 (2 0 0 1)+0,1,1",
     "(1 0 0 0) (2 1 0 0)+0,1,1 (2 0 1 0)+0,1,1 (2 0 0 1)+0,1,1"},
    {"halves", halves, 0, "(1 0) (2 1)+0,1", "(1 0) (2 1)+0,1", "none", 0, NULL, NULL},
    {"fdtd", fdtd, 25, "(1 0 0) (1 1 0)+0,0,1 (1 0 1)+0,0,1", "(1 0 0) (1 1 0)+0,0,1 (1 0 1)+0,0,1",
     "none", 0, NULL, NULL},
    {"turns", turns, 0, NULL, NULL, NULL, 0, NULL, NULL},
    {"colours", colours, 0, NULL, NULL, NULL, 0, NULL, NULL},
    {"face", face, 0, NULL, NULL, NULL, 0, NULL, NULL},
    {"wave", wave, 7, "(0 0 1) (1 0 0) (1 1 0)", "(1 0 0) (0 0 1) (1 1 0)", "none", 0, NULL, NULL},
    /* Both hinder together, and not alone. */
    {"twice", twice, 0, "(1 0) (2 1)+0,1,1", "(1 0) (2 1)+0,1,1",
     "anti 0 -> 1 (0 -1), anti 0 -> 2 (0 -1)", 26, "(1 0) (1 1)", "(1 0) (1 1)"},
    /* Axes are mirrored, the offsets of reads are not. */
    {"down", down, 5, "(1 0 0) (1 1 0) (1 0 1)", "(2 1 1) (1 0 0) (1 1 0)",
     "anti 0 -> 0 (0 0 1), anti 0 -> 0 (0 1 0)", 8, "(1 0 0) (1 1 0)+0,1 (1 0 1)+0,1",
     "(1 0 0) (1 1 0)+0,1 (1 0 1)+0,1"},
    /* The value of a[i - 1] comes from the same loops: a copy before them has not got it. The copy
     * of an array that takes turns would be a third one. */
    {"kept", kept, 0, NULL, NULL, NULL, 0, NULL, NULL},
};
enum { NESTS = sizeof nests / sizeof *nests };

/* Refusals from here on fail. */
#define NOTHING_REFUSED(text)                   \
    do {                                        \
        if (setjmp((text).escape))              \
            ck_abort_msg("%s", (text).refusal); \
    } while (0)

static struct zoid_meaning *compile(struct zoid_text *text, int i)
{
    struct zoid_meaning *m;

    *text = (struct zoid_text){
        .file = nests[i].name, .bytes = nests[i].text, .size = strlen(nests[i].text)};
    m = zoid_compile_text(text);
    ck_assert_msg(m, "%s", text->refusal);
    return m;
}

/* The line that begins with a word, or, of what hinders, the lines of dependences after it. */
static void compare(const char *name, const char *shown, const char *word, const char *wanted)
{
    const char *line = strstr(shown, word);
    char found[256];
    size_t n = 0;

    ck_assert_ptr_nonnull(line);
    line += strlen(word);
    line += strspn(line, " \n");
    if (!strcmp(word, "\nhindering"))
        for (const char *c = line; *c && n < sizeof found - 3; c++) {
            if (*c != '\n') {
                found[n++] = *c;
            } else if (c[1] == ' ') {
                found[n++] = ',';
                found[n++] = ' ';
                c += strspn(c + 1, " ");
            } else {
                break;
            }
        }
    else
        for (; line[n] != '\n' && n < sizeof found - 1; n++)
            found[n] = line[n];
    found[n] = 0;
    ck_assert_msg(!strcmp(found, wanted), "%s: %s is '%s', not '%s'", name, word, found, wanted);
}

static double seconds(clock_t begin)
{
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

START_TEST(shapes_are_those_of_the_literature)
{
    const clock_t begin = clock();
    struct zoid_text text;
    struct zoid_meaning *m = compile(&text, _i);
    char *shown = NULL;
    size_t size;
    FILE *to = open_memstream(&shown, &size);

    NOTHING_REFUSED(text);
    zoid_shape_print(m, to);
    fclose(to);
    ck_assert_msg(seconds(begin) < (SANITIZED ? 10 : 2), "%s: %g s", nests[_i].name,
                  seconds(begin));
    if (nests[_i].dependences)
        ck_assert_int_eq(m->dependences->n, nests[_i].dependences);
    if (nests[_i].minimal)
        compare(nests[_i].name, shown, "\nminimal", nests[_i].minimal);
    if (nests[_i].balanced)
        compare(nests[_i].name, shown, "\nbalanced", nests[_i].balanced);
    if (nests[_i].hindering)
        compare(nests[_i].name, shown, "\nhindering", nests[_i].hindering);
    if (nests[_i].copied_minimal) {
        char count[16];

        snprintf(count, sizeof count, "%d", nests[_i].copied);
        compare(nests[_i].name, shown, "\ncopied dependences", count);
        compare(nests[_i].name, shown, "\ncopied minimal", nests[_i].copied_minimal);
        compare(nests[_i].name, shown, "\ncopied balanced", nests[_i].copied_balanced);
    } else if (nests[_i].hindering && !strcmp(nests[_i].hindering, "none")) {
        ck_assert_ptr_null(strstr(shown, "copi"));
    }
    free(shown);
    zoid_text_free(&text);
}
END_TEST

/* --- every pair of instances */

enum { N = 5, STEPS = 4, INSTANCES = STEPS * N * N * N * 4 };

struct instance {
    int statement, t, p[ZOID_NEST_AXES];
};

/* The order of the nest: time, place in the source, loops. */
static int order(const struct zoid_meaning *m, const struct instance *x, const struct instance *y)
{
    const struct zoid_statement *a = m->statement[x->statement], *b = m->statement[y->statement];

    if (x->t != y->t)
        return x->t - y->t;
    for (int d = 0; d <= ZOID_NEST_AXES; d++) {
        if (a->place[d] != b->place[d])
            return a->place[d] - b->place[d];
        if (d >= a->nloops || d >= b->nloops)
            break;
        for (int axis = 0; axis < m->ir->axes; axis++)
            if (a->depth[axis] == d && x->p[axis] != y->p[axis])
                return a->loop[d]->down ? y->p[axis] - x->p[axis] : x->p[axis] - y->p[axis];
    }
    return 0;
}

static int side(struct zoid_side s)
{
    return s.end ? N - s.at : s.at;
}

static int list_instances(const struct zoid_meaning *m, struct instance *list)
{
    int n = 0;

    for (int t = 0; t < STEPS; t++)
        for (int s = 0; s < m->n; s++)
            for (int i = 0; i < N * N * N; i++) {
                const struct zoid_statement *st = m->statement[s];
                struct instance one = {s, t, {i / (N * N), i / N % N, i % N}};
                bool in = true;
                int sum = 0;

                for (int a = 0; a < ZOID_NEST_AXES; a++)
                    if (a < m->ir->axes) {
                        in &= one.p[a] >= side(st->box.lo[a]) && one.p[a] < side(st->box.hi[a]);
                        sum += one.p[a];
                    } else {
                        in &= one.p[a] == 0;
                    }
                if (in && (st->colour < 0 || (sum & 1) == st->colour))
                    list[n++] = one;
            }
    return n;
}

/* An access: the write, or a read. */
struct touch {
    const struct zoid_nest_array *array;
    const int *offset;
    int role;
    bool write;
};

static int touches(const struct zoid_statement *s, struct touch *list)
{
    static const int here[ZOID_NEST_AXES];
    int n = 0;

    list[n++] = (struct touch){s->array, here, s->role, true};
    for (const struct zoid_nest_read *r = s->reads; r; r = r->next)
        if (r->array->kind == ZOID_ARRAY_STATE)
            list[n++] = (struct touch){r->array, r->offset, r->role, false};
    return n;
}

static bool same_element(const struct zoid_meaning *m, const struct instance *x,
                         const struct touch *tx, const struct instance *y, const struct touch *ty)
{
    if (tx->array->turns &&
        (x->t + tx->role) % tx->array->turns != (y->t + ty->role) % ty->array->turns)
        return false;
    for (int a = 0; a < m->ir->axes; a++)
        if (x->p[a] + tx->offset[a] != y->p[a] + ty->offset[a])
            return false;
    return true;
}

static bool known(const struct zoid_dependences *all, const struct zoid_dependence *d)
{
    for (int i = 0; i < all->n; i++) {
        const struct zoid_dependence *x = &all->dependence[i];

        if (x->from == d->from && x->to == d->to && x->kind == d->kind &&
            !memcmp(x->distance, d->distance, sizeof d->distance))
            return true;
    }
    return false;
}

/* Finds, for each instance and pair of accesses, the next instance; all that are found are those of
 * isl, and all of isl occur. */
START_TEST(dependences_are_those_of_all_instances)
{
    static struct instance list[INSTANCES];
    struct touch from[64], to[64];
    struct zoid_text text;
    struct zoid_meaning *m = compile(&text, _i);
    bool *seen = calloc((size_t)m->dependences->n + 1, 1);
    const int n = list_instances(m, list);

    for (int i = 0; i < n; i++)
        for (int s = 0; s < m->n; s++) {
            const int nf = touches(m->statement[list[i].statement], from);
            const int nt = touches(m->statement[s], to);

            for (int f = 0; f < nf; f++)
                for (int g = 0; g < nt; g++) {
                    struct zoid_dependence d = {list[i].statement,
                                                s,
                                                !from[f].write ? ZOID_ANTI
                                                : to[g].write  ? ZOID_OUTPUT
                                                               : ZOID_FLOW,
                                                {0},
                                                0};
                    int next = -1;

                    if (from[f].array != to[g].array || !(from[f].write || to[g].write))
                        continue;
                    for (int j = 0; j < n; j++)
                        if (list[j].statement == s && order(m, &list[i], &list[j]) < 0 &&
                            same_element(m, &list[i], &from[f], &list[j], &to[g]) &&
                            (next < 0 || order(m, &list[j], &list[next]) < 0))
                            next = j;
                    if (next < 0)
                        continue;
                    d.distance[0] = list[next].t - list[i].t;
                    for (int a = 0; a < m->ir->axes; a++)
                        d.distance[1 + a] =
                            (list[next].p[a] - list[i].p[a]) * (m->ir->mirrored[a] ? -1 : 1);
                    ck_assert_msg(known(m->dependences, &d), "%s: isl lacks %s %d -> %d (%d %d %d)",
                                  nests[_i].name, zoid_dependence_name(d.kind), d.from, d.to,
                                  d.distance[0], d.distance[1], d.distance[2]);
                    for (int k = 0; k < m->dependences->n; k++)
                        seen[k] |= !memcmp(m->dependences->dependence[k].distance, d.distance,
                                           sizeof d.distance) &&
                                   m->dependences->dependence[k].from == d.from &&
                                   m->dependences->dependence[k].to == d.to &&
                                   m->dependences->dependence[k].kind == d.kind;
                }
        }
    for (int k = 0; k < m->dependences->n; k++)
        ck_assert_msg(seen[k], "%s: isl has one too many, %d", nests[_i].name, k);
    free(seen);
    zoid_text_free(&text);
}
END_TEST

/* --- every row */

/* The least offsets of a row with that width; false if the row has no offsets. */
static bool offsets(const struct zoid_dependences *all, const int *phi, int least, int width,
                    int *c)
{
    memset(c, 0, sizeof(int) * ZOID_STATEMENTS);
    for (int round = 0; round < 40; round++) {
        bool moved = false;

        for (int i = 0; i < all->n; i++) {
            const struct zoid_dependence *d = &all->dependence[i];
            int v = 0;

            for (int x = 0; x < all->dims; x++)
                v += phi[x] * d->distance[x];
            if (d->from == d->to && (v < least || v > width))
                return false;
            if (c[d->to] < c[d->from] - v) {
                c[d->to] = c[d->from] - v;
                moved = true;
            }
            if (c[d->from] < c[d->to] + v - width) {
                c[d->from] = c[d->to] + v - width;
                moved = true;
            }
        }
        if (!moved)
            return true;
    }
    return false;
}

static int rank(int n, int dims, int rows[][ZOID_SHAPE_DIMS])
{
    double a[ZOID_SHAPE_DIMS][ZOID_SHAPE_DIMS];
    int found = 0;

    for (int i = 0; i < n; i++)
        for (int x = 0; x < dims; x++)
            a[i][x] = rows[i][x];
    for (int x = 0; x < dims && found < n; x++) {
        int p = found;

        while (p < n && a[p][x] == 0)
            p++;
        if (p == n)
            continue;
        for (int k = 0; k < dims; k++) {
            const double other = a[p][k];

            a[p][k] = a[found][k];
            a[found][k] = other;
        }
        for (int i = found + 1; i < n; i++)
            for (int k = dims - 1; k >= x; k--)
                a[i][k] -= a[i][x] / a[found][x] * a[found][k];
        found++;
    }
    return found;
}

static long determinant(int n, int rows[][ZOID_SHAPE_DIMS])
{
    long sum = 0;

    if (n == 1)
        return rows[0][0];
    for (int j = 0; j < n; j++) {
        int minor[ZOID_SHAPE_DIMS][ZOID_SHAPE_DIMS];

        for (int i = 1; i < n; i++)
            for (int k = 0, to = 0; k < n; k++)
                if (k != j)
                    minor[i - 1][to++] = rows[i][k];
        sum += (j % 2 ? -1 : 1) * rows[0][j] * determinant(n - 1, minor);
    }
    return sum;
}

/* Tries all coefficients up to `most` for the row after `n` others; the last one's determinant is
 * positive, or `negative`. */
static bool try_rows(const struct zoid_dependences *all, int rows[][ZOID_SHAPE_DIMS], int n,
                     bool balanced, int most, bool negative, int *width, int *c)
{
    int best[ZOID_SHAPE_DIMS] = {0}, best_sum = 0;
    bool found = false;

    for (int code = 1; code < (most + 1) * (most + 1) * (most + 1) * (most + 1); code++) {
        int *phi = rows[n], sum = 0, rest = code, now[ZOID_STATEMENTS];
        bool beyond;

        for (int x = 0; x < ZOID_SHAPE_DIMS; x++, rest /= most + 1) {
            phi[ZOID_SHAPE_DIMS - 1 - x] = rest % (most + 1);
            sum += rest % (most + 1);
        }
        beyond = false;
        for (int x = all->dims; x < ZOID_SHAPE_DIMS; x++)
            beyond |= phi[x] != 0;
        if (beyond || rank(n + 1, all->dims, rows) != n + 1 ||
            (n + 1 == all->dims && determinant(n + 1, rows) < 0 && !negative))
            continue;
        for (int w = 0; w < 20; w++) {
            if (found && w > *width)
                break;
            if (!offsets(all, phi, balanced && n == 0, w, now))
                continue;
            if (!found || w < *width || sum < best_sum ||
                (sum == best_sum && memcmp(phi, best, sizeof best) != 0 &&
                 phi[0] * 1000 + phi[1] * 100 + phi[2] * 10 + phi[3] >
                     best[0] * 1000 + best[1] * 100 + best[2] * 10 + best[3])) {
                memcpy(best, phi, sizeof best);
                memcpy(c, now, sizeof now);
                best_sum = sum;
                *width = w;
                found = true;
            }
            break;
        }
    }
    memcpy(rows[n], best, sizeof best);
    return found;
}

static bool least_row(const struct zoid_dependences *all, int rows[][ZOID_SHAPE_DIMS], int n,
                      bool balanced, int most, int *width, int *c)
{
    return try_rows(all, rows, n, balanced, most, false, width, c) ||
           try_rows(all, rows, n, balanced, most, true, width, c);
}

START_TEST(rows_are_the_least_of_all)
{
    struct zoid_text text;
    struct zoid_meaning *m = compile(&text, _i);

    NOTHING_REFUSED(text);
    for (int balanced = 0; balanced < 2; balanced++) {
        const struct zoid_shape_rows found = zoid_shape_find(&text, m->dependences, NULL, balanced);
        int rows[ZOID_SHAPE_DIMS][ZOID_SHAPE_DIMS] = {{0}};

        for (int n = 0; n < found.n; n++) {
            int width = 0, c[ZOID_STATEMENTS];

            /* 8 is the largest that any of them has. */
            ck_assert(least_row(m->dependences, rows, n, balanced, nests[_i].text == sor27 ? 8 : 4,
                                &width, c));
            ck_assert_msg(!memcmp(rows[n], found.row[n].phi, sizeof rows[n]),
                          "%s: row %d (%d %d %d %d), not (%d %d %d %d)", nests[_i].name, n,
                          found.row[n].phi[0], found.row[n].phi[1], found.row[n].phi[2],
                          found.row[n].phi[3], rows[n][0], rows[n][1], rows[n][2], rows[n][3]);
            ck_assert_int_eq(width, found.row[n].width);
            for (int s = 0; s < m->n; s++)
                ck_assert_int_eq(c[s], found.row[n].offset[s]);
        }
    }
    zoid_text_free(&text);
}
END_TEST

/* --- copies */

START_TEST(copies_are_of_values_from_before_the_loops)
{
    struct zoid_text text;
    struct zoid_meaning *m = compile(&text, _i);
    const bool none = nests[_i].text == kept || nests[_i].text == wave || nests[_i].text == turns;

    NOTHING_REFUSED(text);
    for (int i = 0; i < m->dependences->n; i++) {
        const struct zoid_dependence *d = &m->dependences->dependence[i];
        /* An element that the same loops write before is read. */
        bool behind = false;

        for (int k = 0; k < m->dependences->n; k++) {
            const struct zoid_dependence *flow = &m->dependences->dependence[k];
            bool same = flow->kind == ZOID_FLOW && flow->from == flow->to && flow->to == d->from;

            for (int x = 0; x < m->dependences->dims; x++)
                same &= flow->distance[x] == (x ? -d->distance[x] : 0);
            behind |= same;
        }
        if (d->kind != ZOID_ANTI || none)
            ck_assert(!zoid_copy_removes(m, i));
        else
            ck_assert_msg(zoid_copy_removes(m, i) == !behind, "%s: dependence %d", nests[_i].name,
                          i);
    }
    zoid_text_free(&text);
}
END_TEST

/* The rows that tiles of SOR have in codelets/wavefront/. */
START_TEST(rows_of_tiled_sor)
{
    const char *const texts[] = {sor1, sor2, sor3};

    for (int i = 0; i < NESTS; i++)
        for (int axes = 1; axes <= 3; axes++) {
            struct zoid_text text;
            struct zoid_meaning *m;

            if (nests[i].text != texts[axes - 1])
                continue;
            m = compile(&text, i);
            for (int balanced = 0; balanced < 2; balanced++) {
                const struct zoid_wavefront_shape shape = zoid_wavefront_sor(axes, balanced);
                const struct zoid_shape_rows rows =
                    zoid_shape_find(&text, m->dependences, NULL, balanced);

                ck_assert_int_eq(rows.n, 1 + axes);
                for (int r = 0; r < rows.n; r++)
                    ck_assert(!memcmp(rows.row[r].phi, shape.phi[r], sizeof shape.phi[r]));
            }
            zoid_text_free(&text);
        }
}
END_TEST

static void add_tests(TCase *tests)
{
    tcase_add_loop_test(tests, shapes_are_those_of_the_literature, 0, NESTS);
    tcase_add_loop_test(tests, dependences_are_those_of_all_instances, 0, NESTS);
    tcase_add_loop_test(tests, rows_are_the_least_of_all, 0, NESTS);
    tcase_add_loop_test(tests, copies_are_of_values_from_before_the_loops, 0, NESTS);
    tcase_add_test(tests, rows_of_tiled_sor);
}

int main(void)
{
    return run_suite("shapes", 60, add_tests);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls nests in the order of MLSOR, which zoid-compile has made for some subdomains and layers,
 * and compares all bytes with those of a program that follows the definition: all points,
 * subdomains, layers and parts one by one, with the update of a point written again. `down` has a
 * bit for each axis along which the nest's loop goes down, `lo` and `hi` are the points beyond its
 * box. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AXES = 3 };

struct sizes {
    long n[AXES], steps;
};

#define AT(z, y, x) (((z)*s->n[1] + (y)) * s->n[2] + (x))
#define A(z, y, x) a[AT(z, y, x)]
#define B(z, y, x) b[AT(z, y, x)]

typedef void update_fn(const struct sizes *s, long i, long j, long k, long t, double *a,
                       const double *b);

static void update_sor_1d(const struct sizes *s, long i, long j, long k, long t, double *a,
                          const double *b)
{
    (void)s, (void)t, (void)b;
    A(i, j, k) = 0.33 * (A(i, j, k - 1) + A(i, j, k) + A(i, j, k + 1));
}

static void update_sor_2d(const struct sizes *s, long i, long j, long k, long t, double *a,
                          const double *b)
{
    (void)t, (void)b;
    A(i, j, k) =
        0.2 * (A(i, j - 1, k) + A(i, j, k - 1) + A(i, j, k) + A(i, j, k + 1) + A(i, j + 1, k));
}

static void update_sor_3d(const struct sizes *s, long i, long j, long k, long t, double *a,
                          const double *b)
{
    (void)t, (void)b;
    A(i, j, k) = 0.14 * (A(i - 1, j, k) + A(i, j - 1, k) + A(i, j, k - 1) + A(i, j, k) +
                         A(i, j, k + 1) + A(i, j + 1, k) + A(i + 1, j, k));
}

static void update_down(const struct sizes *s, long i, long j, long k, long t, double *a,
                        const double *b)
{
    const double around = A(i - 1, j, k) + B(i + 1, j - 1, k) * A(i, j + 1, k);

    A(i, j, k) = 0.3 * around + 0.001 * t - 0.4 * (A(i, j, k + 1) - A(i, j, k));
}

/* Axes, directions, points beyond the box, and the call; axes that a nest lacks come first. */
#define NESTS(NEST, ...)                                                                     \
    NEST(sor_1d, 1, 0, (0, 0, 1), (0, 0, 1), ((int)s->n[2], (int)s->steps, a), __VA_ARGS__)  \
    NEST(sor_2d, 2, 0, (0, 1, 1), (0, 1, 1), ((int)s->n[1], (int)s->n[2], (int)s->steps, a), \
         __VA_ARGS__)                                                                        \
    NEST(sor_3d, 3, 0, (1, 1, 1), (1, 1, 1),                                                 \
         ((int)s->n[0], (int)s->n[1], (int)s->n[2], (int)s->steps, a), __VA_ARGS__)          \
    NEST(down, 3, 5, (1, 1, 0), (1, 1, 2),                                                   \
         ((int)s->n[0], (int)s->n[1], (int)s->n[2], (int)s->steps, a, b), __VA_ARGS__)
#define SHAPES(SHAPE) SHAPE(2, 1, 0) SHAPE(5, 2, 0) SHAPE(7, 3, 1) SHAPE(9, 2, 0) SHAPE(16, 8, 0)

#define LIST(a, b, c) \
    {                 \
        a, b, c       \
    }
#define CALL(name, axes, down, lo, hi, arguments, P, K, F)                                 \
    void name##_##P##_##K##_##F();                                                         \
    static void call_##name##_##P##_##K##_##F(const struct sizes *s, double *a, double *b) \
    {                                                                                      \
        (void)b;                                                                           \
        name##_##P##_##K##_##F arguments;                                                  \
    }
#define CALLS(P, K, F) NESTS(CALL, P, K, F)
SHAPES(CALLS)

static const struct way {
    const char *name;
    update_fn *update;
    void (*call)(const struct sizes *s, double *a, double *b);
    int axes, down;
    long lo[AXES], hi[AXES], p, layers;
    int forward;
} ways[] = {
#define ROW(name, axes, down, lo, hi, arguments, P, K, F) \
    {#name, update_##name, call_##name##_##P##_##K##_##F, axes, down, LIST lo, LIST hi, P, K, F},
#define ROWS(P, K, F) NESTS(ROW, P, K, F)
    SHAPES(ROWS)};

/* Whether a coordinate is in a part of a subdomain at a layer. */
static int is_in(const struct way *w, long c, long subdomain, long k, int part)
{
    const long cut = (subdomain + 1) * w->p - 1 - k, end = (subdomain + 1) * w->p + k;

    if (part)
        return c >= cut && c < end;
    return c >= (subdomain ? subdomain * w->p + k : 0) && c < cut;
}

static void visit(const struct way *w, const struct sizes *s, long first, long layers, int back,
                  double *a, const double *b)
{
    long box[AXES], of[AXES];

    for (int x = 0; x < AXES; x++) {
        box[x] = s->n[x] - w->lo[x] - w->hi[x];
        if (box[x] < 1)
            return;
        of[x] = (box[x] + w->p - 1) / w->p;
    }
    for (int kernel = 0; kernel < 8; kernel++)
        for (long subdomain = 0; subdomain < of[0] * of[1] * of[2]; subdomain++)
            for (long k = 0; k < layers; k++)
                for (long c = 0; c < of[0] * of[1] * of[2] * w->p * w->p * w->p; c++) {
                    const long at[AXES] = {c / (of[1] * of[2] * w->p * w->p),
                                           c / (of[2] * w->p) % (of[1] * w->p), c % (of[2] * w->p)};
                    const long d[AXES] = {subdomain / (of[1] * of[2]), subdomain / of[2] % of[1],
                                          subdomain % of[2]};
                    long point[AXES];
                    int in = 1;

                    for (int x = 0; x < AXES; x++) {
                        const long i = back ? of[x] * w->p - 1 - at[x] : at[x];

                        point[x] = w->down >> (AXES - 1 - x) & 1 ? s->n[x] - w->hi[x] - 1 - i
                                                                 : w->lo[x] + i;
                        /* An axis that the nest lacks has one point, which every kernel meets once:
                         * in part 1. */
                        if (x < AXES - w->axes)
                            in &= at[x] == 0 && !(kernel >> (AXES - 1 - x) & 1);
                        else
                            in &= i >= 0 && i < box[x] &&
                                  is_in(w, at[x], d[x], k, kernel >> (AXES - 1 - x) & 1);
                        if (x < AXES - w->axes)
                            point[x] = 0;
                    }
                    if (in)
                        w->update(s, point[0], point[1], point[2], first + k, a, b);
                }
}

static void reference(const struct way *w, const struct sizes *s, double *a, const double *b)
{
    for (long done = 0, v = 0; done < s->steps; done += w->layers, v++)
        visit(w, s, done, s->steps - done < w->layers ? s->steps - done : w->layers,
              !w->forward && v % 2, a, b);
}

static int try(const struct way *w, const long *n, long steps)
{
    struct sizes s = {{n[0], n[1], n[2]}, steps};
    double *ours, *theirs, *b;
    size_t points = 1;
    int bad;

    for (int x = 0; x < AXES; x++)
        points *= (size_t)(s.n[x] = x < AXES - w->axes ? 1 : s.n[x]);
    ours = malloc(points * sizeof *ours);
    theirs = malloc(points * sizeof *theirs);
    b = malloc(points * sizeof *b);
    for (size_t i = 0; i < points; i++) {
        ours[i] = theirs[i] = sin((double)(i * i % 1009));
        b[i] = cos((double)i);
    }
    w->call(&s, ours, b);
    reference(w, &s, theirs, b);
    bad = memcmp(ours, theirs, points * sizeof *ours) != 0;
    if (bad)
        printf("%s P %ld K %ld%s %ldx%ldx%ld, %ld steps: wrong\n", w->name, w->p, w->layers,
               w->forward ? " forward" : "", s.n[0], s.n[1], s.n[2], steps);
    free(ours);
    free(theirs);
    free(b);
    return bad;
}

int main(void)
{
    static const long sizes[][AXES] = {{1, 1, 1}, {2, 3, 2},   {3, 3, 4},   {5, 4, 8},
                                       {9, 7, 6}, {4, 12, 19}, {6, 18, 18}, {17, 5, 23}};
    static const long steps[] = {0, 1, 2, 3, 5, 17};
    int bad = 0, tried = 0;

    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            for (size_t t = 0; t < sizeof steps / sizeof *steps; t++, tried++)
                bad += try(&ways[i], sizes[k], steps[t]);
    printf("%d calls, %d wrong\n", tried, bad);
    return bad != 0;
}

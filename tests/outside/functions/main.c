/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that knows nothing of Zoid: calls functions of nests in a module, and the same ones,
 * compiled by gcc, whose names end with _plain, and compares all arrays, byte by byte. */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NESTS(NEST)         \
    NEST(in_place, double)  \
    NEST(halves, float)     \
    NEST(swapped, float)    \
    NEST(turns, double)     \
    NEST(wave, double)      \
    NEST(thirds, double)    \
    NEST(fields, double)    \
    NEST(mirrored, double)  \
    NEST(copied, double)    \
    NEST(coloured, double)  \
    NEST(ordered, float)    \
    NEST(downward, double)  \
    NEST(corners, double)   \
    NEST(faced, double)     \
    NEST(driven, double)    \
    NEST(listed, float)     \
    NEST(guarded, double)   \
    NEST(overtaken, double) \
    NEST(blinking, double)  \
    NEST(beside, double)    \
    NEST(choices_float, float) NEST(choices_double, double) NEST(extremes, double)

typedef void float_fn(int n, int m, int steps, float r, void *a, void *b, void *k);
typedef void double_fn(int n, int m, int steps, double r, void *a, void *b, void *k);

#define DECLARED(name, type)      \
    type##_fn name, name##_plain; \
    void own_##name##_on_failure(void (*handler)(void *, int, const char *), void *user);
NESTS(DECLARED)
DECLARED(reaching, double)

#define CALLS(name, type)                                                                    \
    static void call_##name(bool ours, int n, int m, int steps, void *const array[])         \
    {                                                                                        \
        (ours ? name : name##_plain)(n, m, steps, (type)0.25, array[0], array[1], array[2]); \
    }
NESTS(CALLS)

static const struct nest {
    const char *name;
    size_t size;
    void (*call)(bool ours, int n, int m, int steps, void *const array[]);
    void (*on_failure)(void (*handler)(void *, int, const char *), void *user);
} nests[] = {
#define ROW(name, type) {#name, sizeof(type), call_##name, own_##name##_on_failure},
    NESTS(ROW)};
/* MORE: elements that k has beyond those of a field, for tables of the run. */
enum { N = sizeof nests / sizeof *nests, TIMES = 3, MORE = 16 };

static uint64_t state = 1;

static double drawn(void)
{
    static const double special[] = {NAN, -0.0, 0, 1e-310, 1e-40, INFINITY};

    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    if (state >> 58 == 0)
        return special[(state >> 40) % (sizeof special / sizeof *special)];
    return (double)(int64_t)state / 9e18;
}

/* Values of arrays a, which may take turns, b and k, one after the other. */
struct values {
    size_t n, count;
    void *all, *array[3];
};

static struct values values(const struct nest *nest, int n, int m)
{
    struct values v = {.n = (size_t)(n * m), .count = (TIMES + 2) * (size_t)(n * m) + MORE};

    v.all = malloc(v.count * nest->size);
    for (int i = 0; i < 3; i++)
        v.array[i] = (char *)v.all + (i ? TIMES + (size_t)i - 1 : 0) * v.n * nest->size;
    for (size_t i = 0; i < v.count; i++)
        if (nest->size == sizeof(float))
            ((float *)v.all)[i] = (float)drawn();
        else
            ((double *)v.all)[i] = drawn();
    return v;
}

/* Makes all but k begin equal at the first and last index of each axis. */
static void equal_borders(const struct nest *nest, const struct values *v, int n, int m)
{
    for (int t = 1; t <= TIMES; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                if (i == 0 || j == 0 || i == n - 1 || j == m - 1)
                    memcpy((char *)v->all + ((size_t)t * v->n + (size_t)(i * m + j)) * nest->size,
                           (char *)v->all + (size_t)(i * m + j) * nest->size, nest->size);
}

/* All NaNs are one: C leaves open which of them arithmetic gives. So it does for fmin and fmax of
 * two zeros. Arrays without points have no bytes. */
static bool same(const struct nest *nest, const struct values *a, const struct values *b)
{
    bool equal = true;

    for (size_t i = 0; i < a->count && a->n; i++) {
        const char *x = (char *)a->all + i * nest->size, *y = (char *)b->all + i * nest->size;
        const double u = nest->size == sizeof(float) ? *(const float *)x : *(const double *)x;
        const double w = nest->size == sizeof(float) ? *(const float *)y : *(const double *)y;

        equal &= (u == w && !strcmp(nest->name, "extremes")) || (isnan(u) && isnan(w)) ||
                 !memcmp(x, y, nest->size);
    }
    return equal;
}

static char failure[500];
static int failures;

static void handle(void *user, int status, const char *line)
{
    failures++;
    snprintf(user, sizeof failure, "%d %s", status, line);
}

/* Compares one call; refused are arrays without the points that faces read. */
static int try(const struct nest *nest, int n, int m, int steps, bool equal)
{
    struct values ours = values(nest, n, m), theirs;
    bool good;

    *failure = '\0';
    if (equal)
        equal_borders(nest, &ours, n, m);
    theirs = ours;
    theirs.all = malloc(ours.count * nest->size);
    memcpy(theirs.all, ours.all, ours.count * nest->size);
    for (int i = 0; i < 3; i++)
        theirs.array[i] = (char *)theirs.all + ((char *)ours.array[i] - (char *)ours.all);
    nest->on_failure(handle, failure);
    nest->call(true, n, m, steps, ours.array);
    if (*failure && !strcmp(nest->name, "faced") && (n < 2 || m < 3))
        good = strstr(failure, "which the nest leaves; give at least");
    else {
        nest->call(false, n, m, steps, theirs.array);
        good = !*failure && same(nest, &ours, &theirs);
    }
    if (!good)
        printf("%s of %dx%d, %d steps, %s borders: wrong %s\n", nest->name, n, m, steps,
               equal ? "equal" : "other", failure);
    free(ours.all);
    free(theirs.all);
    return !good;
}

static int compare(void)
{
    static const int sizes[][2] = {{0, 0}, {5, 0}, {1, 1}, {1, 7},   {2, 2}, {2, 9},
                                   {3, 3}, {3, 1}, {5, 4}, {33, 17}, {6, 41}};
    static const int steps[] = {0, 1, 2, 3, 7, -1};
    int bad = 0, tried = 0;

    for (int i = 0; i < N; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
                for (int equal = 0; equal < 2; equal++, tried++)
                    bad += try(&nests[i], sizes[k][0], sizes[k][1], steps[s], equal);
    printf("%d calls, %d wrong\n", tried, bad);
    return bad;
}

/* Bytes in memory. */
static long resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long all = 0, here = 0;

    if (!file || fscanf(file, "%ld %ld", &all, &here) != 2)
        abort();
    fclose(file);
    return here * sysconf(_SC_PAGESIZE);
}

struct work {
    pthread_t thread;
    bool measures;
    int first, bad;
};

static void *many(void *work)
{
    struct work *w = work;
    long before = 0;

    for (int i = 0; i < 130; i++) {
        if (i == 30)
            before = resident();
        w->bad += try(&nests[(i + w->first) % N], 5 + i % 30, 60 - i % 30, 1 + i % 5, true);
    }
    if (!w->measures)
        return NULL;
    w->bad += resident() - before > 1 << 20;
    printf("%ld KiB more after 100 calls\n", (resident() - before) / 1024);
    return NULL;
}

/* Returns an array that ends where memory does, with values of its own. */
static double *ending(int n, int number)
{
    enum { PAGE = 4096 };
    char *place = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    double *array = (double *)(place + PAGE) - n;

    if (place == MAP_FAILED || mprotect(place + PAGE, PAGE, PROT_NONE))
        abort();
    for (int i = 0; i < n; i++)
        array[i] = number + i % 7 * 0.125;
    return array;
}

/* Calls a nest with arrays that end where its loops do; else it is killed. */
static int reach(void)
{
    int bad = 0;

    own_reaching_on_failure(handle, failure);
    for (int n = 1; n <= 12; n++)
        for (int steps = 1; steps <= 5; steps++) {
            const int length[] = {n, n > 8 ? n + 2 : n + 1,
                                  n <= 6                ? 0
                                  : n > 8 && steps >= 2 ? 4
                                  : n > 8               ? 3
                                  : steps < 3           ? steps
                                                        : 3};
            double *ours[3], *plain[3];

            for (int i = 0; i < 3; i++) {
                ours[i] = ending(length[i], i);
                plain[i] = ending(length[i], i);
            }
            *failure = '\0';
            reaching_plain(n, 3, steps, 0.25, plain[0], plain[1], plain[2]);
            reaching(n, 3, steps, 0.25, ours[0], ours[1], ours[2]);
            for (int i = 0; i < 3; i++)
                if (*failure || memcmp(ours[i], plain[i], (size_t)length[i] * sizeof(double))) {
                    printf("array %d of %d, %d steps: wrong %s\n", i, n, steps, failure);
                    bad++;
                }
        }
    return bad;
}

/* Has threads call all nests, alone or at the same time. */
static int threads(int n)
{
    struct work work[4];
    int bad = 0;

    for (int i = 0; i < n; i++) {
        work[i] = (struct work){.measures = n == 1, .first = i};
        if (pthread_create(&work[i].thread, NULL, many, &work[i]))
            abort();
    }
    for (int i = 0; i < n; i++) {
        if (pthread_join(work[i].thread, NULL))
            abort();
        bad += work[i].bad;
    }
    return bad;
}

/* Calls a nest, in 3 steps, with arrays of which one begins where a table of 2 values ends. */
static int beside_table(void)
{
    double all[2 + 2 * 4] = {1};

    *failure = '\0';
    own_guarded_on_failure(handle, failure);
    guarded(2, 2, 3, 0.25, all + 2, all + 6, all);
    puts(failure);
    return *failure != '\0';
}

/* Calls the first nest with arrays of which one begins in the other. */
static int overlap(bool handled)
{
    double all[60] = {0};
    void *const array[] = {all, all + 19, all + 40};

    if (handled)
        nests[0].on_failure(handle, failure);
    nests[0].call(true, 4, 5, 2, array);
    puts(failure);
    return failures != 1 || beside_table();
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "compare";

    return (!strcmp(what, "thread")    ? threads(1)
            : !strcmp(what, "threads") ? threads(4)
            : !strcmp(what, "reach")   ? reach()
            : !strcmp(what, "overlap") ? overlap(true)
            : !strcmp(what, "aborts")  ? overlap(false)
                                       : compare()) != 0;
}

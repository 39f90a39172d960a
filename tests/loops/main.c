/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls nests in tiles, and the same ones as they stand in the source (_plain), and compares all
 * arrays, byte by byte. A way that is not linked was refused. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Its axes, whether its extents are one, and the call with sizes n, m, l and arrays a, b, c. */
#define NESTS(NEST)                                        \
    NEST(example, 1, 0, (n, steps, a))                     \
    NEST(jacobi_3, 1, 0, (n, steps, a, b))                 \
    NEST(jacobi_5, 2, 0, (n, m, steps, a, b))              \
    NEST(jacobi_7, 3, 0, (n, m, l, steps, a, b))           \
    NEST(jacobi_27, 3, 0, (n, m, l, steps, a, b))          \
    NEST(heat_7, 2, 0, (n, m, steps, a, b))                \
    NEST(sor_1d, 1, 0, (n, steps, a))                      \
    NEST(sor_2d, 2, 0, (n, m, steps, a))                   \
    NEST(sor_3d, 3, 0, (n, m, l, steps, a))                \
    NEST(sor_27, 3, 0, (n, m, l, steps, a))                \
    NEST(waves, 2, 0, (n, m, steps, a, b))                 \
    NEST(fdtd_2d, 2, 0, (steps, n, m, a, b, c, c + n * m)) \
    NEST(heat_3d, 3, 1, (n, a, b, steps))                  \
    NEST(jacobi_1d, 1, 0, (steps, n, a, b))                \
    NEST(red_black, 2, 1, (n, steps, a))                   \
    NEST(seidel_2d, 2, 1, (steps, n, a))                   \
    NEST(turns, 1, 0, (n, steps, a, b))

typedef void call_fn(int n, int m, int l, int steps, double *a, double *b, double *c);

#define WAY(name, way, arguments)                                                         \
    void name##_##way() __attribute__((weak));                                            \
    static void call_##name##_##way(int n, int m, int l, int steps, double *a, double *b, \
                                    double *c)                                            \
    {                                                                                     \
        (void)n, (void)m, (void)l, (void)steps, (void)a, (void)b, (void)c;                \
        name##_##way arguments;                                                           \
    }
#define DEFINED(name, axes, cube, arguments) \
    WAY(name, plain, arguments)              \
    WAY(name, minimal, arguments)            \
    WAY(name, balanced, arguments)           \
    WAY(name, minimal_copies, arguments) WAY(name, balanced_copies, arguments)
NESTS(DEFINED)

enum { WAYS = 4, MORE = 16 };

static const struct nest {
    const char *name;
    int axes, cube;
    call_fn *plain;
    struct {
        void (*linked)();
        call_fn *call;
    } way[WAYS];
} nests[] = {
#define ROW(name, axes, cube, arguments)                     \
    {#name,                                                  \
     axes,                                                   \
     cube,                                                   \
     call_##name##_plain,                                    \
     {{name##_minimal, call_##name##_minimal},               \
      {name##_balanced, call_##name##_balanced},             \
      {name##_minimal_copies, call_##name##_minimal_copies}, \
      {name##_balanced_copies, call_##name##_balanced_copies}}},
    NESTS(ROW)};

static uint64_t state = 1;

static double drawn(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(int64_t)state / 9e18;
}

/* Compares one call; a has room for three times. */
static int try(const struct nest *nest, int way, const int size[3], int steps)
{
    const int n = size[0], m = nest->cube ? n : size[1], l = nest->cube ? n : size[2];
    const size_t points =
        (size_t)n * (size_t)(nest->axes > 1 ? m : 1) * (size_t)(nest->axes > 2 ? l : 1);
    const size_t count = 5 * points + MORE;
    double *const ours = malloc(count * sizeof *ours), *const plain = malloc(count * sizeof *plain);
    int bad;

    for (size_t i = 0; i < count; i++)
        ours[i] = plain[i] = drawn();
    nest->plain(n, m, l, steps, plain, plain + 3 * points, plain + 4 * points);
    nest->way[way].call(n, m, l, steps, ours, ours + 3 * points, ours + 4 * points);
    bad = memcmp(ours, plain, count * sizeof *ours) != 0;
    if (bad)
        printf("%s %d of %d, %d, %d, %d steps: wrong\n", nest->name, way, n, m, l, steps);
    free(ours);
    free(plain);
    return bad;
}

int main(void)
{
    static const int sizes[][3] = {{1, 1, 1},    {2, 5, 1},  {3, 3, 3},    {4, 3, 9},
                                   {12, 1, 4},   {9, 14, 6}, {13, 21, 11}, {27, 10, 17},
                                   {150, 40, 5}, {6, 90, 7}};
    static const int steps[] = {0, 1, 2, 5, 16};
    int bad = 0, tried = 0, ways = 0;

    for (size_t i = 0; i < sizeof nests / sizeof *nests; i++)
        for (int w = 0; w < WAYS; w++) {
            if (!nests[i].way[w].linked)
                continue;
            ways++;
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
                for (size_t s = 0; s < sizeof steps / sizeof *steps; s++, tried++)
                    if (!nests[i].cube || sizes[k][0] < 100)
                        bad += try(&nests[i], w, sizes[k], steps[s]);
        }
    printf("%d ways, %d calls, %d wrong\n", ways, tried, bad);
    return bad != 0;
}

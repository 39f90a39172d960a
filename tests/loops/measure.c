/* SPDX-License-Identifier: BSD-3-Clause */
/* Times one way of a nest, which it is linked with, for zoid-bench --what loops, after a step that
 * does not count. ZOID_NEST names the header with zoid_call, zoid_bytes, ZOID_REAL, ZOID_AXES and
 * ZOID_ARRAYS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include ZOID_NEST

/* Values by the point: all arrays, and all times of one, begin equal. */
static void fill(ZOID_REAL *values, size_t n, size_t points)
{
    for (size_t i = 0; i < n; i++)
        values[i] = (ZOID_REAL)((i % points * 2654435761u >> 7) % 4093) / 16384;
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Writes the bytes of an array to the file, or compares them with those there. Returns 1 if they
 * differ, and 2 if the file cannot be written or read. */
static int settle(const char *mode, const char *values, size_t bytes, FILE *file)
{
    static char there[1 << 20];

    if (!strcmp(mode, "write"))
        return fwrite(values, 1, bytes, file) == bytes ? 0 : 2;
    for (size_t n; bytes; bytes -= n, values += n) {
        n = bytes < sizeof there ? bytes : sizeof there;
        if (fread(there, 1, n, file) != n)
            return 2;
        if (memcmp(there, values, n) != 0)
            return 1;
    }
    return 0;
}

/* MODE FILE STEPS N...: extents, slowest axis first. time: prints seconds; write: also writes the
 * arrays to the file; check: also compares them, and returns 1 if they differ. */
int main(int argc, char **argv)
{
    long n[ZOID_AXES], steps, points = 1;
    void *data[ZOID_ARRAYS];
    size_t bytes[ZOID_ARRAYS];
    double start = 0;
    FILE *file = NULL;
    int failed = 0;

    if (argc != 4 + ZOID_AXES)
        return 2;
    steps = atol(argv[3]);
    for (int a = 0; a < ZOID_AXES; a++)
        points *= n[a] = atol(argv[4 + a]);
    for (int i = 0; i < ZOID_ARRAYS; i++) {
        bytes[i] = zoid_bytes(i, n, steps);
        data[i] = malloc(bytes[i] ? bytes[i] : 1);
        if (!data[i]) {
            fprintf(stderr, "memory ran out; give a smaller domain\n");
            return 2;
        }
    }
    for (int timed = 0; timed < 2; timed++) {
        for (int i = 0; i < ZOID_ARRAYS; i++)
            fill(data[i], bytes[i] / sizeof(ZOID_REAL), (size_t)points);
        start = seconds();
        zoid_call(n, timed ? steps : 1, data);
    }
    printf("%.9f\n", seconds() - start);
    if (!strcmp(argv[1], "time"))
        return 0;
    file = fopen(argv[2], !strcmp(argv[1], "write") ? "wb" : "rb");
    for (int i = 0; i < ZOID_ARRAYS && file && !failed; i++)
        failed = settle(argv[1], data[i], bytes[i], file);
    if (!file || failed == 2 || fclose(file)) {
        fprintf(stderr, "cannot write or read %s; make room\n", argv[2]);
        return 2;
    }
    return failed;
}

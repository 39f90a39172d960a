/* SPDX-License-Identifier: BSD-3-Clause */
/* Nests with bytes or tokens changed at random are read in full or refused: no crash, no hang, and
 * memory within bounds. ZOID_FUZZ_SECONDS [1], ZOID_FUZZ_SEED [1]; arguments: files to begin with.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "apps/compile/compile.h"
#include "apps/compile/emit.h"
#include "apps/compile/shapes.h"

enum { MOST = 1 << 16, SLOWEST = 10 };
/* The address sanitizer keeps 256 MiB of freed memory in its quarantine, and pads all blocks. */
#ifdef __SANITIZE_ADDRESS__
enum { MEGABYTES = 1024 };
#else
enum { MEGABYTES = 256 };
#endif

static unsigned long long state;

static size_t draw(size_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 33) % below;
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static size_t read_seed(const char *name, char *to)
{
    FILE *file = fopen(name, "rb");
    size_t size;

    if (!file) {
        perror(name);
        exit(1);
    }
    size = fread(to, 1, MOST / 2, file);
    fclose(file);
    return size;
}

/* Where a token begins or ends, at or after a place. */
static size_t border(const char *bytes, size_t size, size_t at)
{
    while (at < size && strchr(" \n\t()[]{};,+-*/<>=?:%&", bytes[at]) == NULL)
        at++;
    return at;
}

static size_t splice(char *bytes, size_t size, size_t at, size_t gone, const char *new, size_t n)
{
    if (at > size)
        at = size;
    if (gone > size - at)
        gone = size - at;
    if (size - gone + n > MOST)
        return size;
    memmove(bytes + at + n, bytes + at + gone, size - at - gone);
    memcpy(bytes + at, new, n);
    return size - gone + n;
}

static size_t change(char *bytes, size_t size)
{
    static const char *const tokens[] = {"for",
                                         "(",
                                         ")",
                                         "[",
                                         "]",
                                         "{",
                                         "}",
                                         ";",
                                         "if",
                                         "%",
                                         "% 2",
                                         "& 1",
                                         "?",
                                         ":",
                                         "=",
                                         "==",
                                         "+=",
                                         "++",
                                         "--",
                                         "<",
                                         ">=",
                                         "a",
                                         "i",
                                         "j",
                                         "t",
                                         "n",
                                         "0",
                                         "1",
                                         "2147483647",
                                         "0x7fffffffffffffff",
                                         "1e999",
                                         "0.5f",
                                         "double",
                                         "float",
                                         "int",
                                         "const",
                                         "static",
                                         "restrict",
                                         "#pragma scop\n",
                                         "\n#pragma endscop\n",
                                         "#define n 3\n",
                                         "#if 1\n",
                                         "/*",
                                         "*/",
                                         "//",
                                         "\\\n",
                                         "\"",
                                         "'",
                                         "*",
                                         "fma",
                                         "sqrt",
                                         "(1, 2)",
                                         "- - - -",
                                         "((((((((",
                                         "[i][i][i][i][i]",
                                         "n*n*n*n*n*n*n*n*n",
                                         "_PB_N",
                                         "DATA_TYPE",
                                         "SCALAR_VAL(1.0)",
                                         "POLYBENCH_2D(a,N,N,n,n)",
                                         "void g(int n)"};
    const size_t ways = sizeof tokens / sizeof *tokens;
    char copy[64];
    size_t at = draw(size + 1), other, n;

    switch (draw(8)) {
    case 0:
        copy[0] = (char)draw(256);
        return splice(bytes, size, at, 1, copy, 1);
    case 1:
        copy[0] = (char)draw(256);
        return splice(bytes, size, at, 0, copy, 1);
    case 2:
        return splice(bytes, size, at, 1 + draw(20), "", 0);
    case 3:
        n = draw(ways);
        return splice(bytes, size, border(bytes, size, at), 0, tokens[n], strlen(tokens[n]));
    case 4:
    case 5:
        at = border(bytes, size, at);
        other = border(bytes, size, at + 1);
        n = draw(ways);
        return splice(bytes, size, at, other - at, tokens[n], strlen(tokens[n]));
    case 6:
        at = border(bytes, size, at);
        return splice(bytes, size, at, border(bytes, size, at + 1) - at, "", 0);
    default:
        other = draw(size + 1);
        n = draw(sizeof copy);
        n = n < size - other ? n : size - other;
        memcpy(copy, bytes + other, n);
        return splice(bytes, size, at, 0, copy, n);
    }
}

/* What zoid-compile does with all its options. */
static bool compile(const char *bytes, size_t size)
{
    struct zoid_text text = {
        .file = "fuzz.c", .bytes = bytes, .size = size, .float_literals = draw(2) == 0};
    struct zoid_meaning *m = zoid_compile_text(&text);
    FILE *nowhere;

    if (m && !setjmp(text.escape)) {
        nowhere = fopen("/dev/null", "w");
        if (!nowhere)
            abort();
        zoid_ir_print(m->ir, nowhere);
        fclose(nowhere);
        if (draw(64) == 0)
            (void)zoid_shape_find(&text, m->dependences, NULL, true);
        (void)zoid_emit(&text, m, "fuzz");
    }
    if (!m && (strncmp(text.refusal, "fuzz.c:", 7) || !strstr(text.refusal, "; "))) {
        fprintf(stderr, "no refusal: %s\n", text.refusal);
        abort();
    }
    zoid_text_free(&text);
    return m != NULL;
}

static void keep(const char *bytes, size_t size)
{
    FILE *file = fopen("fuzz-slow.c", "wb");

    if (file) {
        fwrite(bytes, 1, size, file);
        fclose(file);
    }
}

int main(int argc, char **argv)
{
    static char bytes[MOST + 1];
    const char *limit = getenv("ZOID_FUZZ_SECONDS"), *seed = getenv("ZOID_FUZZ_SEED");
    const double begin = seconds(), end = begin + (limit ? atof(limit) : 1);
    long runs = 0, accepted = 0;
    struct rusage usage;
    double slowest = 0;
    glob_t found = {.gl_pathc = 0};

    state = seed ? strtoull(seed, NULL, 0) : 1;
    if (argc < 2) {
        char pattern[1024];

        snprintf(pattern, sizeof pattern, "%s", __FILE__);
        *strrchr(pattern, '/') = 0;
        strcat(pattern, "/{nests/*,../../loops/fdtd-2d}.c");
        if (glob(pattern, GLOB_BRACE, NULL, &found))
            return fprintf(stderr, "no nests: %s\n", pattern), 1;
        argc = (int)found.gl_pathc + 1;
        argv = found.gl_pathv - 1;
    }
    do {
        size_t size = read_seed(argv[1 + draw((size_t)argc - 1)], bytes);
        const size_t changes = draw(6);
        double now = seconds();

        for (size_t i = 0; i < changes; i++)
            size = change(bytes, size);
        accepted += compile(bytes, size);
        now = seconds() - now;
        if (now > slowest) {
            slowest = now;
            if (limit)
                keep(bytes, size);
        }
        runs++;
    } while (seconds() < end);
    globfree(&found);
    getrusage(RUSAGE_SELF, &usage);
    printf("%ld texts, %ld accepted, slowest %.3f s, %ld MiB\n", runs, accepted, slowest,
           usage.ru_maxrss / 1024);
    if (slowest > SLOWEST || usage.ru_maxrss / 1024 > MEGABYTES || accepted == 0)
        return fprintf(stderr, "too slow, too large, or nothing was accepted\n"), 1;
    return 0;
}

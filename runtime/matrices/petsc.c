/* SPDX-License-Identifier: BSD-3-Clause */
/* PETSc's binary files: all numbers have their highest byte first.
 *
 *     class  rows  columns  entries    entries of each row    columns    values
 *
 * All but the values have 32 bits or 64, as PETSc was built: the class, with which a file begins,
 * tells, and the file's size must agree. A file stays mapped while its matrix exists, which reads
 * rows from it: entries are copied only if a row has to be sorted. */
#include "runtime/matrices/petsc.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/matrices/entries.h"
#include "runtime/matrix.h"

enum { CLASS = 1211216, HEADER = 4 };

struct petsc {
    const char *path;
    const unsigned char *bytes; /* the file, mapped */
    size_t length;
    size_t integer; /* bytes of an integer */
    int64_t n, entries;
    size_t counts, columns, values; /* their offsets */
    int64_t *start;                 /* number of entries before row i; n + 1 of them */
};

static int64_t integer_at(const unsigned char *at, size_t size)
{
    uint32_t low;
    uint64_t all;

    if (size == sizeof low) {
        memcpy(&low, at, sizeof low);
        return (int32_t)__builtin_bswap32(low);
    }
    memcpy(&all, at, sizeof all);
    return (int64_t)__builtin_bswap64(all);
}

static double real_at(const unsigned char *at)
{
    uint64_t bits;
    double value;

    memcpy(&bits, at, sizeof bits);
    bits = __builtin_bswap64(bits);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Bytes of a file's integers; 0: it is no such file. */
static size_t integer_of(const unsigned char *bytes, size_t count)
{
    if (count >= 4 && integer_at(bytes, 4) == CLASS)
        return 4;
    return count >= 8 && integer_at(bytes, 8) == CLASS ? 8 : 0;
}

bool zoid_petsc_named(const unsigned char *bytes, size_t count)
{
    return integer_of(bytes, count) > 0;
}

static enum zoid_status refuse(const struct petsc *f, size_t at, const char *what)
{
    return zoid_fail(ZOID_BAD_ARGUMENT, "%s, byte %zu: %s", f->path, at, what);
}

/* ---- the file -------------------------------------------------------------------------------- */

static enum zoid_status map(struct petsc *f)
{
    const int file = open(f->path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    void *bytes = MAP_FAILED;

    if (file >= 0 && !fstat(file, &about) && about.st_size > 0) {
        f->length = (size_t)about.st_size;
        bytes = mmap(NULL, f->length, PROT_READ, MAP_PRIVATE, file, 0);
    }
    if (file >= 0)
        close(file);
    if (bytes == MAP_FAILED)
        return zoid_fail(ZOID_RESOURCE, "cannot read %s: %s; name another file", f->path,
                         strerror(errno));
    f->bytes = bytes;
    return ZOID_OK;
}

static enum zoid_status read_header(struct petsc *f)
{
    int64_t header[HEADER];

    f->integer = integer_of(f->bytes, f->length);
    if (!f->integer || f->length < HEADER * f->integer)
        return refuse(f, f->length, "the file ends in the header; get it once more");
    for (size_t i = 0; i < HEADER; i++)
        header[i] = integer_at(f->bytes + i * f->integer, f->integer);
    f->n = header[1];
    f->entries = header[3];
    if (header[1] != header[2])
        return zoid_fail(ZOID_BAD_ARGUMENT,
                         "%s, byte %zu: %" PRId64 " rows and %" PRId64
                         " columns; only square matrices have powers",
                         f->path, f->integer, header[1], header[2]);
    if (f->n < 1 || f->n > ZOID_ROWS_MOST)
        return zoid_fail(ZOID_BAD_ARGUMENT, "%s, byte %zu: %" PRId64 " rows; a file has 1 to %d",
                         f->path, f->integer, f->n, ZOID_ROWS_MOST);
    if (f->entries == -1)
        return refuse(f, 3 * f->integer, "a dense matrix; store it as a sparse one (aij)");
    if (f->entries < 0 || f->entries > (int64_t)(f->length / (f->integer + sizeof(double))))
        return refuse(f, 3 * f->integer,
                      "more entries than the file has room for; get it once more");
    return ZOID_OK;
}

static enum zoid_status check_length(struct petsc *f)
{
    size_t should;

    f->counts = HEADER * f->integer;
    f->columns = f->counts + (size_t)f->n * f->integer;
    f->values = f->columns + (size_t)f->entries * f->integer;
    should = f->values + (size_t)f->entries * sizeof(double);
    if (f->length == should)
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s has %zu bytes, and a matrix of %" PRId64 " rows and %" PRId64
                     " entries with indices of %zu bits has %zu; get it once more",
                     f->path, f->length, f->n, f->entries, 8 * f->integer, should);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static int64_t column_at(const struct petsc *f, int64_t e)
{
    return integer_at(f->bytes + f->columns + (size_t)e * f->integer, f->integer);
}

static double value_at(const struct petsc *f, int64_t e)
{
    return real_at(f->bytes + f->values + (size_t)e * sizeof(double));
}

static enum zoid_status read_counts(struct petsc *f)
{
    const size_t last = f->counts + ((size_t)f->n - 1) * f->integer;

    f->start = malloc(((size_t)f->n + 1) * sizeof *f->start);
    if (!f->start)
        return zoid_fail(ZOID_RESOURCE, "there is no memory for the matrix in %s", f->path);
    f->start[0] = 0;
    for (int64_t i = 0; i < f->n; i++) {
        const size_t at = f->counts + (size_t)i * f->integer;
        const int64_t count = integer_at(f->bytes + at, f->integer);

        if (count < 0 || count > f->entries - f->start[i])
            return refuse(f, at,
                          "a row that has fewer entries than none, or more than there are "
                          "left; get the file once more");
        f->start[i + 1] = f->start[i] + count;
    }
    if (f->start[f->n] != f->entries)
        return refuse(f, last,
                      "the rows have fewer entries than the header says; get the file "
                      "once more");
    return ZOID_OK;
}

/* Results of a check of the columns. */
struct look {
    struct zoid_matrix_about about;
    bool ordered;  /* they ascend in every row */
    int64_t wrong; /* the first entry whose column is not valid; -1: all are */
};

/* Check the columns of a row; an integer has `integer` bytes. */
static inline void look_at_row(const struct petsc *f, size_t integer, int64_t i, struct look *l)
{
    const unsigned char *columns = f->bytes + f->columns;
    const int64_t from = f->start[i], end = f->start[i + 1];
    int64_t last = -1;
    bool ordered = true;

    for (int64_t e = from; e < end; e++) {
        const int64_t column = integer_at(columns + (size_t)e * integer, integer);

        if (column < 0 || column >= f->n) {
            l->wrong = e;
            return;
        }
        ordered &= column > last;
        last = column;
    }
    l->ordered &= ordered;
    if (from == end)
        return;
    l->about.lower =
        zoid_max(l->about.lower, i - integer_at(columns + (size_t)from * integer, integer));
    l->about.upper = zoid_max(l->about.upper, last - i);
    l->about.longest = zoid_max(l->about.longest, end - from);
}

static enum zoid_status look_at_columns(const struct petsc *f, struct look *l)
{
    *l = (struct look){
        .about = {.n = (long)f->n, .entries = f->entries}, .ordered = true, .wrong = -1};
    /* The compiler specialises the loop for each size. */
    if (f->integer == sizeof(int32_t))
        for (int64_t i = 0; i < f->n && l->wrong < 0; i++)
            look_at_row(f, sizeof(int32_t), i, l);
    else
        for (int64_t i = 0; i < f->n && l->wrong < 0; i++)
            look_at_row(f, sizeof(int64_t), i, l);
    return l->wrong < 0 ? ZOID_OK
                        : refuse(f, f->columns + (size_t)l->wrong * f->integer,
                                 "a column that the matrix does not have; get the file once more");
}

/* True if all values are finite: tests their exponents, which come first. */
static bool all_finite(const unsigned char *values, int64_t count)
{
    const uint64_t ones = __builtin_bswap64(0x7ff0ull << 48);
    bool finite = true;

    for (int64_t e = 0; e < count; e++) {
        uint64_t bits;

        memcpy(&bits, values + (size_t)e * sizeof bits, sizeof bits);
        finite &= (bits & ones) != ones;
    }
    return finite;
}

static enum zoid_status look_at_values(const struct petsc *f)
{
    enum { PART = 1 << 12 };

    for (int64_t e = 0, some; e < f->entries; e += some) {
        some = zoid_min(PART, f->entries - e);
        if (all_finite(f->bytes + f->values + (size_t)e * sizeof(double), some))
            continue;
        while (isfinite(value_at(f, e)))
            e++;
        return refuse(f, f->values + (size_t)e * sizeof(double),
                      "a value that is no finite number; correct it");
    }
    return ZOID_OK;
}

/* Offsets that do not change from entry to entry are computed once. */
static inline void give(const struct petsc *f, size_t integer, long i, zoid_entry_fn *put,
                        void *into)
{
    const size_t from = (size_t)f->start[i], count = (size_t)f->start[i + 1] - from;
    const unsigned char *columns = f->bytes + f->columns + from * integer;
    const unsigned char *values = f->bytes + f->values + from * sizeof(double);

    for (size_t e = 0; e < count; e++)
        put(into, integer_at(columns + e * integer, integer), real_at(values + e * sizeof(double)));
}

static void entries_32(const void *file, long i, zoid_entry_fn *put, void *into)
{
    give(file, sizeof(int32_t), i, put, into);
}

static void entries_64(const void *file, long i, zoid_entry_fn *put, void *into)
{
    give(file, sizeof(int64_t), i, put, into);
}

/* Fail at the second entry with the column. */
static enum zoid_status refuse_twice(const struct petsc *f, const struct zoid_twice *twice)
{
    bool once = false;

    for (int64_t e = f->start[twice->row]; e < f->start[twice->row + 1]; e++) {
        const size_t at = f->columns + (size_t)e * f->integer;

        if (column_at(f, e) != twice->column)
            continue;
        if (once)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "%s, byte %zu: row %ld, column %ld, counted from 0, is there twice; "
                             "drop one, or give {duplicates=sum}",
                             f->path, at, twice->row, twice->column);
        once = true;
    }
    return ZOID_OK;
}

/* A matrix with sorted rows of its own. */
static enum zoid_status sort_rows(const struct petsc *f, bool sum, struct zoid_matrix **matrix)
{
    const size_t count = (size_t)f->entries + 1, starts = ((size_t)f->n + 1) * sizeof *f->start;
    struct zoid_rows rows = {.n = (long)f->n,
                             .start = malloc(starts),
                             .column = malloc(count * sizeof *rows.column),
                             .value = malloc(count * sizeof *rows.value)};
    struct zoid_twice twice = {.row = -1};
    enum zoid_status status = ZOID_OK;

    if (!rows.start || !rows.column || !rows.value)
        status = zoid_fail(ZOID_RESOURCE, "there is no memory for the matrix in %s", f->path);
    if (!status)
        memcpy(rows.start, f->start, starts);
    for (int64_t e = 0; !status && e < f->entries; e++) {
        rows.column[e] = (int32_t)column_at(f, e);
        rows.value[e] = value_at(f, e);
    }
    if (!status)
        status = zoid_rows_matrix(&rows, sum, &twice, matrix);
    zoid_rows_free(&rows);
    return !status && twice.row >= 0 ? refuse_twice(f, &twice) : status;
}

static void release(void *file)
{
    struct petsc *f = file;

    if (f->bytes)
        munmap((void *)f->bytes, f->length);
    free(f->start);
    free(f);
}

/* The matrix of a mapped file; *kept: the matrix owns the mapping. */
static enum zoid_status read_matrix(struct petsc *f, bool sum, struct zoid_matrix **matrix,
                                    bool *kept)
{
    const struct zoid_matrix_rows rows = {
        (long)f->n, f->integer == sizeof(int32_t) ? entries_32 : entries_64, f};
    struct look look;
    enum zoid_status status = read_counts(f);

    if (!status)
        status = look_at_columns(f, &look);
    if (!status)
        status = look_at_values(f);
    if (status)
        return status;
    if (!look.ordered)
        return sort_rows(f, sum, matrix);
    status = zoid_matrix_of(&rows, &look.about, release, matrix);
    *kept = !status;
    return status;
}

enum zoid_status zoid_petsc_read(const char *path, bool sum, struct zoid_matrix **matrix)
{
    struct petsc *f = calloc(1, sizeof *f);
    bool kept = false;
    enum zoid_status status;

    if (!f)
        return zoid_fail(ZOID_RESOURCE, "there is no memory for the matrix in %s", path);
    f->path = path;
    status = map(f);
    if (!status)
        status = read_header(f);
    if (!status)
        status = check_length(f);
    if (!status)
        status = read_matrix(f, sum, matrix, &kept);
    if (!kept)
        release(f);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "apps/bench/bench.h"
#include "runtime/error.h"
#include "runtime/io/output.h"

enum { STYLE = JSON_REAL_PRECISION(6) };

struct zoid_bench_files {
    const struct zoid_bench *bench;
    struct zoid_output *csv, *json;
    json_t *rows;
};

enum zoid_status zoid_bench_files_open(const struct zoid_bench *bench,
                                       struct zoid_bench_files **files)
{
    struct zoid_bench_files *f = calloc(1, sizeof *f);
    enum zoid_status status = ZOID_OK;

    if (!f || !(f->rows = json_array())) {
        free(f);
        return zoid_no_memory();
    }
    f->bench = bench;
    if (bench->csv)
        status = zoid_output_open(bench->csv, &f->csv);
    if (!status && bench->json)
        status = zoid_output_open(bench->json, &f->json);
    *files = f;
    if (status)
        zoid_bench_files_discard(files);
    return status;
}

void zoid_bench_files_discard(struct zoid_bench_files **files)
{
    struct zoid_bench_files *f = *files;

    *files = NULL;
    if (!f)
        return;
    zoid_output_discard(&f->csv);
    zoid_output_discard(&f->json);
    json_decref(f->rows);
    free(f);
}

json_t *zoid_bench_row(const struct zoid_problem *p)
{
    const struct zoid_op *op = p->op;

    return json_pack("{s:s, s:s, s:i, s:i, s:s, s:I, s:I, s:I, s:f, s:f}", "operator", op->name,
                     "family", op->family, "dims", op->dims, "radius", op->radius, "type",
                     zoid_type_name(op->type), "nx", (json_int_t)p->n[0], "ny", (json_int_t)p->n[1],
                     "nz", (json_int_t)p->n[2], "flops", op->flops, "bytes", op->bytes);
}

void zoid_bench_put(json_t *row, const char *key, double value)
{
    json_object_set_new(row, key, isfinite(value) ? json_real(value) : json_null());
}

enum zoid_status zoid_bench_files_add(struct zoid_bench_files *files, json_t *row)
{
    if (row && !json_array_append_new(files->rows, row))
        return ZOID_OK;
    return zoid_no_memory();
}

/* ---- writing ----------------------------------------------------------------------------- */

/* Writes the keys or the values of a row as a line. Texts are not quoted: they have no commas or
 * quotes. */
static void write_line(json_t *row, bool keys, FILE *out)
{
    const char *key, *comma = "";
    json_t *value;

    json_object_foreach(row, key, value)
    {
        fputs(comma, out);
        comma = ",";
        if (keys || json_is_string(value))
            fputs(keys ? key : json_string_value(value), out);
        else if (json_is_integer(value))
            fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        else if (json_is_real(value))
            fprintf(out, "%.6g", json_real_value(value));
    }
    fputc('\n', out);
}

static void write_csv(const json_t *rows, FILE *out)
{
    json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        if (i == 0)
            write_line(row, true, out);
        write_line(row, false, out);
    }
}

static json_t *document_of(const struct zoid_bench_files *f, const struct zoid_machine *m)
{
    return json_pack("{s:s, s:{s:s, s:i, s:i, s:s, s:i, s:s}, s:I, s:O}", "version", zoid_version(),
                     "machine", "cpu", m->cpu, "cores", m->cores, "cpu_workers", m->cpu_workers,
                     "isa", zoid_isa_name(m->isa), "cuda_workers", m->cuda_workers, "starpu",
                     m->starpu, "rounds", (json_int_t)f->bench->rounds, "rows", f->rows);
}

static enum zoid_status write_all(struct zoid_bench_files *f, const json_t *document)
{
    enum zoid_status status = ZOID_OK;

    if (f->csv) {
        write_csv(f->rows, zoid_output_stream(f->csv));
        status = zoid_output_commit(&f->csv);
    }
    if (!status && f->json) {
        FILE *out = zoid_output_stream(f->json);

        if (json_dumpf(document, out, STYLE | JSON_INDENT(1)) || fputc('\n', out) == EOF)
            return zoid_fail(ZOID_RESOURCE, "cannot write %s: %s; make room or name another file",
                             f->bench->json, strerror(errno));
        status = zoid_output_commit(&f->json);
    }
    return status;
}

enum zoid_status zoid_bench_files_commit(struct zoid_bench_files **files,
                                         const struct zoid_machine *machine)
{
    json_t *document = document_of(*files, machine);
    enum zoid_status status = document ? write_all(*files, document) : zoid_no_memory();

    json_decref(document);
    zoid_bench_files_discard(files);
    return status;
}

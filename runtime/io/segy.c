/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/io/segy.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <segyio/segy.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/error.h"
#include "runtime/io/bytes.h"

/* ---- models ------------------------------------------------------------------------------ */

/* A model that is being transposed. */
struct model {
    const char *called;
    const struct zoid_problem *problem;
    segy_file *from;
    int to, format, samples, bytes; /* bytes: of the samples of a trace */
    long first;                     /* offset of the traces */
    long columns, rows;             /* traces along x, and along y */
    float *traces;                  /* a row of them */
    float *line;                    /* one sample of each */
};

bool zoid_segy_here(void)
{
    return true;
}

static enum zoid_status damaged(const struct model *m)
{
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s is no SEG-Y, or a damaged one; name a whole file of IBM or IEEE floats",
                     m->called);
}

static enum zoid_status read_headers(struct model *m)
{
    char header[400] = "";
    int traces = 0;
    const struct zoid_problem *p = m->problem;

    if (segy_binheader_size() > (int)sizeof header || segy_binheader(m->from, header))
        return damaged(m);
    m->format = segy_format(header);
    m->samples = segy_samples(header);
    m->first = segy_trace0(header);
    if ((m->format != SEGY_IBM_FLOAT_4_BYTE && m->format != SEGY_IEEE_FLOAT_4_BYTE) ||
        m->samples <= 0 || segy_set_format(m->from, m->format))
        return damaged(m);
    m->bytes = segy_trsize(m->format, m->samples);
    if (segy_traces(m->from, &traces, m->first, m->bytes))
        return damaged(m);
    if (traces == m->columns * m->rows && m->samples == p->n[p->op->dims - 1])
        return ZOID_OK;
    return zoid_fail(ZOID_BAD_ARGUMENT,
                     "%s has %d traces of %d samples, and the domain %ld columns of %ld points "
                     "along its last axis; give another {size} or file",
                     m->called, traces, m->samples, m->columns * m->rows, p->n[p->op->dims - 1]);
}

static int open_unnamed(void)
{
    const char *folder = getenv("TMPDIR");
    char path[1024];
    int file;

    snprintf(path, sizeof path, "%s/zoid-XXXXXX", folder && *folder ? folder : "/var/tmp");
    file = mkstemp(path);
    if (file >= 0)
        unlink(path);
    return file;
}

static enum zoid_status write_line(const struct model *m, long sample, long row)
{
    const size_t bytes = (size_t)m->columns * sizeof *m->line;
    const long at = (long)((size_t)(sample * m->rows + row) * bytes);
    const int error = zoid_bytes_write(m->to, m->line, bytes, at);

    if (!error)
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE,
                     "cannot turn %s: %s; set TMPDIR to a folder with space for its values",
                     m->called, strerror(error));
}

static enum zoid_status turn_row(struct model *m, long row)
{
    enum zoid_status status = ZOID_OK;

    for (long x = 0; x < m->columns; x++) {
        float *trace = m->traces + x * m->samples;

        if (segy_readtrace(m->from, (int)(row * m->columns + x), trace, m->first, m->bytes) ||
            segy_to_native(m->format, m->samples, trace))
            return damaged(m);
    }
    for (long s = 0; s < m->samples && !status; s++) {
        for (long x = 0; x < m->columns; x++)
            m->line[x] = m->traces[x * m->samples + s];
        status = write_line(m, s, row);
    }
    return status;
}

static enum zoid_status turn(struct model *m)
{
    enum zoid_status status = read_headers(m);

    if (status)
        return status;
    m->traces = malloc((size_t)(m->columns * m->samples) * sizeof *m->traces);
    m->line = malloc((size_t)m->columns * sizeof *m->line);
    m->to = open_unnamed();
    if (!m->traces || !m->line)
        status = zoid_no_memory();
    else if (m->to < 0)
        status = zoid_fail(ZOID_RESOURCE,
                           "cannot turn %s: %s; set TMPDIR to a folder that can be written",
                           m->called, strerror(errno));
    for (long row = 0; row < m->rows && !status; row++)
        status = turn_row(m, row);
    free(m->traces);
    free(m->line);
    return status;
}

enum zoid_status zoid_segy_turn(const char *path, const char *called,
                                const struct zoid_problem *problem, int *file)
{
    const int dims = problem->op->dims;
    struct model m = {.called = called,
                      .problem = problem,
                      .from = segy_open(path, "rb"),
                      .to = -1,
                      .columns = dims > 1 ? problem->n[0] : 1,
                      .rows = dims > 2 ? problem->n[1] : 1};
    enum zoid_status status = m.from ? turn(&m) : damaged(&m);

    if (m.from)
        segy_close(m.from);
    if (status && m.to >= 0)
        close(m.to);
    if (!status)
        *file = m.to;
    return status;
}

/* ---- records ----------------------------------------------------------------------------- */

static int write_headers(segy_file *to, const struct zoid_segy_record *r, int interval)
{
    char binary[400] = "", text[3201];

    memset(text, ' ', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    memcpy(text, "C 1 What receivers of a run of Zoid have seen", 45);
    return segy_set_bfield(binary, SEGY_BIN_SAMPLES, (int)r->samples) ||
           segy_set_bfield(binary, SEGY_BIN_INTERVAL, interval) ||
           segy_set_bfield(binary, SEGY_BIN_FORMAT, SEGY_IEEE_FLOAT_4_BYTE) ||
           segy_set_bfield(binary, SEGY_BIN_SEGY_REVISION, 0x0100) ||
           segy_set_bfield(binary, SEGY_BIN_TRACE_FLAG, 1) || segy_write_textheader(to, 0, text) ||
           segy_write_binheader(to, binary);
}

/* A number rounded for a header; 0: too large for it. */
static int whole(double value)
{
    return fabs(value) <= INT_MAX ? (int)lround(value) : 0;
}

/* Lengths are stored in hundredths of a unit. */
static int hundredths(const struct zoid_segy_record *r, const double *at, int axis)
{
    return axis < r->dims - 1 ? whole(100 * r->h[axis] * at[axis]) : 0;
}

static int depth(const struct zoid_segy_record *r, const double *at)
{
    return whole(100 * r->h[r->dims - 1] * at[r->dims - 1]);
}

/* From the source to the receiver along the surface, in units. */
static int offset(const struct zoid_segy_record *r, const double *at)
{
    double square = 0;

    for (int a = 0; a < r->dims - 1; a++) {
        const double far = r->h[a] / r->h[0] * (at[a] - r->source->at[a]);

        square += far * far;
    }
    return whole(r->h[0] * sqrt(square));
}

static int put_source(const struct zoid_segy_record *r, const double *receiver, char *header)
{
    const double *at = r->source->at;

    return segy_set_field(header, SEGY_TR_SOURCE_X, hundredths(r, at, 0)) ||
           segy_set_field(header, SEGY_TR_SOURCE_Y, hundredths(r, at, 1)) ||
           segy_set_field(header, SEGY_TR_SOURCE_DEPTH, depth(r, at)) ||
           segy_set_field(header, SEGY_TR_OFFSET, offset(r, receiver));
}

static int write_trace(segy_file *to, const struct zoid_segy_record *r, int interval, long trace,
                       float *values)
{
    const long first = SEGY_TEXT_HEADER_SIZE + SEGY_BINARY_HEADER_SIZE;
    const int bytes = (int)(r->samples * (long)sizeof *values);
    const double *at = r->receiver[trace].at;
    char header[240] = "";

    for (long s = 0; s < r->samples; s++)
        values[s] = (float)r->seen[s * r->traces + trace];
    return segy_set_field(header, SEGY_TR_SEQ_LINE, (int)trace + 1) ||
           segy_set_field(header, SEGY_TR_TRACE_ID, 1) ||
           segy_set_field(header, SEGY_TR_ELEV_SCALAR, -100) ||
           segy_set_field(header, SEGY_TR_SOURCE_GROUP_SCALAR, -100) ||
           segy_set_field(header, SEGY_TR_RECV_GROUP_ELEV, -depth(r, at)) ||
           segy_set_field(header, SEGY_TR_GROUP_X, hundredths(r, at, 0)) ||
           segy_set_field(header, SEGY_TR_GROUP_Y, hundredths(r, at, 1)) ||
           (r->source && put_source(r, at, header)) ||
           segy_set_field(header, SEGY_TR_SAMPLE_COUNT, (int)r->samples) ||
           segy_set_field(header, SEGY_TR_SAMPLE_INTER, interval) ||
           segy_write_traceheader(to, (int)trace, header, first, bytes) ||
           segy_from_native(SEGY_IEEE_FLOAT_4_BYTE, r->samples, values) ||
           segy_writetrace(to, (int)trace, values, first, bytes);
}

enum zoid_status zoid_segy_write(const char *path, const struct zoid_segy_record *r)
{
    const double micros = 1e6 * r->dt;
    /* The format has no space for other intervals; 0 means unknown. */
    const int interval = micros >= 1 && micros <= 32767 ? (int)lround(micros) : 0;
    segy_file *to = segy_open(path, "w+b");
    float *values = malloc((size_t)r->samples * sizeof *values);
    bool lost = !to || !values || write_headers(to, r, interval);

    for (long t = 0; t < r->traces && !lost; t++)
        lost = write_trace(to, r, interval, t, values);
    lost |= to && segy_flush(to, false);
    lost |= to && segy_close(to);
    free(values);
    return lost ? zoid_fail(ZOID_RESOURCE,
                            "cannot write the record %s: %s; make room or name another file",
                            r->called, strerror(errno ? errno : EIO))
                : ZOID_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/files/segy.h"

#include <errno.h>
#include <segyio/segy.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A model while it is turned. */
struct model {
    const char *called;
    const struct zoid_problem *problem;
    segy_file *from;
    int to, format, samples, bytes; /* bytes: of a trace's samples */
    long first;                     /* where the traces begin */
    long columns, rows;             /* traces along x, and of those along y */
    float *traces;                  /* a row of them */
    float *line;                    /* a sample of each */
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
    return zoid_fail(
        ZOID_BAD_ARGUMENT,
        "%s has %d traces of %d samples, and the domain %ld columns of %ld points along "
        "its last axis; give another --size or file",
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
    const off_t at = (off_t)((size_t)(sample * m->rows + row) * bytes);

    if (pwrite(m->to, m->line, bytes, at) == (ssize_t)bytes)
        return ZOID_OK;
    return zoid_fail(ZOID_RESOURCE,
                     "cannot turn %s: %s; set TMPDIR to a folder with space for its values",
                     m->called, strerror(errno));
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
        status = zoid_fail(ZOID_RESOURCE, "out of memory");
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

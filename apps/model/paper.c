/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/model/paper.h"

#include <math.h>
#include <string.h>

const char *const zoid_paper_names[ZOID_PAPER_TERMS] = {
    [ZOID_PAPER_CPU] = "a.cpu", [ZOID_PAPER_GPU] = "a.gpu",  [ZOID_PAPER_KERNEL] = "b.gpu",
    [ZOID_PAPER_MPI] = "a.mpi", [ZOID_PAPER_LINK] = "a.h2d", [ZOID_PAPER_EPOCH] = "b"};

/* Points of a rank's box with `layers` ghost layers of a step along each axis that is cut: two
 * neighbours, or one of two ranks. The paper's box has the same length along all axes. */
static double padded(const struct zoid_model_run *run, double layers)
{
    const double step = (double)zoid_model_reach(run);
    double points = 1;

    for (int a = 0; a < ZOID_AXES; a++) {
        const double sides = run->ranks[a] > 2 ? 2 : run->ranks[a] > 1 ? 1 : 0;

        points *= (double)run->n[a] / (double)run->ranks[a] + sides * layers * step;
    }
    return points;
}

/* Boundary planes that the paper sends back: a face of the padded box, by the length of the box. */
static double face(const struct zoid_model_run *run, double layers)
{
    return pow(padded(run, 0), 1.0 / 3) * pow(padded(run, layers), 2.0 / 3);
}

/* Amounts of an epoch of R steps, by which the constants are multiplied. */
static void amounts(const struct zoid_model_run *run, long r, double x[ZOID_PAPER_TERMS])
{
    const bool gpu = run->cuda > 0;

    memset(x, 0, ZOID_PAPER_TERMS * sizeof *x);
    for (long i = 1; i <= r && !gpu; i++)
        x[ZOID_PAPER_CPU] += padded(run, (double)(r - i)) / run->cpu;
    if (gpu) {
        x[ZOID_PAPER_GPU] = (double)r * padded(run, (double)r) / run->cuda;
        x[ZOID_PAPER_KERNEL] = (double)r;
        x[ZOID_PAPER_LINK] = padded(run, (double)r) + face(run, (double)r);
    }
    x[ZOID_PAPER_MPI] = padded(run, (double)r) - padded(run, 0);
    x[ZOID_PAPER_EPOCH] = 1;
}

double zoid_paper_seconds(const struct zoid_paper *paper, const struct zoid_model_run *run, long r)
{
    double x[ZOID_PAPER_TERMS], epoch = 0;

    amounts(run, r, x);
    for (int t = 0; t < ZOID_PAPER_TERMS; t++)
        epoch += paper->by[t] * x[t];
    return epoch * (double)run->steps / (double)r;
}

/* ---- least squares -------------------------------------------------------------------------- */

/* Solve m y = v of n unknowns by elimination with pivots; false: singular. */
static bool solve(int n, double m[ZOID_PAPER_TERMS][ZOID_PAPER_TERMS], double *v, double *y)
{
    for (int c = 0; c < n; c++) {
        int p = c;

        for (int i = c + 1; i < n; i++)
            p = fabs(m[i][c]) > fabs(m[p][c]) ? i : p;
        if (!(fabs(m[p][c]) > 1e-9))
            return false;
        for (int j = 0; j < n; j++) {
            const double swap = m[c][j];

            m[c][j] = m[p][j];
            m[p][j] = swap;
        }
        y[0] = v[c], v[c] = v[p], v[p] = y[0];
        for (int i = c + 1; i < n; i++) {
            const double by = m[i][c] / m[c][c];

            for (int j = c; j < n; j++)
                m[i][j] -= by * m[c][j];
            v[i] -= by * v[c];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        y[i] = v[i];
        for (int j = i + 1; j < n; j++)
            y[i] -= m[i][j] * y[j];
        y[i] /= m[i][i];
    }
    return true;
}

/* Terms of a run, each as a part of its measured seconds. */
static void parts(const struct zoid_model_run *run, double x[ZOID_PAPER_TERMS])
{
    amounts(run, run->epoch, x);
    for (int t = 0; t < ZOID_PAPER_TERMS; t++)
        x[t] *= (double)run->steps / (double)run->epoch / run->seconds;
}

/* Fit the terms of a set. Returns false if they cannot be told apart, or one is negative. Amounts
 * are scaled by those of the first run, since they differ by orders of magnitude. */
static bool fit_set(const struct zoid_model_runs *runs, unsigned set, struct zoid_paper *paper)
{
    double m[ZOID_PAPER_TERMS][ZOID_PAPER_TERMS] = {{0}}, v[ZOID_PAPER_TERMS] = {0};
    double y[ZOID_PAPER_TERMS], x[ZOID_PAPER_TERMS], unit[ZOID_PAPER_TERMS];
    int term[ZOID_PAPER_TERMS], n = 0;

    for (int t = 0; t < ZOID_PAPER_TERMS; t++)
        if (set >> t & 1)
            term[n++] = t;
    parts(&runs->run[0], unit);
    for (size_t r = 0; r < runs->n; r++) {
        parts(&runs->run[r], x);
        for (int i = 0; i < n; i++) {
            if (!(unit[term[i]] > 0))
                return false;
            for (int j = 0; j < n; j++)
                m[i][j] += x[term[i]] / unit[term[i]] * x[term[j]] / unit[term[j]];
            v[i] += x[term[i]] / unit[term[i]];
        }
    }
    if (!solve(n, m, v, y))
        return false;
    *paper = (struct zoid_paper){.by = {0}};
    for (int i = 0; i < n; i++) {
        if (!(y[i] >= 0))
            return false;
        paper->by[term[i]] = y[i] / unit[term[i]];
    }
    return true;
}

static double error_of(const struct zoid_model_runs *runs, const struct zoid_paper *paper)
{
    double sum = 0;

    for (size_t r = 0; r < runs->n; r++) {
        const struct zoid_model_run *run = &runs->run[r];
        const double off = zoid_paper_seconds(paper, run, run->epoch) / run->seconds - 1;

        sum += off * off;
    }
    return sum;
}

/* Times are never negative: of all sets of terms, the best without a negative one. */
enum zoid_status zoid_paper_fit(const struct zoid_model_runs *runs, struct zoid_paper *paper)
{
    double least = INFINITY;
    struct zoid_paper one;

    if (!runs->n)
        return zoid_fail(ZOID_BAD_ARGUMENT, "a fit needs a report; name some by {fit}");
    *paper = (struct zoid_paper){.by = {0}};
    for (unsigned set = 1; set < 1u << ZOID_PAPER_TERMS; set++)
        if (fit_set(runs, set, &one) && error_of(runs, &one) < least * (1 - 1e-6)) {
            least = error_of(runs, &one);
            *paper = one;
        }
    return ZOID_OK;
}

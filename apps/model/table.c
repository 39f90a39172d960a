/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/model/table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "graphs/common/arith.h"
#include "graphs/method.h"
#include "runtime/plan/jin.h"

/* Both models, fitted, and the reports. */
struct comparison {
    struct zoid_model_runs fit, test;
    struct zoid_paper paper;
    struct zoid_ours ours;
    FILE *csv; /* NULL: no such file */
};

/* Most doublings of R. */
enum { DOUBLINGS = 20 };

/* ---- constants ------------------------------------------------------------------------------ */

static void print_constants(const struct comparison *c)
{
    printf("fit.reports %zu\n", c->fit.n);
    for (int t = 0; t < ZOID_PAPER_TERMS; t++)
        if (c->paper.by[t] > 0)
            printf("paper.%s %.4g s\n", zoid_paper_names[t], c->paper.by[t]);
    for (int f = 0; f < ZOID_OURS_FACTORS; f++)
        printf("ours.%s %.4g\n", zoid_ours_names[f], c->ours.factor[f]);
    printf("rates %s\n", c->ours.rates.calibrated ? "calibrated" : "default");
}

/* ---- bounds --------------------------------------------------------------------------------- */

/* Jin's bound on the steps k of a visit; on cores the planes of a slab. */
static double jin(const struct comparison *c, const struct zoid_model_run *run)
{
    const struct zoid_rates *r = &c->ours.rates;
    const double link = fmax(run->h2d * r->link_up, run->d2h * r->link_down);

    return run->cuda ? zoid_jin_depth(&(struct zoid_jin){.planes = run->block,
                                                         .depth = run->depth,
                                                         .steps = run->steps,
                                                         .link = link,
                                                         .kernels = run->block_seconds *
                                                                    (double)zoid_model_ranks(run),
                                                         .redundant = run->redundant})
                     : (double)run->block;
}

/* Micikevicius' limit: scaling is linear as long as the exchange (its latency, the network, links)
 * takes no longer than the inside of the domain, which needs no halo. */
static double micikevicius(const struct zoid_model_run *run, const struct zoid_exchange_cost *cost)
{
    const double exchange = cost->ways + fmax(cost->thread, cost->wire) + cost->down + cost->up;
    double inside = cost->base / (cost->exchanges + 1);

    for (int a = 0; a < ZOID_AXES; a++)
        if (run->ranks[a] > 1) {
            const double width = (double)run->n[a] / (double)run->ranks[a];

            inside *= fmax(1 - 2 * (double)(run->epoch * zoid_model_reach(run)) / width, 0);
        }
    return inside > 0 ? exchange / inside : INFINITY;
}

/* ---- a case --------------------------------------------------------------------------------- */

struct best {
    long r;
    double seconds;
};

static void better(struct best *best, long r, double seconds)
{
    if (!best->r || seconds < best->seconds)
        *best = (struct best){r, seconds};
}

/* Print the best R: measured, by Eq. 7, and by the planner's model. */
static void print_best(const struct comparison *c, const struct zoid_model_run *run)
{
    struct best measured = {0}, paper = {0}, ours = {0};
    struct zoid_exchange_cost cost;
    double seconds;

    for (size_t i = 0; i < c->fit.n + c->test.n; i++) {
        const struct zoid_model_run *one =
            i < c->fit.n ? &c->fit.run[i] : &c->test.run[i - c->fit.n];

        if (zoid_model_alike(one, run))
            better(&measured, one->epoch, one->seconds);
    }
    for (long r = 1, n = 0; r <= zoid_model_most(run) && n < DOUBLINGS; r *= 2, n++) {
        better(&paper, r, zoid_paper_seconds(&c->paper, run, r));
        if (!zoid_ours_seconds(&c->ours, run, r, &cost, &seconds))
            better(&ours, r, seconds);
    }
    printf("best.R measured %ld (%.4g s), Eq. 7 %ld (%.4g s), ours %ld (%.4g s)\n", measured.r,
           measured.seconds, paper.r, paper.seconds, ours.r, ours.seconds);
}

static void print_case(const struct zoid_model_run *run)
{
    printf("\ncase %s %ldx%ldx%ld, %ld steps, %s, %ldx%ldx%ld ranks of %d %s\n", run->op->name,
           run->n[0], run->n[1], run->n[2], run->steps, run->method->name, run->ranks[0],
           run->ranks[1], run->ranks[2], run->cuda ? run->cuda : run->cpu,
           run->cuda ? "GPUs" : "cores");
    printf("%6s %6s %12s %12s %7s %12s %7s %6s %9s  %s\n", "R", "k", "measured", "Eq. 7", "off",
           "ours", "off", "Jin k", "exch/ins", "report");
}

struct score {
    int runs, paper, ours; /* predictions within 10 % */
};

static enum zoid_status print_run(const struct comparison *c, const struct zoid_model_run *run,
                                  struct score *score)
{
    static const double NEAR = 0.1;
    const double paper = zoid_paper_seconds(&c->paper, run, run->epoch);
    struct zoid_exchange_cost cost;
    double ours, off[2], limit;
    enum zoid_status status = zoid_ours_seconds(&c->ours, run, run->epoch, &cost, &ours);

    if (status)
        return status;
    off[0] = paper / run->seconds - 1;
    off[1] = ours / run->seconds - 1;
    limit = micikevicius(run, &cost);
    printf("%6ld %6ld %12.6g %12.6g %+6.1f%% %12.6g %+6.1f%% %6.0f %9.3g  %s\n", run->epoch,
           run->depth, run->seconds, paper, 100 * off[0], ours, 100 * off[1], jin(c, run), limit,
           run->file);
    if (c->csv)
        fprintf(c->csv, "%s,%s,%s,%ldx%ldx%ld,%ld,%ld,%ld,%.9g,%.9g,%.9g,%.0f,%.6g\n", run->file,
                run->op->name, run->method->name, run->n[0], run->n[1], run->n[2], run->steps,
                run->epoch, run->depth, run->seconds, paper, ours, jin(c, run), limit);
    score->runs++;
    score->paper += fabs(off[0]) <= NEAR;
    score->ours += fabs(off[1]) <= NEAR;
    return ZOID_OK;
}

/* Print the tests, those of a case together. */
static enum zoid_status print_tests(const struct comparison *c)
{
    struct score score = {0};
    enum zoid_status status = ZOID_OK;

    if (c->csv)
        fputs("report,operator,method,size,steps,R,k,measured,paper,ours,jin_k,exchange_over_inside"
              "\n",
              c->csv);
    for (size_t i = 0; i < c->test.n && !status; i++) {
        const struct zoid_model_run *run = &c->test.run[i];
        bool known = false;

        for (size_t j = 0; j < i; j++)
            known |= zoid_model_alike(&c->test.run[j], run);
        if (known)
            continue;
        print_case(run);
        for (size_t j = i; j < c->test.n && !status; j++)
            if (zoid_model_alike(&c->test.run[j], run))
                status = print_run(c, &c->test.run[j], &score);
        if (!status)
            print_best(c, run);
    }
    if (!status && score.runs)
        printf("\nwithin 10 %%: Eq. 7 %d of %d, ours %d of %d\n", score.paper, score.runs,
               score.ours, score.runs);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Factors and constants are of one case. */
static enum zoid_status check_fit(const struct zoid_model_runs *fit)
{
    for (size_t i = 1; i < fit->n; i++)
        if (fit->run[i].op != fit->run[0].op || !fit->run[i].cuda != !fit->run[0].cuda)
            return zoid_fail(ZOID_BAD_ARGUMENT,
                             "{fit} takes reports of one operator on one kind of place, and %s and "
                             "%s are of two; fit them one after the other",
                             fit->run[0].file, fit->run[i].file);
    return ZOID_OK;
}

static enum zoid_status open_csv(const char *path, FILE **csv)
{
    *csv = path ? fopen(path, "w") : NULL;
    return path && !*csv
               ? zoid_fail(ZOID_RESOURCE, "cannot write %s: %s; name another file by {csv}", path,
                           strerror(errno))
               : ZOID_OK;
}

static enum zoid_status close_csv(const char *path, FILE *csv)
{
    const bool lost = csv && ferror(csv);

    if (csv && (fclose(csv) || lost))
        return zoid_fail(ZOID_RESOURCE, "cannot write %s; make room for it", path);
    return ZOID_OK;
}

static enum zoid_status compare(const struct zoid_model_wanted *w, struct comparison *c)
{
    enum zoid_status status = check_fit(&c->fit);

    if (!status)
        status = zoid_paper_fit(&c->fit, &c->paper);
    if (!status)
        status = zoid_ours_fit(&c->fit, &c->ours);
    if (!status)
        status = open_csv(w->csv, &c->csv);
    if (status)
        return status;
    print_constants(c);
    status = print_tests(c);
    if (!status)
        status = close_csv(w->csv, c->csv);
    else if (c->csv)
        fclose(c->csv);
    return !status && w->keep ? zoid_ours_keep(&c->ours, &c->fit) : status;
}

enum zoid_status zoid_model_compare(const struct zoid_model_wanted *w)
{
    struct comparison c = {.csv = NULL};
    enum zoid_status status;

    if (!w->fit)
        return zoid_fail(
            ZOID_BAD_ARGUMENT,
            "there is nothing to fit; name reports of ranks, as in {fit=A.json,B.json}");
    status = zoid_model_read(w->fit, &c.fit);
    if (!status && w->test)
        status = zoid_model_read(w->test, &c.test);
    if (!status)
        status = zoid_ours_open(w->several_hosts, &c.ours);
    if (!status)
        status = compare(w, &c);
    zoid_ours_close(&c.ours);
    zoid_model_free(&c.fit);
    zoid_model_free(&c.test);
    return status;
}

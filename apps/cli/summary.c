/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/cli/summary.h"

#include <math.h>
#include <string.h>

/* Formats bytes with a binary unit, as in 1.5 GiB. */
static void write_bytes(double bytes, char text[16])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    size_t u = 0;

    /* 1023.95 would be rounded to 1024.0. */
    for (; bytes >= 1023.95 && u + 1 < sizeof units / sizeof *units; u++)
        bytes /= 1024;
    snprintf(text, 16, u ? "%.1f %s" : "%.0f %s", bytes, units[u]);
}

static void print_problem(const struct zoid_report *r, FILE *out)
{
    fprintf(out, "%s: ", r->op->name);
    for (int a = 0; a < r->op->dims; a++)
        fprintf(out, "%s%ld", a ? " x " : "", r->size[a]);
    fprintf(out, " points, %ld step%s\n", r->steps, r->steps == 1 ? "" : "s");
}

static void print_method(const struct zoid_report *r, FILE *out)
{
    const long ranks = r->ranks[0] * r->ranks[1] * r->ranks[2];

    fprintf(out, "  method     %s", r->alias ? r->alias : r->method);
    if (r->block > 0)
        fprintf(out, ", slabs of %ld plane%s", r->block, r->block == 1 ? "" : "s");
    if (r->depth > 0)
        fprintf(out, ", %ld step%s a visit", r->depth, r->depth == 1 ? "" : "s");
    if (r->epoch)
        fprintf(out, ", %ld x %ld x %ld cells", r->cells[0], r->cells[1], r->cells[2]);
    if (r->cuda_workers)
        fprintf(out, "; %d GPU%s", r->cuda_workers, r->cuda_workers == 1 ? "" : "s");
    else
        fprintf(out, "; %d core%s", r->cpu_workers, r->cpu_workers == 1 ? "" : "s");
    if (ranks > 1)
        fprintf(out, " of %ld ranks", ranks);
    fputc('\n', out);
}

static void print_speed(const struct zoid_report *r, FILE *out)
{
    if (isfinite(r->gups))
        fprintf(out, "  speed      %.4g GUP/s\n", r->gups);
    fprintf(out, "  time       %.4g s, %.4g s predicted by %s rates\n", r->seconds,
            r->predicted_seconds, r->rates ? r->rates : "no");
    if (!r->bound)
        return;
    fprintf(out, "  bound by   %s", r->bound);
    if (isfinite(r->bound_fraction))
        fprintf(out, ", expected to be busy for %.0f %% of that time", 100 * r->bound_fraction);
    fputc('\n', out);
}

static void print_tier(const struct zoid_tier *t, FILE *out)
{
    char bytes[16], capacity[16];

    write_bytes((double)t->bytes, bytes);
    write_bytes((double)t->capacity, capacity);
    fprintf(out, "  %-9s  %s of %s", t->name, bytes, capacity);
}

/* Prints the bytes that were transferred between two memories, if any. */
static void print_moved(double bytes, const char *how, FILE *out)
{
    char text[16];

    if (!(bytes > 0))
        return;
    write_bytes(bytes, text);
    fprintf(out, ", %s %s", text, how);
}

static void print_memory(const struct zoid_plan *plan, const struct zoid_report *r, FILE *out)
{
    for (int t = 0; t < ZOID_TIERS; t++) {
        const struct zoid_tier *tier = &plan->tier[t];

        if (!tier->bytes)
            continue;
        print_tier(tier, out);
        if (t == ZOID_GPU_MEMORY) {
            print_moved(r->h2d, "in", out);
            print_moved(r->d2h, "out", out);
            print_moved(r->p2p, "between GPUs", out);
        }
        if (t == ZOID_DISK) {
            print_moved(r->disk_read, "read", out);
            print_moved(r->disk_write, "written", out);
        }
        if (t == ZOID_RAM)
            print_moved(r->mpi, "sent to other ranks", out);
        fputc('\n', out);
    }
}

static void print_derived(const struct zoid_report *r, FILE *out)
{
    for (int i = 0; i < ZOID_MAX_DERIVED && r->derived[i].name; i++) {
        const struct zoid_derived *d = &r->derived[i];

        if (d->text)
            fprintf(out, "  %-9s  %s\n", d->name, d->text);
        else if (isfinite(d->value))
            fprintf(out, "  %-9s  %.6g\n", d->name, d->value);
    }
}

void zoid_summary_print(const struct zoid_plan *plan, const struct zoid_report *r, FILE *out)
{
    print_problem(r, out);
    print_method(r, out);
    print_speed(r, out);
    print_memory(plan, r, out);
    if (strcmp(r->check, "off") != 0)
        fprintf(out, "  check      %s\n", r->check);
    print_derived(r, out);
}

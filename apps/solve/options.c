/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/solve/options.h"

#include <stddef.h>
#include <string.h>

#include "apps/driver/given.h"
#include "runtime/session/number.h"

const char *const zoid_solvers[] = {
    [ZOID_JACOBI] = "jacobi", [ZOID_SOR] = "sor",   [ZOID_RBSOR] = "rbsor",
    [ZOID_MLSOR] = "mlsor",   [ZOID_SSOR] = "ssor", NULL};

struct zoid_sor_said zoid_sor_said = {.solver = ZOID_SOR};

static enum zoid_status read_solver(const struct zoid_option *option, const char *value, void *into)
{
    const int i = zoid_read_name(option, value, zoid_solvers);

    (void)into;
    if (i >= 0)
        zoid_sor_said.solver = i;
    return i < 0 ? ZOID_BAD_ARGUMENT : ZOID_OK;
}

static enum zoid_status read_omega(const struct zoid_option *option, const char *value, void *into)
{
    (void)into;
    zoid_sor_said.chosen = strcmp(value, "auto") != 0;
    return zoid_sor_said.chosen ? zoid_number_real(option->name, value, &zoid_sor_said.omega)
                                : ZOID_OK;
}

static enum zoid_status read_rhs(const struct zoid_option *option, const char *value, void *into)
{
    struct zoid_given_text text;
    const int length = snprintf(zoid_sor_said.rhs, sizeof zoid_sor_said.rhs, "b=%s", value);

    (void)into;
    zoid_sor_said.right = true;
    if (length >= (int)sizeof zoid_sor_said.rhs || !*value)
        return zoid_fail(ZOID_BAD_ARGUMENT, "{%s} names no file; name one", option->name);
    return zoid_given_read(option->name, value, &text);
}

static enum zoid_status read_border(const struct zoid_option *option, const char *value, void *into)
{
    (void)into;
    zoid_sor_said.bordered = true;
    return zoid_number_real(option->name, value, &zoid_sor_said.border);
}

#define OWN(member) .own = &zoid_sor_said, .at = offsetof(struct zoid_sor_said, member)

const struct zoid_option zoid_sor_options[] = {
    {.doc = "The iteration:"},
    {.name = "solver",
     .arg = "jacobi|sor|rbsor|mlsor|ssor",
     .doc = "in which order points are relaxed [sor]: jacobi, all at once; sor, one after the "
            "other; rbsor, every other one, then the others; mlsor, one after the other in each "
            "of many subdomains, several sweeps at a time; ssor, as sor, some sweeps up, some down",
     .read = read_solver},
    {.name = "omega",
     .arg = "X|auto",
     .doc = "how far a point goes to where its neighbours have it: above 0 and below 2, by jacobi "
            "at most 1; auto, what is best for Laplace's equation on such a domain [auto]",
     .read = read_omega},
    {.name = "rhs",
     .arg = "FILE[:DATASET]|X",
     .doc = "the right-hand side, times the square of the distance of points: one number for each "
            "point from a file (HDF5, .npy, raw), or one for all [none]",
     .read = read_rhs},
    {.name = "border",
     .arg = "X",
     .doc = "what the outermost layer holds, whatever --init says [what --init says]",
     .read = read_border},
    {.name = "tolerance",
     .arg = "X",
     .doc = "be done when the residual is less than X times the initial one; exit with 1 if it "
            "never is [all sweeps are done]",
     .read = zoid_read_tolerance,
     OWN(tolerance)},
    {.name = "residual-every",
     .arg = "N",
     .doc = "sweeps from one look at the residual to the next; after the first that is low enough "
            "as many sweeps follow; by mlsor a multiple of --layers [64, or the next such]",
     .read = zoid_read_long,
     OWN(every),
     .least = 1},
    {.name = "subdomain",
     .arg = "P",
     .doc = "mlsor: points of a subdomain along each axis [16]",
     .read = zoid_read_long,
     OWN(subdomain),
     .least = 2},
    {.name = "layers",
     .arg = "K",
     .doc = "mlsor: sweeps that a subdomain goes through before its neighbours hear of it, at most "
            "half of --subdomain [as many]; ssor: sweeps up, and then as many down [1]",
     .read = zoid_read_long,
     OWN(layers),
     .least = 1},
    {.name = "forward-only",
     .doc = "mlsor: never go back through the domain [every other time]",
     .read = zoid_read_flag,
     OWN(forward)},
    {.name = "history",
     .arg = "FILE.csv",
     .doc = "write every residual that was looked at",
     .read = zoid_read_path,
     OWN(history)},
    {.name = NULL},
};

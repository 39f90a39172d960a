/* SPDX-License-Identifier: BSD-3-Clause */
/* Polynomials of a band matrix times vectors. */
#include "apps/cli/program.h"

int main(int argc, char **argv)
{
    static const char *const families[] = {NULL}, *const types[] = {"f64", "f32", NULL};
    static const struct zoid_option_change changes[] = {
        {.key = "size", .how = ZOID_OPTION_LEFT_OUT},
        {.key = "dx", .how = ZOID_OPTION_LEFT_OUT},
        {.key = "dt", .how = ZOID_OPTION_LEFT_OUT},
        {.key = "units", .how = ZOID_OPTION_LEFT_OUT},
        {.key = "steps",
         .value = "K",
         .doc = "times that the matrix is applied [10]",
         .detail = "as many as terms or newton have; the most of a power iteration, 10000"},
        {.key = "init",
         .values = ZOID_VALUES_INIT_KIND,
         .value = "random|zero|point|hot",
         .doc = "initial vectors without a file [random]",
         .detail = "a point is 1 in the middle row and 0 elsewhere; hot is 1 in the first row and "
                   "0 elsewhere"},
        {.key = "seed", .doc = "seed of random vectors, and of random matrices [0]"},
        {.key = "type",
         .how = ZOID_OPTION_ADDED,
         .group = ZOID_GROUP_matrix,
         .list = types,
         .value = "f64|f32",
         .doc = "type of a value [f64]"},
        {.key = "rhs",
         .how = ZOID_OPTION_ADDED,
         .group = ZOID_GROUP_power,
         .values = ZOID_VALUES_TEXT,
         .value = "FILE|X",
         .doc = "b of richardson [0]",
         .detail = "one number for each row and vector, or one for all"},
        {.key = NULL}};
    static const struct zoid_app app = {
        .summary = "Multiplies vectors with a band matrix many times, or with a polynomial of it, "
                   "where the matrix may be larger than the memory next to the processor.",
        .program = {.name = "zoid-spmv",
                    .families = families,
                    .groups =
                        ZOID_GROUP_problem | ZOID_GROUP_matrix | ZOID_GROUP_power | ZOID_GROUPS_RUN,
                    .changes = changes}};

    return zoid_app_main(&app, argc, argv);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/family.h"

/* A line a family: what its variants are. */
static void list_operators(FILE *out)
{
    static const char *const label[ZOID_TRAITS] = {
        [ZOID_DIMS] = "dims", [ZOID_RADIUS] = "radius", [ZOID_TYPE] = "type"};
    const char *const *families = zoid_families();

    for (size_t f = 0; families[f]; f++) {
        const char *const one[] = {families[f], NULL};

        fprintf(out, "operator %s", families[f]);
        for (int t = 0; t < ZOID_TRAITS; t++) {
            fprintf(out, " %s ", label[t]);
            zoid_trait_list(one, (enum zoid_trait)t, "|", out);
        }
        fputs(" boundary ", out);
        fputs(zoid_boundary_list(one, "|", out) ? "\n" : "none\n", out);
    }
}

/* A machine whose workers do not start is still described. */
static enum zoid_status describe(void)
{
    struct zoid_machine machine;
    struct zoid_context *context = NULL;
    enum zoid_status status = zoid_command_try_stdout();

    if (status || (status = zoid_machine_probe(&machine)))
        return status;
    status = zoid_context_open(NULL, &context);
    zoid_machine_print(status ? &machine : zoid_context_machine(context), stdout);
    list_operators(stdout);
    zoid_context_close(&context);
    return status;
}

int main(int argc, char **argv)
{
    static const struct zoid_option *const options[] = {NULL};
    static const struct zoid_command command = {
        .name = "zoid-info",
        .summary =
            "Prints what this machine is, what this build of Zoid cannot do on it, and which "
            "operators it has.",
        .options = options,
    };
    bool shown = false;
    enum zoid_status status;

    zoid_command_start();
    status = zoid_command_parse(&command, argc, argv, NULL, &shown);
    if (!status && !shown)
        status = describe();
    return zoid_command_finish(&command, status);
}

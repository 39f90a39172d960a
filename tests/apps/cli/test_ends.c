/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways in which a program ends. Started with the name of one, this program ends that way;
 * tests/apps/test_ends.sh starts it on several ranks. Rank 0 has then written FOLDER/whole and is
 * in the middle of FOLDER/part. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/cli/command.h"
#include "runtime/context.h"
#include "runtime/io/output.h"
#include "runtime/ranks/ranks.h"
#include "tests/suite.h"

static struct zoid_output *part;

static enum zoid_status write_file(const char *folder, const char *name, struct zoid_output **o)
{
    char path[4096];
    enum zoid_status status;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    status = zoid_output_open(path, o);
    if (!status)
        fputs(name, zoid_output_stream(*o));
    return status;
}

static enum zoid_status write_files(const char *folder)
{
    struct zoid_output *whole = NULL;
    enum zoid_status status = ZOID_OK;

    if (zoid_ranks_here()->rank == 0) {
        status = write_file(folder, "whole", &whole);
        if (!status)
            status = zoid_output_commit(&whole);
        if (!status)
            status = write_file(folder, "part", &part);
    }
    return zoid_ranks_agree(status);
}

/* Hangs in the middle of a run: rank 0 in a barrier that the other ranks never enter.
 * FOLDER/pid.RANK shows that a rank has got there. */
static void hang(const char *folder)
{
    char path[4096];
    FILE *f;

    snprintf(path, sizeof path, "%s/pid.%d", folder, zoid_ranks_here()->rank);
    f = fopen(path, "w");
    if (f) {
        fprintf(f, "%d\n", (int)getpid());
        fclose(f);
    }
    if (zoid_ranks_here()->rank == 0)
        zoid_ranks_barrier();
    for (;;)
        pause();
}

static enum zoid_status end(const char *how, const char *folder)
{
    const struct zoid_ranks *r = zoid_ranks_here();

    printf("the last output\n");
    if (!strcmp(how, "all-fit-not"))
        return zoid_ranks_agree(zoid_fail(ZOID_DOES_NOT_FIT, "rank %d speaks", r->rank));
    if (!strcmp(how, "one-fits-not"))
        return zoid_ranks_agree(
            r->rank == 1 ? zoid_fail(ZOID_DOES_NOT_FIT, "rank %d speaks", r->rank) : ZOID_OK);
    if (!strcmp(how, "one-fails") && r->rank == r->size - 1)
        return zoid_fail(ZOID_RESOURCE, "rank %d speaks", r->rank);
    if (strcmp(how, "well"))
        hang(folder);
    return ZOID_OK;
}

static int program(const char *how, const char *folder)
{
    const struct zoid_command command = {.name = "zoid-ends", .summary = ""};
    struct zoid_context *context = NULL;
    enum zoid_status status = zoid_command_start();

    if (!status)
        status = write_files(folder);
    if (!status)
        status = zoid_context_open(&(struct zoid_context_options){.oversubscribe = true}, &context);
    if (!status)
        status = end(how, folder);
    if (!zoid_ranks_know(status)) {
        zoid_output_discard(&part);
        zoid_command_abort(command.name, status);
    }
    zoid_context_close(&context);
    zoid_output_discard(&part);
    return zoid_command_finish(&command, status);
}

START_TEST(a_rank_alone_knows_all_that_happens_to_it)
{
    ck_assert_int_eq(zoid_ranks_agree(ZOID_RESOURCE), ZOID_RESOURCE);
    ck_assert(zoid_ranks_know(ZOID_RESOURCE));
    ck_assert(zoid_ranks_know(ZOID_CHECK_FAILED));
}
END_TEST

static void add(TCase *tests)
{
    tcase_add_test(tests, a_rank_alone_knows_all_that_happens_to_it);
}

int main(int argc, char **argv)
{
    return argc > 2 ? program(argv[1], argv[2]) : run_suite("ends", 30, add);
}

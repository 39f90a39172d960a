/* SPDX-License-Identifier: BSD-3-Clause */
/* A shot over two layers, by a session. Kill it at any time; `shot FILE.npy ck` goes on from the
 * last checkpoint, to the same file. */
#include <stdio.h>
#include <stdlib.h>
#include <zoid/zoid_session.h>

enum { NX = 300, NZ = 200, STEPS = 600 };
static float speed[NZ][NX];

static void must(enum zoid_status status)
{
    if (status) {
        fprintf(stderr, "%s: %s\n", zoid_error_key(), zoid_error());
        exit((int)status);
    }
}

int main(int argc, char **argv)
{
    const int64_t size[] = {NX, NZ};
    const struct zoid_array model = {
        .type = "<f4", .axes = 2, .device = -1, .shape = {NZ, NX}, .data = speed};
    const struct zoid_source_row shot = {
        .size = sizeof shot, .position = {150, 8}, .ricker = 0.012};
    struct zoid_session *s = NULL;

    if (argc < 2)
        return 2;
    for (int i = 0; i < NZ * NX; i++)
        speed[i / NX][i % NX] = i / NX < 120 ? 1500 : 3000;
    must(zoid_session_create(&s));
    if (argc > 2)
        must(zoid_session_restart(s, argv[2]));
    must(zoid_session_set_text(s, "operator", "wave"));
    must(zoid_session_set_ints(s, "size", 2, size));
    must(zoid_session_set_int(s, "steps", STEPS));
    must(zoid_session_set_real(s, "dx", 10));
    must(zoid_session_set_real(s, "dt", 0.001));
    must(zoid_session_set_array(s, "velocity", NULL, &model));
    must(zoid_session_set_text(s, "boundary", "sponge"));
    must(zoid_session_set_text(s, "init", "zero"));
    must(zoid_session_add_source(s, &shot)); /* the same as in the checkpoint: compared by value */
    must(zoid_session_set_text(s, "receivers", "y=8"));
    must(zoid_session_set_text(s, "checkpoint", "ck"));
    must(zoid_session_set_int(s, "checkpoint_every", 100));
    must(zoid_session_set_text(s, "dump", argv[1]));
    must(zoid_session_run(s));
    printf("%ld steps\n", (long)zoid_session_step(s));
    zoid_session_destroy(&s);
    return 0;
}

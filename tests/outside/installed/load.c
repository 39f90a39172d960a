/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads modules, and runs the operator drift, which one of them has, by a session. */
#include <stdio.h>
#include <zoid/zoid_session.h>

static enum zoid_status run(struct zoid_session *s)
{
    enum zoid_status status = zoid_session_set_text(s, "operator", "drift");

    if (!status)
        status = zoid_session_set_text(s, "size", "100");
    if (!status)
        status = zoid_session_set_int(s, "steps", 9);
    if (!status)
        status = zoid_session_set_real(s, "pull", 0.5);
    if (!status)
        status = zoid_session_set_int(s, "check", 1);
    if (!status)
        status = zoid_session_run(s);
    return status;
}

int main(int argc, char **argv)
{
    struct zoid_session *s = NULL;
    enum zoid_status status = ZOID_OK;

    for (int i = 1; i < argc && !status; i++)
        status = zoid_operators_load(argv[i]);
    if (!status)
        status = zoid_session_create(&s);
    if (!status)
        status = run(s);
    printf("drift: %s\n", status ? zoid_error() : "right");
    zoid_session_destroy(&s);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the arrays that the nest leaves. With -DOWN it has all of them itself. With an argument it
 * is for a call that fails, which leaves the pointers as they are. */
#include <stdio.h>

#define N 30
#define M 20
#ifdef OWN
#define EXTERN
#else
#define EXTERN extern
#endif

void global(int steps);
void global_on_failure(void (*handler)(void *, int, const char *), void *user)
    __attribute__((weak));

EXTERN double a[N][M], (*p)[M], *list;
double (*q)[M], k[N - 1][M];
static double first[N][M], second[N][M], three[3] = {1, 0.5, 0.25};

static void say(void *user, int status, const char *line)
{
    (void)user;
    printf("%d %s\n", status, line);
}

int main(int argc, char **argv)
{
    (void)argv;
    p = first;
    q = second;
    list = three;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            a[i][j] = (i * M + j) % 7 * 0.1;
            p[i][j] = (i * M + j) % 11 * 0.3;
            q[i][j] = (i * M + j) % 13;
            if (i < N - 1)
                k[i][j] = (i * M + j) % 5 * 0.01;
        }
    if (argc > 1) {
        global_on_failure(say, NULL);
        global(1);
        return p != first;
    }
    global(3);
    global(-1);
    global(2);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            printf("%a %a %a\n", a[i][j], p[i][j], q[i][j]);
    return p != second;
}

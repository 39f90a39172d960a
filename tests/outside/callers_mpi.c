/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a program: initialises MPI before the program does, as a user's program may, at
 * thread level LEVEL, and finalises it afterwards. Declared here, so that it compiles without MPI's
 * headers. */
#include <stdlib.h>

int MPI_Init_thread(int *argc, char ***argv, int wanted, int *given);
int MPI_Finalize(void);
int MPI_Finalized(int *ended);

__attribute__((constructor)) static void start(void)
{
    int given;

    /* The launcher's own processes are not ranks. */
    if (getenv("OMPI_COMM_WORLD_RANK"))
        MPI_Init_thread(NULL, NULL, LEVEL, &given);
}

__attribute__((destructor)) static void end(void)
{
    int ended;

    MPI_Finalized(&ended);
    /* MPI was finalised before, or cannot be: make the program fail. */
    if (getenv("OMPI_COMM_WORLD_RANK") && (ended || MPI_Finalize()))
        _Exit(99);
}

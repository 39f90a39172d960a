/* SPDX-License-Identifier: BSD-3-Clause */
/* GPUs made of cores, for tests: libzoid-host, preloaded into a program, replaces its libzoid and
 * the CUDA runtime. StarPU's CUDA driver then has workers with memory nodes of their own, blocks on
 * them are run by a core (host_gpu.c), and the bytes of a run are those of a run on GPUs. The CUDA
 * runtime is absent_gpu.c; the memory of the GPUs is real (host_memory.c):
 *
 *     - it is no main memory, and holds NaN until data are copied to it
 *     - an access beyond its end or after its release ends the program
 *     - a block whose data or scratch are not in the memory of its own GPU fails
 */
#ifndef ZOID_TESTS_OUTSIDE_HOST_GPU_H
#define ZOID_TESTS_OUTSIDE_HOST_GPU_H

#include <stdbool.h>
#include <stddef.h>

/* Allocates memory of a GPU, at an address that was not used before. False: no room. */
bool host_memory_take(int device, size_t bytes, void **at);
/* False: there is no such memory. */
bool host_memory_give(void *at);
/* Returns the GPU that has the address; -1: main memory, or released. */
int host_memory_owner(const void *at);

/* Adds the time of a block to a stream. */
void host_gpu_worked(void *stream, double seconds);

#endif

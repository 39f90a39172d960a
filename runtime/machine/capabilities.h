/* SPDX-License-Identifier: BSD-3-Clause */
/* Features of the StarPU that this build is compiled against, as constants. */
#ifndef ZOID_RUNTIME_MACHINE_CAPABILITIES_H
#define ZOID_RUNTIME_MACHINE_CAPABILITIES_H

#include <starpu_config.h>

#ifdef STARPU_USE_FXT
enum { ZOID_STARPU_FXT = 1 };
#else
enum { ZOID_STARPU_FXT = 0 };
#endif

#ifdef STARPU_USE_CUDA
enum { ZOID_STARPU_CUDA = 1 };
#else
enum { ZOID_STARPU_CUDA = 0 };
#endif

/* 1 if starpu_data_evict_from_node frees the copy. */
#if STARPU_MAJOR_VERSION > 1 || STARPU_MINOR_VERSION >= 4
enum { ZOID_STARPU_EVICTS = 1 };
#else
enum { ZOID_STARPU_EVICTS = 0 };
#endif

#ifdef STARPU_USE_MPI
enum { ZOID_STARPU_MPI = 1 };
#else
enum { ZOID_STARPU_MPI = 0 };
#endif

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of the interface that all programs share: status, errors, log, arrays.
 *
 * Functions that can fail return a zoid_status; zoid_error() then returns one line that says what
 * is wrong and how to fix it, and outputs are unchanged. Destroy functions take the address of a
 * handle, accept NULL in it, and set it to NULL. This header and zoid_session.h keep their ABI
 * (ZOID_ABI; symbol version ZOID_1); zoid_advanced.h does not. */
#ifndef ZOID_RUNTIME_ZOID_H
#define ZOID_RUNTIME_ZOID_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ZOID_ABI 1
/* Return the ABI number of the loaded library; compare with ZOID_ABI. New functions do not change
 * it. */
int zoid_abi(void);
const char *zoid_version(void);

/* Also the exit codes of the apps. */
enum zoid_status {
    ZOID_OK = 0,
    ZOID_CHECK_FAILED = 1,
    ZOID_BAD_ARGUMENT = 2,
    ZOID_DOES_NOT_FIT = 3,
    ZOID_RESOURCE = 4,
    ZOID_STOPPED = 5 /* the run ended before its last step and can continue; not a failure */
};

/* Return the message of the calling thread's last failure, in which settings stand by key, as in
 * "needs 1 MiB of main memory; use ram=1M", and the key of the first of them ("": none). Valid
 * until the thread's next failure; success does not clear them. Never NULL. */
const char *zoid_error(void);
const char *zoid_error_key(void);
/* Write that message with settings by key (ram=1M), as options of a program (--ram 1M) or as
 * arguments in Python (ram="1M"). Returns as snprintf. */
enum zoid_names { ZOID_NAMES_KEYS, ZOID_NAMES_OPTIONS, ZOID_NAMES_PYTHON };
size_t zoid_error_text(enum zoid_names names, char *text, size_t size);
/* Set the calling thread's failure and return status. {key} and {key=%d} in the format name
 * settings. */
enum zoid_status zoid_fail(enum zoid_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Set the function that takes diagnostic lines, without their newline, such as which rates were
 * measured. It is called from any thread, one at a time, and must not call zoid_set_log. NULL, the
 * default, drops them: the library itself writes to no stream. */
typedef void zoid_log_fn(void *user, const char *line);
void zoid_set_log(zoid_log_fn *log, void *user);

/* Return JSON owned by the library, valid as long as it is loaded; NULL: out of memory. Do not
 * start StarPU. */
const char *zoid_operators_json(void);
const char *zoid_settings_json(void);
/* Return the machine and the capabilities that it or this build lacks, as zoid-info prints them, as
 * JSON: with workers and GPUs once a session was planned. Owned by the library, valid until the
 * calling thread's next call. NULL: zoid_error(). */
const char *zoid_machine_json(void);
/* Load a shared object that zoid_add_operators(... MODULE ...) has built, and add its operators to
 * those of the library, as the setting `load` does. They stay for the rest of the process; a file
 * that is loaded already is not loaded again. The path is not kept. Ranks load the same files.
 * Thread-safe. ZOID_BAD_ARGUMENT, and nothing is added: the file cannot be opened, is no shared
 * object or has no operators, was built for another minor release or ABI, or has no code for this
 * processor's best instruction set; or it has an operator with the name of another, or parameters
 * whose settings would have one name. ZOID_RESOURCE: out of memory. */
enum zoid_status zoid_operators_load(const char *path);

/* Return the MPI rank, 0 without a launcher, and store the number of ranks in *size unless NULL. */
int zoid_rank(int *size);
/* Return non-zero if the other ranks do not know of a failure with this status. They would wait for
 * ever: call MPI_Abort. */
int zoid_failed_alone(enum zoid_status status);
/* Stop StarPU, and MPI if Zoid started it. Collective. Optional before exit. ZOID_BAD_ARGUMENT: a
 * session is planned. */
enum zoid_status zoid_shutdown(void);

/* View of a caller-owned array; read-only unless a function says that it writes. */
struct zoid_array {
    const char *type;            /* as NumPy spells it: "<f4" "<f8" "|u1" ">f4" ... */
    int axes, device;            /* slowest axis first; device -1: host memory, n: CUDA device n */
    int64_t shape[4], stride[4]; /* strides in bytes, may be negative; all 0: C order */
    void *data;
};

#ifdef __cplusplus
}
#endif

#endif

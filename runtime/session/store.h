/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings of a session as checkpoints store them: those that define the state, resolved. */
#ifndef ZOID_RUNTIME_SESSION_STORE_H
#define ZOID_RUNTIME_SESSION_STORE_H

#include "runtime/session/session.h"

/* Store all settings of a prepared session, its sources and receivers as tables, and a checksum of
 * coefficients that come from files. A checksum of the state's files is added if the checkpoint
 * `then` (or NULL) has one and names other files. ZOID_RESOURCE: out of memory, or a file cannot be
 * read. */
enum zoid_status zoid_store_session(struct zoid_session *session, const struct zoid_stored *then,
                                    struct zoid_stored *stored);

/* Parts of it for engines. Store the variant of an operator, the domain and its faces, and the
 * operator's parameters. */
enum zoid_status zoid_store_problem(const struct zoid_problem *problem, struct zoid_stored *stored);
/* Store one value by its type. */
enum zoid_status zoid_store_text(struct zoid_stored *stored, const char *key, const char *text);
enum zoid_status zoid_store_whole(struct zoid_stored *stored, const char *key, uint64_t value);
enum zoid_status zoid_store_real(struct zoid_stored *stored, const char *key, double value);
/* Return how a checkpoint has the canonical text of a row's value. */
enum zoid_stored_kind zoid_store_kind(const struct zoid_setting *row, const char *text);
/* Return PART of a key PREFIX.PART; NULL: it is another one. */
const char *zoid_store_part(const char *key, const char *prefix);
/* Return the row of a key, also of one KEY.PART. NULL: parameters, and others without a row. */
const struct zoid_setting *zoid_store_row(const char *key);
/* Key of an operator's parameter: its name if that is a setting, otherwise parameters.NAME. */
void zoid_store_param_key(const char *name, char key[96]);

#endif

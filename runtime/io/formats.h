/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ZOID_RUNTIME_IO_FORMATS_H
#define ZOID_RUNTIME_IO_FORMATS_H

#include "runtime/machine/facts.h"

/* Pass the optional file formats that this build has or lacks to `put`. */
void zoid_format_facts(zoid_fact_fn *put, void *user);

#endif

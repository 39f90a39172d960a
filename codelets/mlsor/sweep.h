/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweep of an operator from zoid_mlsor_make; needs one plane of spare (zoid_sweep.spare). */
#ifndef ZOID_CODELETS_MLSOR_SWEEP_H
#define ZOID_CODELETS_MLSOR_SWEEP_H

#include "codelets/op.h"

zoid_sweep_fn zoid_mlsor_sweep;

#endif

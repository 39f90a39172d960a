/* SPDX-License-Identifier: BSD-3-Clause */
/* The sweep of an operator that zoid_mlsor_make has made: as all sweeps, and with one spare plane.
 */
#ifndef ZOID_CODELETS_CPU_MLSOR_H
#define ZOID_CODELETS_CPU_MLSOR_H

#include "codelets/op.h"

zoid_sweep_fn zoid_mlsor_sweep;

#endif

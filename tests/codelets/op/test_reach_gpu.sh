#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The graphs of test_reach on a GPU, byte for byte; skipped where there is none. One process: a
# start of CUDA takes longer than all graphs of a row.
CK_FORK=no ZOID_TEST_GPU=1 exec "$ZOID_BUILD_DIR/tests/codelets_op_test_reach"

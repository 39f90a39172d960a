#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The band matrices of test_matrix on GPUs, byte for byte; skipped where there are none. One
# process, as tests/codelets/block/test_run_gpu.sh.
CK_FORK=no ZOID_TEST_GPU=1 exec "$ZOID_BUILD_DIR/tests/runtime_test_matrix"

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The blocks and graphs of test_run on a GPU, byte for byte; skipped where there is none. One
# process: a start of CUDA takes longer than all blocks of a row.
CK_FORK=no ZOID_TEST_GPU=1 exec "$ZOID_BUILD_DIR/tests/codelets_block_test_run"

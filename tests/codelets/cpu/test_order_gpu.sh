#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Rows in order that are compiled for GPUs, byte for byte, on one; skipped where there is none. One
# process, as block/test_run_gpu.sh.
CK_FORK=no ZOID_TEST_GPU=1 exec "$ZOID_BUILD_DIR/tests/codelets_cpu_test_order"

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The graphs of test_relax on a GPU, byte for byte, several groups of times deep; skipped where
# there is none. One process, as block/test_run_gpu.sh.
CK_FORK=no ZOID_TEST_GPU=1 exec "$ZOID_BUILD_DIR/tests/codelets_cpu_test_relax"

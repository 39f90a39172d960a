#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The runs of test_wavefront on a GPU, byte for byte; skipped where there is none. One process, as
# block/test_run_gpu.sh.
CK_FORK=no ZOID_TEST_GPU=1 exec "$ZOID_BUILD_DIR/tests/codelets_wavefront_test_wavefront"

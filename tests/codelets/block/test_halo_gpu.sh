#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What test_halo moves, moved by a GPU; skipped where there is none. One process, as for test_run.
CK_FORK=no ZOID_TEST_GPU=1 exec "$ZOID_BUILD_DIR/tests/codelets_block_test_halo"

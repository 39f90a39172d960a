#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: files-only
# Every test has a line in tests/times.txt, and every line a test.
set -euo pipefail
cd "$(dirname "$0")"

if ! diff <(find . -path ./outside -prune -o -name 'test_*.c' -print -o -name 'test_*.sh' -print |
    sed 's|^\./||; s|\.[a-z]*$||' | LC_ALL=C sort) <(grep -v '^#' times.txt | cut -d' ' -f1); then
    echo "tests/times.txt lacks or has too many lines: scripts/test --times -R NAME" >&2
    exit 1
fi

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The Python package, by its own tests, on the library of this build; and its wheel.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
package=$(cd "$here/../../../apps/python" && pwd)

need_numpy
export ZOID_LIBRARY=$ZOID_BUILD_DIR/libzoid.so
export ZOID_APPS=$apps ZOID_KINDS=npy
lacks HDF5 || ZOID_KINDS+=,h5
lacks CUDA || ZOID_KINDS+=,cuda
# What the interpreter loads is sanitized, and it is not; what it keeps to its end is no leak.
preload=
if [[ $(cached ZOID_SANITIZE) == *address* ]]; then
    preload=$(cc -print-file-name=libasan.so)
    forgive_mpi
fi
cd "$work"
# Sanitized, it takes ten times as long.
time_limit=600 observe env LD_PRELOAD="$preload" PYTHONPATH="$package" PYTHONDONTWRITEBYTECODE=1 \
    "$python" -W error -m unittest discover -s "$here" -p '*.py'
cat "$work/err"
holds "tests in Python: $rc" [ "$rc" = 0 ]
if [ -z "$preload" ] && find_python numpy setuptools wheel pip; then
    # Of a copy: where a wheel is made, folders are left.
    cp -r "$package" package
    observe "$python" -m pip install --quiet --no-index --no-build-isolation --no-deps \
        --root-user-action=ignore --target site ./package
    holds "the package installs" [ "$rc" = 0 ]
    observe env PYTHONPATH=site "$python" -c 'import zoid; print(zoid.__file__)'
    holds "and is found: $(cat "$work/out")" grep -qx "$work/site/zoid/__init__.py" "$work/out"
    observe env PYTHONPATH=site "$python" "$package/examples/shot.py" --npz shot.npz
    holds "the example runs: $rc" [ "$rc" = 0 ]
    holds "and leaves its numbers" [ -s shot.npz ]
fi
finish

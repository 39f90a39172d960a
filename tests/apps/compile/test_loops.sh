#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: builds
# Functions in Python as operators, and by the page's example; a second process builds nothing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
need_modules
need_numpy
CC=$(cached CMAKE_C_COMPILER)
export CC STARPU_NCUDA=0 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$here/../../../apps/python
export ZOID_LIBRARY=$ZOID_BUILD_DIR/libzoid.so ZOID_CACHE=$work/cache
cd "$work"

time_limit=300 observe "$python" -W error "$here/loops.py"
holds "functions in Python: $(cat "$work/err")" [ "$rc" = 0 ]

# The page's function is that of the test, whose module is kept.
awk '/^```python$/ { n++; next } /^```$/ { if (n == 2) exit } n == 2' \
    "$here/../../../docs/loops.md" >page.py
echo 'assert result["u"].shape == u.shape and not (result["u"] == u).all()' >>page.py
mkdir nothing
observe env CC= "PATH=$work/nothing" "$python" -W error page.py
holds "the page's function: $rc $(cat "$work/err")" [ "$rc" = 0 ]
observe env "ZOID_COMPILE=$work/absent" "ZOID_CACHE=$work/other" CC= "PATH=$work/nothing" \
    "$python" page.py
holds "without a compiler it is refused: $rc" [ "$rc" = 1 ]
says 'there is no C compiler; install gcc, or name one by CC'
finish

#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# Drawn nests mean what gcc computes; so do those with a changed token, or they are refused.
# ZOID_TEST_SEED is the seed [1].
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
need_compile
need_numpy
cd "$work"

# compared KIND COUNT
compared() {
    time_limit=550 observe "$python" "$here/nests.py" "$compile" "$(cached CMAKE_C_COMPILER)" \
        "$1" "${ZOID_TEST_SEED:-1}" "$2"
    holds "$1: $(tail -40 "$work/out")" [ "$rc" = 0 ]
    holds "$1: $(tail -1 "$work/out")" grep -q ' accepted, 0 wrong$' <(tail -1 "$work/out")
}
compared legal "$(effort 60)"
compared mutated "$(effort 200)"

# That a meaning would be seen that is another one.
cat >other <<END
#!/usr/bin/env bash
set -o pipefail
"$compile" "\$@" | sed '/^  put/s/(+ /(- /'
END
chmod +x other
observe "$python" "$here/nests.py" ./other "$(cached CMAKE_C_COMPILER)" legal 1 10
holds "another meaning was not seen: $(tail -1 "$work/out")" \
    grep -q ' accepted, [1-9][0-9]* wrong$' <(tail -1 "$work/out")
finish

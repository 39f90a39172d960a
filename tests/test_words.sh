#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: files-only
# scripts/words counts comments and prose, not code, and --check refuses what got worse.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=apps/lib.sh
. "$(dirname "$0")/apps/lib.sh"
command -v git >/dev/null || { echo "no git here"; exit 77; }
words=$(cd "$(dirname "$0")/.." && pwd)/scripts/words
mkdir -p "$work/tree/scripts" "$work/tree/graphs"
cp "$words" "$work/tree/scripts/words"
cd "$work/tree"
git init -q .
cat >graphs/a.c <<'END'
/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates the halo of a tile. The caller owns it. */
static const char *what_is = "what is the what is"; /* so many words */
END
printf 'A page has what is prose.\n\n    what is code\n\nAnd `what is` code.\n' >README.md

# rate FOLDER KIND: as it prints them.
rate() {
    awk -v f="$1" -v k="$2" '$1 == f { for (i = 3; i < NF; i++) if ($i == k) print $(i + 1) }' out
}
scripts/words >out
holds "no code counts: $(cat out)" [ "$(rate graphs/ what)" = 0.0 ]
holds "comments do" [ "$(rate graphs/ many)" != 0.0 ]
holds "terms do" [ "$(rate graphs/ terms)" != 0.0 ]
holds "prose counts once" [ "$(rate README.md what)" = 125.0 ]

scripts/words --limits >scripts/words.limits
observe scripts/words --check
holds "nothing got worse: $(cat "$work/err")" [ "$rc" = 0 ]
echo '/* What is left of what it has. Of the others none. */' >graphs/b.c
observe scripts/words --check
holds "something did: $rc" [ "$rc" = 1 ]
for kind in what of nobody terms; do
    holds "$kind is named" grep -q "graphs/: $kind is" "$work/err"
done
observe scripts/words --checks
holds "there is no such option" [ "$rc" = 2 ]
finish

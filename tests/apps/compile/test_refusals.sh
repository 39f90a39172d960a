#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: repeats
# Nests that zoid-compile refuses: the place, the words, the form, and that nothing is left behind.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$here/../lib.sh"
need_compile
cd "$work"

# A file a case, N.c, with its words in N.words and its place, LINE:COLUMN, in N.place.
LC_ALL=C awk '
    function flush() {
        if (n && body) {
            line("    }")
            line("#pragma endscop")
            line("}")
        }
        if (n) {
            close(n ".c")
            close(n ".place")
        }
    }
    function line(text) {
        number++
        at = index(text, "@")
        if (at) {
            print number ":" at >(n ".place")
            text = substr(text, 1, at - 1) substr(text, at + 1)
            # A place past the last line has no line of its own.
            if (text == "")
                return
        }
        print text >(n ".c")
    }
    /^=== / {
        flush()
        n++
        number = body = 0
        print substr($0, 5) >(n ".words")
        close(n ".words")
        next
    }
    !n || $0 == "" { next }
    $0 == "BODY" {
        body = 1
        line("void f(int n, int m, int steps, double a[n][m], double b[n][m], double k[m])")
        line("{")
        line("    int t, i, j;")
        line("#pragma scop")
        line("    for (t = 0; t < steps; t++)")
        line("    {")
        next
    }
    {
        if (body && $0 ~ /^#/)
            next
        line($0)
    }
    END { flush() }
' "$here/refusals.txt"
cases=0
for ((i = 1; ; i++)); do
    [ -e $i.c ] || break
    cases=$((cases + 1))
    rm -rf made
    observe "$compile" $i.c -o made
    words=$(<$i.words)
    holds "$i: exit code $rc, not 2: $words" [ "$rc" = 2 ]
    holds "$i: at $(<$i.place), with '$words'" grep -qF -e "$i.c:$(<$i.place): " "$work/err"
    holds "$i: '$words'" grep -qF -e "$words" <(head -1 "$work/err")
    holds "$i: what to do instead" grep -q '^[^;]*; ' <(head -1 "$work/err")
    holds "$i: three lines" [ "$(wc -l <"$work/err")" = 3 ]
    holds "$i: nothing is left" [ ! -e made ]
done
holds "there are 60 cases and more: $cases" [ $cases -ge 60 ]

# --- sizes

# refused WORDS: the file big.c is, soon.
refused() {
    observe "$compile" big.c -o made
    holds "refused with '$1': $rc $(head -c 300 "$work/err")" grep -qF -e "$1" "$work/err"
    holds "exit code $rc" [ "$rc" = 2 ]
}
head -c 1048577 /dev/zero | tr '\0' ' ' >big.c
refused 'big.c:1:1: a file of more than 1 MB'
nest() {
    printf 'void f(int n, int s, double a[n]) {\n#pragma scop\nfor (int t = 0; t < s; t++)\n'
    printf 'for (int i = 0; i < n; i++)\n%s\n#pragma endscop\n}\n' "$1"
}
repeat() { printf "%*s" "$2" '' | sed "s/ /$1/g"; }
nest "a[i] = $(repeat '(' 300)1$(repeat ')' 300);" >big.c
refused 'big.c:5:' && refused 'nested more than 200 times'
nest "$(repeat '{' 300)a[i] = 1;$(repeat '}' 300)" >big.c
refused 'nested more than 200 times'
nest "a[i] = $(repeat '-' 300)1;" >big.c
refused 'unexpected text'
nest "a[i] = $(repeat '- ' 300)1;" >big.c
refused 'nested more than 200 times'
nest "a[i] = 1 $(repeat '+ a[i] ' 5000);" >big.c
refused 'operations in a row'
nest "{ $(repeat 'a[i] = 1; ' 100) }" >big.c
refused 'a statement too many; 32 at most'

# --- files, and options

expect 2 "$compile" absent.c --explain
says 'cannot open absent.c: No such file'
expect 2 "$compile" 1.c
says 'nothing to do; give --output, --explain or --shapes'
expect 2 "$compile" 1.c --explain --type f16
says "there is no type 'f16'; choose from f32, f64"
expect 2 "$compile" 1.c -o made --name 2nd
says "'2nd' is no name of an operator"
finish

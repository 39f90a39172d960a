#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# labels: measures
# Ranks on two hosts, which are network namespaces of this one, with a daemon of mpirun's each: TCP
# alone goes between them, over a link that takes a millisecond each way. Where a namespace cannot
# be had the test is skipped.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need_mpirun

lacking() { echo "two hosts: $*; skipped"; exit 77; }
[ "$(id -u)" = 0 ] || lacking "only root makes namespaces"
command -v ip >/dev/null && command -v unshare >/dev/null || lacking "there is no ip or unshare"

a=zoid$$a b=zoid$$b link=
unhost() {
    [ -z "$link" ] || kill "$link" 2>/dev/null || true
    for name in "$a" "$b"; do ip netns del "$name" 2>/dev/null || true; done
    rm -rf "$work"
}
trap unhost EXIT
for name in "$a" "$b"; do
    ip netns add "$name" 2>"$work/why" || lacking "$(head -n 1 "$work/why")"
    ip -n "$name" link set lo up
done
unshare --mount --uts true 2>"$work/why" || lacking "$(head -n 1 "$work/why")"
"$(cached CMAKE_C_COMPILER)" -std=gnu11 -O2 -Wall -o "$work/slow_link" \
    "$(dirname "$0")/../outside/slow_link.c"
delay=1000
"$work/slow_link" $delay "$a" 10.99.7.1/24 "$b" 10.99.7.2/24 >"$work/ready" 2>"$work/why" &
link=$!
for ((i = 0; i < 100; i++)); do
    ! grep -q ready "$work/ready" || break
    kill -0 $link 2>/dev/null || lacking "$(head -n 1 "$work/why")"
    sleep 0.05
done

# mpirun starts its daemon on the other host by this, as it would by ssh.
cat >"$work/agent" <<END
#!/bin/bash
host=\$1; shift
exec ip netns exec $b unshare --uts bash -c 'hostname "\$1"; shift; exec bash -c "\$*"' - \
    "\$host" "\$@"
END
chmod +x "$work/agent"
printf '127.0.0.1 localhost\n10.99.7.1 host-a\n10.99.7.2 host-b\n' >"$work/hosts"

# on_hosts N COMMAND...: N ranks on each of the two; as observe.
on_hosts() {
    local n=$1
    shift
    # shellcheck disable=SC2016 # another shell expands that
    observe unshare --mount --uts bash -c 'mount --bind "$1" /etc/hosts; hostname host-a; shift
        exec "$@"' - "$work/hosts" ip netns exec "$a" \
        mpirun --allow-run-as-root --oversubscribe --mca plm_rsh_agent "$work/agent" \
        --mca oob_tcp_if_include slow --mca btl_tcp_if_include slow \
        --host "host-a:$n,host-b:$n" -n $((2 * n)) "$@"
}

on_hosts 2 "$info"
holds "four ranks say where they are: $rc" [ "$rc" = 0 ]
for place in 0:host-a 1:host-a 2:host-b 3:host-b; do
    holds "rank ${place%:*} is on ${place#*:}" \
        grep -q "^rank\.${place%:*} host ${place#*:} " "$work/out"
done

# ---- the same bytes

for case in '1 --ranks 1x2 --method leaning --depth 3 --block 9' \
    '2 --ranks 2x2 --method overlapped --depth 2 --block 9 --epoch 4 --exchange joined'; do
    read -ra words <<<"$case"
    box=("$heat" --size 41x37x30 --steps 12 "${words[@]:1}" --oversubscribe)
    ranks $((2 * words[0])) "${box[@]}" --dump "$work/one"
    holds "ranks of one host run: $rc: $case" [ "$rc" = 0 ]
    on_hosts "${words[0]}" "${box[@]}" --dump "$work/two"
    holds "ranks of two do: $rc: $case" [ "$rc" = 0 ]
    holds "the bytes are the same: $case" cmp "$work/one" "$work/two"
done

# ---- the time of a message

# One slab a rank: nothing goes on while a message is on its way.
seconds_of() {
    on_hosts 1 "$heat" --size 64x16x8 --steps 64 --ranks 2 --method naive --block 8 --epoch "$1" \
        --oversubscribe
    holds "epochs of $1: $rc" [ "$rc" = 0 ]
    holds "63 or 7 exchanges take as long as their messages: $(value seconds) s" \
        awk -v s="$(value seconds)" -v n=$((63 / $1)) 'BEGIN { exit !(s >= n * '$delay'e-6) }'
}
seconds_of 1
seconds_of 8

# ---- the end

on_hosts 1 "$heat" --size 32 --steps 4 --ranks 3x1
holds "what all know is said once, with 2: $rc" [ "$rc $(ours)" = "2 1" ]
finish

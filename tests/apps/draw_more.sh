# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# shellcheck disable=SC2154 # what lib.sh and draw.sh set
# Runs of kinds that draw.sh does not draw, for those who source it: matrices, sources and
# receivers, solvers, snapshots, and runs that go on from what another one has left. `draw_more I`
# makes the I-th, of a kind that follows from I, into `words`. A word `;` ends a run, and what comes
# after it are the program and the options of the next one, which finds the first one's files.

kinds=(matrix points solver snapshots restart fields)

# draw_cut: a way to cut space-time that all programs know.
draw_cut() {
    maybe --method - - naive overlapped leaning
    maybe --block - $((RANDOM % 40 + 2)) $((RANDOM % 90 + 2))
}

draw_matrix() {
    words+=(zoid-spmv)
    any "band:$((RANDOM % 9))" "laplace:$((RANDOM % 20 + 1))x$((RANDOM % 20 + 1))" \
        "laplace:$((RANDOM % 9 + 1))x$((RANDOM % 9 + 1))x$((RANDOM % 9 + 1))" \
        "random:$((RANDOM % 30)),0.$((RANDOM % 9 + 1))"
    words+=(--matrix "$picked")
    [[ $picked = laplace* ]] || words+=(--rows $((RANDOM % 2000 + 1)))
    maybe --type - f64 f32
    maybe --format - dia sell auto
    maybe --seed - $RANDOM
    maybe --init - - random zero point hot
    any power chebyshev newton richardson iteration vectors
    case $picked in
    power) words+=(--steps $((RANDOM % 40))) ;;
    chebyshev) words+=(--polynomial "chebyshev:0,$((RANDOM % 9 + 1))" --steps $((RANDOM % 20))) ;;
    newton) words+=(--polynomial 'newton:0.5,1+2i,3' --steps $((RANDOM % 5))) ;;
    richardson) words+=(--polynomial richardson:0.1 --rhs 0.5 --steps $((RANDOM % 20))) ;;
    iteration) words+=(--power-iteration 1e-$((RANDOM % 4 + 1)) --steps $((RANDOM % 200 + 1))) ;;
    vectors) words+=(--vectors $((RANDOM % 5 + 1)) --steps $((RANDOM % 20))) ;;
    esac
    draw_cut
}

# draw_sides DIMS: a small domain for waves, into `sides`.
draw_sides() {
    local axis
    sides=()
    for ((axis = 0; axis < $1; axis++)); do sides+=($((RANDOM % 40 + 12))); done
}

joined() { (IFS=$1 && echo "${*:2}"); }

# somewhere: a point of `sides` beyond what any face keeps, between points now and then.
somewhere() {
    local side at=()
    for side in "${sides[@]}"; do at+=($((RANDOM % (side - 10) + 5))); done
    if [ $((RANDOM % 3)) = 0 ]; then at[0]+=.25; fi
    joined , "${at[@]}"
}

draw_points() {
    local axes=xyz dims=$((RANDOM % 2 + 2)) i
    draw_sides "$dims"
    words+=(zoid-wave --size "$(joined x "${sides[@]}")" --init zero --steps $((RANDOM % 40 + 1)))
    maybe --radius - 1 2 4
    maybe --type - f32 f64
    maybe --boundary - sponge neumann dirichlet absorb pml
    if [ "$picked" = absorb ]; then maybe --absorb-points - 1 7; fi
    if [ "$picked" = pml ]; then words+=(--pml-points 1); fi
    for ((i = RANDOM % 3; i >= 0; i--)); do
        any "ricker:0.0$((RANDOM % 9 + 1))" "ricker:0.$((RANDOM % 4 + 1)),$((RANDOM % 9))"
        words+=(--source "$(somewhere):$picked")
    done
    any point several plane
    case $picked in
    point) words+=(--receivers "$(somewhere)") ;;
    several) words+=(--receivers "$(somewhere)" --receivers "u@$(somewhere)") ;;
    plane) words+=(--receivers "${axes:dims-1:1}=$((RANDOM % 9)):$((RANDOM % 4 + 1))") ;;
    esac
    words+=(--record "record.npy")
    draw_cut
}

draw_solver() {
    draw_sides $((RANDOM % 2 + 2))
    any jacobi sor rbsor ssor mlsor
    words+=(zoid-sor --solver "$picked")
    # Subdomains of mlsor fill the domain.
    if [ "$picked" = mlsor ]; then
        words+=(--size $((8 * (RANDOM % 4 + 1)))x$((8 * (RANDOM % 4 + 1))) --subdomain 8)
    else
        words+=(--size "$(joined x "${sides[@]}")")
    fi
    maybe --type - f32 f64
    maybe --rhs - 0.5 1
    maybe --seed - $RANDOM
    words+=(--steps $((RANDOM % 60 + 1)) --tolerance 1e-$((RANDOM % 5 + 1)) --history history.csv)
    maybe --residual-every - - $((RANDOM % 7 + 1))
}

draw_snapshots() {
    any wave heat fdtd
    words+=("zoid-$picked" --size $((RANDOM % 30 + 9))x$((RANDOM % 30 + 9)))
    words+=(--steps $((RANDOM % 20 + 1)) --snapshot $((RANDOM % 6 + 1)) --out snapshots)
    maybe --stride - 1 2 5
    any - - first
    [ "$picked" = - ] || words+=(--snapshot-first)
    draw_cut
}

# Two runs: what is left at a stop, and what another method makes of it.
draw_restart() {
    local steps=$((RANDOM % 30 + 10)) program options
    any heat wave fdtd sor spmv
    program=zoid-$picked
    options=(--size $((RANDOM % 30 + 9))x$((RANDOM % 30 + 9)))
    [ "$picked" != spmv ] || options=(--matrix "band:$((RANDOM % 9))" --rows $((RANDOM % 900 + 99)))
    words+=("$program" "${options[@]}" --steps "$steps")
    words+=(--checkpoint ck --checkpoint-every $((RANDOM % 9 + 1)))
    draw_cut
    words+=(';' "$program" --restart ck --steps $((steps + RANDOM % 9)))
    maybe --method - leaning
}

# Two runs: the second begins with what the first has made.
draw_fields() {
    local size
    size=$((RANDOM % 20 + 5))x$((RANDOM % 20 + 5))x$((RANDOM % 20 + 5))
    words+=(zoid-heat --size "$size" --steps $((RANDOM % 5)))
    maybe --type - f32 f64
    words+=(';' zoid-heat --size "$size" --init u=dump --steps $((RANDOM % 9)))
    [ "$picked" = - ] || words+=(--type "$picked")
    draw_cut
}

draw_more() {
    words=("STARPU_NCPU=$((RANDOM % 3 + 1))")
    "draw_${kinds[$1 % ${#kinds[@]}]}"
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks per second that the graph builders emit, and that the prover checks. */
#include "apps/bench/bench.h"
#include "runtime/machine/clock.h"

static double count_rate(const struct zoid_graph *graph)
{
    struct zoid_count count;
    double start = zoid_machine_clock();

    return zoid_count_graph(graph, &count) ? 0
                                           : (double)count.blocks / (zoid_machine_clock() - start);
}

static double prove_rate(const struct zoid_graph *graph, long blocks)
{
    struct zoid_prove_options options = {.graph = graph, .redundant = true};
    struct zoid_prove *prove = zoid_prove_create(&options);
    double start = zoid_machine_clock(), rate = 0;
    const char *why;

    if (prove && !zoid_graph_emit(graph, zoid_prove_sink(prove)) &&
        !zoid_prove_verdict(prove, &why))
        rate = (double)blocks / (zoid_machine_clock() - start);
    zoid_prove_destroy(&prove);
    return rate;
}

enum zoid_status zoid_bench_graph(const struct zoid_bench *b)
{
    for (size_t m = 0; zoid_methods[m]; m++) {
        struct zoid_graph graph = {.method = zoid_methods[m],
                                   .shape = {.dims = 3,
                                             .n = {64, 64, 100000},
                                             .stages = 1,
                                             .reach = {{{1, 1, 1}, {1, 1, 1}}}},
                                   .steps = 800,
                                   .block = 8,
                                   .depth = 8,
                                   .lanes = 2,
                                   .elastic = true};
        double count[b->rounds], prove[b->rounds];
        struct zoid_census census;
        bool clamped;

        zoid_graph_init(&graph, &clamped);
        zoid_graph_census(&graph, &census);
        for (long r = 0; r < b->rounds; r++) {
            count[r] = count_rate(&graph);
            prove[r] = prove_rate(&graph, census.blocks);
        }
        printf("%s blocks %ld count %.3g/s prove %.3g/s\n", graph.method->name, census.blocks,
               zoid_sample_median(count, b->rounds), zoid_sample_median(prove, b->rounds));
    }
    return ZOID_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* GPU constants by model name: a table row for each model that was measured. */
#ifndef ZOID_RUNTIME_MACHINE_CARD_H
#define ZOID_RUNTIME_MACHINE_CARD_H

/* Default rates, until they are measured, and overheads in seconds beyond the rates of kernels and
 * links, which calibration does not measure. */
struct zoid_card {
    const char *name;      /* prefix of the GPU's name */
    double memory;         /* seconds per byte of a copy in its memory */
    double link_both;      /* slowdown of its links if both directions are busy */
    double gain, gain_f64; /* throughput that each further fused time adds, relative to one */
    double launch;         /* between two kernels */
    /* start: overhead of a launch by tiles, until all units of threads are at work; plane: least
     * time of a unit for a plane. */
    double start, plane;
    /* hand_on: copies of a field's planes to the parts, at a time that is a launch by itself;
     * hand_others: the same at one of several fused times, for each field that it does not
     * write. */
    double hand_on, hand_others;
    double move;    /* work of StarPU's thread for a datum that a block moves */
    double between; /* between two blocks, even if the second is ready */
    double before;  /* before the first datum moves */
};

/* Returns the row for a GPU's name; the first row if the name is unknown or empty. The row is
 * static. */
const struct zoid_card *zoid_card_of(const char *name);

#endif

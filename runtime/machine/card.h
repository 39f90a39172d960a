/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of GPUs by their names: a row of a table for each that was measured. */
#ifndef ZOID_RUNTIME_MACHINE_CARD_H
#define ZOID_RUNTIME_MACHINE_CARD_H

/* Rates that are used until they are measured, and seconds that a GPU takes beside what its kernels
 * and links are rated at, which nobody measures. */
struct zoid_card {
    const char *name;      /* how that of the GPU begins */
    double memory;         /* seconds a byte of copying in its memory */
    double link_both;      /* how much slower its links are when both are busy */
    double gain, gain_f64; /* of each further time of a launch, as a part of the first */
    double launch;         /* between two kernels */
    /* More of a launch by tiles, until all units of threads are at work; and of a plane that a unit
     * climbs although nothing else runs. */
    double start, plane;
    /* The copies of a field's planes that a block hands on at a time that is a launch by itself;
     * and at one of several in a launch, for each field that it does not write. */
    double hand_on, hand_others;
    double move;    /* StarPU's thread sees to a datum of a block that comes or goes */
    double between; /* two blocks, although the second is ready */
    double before;  /* the first datum moves */
};

/* The row of a GPU of that name; where there is none, and of an empty name, the first one. */
const struct zoid_card *zoid_card_of(const char *name);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/machine/card.h"

#include <stddef.h>
#include <string.h>

/* Both have the same multiprocessors, so kernels start in the same time. Fused times gain more with
 * the slower memory: a single time is mostly copying, and fused times are not. */
static const struct zoid_card cards[] = {{.name = "NVIDIA H200",
                                          .memory = 1 / 4.2e12,
                                          .link_both = 1.08,
                                          .gain = 0.7,
                                          .gain_f64 = 0.5,
                                          .launch = 2e-6,
                                          .start = 9e-6,
                                          .plane = 0.8e-6,
                                          .hand_on = 12e-6,
                                          .hand_others = 3.7e-6,
                                          .move = 10e-6,
                                          .between = 20e-6,
                                          .before = 200e-6},
                                         {.name = "NVIDIA H100",
                                          .memory = 1 / 2.95e12,
                                          .link_both = 1.2,
                                          .gain = 1,
                                          .gain_f64 = 0.7,
                                          .launch = 2e-6,
                                          .start = 9e-6,
                                          .plane = 0.8e-6,
                                          .hand_on = 12e-6,
                                          .hand_others = 3.7e-6,
                                          .move = 10e-6,
                                          .between = 20e-6,
                                          .before = 200e-6}};

const struct zoid_card *zoid_card_of(const char *name)
{
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++)
        if (!strncmp(name, cards[i].name, strlen(cards[i].name)))
            return &cards[i];
    return cards;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphs/kinds.h"

const struct zoid_kind_type zoid_kinds[ZOID_KINDS] = {
#define ZOID_ROW(NAME, ONE, SEVERAL, COLOUR, CONSTANT, PLANES, HOME) \
    [ZOID_##NAME] = {.one = ONE,                                     \
                     .several = SEVERAL,                             \
                     .colour = COLOUR,                               \
                     .constant = CONSTANT,                           \
                     .planes = ZOID_PLANES_##PLANES,                 \
                     .home = ZOID_HOME_##HOME},
#include "graphs/kinds.def"
};

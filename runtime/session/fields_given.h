/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields as settings give them: fields.c takes them from there, fields_values.c computes their
 * values. */
#ifndef ZOID_RUNTIME_SESSION_FIELDS_GIVEN_H
#define ZOID_RUNTIME_SESSION_FIELDS_GIVEN_H

#include "runtime/io/input.h"
#include "runtime/session/fields.h"

/* Source of one field. */
struct zoid_given {
    bool given;
    const char *source; /* text of the setting */
    struct zoid_field_shape text;
    struct zoid_input *input; /* of kind ZOID_INPUT; owned unless borrowed */
    bool borrowed;            /* owned by another field */
    bool speeds;              /* wave speeds; the field is (speed dt / dx)^2 */
    const char *made;         /* rho, lambda, mu, kx, ky, kz or u_t: made of those below; or NULL */
    double factor;
    double age; /* of kind ZOID_PLANE: age of the values, in steps */
};

struct zoid_fields {
    const struct zoid_problem *problem;
    const struct zoid_settings *settings;
    const struct zoid_array_views *arrays;
    struct zoid_initial plain; /* initial state of the other fields */
    struct zoid_given field[ZOID_MAX_FIELDS];
    struct zoid_given medium[3]; /* vp, vs, density, of which elastic coefficients are made */
    struct zoid_given kappa;     /* of which coefficients of faces are made */
    struct zoid_given rate;      /* of u in time, of which the field before it is made */
};

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Load balancing of a job with two parts [subdomains]: the border between them moves from leg to
 * leg to where both take as long. */
#ifndef ZOID_RUNTIME_BALANCE_H
#define ZOID_RUNTIME_BALANCE_H

#include "runtime/part.h"
#include "runtime/plan/border.h"

/* Legs of 1, 2, 4, ... epochs are scheduled; the longest is as fast as the middle of one. */
enum { ZOID_LEGS_KNOWN = 6 };

struct zoid_balancer {
    struct zoid_job_part *part; /* two; */
    long *border;               /* theirs: 0, the planes of the lower one, and all planes */
    struct zoid_border control;
    _Atomic bool known; /* two epochs have shown the rates of both subdomains */
    bool together;      /* several processes agree on where the border is */
    bool moving;        /* the leg ends for a move, */
    int leaves;         /* or since this subdomain is to be left; -1: neither is */
    long learned, told; /* epochs of this leg: learned from, and told other processes */
    long wish, most;    /* planes that the lower subdomain should have, and has room for */
    long end;           /* the last step of the run */
    double leg[2][ZOID_LEGS_KNOWN]; /* seconds of an epoch in such a leg; 0: not known yet */
    struct zoid_border_report report;
};

/* Initialise a balancer of the subdomains' plans, which does not own them. It must not move. */
void zoid_balancer_init(struct zoid_balancer *balance, struct zoid_job_part *part, long border[]);
/* Forget the moves of earlier runs in the report. */
void zoid_balancer_report_begin(struct zoid_balancer *balance);
/* A leg of a run up to step `end` begins. */
void zoid_balancer_run(struct zoid_balancer *balance, long end);
/* Return a control of the subdomains' legs: they end if the border should move, or a subdomain is
 * to be left. Submission keeps close to the epochs that have ended: when another one's last pass
 * opens, those that are whole have; all but the last of them if rates are known. */
struct zoid_control zoid_balancer_control(struct zoid_balancer *balance);
/* Between two legs, with all data at home: move the border to where it should be, and make the
 * plans those of first legs from step `steps` on. All processes call it, and have the same failure.
 * ZOID_DOES_NOT_FIT: a plan has too little memory. */
enum zoid_status zoid_balancer_move(struct zoid_balancer *balance, long steps);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What happens to a served posse, one record for each event. The server writes records to its log. Redis, which keeps
 * commands in a log of its own, only remembers how decisions were settled.
 */
#ifndef SERVED_RECORD_H
#define SERVED_RECORD_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum record_kind {
    RECORD_DECIDE, /* in the server's log only if the posse records decisions, propensities are estimated, or rounds
                      have features: otherwise `decides` is enough. The context of a request is the body of its first
                      record alone */
    RECORD_LEARN,
    RECORD_FORGET,
    RECORD_EXPIRE, /* of one decision, with the reward that it learned. In format 1, without a learner: of every pending
                      decision up to the number `decision` */
    RECORD_ACTED,
    RECORD_ADD_LEARNER,
    RECORD_RETIRE_LEARNER,
    RECORD_ADD_ARM,
    RECORD_RETIRE_ARM,
    RECORD_TEACH,
    RECORD_NEXT_TASK,
    RECORD_MODES,
    RECORD_KINDS
} record_kind;

/* An event of a posse. Fields that its kind does not need are 0, NULL or NaN. */
typedef struct record {
    uint64_t lsn;  /* counts from 1, over all posses; set when it is written */
    int64_t posse; /* set when it is written */
    record_kind kind;
    uint64_t decides;    /* how many decisions the posse had made before */
    uint64_t decision;   /* its id */
    const char *learner; /* its name */
    int arm;             /* as in the decision, or RECORD_NO_ARM */
    double propensity, reward;
    const char *mode; /* by which the arm of a decision was determined (posse_mode_name) */
    const char *unit; /* that a decision is for */
    uint64_t now;     /* the time of a decision for a unit, or when a deferred one was shown, in seconds */
    bool deferred;    /* the decision is a suggestion, to be activated later */
    const char *body; /* JSON: the modes that were changed, a context, a learner, a point; of an arm with a name
                         {"name": .., "point": ..} */
} record;

#define RECORD_NO_ARM INT_MIN
#define UNIT_MAX 256 /* bytes of the name of a unit */

#endif

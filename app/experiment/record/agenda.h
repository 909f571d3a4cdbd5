/* SPDX-License-Identifier: MIT */
/*
 * The agenda of an experiment: the competitors, what is recorded and when, and how the runs are cut into blocks. All of
 * it follows from the experiment alone, so that every thread, process or later continuation has the same agenda.
 *
 * Letters: C competitors, S selectors, M learners, R runs, T rounds, P recorded rounds, Q matching rounds, W watched
 * rounds, V values on a log, N tasks of a run.
 */
#ifndef POSSE_EXPERIMENT_RECORD_AGENDA_H
#define POSSE_EXPERIMENT_RECORD_AGENDA_H

#include "experiment/read/experiment.h"

typedef enum competitor_role { ROLE_SELECTOR, ROLE_LEARNER, ROLE_ORACLE, ROLE_LOG } competitor_role;

typedef struct competitor {
    const char *name;
    competitor_role role;
    const char *kind; /* "oracle" for the oracle, "log" for the policy that made the log */
} competitor;

const char *competitor_role_name(competitor_role role); /* "selector", "learner", "oracle", "log" */

#define MATCHING_ROUNDS 10

/* A value on a log that the results contain: that of a competitor, from the rows up to a round. */
typedef struct agenda_value {
    int competitor;
    uint64_t round;
} agenda_value;

typedef struct agenda {
    const experiment *experiment;
    int selectors, learners;
    int solos;       /* learners that also play alone: either all or none */
    int competitors; /* selectors, then solos, then the oracle if there are solos or, on a log, the policy that made it
                      */
    int oracle;      /* its place among the competitors, or -1 */
    int log;         /* the place of the policy that made the log, or -1 */
    int arms;        /* 0 on the continuous ball and for a log, where there is no optimal rate */
    bool moves;      /* mean rewards may change from round to round */
    bool logged;     /* rounds are rows of a log, with value in place of regret and without an oracle */
    competitor *competitor;

    int tasks;            /* N */
    uint64_t task_rounds; /* of each */

    uint64_t *points; /* P recorded rounds, from 1, ascending; the last is T */
    int point_count;
    uint64_t tail; /* how many rounds the last tenth has; at least 1 */

    /*
     * For each selector, room for MATCHING_ROUNDS rounds of the last task. The first matching_count[s] of them are
     * used; without a belief, or with a floor, that is 0.
     */
    uint64_t *matching;
    int *matching_count;

    int ranges; /* how many selectors have a range into which they clip rewards */

    uint64_t *watched; /* W rounds that claims name, ascending */
    int watched_count;

    agenda_value *values; /* V on a log: those of all competitors at T, in order, and those that claims name */
    int value_count;      /* 0 where there is no log */

    uint32_t block_runs; /* runs in a block; the last may have fewer */
    uint32_t blocks;
    uint32_t curve_runs; /* results.h5 has the curves of this many runs, the first ones: CURVE_BYTES at most */
} agenda;

/*
 * Makes the agenda, to be freed with agenda_free. The experiment must outlive it. NULL: there is no memory; or there is
 * no competitor, which experiment_read rules out.
 */
agenda *agenda_make(const experiment *e);
void agenda_free(agenda *a);

static inline uint32_t agenda_block_first(const agenda *a, uint32_t block) {
    return block * a->block_runs;
}

static inline uint32_t agenda_block_count(const agenda *a, uint32_t block) {
    uint32_t left = a->experiment->runs - agenda_block_first(a, block);
    return left < a->block_runs ? left : a->block_runs;
}

/* How many runs there are in the blocks before this one. */
static inline uint32_t agenda_runs_before(const agenda *a, uint32_t block) {
    return block < a->blocks ? agenda_block_first(a, block) : a->experiment->runs;
}

/* How many rounds are played in all. The oracle plays none. */
uint64_t agenda_rounds(const agenda *a);

/* Whether a selector draws some arms evenly. */
bool agenda_has_floor(const posse_part *selector);

/* The range into which a selector clips rewards, [lowest, highest]; NULL: it does not clip them. */
const double *agenda_range(const agenda *a, int selector);

/* The place of a competitor, or -1. */
int agenda_find(const agenda *a, const char *name);

/* The place of a value on a log, or -1. */
int agenda_find_value(const agenda *a, agenda_value value);

#endif

/*
 * Learners: bandit algorithms. Their table, posse_learner_ops, is public (posse.h): an application's own learner is
 * written exactly like those here.
 */
#ifndef POSSE_LEARNER_LEARNER_H
#define POSSE_LEARNER_LEARNER_H

#include "core/part.h"
#include "core/space.h"

extern const posse_learner_ops learner_fixed;
extern const posse_learner_ops learner_ucb;
extern const posse_learner_ops learner_thompson;
extern const posse_learner_ops learner_linear_thompson;
extern const posse_learner_ops learner_linear_ucb;
extern const posse_learner_ops learner_epsilon_greedy;
extern const posse_learner_ops learner_information_lock;

/* Refuses the continuous ball, where there are no arms to tell apart. */
posse_error learner_needs_arms(const posse_setup *setup, const char *kind);

/* Refuses independent arms, which have no coordinates. */
posse_error learner_needs_points(const posse_setup *setup, const char *kind);

/*
 * Rewards of an arm: their number, sum and mean. An array of these is the state of the counting learners. They try
 * every arm first; and since a reward may come late or never, an arm that was tried is *due* again only when twice as
 * many rewards (and one per arm) have been learned: a silent arm is asked ever more rarely.
 */
typedef struct tally {
    double count;
    double sum;
    double mean; /* -infinity while there is no reward */
    double due;  /* while there is no reward: how many rewards must have been learned before it is tried again */
} tally;

static inline void tally_add(tally *t, double reward) {
    t->count += 1.0;
    t->sum += reward;
    t->mean = t->sum / t->count;
}

void tallies_start(tally *tallies, int arms);

/*
 * The first arm without a reward that is due, which is then no longer; -1 where there is none. Where no arm has a
 * reward yet, the one that is due first. learned: the rewards of all arms.
 */
int tallies_try(tally *tallies, int arms, double learned);

bool tallies_sane(const tally *tallies, int arms);

#endif

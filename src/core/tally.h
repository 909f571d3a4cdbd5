/*
 * Rewards counted: their number, sum and mean. An array of these, one per arm, is the state of the counting learners;
 * selectors for which learners are arms have one per learner. All of them are tried first; and since a reward may come
 * late or never, one that was tried is *due* again only when twice as many rewards (and one per arm) have been learned:
 * a silent arm is asked ever more rarely.
 */
#ifndef POSSE_CORE_TALLY_H
#define POSSE_CORE_TALLY_H

#include <stdbool.h>

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
 * The first of count tallies without a reward that is due, which is then no longer; -1 where there is none. Where none
 * has a reward yet, the one that is due first. arms: how many of them are arms; learned: the rewards of all arms.
 */
int tallies_try(tally *tallies, int count, double arms, double learned);

bool tallies_sane(const tally *tallies, int arms);

#endif

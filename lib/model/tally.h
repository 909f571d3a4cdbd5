/* SPDX-License-Identifier: MIT */
/*
 * A tally of rewards: their number, sum and mean. Learners that count have an array of tallies as their state, one per
 * arm; selectors that treat learners as arms have one per learner. Every arm is tried first. Its reward may come late
 * or never, so an arm without a reward is *due* again only after twice as many rewards, plus one per arm, as had been
 * learned when it was tried. So an arm that never gets a reward is tried less and less often.
 */
#ifndef POSSE_MODEL_TALLY_H
#define POSSE_MODEL_TALLY_H

#include <stdbool.h>

typedef struct tally {
    double count;
    double sum;
    double mean; /* -infinity while there is no reward */
    double due;  /* while there is no reward: the number of learned rewards from which on it is tried again; infinite:
                    never */
} tally;
_Static_assert(sizeof(tally) % 8 == 0, "a state is made of 8-byte numbers");

static inline void tally_add(tally *t, double reward) {
    t->count += 1.0;
    t->sum += reward;
    t->mean = t->sum / t->count;
}

void tallies_start(tally *tallies, int arms);

/*
 * Finds the first of count tallies that has no reward and is due, and sets when it is due again. -1: there is none.
 * While no reward was learned at all, it finds the one that is due first. arms: how many of the tallies are of arms;
 * learned: the number of rewards of all arms.
 */
int tallies_try(tally *tallies, int count, double arms, double learned);

/* The same among the tallies that are listed in `which`. Returns the place in the list. */
int tallies_try_among(tally *tallies, const int *which, int count, double arms, double learned);

bool tallies_sane(const tally *tallies, int arms);

#endif

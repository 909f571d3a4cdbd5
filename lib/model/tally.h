/* SPDX-License-Identifier: MIT */
/*
 * A tally of rewards: their number, sum and mean. Learners that count have an array of them as their state, one per
 * arm; selectors that treat learners as arms have one per learner. Every arm is tried first. Since its reward may come
 * late or never, an arm that was tried is *due* again only when twice as many rewards, plus one per arm, have been
 * learned: an arm that never gets a reward is tried less and less often.
 */
#ifndef POSSE_MODEL_TALLY_H
#define POSSE_MODEL_TALLY_H

#include <stdbool.h>

typedef struct tally {
    double count;
    double sum;
    double mean; /* -infinity while there is no reward */
    double due;  /* while there is no reward: how many rewards must have been learned before it is tried again;
                    infinite: it never is */
} tally;
_Static_assert(sizeof(tally) % 8 == 0, "a state is made of 8-byte numbers");

static inline void tally_add(tally *t, double reward) {
    t->count += 1.0;
    t->sum += reward;
    t->mean = t->sum / t->count;
}

void tallies_start(tally *tallies, int arms);

/*
 * The first of count tallies that has no reward and is due; it is then no longer due. -1: there is none. While no tally
 * has a reward, the one that is due first. arms: how many of them are arms; learned: the rewards of all arms.
 */
int tallies_try(tally *tallies, int count, double arms, double learned);

/* The same among those that are listed; it returns the place in the list. */
int tallies_try_among(tally *tallies, const int *which, int count, double arms, double learned);

bool tallies_sane(const tally *tallies, int arms);

#endif

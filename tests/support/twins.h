/* SPDX-License-Identifier: MIT */
/*
 * Twins of the rival selectors: each rule written straight from its formula, and slowly. A twin keeps every play and
 * every reward and takes counts, means and radii of them anew whenever it needs one, in long double with libm's log and
 * exp. It shares nothing with the library but the stream that it draws from.
 *
 * A twin is told what happens (who joins, leaves, plays, and which reward comes when) and says by itself whom it would
 * choose.
 */
#ifndef TWINS_H
#define TWINS_H

#include "helpers.h"

#define CROWD_MAX 12 /* learners a twin can watch, retired ones included */

/* A play, and what came of it. */
typedef struct episode {
    int learner, arm;
    bool probe; /* the rule named the arm itself */
    bool heard;
    double reward;
    long double chance; /* with which the learner was chosen */
} episode;

/* How often a learner has played, how many of its rewards have come, and their mean. */
typedef struct account {
    long double plays, heard, mean;
} account;

typedef struct rival_rule rival_rule;

typedef struct rival {
    const rival_rule *rule;
    long double confidence, delta, dmin, width, rate, low, high, rounds;
    long double coefficient[CROWD_MAX], weight[CROWD_MAX], bias[CROWD_MAX];
    int count, batch, batch_left, current;
    bool active[CROWD_MAX];
    posse_draw draw;

    episode *episodes;
    size_t episode_count;
    account accounts[CROWD_MAX];    /* taken anew of all episodes whenever one is added to them */
    long double chances[CROWD_MAX]; /* of the latest choice */

    long double d[CROWD_MAX], phi[CROWD_MAX], before[CROWD_MAX]; /* d3rb, ed2rb */
    bool dropped[CROWD_MAX];                                     /* balancing; dynamic-balancing: not active now */
    bool came_back;                                              /* dynamic-balancing: somebody became active again */
    long double p[CROWD_MAX], eta[CROWD_MAX], floor[CROWD_MAX];  /* corral */
    int waiting;                         /* stochastic-corral: whose second round is next, or -1 */
    bool second;                         /* and whether the latest choice is one */
    long double pair_chances[CROWD_MAX]; /* of the choice that began the pair */
    long double head_start[CROWD_MAX];   /* exp3p: the gain that a newcomer is given */
    long double *gains[CROWD_MAX];       /* exp3p: what each episode adds to everybody's */
    long double due[CROWD_MAX];          /* ucb, greedy */
} rival;

/* The twin of the selector of a definition, before its first round. */
void rival_open(rival *r, const posse_def *def);
void rival_close(rival *r);

/* The learner of the next round, chosen anew where a batch is over. */
int rival_choose(rival *r);

/* The arm that the rule names for that round itself; -1: the learner is to be asked. */
int rival_probe(rival *r);

/* That learner has played; returns the number by which the reward, if it ever comes, calls this episode. */
size_t rival_played(rival *r, int arm, bool probe);
void rival_heard(rival *r, size_t episode, double reward);

void rival_admit(rival *r);
void rival_retire(rival *r, int learner);

/* Corral: goes on from these probabilities of the latest choice instead of its own. */
void rival_follow(rival *r, const double *chances);

/* Whether the rule has potentials, and the one of a learner. */
bool rival_has_potentials(const rival *r);
long double rival_potential(const rival *r, int learner);

/* Rewards heard outside of the range. */
uint64_t rival_clipped(const rival *r);

/*
 * Corral's step by bisection: 1 / out_j = 1 / p_j + eta_j (loss_j - lambda), where the loser has this loss and the
 * others none, and lambda makes the sum 1. Places with p = 0 are empty.
 */
void slow_corral_step(const long double *p, const long double *eta, int count, int loser, long double loss,
                      long double *out);

#endif

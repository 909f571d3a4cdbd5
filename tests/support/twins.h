/* SPDX-License-Identifier: MIT */
/*
 * Twins of the rival selectors: slow versions that follow the formula of each rule directly. A twin stores every play
 * and every reward, and computes counts, means and radii anew whenever it needs one, in long double with libm's log and
 * exp. It shares nothing with the library except the stream that it draws from.
 *
 * A twin gets all events (learners that are added, retire and play, and rewards when they come) and chooses a learner
 * by itself.
 */
#ifndef TWINS_H
#define TWINS_H

#include "helpers.h"

#define CROWD_MAX 12 /* learners a twin can watch, retired ones included */

/* A play and its reward. */
typedef struct episode {
    int learner, arm;
    bool probe; /* the rule named the arm itself */
    bool heard;
    size_t order; /* of its reward, among all rewards of learners that were not retired */
    double reward;
    long double chance; /* the probability with which the learner was chosen */
} episode;

/* How often a learner has played, how many of its rewards have come, and their mean. */
typedef struct account {
    long double plays, heard, mean;
} account;

typedef struct rival_rule rival_rule;

typedef struct rival {
    const rival_rule *rule;
    long double confidence, delta, dmin, best, sign, width, rate, low, high, rounds;
    long double coefficient[CROWD_MAX], weight[CROWD_MAX], bias[CROWD_MAX];
    int count, batch, batch_left, current;
    bool active[CROWD_MAX];
    posse_draw draw, ties;

    episode *episodes;
    size_t episode_count, rewards;
    account accounts[CROWD_MAX];    /* computed from all episodes after each change */
    long double chances[CROWD_MAX]; /* of the latest choice */

    long double d[CROWD_MAX], phi[CROWD_MAX], before[CROWD_MAX]; /* d3rb, ed2rb, bd3rb, perfect-balancing */
    bool dropped[CROWD_MAX];                                     /* balancing, dynamic-balancing: not considered now */
    bool came_back;                                              /* dynamic-balancing: a dropped learner came back */
    long double p[CROWD_MAX], eta[CROWD_MAX], floor[CROWD_MAX];  /* corral */
    int waiting;                         /* stochastic-corral: the learner of the second round that is next, or -1 */
    bool second;                         /* stochastic-corral: the latest choice is a second round */
    long double pair_chances[CROWD_MAX]; /* of the choice that began the pair */
    long double head_start[CROWD_MAX];   /* exp3p: the initial gain of a learner that is added */
    long double *gains[CROWD_MAX];       /* exp3p: the gain that each episode adds, for each learner */
    long double due[CROWD_MAX];          /* ucb, greedy */
    bool scales_radius;                  /* these: confidence is the sd of all rewards */
    bool scales_coefficients;            /* these: dmin is */
    const char *model;                   /* thompson */
    long double discount;                /* thompson */
    long double sampled[CROWD_MAX];      /* thompson: the mean rewards drawn for the latest choice */
} rival;

/* The twin of the selector of a definition, before its first round. */
void rival_open(rival *r, const posse_def *def);
void rival_close(rival *r);

/* The learner of the next round, chosen anew if the batch is over. */
int rival_choose(rival *r);

/* The arm that the rule itself names for that round, or -1 if the learner picks it. */
int rival_probe(rival *r);

/* Records the play of that learner. Returns the number of the episode, for rival_heard. */
size_t rival_played(rival *r, int arm, bool probe);
void rival_heard(rival *r, size_t episode, double reward);

void rival_admit(rival *r);
void rival_retire(rival *r, int learner);

/* Corral: continues from these probabilities of the latest choice instead of its own. */
void rival_follow(rival *r, const double *chances);

/* Whether the rule has potentials, and the potential of a learner. */
bool rival_has_potentials(const rival *r);
long double rival_potential(const rival *r, int learner);

/* The number of rewards outside of the range. */
uint64_t rival_clipped(const rival *r);

/*
 * Corral's step by bisection: 1 / out_j = 1 / p_j + eta_j (loss_j - lambda), where the loser has this loss and the
 * others none, and lambda makes the sum 1. Places with p = 0 are empty.
 */
void slow_corral_step(const long double *p, const long double *eta, int count, int loser, long double loss,
                      long double *out);

#endif

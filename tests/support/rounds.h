/* SPDX-License-Identifier: MIT */
/*
 * Rounds with features for tests of B-MS in contexts: the rounds, the plays of external learners in them, and a
 * *chronicle*, which stores every round and every play and computes the regret of each in a world from scratch.
 */
#ifndef ROUNDS_H
#define ROUNDS_H

#include "helpers.h"

#define ROUND_ARMS 8
#define ROUND_WIDTH 6

/* A round, with the memory of its arms and features. */
typedef struct brought {
    posse_context context; /* points into the next fields, so do not copy the struct */
    int arms[ROUND_ARMS];
    double shared[ROUND_WIDTH], points[ROUND_ARMS * ROUND_WIDTH];
} brought;

/*
 * Draws a round of a definition: normal features, and some or all of its arms. Some features are whole numbers, so that
 * regrets tie.
 */
void brought_draw(brought *b, const posse_def *def, bool all, posse_draw *draw);

/* The features of the arm at a place: width numbers, its own and then the shared ones. */
void brought_features(const brought *b, const posse_def *def, int place, double *out);

/* ---- stages: arms and beliefs ---- */

typedef struct stage {
    const char *name;
    int arms, dim, context;
    posse_part belief;
    bool unit; /* rewards are in [0, 1] */
} stage;

/* Every form in which plays are stored, and every model. STAGE_LOGISTIC is the one with a logistic link. */
enum {
    STAGE_JOINT,
    STAGE_BOTH,
    STAGE_SHARED,
    STAGE_DISJOINT,
    STAGE_ONE_HOT,
    STAGE_COINS,
    STAGE_MIXTURE,
    STAGE_ROBUST,
    STAGE_LOGISTIC,
    STAGES
};
extern const stage stages[STAGES];

/* External learners. */
#define CREW_MAX 12
extern const posse_part crew[CREW_MAX];

/* A definition with the arms of a stage and the first `count` learners of the crew. */
posse_def stage_def(const stage *s, int count);

/* ---- a posse and its rounds ---- */

typedef struct play {
    posse_def def;
    posse *p;
    posse_draw draw; /* of the test: for rounds, picks and rewards */
    brought now;
    posse_decision d;
    int place;
} play;

void play_open(play *s, const posse_def *def);
void play_close(play *s);

/* Rounds, picks and rewards are those of another run from now on. */
void play_begin(play *s, uint32_t run);

/* The steps of a round. Learner i plays one of the first 1 + i available arms, so that learners differ. */
void play_decide(play *s, bool all);
void play_act(play *s);
double play_learn(play *s, bool unit);

/* ---- chronicles ---- */

/* A play, and the round that it was in. */
typedef struct entry {
    int learner, place;
    int count, arms[ROUND_ARMS];
    double features[ROUND_ARMS][ROUND_WIDTH];
} entry;

typedef struct chronicle {
    int width, length, room;
    entry *entries;
} chronicle;

void chronicle_open(chronicle *c, const posse_def *def);
void chronicle_close(chronicle *c);
void chronicle_add(chronicle *c, const posse_def *def, const brought *b, int learner, int place);

/* The regret of an entry in a world of a belief, by the formulas of docs/selectors.md. */
double chronicle_regret(const chronicle *c, const entry *e, const posse_belief *b, const double *world);

/* The sum of the regrets of a learner's entries, in their order. *plays is their number. */
double chronicle_sum(const chronicle *c, int learner, const posse_belief *b, const double *world, double *plays);

#endif

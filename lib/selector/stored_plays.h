/* SPDX-License-Identifier: MIT */
/*
 * The plays that B-MS stores in rounds with features (bms_in_contexts.c): in which slot a play is stored, the regret of
 * each stored play in the world that is held, and the sum of these regrets for each learner.
 */
#ifndef POSSE_SELECTOR_STORED_PLAYS_H
#define POSSE_SELECTOR_STORED_PLAYS_H

#include <math.h>

#include "selector/calibration.h"
#include "selector/charges.h"
#include "selector/jury.h"
#include "selector/reservoir.h"

#define PLAYS_REGRET_MAX 1e220 /* of a play */

/* The plan of the selector. */
typedef struct plays_plan {
    charges charges;
    reservoir reservoir;
    int places, dim;
    bool pooled;    /* all learners share the slots (`memory: all`) */
    bool prunes;    /* there may be more arms in a round than a play has room for */
    bool considers; /* from the start; if it is tried, nothing is considered before */
    double trial;   /* rewards after which the calibration decides whether to consider; 0: it does not */
    size_t slots;   /* of the pool; or of each learner, then a multiple of KERNEL_LANES */
    size_t memory[2];
    double recency[2]; /* without and with consider, as memory */
    double hold, hold_most;
    size_t world_at, jury_at, regret_at, owner_at, blocks_at,
        belief_at; /* where these begin in the state, in numbers */
} plays_plan;

/*
 * The state. The arrays in the first line have a number per place. `regret` has a number per slot, in the world held,
 * and `owner` has the learner of each slot, if slots are pooled.
 */
typedef struct plays_view {
    double *penalty, *plays, *potential, *share, *kept, *sum; /* kept: k_i; sum: of their regrets in the world held */
    double *unplayed, *learners;                              /* active learners not played yet; all active ones */
    double *choices, *until;                                  /* t, and the t from which a new world is due */
    double *drawn;            /* worlds drawn so far, or since arms were added; 0: no world is held */
    double *used;             /* slots that hold a play, where they are pooled */
    double *asks;             /* with a trial: whether all learners are asked */
    calibration *calibration; /* with a trial */
    double *world, *jury;
    double *regret, *owner;
    double *blocks;
    void *belief, *twin;
} plays_view;

enum { PLAYS_PER_PLACE = 6, PLAYS_COUNTERS = 6, PLAYS_OF_TRIAL = 1 + CALIBRATION_NUMBERS };

static inline plays_view plays_view_of(const plays_plan *p, const void *state) {
    double *at = (double *)(uintptr_t)state, *counters = at + (size_t)PLAYS_PER_PLACE * (size_t)p->places;
    return (plays_view){.penalty = at,
                        .plays = at + p->places,
                        .potential = at + 2 * p->places,
                        .share = at + 3 * p->places,
                        .kept = at + 4 * p->places,
                        .sum = at + 5 * p->places,
                        .unplayed = counters,
                        .learners = counters + 1,
                        .choices = counters + 2,
                        .until = counters + 3,
                        .drawn = counters + 4,
                        .used = counters + 5,
                        .asks = counters + PLAYS_COUNTERS,
                        .calibration = (calibration *)(counters + PLAYS_COUNTERS + 1),
                        .world = at + p->world_at,
                        .jury = at + p->jury_at,
                        .regret = at + p->regret_at,
                        .owner = at + p->owner_at,
                        .blocks = at + p->blocks_at,
                        .belief = at + p->belief_at,
                        .twin = (char *)(at + p->belief_at) + p->charges.belief.part.state_size};
}

/* Numbers beside those of each place. */
static inline size_t plays_counters(const plays_plan *p) {
    return PLAYS_COUNTERS + (p->trial > 0.0 ? (size_t)PLAYS_OF_TRIAL : 0);
}

/* Whether all learners are asked now. */
static inline bool plays_considers(const plays_plan *p, const plays_view *v) {
    return p->trial > 0.0 ? *v->asks != 0.0 : p->considers;
}

/* How many plays of each learner are stored. */
static inline size_t plays_memory(const plays_plan *p, const plays_view *v) {
    return p->memory[plays_considers(p, v)];
}

/* With `consider`, learners are compared by their mean regret. */
static inline double plays_share_due(const plays_plan *p, const plays_view *v, int learner) {
    if (plays_considers(p, v)) return v->plays[learner] > 0.0 ? 1.0 / v->plays[learner] : 1.0;
    return patience_share(&p->charges.patience, *v->learners, 1.0, v->plays[learner]);
}

static inline bool plays_is_count(double x, double most) {
    return x >= 0.0 && x <= most && x == floor(x);
}

/* Whether the n-th play of a learner is stored when its memory is full, and where: a random draw. */
typedef struct plays_lot {
    double plays; /* n; 0: nothing is drawn yet */
    bool stored;
    size_t slot;
} plays_lot;

/*
 * A round in which plays are stored: the verdict of the jury, once it has voted, and the play stored last. Learners
 * that play the same arm store the same play, so it is reused.
 */
typedef struct plays_session {
    const posse_round *round;
    plays_lot lot;
    bool voted, stored;
    verdict verdict;
    kept_arms kept;
    int places[KERNEL_JURY + 1]; /* the places that a jury picks */
    double regret;               /* in the world held */
} plays_session;

/* Leaves the other fields uninitialised: clearing them would take as long as a round that stores nothing. */
static inline void plays_open_session(plays_session *s, const posse_round *round) {
    s->round = round;
    s->lot.plays = 0.0;
    s->voted = s->stored = false;
}

/* Sums the regrets of the stored plays anew, of one learner or of all. */
void plays_sum_up(const plays_plan *p, const plays_view *v, int learner);
void plays_sum_all(const plays_plan *p, const plays_view *v);

/* Values all stored plays of active learners in the world held, and sums the regrets. */
void plays_value(const plays_plan *p, const plays_view *v);

/*
 * Counts a play of a learner, and stores it if a slot is found. Returns true if a stored play was replaced. The caller
 * must then compute the sum anew, because subtracting the old regret would not leave exactly 0 where it should.
 */
bool plays_count(const plays_plan *p, const plays_view *v, int learner, plays_session *s, int place, posse_draw *draw);

/* Whether slots that were read from a file are valid, those without a play too, because kernels value whole blocks. */
bool plays_sane(const plays_plan *p, const plays_view *v);

/* How many blocks of slots the state has. */
size_t plays_blocks(const plays_plan *p);

/* The learner whose play is in a slot, if it is below `learners`; else -1. */
int plays_owner(const plays_plan *p, const plays_view *v, size_t at, int learners);

#endif

/*
 * Inside a posse: a selector, its learners, and the decisions without a reward so far. The public calls stand on two
 * steps, which simulations use as they are: choose (who plays, and what) and settle (the reward teaches).
 */
#ifndef POSSE_POSSE_OBJECT_H
#define POSSE_POSSE_OBJECT_H

#include <math.h>

#include "core/part.h"
#include "core/space.h"
#include "posse/pending.h"
#include "random/stream.h"
#include "selector/selector.h"

#define LEARNERS_MAX 4096

/* A learner in its place. Of a retired one the name and the plays are left. */
typedef struct member {
    part part; /* what a round touches comes first */
    const posse_learner_ops *ops;
    void *state;
    posse_draw *draw;
    uint64_t plays;
    bool active;
    char *name;
    arena memory; /* recipe, plan, state and stream */
    posse_part recipe;
} member;

/* The selector; ops is NULL where a learner plays alone. */
typedef struct chooser {
    arena memory; /* plan and state */
    part part;
    const posse_selector_ops *ops;
    void *state;
    int places;
} chooser;

struct posse {
    posse_host host;
    arena memory; /* space, recipes of prior and selector, point */
    posse_space *space;
    posse_part prior;           /* kind NULL: none */
    posse_part selector_recipe; /* kind NULL: none */
    uint64_t seed;
    uint64_t rounds;
    uint32_t run;
    size_t state_max; /* while loading, what is left to read: a larger state cannot be there */

    chooser selector;
    posse_draw selector_draw, ties_draw;
    bool share;
    uint64_t batch;

    member *members;
    int count, capacity, active;
    bool unit_rewards;

    int current; /* the learner of this batch, and with which probability it was chosen */
    double probability;
    uint64_t batch_left;
    uint64_t next_id;
    pending pending;
    double *point; /* where a learner on the ball writes its arm */
};

/* --- members.c: the learners, without a word to the selector --- */

/* Adds a learner at place p->count; with no description a retired one, of which there is just the name. */
posse_error members_add(posse *p, const posse_part *description, const char *name);
/* Takes back the addition of the last one. */
void members_drop_last(posse *p);
void members_retire(posse *p, int place);
/* Puts every active learner before its first round. */
void members_start(posse *p);
void members_release(posse *p);

/* --- chooser.c: the selector --- */

/* Makes the selector of p->selector_recipe with room for so many learners. founders: as in posse_setup. */
posse_error chooser_make(posse *p, int places, int founders);
/* Makes sure that all p->count learners have a place; what the selector knows is kept. */
posse_error chooser_make_room(posse *p);
/* Puts it before its first round, with the learners that are there. */
void chooser_start(posse *p);

/* --- posse.c --- */

/*
 * Makes all but the learners. places: how many to make room for; state_max: the bytes no state may exceed.
 * def->learners is not looked at; their count is what the selector begins with, or 0.
 */
posse_error posse_open(const posse_def *def, int places, size_t state_max, posse **out);

/* Starts over: as if new, in another run of the same seed. */
void posse_begin(posse *p, uint32_t run);

/* Who plays, and what. Fills all of the decision but its id. */
posse_error posse_choose(posse *p, posse_decision *d);

/* The reward of a choice teaches learners and selector. It must be one that posse_reward_fits. */
void posse_settle(posse *p, const posse_decision *d, double reward);

static inline bool posse_reward_fits(const posse *p, double reward) {
    if (!(fabs(reward) <= REAL_MAX)) return false;
    return !p->unit_rewards || (reward >= 0.0 && reward <= 1.0);
}

#endif

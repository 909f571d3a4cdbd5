/* SPDX-License-Identifier: MIT */
/*
 * Inside a posse: a selector, its learners, and the decisions without a reward so far. The public calls are made of two
 * steps, which simulations call directly: object_choose (a learner and its arm) and object_settle (all learn the
 * reward).
 */
#ifndef POSSE_OBJECT_OBJECT_H
#define POSSE_OBJECT_OBJECT_H

#include "model/part.h"
#include "model/registry.h"
#include "model/round.h"
#include "model/space.h"
#include "object/pending.h"
#include "object/recipe.h"
#include "random/stream.h"
#include "selector/selector.h"

#define LEARNERS_MAX 4096
#define EPOCH_MAX INT32_MAX
#define PROPENSITY_DRAWS_MAX 10000
#define DECISIONS_MAX (UINT64_MAX / 4)

/*
 * The slots of the streams (random/stream.h) of a posse that an application holds. B-MS draws a world every round, its
 * learners share the rounds, and a tie takes one word. Larger blocks are faster, and larger.
 */
#define SELECTOR_SLOTS 96
#define LEARNER_SLOTS 64
#define TIES_SLOTS 16
#define FLOOR_SLOTS 16

/* A learner in its place. A retired learner keeps only its name and its plays. */
typedef struct member {
    part part; /* what a round touches comes first */
    const posse_learner_ops *ops;
    void *state;
    posse_draw *draw;
    uint64_t plays;
    bool active;
    const char *name;
    const kept_recipe *recipe;
    arena memory; /* of a learner that was added later: recipe, plan, state and stream */
} member;

/* The selector; ops is NULL where a learner plays alone. */
typedef struct chooser {
    arena memory; /* plan and state, where it was made again later */
    part part;
    const posse_selector_ops *ops;
    void *state;
    int places;
    bool probes; /* it may name arms itself */
    int *picks;  /* for what every learner picks, where all are asked; else NULL */
} chooser;

/* What becomes of decisions that stay without a reward. */
typedef struct expiry {
    uint64_t after; /* with this number of later decisions; 0: they stay pending */
    bool learns;    /* the reward; otherwise they are forgotten */
    double reward;
} expiry;

struct posse {
    posse_host host;
    arena memory;       /* all that it is created with, the learners too; and the names of all learners */
    arena space_memory; /* of the space, once arms have come or gone */
    bool founding;      /* it is being created: what is made now belongs to it, not to a learner that may be retired */
    posse_space *space;
    const kept_recipe *prior, *selector_recipe; /* NULL: none */
    uint64_t seed;
    uint64_t rounds;
    uint32_t run;
    size_t state_max; /* while loading, how many bytes are left to read: no state can be larger */

    chooser selector;
    posse_draw *selector_draw, *ties_draw;
    bool simulates; /* its streams have large blocks */
    bool share;
    uint64_t batch;
    double floor;           /* how often the arm is drawn evenly */
    posse_draw *floor_draw; /* NULL where that is never */

    member *members;
    int count, capacity, active;
    int current; /* the learner of this batch, and with which probability it was chosen */
    double probability;
    posse_rewards rewards; /* that can be learned from */

    uint64_t batch_left;
    uint64_t decisions;        /* that have got an id */
    uint32_t epoch;            /* of their ids */
    uint32_t propensity_draws; /* for the propensity of each decision; 0: none */
    uint64_t epoch_first;      /* the decisions there were when it began */
    pending pending;
    double *point;    /* where a learner on the ball writes its arm; the features of the arm played latest */
    double *features; /* room for those of a round in which arms have their own and shared ones; else NULL */
    expiry expiry;
};

/*
 * What the parts of a posse are made in. space: its own or, where arms come or go, the one that follows, for which
 * parts are made again. prior: that of p, as a part.
 */
static inline posse_setup object_surroundings(const posse *p, const posse_space *space, const posse_part *prior) {
    return (posse_setup){.space = space,
                         .prior = prior->kind != NULL ? prior : NULL,
                         .seed = p->seed,
                         .rounds = p->rounds,
                         .arms_before = space != p->space ? p->space->arms : 0};
}

/* --- members.c: the learners; these calls do not tell the selector --- */

/* Adds a learner at place p->count. Without a description it is a retired one, which only has a name. */
posse_error members_add(posse *p, const posse_part *description, const char *name);
/* Makes room for so many learners, if there is room for none yet. */
posse_error members_reserve(posse *p, int count);
/* Removes the learner that was added last. */
void members_drop_last(posse *p);
void members_retire(posse *p, int place);
/* Makes the learner at a place again for another space, with all that it has learned. Its name is the same memory. */
posse_error members_make_again(posse *p, const posse_space *space, int place, member *out);
/* Puts every active learner before its first round, or before the first of the next task. */
void members_start(posse *p);
void members_next_task(posse *p);
void members_release(posse *p);

/* --- chooser.c: the selector --- */

/* Makes the selector of p->selector_recipe with `places` places for learners. founders: as in posse_setup. */
posse_error chooser_make(posse *p, int places, int founders);
/* Makes sure that all p->count learners have a place; the selector keeps what it knows. */
posse_error chooser_make_room(posse *p);
/* Makes the selector again for another space, with all that it has learned. There must be one. */
posse_error chooser_make_again(posse *p, const posse_space *space, chooser *out);
/* Puts the selector before its first round, or before the first of the next task, with the learners that are there. */
void chooser_start(posse *p);
void chooser_next_task(posse *p);

/* --- context.c --- */

/* The round that a context describes. POSSE_ERROR_CONTEXT: the log was told what is wrong with it. */
posse_error context_round(const posse *p, const posse_context *context, posse_round *out);
/* The round in which an arm was played, and the arm's features then. Some of its arms may be retired by now. */
posse_error context_past_play(const posse *p, const posse_context *context, int arm, posse_round *out,
                              const double **features);
/* Refuses a call that has no context where rounds bring features. */
posse_error context_none(const posse *p);
/* Makes room for rounds of these arms in the arena. */
posse_error context_reserve(const posse_space *space, arena *memory, double **out);

/* --- propensity.c --- */

/* The shares of so many draws in which each arm would be played next; arms: room for one number each. */
posse_error propensity_of_arms(const posse *p, const posse_round *round, uint32_t draws, double *arms);

/* --- posse.c --- */

/*
 * Makes everything but the learners. retired: whether each arm is, NULL for none; places: how many learners to make
 * room for; state_max: the largest size of a state in bytes. def->learners is not read; def->learner_count is how many
 * learners the selector begins with, or 0.
 */
posse_error object_open(const posse_def *def, const bool *retired, int places, size_t state_max, posse **out);

/* A prior that is given must fit the arms, even where no part starts from it. */
posse_error object_check_prior(const posse *p, const posse_space *space);

/* Starts again as if new, in another run of the same seed. */
void object_begin(posse *p, uint32_t run);

/* Chooses the learner of the next round, which is p->current then, unless a batch goes on. object_choose does it first.
 * POSSE_ERROR_LEARNER: the selector named no active learner. Streams and choice are as before, so that it is asked
 * again in the next round. */
posse_error object_choose_learner(posse *p);

/* Chooses the learner and lets it pick its arm. Fills in all of the decision but its id. round: NULL where rounds bring
 * no features. */
posse_error object_choose(posse *p, const posse_round *round, posse_decision *d);

/* How many numbers of an arm are kept with a decision: its point on the ball, its features; else 0. */
static inline int object_point_numbers(const posse *p) {
    return space_is_ball(p->space) ? p->space->dim : p->space->features;
}

/* Whether there is such an arm, retired or not, or such a point of the ball. */
bool object_has_arm(const posse *p, int arm, const double *point);

/* Learners and selector learn the reward of a choice. object_reward_fits must hold for it. */
void object_settle(posse *p, const posse_decision *d, double reward);

/* Tells the selector of a play. round: NULL where rounds bring no features. */
void object_note_play(posse *p, int learner, const posse_round *round, int arm, const double *point);

/* All learners and the selector's belief learn a reward that no learner made. */
void object_teach_all(posse *p, int arm, const double *point, double reward);

/* Tells the log which part cannot learn the reward, and what it can learn from; returns POSSE_ERROR_REWARD. */
posse_error object_refuse_reward(const posse *p, double reward);

static inline bool object_reward_fits(const posse *p, double reward) {
    return reward >= p->rewards.low && reward <= p->rewards.high;
}

#endif

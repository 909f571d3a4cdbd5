/* SPDX-License-Identifier: MIT */
/*
 * Inside a posse: a selector, its learners, and the decisions without a reward so far. The public calls are made of two
 * steps, which simulations call directly: object_choose chooses a learner and its arm, and object_settle makes learners
 * and selector learn the reward.
 */
#ifndef POSSE_OBJECT_OBJECT_H
#define POSSE_OBJECT_OBJECT_H

#include "model/part.h"
#include "model/registry.h"
#include "model/round.h"
#include "model/space.h"
#include "object/dictionary.h"
#include "object/feature_map.h"
#include "object/pending.h"
#include "object/recipe.h"
#include "object/shared_state.h"
#include "random/stream.h"
#include "selector/selector.h"

#define LEARNERS_MAX 4096
#define EPOCH_MAX INT32_MAX
#define PROPENSITY_DRAWS_MAX 10000
#define DECISIONS_MAX (UINT64_MAX / 4)

/*
 * The slots that the streams (random/stream.h) of a posse begin with. After STREAMS_FIT_FIRST decisions, then after
 * twice as many, and so on, and later after every STREAMS_FIT, streams that draw much get more slots, which are faster
 * but take more memory. Both are powers of two.
 */
#define SELECTOR_SLOTS 16
#define LEARNER_SLOTS 8
#define TIES_SLOTS 4
#define FLOOR_SLOTS 8
#define STREAMS_FIT_FIRST 8
#define STREAMS_FIT 32

/* A learner in its place. A retired learner keeps only its name and its plays. */
typedef struct member {
    part part; /* the fields that every round uses come first */
    const posse_learner_ops *ops;
    void *state;
    posse_draw *draw;
    uint64_t plays;
    bool active;
    bool external; /* the application picks its arm */
    bool blind;    /* rounds have features, which it does not get */
    bool echoes;   /* an earlier learner has the same state, and learns for both */
    bool shares;   /* its state may be shared with learners of the same model */
    const char *name;
    const kept_recipe *recipe;
    arena *memory; /* holds recipe, plan, state and stream of a learner that was added later; else NULL */
} member;

/* The shared state of a learner; NULL if its state is its own for ever. */
static inline shared_state *member_shared(const member *m) {
    return m->shares ? shared_state_of(m->state) : NULL;
}

/* The selector; ops is NULL if there is only a learner. */
typedef struct chooser {
    arena memory; /* holds plan and state, if the selector was made again later */
    part part;
    const posse_selector_ops *ops;
    void *state;
    int places;
    bool probes;       /* it may pick arms itself */
    int *picks;        /* room for the picks of all learners, if all are asked; else NULL */
    const void *model; /* the state of its belief, within that of a learner of the same model; NULL: there is none */
} chooser;

/* Whether the selector needs the picks of all learners in this round. */
static inline bool chooser_asks(const chooser *c) {
    return c->picks != NULL && (c->ops->asks == NULL || c->ops->asks(c->part.plan, c->state));
}

/* The names of the arms, and a hash table of them. */
typedef struct arm_names {
    char **list; /* as many as there are arms */
    int count, room;
    int joins;         /* how many active arms there may be after one joined */
    uint32_t *slots;   /* 1 + the index of an arm, 0: an empty slot */
    size_t slot_count; /* a power of two, at least twice the room */
} arm_names;

/* What is known of the rewards of an arm, or of a learner's plays, as sums (tallies.c). */
typedef struct reward_tally {
    double count, sum;
    double surprises; /* the squared distances of each reward from what the earlier ones predict */
    double squares;   /* the squared distances from the mean */
} reward_tally;

/* The rewards of all arms and learners. */
typedef struct tallies {
    reward_tally *list; /* of the arms, then of the learners */
    int arms, learners;
    double low, high; /* all rewards so far were in this range, which is that of posse_reward_range */
} tallies;

typedef struct modes modes;       /* modes.h */
typedef struct forecast forecast; /* forecast.h */

/* What happens to decisions that do not get a reward. */
typedef struct expiry {
    uint64_t after; /* they expire once this many later decisions were made; 0: they stay pending */
    double reward;
} expiry;

struct posse {
    posse_host host;
    arena memory;       /* everything that it is created with, learners included, and the names of all learners */
    arena space_memory; /* holds the space, once an arm was added or retired */
    posse_space *space;
    arm_names *names;                           /* NULL: arms are called by their numbers */
    tallies *tallies;                           /* NULL: rewards are not tallied */
    modes *modes;                               /* NULL: none was ever set */
    feature_map *map;                           /* NULL: features have no names */
    const kept_recipe *prior, *selector_recipe; /* NULL: none */
    uint64_t seed;
    uint64_t rounds;
    uint32_t run;
    bool founding : 1;      /* it is being created: its parts are allocated in `memory`, not in arenas of their own */
    bool simulates : 1;     /* it plays simulations, and its streams are as large as they get */
    bool replays : 1;       /* it was loaded exactly, and may be given what an earlier version had accepted */
    bool expire_learns : 1; /* decisions that expire learn expiry.reward; otherwise they are forgotten */
    bool share;
    bool fallible;  /* a choice may fail: a part is an extension, or a learner does not see which arms there are */
    bool unaided;   /* the learner alone determines the arm: no features, external learners, probes, floor or modes */
    bool plain;     /* unaided, and decisions need nothing else: no estimate, tally, expiry, and nothing to be undone */
    bool estimates; /* propensities of decisions are estimated; a floor makes them exact, without draws */
    bool keeps_propensity; /* with each pending decision, behind the numbers of its arm */
    uint8_t fit_mask;      /* streams_fit is called if the number of decisions has none of these bits */
    int point_numbers;     /* of an arm of the ball, or of its features: they are kept with a decision */
    size_t state_max; /* while loading, the number of bytes left to read, since no state can be larger; else SIZE_MAX */

    chooser selector;
    posse_draw *selector_draw, *ties_draw;
    uint64_t batch;
    double floor;           /* the probability that the arm is drawn evenly */
    posse_draw *floor_draw; /* NULL if that is 0 */

    member *members;
    int count, capacity, active;
    int current; /* the learner of this batch, and the probability with which it was chosen */
    double probability;
    posse_rewards rewards; /* the rewards that all parts can learn from */

    uint64_t batch_left;
    uint64_t decisions;        /* the number of decisions that have an id */
    uint32_t epoch;            /* of new ids */
    uint32_t propensity_draws; /* for the propensity of each decision; 0: none */
    uint64_t epoch_first;      /* the number of decisions when the epoch began */
    pending pending;
    double *point;    /* on the ball, the point that a learner picked; with features, those of the arm played last */
    double *features; /* room for the features of a round, if they are not used as they are given; else NULL */
    union {
        dictionary *dictionary; /* where contexts are sparse: of features, if they get slots as they come; else NULL */
        forecast *forecast;     /* where they are not: during posse_decide_many, the rounds that come; else NULL */
    };
    expiry expiry;
};

/*
 * The surroundings in which the parts of a posse are made. space: that of the posse or, when an arm is added or
 * retired, the new one, for which parts are made again. prior: that of p, as a part.
 */
static inline posse_setup object_surroundings(const posse *p, const posse_space *space, const posse_part *prior) {
    return (posse_setup){.space = space,
                         .prior = prior->kind != NULL ? prior : NULL,
                         .seed = p->seed,
                         .rounds = p->rounds,
                         .arms_before = space != p->space ? p->space->arms : 0};
}

/* The forecast for the round that is decided, in posse_decide_many; NULL: there is none. */
static inline const forecast *object_forecast(const posse *p) {
    return space_is_sparse(p->space) ? NULL : p->forecast;
}

/* Whether x can be the probability of a choice. Importance weights, which divide by it, stay finite. */
static inline bool object_is_probability(double x) {
    return x >= 1e-30 && x <= 1.0;
}

/* Whether the posse is being made from a saved one. */
static inline bool object_is_loading(const posse *p) {
    return p->state_max != SIZE_MAX;
}

/* The slots that features by name are hashed to. Without contexts there are none. */
static inline feature_slots object_feature_slots(const posse *p) {
    return space_has_contexts(p->space)
               ? (feature_slots){p->space->features - p->space->shared_features, p->space->shared_features}
               : (feature_slots){0};
}

/* --- members.c: the learners; these calls do not inform the selector --- */

/* Adds a learner at place p->count. Without a description it is a retired one, which only has a name. */
posse_error members_add(posse *p, const posse_part *description, const char *name);
/* Makes room for `count` learners, if there is no room for any yet. */
posse_error members_reserve(posse *p, int count);
/* Frees what a learner has outside of the posse's memory. */
void members_free(const posse *p, member *m);
/* Removes the learner that was added last. */
void members_drop_last(posse *p);
void members_retire(posse *p, int place);
/* Makes the learner at a place again for another space, with everything it has learned. Its name is not copied. */
posse_error members_make_again(posse *p, const posse_space *space, int place, member *out);
/* Puts every active learner before its first round, or before the first round of the next task. */
void members_start(posse *p);
void members_next_task(posse *p);
/* Learners of the same model whose states are equal share one from now on. */
void members_share(posse *p);
void members_release(posse *p);

/* --- names.c: the names of the arms --- */

/* Gives the arms of a new posse their names. names: as many as there are arms; NULL: none or, if some may join,
 * numbers. */
posse_error names_open(posse *p, const char *const *names, int joins);
/*
 * Makes everything ready for one more arm; name NULL: its number. *out is NULL if arms have no names. names_take then
 * adds it, and names_drop frees it if the arm was not added.
 */
posse_error names_prepare(posse *p, const char *name, char **out);
void names_take(posse *p, char *name);
void names_drop(posse *p, char *name);
void names_release(posse *p);

/* --- tallies.c: rewards, for the report --- */

posse_error tallies_open(posse *p);
/* Makes room for all arms and learners. On POSSE_ERROR_MEMORY nothing has changed. */
posse_error tallies_reserve(posse *p);
/* Counts the reward of a decision. learner -1: no learner picked the arm. */
void tallies_take(posse *p, int learner, int arm, double reward);
void tallies_clear(posse *p);
void tallies_release(posse *p);
/* Writes them after the learners, and reads them. */
void tallies_write(writer *w, const posse *p);
posse_error tallies_read(reader *r, posse *p);
/* Adds a reward to a tally of something else, and checks one that was read. */
void tallies_add(const posse *p, reward_tally *t, double reward);
bool tallies_is_sane(const posse *p, const reward_tally *t);
/* The tally of an arm or a learner; without decisions since it joined, it is empty. */
reward_tally tallies_of_arm(const posse *p, int arm);
reward_tally tallies_of_learner(const posse *p, int learner);

/* --- chooser.c: the selector --- */

/* Makes the selector of p->selector_recipe with `places` places for learners. founders: as in posse_setup. */
posse_error chooser_make(posse *p, int places, int founders);
/* Makes sure that all p->count learners have a place; the selector keeps what it has learned. */
posse_error chooser_make_room(posse *p);
/* Makes the selector again for another space, with everything it has learned. The posse must have a selector. */
posse_error chooser_make_again(posse *p, const posse_space *space, chooser *out);
/* Puts the selector before its first round, or before the first of the next task, with the learners of the posse. */
void chooser_start(posse *p);
void chooser_next_task(posse *p);
/*
 * Looks for a learner of the same model whose state is that of the selector's belief. The belief copies from it what
 * the learner has learned. To be called after the learners, the selector or their states have changed.
 */
void chooser_share(posse *p);

/* --- streams.c --- */

/* Enlarges the streams that have drawn much since the last call. */
void streams_fit(posse *p);
/* Enlarges all streams, for the many rounds of simulations. */
void streams_simulate(posse *p);
/* Frees the streams, except those of the learners (members_release). */
void streams_release(posse *p);

/* --- context.c --- */

/* Writes to the log that the context is missing; returns POSSE_ERROR_CONTEXT. */
__attribute__((cold)) posse_error context_missing(const posse *p);
/* Refuses a call that has no context, if rounds have features. */
static inline posse_error context_none(const posse *p) {
    return space_has_contexts(p->space) ? context_missing(p) : POSSE_OK;
}
/* The round that a context describes. POSSE_ERROR_CONTEXT: the context does not fit, and the log gets the reason. */
posse_error context_to_round(const posse *p, const posse_context *context, posse_round *out);
/* The same for its arms alone, without features. past: arms may be retired by now. */
posse_error context_read_arms(const posse *p, bool past, const posse_context *context, posse_round *out);
/* The same into `room`, for calls whose context is NULL without features: then *out is NULL. */
static inline posse_error context_round(const posse *p, const posse_context *context, posse_round *room,
                                        const posse_round **out) {
    *out = context != NULL ? room : NULL;
    return context != NULL ? context_to_round(p, context, room) : context_none(p);
}
/* The round of a play of the past, some of whose arms may be retired by now. With features, writes those of the arm. */
posse_error context_past_play(const posse *p, const posse_action *action, posse_round *room, const posse_round **out,
                              const double **features);
/* After a call with a context by name has succeeded, the feature map learns from it. */
static inline void context_commit(const posse *p, const posse_context *context) {
    if (context != NULL && context->named != NULL) feature_map_commit(p->map);
}
/* Makes room in the arena for the features of a round, if arms have both their own and shared ones, or rows. */
posse_error context_reserve(const posse_space *space, arena *memory, double **out);
/*
 * The same round as one of an environment that has sparse contexts, with slots in place of indices. Where contexts are
 * not sparse, it is the round itself.
 */
posse_error context_of_environment(posse *p, const posse_round *round, posse_round *room, const posse_round **out);
/*
 * For a call that failed, or that only looks: forgets the features that its context brought. known:
 * posse_known_features before it.
 */
void context_forget(const posse *p, int known);
/* Copies the features of an arm, so that equal features are equal bytes. */
void context_copy_features(const posse_space *space, double *to, const double *features);

/* --- feature_arms.c --- */

/* If no arm of a round has features, but arms may have some, gives each its name as one. Valid until the next call. */
posse_error feature_arms_name(const posse *p, const posse_round *round, posse_named *named);

/* --- arms.c --- */

/* Makes room for at least this many slots of features in all states. */
posse_error object_add_slots(posse *p, int slots);

/* --- decisions.c --- */

/* posse_decide in a round that was read already, without features by name or slots that are given as they come. */
posse_error decisions_make(posse *p, const posse_round *round, posse_decision *d);

/* --- propensity.c --- */

/* The share of `draws` simulated choices in which each arm would be played next. arms: room for one number each. */
posse_error propensity_of_arms(const posse *p, const posse_round *round, uint32_t draws, double *arms);

/* --- forecast.c (forecast.h has the rest) --- */

/* The estimates that the learner at a place has in the round that is decided; NULL: none were made ahead. */
posse_estimates *forecast_of(const forecast *f, int place);

/* --- modes.c (modes.h has the rest) --- */

/*
 * Replaces the arm of a round that is held back by the control, and corrects the propensity of every round. picked: the
 * learner's arm, before the floor; arm: the one after it.
 */
int modes_hold_back(const posse *p, const posse_round *round, int picked, int arm, posse_decision *d);

/* Whether rounds may be held back: modes_hold_back is to be called. */
bool modes_holds_back(const posse *p);

/* --- posse.c --- */

/* The coordinates or features of an arm. Features are copied to p->point, because the context is not kept. */
const double *object_point_of(const posse *p, const posse_round *round, int arm);

/* The features that a saved posse had met: the room that its states had for slots, and the feature of each slot. */
typedef struct known_features {
    int slots, count;
    const int *indices;
} known_features;

/* Gives a posse that has met no features those of a saved one. POSSE_ERROR_DAMAGED: a feature is there twice. */
posse_error object_meet(posse *p, const known_features *known);

/*
 * Makes everything but the learners. retired: whether each arm is retired, NULL for none; places: the number of
 * learners to make room for; state_max: the largest size of a state in bytes; slots: as in space_def. def->learners is
 * not read; def->learner_count is the number of learners that the selector begins with, or 0.
 */
posse_error object_open(const posse_def *def, const bool *retired, int slots, int places, size_t state_max,
                        posse **out);

/* Checks that the prior, if there is one, fits the arms, even if no part starts from it. */
posse_error object_check_prior(const posse *p, const posse_space *space);

/* Sets `unaided` and `plain`. To be called when learners or modes have changed. */
void object_review(posse *p);

/* Starts again as if new, in another run of the same seed. */
void object_begin(posse *p, uint32_t run);

/*
 * Chooses the learner of the next round, p->current, unless the batch has rounds left. object_choose calls it first.
 * POSSE_ERROR_LEARNER: the selector named no active learner, or no probability. The learner of the last round is still
 * p->current, but the selector's state and streams may have changed (before.h).
 */
posse_error object_choose_learner(posse *p);

/*
 * Chooses the learner and lets it pick its arm. Fills in all of the decision but its id. round: NULL if rounds have no
 * features. A choice that fails has changed states and streams (before.h).
 */
posse_error object_choose(posse *p, const posse_round *round, posse_decision *d);

/*
 * Refuses a call if rounds are episodes: only posse_play reports the steps that parts learn from, and saved posses do
 * not contain that rounds are episodes. Writes the reason to the log.
 */
posse_error object_refuse_episodes(const posse *p);

/* Whether there is such an arm, retired or not, or such a point of the ball. */
bool object_has_arm(const posse *p, int arm, const double *point);

/* Learners and selector learn from a reward, for which object_reward_fits must hold. floor: the floor drew the arm. */
void object_learn(posse *p, const posse_outcome *o, bool floor);

/* object_learn for the reward of a decision. */
static inline void object_settle(posse *p, const posse_decision *d, double reward) {
    posse_outcome o = {d->learner, d->arm, d->point, reward, d->probability, d->probe};
    object_learn(p, &o, d->floor);
}

/* Reports a play to the selector. round: NULL if rounds have no features. */
void object_note_play(posse *p, int learner, const posse_round *round, int arm, const double *point);

/* All learners and the selector's belief learn a reward for which no learner is charged. */
void object_teach_all(posse *p, int arm, const double *point, double reward);

/* Writes to the log which part cannot learn the reward, and the range that it can; returns POSSE_ERROR_REWARD. */
posse_error object_refuse_reward(const posse *p, double reward);

static inline bool object_reward_fits(const posse *p, double reward) {
    return reward >= p->rewards.low && reward <= p->rewards.high;
}

#endif

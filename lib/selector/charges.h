/* SPDX-License-Identifier: MIT */
/*
 * The code that B-MS without contexts (bms.c) and B-MS in contexts (bms_in_contexts.c) share: the options, the belief
 * and its robust twin, the share of a regret that is charged, and the choice among the charged learners.
 *
 * Arrays of a state have one entry per place. `penalty` is 0 for an active learner and infinite otherwise, `plays`
 * counts plays, and `potential` is the charge in the latest choice, infinite for learners that were not charged in it.
 */
#ifndef POSSE_SELECTOR_CHARGES_H
#define POSSE_SELECTOR_CHARGES_H

#include "belief/belief.h"
#include "numeric/kernels.h"
#include "selector/patience.h"
#include "selector/selector.h"

enum {
    BMS_BELIEF,
    BMS_PATIENCE,
    BMS_COMMITMENT,
    BMS_FORGETTING,
    BMS_DISCOUNT,
    BMS_WATCH,
    BMS_MEMORY,
    BMS_RECENCY,
    BMS_HOLD,
    BMS_HOLD_MOST,
    BMS_CANDIDATES,
    BMS_CONSIDER,
    BMS_BUDGET
};
#define CONSIDER_AUTO "auto" /* words that `consider` of bms-plus may be */
#define CONSIDER_MODEL "model"
extern const posse_param bms_params[], bms_plus_params[];
extern const posse_selector_ops selector_bms_in_contexts, selector_bms_plus_in_contexts;

typedef struct charges {
    posse_belief belief;
    posse_belief twin; /* the robust form of a belief that is watched and not robust itself; else ops is NULL */
    patience patience;
} charges;

/* Makes the belief and its twin, and reads the options of patience. */
posse_error charges_prepare(const posse_setup *setup, charges *out);

static inline bool charges_have_twin(const charges *c) {
    return c->twin.ops != NULL;
}

/* --- the choice --- */

/* The first active learner that has not played. There must be one. */
int charges_first_unplayed(const double *penalty, const double *plays, int places);

/* One of several learners with the least charge, at random. */
int charges_break_tie(const double *potential, int places, kernel_least least, posse_draw *ties);

/* One of the learners with the least charge, at random if there are several, and the probability of that choice. */
static inline int charges_choose(const double *potential, int places, kernel_least least, posse_draw *ties,
                                 double *probability) {
    *probability = 1.0;
    if (least.count <= 1) return (int)least.first; /* count 0: all potentials are NaN, from a corrupted saved state */
    *probability = 1.0 / (double)least.count;
    return charges_break_tie(potential, places, least, ties);
}

/* --- the belief and its twin; `belief` and `twin` are their states --- */

void charges_start(const charges *c, void *belief, void *twin);
/* A task begins. The twin draws nothing, so that watching changes no decision. */
void charges_next_task(const charges *c, void *belief, void *twin, posse_draw *draw);
bool charges_sane(const charges *c, const void *belief, const void *twin);
void charges_grow(const charges *c, void *belief, void *twin, const charges *former, const void *former_belief,
                  const void *former_twin);
/* For more learners. The belief is as it was (object/chooser.c). A twin of an extension that is not starts anew. */
void charges_adopt(const charges *c, void *belief, void *twin, const charges *former, const void *former_belief,
                   const void *former_twin);
static inline void charges_teach(const charges *c, void *belief_, void *twin_, int arm, const double *point,
                                 double reward) {
    if (charges_have_twin(c)) belief_update(&c->twin, twin_, arm, point, reward);
    belief_update(&c->belief, belief_, arm, point, reward);
}
/* The same, if `model` is the state of the belief after this reward. */
void charges_teach_by(const charges *c, void *belief, void *twin, const posse_outcome *o, const void *model);
bool charges_surprise(const charges *c, const void *belief, const void *twin, double *out);

/* --- for the table of the kind --- */

/* Learners not charged yet have potential 0. */
void charges_potentials(const double *penalty, const double *potential, int learners, double *out);

/* The learners with the least charge have equal probabilities, the others 0. */
void charges_probabilities(const double *potential, int learners, double *out);

#endif

/*
 * The modes of a posse in production: a holdback, a pause, decisions that are only looked at, shadow mode, decisions
 * that are activated later, and units (visitors) that keep their arm. docs/modes.md explains when to use which.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef POSSE_MODES_H
#define POSSE_MODES_H

#include "posse.h"
#include "posse_inside.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ================================================== the switches ================================================== */

/*
 * The switches of a posse, all of which are off at first. They belong to its state: they are saved, and may be changed
 * at any time. To change one, begin with those that are set:
 *   posse_modes m = posse_modes_of(p);
 *   m.control = 2, m.holdback = 0.05;
 *   posse_set_modes(p, &m);
 */
typedef struct posse_modes {
    int control;             /* the arm that holdback and pause play; -1: none. It cannot be retired */
    double holdback;         /* the share of decisions that play the control, from 0 to 0.99 */
    bool paused;             /* all decisions play the control, and no reward is learned */
    bool shadow;             /* decisions are suggestions: another rule acts, and posse_acted reports its play */
    uint32_t units;          /* how many units are remembered; 0: none. Beyond it, the oldest one is forgotten */
    uint64_t sticky_rounds;  /* a unit keeps its arm until this many later decisions were made, */
    uint64_t sticky_seconds; /* and until this many seconds have passed. Both 0: until its decision is settled */
} posse_modes;

/*
 * POSSE_ERROR_ARM: there is no such arm, or it is retired. POSSE_ERROR_FIT: the switches do not fit each other or the
 * posse, and the log has the reason. If the control or the share changes, the comparison of posse_holdback begins
 * again, and if `units` does; if `shadow` is switched on, that of posse_shadow does.
 */
POSSE_API posse_error posse_set_modes(posse *p, const posse_modes *modes);
POSSE_API posse_modes posse_modes_of(const posse *p);

/* =================================================== decisions ==================================================== */

/* posse_decision.mode: by which mode the arm was determined. */
typedef enum posse_mode {
    POSSE_MODE_NONE = 0,
    POSSE_HELD_BACK = 1, /* the control, by the holdback: no learner is charged, and all learn from the reward */
    POSSE_KEPT = 2,      /* the arm that the unit has: likewise. No other arm had a chance, so the round cannot judge
                            another rule, and its reward is not in the report */
    POSSE_PAUSED = 3,    /* the control, by a pause: nothing is learned from the reward. No other arm had a chance */
    POSSE_SUGGESTED = 4  /* it counts as a play of its learner, but was not played so far */
} posse_mode;

/* "holdback", "kept", "paused", "suggested"; NULL: none. */
POSSE_API const char *posse_mode_name(int mode);

/* The visit that a decision is for. Start from zeros. */
typedef struct posse_visit {
    const posse_context *context; /* as in posse_decide */
    const void *unit;             /* the visitor as bytes, mostly a text; NULL: none */
    size_t unit_length;
    uint64_t now;         /* seconds of a clock of the application, from 1; 0: not given */
    bool defer;           /* a suggestion, which posse_activate makes a decision; until then, it does not expire */
    const double *logged; /* as the propensity of posse_decide_again; NULL: a new decision */
    bool anew;            /* also if the unit has a pending decision, which stays pending */
} posse_visit;

/*
 * Decides like posse_decide, for a unit or until later.
 *
 * The same unit gets the same arm as long as it is remembered and the arm is available. If units keep their arms until
 * the decision is settled, it gets the pending decision itself again, with the same id, and nothing changes. If that
 * arm is retired or not in this round, it gets a new decision, and the one before stays pending.
 *
 * With a holdback, a unit belongs to it for good or never: a hash of the unit and of the seed decides. Without a unit,
 * a draw decides in each round.
 *
 * A decision that is deferred or in shadow mode is a suggestion. It is pending and gets no reward, until posse_acted
 * reports what was played, or posse_activate that it was the suggested arm. In shadow mode it expires like any other
 * decision, and is forgotten then. A deferred one does not expire before it is shown, and its window (expire_after)
 * counts from there. POSSE_ERROR_FIT: on the ball there are no suggestions.
 *
 * POSSE_ERROR_ARGUMENT: posse_modes.sticky_seconds is set, and a unit has no `now`.
 */
POSSE_API posse_error posse_decide_for(posse *p, const posse_visit *visit, posse_decision *decision);

/* The decision that posse_decide_for would make now. Its id is 0, or that of the unit's pending decision. Nothing is
 * pending afterwards that was not before, and no stream advances. */
POSSE_API posse_error posse_peek(posse *p, const posse_visit *visit, posse_decision *decision);

/*
 * Makes a suggestion a decision. POSSE_ERROR_SETTLED: it is one already, or was reported or settled. A deferred one was
 * shown then, and so it was after posse_acted. Its propensity stays, except in shadow mode: what another rule plays has
 * none. After posse_acted with another arm it has none either.
 */
POSSE_API posse_error posse_activate(posse *p, uint64_t id);

/*
 * Notes when a deferred decision was shown, in seconds of a clock of the application. The time is saved with it, and
 * returned as posse_pending.shown_at, for applications that expire decisions by their clock. POSSE_ERROR_ABSENT: it was
 * not deferred, or is not shown yet.
 */
POSSE_API posse_error posse_note_shown(posse *p, uint64_t id, uint64_t now);

/* How many deferred decisions wait until they are shown, and the oldest one. POSSE_ERROR_ABSENT: none does. */
POSSE_API size_t posse_deferred_count(const posse *p);
POSSE_API posse_error posse_deferred_oldest(posse *p, posse_pending *out);

/* Forgets the deferred decisions that wait, and after which at least `age` decisions have been made. Their number is
 * written to *expired, unless expired is NULL. */
POSSE_API posse_error posse_expire_deferred(posse *p, uint64_t age, size_t *expired);

/* The arm that a pending decision suggests, or suggested before something was played; -1: it is no suggestion. */
POSSE_API int posse_suggestion(const posse *p, uint64_t id);

/* The number of units that are remembered, and whether this one is; it is forgotten, and its decisions stay pending. */
POSSE_API size_t posse_unit_count(const posse *p);
POSSE_API bool posse_unit_forget(posse *p, const void *unit, size_t length);

/* ================================================== comparisons =================================================== */

/*
 * What the posse earns beside the holdback. Both intervals are confidence sequences, and so is that of the lift, with
 * `confidence` 0.95. The draws are independent of everything else, so the lift is right even if rewards drift. Of a
 * unit, only the first reward counts, because later ones depend on it. Once `units` are remembered, posse cannot tell
 * which ones are new, and no further ones count; without `units`, none do.
 * Intervals need posse_def.report, and bounded rewards. POSSE_ERROR_ABSENT: rewards are not tallied, or none of the
 * holdback counts yet.
 */
typedef struct posse_comparison {
    posse_finding posse;   /* decisions that were not held back; its lift is over the holdback */
    posse_finding control; /* decisions that were */
} posse_comparison;
POSSE_API posse_error posse_holdback(const posse *p, posse_comparison *out);

/*
 * What the suggestions of shadow mode would have earned, compared with the rule that acted. Without features it is the
 * mean of the arms' means, weighted by how often each was suggested, and its interval holds for these means together.
 * With features no estimate is made. The interval then counts every round in which the rule played another arm as the
 * least, or the most, that a reward can be. POSSE_ERROR_ABSENT: no round of shadow mode has its reward.
 */
typedef struct posse_trial {
    uint64_t rounds, agreed;    /* rounds of shadow mode with a reward, and those in which the suggestion was played */
    posse_finding rule;         /* what the rule that acted has earned */
    double estimate, low, high; /* of the suggestions; NaN: unknown */
    double agreed_low;          /* a confidence sequence for how often both agree, on average over these rounds */
    double agreed_high;
} posse_trial;
POSSE_API posse_error posse_shadow(const posse *p, posse_trial *out);

#ifdef __cplusplus
}
#endif

#endif

/*
 * Selectors: pick the learner of a round and learn from what came back. A selector has a fixed number of *places*;
 * learners are admitted to places 0, 1, 2, … and may be retired, after which they must not be chosen again. When
 * places run out, the posse makes a larger selector that adopts what this one knows.
 */
#ifndef POSSE_SELECTOR_SELECTOR_H
#define POSSE_SELECTOR_SELECTOR_H

#include "core/part.h"

/* What came back of a round. */
typedef struct outcome {
    int learner;
    int arm;             /* -1 on the continuous ball */
    const double *point; /* the arm's coordinates, NULL for independent arms */
    double reward;
    double probability; /* with which `choose` chose the learner, at that time: what importance weights divide by */
} outcome;

typedef struct selector_ops {
    posse_kind kind;
    /* A learner takes the next free place. */
    void (*admit)(const void *plan, void *state, int learner);
    /* A learner leaves. At least one other is left. */
    void (*retire)(const void *plan, void *state, int learner);
    /*
     * Picks one of the active learners. `draw` is the selector's stream and `ties` a stream for breaking ties; writes
     * the probability of this choice given what was drawn, in (0, 1].
     */
    int (*choose)(const void *plan, void *state, posse_draw *draw, posse_draw *ties, double *probability);
    /* The learner chosen has picked an arm; the reward may come later, or never. */
    void (*played)(const void *plan, void *state, int learner, int arm, const double *point);
    /* The reward of a round, in whatever order they come. */
    void (*learn)(const void *plan, void *state, const outcome *o);
    /* Takes over all that a smaller selector of the same options knows, its learners included. */
    void (*adopt)(const void *plan, void *state, const void *smaller_plan, const void *smaller_state);
    /* The latest potentials of the first so many places. NULL: it has none. */
    void (*potentials)(const void *plan, const void *state, int learners, double *out);
    /* With which probability the latest choice took each of the first so many places. NULL: the rule draws nothing. */
    void (*probabilities)(const void *plan, const void *state, int learners, double *out);
    /* How many rewards lay outside its range. NULL: it has none. */
    double (*clipped)(const void *plan, const void *state);
    /* Adds what it expects of each arm (or of theta) to `out`. NULL: it has no belief. */
    void (*add_means)(const void *plan, const void *state, double *out);
} selector_ops;

/* Parameters that every selector has; the posse itself sees to them. */
enum { SELECTOR_SHARE, SELECTOR_BATCH };
extern const posse_param selector_params[];

/*
 * For states with so many numbers per place, one kind after the other: the first `few` of `many` places become those of
 * a smaller state.
 */
void selector_adopt_columns(double *to, int many, const double *from, int few, int columns);

/* Refuses to be made where the number of rounds is not known. */
posse_error selector_needs_rounds(const posse_setup *setup, const char *kind);

extern const selector_ops selector_bms;
extern const selector_ops selector_d3rb;
extern const selector_ops selector_ed2rb;
extern const selector_ops selector_balancing;
extern const selector_ops selector_corral;
extern const selector_ops selector_exp3p;
extern const selector_ops selector_ucb;
extern const selector_ops selector_greedy;
extern const selector_ops selector_uniform;

/* What B-MS believes, for runs side by side (lanes/). */
struct belief;
const struct belief *bms_belief(const void *plan);

#endif

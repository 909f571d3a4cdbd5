/* SPDX-License-Identifier: MIT */
/*
 * The modes of a posse (posse_modes.h): which decisions they determine, and what is counted for their comparisons. A
 * posse without modes has no such struct, and its rounds only test a pointer.
 */
#ifndef POSSE_OBJECT_MODES_H
#define POSSE_OBJECT_MODES_H

#include "object/deferred.h"
#include "object/object.h"
#include "object/units.h"
#include "posse_modes.h"

/* What shadow mode compares, over the rounds that have their rewards. */
typedef struct shadow_counts {
    double agreed;
    reward_tally rule;        /* what was earned */
    reward_tally least, most; /* with the reward only where both agreed, else the least or the most of the range */
    double *suggested;        /* for each arm how often it was; as many as `arms` */
    int arms;
} shadow_counts;

struct modes {
    posse_modes set;
    units units;
    posse_draw *draw; /* draws which rounds are held back */
    reward_tally held, others;
    shadow_counts shadow;
    deferred deferred;
    /* Of the round that is being decided, for object_choose: */
    double share; /* of the holdback; 0: nothing is held back in this round */
    bool holds;   /* the control is played */
};

/* Makes sure that there are modes, all of them off at first. */
posse_error modes_open(posse *p);

/* POSSE_ERROR_ARGUMENT: units keep their arms for some seconds, and this one has no time. */
posse_error modes_check_visit(const posse *p, const posse_visit *visit);

/* Whether a unit keeps its pending decision, whose arm is available. It is *entry then, and none is made. */
bool modes_again(const posse *p, const posse_visit *visit, const pending_entry **entry);

/* Determines the arm without asking any learner, in a pause or for a unit. False: the learners are asked. */
bool modes_fix(posse *p, const posse_round *round, const posse_visit *visit, posse_decision *d);

/* Between the two, object_choose knows whether this round is held back. */
void modes_begin_round(posse *p, const posse_round *round, const posse_visit *visit);
void modes_end_round(posse *p);

/* The propensity of the arm of a decision, from the share of that arm in the learners' choices. */
double modes_propensity(const posse *p, const posse_round *round, const posse_decision *d, double of_learners);

/* Corrects the propensities of arms for the holdback and for a pause. */
void modes_correct(const posse *p, const posse_round *round, const posse_propensity *out);

/* Makes room for what a decision adds. On POSSE_ERROR_MEMORY nothing has changed. */
posse_error modes_reserve(posse *p, const posse_visit *visit);
/* The decision was made, and has its number. Whether its unit was there before, or may have been. */
bool modes_remember(posse *p, const posse_visit *visit, const posse_decision *d);

/* Counts the reward of a decision for the comparisons. */
void modes_count(posse *p, const pending_entry *entry, double reward);

/* Forgets units, comparisons and deferred decisions, before another task. */
void modes_clear(posse *p);
void modes_release(posse *p);

/* Writes the modes, and reads them into a posse that has none. */
void modes_write(writer *w, const posse *p);
posse_error modes_read(reader *r, posse *p);

#endif

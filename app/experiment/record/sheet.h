/* SPDX-License-Identifier: MIT */
/*
 * A sheet: the records of one run, of every competitor.
 */
#ifndef POSSE_EXPERIMENT_RECORD_SHEET_H
#define POSSE_EXPERIMENT_RECORD_SHEET_H

#include "experiment/record/agenda.h"

/*
 * The numbers are one vector, so that an aggregate can take the mean of all of them at once. From `final_regret` up to
 * `effective_curve` they are the head, which a block keeps of every run. The first of these, up to `task_regret`, are
 * the row, which is kept of every run for good. A number of a selector and a learner that it does not play is NaN. On a
 * log, `final_regret`, `watched`, `pairs` and `regret` are values (docs/results.md), and regrets of learners and their
 * coefficients are NaN.
 */
typedef struct sheet {
    double *numbers;
    size_t number_count, head_count, row_count;

    double *final_regret;     /* C: at T */
    double *final_optimal;    /* C: share of optimal rounds in the last tenth; NaN on the ball */
    double *plays;            /* S x M: how often the selector chose the learner */
    double *learner_regret;   /* S x M: the regret of those plays */
    double *coefficient;      /* S x M: max over l of regret after the learner's l-th play / sqrt(l) */
    double *best_coefficient; /* S: the smallest of the learners that were played */
    double *clipped;          /* S: rewards outside the selector's range, NaN: it has none; absent if all have none */
    double *effective;        /* C of a log: the effective number of rows; otherwise absent */
    double *task_regret;      /* C x N: the regret of each task; absent where there is only one */
    double *watched;          /* C x W: regret at the rounds that claims name */
    double *matching_best;    /* S x Q x M: 1/k for each of the k learners with the least true regret so far */
    double *matching_gap;     /* S x Q x M: 1 for the learner chosen, less matching_best */
    double *covariance;       /* V x V of a log: of the values' errors; otherwise absent */
    double *variance_curve;   /* C x P of a log: of the values' errors at the recorded rounds; otherwise absent */
    double *effective_curve;  /* C x P of a log; otherwise absent */
    double *pairs;            /* C (C - 1) / 2: final regret of a less that of b, a < b, in order of a, then b */
    double *regret;           /* C x P: at the recorded rounds */

    uint8_t *optimal;          /* C x P: whether an optimal arm was played in that round */
    uint16_t *choice;          /* S x P: the learner that was chosen */
    uint16_t *matching_choice; /* S x Q */
    void *memory;
} sheet;

bool sheet_open(sheet *r, const agenda *a);
void sheet_close(sheet *r);

/* Begins the numbers of a selector's learners; those of learners that are not in its team are NaN. */
void sheet_begin_team(sheet *r, const agenda *a, int s);

/*
 * Records a matching round: which learners of a selector have the least true charge, and which is chosen. charges: of
 * all learners of the experiment.
 */
void sheet_match(sheet *r, const agenda *a, int s, int matched, const double *charges, int chosen);

/*
 * Ends the numbers of a selector, whose coefficients are squares so far. clipped: rewards outside its range; NaN: it
 * has none.
 */
void sheet_end_team(sheet *r, const agenda *a, int s, double clipped);

/* Fills in the numbers that follow from those of the competitors: those of the oracle, and the pairs. */
void sheet_finish(sheet *r, const agenda *a);

/*
 * Fills in the numbers that follow from the head, such as choices at matching rounds and pairs. Head and curves then
 * make the whole sheet.
 */
void sheet_complete(sheet *r, const agenda *a);

#endif

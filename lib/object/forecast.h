/* SPDX-License-Identifier: MIT */
/*
 * Estimates made ahead. Nothing is learned between the decisions of posse_decide_many, so the models of the learners
 * stay as they are. Several rounds are read at a time, and the estimates of each model are computed for all of them at
 * once (posse_learner_ops.estimate). The decisions are then made one by one, with the same bits as without a forecast.
 */
#ifndef POSSE_OBJECT_FORECAST_H
#define POSSE_OBJECT_FORECAST_H

#include "object/object.h"

/* The estimates of one model: of all rounds, and as the round that is decided has them. */
typedef struct forecast_model {
    int learner; /* the first one that has the model */
    posse_estimates all, now;
} forecast_model;

struct forecast {
    arena memory;
    posse_round rounds[POSSE_ROUNDS_ABREAST];
    int count;              /* of rounds that were read */
    bool estimated;         /* their estimates were computed */
    forecast_model *models; /* NULL: nothing can be made ahead */
    int model_count;
    int *model_of;    /* the model of each learner, or -1 */
    double *features; /* of each round, where they are not used as they are given; else NULL */
    double *room;     /* for posse_learner_ops.estimate */
};

/*
 * For a batch of `count` decisions. To be closed in any case. Where the estimates of a model would often be made in
 * vain, or there is no memory for them, the forecast stays empty, and every decision computes its own.
 */
void forecast_open(forecast *f, posse *p, size_t count);
void forecast_close(forecast *f, posse *p);

/*
 * Reads the first of these contexts, as long as they are valid and have the same arms, and makes their estimates.
 * Returns how many were read: f->rounds has them. 0: the first context has to be decided by itself.
 */
int forecast_read(forecast *f, posse *p, const posse_context *contexts, size_t count);

/* The round at this place of f->rounds is decided next. */
void forecast_turn_to(const forecast *f, int round);

#endif

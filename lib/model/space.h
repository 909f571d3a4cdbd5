/* SPDX-License-Identifier: MIT */
/*
 * The space of arms: K independent arms, K points of R^dim, or all points of its unit ball. It knows which arms are
 * retired, and the best arm of a linear model. It never changes: where arms come or go, another space is made.
 */
#ifndef POSSE_MODEL_SPACE_H
#define POSSE_MODEL_SPACE_H

#include "base/memory.h"
#include "numeric/sketch.h"
#include "numeric/vectors.h"

#define ARMS_MAX 1000000
#define DIM_MAX 1024

struct posse_space {
    int arms;             /* retired ones included; 0: the ball */
    int dim;              /* 0: independent arms */
    int features;         /* of an arm in a round, where rounds bring them; else 0. Then dim is 0 */
    int shared_features;  /* how many of them are the same for all arms, the last ones */
    int active_count;     /* arms that are not retired */
    const int *active;    /* which these are, in order; NULL: all arms */
    const int *every;     /* all arms in order, where rounds bring features; else NULL */
    const bool *retired;  /* whether an arm is; NULL: none is */
    const double *points; /* arms x dim, or NULL */
    const double *lanes;  /* of the active ones, in blocks of KERNEL_LANES arms, see numeric/kernels.h */
    size_t blocks;
    sketch sketch;      /* of the active arms; `drawn` is NULL where a sketch would not be faster */
    const double *grid; /* of each coordinate: adding and subtracting it rounds to multiples of 2^-32 of its range */
    double reach;       /* the largest coordinate of all, without its sign */
};

/* Rounds bring features. */
static inline bool space_has_contexts(const posse_space *space) {
    return space->features > 0;
}

/* The continuous ball, which has no separate arms. */
static inline bool space_is_ball(const posse_space *space) {
    return space->arms == 0 && space->dim > 0;
}

/* Nothing to play: there are only rewards, of learners that are external. */
static inline bool space_is_empty(const posse_space *space) {
    return space->arms == 0 && space->dim == 0;
}

/* The coordinates of an arm; NULL for independent arms. */
static inline const double *space_point(const posse_space *space, int arm) {
    return space->points != NULL ? space->points + (size_t)arm * (size_t)space->dim : NULL;
}

static inline bool space_has(const posse_space *space, int arm) {
    return arm >= 0 && arm < space->arms && (space->retired == NULL || !space->retired[arm]);
}

/* The active arm with the largest value, the first among equals. values: of all arms. */
static inline int space_largest(const posse_space *space, const double *values) {
    if (space->active == NULL) return largest(values, space->arms);
    int best = space->active[0];
    for (int k = 1; k < space->active_count; k++)
        if (values[space->active[k]] > values[best]) best = space->active[k];
    return best;
}

/* Whether a coordinate is one that products of rewards and coordinates can be made of without overflow. */
bool space_coordinate_fits(double x);

/* What there is to play, with the meaning of the fields of posse_def. */
typedef struct space_def {
    int arms, dim;
    const double *points;
    int context;
} space_def;

/* What a space was made from. */
static inline space_def space_def_of(const posse_space *space) {
    int own = space_has_contexts(space) ? space->features - space->shared_features : space->dim;
    return (space_def){space->arms, own, space->points, space->shared_features};
}

/* Checks the arms and copies them into the arena. Problems are told to the log. */
posse_error space_make(const space_def *def, const posse_logger *log, arena *memory, posse_space **out);

/* Retires arms of a space that was just made, for which no part was made yet. retired: of all arms; not all are. */
posse_error space_retire(posse_space *space, const bool *retired, arena *memory);

/*
 * The best active arm of the linear model w in R^dim: its index (-1 on the ball), its value, and its coordinates, which
 * are written to `point` on the ball and point into the space otherwise.
 */
int space_best(const posse_space *space, const double *w, double *value, const double **coordinates, double *point);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The space of arms: K independent arms, K points of R^dim, or all points of its unit ball. It records which arms are
 * retired, and finds the best arm of a linear model. It never changes: when an arm is added or retired, another space
 * is made.
 */
#ifndef POSSE_MODEL_SPACE_H
#define POSSE_MODEL_SPACE_H

#include "base/memory.h"
#include "numeric/sketch.h"
#include "numeric/vectors.h"
#include "posse_extend.h"

#define ARMS_MAX 1000000
#if defined(__NVPTX__)
#define DIM_MAX 64 /* the stacks of a GPU's threads are small */
#else
#define DIM_MAX 1024
#endif
#define SPARSE_DIM_MAX (1 << 24)
#define NONZEROS_MAX 65536

struct posse_space {
    int arms;             /* retired ones included; 0: the ball */
    int dim;              /* 0: independent arms */
    int features;         /* of an arm in a round; 0 if rounds have no features. If they have, dim is 0 */
    int shared_features;  /* the number of features, the last ones, that are the same for all arms */
    int nonzeros;         /* if contexts are sparse: the most features of an arm that are not 0 in a round; else 0 */
    int slots;            /* of features that states have room for: all features, or fewer if contexts are sparse */
    int known;            /* slots in use. Where contexts are sparse, it grows while the posse plays */
    bool episodes;        /* rounds are episodes of several steps, and arms are policies */
    int active_count;     /* the number of arms that are not retired */
    const int *active;    /* the indices of these arms, in order; NULL: all arms */
    const int *every;     /* the indices of all arms, in order, if rounds have features; else NULL */
    const bool *retired;  /* for each arm; NULL: no arm is retired */
    const double *points; /* arms x dim, or NULL */
    const double *lanes;  /* the points of active arms, in blocks of KERNEL_LANES arms (numeric/kernels.h) */
    size_t blocks;
    sketch sketch;      /* of the active arms; `drawn` is NULL if a sketch would not be faster */
    const double *grid; /* of each coordinate: adding and subtracting it rounds to multiples of 2^-32 of its range */
    double reach;       /* the largest absolute value of all coordinates */
};

/* Whether rounds have features. */
static inline bool space_has_contexts(const posse_space *space) {
    return space->features > 0;
}

/* Whether the features of an arm are rows of pairs (model/row.h). */
static inline bool space_is_sparse(const posse_space *space) {
    return space->nonzeros > 0;
}

/* Whether features get slots as they come (object/dictionary.h). Else the slot of a feature is its index. */
static inline bool space_has_dictionary(const posse_space *space) {
    return space_is_sparse(space) && space->features > DIM_MAX;
}

/* The numbers that describe the features of an arm in a round. */
static inline int space_row_numbers(const posse_space *space) {
    return space_is_sparse(space) ? 1 + 2 * space->nonzeros : space->features;
}

/* The continuous ball, which has no separate arms. */
static inline bool space_is_ball(const posse_space *space) {
    return space->arms == 0 && space->dim > 0;
}

/* No arms at all: there are only the rewards of external learners. */
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

/* Whether products of this coordinate with rewards and other coordinates cannot overflow. */
bool space_coordinate_fits(double x);

/* The arms to play. The fields have the same meaning as in posse_def. */
typedef struct space_def {
    int arms, dim;
    const double *points;
    int context;
    bool episodes;
    int nonzeros;
    int slots; /* that states have room for, if contexts are sparse; 0: as few as that begins with */
} space_def;

/* The definition from which a space was made. */
static inline space_def space_def_of(const posse_space *space) {
    int own = space_has_contexts(space) ? space->features - space->shared_features : space->dim;
    return (space_def){space->arms,     own,         space->points, space->shared_features, space->episodes,
                       space->nonzeros, space->slots};
}

/* Checks the arms and copies them into the arena. Problems are written to the log. */
posse_error space_make(const space_def *def, const posse_logger *log, arena *memory, posse_space **out);

/*
 * Retires arms of a new space, before any part is made for it. retired has an entry for each arm, and at least one arm
 * must stay active.
 */
posse_error space_retire(posse_space *space, const bool *retired, arena *memory);

/*
 * The best active arm of the linear model w in R^dim: its index (-1 on the ball), its value, and its coordinates. On
 * the ball the coordinates are written to `point`; otherwise they are those of the space.
 */
int space_best(const posse_space *space, const double *w, double *value, const double **coordinates, double *point);

#endif

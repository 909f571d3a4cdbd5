/* SPDX-License-Identifier: MIT */
/*
 * Data-driven regret balancing (Pacchiano, Dann, Gentile, Data-driven online model selection with regret guarantees,
 * 2024): every learner i has a regret coefficient d_i that is estimated while it plays, and a potential
 *
 *     phi_i = clip( d_i sqrt(n_i), phi_i, 2 phi_i ),
 *
 * the regret that d_i allows it for its n_i plays. The learner with the smallest potential is chosen; ties go to the
 * lowest index. d3rb, ed2rb and bd3rb are three ways to revise d_i when a reward arrives. perfect-balancing has no
 * coefficients: it computes phi_i itself, from the best mean reward, which it is given. This file has everything else.
 *
 * The radius of a mean reward and the least coefficient, dmin, are in the unit of rewards. With the word `auto`, which
 * is the default, the unit is the standard deviation of all rewards so far: confidence is that number, and so is dmin.
 * The rule then does not depend on the unit of rewards. While all rewards are equal, the unit is 1.
 *
 * phi_i changes when i plays and again when d_i is revised, both times from its value before the play. If rewards
 * arrive at once, this is the rule as written above. If they arrive late, a learner is charged for a play before its
 * reward arrives.
 */
#ifndef POSSE_SELECTOR_BALANCE_H
#define POSSE_SELECTOR_BALANCE_H

#include "selector/earnings.h"
#include "selector/selector.h"

#define BALANCE_AUTO "auto" /* the only word that options in the unit of rewards have */

#define PARAMETER_SCALED(name_, low_, help_)                                                                           \
    {                                                                                                                  \
        .name = name_, .type = POSSE_TYPE_REAL, .flags = POSSE_PARAM_KEPT, .fallback_word = BALANCE_AUTO,              \
        .words = BALANCE_AUTO, .low = low_, .high = SCALE_MAX, .help = help_                                           \
    }
#define PARAMETER_SCALED_CONFIDENCE                                                                                    \
    PARAMETER_SCALED("confidence", 0.0,                                                                                \
                     "factor on the confidence radius of a learner's mean reward; auto: the sd of all rewards so far")
#define PARAMETER_DMIN                                                                                                 \
    PARAMETER_SCALED("dmin", SCALE_MIN,                                                                                \
                     "first and smallest regret coefficient of a learner; auto: the sd of all rewards so far")
#define PARAMETER_BEST                                                                                                 \
    {                                                                                                                  \
        .name = "best", .type = POSSE_TYPE_REAL, .flags = POSSE_PARAM_REQUIRED, .low = -SCALE_MAX, .high = SCALE_MAX,  \
        .help = "the largest mean reward that a learner can reach, such as the largest possible reward"                \
    }

extern const posse_param balance_params[]; /* confidence, delta, dmin */

typedef struct balance_plan {
    int places;
    confidence confidence;                   /* with a scaled radius, its factor is 1 */
    double smallest;                         /* dmin; with scaled coefficients, 1; without coefficients, 0 */
    bool scales_radius, scales_coefficients; /* by the standard deviation of rewards */
    bool knows_best;
    double best; /* the best mean reward, if it is known */
} balance_plan;

/* The numbers from which a learner's coefficient is revised, in the unit of coefficients. */
typedef struct balance_view {
    double heard, mean, radius; /* of the learner whose reward arrived */
    double sum;                 /* of its rewards, in their own unit */
    double low;                 /* the best mean reward, or the largest lower bound of all learners for it */
    double coefficient;         /* d_i so far */
    double smallest;            /* dmin */
} balance_view;

/* Reads options by their places in the list of parameters; NULL: the kind does not have it. */
posse_error balance_read(const posse_setup *setup, const posse_option *confidence_, const posse_option *delta,
                         const posse_option *dmin, const posse_option *best, size_t size, void **out);
posse_error balance_prepare(const posse_setup *setup, void **out);
size_t balance_state_size(const void *plan);
void balance_start(const void *plan, void *state);
bool balance_sane(const void *plan, const void *state);
void balance_admit(const void *plan, void *state, int learner);
void balance_retire(const void *plan, void *state, int learner);
int balance_choose(const void *plan, void *state, posse_draw *draw, posse_draw *ties, double *probability);
void balance_played(const void *plan, void *state, int learner, int arm, const double *point);
void balance_adopt(const void *plan, void *state, const void *smaller_plan, const void *smaller_state);
void balance_potentials(const void *plan, const void *state, int learners, double *out);

/*
 * Adds a reward to its learner's earnings and to the unit. Returns false, and does nothing, if the learner has retired.
 * *v describes that learner.
 */
bool balance_hear(const balance_plan *p, void *state, const posse_outcome *o, balance_view *v);

/* Raises phi_i to `potential`, for kinds without coefficients. */
void balance_raise(const balance_plan *p, void *state, int learner, double potential);

/* revise returns the new d_i. */
void balance_learn(const void *plan, void *state, const posse_outcome *o, double (*revise)(const balance_view *v));

/* The revision of d3rb and bd3rb: d_i doubles if it cannot explain how far the learner stays below `low`. */
double balance_double(const balance_view *v);

/* The table of a kind that revises coefficients. */
#define BALANCE_OPS(name_, help_, params_, prepare_, learn_)                                                           \
    {                                                                                                                  \
        .kind = {.version = POSSE_EXTENSION_VERSION,                                                                   \
                 .name = name_,                                                                                        \
                 .help = help_,                                                                                        \
                 .params = params_,                                                                                    \
                 .prepare = prepare_,                                                                                  \
                 .state_size = balance_state_size,                                                                     \
                 .start = balance_start,                                                                               \
                 .sane = balance_sane,                                                                                 \
                 .grow = balance_adopt},                                                                               \
        .admit = balance_admit, .retire = balance_retire, .choose = balance_choose, .played = balance_played,          \
        .learn = learn_, .adopt = balance_adopt, .potentials = balance_potentials,                                     \
    }

#endif

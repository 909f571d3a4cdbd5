/* SPDX-License-Identifier: MIT */
/*
 * Parameters, which a kind declares once. The functions here check the options of a part against the declarations and
 * fill in defaults.
 */
#ifndef POSSE_MODEL_PARAMETER_H
#define POSSE_MODEL_PARAMETER_H

#include "base/complain.h"
#include "posse_kinds.h"

/* How deep parts may be nested. A mixture of mixtures of mixtures is possible; a deeper part is probably circular. */
#define PART_DEPTH_MAX 4

/* Bounds of numbers, so far from the ends of a double's range that no sum, product or square of them overflows. */
#define REAL_MAX 1e100
#define SCALE_MIN 1e-50
#define SCALE_MAX 1e50

/* Linear models add noise^2 to x^T x / precision. The bounds keep either term from being lost to rounding. */
#define PRECISION_MIN 1e-12
#define PRECISION_MAX 1e12
#define LINEAR_NOISE_MIN 1e-6
#define LINEAR_NOISE_MAX 1e6
#define LINEAR_DRIFT_MAX 1e6

/* Bounds of the shape and the rate of a gamma prior of means. */
#define GAMMA_MIN 1e-6
#define GAMMA_MAX 1e15

/*
 * Bounds and defaults of the shape and scale of an unknown noise. Below UNKNOWN_SHAPE_MIN a drawn noise could overflow.
 * With the defaults, noise^2 has mean 2.
 */
#define UNKNOWN_SHAPE_MIN 0.1
#define UNKNOWN_SHAPE_MAX 1e12
#define UNKNOWN_SCALE_MIN 1e-100
#define UNKNOWN_SCALE_MAX 1e100
#define UNKNOWN_SHAPE 2.0
#define UNKNOWN_SCALE 2.0

/* Declarations that several kinds share. */
#define PARAMETER_PRIOR_MEAN(name_)                                                                                    \
    {                                                                                                                  \
        .name = name_, .type = POSSE_TYPE_REALS, .fallback = 0.0, .low = -REAL_MAX, .high = REAL_MAX,                  \
        .help = "prior mean of an arm's mean reward: one for all arms, or a list"                                      \
    }
#define PARAMETER_NOISE(flags_, low_, high_)                                                                           \
    {                                                                                                                  \
        .name = "noise", .type = POSSE_TYPE_REAL, .flags = flags_, .fallback = 1.0, .low = low_, .high = high_,        \
        .help = "standard deviation of a reward around its arm's mean"                                                 \
    }
#define PARAMETER_NOISE_OR(low_, high_)                                                                                \
    {                                                                                                                  \
        .name = "noise", .type = POSSE_TYPE_REAL, .fallback = 1.0, .low = low_, .high = high_, .excludes = "noise.",   \
        .help = "standard deviation of a reward around its mean, if it is known"                                       \
    }
/* An unknown noise instead of a number: 1 / noise^2 ~ Gamma(shape, scale). The two parameters follow each other. */
#define PARAMETERS_UNKNOWN_NOISE                                                                                       \
    {.name = "noise.shape",                                                                                            \
     .type = POSSE_TYPE_REAL,                                                                                          \
     .flags = POSSE_PARAM_OPTIONAL,                                                                                    \
     .low = UNKNOWN_SHAPE_MIN,                                                                                         \
     .high = UNKNOWN_SHAPE_MAX,                                                                                        \
     .help = "if the noise is unknown: 1 / noise^2 ~ Gamma(shape, scale); 2 if only scale is given"},                  \
    {                                                                                                                  \
        .name = "noise.scale", .type = POSSE_TYPE_REAL, .flags = POSSE_PARAM_OPTIONAL, .low = UNKNOWN_SCALE_MIN,       \
        .high = UNKNOWN_SCALE_MAX,                                                                                     \
        .help = "rate of that Gamma: noise^2 has mean scale / (shape - 1); 2 if only shape is given"                   \
    }
#define PARAMETER_DRIFT(whose_, high_)                                                                                 \
    {                                                                                                                  \
        .name = "drift", .type = POSSE_TYPE_REAL, .fallback = 0.0, .low = 0.0, .high = high_,                          \
        .help = "standard deviation of " whose_ " step from one round to the next; 0: no drift"                        \
    }
#define PARAMETER_PRECISION(name_, flags_, help_)                                                                      \
    {                                                                                                                  \
        .name = name_, .type = POSSE_TYPE_REAL, .flags = flags_, .fallback = 1.0, .low = PRECISION_MIN,                \
        .high = PRECISION_MAX, .help = help_                                                                           \
    }
#define PARAMETER_MODEL                                                                                                \
    {                                                                                                                  \
        .name = "model", .type = POSSE_TYPE_WORD, .flags = POSSE_PARAM_OPTIONAL, .words = "joint|disjoint",            \
        .help = "in contexts: weights that all arms share, or weights for each arm; default joint if arms have "       \
                "features of their own"                                                                                \
    }
#define PARAMETER_BIAS(flags_)                                                                                         \
    {                                                                                                                  \
        .name = "bias", .type = POSSE_TYPE_REAL, .flags = flags_, .fallback = 0.0, .low = -1e6, .high = 1e6,           \
        .help = "added to the linear score before the sigmoid"                                                         \
    }
#define PARAMETER_BELIEF                                                                                               \
    { .name = "belief", .type = POSSE_TYPE_PART, .help = "the belief about the arms before any reward" }

/* Declared lists end with this. */
#define PARAMETERS_END                                                                                                 \
    { .name = NULL }

/* Whether declarations make sense: each has a type, and a default within its range. */
bool parameters_are_declared(const posse_param *params);

/* The number of parameters in a list, which may be NULL. */
int parameters_count(const posse_param *params);

/* The parameter with that name in a list, which may be NULL. NULL: there is none. */
const posse_param *parameters_find(const posse_param *params, const char *name);

/* Whether a kind's declarations of its family's parameters differ from the family's only in default and help. */
bool parameters_agree(const posse_param *own, const posse_param *common);

/* The number in a parameter's range that is nearest to x. */
double parameter_nearest(const posse_param *p, double x);

/* A list of parameters and their settings, in the same order. The setting of an absent parameter has no key. */
typedef struct resolution {
    const posse_param *params;
    posse_option settings[POSSE_OPTIONS_MAX];
} resolution;

/*
 * Resolves the options of a part into `own` (the kind's parameters) and `common` (those of its family). If a kind
 * declares a parameter of its family again, its default is used in both. Every problem is written to the log. Inherited
 * defaults come from prior, which may be NULL.
 */
posse_error parameters_resolve(const posse_part *part, const posse_part *prior, const posse_logger *log,
                               const posse_place *where, resolution *own, resolution *common);

/* Whether a parameter cannot be given together with the one of that name: `means` excludes `prior.mean`. */
bool parameter_excludes(const posse_param *p, const char *name);

/* Whether the default of a parameter is that of a prior, which may be NULL, because the prior has a number for it. */
bool parameter_is_inherited(const posse_param *p, const posse_part *prior);

/* Whether a setting is absent, or equals the parameter's default. prior: where inherited defaults come from, or NULL.
 */
bool parameter_is_default(const posse_param *p, const posse_part *prior, const posse_option *setting);

/*
 * Whether an option that was given to a part excludes the parameter of that name, which must be in the list, or is
 * excluded by it.
 */
bool parameters_exclude(const posse_param *params, const posse_part *part, const char *name);

#endif

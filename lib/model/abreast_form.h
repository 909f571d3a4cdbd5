/* SPDX-License-Identifier: MIT */
/*
 * How a part is played abreast (abreast/), many runs in lockstep. The table of its kind points to this one
 * (posse_kind.reserved). A kind fills in the members of its family and leaves the others NULL.
 */
#ifndef POSSE_MODEL_ABREAST_FORM_H
#define POSSE_MODEL_ABREAST_FORM_H

#include <math.h>

#include "posse_extend.h"

/* The prior of an arm: precision is 1 / sd^2, and weighted_sum is precision times mean. */
typedef struct abreast_start {
    double mean, sd, precision, weighted_sum;
} abreast_start;

typedef struct abreast_form {
    /* All families: whether runs with this plan can be played abreast. NULL: they can with every plan. */
    bool (*fits)(const void *plan);
    /* All families: they can in the threads of a device (abreast/device/), but not in the lanes of a processor. */
    bool device_only;

    /* Beliefs in independent normal means: what each arm starts from, and 1 / noise^2. */
    abreast_start (*start)(const void *plan, int arm);
    double (*noise_precision)(const void *plan);

    /* Learners and selectors that draw a world: the belief that they draw it from. */
    const posse_belief *(*belief)(const void *plan);

    /* Learners that play the largest mean + radius / sqrt(count): the radius after `learned` rewards. */
    double (*radius)(const void *plan, double learned);

    /* Learners that always play the same arm. */
    int (*arm)(const void *plan);

    /* Environments with normal rewards: the means, or their prior means, and the standard deviation of the noise. */
    const double *(*means)(const void *plan);
    double (*noise)(const void *plan);
} abreast_form;

/* The form of a kind on a device, or NULL: runs with this plan cannot be played there. */
static inline const abreast_form *abreast_form_on_device(const posse_kind *kind, const void *plan) {
    const abreast_form *form = kind->reserved;
    return form == NULL || (form->fits != NULL && !form->fits(plan)) ? NULL : form;
}

/* The form of a kind in the lanes of a processor, or NULL: runs with this plan are played one by one. */
static inline const abreast_form *abreast_form_of(const posse_kind *kind, const void *plan) {
    const abreast_form *form = abreast_form_on_device(kind, plan);
    return form == NULL || form->device_only ? NULL : form;
}

/* Whether the rewards of an environment need no check: with these means, and any sd and noise that are allowed, they
   are below REAL_MAX. */
static inline bool abreast_form_is_moderate(const abreast_form *form, const void *plan, int arms) {
    const double most = 1e90, *means = form->means(plan);
    for (int a = 0; a < arms; a++)
        if (!(fabs(means[a]) <= most)) return false;
    return true;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Calibration: how well a belief predicts the first rewards. In contexts, the calibration of its belief decides whether
 * B-MS asks all learners (bms_in_contexts.c). Before reward r is learned, the belief has a mean m and a variance v of
 * the arm's mean reward, and a log density l of rewards. Three numbers of each reward are summed:
 *
 *     misfit = 2 (l(m) - l(r)),    spread = exp(-2 l(m)) / (2 pi),    signal = v.
 *
 * If the density is normal, the spread is the predicted variance of the reward, and the misfit is the squared error
 * divided by it. The signal is the part of the spread that more rewards would remove; the rest is noise. If the belief
 * is right, the mean misfit is near 1. It is smaller if the belief expects too much noise or too wide weights, and
 * larger if it expects too little.
 */
#ifndef POSSE_SELECTOR_CALIBRATION_H
#define POSSE_SELECTOR_CALIBRATION_H

#include "belief/belief.h"

/* Numbers of a state, which start as 0. */
typedef struct calibration {
    double rewards, misfit, spread, signal;
} calibration;
enum { CALIBRATION_NUMBERS = 4 };

/* Adds a reward that the belief is about to learn. The belief has moments. */
void calibration_add(calibration *c, const posse_belief *b, const void *state, int arm, const double *point,
                     double reward);

/*
 * Whether learners should be judged by what they would play. It is so if the belief expects far more than there is, or
 * if it is right that noise is most of a reward. Plays then say little, and asking loses nothing (docs/bakeoff.md).
 */
bool calibration_favours_asking(const calibration *c);

/* Whether calibration_add could have made these numbers of at most `most` rewards. */
bool calibration_sane(const calibration *c, double most);

#endif

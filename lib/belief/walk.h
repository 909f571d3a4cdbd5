/* SPDX-License-Identifier: MIT */
/*
 * Independent normal means that walk: the mean of an arm in the first round is N(mean_a, sd_a^2), and from each round
 * to the next it makes a normal step of standard deviation `drift`, whether the arm is played or not. The posterior is
 * a Kalman filter for each arm. With t the round, m_a and v_a mean and variance after the latest reward of arm a, and
 * t_a the round of that reward, arm a is now N(m_a, v_a + drift^2 (t - t_a)), and a reward r of it gives
 *
 *     v = v_a + drift^2 (t - t_a),   m_a += (r - m_a) v / (v + noise^2),   v_a = v noise^2 / (v + noise^2),   t_a = t
 *
 * and after that t grows by one. So a reward changes the numbers of its own arm alone. Reference: Kalman, A new
 * approach to linear filtering and prediction problems (1960).
 */
#ifndef POSSE_BELIEF_WALK_H
#define POSSE_BELIEF_WALK_H

#include "posse_extend.h"

typedef struct walk {
    int arms;
    double step;  /* drift^2 */
    double noise; /* the variance of a reward */
    const double *mean, *sd;
} walk;

/* The state is the round, then the means, variances and rounds of all arms, each in an array of its own. */
size_t walk_size(const walk *w);
void walk_start(const walk *w, double *state);
bool walk_sane(const walk *w, const double *state);
/* Added arms have their prior in the present round. */
void walk_grow(const walk *w, double *state, const walk *former, const double *former_state);
void walk_update(const walk *w, double *state, int arm, double reward);
void walk_draw(const walk *w, const double *state, posse_draw *draw, double *world);

/* The means of all arms, and the variance of an arm in the present round. */
const double *walk_means(const double *state);
double walk_variance(const walk *w, const double *state, int arm);

#endif

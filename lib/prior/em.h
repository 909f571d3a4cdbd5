/* SPDX-License-Identifier: MIT */
/*
 * EM for a mixture of joint normal distributions of the arms' means, from means that are known, missing, or known up to
 * noise (Dempster, Laird and Rubin 1977; the E step with missing cells as in Ghahramani and Jordan 1994). With y the
 * values of a row, O the arms that have one, D the diagonal of noise^2 / count (0 where the means are known):
 *
 *     p_c(y) = N(y; m_O, S_OO + D),   share_c = weight_c p_c(y) / sum,   G = S_:O (S_OO + D)^-1
 *     theta | y, c ~ N(m + G (y - m_O), S - G S_O:)
 *
 * Each component has one additional row, whose covariance is V. With one component, V has the arms' variances and no
 * correlations. With several, V is the covariance that was found for one, so that directions in which rows hardly
 * differ stay narrow. So no covariance is singular, however few the rows, and EM maximises
 *
 *     sum over rows of log sum_c weight_c p_c(y) + sum_c (log weight_c - (log det S_c + trace(V S_c^-1)) / 2)
 */
#ifndef POSSE_PRIOR_EM_H
#define POSSE_PRIOR_EM_H

#include "prior/samples.h"
#include "random/stream.h"

/* Normal distributions with weights that sum to 1. */
typedef struct normals {
    int count, arms;
    double *weights;
    double *means;       /* count x arms */
    double *covariances; /* count x arms x arms */
    double noise;        /* the variance of a reward, where there are plays; else 0 */
    double likelihood;   /* log-likelihood of all rows */
    double objective;    /* what EM maximises */
} normals;

/* Whether EM estimates the noise, and when it ends. */
typedef struct em_course {
    bool noise_known;
    int steps_max;
    double enough; /* EM ends after a step that gains less than this for each row */
} em_course;

/* Working memory of EM over the rows of `s`, with at most count_max components. */
typedef struct em em;
posse_error em_make(const samples *s, int count_max, arena *memory, em **out);

posse_error normals_make(int count, int arms, arena *memory, normals *out);
void normals_copy(const normals *from, normals *to);

/* One component with the means and variances of the rows, from which EM for one component starts. */
void em_start_single(em *e, double noise, normals *out);

/*
 * Starts with `out->count` clusters of rows. k-means finds them, from centres that are drawn far from each other. Means
 * that are missing or noisy are replaced by their expectations under `single`, the result of EM for one component.
 */
void em_start(em *e, const normals *single, posse_draw *draw, normals *out);

/* Runs EM. Returns the number of steps, and sets likelihood and objective to those of the result. */
int em_climb(em *e, const em_course *course, normals *n);

/* The mean log-likelihood of the rows of `s`, which may be other rows than those that were fitted. */
double em_score(em *e, const samples *s, const normals *n);

/* The expected means of a row, some of which are missing or noisy. */
void em_complete(em *e, const normals *n, size_t row, double *means);

#endif

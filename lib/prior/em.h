/* SPDX-License-Identifier: MIT */
/*
 * EM for a mixture of joint normal distributions of the arms' means, from means that are known, missing, or known up to
 * noise (Dempster, Laird and Rubin 1977; the E step with missing cells as in Ghahramani and Jordan 1994). With y the
 * values of a row, O the arms that have one, D the diagonal of noise^2 / count (0 where the means are known):
 *
 *     p_c(y) = N(y; m_O, S_OO + D),   share_c = weight_c p_c(y) / sum,   G = S_:O (S_OO + D)^-1
 *     theta | y, c ~ N(m + G (y - m_O), S - G S_O:)
 *
 * Each component counts for one row more than it has, and the covariance of that row is V: with one component the arms'
 * variances, uncorrelated; with several what is found for one, so that directions in which rows hardly differ stay
 * narrow. So no covariance is singular, however few the rows, and what EM climbs is
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
    double objective;    /* what EM climbs */
} normals;

/* How EM goes on. */
typedef struct em_course {
    bool noise_known;
    int steps_max;
    double enough; /* it ends where a step gains less than this for each row */
} em_course;

/* Room for the work of EM over rows of so many arms. */
typedef struct em em;
posse_error em_make(const samples *s, int count_max, arena *memory, em **out);

posse_error normals_make(int count, int arms, arena *memory, normals *out);
void normals_copy(const normals *from, normals *to);

/* One component of the rows' means and variances: where EM for one begins. */
void em_start_single(em *e, double noise, normals *out);

/* Begins with `out->count` clusters of rows, which k-means finds from rows that are drawn far from each other. Rows
 * that are not complete are completed by what `single`, EM's result for one component, expects. */
void em_start(em *e, const normals *single, posse_draw *draw, normals *out);

/* Climbs. Returns the number of steps, and sets likelihood and objective to those of what it ends with. */
int em_climb(em *e, const em_course *course, normals *n);

/* The mean log-likelihood of other rows, those of `s`. */
double em_score(em *e, const samples *s, const normals *n);

/* What is expected of the means of a row, of which some are missing or noisy. */
void em_complete(em *e, const normals *n, size_t row, double *means);

#endif

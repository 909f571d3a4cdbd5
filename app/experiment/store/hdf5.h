/* SPDX-License-Identifier: MIT */
/*
 * results.h5: every run, in a format that NumPy, R, Julia and MATLAB can open. Runs are written block by block as
 * they finish, so memory does not grow with them.
 *
 *     competitors, roles, kinds (C)   learners (M)   rounds (P)   experiment: the file's text
 *     teams                           (S x M)        the learners a selector plays, in its order, then -1
 *     final_regret, final_optimal     (C x R)        at T, and the share of optimal rounds in the last tenth
 *     learner_plays, learner_regret, learner_coefficient (S x R x M); NaN where a selector does not play a learner
 *     clipped                         (S x R)        rewards outside a selector's range; NaN: it has none. Only if some
 *                                                    selector has one
 *     regret_curve, optimal_curve     (C x N x P)    of the first N = attribute `curve_runs` runs
 *     choices                         (S x N x P)    the learner chosen, by its place in `learners`
 *     summary/regret, regret_ci95, optimal_rate, optimal_ci95 (C)
 *     guarantee/d_star_largest, d_star_95 (S)
 *     attributes: posse, name, title, seed, runs, rounds, block (runs per block), curve_runs, hash
 *
 * If a run has several tasks, there are also task_regret (C x R x tasks) and the attribute `tasks`. On a log,
 * final_value and effective_rounds (C x R), value_curve (C x N x P), and value, value_ci95 and effective_rounds in
 * `summary` replace everything about regret, optimal arms and guarantees.
 * The summary follows from the runs to the last digit by the rule of common/series.h, with blocks of `block` runs.
 */
#ifndef POSSE_EXPERIMENT_STORE_HDF5_H
#define POSSE_EXPERIMENT_STORE_HDF5_H

#include "experiment/record/block.h"
#include "experiment/record/results.h"

typedef struct hdf5_file hdf5_file;

/* Begins the file. NULL: it cannot be written, and errno has the reason if the system has set it. */
hdf5_file *hdf5_open(const char *path, const agenda *a);

/* Writes a block of runs. */
bool hdf5_take(hdf5_file *f, const block *b);

/* Writes the results, unless r is NULL, and closes the file. False: something could not be written, now or before. */
bool hdf5_close(hdf5_file *f, const results *r);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Vowpal Wabbit's text format of logged contextual bandits, in its two forms.
 *
 * An event of several lines (--cb_adf), ended by an empty line: features that hold for all actions, a line for each
 * action, and a label at the one that was played. Its arms are the lines, counted from 0.
 *
 *     shared |user age:0.3 new
 *     |item price:2
 *     0:-1:0.25 |item price:1 city:paris
 *
 * An event per line (--cb): actions count from 1, and are arms from 0. Actions without a cost are the other available
 * ones. If an event lists none, every action of the file was available.
 *
 *     2:0.5:0.25 | age:0.3
 *     1:0:0.5 3 | age:0.1 new
 *
 * A label is action:cost:probability, and the reward is -cost. In the first form the action of a label is ignored. A
 * file has the first form if a line has `shared` or no label.
 *
 * A feature is name, name:value or name:word, which is a feature of its own with value 1. Features of one name in
 * different namespaces differ; they are numbered as they first appear. The weight of a namespace multiplies its values.
 * If no event has a feature, all events have one that is 1.
 *
 * Reference: the pages "Input format" and "Logged Contextual Bandit Example" of Vowpal Wabbit's wiki.
 */
#ifndef POSSE_DATA_VW_H
#define POSSE_DATA_VW_H

#include "data/logbook.h"
#include "data/problem.h"

/*
 * Makes a log of a text, which is not kept. POSSE_ERROR_FIT: the text is wrong, and *problem has the place and the
 * reason.
 */
posse_error vw_read(const char *text, size_t length, arena *memory, logbook *out, data_problem *problem);

#endif

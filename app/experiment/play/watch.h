/* SPDX-License-Identifier: MIT */
/*
 * Watches the beliefs of selectors. Computing how strongly rewards contradict a belief (posse_surprise) costs more than
 * a round of play. So a few runs are played a second time, by selectors that compute it. They decide as they did the
 * first time, and only their surprise is recorded.
 */
#ifndef POSSE_EXPERIMENT_PLAY_WATCH_H
#define POSSE_EXPERIMENT_PLAY_WATCH_H

#include "experiment/record/results.h"

/* Fills in the surprise of every selector that can be watched, and its limit. That of the others stays NaN. */
void watch_beliefs(const agenda *a, results *out);

#endif

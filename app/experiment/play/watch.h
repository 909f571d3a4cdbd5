/* SPDX-License-Identifier: MIT */
/*
 * Watches the beliefs of selectors. To find out whether rewards speak against a belief (posse_surprise) costs more than
 * a round of play, so a few runs are played a second time, by selectors that keep account of it. They decide as they
 * did the first time, and nothing else of what they do is written down.
 */
#ifndef POSSE_EXPERIMENT_PLAY_WATCH_H
#define POSSE_EXPERIMENT_PLAY_WATCH_H

#include "experiment/record/results.h"

/* Fills in the surprise of every selector that can be watched; that of the others is NaN. */
void watch_beliefs(const agenda *a, results *out);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Scenes: small experiments made by hand, one of each shape that the runner and the result files must support.
 */
#ifndef SCENES_H
#define SCENES_H

#include "experiment/record/agenda.h"
#include "experiment/record/results.h"

/* The number of scenes, and each of them. A scene lives as long as the program and must not be changed. */
int scene_count(void);
const experiment *scene(int index);
const experiment *scene_named(const char *name);

/*
 * Completes an experiment made by hand, or one whose parts or environment were changed: it then has its own parts with
 * their defaults filled in, as if it had been read. They live as long as the program.
 */
void scene_settle(experiment *e);

/* Teams for the largest number of selectors of a scene. Each has the first `learners` learners. */
selector_team *scene_teams(int learners);

/* Runs an experiment with this number of threads; the test fails if that fails. Free the results and the agenda. */
results *scene_run(const experiment *e, int threads, agenda **a);

#endif

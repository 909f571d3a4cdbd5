/* SPDX-License-Identifier: MIT */
/*
 * Scenes: small experiments made by hand, one of each shape that the runner and the result files have to cope with.
 */
#ifndef SCENES_H
#define SCENES_H

#include "experiment/record/agenda.h"
#include "experiment/record/results.h"

/* How many there are, and each of them; it lives as long as the program and must not be changed. */
int scene_count(void);
const experiment *scene(int index);
const experiment *scene_named(const char *name);

/*
 * Completes an experiment made by hand, or one whose parts or environment were changed: from here on it has parts of
 * its own with their defaults filled in, as if it had been read. They live as long as the program.
 */
void scene_settle(experiment *e);

/* Teams of as many selectors as a scene may have, each of the first so many learners. */
selector_team *scene_teams(int learners);

/* Runs an experiment with so many threads; the law fails if that does not go well. Free both. */
results *scene_run(const experiment *e, int threads, agenda **a);

#endif

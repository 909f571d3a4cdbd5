/* SPDX-License-Identifier: MIT */
#include "experiment/play/watch.h"

#include <math.h>
#include <stdlib.h>

#include "experiment/play/player.h"
#include "posse_inside.h"
#include "posse_kinds.h"

/*
 * Bounds that keep watching cheap: a run that is played a second time takes as long as some ten or twenty runs that are
 * played abreast. Few runs are enough, because a wrong belief shows in every run, and the sooner the more it matters.
 */
#define WATCHED_ROUNDS 10000
#define WATCHED_RUNS 10
#define WATCHED_SHARE 100 /* one run of this many is watched */

static uint32_t runs_to_watch(uint32_t runs) {
    uint32_t share = (runs - 1) / WATCHED_SHARE + 1;
    return share < WATCHED_RUNS ? share : WATCHED_RUNS;
}

/* The selector with its option `watch` set. A selector without that option then cannot be created. */
static posse_part watch_part(const posse_part *selector) {
    posse_part part = *selector;
    int i = 0;
    const posse_option *given = posse_part_option(selector, "watch");
    if (given != NULL) i = (int)(given - selector->options);
    while (given == NULL && i < POSSE_OPTIONS_MAX - 1 && part.options[i].key != NULL) i++;
    part.options[i] = (posse_option){.key = "watch", .number = 1.0};
    return part;
}

/* The surprise of a posse at the end of a run; NaN: it has none. */
static double watch_run(posse *p, posse_environment *e, uint32_t run, uint64_t rounds) {
    double surprise;
    posse_environment_begin(e, run);
    bool ok = posse_restart(p, run) == POSSE_OK && posse_play(p, e, rounds, NULL) == POSSE_OK &&
              posse_surprise(p, &surprise) == POSSE_OK;
    return ok ? surprise : NAN;
}

static void watch_selector(const agenda *a, int s, posse_environment *e, posse_part *team, results *out) {
    posse_part selector = watch_part(&a->experiment->selectors[s]);
    posse *p = NULL;
    double sum = 0.0;
    if (player_posse(a, e, s, &selector, team, &p) != POSSE_OK) return;
    for (uint32_t run = 0; run < out->watched_runs; run++) sum += watch_run(p, e, run, out->watched_rounds);
    out->surprise[s] = sum / out->watched_runs;
    out->surprise_limit[s] = posse_surprise_limit(p, out->watched_runs);
    posse_free(p);
}

/* The environment has no log, because selectors that cannot be watched are no problem of the experiment. */
void watch_beliefs(const agenda *a, results *out) {
    const experiment *x = a->experiment;
    posse_environment *e = NULL;
    posse_part *team = malloc((size_t)a->learners * sizeof *team);
    bool ok = team != NULL && posse_environment_create(&x->environment, x->seed, NULL, &e) == POSSE_OK;
    out->watched_runs = runs_to_watch(x->runs);
    out->watched_rounds = a->task_rounds < WATCHED_ROUNDS ? a->task_rounds : WATCHED_ROUNDS;
    for (int s = 0; ok && s < a->selectors; s++) watch_selector(a, s, e, team, out);
    posse_environment_free(e);
    free(team);
}

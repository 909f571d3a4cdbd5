/* SPDX-License-Identifier: MIT */
#include "experiment/play/log_run.h"

#include <stdlib.h>

#include "experiment/play/player.h"
#include "posse_inside.h"
#include "posse_kinds.h"

/* A log is of use only if the probability of each arm that was played is known. */
static const char *refuse_propensity(const agenda *a) {
    if (a->logged) return "the environment is a log already";
    if (a->selectors == 0) return "a log needs probabilities, and only a selector has a floor that makes them known";
    const posse_option *floor = posse_part_option(&a->experiment->selectors[0], "floor");
    if (floor != NULL && floor->number > 0.0) return NULL;
    return "a log needs the probability of each arm, which is known only with a floor: give the first selector floor: "
           "0.1 or so";
}

static const char *play_round(posse *p, posse_environment *e, bool brings, log_writer *w) {
    posse_context context;
    posse_decision d;
    const char *problem = NULL;
    posse_error error = brings ? posse_environment_round(e, &context) : POSSE_OK;
    if (error == POSSE_OK) error = posse_decide(p, brings ? &context : NULL, &d);
    if (error != POSSE_OK) return posse_error_text(error);
    double reward = posse_environment_reward(e, &d);
    if (d.probe) return "the first selector names arms itself, with a probability that is not known";
    if (!log_writer_put(w, brings ? &context : NULL, &d, reward, &problem)) return problem;
    error = posse_learn(p, d.id, reward);
    return error == POSSE_OK ? NULL : posse_error_text(error);
}

static const char *log_run_play(const agenda *a, posse *p, posse_environment *e, log_writer *w,
                                const volatile sig_atomic_t *stop) {
    const char *problem = NULL;
    posse_environment_begin(e, 0);
    posse_error error = posse_restart(p, 0);
    if (error != POSSE_OK) return posse_error_text(error);
    for (uint64_t round = 0; round < a->experiment->rounds && problem == NULL; round++) {
        if (round > 0 && round % a->task_rounds == 0) {
            error = posse_environment_next_task(e);
            if (error == POSSE_OK) error = posse_next_task(p);
            if (error != POSSE_OK) return posse_error_text(error);
        }
        problem = play_round(p, e, posse_feature_count(p) > 0, w);
        if (stop != NULL && *stop != 0) problem = "it was stopped before its end";
    }
    return problem;
}

const char *log_run(const agenda *a, FILE *out, log_form form, const posse_logger *log,
                    const volatile sig_atomic_t *stop) {
    const experiment *x = a->experiment;
    const char *problem = refuse_propensity(a);
    if (problem != NULL) return problem;
    posse_host host = {.log = *log};
    posse_environment *e = NULL;
    posse *p = NULL;
    posse_part *team = malloc((size_t)a->learners * sizeof *team);
    posse_error error = team != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
    if (error == POSSE_OK) error = posse_environment_create(&x->environment, x->seed, &host, &e);
    if (error == POSSE_OK) error = player_posse(a, e, 0, &x->selectors[0], team, &p);
    if (error != POSSE_OK) problem = posse_error_text(error);
    posse_def def = posse_environment_def(e);
    log_writer w;
    if (problem == NULL && log_writer_open(&w, out, form, &def, &problem)) problem = log_run_play(a, p, e, &w, stop);
    posse_free(p);
    posse_environment_free(e);
    free(team);
    return problem;
}

/* SPDX-License-Identifier: MIT */
#include "object/forecast.h"

#include <string.h>

#include "object/modes.h"

/* With fewer rounds, estimates one by one are as fast. */
#define ROUNDS_LEAST 4

/* The most numbers of estimates that a forecast takes, of 8 bytes each. */
#define FORECAST_NUMBERS_MAX ((size_t)1 << 20)

/* ------------------------------------------------ which models ------------------------------------------------- */

static bool forecast_knows(const member *m) {
    return m->active && !m->external && m->ops->act_by != NULL && m->ops->estimate != NULL;
}

/* Whether every model is asked in every round: all learners are asked, or the one that is asked has the only model. */
static bool forecast_is_used(const posse *p) {
    if (p->selector.picks != NULL) return true;
    const member *first = NULL;
    bool same = true;
    for (int i = 0; i < p->count && same; i++) {
        const member *m = &p->members[i];
        if (!m->active) continue;
        if (first == NULL) first = m;
        same = !m->external && m->state == first->state;
    }
    return same;
}

/* Features by name are read one by one, because their scales may learn, and rows of sparse features have slots. */
static bool forecast_suits(const posse *p) {
    bool learns = p->expiry.after > 0 && p->expire_learns; /* in the middle of the batch */
    bool paused = p->modes != NULL && p->modes->set.paused;
    bool reads = space_has_contexts(p->space) && !space_is_sparse(p->space) && !p->space->episodes;
    return reads && !learns && !paused && forecast_is_used(p);
}

static int forecast_find(const forecast *f, const posse *p, int learner) {
    int k = 0;
    while (k < f->model_count && p->members[f->models[k].learner].state != p->members[learner].state) k++;
    return k;
}

static posse_error forecast_make_models(forecast *f, const posse *p, size_t arms) {
    size_t numbers = arms * POSSE_ROUNDS_ABREAST;
    f->models = arena_allocate(&f->memory, (size_t)p->count * sizeof *f->models);
    f->model_of = arena_allocate(&f->memory, (size_t)p->count * sizeof *f->model_of);
    if (f->models == NULL || f->model_of == NULL) return POSSE_ERROR_MEMORY;
    for (int i = 0; i < p->count; i++) {
        int k = forecast_knows(&p->members[i]) ? forecast_find(f, p, i) : -1;
        f->model_of[i] = k;
        if (k < f->model_count) continue;
        double *room = arena_allocate(&f->memory, 2 * numbers * sizeof *room);
        if (room == NULL) return POSSE_ERROR_MEMORY;
        posse_estimates none = {.means = room, .deviations = room + numbers, .stride = POSSE_ROUNDS_ABREAST};
        f->models[f->model_count++] = (forecast_model){i, none, none};
    }
    return POSSE_OK;
}

static posse_error forecast_make_room(forecast *f, const posse *p) {
    size_t numbers = 2 * ((size_t)p->space->features + 8) * POSSE_ROUNDS_ABREAST;
    f->room = arena_allocate(&f->memory, numbers * sizeof *f->room);
    return f->room != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

void forecast_open(forecast *f, posse *p, size_t count) {
    size_t arms = (size_t)p->space->arms, most = (size_t)p->count * arms;
    *f = (forecast){.memory = {.allocator = p->host.allocator}};
    if (count < ROUNDS_LEAST || most > FORECAST_NUMBERS_MAX / POSSE_ROUNDS_ABREAST / 2 || !forecast_suits(p)) return;
    posse_error error = forecast_make_models(f, p, arms);
    if (error == POSSE_OK && f->model_count > 0) error = forecast_make_room(f, p);
    if (error != POSSE_OK || f->model_count == 0)
        f->models = NULL;
    else
        p->forecast = f;
}

void forecast_close(forecast *f, posse *p) {
    if (object_forecast(p) == f) p->forecast = NULL;
    arena_release(&f->memory);
}

/* -------------------------------------------------- reading ---------------------------------------------------- */

static bool forecast_has_same_arms(const posse_round *a, const posse_round *b) {
    return a->count == b->count &&
           (a->arms == b->arms || memcmp(a->arms, b->arms, (size_t)a->count * sizeof *a->arms) == 0);
}

/*
 * Features that the posse has put together, from those of the arm and of all arms or from pairs, would be overwritten
 * by the next round. False: there is no memory for them.
 */
static bool forecast_keep(forecast *f, const posse *p, int at) {
    posse_round *round = &f->rounds[at];
    size_t most = (size_t)(round->stride > 0 ? p->space->arms : 1) * (size_t)round->width;
    size_t used = (size_t)(round->stride > 0 ? round->count : 1) * (size_t)round->width;
    if (round->features != p->features) return true;
    if (f->features == NULL)
        f->features = arena_allocate(&f->memory, most * POSSE_ROUNDS_ABREAST * sizeof *f->features);
    if (f->features == NULL) return false;
    round->features = memcpy(f->features + (size_t)at * most, round->features, used * sizeof *f->features);
    return true;
}

static void forecast_estimate(forecast *f, const posse *p) {
    f->estimated = f->count >= ROUNDS_LEAST;
    for (int k = 0; k < f->model_count; k++) f->models[k].all.has_means = f->models[k].all.has_deviations = false;
    for (int i = 0; i < p->count && f->estimated; i++) {
        const member *m = &p->members[i];
        if (f->model_of[i] < 0) continue;
        posse_estimates *all = &f->models[f->model_of[i]].all;
        if (!all->has_deviations) m->ops->estimate(m->part.plan, m->state, f->rounds, f->count, f->room, all);
    }
}

/* The context that does not fit is read again when it is decided, and the log gets the reason then. */
int forecast_read(forecast *f, posse *p, const posse_context *contexts, size_t count) {
    posse_logger log = p->host.log;
    f->count = 0;
    f->estimated = false;
    if (f->models == NULL || contexts == NULL) return 0;
    p->host.log = (posse_logger){0};
    while (f->count < POSSE_ROUNDS_ABREAST && (size_t)f->count < count && contexts[f->count].named == NULL) {
        posse_round *round = &f->rounds[f->count];
        if (context_to_round(p, &contexts[f->count], round) != POSSE_OK) break;
        if (f->count > 0 && !forecast_has_same_arms(round, f->rounds)) break;
        if (!forecast_keep(f, p, f->count)) break;
        f->count++;
    }
    p->host.log = log;
    if (f->count > 0) forecast_estimate(f, p);
    return f->count;
}

void forecast_turn_to(const forecast *f, int round) {
    for (int k = 0; k < f->model_count; k++) {
        forecast_model *m = &f->models[k];
        m->now = m->all;
        m->now.means += round;
        m->now.deviations += round;
    }
}

posse_estimates *forecast_of(const forecast *f, int place) {
    int k = f->estimated ? f->model_of[place] : -1;
    return k >= 0 ? &f->models[k].now : NULL;
}

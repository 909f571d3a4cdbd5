/* SPDX-License-Identifier: MIT */
#include "environment/environment.h"

#include <math.h>
#include <string.h>

#include "base/complain.h"
#include "model/registry.h"
#include "model/round.h"
#include "model/row.h"
#include "random/stream.h"

posse_reward_kind environment_pays_clicks(const posse_part *given) {
    (void)given;
    return POSSE_REWARDS_CLICKS;
}

posse_reward_kind environment_pays_unknown(const posse_part *given) {
    (void)given;
    return POSSE_REWARDS_UNKNOWN;
}

posse_error arms_prior_read(const posse_setup *setup, const posse_option *means, arms_prior *out) {
    const posse_option *settings = setup->settings;
    out->arms = (int)settings[0].number;
    if (means != NULL && means->key != NULL) return posse_setup_numbers(setup, means, out->arms, "arms", &out->fixed);
    posse_error error = posse_setup_numbers(setup, &settings[1], out->arms, "arms", &out->first);
    return error == POSSE_OK ? posse_setup_numbers(setup, &settings[2], out->arms, "arms", &out->second) : error;
}

posse_part arms_prior_part(const arms_prior *p, const char *kind, const char *first, const char *second) {
    if (p->fixed != NULL) return (posse_part){0};
    size_t count = (size_t)p->arms;
    return (posse_part){.kind = kind,
                        .options = {{.key = first, .list = p->first, .count = count},
                                    {.key = second, .list = p->second, .count = count}}};
}

size_t independent_size(int arms) {
    return sizeof(independent_arms) + (size_t)arms * sizeof(double);
}

void independent_finish(independent_arms *instance, int arms) {
    instance->best = instance->means[largest(instance->means, arms)];
}

double independent_regret(const void *plan, const void *instance_, int arm, const double *point) {
    (void)plan, (void)point;
    const independent_arms *instance = instance_;
    return instance->best - instance->means[arm];
}

void independent_means(const void *plan, const void *instance, const posse_space *space, double *out) {
    (void)plan;
    memcpy(out, ((const independent_arms *)instance)->means, (size_t)space->arms * sizeof *out);
}

/* Whether the arms of an environment are described as rounds with features, or rounds without, need it. */
static posse_error environment_check_arms(const posse_environment *e, const posse_arm_set *arms) {
    posse_place where = {NULL, "environment", -1};
    bool brings = e->ops->bring != NULL, no_points = arms->points == NULL && arms->arms > 0 && arms->dim > 0;
    if (brings && arms->points != NULL)
        complain(&e->host.log, &where, NULL, "kind \"%s\" has fixed points, and rounds with features",
                 e->ops->kind.name);
    else if (brings && (arms->arms == 0 || arms->dim == 0))
        complain(&e->host.log, &where, NULL, "kind \"%s\" has rounds with features, but no arms or no features",
                 e->ops->kind.name);
    else if (!brings && no_points)
        complain(&e->host.log, &where, NULL, "kind \"%s\" has arms of %d dimensions without points", e->ops->kind.name,
                 arms->dim);
    else
        return POSSE_OK;
    return POSSE_ERROR_FIT;
}

static bool environment_round_is_rising(const posse_environment *e) {
    const posse_round *r = &e->round;
    if (r->count < 1 || r->count > e->space->arms || r->arms == NULL) return false;
    for (int k = 0; k < r->count; k++)
        if (r->arms[k] < 0 || r->arms[k] >= e->space->arms || (k > 0 && r->arms[k] <= r->arms[k - 1])) return false;
    return true;
}

/* Whether a row has at most `nonzeros` pairs, whose indices rise. */
static bool row_fits(const posse_space *space, const double *numbers) {
    if (!(numbers[0] >= 0.0 && numbers[0] <= space->nonzeros)) return false;
    row x = row_of_sparse(numbers);
    for (int i = 0; i < x.count; i++) {
        double slot = x.pairs[2 * i];
        bool index =
            slot >= 0.0 && slot < space->features && slot == floor(slot) && (i == 0 || slot > x.pairs[2 * i - 2]);
        if (!index || !(fabs(row_value(x, i)) <= FEATURE_MAX)) return false;
    }
    return true;
}

static bool environment_rows_fit(const posse_environment *e) {
    const posse_round *r = &e->round;
    bool shares = e->space->shared_features > 0;
    if (r->width != space_row_numbers(e->space) || r->stride != (shares ? 0 : (size_t)r->width)) return false;
    if (r->features == NULL) return false;
    for (int k = 0; k < (shares ? 1 : r->count); k++)
        if (!row_fits(e->space, round_features(r, k))) return false;
    return true;
}

static bool environment_features_fit(const posse_environment *e) {
    const posse_round *r = &e->round;
    bool shares = e->space->shared_features > 0;
    if (space_is_sparse(e->space)) return environment_rows_fit(e);
    if (r->width != e->space->features || r->stride != (shares ? 0 : (size_t)r->width)) return false;
    if (r->width > 0 && r->features == NULL) return false;
    size_t numbers = (size_t)r->width * (shares ? 1 : (size_t)r->count);
    for (size_t i = 0; i < numbers; i++)
        if (!(fabs(r->features[i]) <= FEATURE_MAX)) return false;
    return true;
}

posse_error environment_check_round(const posse_environment *e) {
    posse_place where = {NULL, "environment", -1};
    if (!environment_round_is_rising(e))
        complain(&e->host.log, &where, NULL, "kind \"%s\" made a round whose arms are not rising, from 0 to %d",
                 e->ops->kind.name, e->space->arms - 1);
    else if (!environment_features_fit(e))
        complain(&e->host.log, &where, NULL, "kind \"%s\" made a round without %d features of at most %g for each arm",
                 e->ops->kind.name, e->space->features, FEATURE_MAX);
    else
        return POSSE_OK;
    return POSSE_ERROR_CONTEXT;
}

/* Room for a round as an application sees it. */
static posse_error reserve_sparse(posse_environment *e) {
    size_t rows = e->space->shared_features > 0 ? 1 : (size_t)e->space->arms, pairs = rows * (size_t)e->space->nonzeros;
    e->sparse = arena_allocate(&e->memory, rows * sizeof *e->sparse);
    e->indices = arena_allocate(&e->memory, pairs * sizeof *e->indices);
    e->values = arena_allocate(&e->memory, pairs * sizeof *e->values);
    return e->sparse != NULL && e->indices != NULL && e->values != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

static posse_error environment_make(posse_environment *e, const posse_part *description) {
    posse_place where = {NULL, "environment", -1};
    part_context context = {
        .surroundings = {.seed = e->seed}, .memory = &e->memory, .log = &e->host.log, .where = &where};
    posse_error error = part_make(&context, POSSE_FAMILY_ENVIRONMENT, description, &e->part);
    if (error != POSSE_OK) return error;
    e->recipe = part_keep_recipe(&e->memory, description);
    if (e->recipe == NULL) return POSSE_ERROR_MEMORY;
    e->ops = OPS_OF(posse_environment_ops, e->part.kind);
    posse_arm_set arms = e->ops->arms(e->part.plan);
    error = environment_check_arms(e, &arms);
    if (error != POSSE_OK) return error;
    e->prior = e->ops->prior(e->part.plan);
    e->built_in = registry_is_built_in(POSSE_FAMILY_ENVIRONMENT, e->ops->kind.name);
    bool brings = e->ops->bring != NULL;
    space_def def = {.arms = arms.arms, .dim = arms.dim, .points = arms.points, .episodes = e->ops->episode != NULL};
    if (brings && e->ops->shares != NULL && e->ops->shares(e->part.plan)) {
        def.context = arms.dim;
        def.dim = 0;
    }
    if (brings && e->ops->nonzeros != NULL) def.nonzeros = e->ops->nonzeros(e->part.plan);
    error = space_make(&def, &e->host.log, &e->memory, &e->space);
    if (error == POSSE_OK && space_is_sparse(e->space)) error = reserve_sparse(e);
    if (error != POSSE_OK) return error;
    e->instance = arena_allocate(&e->memory, e->part.state_size);
    e->noise = arena_allocate(&e->memory, sizeof *e->noise);
    if (brings) e->contexts = arena_allocate(&e->memory, sizeof *e->contexts);
    return e->instance != NULL && e->noise != NULL && (!brings || e->contexts != NULL) ? POSSE_OK : POSSE_ERROR_MEMORY;
}

posse_error posse_environment_create(const posse_part *part_, uint64_t seed, const posse_host *host,
                                     posse_environment **out) {
    if (out == NULL) return POSSE_ERROR_ARGUMENT;
    *out = NULL;
    if (part_ == NULL) return POSSE_ERROR_ARGUMENT;
    posse_host lent = host != NULL ? *host : (posse_host){0};
    posse_environment *e = memory_allocate(&lent.allocator, sizeof *e);
    if (e == NULL) return POSSE_ERROR_MEMORY;
    e->host = lent;
    e->memory.allocator = lent.allocator;
    e->seed = seed;
    posse_error error = environment_make(e, part_);
    if (error != POSSE_OK) {
        posse_environment_free(e);
        return error;
    }
    posse_environment_begin(e, 0);
    *out = e;
    return POSSE_OK;
}

void posse_environment_free(posse_environment *e) {
    if (e == NULL) return;
    posse_allocator allocator = e->host.allocator;
    arena_release(&e->memory);
    memory_release(&allocator, e);
}

posse_def posse_environment_def(const posse_environment *e) {
    posse_def def = posse_default_def();
    if (e == NULL) return def;
    space_def arms = space_def_of(e->space);
    def.arms = arms.arms;
    def.dim = arms.dim;
    def.points = arms.points;
    def.context = arms.context;
    def.nonzeros = arms.nonzeros;
    def.episodes = arms.episodes;
    def.prior = e->prior;
    def.seed = e->seed;
    def.host = e->host;
    return def;
}

typedef void instance_drawer(const void *plan, void *instance, const posse_space *space, posse_draw *draw);

/*
 * The noise stream is opened last, so that the draws of the instance can use its buffers first. noise: the number of
 * draws that have been taken from the noise stream.
 */
static void draw_instance(posse_environment *e, instance_drawer *drawer, uint64_t noise) {
    draw_open(e->noise, e->seed, e->run, stream_named(STREAM_INSTANCE, NULL), e->instance_draws);
    drawer(e->part.plan, e->instance, e->space, e->noise);
    e->instance_draws = e->noise->position;
    draw_open(e->noise, e->seed, e->run, stream_named(STREAM_NOISE, NULL), noise);
}

posse_error posse_environment_next_task(posse_environment *e) {
    if (e == NULL) return POSSE_ERROR_ARGUMENT;
    if (e->ops->logbook != NULL) return POSSE_ERROR_ABSENT;
    draw_instance(e, e->ops->next_task != NULL ? e->ops->next_task : e->ops->begin, e->noise->position);
    e->round = (posse_round){0};
    return POSSE_OK;
}

void posse_environment_begin(posse_environment *e, uint32_t run) {
    if (e == NULL) return;
    e->run = run;
    e->instance_draws = 0;
    draw_instance(e, e->ops->begin, 0);
    e->round = (posse_round){0};
    e->brought = 0;
    if (e->contexts != NULL) draw_open(e->contexts, e->seed, run, stream_named(STREAM_CONTEXT, NULL), 0);
}

/* Copies the rows of a round to lists of indices and values. */
static void environment_list_rows(posse_environment *e, const posse_round *round) {
    for (int k = 0; k < (round->stride > 0 ? round->count : 1); k++) {
        size_t first = (size_t)k * (size_t)e->space->nonzeros;
        row x = row_of_sparse(round_features(round, k));
        for (int i = 0; i < x.count; i++) {
            e->indices[first + (size_t)i] = row_slot(x, i);
            e->values[first + (size_t)i] = row_value(x, i);
        }
        e->sparse[k] = (posse_sparse){x.count, e->indices + first, e->values + first};
    }
}

posse_error posse_environment_round(posse_environment *e, posse_context *out) {
    if (e == NULL || out == NULL) return POSSE_ERROR_ARGUMENT;
    const posse_round *round;
    posse_error error = environment_bring(e, &round);
    if (error != POSSE_OK) return error;
    if (round == NULL) return POSSE_ERROR_ABSENT;
    *out = (posse_context){.count = round->count, .arms = round->arms};
    bool shares = e->space->shared_features > 0, sparse = space_is_sparse(e->space);
    if (sparse) environment_list_rows(e, round);
    if (sparse && shares)
        out->sparse_shared = e->sparse;
    else if (sparse)
        out->sparse_points = e->sparse;
    else if (shares)
        out->shared = round->features;
    else
        out->points = round->features;
    return POSSE_OK;
}

posse_error posse_environment_logbook(const posse_environment *e, posse_logbook *out) {
    if (e == NULL || out == NULL) return POSSE_ERROR_ARGUMENT;
    if (e->ops->logbook == NULL) return POSSE_ERROR_ABSENT;
    *out = e->ops->logbook(e->part.plan);
    return POSSE_OK;
}

/* Whether a decision plays one of this environment's arms. */
static bool is_playable(const posse_environment *e, const posse_decision *d) {
    if (e == NULL || d == NULL) return false;
    if (e->space->arms == 0) return d->arm == -1 && d->point != NULL;
    if (e->contexts != NULL)
        return e->round.count > 0 && round_place(&e->round, d->arm) >= 0 &&
               (d->point != NULL || space_is_sparse(e->space));
    return d->arm >= 0 && d->arm < e->space->arms && (e->space->dim == 0 || d->point != NULL);
}

double posse_environment_reward(posse_environment *e, const posse_decision *d) {
    return is_playable(e, d) ? environment_reward(e, d) : NAN;
}

double posse_environment_regret(const posse_environment *e, const posse_decision *d) {
    return is_playable(e, d) ? environment_regret(e, d) : NAN;
}

void posse_environment_means(const posse_environment *e, double *means) {
    if (e != NULL && means != NULL) e->ops->means(e->part.plan, e->instance, e->space, means);
}

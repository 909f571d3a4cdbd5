/* SPDX-License-Identifier: MIT */
/*
 * From a table to a prior: checks the settings, fits, and makes the belief.
 */
#include <math.h>
#include <string.h>

#include "base/complain.h"
#include "prior/choice.h"
#include "prior/kernel.h"
#include "prior/prior.h"

#define COMPONENTS_MAX 64

/* A fit in progress. */
typedef struct fitting {
    const posse_fit *how;
    const posse_logger *log;
    csv csv;
    arena memory; /* for the work; the results are in the prior's arena */
    samples samples;
    posse_prior *prior;
} fitting;

posse_fit posse_default_fit(void) {
    return (posse_fit){.kind = "mixture", .seed = 1, .task = "task", .arm = "arm", .reward = "reward"};
}

static bool fit_is(const posse_fit *how, const char *kind) {
    return strcmp(how->kind, kind) == 0;
}

/* ------------------------------------------------- settings --------------------------------------------------- */

static posse_error fit_refuse(const posse_logger *log, const char *what, const char *why) {
    complain(log, NULL, what, "%s", why);
    return POSSE_ERROR_ARGUMENT;
}

static posse_error fit_check(const posse_fit *how, const posse_logger *log) {
    if (how->kind == NULL || !(fit_is(how, "gaussian") || fit_is(how, "mixture") || fit_is(how, "particles")))
        return fit_refuse(log, "kind", "a prior is fitted as gaussian, mixture or particles");
    if (how->components < 0 || how->components > COMPONENTS_MAX)
        return fit_refuse(log, "components", "there are 1 to 64 of them, or 0 to choose how many");
    if (how->components > 0 && !fit_is(how, "mixture")) return fit_refuse(log, "components", "only a mixture has them");
    if (how->noise != 0.0 && !(how->noise >= LINEAR_NOISE_MIN && how->noise <= LINEAR_NOISE_MAX))
        return fit_refuse(log, "noise", "it is 1e-6 to 1e6");
    if (how->plays && fit_is(how, "particles"))
        return fit_refuse(log, "kind", "particles are rows of means; plays have a gaussian or a mixture");
    if (how->plays && (how->task == NULL || how->arm == NULL || how->reward == NULL))
        return fit_refuse(log, NULL, "plays need the names of three columns: task, arm and reward");
    return POSSE_OK;
}

/* -------------------------------------------------- beliefs --------------------------------------------------- */

static posse_option number_option(const char *key, double number) {
    return (posse_option){.key = key, .number = number};
}

/* An option with a list of rounded numbers in the prior's memory. */
static bool list_option(fitting *f, const char *key, const double *numbers, size_t count, posse_option *out) {
    double *list = arena_allocate(&f->prior->memory, count * sizeof *list);
    for (size_t i = 0; list != NULL && i < count; i++) list[i] = prior_rounded(numbers[i]);
    *out = (posse_option){.key = key, .list = list, .count = count};
    return list != NULL;
}

static bool joint_gaussian(fitting *f, const normals *n, int c, double noise, posse_part *out) {
    size_t arms = (size_t)n->arms;
    *out = (posse_part){.kind = "joint-gaussian"};
    out->options[2] = number_option("noise", noise);
    return list_option(f, "mean", n->means + (size_t)c * arms, arms, &out->options[0]) &&
           list_option(f, "covariance", n->covariances + (size_t)c * arms * arms, arms * arms, &out->options[1]);
}

/* The next component by weight, the heaviest first; among equals the earlier one. */
static int next_component(const normals *n, bool *used) {
    int best = -1;
    for (int c = 0; c < n->count; c++)
        if (!used[c] && (best < 0 || n->weights[c] > n->weights[best])) best = c;
    used[best] = true;
    return best;
}

static bool fit_mixture(fitting *f, const normals *n, double noise, posse_part *out) {
    bool used[COMPONENTS_MAX] = {false};
    double *weights = arena_allocate(&f->prior->memory, (size_t)n->count * sizeof *weights);
    posse_part *parts = arena_allocate(&f->prior->memory, (size_t)n->count * sizeof *parts);
    bool made = weights != NULL && parts != NULL;
    for (int i = 0; i < n->count && made; i++) {
        int c = next_component(n, used);
        weights[i] = prior_rounded(n->weights[c]);
        made = joint_gaussian(f, n, c, noise, &parts[i]);
    }
    *out = (posse_part){.kind = "mixture"};
    out->options[0] = (posse_option){.key = "components", .part = parts, .list = weights, .count = (size_t)n->count};
    return made;
}

static double fit_noise_of(const fitting *f, double variance) {
    if (f->how->noise > 0.0) return f->how->noise;
    return f->how->plays ? prior_rounded(sqrt(variance)) : 1.0;
}

/* ------------------------------------------------- the fit ---------------------------------------------------- */

static posse_error record_candidates(fitting *f, const posse_fit_candidate *tried, int count) {
    if (count == 0) return POSSE_OK;
    posse_fit_candidate *kept = arena_allocate(&f->prior->memory, (size_t)count * sizeof *kept);
    if (kept == NULL) return POSSE_ERROR_MEMORY;
    memcpy(kept, tried, (size_t)count * sizeof *kept);
    f->prior->record.candidates = kept;
    f->prior->record.candidate_count = (size_t)count;
    return POSSE_OK;
}

static posse_error fit_particles(fitting *f) {
    posse_fit_candidate tried[KERNEL_WIDTHS];
    int best;
    posse_error error = kernel_choose(&f->samples, &f->memory, tried, &best);
    if (error == POSSE_OK) error = record_candidates(f, tried, KERNEL_WIDTHS);
    if (error != POSSE_OK) return error;
    posse_fit_record *r = &f->prior->record;
    r->size = prior_rounded(tried[best].size);
    r->noise = fit_noise_of(f, 0.0);
    f->prior->part =
        (posse_part){.kind = "particles",
                     .options = {{.key = "table", .list = r->table, .count = r->rows * (size_t)f->prior->arms},
                                 number_option("kernel", r->size),
                                 number_option("noise", r->noise)}};
    return POSSE_OK;
}

static posse_error choose_components(fitting *f, int *out) {
    choice c = {.how = f->how, .allocator = f->memory.allocator};
    *out = fit_is(f->how, "gaussian") ? 1 : f->how->components;
    if (*out > 0) return POSSE_OK;
    posse_error error = choice_make(&c, &f->samples);
    *out = c.components;
    return error == POSSE_OK ? record_candidates(f, c.tried, c.tried_count) : error;
}

static posse_error fit_normals(fitting *f) {
    int components;
    normals n;
    em *e;
    posse_error error = choose_components(f, &components);
    if (error == POSSE_OK && (size_t)components > f->samples.rows)
        error = csv_refuse_file(&f->csv, "%zu rows are too few for %d components", f->samples.rows, components);
    if (error == POSSE_OK) error = choice_fit(f->how, &f->samples, components, &f->memory, &n);
    if (error == POSSE_OK) error = em_make(&f->samples, components, &f->memory, &e);
    if (error != POSSE_OK) return error;
    posse_fit_record *r = &f->prior->record;
    r->size = components;
    r->score = em_score(e, &f->samples, &n);
    r->noise = fit_noise_of(f, n.noise);
    if (!(r->noise >= LINEAR_NOISE_MIN))
        return csv_refuse_file(&f->csv,
                               "rewards of an arm hardly differ within a task, so that their noise is estimated "
                               "as %g: give the noise, at least %g",
                               r->noise, LINEAR_NOISE_MIN);
    bool made = components == 1 ? joint_gaussian(f, &n, 0, r->noise, &f->prior->part)
                                : fit_mixture(f, &n, r->noise, &f->prior->part);
    return made ? POSSE_OK : POSSE_ERROR_MEMORY;
}

/* The record outlives the table, so it points into the prior's memory. */
static posse_error record_samples(fitting *f) {
    posse_fit_record *r = &f->prior->record;
    f->prior->fitted = true;
    f->prior->arms = f->samples.arms;
    *r = (posse_fit_record){.rows = f->samples.rows, .rewards = (uint64_t)f->samples.rewards, .score = NAN};
    r->table = f->samples.values;
    r->names = f->samples.names;
    return POSSE_OK;
}

static posse_error read_samples(fitting *f) {
    const posse_fit *how = f->how;
    arena *kept = &f->prior->memory;
    const play_columns columns = {how->task, how->arm, how->reward};
    posse_error error = how->plays ? samples_of_plays(&f->csv, &columns, kept, &f->samples)
                                   : samples_of_means(&f->csv, !fit_is(how, "particles"), kept, &f->samples);
    if (error == POSSE_OK && how->plays && how->noise == 0.0 && f->samples.repeats == 0.0)
        error = csv_refuse_file(
            &f->csv,
            "no arm was played twice in a task, so that the noise cannot be separated from the differences between "
            "tasks: give the noise");
    return error;
}

static posse_error fit_file(fitting *f, const char *path) {
    posse_error error = csv_open(&f->csv, path, &f->memory.allocator);
    if (error == POSSE_OK) error = read_samples(f);
    if (error == POSSE_OK) error = record_samples(f);
    if (error == POSSE_OK) error = fit_is(f->how, "particles") ? fit_particles(f) : fit_normals(f);
    if (error == POSSE_OK && f->how->progress != NULL) f->how->progress(f->how->context, 1.0);
    if (error == POSSE_ERROR_FIT) complain(f->log, NULL, NULL, "%s", f->csv.problem);
    return error;
}

posse_error posse_prior_fit(const char *path, const posse_fit *how, const posse_host *host, posse_prior **out) {
    if (out == NULL) return POSSE_ERROR_ARGUMENT;
    *out = NULL;
    if (path == NULL || how == NULL) return POSSE_ERROR_ARGUMENT;
    const posse_host lent = host != NULL ? *host : (posse_host){0};
    fitting f = {.how = how, .log = &lent.log, .memory = {.allocator = lent.allocator}};
    posse_error error = fit_check(how, &lent.log);
    if (error == POSSE_OK) error = prior_new(&lent, &f.prior);
    if (error != POSSE_OK) return error;
    error = fit_file(&f, path);
    csv_close(&f.csv);
    arena_release(&f.memory);
    if (error == POSSE_OK)
        *out = f.prior;
    else
        posse_prior_free(f.prior);
    return error;
}

posse_error posse_prior_record(const posse_prior *prior, posse_fit_record *out) {
    if (prior == NULL || out == NULL) return POSSE_ERROR_ARGUMENT;
    if (!prior->fitted) return POSSE_ERROR_ABSENT;
    *out = prior->record;
    return POSSE_OK;
}

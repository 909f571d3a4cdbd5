/* SPDX-License-Identifier: MIT */
#include "experiment/record/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/carve.h"
#include "common/fingerprint.h"
#include "common/series.h"
#include "experiment/record/quantile.h"

struct statistics {
    const agenda *agenda;
    sheet shape; /* where a sheet has its numbers */
    aggregate total;
    quantile *coefficients; /* S x M */
    quantile *d_star;       /* S */
    double *clipped;        /* S: sums of counts, which are exact in any order; means would not be */
    size_t *terms;          /* K: the places in a sheet's head that claims are about */
    size_t term_count;
    double *products;                                   /* K x K: of pairs of them, see common/series.h */
    double *block_products, *block_means, *differences; /* of the block that is being taken */
    uint64_t *hash;                                     /* of the heads so far */
    const block *const *taken;                          /* the blocks that are being taken */
    size_t taken_count;
    size_t state_size;
    void *memory; /* first the state, then the rest */
};

/* ------------------------------------------- what claims are about ---------------------------------------- */

static size_t find_round(const agenda *a, uint64_t round) {
    size_t w = 0;
    while (a->watched[w] != round) w++;
    return w;
}

/* The place in a sheet's head of a term other than best_learner(). */
static size_t statistics_place_of(const statistics *s, const claim_term *term) {
    const agenda *a = s->agenda;
    const sheet *shape = &s->shape;
    int found = agenda_find(a, term->name);
    size_t c = found >= 0 ? (size_t)found : 0;
    const double *at = shape->final_regret + c;
    if (term->quantity == CLAIM_OPTIMAL)
        at = shape->final_optimal + c;
    else if (term->round > 0)
        at = shape->watched + c * (size_t)a->watched_count + find_round(a, term->round);
    return (size_t)(at - shape->numbers);
}

static size_t term_at(const statistics *s, size_t place) {
    size_t k = 0;
    while (k < s->term_count && s->terms[k] != place) k++;
    return k;
}

static void statistics_add_term(statistics *s, size_t place) {
    if (term_at(s, place) == s->term_count) s->terms[s->term_count++] = place;
}

/*
 * Which learner best_learner() is, is known only when all runs are over. Until then it may be any of the learners
 * alone, so all of them become terms.
 */
static void list_terms(statistics *s) {
    const agenda *a = s->agenda;
    const experiment *e = a->experiment;
    for (int i = 0; i < e->claim_count; i++)
        for (size_t k = 0; k < e->claims[i].term_count; k++) {
            const claim_term *term = &e->claims[i].terms[k];
            if (term->quantity != CLAIM_BEST_LEARNER)
                statistics_add_term(s, statistics_place_of(s, term));
            else
                for (int m = 0; m < a->solos; m++) statistics_add_term(s, (size_t)(a->selectors + m));
        }
}

/* ------------------------------------------------ making, taking ------------------------------------------- */

static void statistics_lay(statistics *s, carving *c) {
    const agenda *a = s->agenda;
    size_t places = (size_t)a->selectors * (size_t)a->learners, selectors = (size_t)a->selectors;
    size_t capacity = quantile_capacity(a->experiment->runs);
    aggregate_lay(&s->total, a, &s->shape, c);
    s->products = carve(c, s->term_count * s->term_count, sizeof *s->products);
    s->hash = carve(c, 1, sizeof *s->hash);
    s->state_size = c->used;
    s->coefficients = carve(c, places, sizeof *s->coefficients);
    s->d_star = carve(c, selectors, sizeof *s->d_star);
    s->clipped = carve(c, selectors, sizeof *s->clipped);
    for (size_t i = 0; i < places + selectors; i++) {
        double *heap = carve(c, capacity, sizeof *heap);
        if (c->base == NULL) continue;
        quantile *q = i < places ? s->coefficients + i : s->d_star + (i - places);
        quantile_open(q, a->experiment->runs, heap);
    }
    s->block_products = carve(c, s->term_count * s->term_count, sizeof *s->block_products);
    s->block_means = carve(c, s->term_count, sizeof *s->block_means);
    s->differences = carve(c, s->term_count, sizeof *s->differences);
}

static size_t statistics_count_terms(const experiment *e) {
    size_t count = 0;
    for (int i = 0; i < e->claim_count; i++) count += e->claims[i].term_count;
    return count;
}

statistics *statistics_make(const agenda *a) {
    statistics *s = calloc(1, sizeof *s);
    if (s == NULL) return NULL;
    s->agenda = a;
    s->terms = calloc(statistics_count_terms(a->experiment) + (size_t)a->solos + 1, sizeof *s->terms);
    bool ok = sheet_open(&s->shape, a) && s->terms != NULL;
    if (ok) list_terms(s);
    carving c = {0};
    statistics_lay(s, &c);
    s->memory = ok ? calloc(1, c.used) : NULL;
    if (s->memory == NULL) {
        statistics_free(s);
        return NULL;
    }
    c = (carving){.base = s->memory};
    statistics_lay(s, &c);
    *s->hash = FINGERPRINT_START;
    return s;
}

void statistics_free(statistics *s) {
    if (s == NULL) return;
    sheet_close(&s->shape);
    free(s->terms);
    free(s->memory);
    free(s);
}

/* Must come before the aggregate of the block is merged, because the difference of the two means is needed. */
static void take_products(statistics *s, const block *b, double before) {
    size_t count = s->term_count;
    double n_a = before, n_b = b->aggregate.runs;
    if (count == 0) return;
    memset(s->block_products, 0, count * count * sizeof *s->block_products);
    memset(s->block_means, 0, count * sizeof *s->block_means);
    for (size_t i = 0; i < b->count; i++) {
        const double *head = b->heads + i * s->shape.head_count;
        double n = (double)(i + 1);
        for (size_t k = 0; k < count; k++) {
            s->differences[k] = head[s->terms[k]] - s->block_means[k];
            s->block_means[k] += s->differences[k] / n;
        }
        series_add_products(s->block_products, s->differences, count, (n - 1.0) / n);
    }
    for (size_t k = 0; k < count * count; k++) s->products[k] += s->block_products[k];
    for (size_t k = 0; k < count; k++) s->differences[k] = s->block_means[k] - s->total.mean[s->terms[k]];
    series_add_products(s->products, s->differences, count, n_a * n_b / (n_a + n_b));
}

/* How many quantiles there are: of the coefficients of each selector's learners, then of the best of each. */
static size_t quantile_count(const statistics *s) {
    return (size_t)s->agenda->selectors * ((size_t)s->agenda->learners + 1);
}

static void take_quantile(statistics *s, const block *b, size_t index) {
    const sheet *shape = &s->shape;
    size_t places = (size_t)s->agenda->selectors * (size_t)s->agenda->learners;
    bool best = index >= places;
    const double *place = best ? shape->best_coefficient + (index - places) : shape->coefficient + index,
                 *value = b->heads + (place - shape->numbers);
    quantile *q = best ? &s->d_star[index - places] : &s->coefficients[index];
    for (size_t i = 0; i < b->count; i++, value += shape->head_count)
        if (!isnan(*value)) quantile_add(q, *value);
}

static void take_clipped(statistics *s, const block *b) {
    const agenda *a = s->agenda;
    const double *clipped = b->heads + (s->shape.clipped - s->shape.numbers);
    for (size_t i = 0; i < b->count; i++, clipped += s->shape.head_count)
        for (int k = 0; k < a->selectors; k++) s->clipped[k] += a->ranges > 0 ? clipped[k] : NAN;
}

/* The tasks of taking blocks. Those that take longest come first. */
enum { TAKE_HASH, TAKE_PARTS, TAKE_CLIPPED = TAKE_PARTS + AGGREGATE_PARTS, TAKE_QUANTILES };

static void take_block(statistics *s, const block *b, double before, size_t task) {
    if (task == TAKE_HASH)
        *s->hash = fingerprint_numbers(*s->hash, b->heads, b->count * s->shape.head_count);
    else if (task == TAKE_CLIPPED)
        take_clipped(s, b);
    else if (task >= TAKE_QUANTILES)
        take_quantile(s, b, task - TAKE_QUANTILES);
    else {
        if (task == TAKE_PARTS) take_products(s, b, before);
        aggregate_merge(&s->total, s->agenda, &s->shape, &b->aggregate, before, task - TAKE_PARTS);
    }
}

size_t statistics_tasks(const statistics *s) {
    return TAKE_QUANTILES + quantile_count(s);
}

void statistics_begin(statistics *s, const block *const *blocks, size_t count) {
    s->taken = blocks;
    s->taken_count = count;
}

void statistics_task(statistics *s, size_t index) {
    double before = s->total.runs;
    for (size_t i = 0; i < s->taken_count; i++) {
        take_block(s, s->taken[i], before, index);
        before += s->taken[i]->aggregate.runs;
    }
}

void statistics_end(statistics *s) {
    for (size_t i = 0; i < s->taken_count; i++) s->total.runs += s->taken[i]->aggregate.runs;
}

void statistics_retake_rows(statistics *s, const block *b) {
    take_clipped(s, b);
    for (size_t i = 0; i < quantile_count(s); i++) take_quantile(s, b, i);
}

const void *statistics_state(const statistics *s, size_t *size) {
    *size = s->state_size;
    return s->memory;
}

bool statistics_restore(statistics *s, const void *state, size_t size, uint32_t blocks) {
    if (size != s->state_size) return false;
    memcpy(s->memory, state, size);
    s->total.runs = agenda_runs_before(s->agenda, blocks);
    return true;
}

/* --------------------------------------------------- finishing --------------------------------------------- */

static estimate statistics_estimate_of(const statistics *s, const double *place, size_t i) {
    size_t at = (size_t)(place - s->shape.numbers) + i;
    return (estimate){s->total.mean[at], series_ci95(s->total.m2[at], s->total.runs)};
}

/* The mean of a quantity that is 0 or 1 in each run, and its interval, from the number of runs in which it is 1. */
static estimate estimate_of_count(double count, double runs) {
    return (estimate){count / runs, series_ci95(count * (runs - count) / runs, runs)};
}

static const double *mean_at(const statistics *s, const double *place) {
    return s->total.mean + (place - s->shape.numbers);
}

/*
 * The variance of a mean over runs that comes from the randomness of the runs. A single run gives no estimate of it: 0.
 */
static double statistics_luck(const statistics *s, double squares) {
    double runs = s->total.runs;
    return runs > 1.0 ? squares / (runs * (runs - 1.0)) : 0.0;
}

/* The estimate of a value on a log. variance: the part that comes from the rows, averaged over runs. */
static estimate estimate_of_value(const statistics *s, const double *place, size_t i, double variance) {
    double whole = variance + statistics_luck(s, s->total.m2[(size_t)(place - s->shape.numbers) + i]);
    return (estimate){mean_at(s, place)[i], 1.96 * sqrt(whole > 0.0 || isnan(whole) ? whole : 0.0)};
}

static void finish_values(const statistics *s, results *out) {
    const agenda *a = s->agenda;
    const sheet *shape = &s->shape;
    size_t competitors = (size_t)a->competitors, values = (size_t)a->value_count, pair = 0;
    const double *covariance = mean_at(s, shape->covariance), *variance_curve = mean_at(s, shape->variance_curve);
    for (size_t c = 0; c < competitors; c++) {
        out->regret[c] = estimate_of_value(s, shape->final_regret, c, covariance[c * values + c]);
        out->optimal[c] = (estimate){NAN, NAN};
        out->effective[c] = mean_at(s, shape->effective)[c];
    }
    for (size_t i = 0; i < competitors * (size_t)a->point_count; i++) {
        out->regret_curve[i] = estimate_of_value(s, shape->regret, i, variance_curve[i]);
        out->optimal_curve[i] = (estimate){NAN, NAN};
        out->effective_curve[i] = mean_at(s, shape->effective_curve)[i];
    }
    for (size_t i = 0; i < competitors; i++)
        for (size_t j = i + 1; j < competitors; j++, pair++) {
            double together = covariance[i * values + j] + covariance[j * values + i];
            double variance = covariance[i * values + i] + covariance[j * values + j] - together;
            out->pairs[pair] = estimate_of_value(s, shape->pairs, pair, variance);
        }
}

static void finish_competitors(const statistics *s, results *out) {
    const agenda *a = s->agenda;
    size_t competitors = (size_t)a->competitors, curve = competitors * (size_t)a->point_count;
    for (size_t c = 0; c < competitors; c++) {
        out->regret[c] = statistics_estimate_of(s, s->shape.final_regret, c);
        out->optimal[c] = statistics_estimate_of(s, s->shape.final_optimal, c);
        out->effective[c] = NAN;
    }
    for (size_t i = 0; i < curve; i++) {
        out->regret_curve[i] = statistics_estimate_of(s, s->shape.regret, i);
        out->effective_curve[i] = NAN;
        out->optimal_curve[i] =
            a->arms > 0 ? estimate_of_count(s->total.optimal[i], s->total.runs) : (estimate){NAN, NAN};
    }
    for (size_t i = 0; i < competitors * (competitors - 1) / 2; i++)
        out->pairs[i] = statistics_estimate_of(s, s->shape.pairs, i);
}

/* A single task is the whole run. */
static void finish_tasks(const statistics *s, results *out) {
    const agenda *a = s->agenda;
    size_t count = (size_t)a->competitors * (size_t)a->tasks;
    const double *place = a->tasks > 1 ? s->shape.task_regret : s->shape.final_regret;
    for (size_t i = 0; i < count; i++) out->task_regret[i] = statistics_estimate_of(s, place, i);
}

static void finish_selectors(statistics *s, results *out) {
    const agenda *a = s->agenda;
    size_t places = (size_t)a->selectors * (size_t)a->learners;
    for (size_t i = 0; i < places * (size_t)a->point_count; i++) out->share[i] = s->total.share[i] / s->total.runs;
    for (size_t i = 0; i < places; i++) {
        out->learner_plays[i] = statistics_estimate_of(s, s->shape.plays, i).mean;
        out->learner_regret[i] = statistics_estimate_of(s, s->shape.learner_regret, i).mean;
        out->learner_coefficient[i] = isnan(out->learner_plays[i]) ? NAN : quantile_value(&s->coefficients[i]);
    }
    for (int i = 0; i < a->selectors; i++) {
        out->d_star_95[i] = quantile_value(&s->d_star[i]);
        out->d_star_largest[i] = quantile_largest(&s->d_star[i]);
        out->clipped[i] = s->clipped[i];
    }
}

/*
 * z: the mean difference over its standard error, paired over runs. It is 0 if the two never differ, and NaN if they
 * differ by the same amount in every run, from which no error can be estimated.
 */
static double statistics_standardised(double mean, double m2, double runs) {
    if (m2 == 0.0) return mean == 0.0 ? 0.0 : NAN;
    return mean / (sqrt(m2 / (runs - 1.0)) / sqrt(runs));
}

static void finish_matching(const statistics *s, results *out) {
    const agenda *a = s->agenda;
    size_t count = (size_t)a->selectors * MATCHING_ROUNDS * (size_t)a->learners;
    for (size_t i = 0; i < count; i++) {
        size_t at = (size_t)(s->shape.matching_gap - s->shape.numbers) + i;
        out->matching_best[i] = statistics_estimate_of(s, s->shape.matching_best, i).mean;
        out->matching_chosen[i] = isnan(out->matching_best[i]) ? NAN : s->total.matching_chosen[i] / s->total.runs;
        out->matching_z[i] = statistics_standardised(s->total.mean[at], s->total.m2[at], s->total.runs);
    }
}

/* The learner alone with the least regret or, on a log, the largest value. */
static size_t best_learner_place(const statistics *s) {
    const agenda *a = s->agenda;
    size_t best = (size_t)a->selectors;
    for (size_t c = best + 1; c < (size_t)(a->selectors + a->solos); c++)
        if (a->logged ? s->total.mean[c] > s->total.mean[best] : s->total.mean[c] < s->total.mean[best]) best = c;
    return best;
}

/* The place in a sheet's head of any term. */
static size_t term_place(const statistics *s, const claim_term *term) {
    return term->quantity == CLAIM_BEST_LEARNER ? best_learner_place(s) : statistics_place_of(s, term);
}

/* The place of a term among the values on a log. */
static size_t value_of(const statistics *s, const claim_term *term) {
    const agenda *a = s->agenda;
    if (term->quantity == CLAIM_BEST_LEARNER) return best_learner_place(s);
    agenda_value value = {agenda_find(a, term->name), term->round > 0 ? term->round : a->experiment->rounds};
    int found = agenda_find_value(a, value);
    return found >= 0 ? (size_t)found : 0;
}

/*
 * The covariance of the means of two terms: the part from the rows of the log, and the part from the randomness of
 * runs.
 */
static double statistics_covariance_of(const statistics *s, const claim_term *x, const claim_term *y) {
    size_t values = (size_t)s->agenda->value_count, i = value_of(s, x), j = value_of(s, y);
    size_t k = term_at(s, term_place(s, x)), l = term_at(s, term_place(s, y));
    return mean_at(s, s->shape.covariance)[i * values + j] + statistics_luck(s, s->products[k * s->term_count + l]);
}

/*
 * claim_check takes sums over runs. It is given two runs with products of twice the covariance, so that the variance of
 * the mean is the given covariance.
 */
static claim_result check_values(const statistics *s, const claim *c) {
    double means[CLAIM_TERMS_MAX], products[CLAIM_TERMS_MAX * CLAIM_TERMS_MAX];
    size_t count = c->term_count;
    for (size_t j = 0; j < count; j++) {
        means[j] = s->total.mean[term_place(s, &c->terms[j])];
        for (size_t k = 0; k < count; k++)
            products[j * count + k] = 2.0 * statistics_covariance_of(s, &c->terms[j], &c->terms[k]);
    }
    return claim_check(c, &(claim_sample){2.0, means, products});
}

/* Picks the terms of a claim from those of all claims. */
static claim_result check_claim(const statistics *s, const claim *c) {
    double means[CLAIM_TERMS_MAX], products[CLAIM_TERMS_MAX * CLAIM_TERMS_MAX];
    size_t terms[CLAIM_TERMS_MAX], count = c->term_count;
    for (size_t k = 0; k < count; k++) {
        size_t place = term_place(s, &c->terms[k]);
        terms[k] = term_at(s, place);
        means[k] = s->total.mean[place];
    }
    for (size_t j = 0; j < count; j++)
        for (size_t k = 0; k < count; k++) products[j * count + k] = s->products[terms[j] * s->term_count + terms[k]];
    return claim_check(c, &(claim_sample){s->total.runs, means, products});
}

static void finish_claims(const statistics *s, results *out) {
    const experiment *e = s->agenda->experiment;
    for (int i = 0; i < e->claim_count; i++)
        out->claims[i] = s->agenda->logged ? check_values(s, &e->claims[i]) : check_claim(s, &e->claims[i]);
}

static uint64_t hash_all(const statistics *s) {
    const agenda *a = s->agenda;
    size_t curve = (size_t)a->competitors * (size_t)a->point_count, learners = (size_t)a->learners;
    uint64_t hash = fingerprint_numbers(*s->hash, s->total.mean, s->shape.number_count);
    hash = fingerprint_numbers(hash, s->total.m2, s->shape.number_count);
    hash = fingerprint_counts(hash, s->total.optimal, curve);
    hash = fingerprint_counts(hash, s->total.share, (size_t)a->selectors * (size_t)a->point_count * learners);
    return fingerprint_counts(hash, s->total.matching_chosen, (size_t)a->selectors * MATCHING_ROUNDS * learners);
}

void statistics_finish(statistics *s, results *out) {
    if (s->agenda->logged)
        finish_values(s, out);
    else
        finish_competitors(s, out);
    finish_tasks(s, out);
    finish_selectors(s, out);
    finish_matching(s, out);
    finish_claims(s, out);
    out->hash = hash_all(s);
}

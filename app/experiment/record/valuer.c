/* SPDX-License-Identifier: MIT */
#include "experiment/record/valuer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/carve.h"
#include "experiment/record/ratio.h"

/* A competitor in the middle of the run. */
typedef struct notes {
    ratio ratio;
    uint64_t round; /* rows so far */
    int point, watched;
} notes;

struct valuer {
    const agenda *agenda;
    sheet sheet;
    notes *notes;            /* C */
    double *terms, *weights; /* C x T */
    double *rests;           /* V x T: term - value weight, over the sum of weights */
};

static void valuer_lay(valuer *v, carving *c) {
    const agenda *a = v->agenda;
    size_t competitors = (size_t)a->competitors, rounds = (size_t)a->experiment->rounds;
    carve(c, 1, sizeof *v);
    v->notes = carve(c, competitors, sizeof *v->notes);
    v->terms = carve(c, competitors * rounds, sizeof *v->terms);
    v->weights = carve(c, competitors * rounds, sizeof *v->weights);
    v->rests = carve(c, (size_t)a->value_count * rounds, sizeof *v->rests);
}

valuer *valuer_make(const agenda *a) {
    valuer shape = {.agenda = a};
    carving c = {0};
    valuer_lay(&shape, &c);
    valuer *v = calloc(1, c.used);
    if (v == NULL) return NULL;
    v->agenda = a;
    c = (carving){.base = (char *)v};
    valuer_lay(v, &c);
    if (sheet_open(&v->sheet, a)) return v;
    free(v);
    return NULL;
}

void valuer_free(valuer *v) {
    if (v == NULL) return;
    sheet_close(&v->sheet);
    free(v);
}

const sheet *valuer_sheet(const valuer *v) {
    return &v->sheet;
}

/* Numbers of learners that are not in the team are NaN, and so are all regrets. */
static void valuer_begin_team(const agenda *a, int s, sheet *r) {
    size_t learners = (size_t)a->learners, row = (size_t)s * learners, matching = row * MATCHING_ROUNDS;
    selector_team team = a->experiment->teams[s];
    for (size_t m = row; m < row + learners; m++) r->plays[m] = r->learner_regret[m] = r->coefficient[m] = NAN;
    for (size_t i = matching; i < matching + MATCHING_ROUNDS * learners; i++)
        r->matching_best[i] = r->matching_gap[i] = NAN;
    for (int k = 0; k < team.count; k++) r->plays[row + (size_t)team.learners[k]] = 0.0;
    r->best_coefficient[s] = NAN;
}

void valuer_begin(valuer *v, int who) {
    v->notes[who] = (notes){0};
    if (who < v->agenda->selectors) valuer_begin_team(v->agenda, who, &v->sheet);
}

/* Records what is due after a row. */
static void note_row(valuer *v, int who, int32_t learner) {
    const agenda *a = v->agenda;
    notes *at = &v->notes[who];
    sheet *to = &v->sheet;
    bool selects = who < a->selectors;
    if (selects) to->plays[(size_t)who * (size_t)a->learners + (size_t)learner] += 1.0;
    if (at->watched < a->watched_count && a->watched[at->watched] == at->round) {
        to->watched[(size_t)who * (size_t)a->watched_count + (size_t)at->watched] = ratio_value(&at->ratio);
        at->watched++;
    }
    if (at->point == a->point_count || a->points[at->point] != at->round) return;
    size_t k = (size_t)who * (size_t)a->point_count + (size_t)at->point++;
    to->regret[k] = ratio_value(&at->ratio);
    to->variance_curve[k] = ratio_variance(&at->ratio);
    to->effective_curve[k] = ratio_effective(&at->ratio);
    if (selects) to->choice[k] = (uint16_t)learner;
}

static void valuer_take_row(valuer *v, int who, double term, double weight, int32_t learner) {
    notes *at = &v->notes[who];
    size_t place = (size_t)who * (size_t)v->agenda->experiment->rounds + (size_t)at->round;
    v->terms[place] = term;
    v->weights[place] = weight;
    ratio_add(&at->ratio, term, weight);
    at->round++;
    note_row(v, who, learner);
}

void valuer_take(valuer *v, int who, const posse_appraisal *rows, size_t count) {
    for (size_t i = 0; i < count; i++) valuer_take_row(v, who, rows->terms[i], rows->weights[i], rows->learners[i]);
}

void valuer_take_log(valuer *v, const double *rewards, size_t count) {
    for (size_t i = 0; i < count; i++) valuer_take_row(v, v->agenda->log, rewards[i], 1.0, -1);
}

void valuer_end(valuer *v, int who, double clipped) {
    const agenda *a = v->agenda;
    const notes *at = &v->notes[who];
    v->sheet.final_regret[who] = ratio_value(&at->ratio);
    v->sheet.final_optimal[who] = NAN;
    v->sheet.effective[who] = ratio_effective(&at->ratio);
    if (who < a->selectors && a->ranges > 0) v->sheet.clipped[who] = clipped;
}

/* What each row adds to the error of a value; 0 after its last row. */
static void find_rests(valuer *v, size_t value) {
    const agenda *a = v->agenda;
    size_t rounds = (size_t)a->experiment->rounds, used = (size_t)a->values[value].round;
    const double *terms = v->terms + (size_t)a->values[value].competitor * rounds;
    const double *weights = v->weights + (size_t)a->values[value].competitor * rounds;
    double *rests = v->rests + value * rounds;
    ratio all = {0};
    for (size_t i = 0; i < used; i++) ratio_add(&all, terms[i], weights[i]);
    double mean = ratio_value(&all), scale = sqrt(all.count / (all.count - 1.0)) / all.weights;
    if (all.count < 2.0) scale = NAN;
    for (size_t i = 0; i < rounds; i++) rests[i] = i < used ? (terms[i] - mean * weights[i]) * scale : 0.0;
}

void valuer_complete(valuer *v) {
    const agenda *a = v->agenda;
    size_t values = (size_t)a->value_count, rounds = (size_t)a->experiment->rounds;
    for (size_t j = 0; j < values; j++) find_rests(v, j);
    for (size_t j = 0; j < values; j++)
        for (size_t k = 0; k <= j; k++) {
            const double *x = v->rests + j * rounds, *y = v->rests + k * rounds;
            double sum = 0.0;
            for (size_t i = 0; i < rounds; i++) sum += x[i] * y[i];
            v->sheet.covariance[j * values + k] = v->sheet.covariance[k * values + j] = sum;
        }
    sheet_finish(&v->sheet, a);
}

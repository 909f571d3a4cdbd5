/* SPDX-License-Identifier: MIT */
#include "experiment/record/sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/carve.h"

static double *sheet_take(const sheet *r, size_t *at, size_t count) {
    double *place = r->numbers != NULL ? r->numbers + *at : NULL;
    *at += count;
    return place;
}

/* Divides the vector of numbers into its parts. */
static void sheet_divide(sheet *r, const agenda *a) {
    size_t competitors = (size_t)a->competitors, places = (size_t)a->selectors * (size_t)a->learners, at = 0;
    r->final_regret = sheet_take(r, &at, competitors);
    r->final_optimal = sheet_take(r, &at, competitors);
    r->plays = sheet_take(r, &at, places);
    r->learner_regret = sheet_take(r, &at, places);
    r->coefficient = sheet_take(r, &at, places);
    r->best_coefficient = sheet_take(r, &at, (size_t)a->selectors);
    r->clipped = sheet_take(r, &at, a->ranges > 0 ? (size_t)a->selectors : 0);
    r->effective = sheet_take(r, &at, a->logged ? competitors : 0);
    r->task_regret = sheet_take(r, &at, a->tasks > 1 ? competitors * (size_t)a->tasks : 0);
    r->row_count = at;
    r->watched = sheet_take(r, &at, competitors * (size_t)a->watched_count);
    r->matching_best = sheet_take(r, &at, places * MATCHING_ROUNDS);
    r->matching_gap = sheet_take(r, &at, places * MATCHING_ROUNDS);
    size_t values = (size_t)a->value_count, logged = a->logged ? competitors * (size_t)a->point_count : 0;
    r->covariance = sheet_take(r, &at, values * values);
    r->variance_curve = sheet_take(r, &at, logged);
    r->effective_curve = sheet_take(r, &at, logged);
    r->head_count = at;
    r->pairs = sheet_take(r, &at, competitors * (competitors - 1) / 2);
    r->regret = sheet_take(r, &at, competitors * (size_t)a->point_count);
    r->number_count = at;
}

static void sheet_lay(sheet *r, const agenda *a, carving *c) {
    r->numbers = carve(c, r->number_count, sizeof *r->numbers);
    r->optimal = carve(c, (size_t)a->competitors * (size_t)a->point_count, sizeof *r->optimal);
    r->choice = carve(c, (size_t)a->selectors * (size_t)a->point_count, sizeof *r->choice);
    r->matching_choice = carve(c, (size_t)a->selectors * MATCHING_ROUNDS, sizeof *r->matching_choice);
}

bool sheet_open(sheet *r, const agenda *a) {
    *r = (sheet){0};
    sheet_divide(r, a);
    carving c = {0};
    sheet_lay(r, a, &c);
    r->memory = calloc(1, c.used);
    if (r->memory == NULL) return false;
    c = (carving){.base = r->memory};
    sheet_lay(r, a, &c);
    sheet_divide(r, a);
    return true;
}

void sheet_close(sheet *r) {
    free(r->memory);
    *r = (sheet){0};
}

void sheet_begin_team(sheet *r, const agenda *a, int s) {
    size_t learners = (size_t)a->learners, row = (size_t)s * learners, matching = row * MATCHING_ROUNDS;
    selector_team team = a->experiment->teams[s];
    for (size_t m = row; m < row + learners; m++) r->plays[m] = r->learner_regret[m] = r->coefficient[m] = NAN;
    for (size_t i = matching; i < matching + MATCHING_ROUNDS * learners; i++)
        r->matching_best[i] = r->matching_gap[i] = NAN;
    for (int k = 0; k < team.count; k++) {
        size_t m = (size_t)team.learners[k];
        r->plays[row + m] = r->learner_regret[row + m] = r->coefficient[row + m] = 0.0;
        for (size_t i = matching + m; i < matching + MATCHING_ROUNDS * learners; i += learners)
            r->matching_best[i] = r->matching_gap[i] = 0.0;
    }
}

void sheet_match(sheet *r, const agenda *a, int s, int matched, const double *charges, int chosen) {
    selector_team team = a->experiment->teams[s];
    size_t place = (size_t)s * MATCHING_ROUNDS + (size_t)matched, learners = (size_t)a->learners;
    double *best = r->matching_best + place * learners, *gap = r->matching_gap + place * learners;
    double least = INFINITY, ties = 0.0;
    for (int k = 0; k < team.count; k++) {
        double own = charges[team.learners[k]];
        ties = own < least ? 1.0 : own == least ? ties + 1.0 : ties;
        least = own < least ? own : least;
    }
    for (int k = 0; k < team.count; k++) {
        int m = team.learners[k];
        best[m] = charges[m] == least ? 1.0 / ties : 0.0;
        gap[m] = (m == chosen ? 1.0 : 0.0) - best[m];
    }
    r->matching_choice[place] = (uint16_t)chosen;
}

void sheet_end_team(sheet *r, const agenda *a, int s, double clipped) {
    selector_team team = a->experiment->teams[s];
    double best = INFINITY;
    for (int k = 0; k < team.count; k++) {
        size_t i = (size_t)s * (size_t)a->learners + (size_t)team.learners[k];
        r->coefficient[i] = sqrt(r->coefficient[i]);
        if (r->plays[i] > 0.0 && r->coefficient[i] < best) best = r->coefficient[i];
    }
    r->best_coefficient[s] = best;
    if (a->ranges > 0) r->clipped[s] = clipped;
}

/* The oracle is the learner that, playing alone, has the smallest regret at T in this run; the first of several. */
static void follow_best(sheet *r, const agenda *a) {
    int best = a->selectors, oracle = a->oracle;
    for (int c = best + 1; c < oracle; c++)
        if (r->final_regret[c] < r->final_regret[best]) best = c;
    size_t points = (size_t)a->point_count, watched = (size_t)a->watched_count, tasks = (size_t)a->tasks;
    r->final_regret[oracle] = r->final_regret[best];
    r->final_optimal[oracle] = r->final_optimal[best];
    memcpy(r->regret + (size_t)oracle * points, r->regret + (size_t)best * points, points * sizeof *r->regret);
    memcpy(r->optimal + (size_t)oracle * points, r->optimal + (size_t)best * points, points * sizeof *r->optimal);
    if (a->tasks > 1)
        memcpy(r->task_regret + (size_t)oracle * tasks, r->task_regret + (size_t)best * tasks,
               tasks * sizeof *r->task_regret);
    memcpy(r->watched + (size_t)oracle * watched, r->watched + (size_t)best * watched, watched * sizeof *r->watched);
}

void sheet_finish(sheet *r, const agenda *a) {
    if (a->oracle >= 0) follow_best(r, a);
    double *pair = r->pairs;
    for (int i = 0; i < a->competitors; i++)
        for (int j = i + 1; j < a->competitors; j++) *pair++ = r->final_regret[i] - r->final_regret[j];
}

/* The learner that was chosen. gap + best is 1 for that learner, and 0 for the others. */
static uint16_t sheet_chosen(const double *best, const double *gap, int learners) {
    for (int m = 0; m < learners; m++)
        if (gap[m] + best[m] > 0.5) return (uint16_t)m;
    return 0;
}

void sheet_complete(sheet *r, const agenda *a) {
    size_t learners = (size_t)a->learners;
    for (size_t s = 0; s < (size_t)a->selectors; s++)
        for (size_t q = s * MATCHING_ROUNDS; q < s * MATCHING_ROUNDS + (size_t)a->matching_count[s]; q++)
            r->matching_choice[q] =
                sheet_chosen(r->matching_best + q * learners, r->matching_gap + q * learners, a->learners);
    sheet_finish(r, a);
}

/* SPDX-License-Identifier: MIT */
#include "experiment/record/recorder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/carve.h"
#include "posse_inside.h"

/* Runs whose regrets are added up at a time: their sums stay in registers. */
#define COLUMNS 8

/* Where a selector's choices in one run are counted, by learner. */
typedef struct ledger {
    double *plays, *regret;
    double *square; /* of the coefficient */
    /*
     * For a selector with a belief: plays and regrets, with the weights that the selector gives them; NULL: not needed.
     */
    double *weighed_plays, *weighed_regret; /* M */
    double *counts;                         /* M x arms: plays of each arm by each learner */
} ledger;

/*
 * The progress of a competitor in a group of runs: the rounds that it has played, and the places that are recorded
 * next.
 */
typedef struct notes {
    recorder_group runs;
    uint64_t round; /* rounds played */
    int point, watched, matching;
    double *regret;    /* of each run */
    double *before;    /* of each run: the regret of the tasks that are over */
    uint64_t *optimal; /* of each run: rounds of the last tenth with an optimal arm */
    ledger *ledgers;   /* of each run, if it is a selector */
    const posse *posse;
    bool floors;     /* a floor draws some of the arms, for which no learner is charged */
    bool weighs;     /* plays count differently from round to round */
    double discount; /* the factor by which earlier plays are multiplied after every round */
    double *weighed; /* of all ledgers: weighed plays and regrets; NULL: not needed */
    double *counts;  /* of all ledgers; NULL: not needed */
} notes;

struct recorder {
    const agenda *agenda;
    size_t sheet_count, entries;
    sheet *sheets;
    notes *notes;    /* of each competitor but the oracle */
    double *sums;    /* the regret up to each entry of a stretch */
    double *means;   /* of an instance */
    double *gaps;    /* of the instance of each sheet */
    double *charges; /* M: true charges at a matching round */
};

/* --------------------------------------------- making and freeing ------------------------------------------ */

static int players_of(const agenda *a) {
    return a->selectors + a->solos;
}

/*
 * Whether the true regrets of a selector's learners are computed as counts times gaps, as the selector computes their
 * charges. Then learners that differ only in how often they played the best arm tie exactly, as they do in theory.
 * Without separate arms there is nothing to count, and the regrets of the plays are summed.
 */
static bool counts_arms(const agenda *a, int selector) {
    return a->matching_count[selector] > 0 && a->arms > 0;
}

static size_t counts_of_run(const agenda *a) {
    return (size_t)a->learners * (size_t)a->arms;
}

static void lay_notes(recorder *r, int who, carving *c) {
    notes at = {.regret = carve(c, r->sheet_count, sizeof *at.regret),
                .before = carve(c, r->sheet_count, sizeof *at.before),
                .optimal = carve(c, r->sheet_count, sizeof *at.optimal)};
    if (who < r->agenda->selectors) {
        at.ledgers = carve(c, r->sheet_count, sizeof *at.ledgers);
        if (r->agenda->matching_count[who] > 0)
            at.weighed = carve(c, 2 * r->sheet_count * (size_t)r->agenda->learners, sizeof *at.weighed);
        if (counts_arms(r->agenda, who))
            at.counts = carve(c, r->sheet_count * counts_of_run(r->agenda), sizeof *at.counts);
    }
    if (r->notes != NULL) r->notes[who] = at;
}

static void recorder_lay(recorder *r, carving *c) {
    const agenda *a = r->agenda;
    size_t arms = (size_t)a->arms;
    carve(c, 1, sizeof *r);
    r->sheets = carve(c, r->sheet_count, sizeof *r->sheets);
    r->notes = carve(c, (size_t)players_of(a), sizeof *r->notes);
    r->sums = carve(c, r->entries, sizeof *r->sums);
    r->means = carve(c, arms, sizeof *r->means);
    r->gaps = carve(c, arms * r->sheet_count, sizeof *r->gaps);
    r->charges = carve(c, (size_t)a->learners, sizeof *r->charges);
    for (int who = 0; who < players_of(a); who++) lay_notes(r, who, c);
}

recorder *recorder_make(const agenda *a, size_t sheets, size_t entries) {
    recorder shape = {.agenda = a, .sheet_count = sheets, .entries = entries};
    carving c = {0};
    recorder_lay(&shape, &c);
    recorder *r = calloc(1, c.used);
    if (r == NULL) return NULL;
    *r = shape;
    c = (carving){.base = (char *)r};
    recorder_lay(r, &c);
    for (size_t i = 0; i < sheets; i++)
        if (!sheet_open(&r->sheets[i], a)) {
            recorder_free(r);
            return NULL;
        }
    return r;
}

void recorder_free(recorder *r) {
    if (r == NULL) return;
    for (size_t i = 0; i < r->sheet_count; i++) sheet_close(&r->sheets[i]);
    free(r);
}

const sheet *recorder_sheet(const recorder *r, size_t i) {
    return &r->sheets[i];
}

/* ------------------------------------------------- beginning ------------------------------------------------ */

void recorder_meet(recorder *r, size_t i, const posse_environment *e) {
    size_t arms = (size_t)r->agenda->arms;
    double *gaps = r->gaps + i * arms;
    if (arms == 0) return;
    posse_environment_means(e, r->means);
    double best = r->means[0];
    for (size_t k = 1; k < arms; k++) best = r->means[k] > best ? r->means[k] : best;
    for (size_t k = 0; k < arms; k++) gaps[k] = best - r->means[k];
}

/* Clears the weighed plays and the counts, because a selector with a belief uses only those of one task. */
static void forget_plays(const agenda *a, notes *at) {
    size_t runs = at->runs.wanted;
    if (at->weighed != NULL) memset(at->weighed, 0, 2 * runs * (size_t)a->learners * sizeof *at->weighed);
    if (at->counts != NULL) memset(at->counts, 0, runs * counts_of_run(a) * sizeof *at->counts);
}

static void begin_selector(recorder *r, int s, notes *at) {
    size_t learners = (size_t)r->agenda->learners, row = (size_t)s * learners, counts = counts_of_run(r->agenda);
    /* Weights never fall from round to round, so if the weight of the last round is 1, all are. */
    at->weighs = posse_play_weight(at->posse, (double)r->agenda->task_rounds) != 1.0;
    at->discount = posse_play_discount(at->posse);
    at->floors = agenda_has_floor(&r->agenda->experiment->selectors[s]);
    forget_plays(r->agenda, at);
    for (size_t run = 0; run < at->runs.wanted; run++) {
        sheet *to = &r->sheets[at->runs.first + run];
        sheet_begin_team(to, r->agenda, s);
        double *weighed = at->weighed != NULL ? at->weighed + 2 * run * learners : NULL;
        at->ledgers[run] = (ledger){.plays = to->plays + row,
                                    .regret = to->learner_regret + row,
                                    .square = to->coefficient + row,
                                    .weighed_plays = weighed,
                                    .weighed_regret = weighed != NULL ? weighed + learners : NULL,
                                    .counts = at->counts != NULL ? at->counts + run * counts : NULL};
    }
}

void recorder_begin(recorder *r, int who, const recorder_group *runs, const posse *p) {
    notes *at = &r->notes[who];
    at->posse = p;
    at->runs = *runs;
    at->round = 0;
    at->point = at->watched = at->matching = 0;
    memset(at->regret, 0, runs->width * sizeof *at->regret);
    memset(at->before, 0, runs->width * sizeof *at->before);
    memset(at->optimal, 0, runs->width * sizeof *at->optimal);
    if (who < r->agenda->selectors) begin_selector(r, who, at);
}

/* ----------------------------------------- records of every competitor -------------------------------------- */

/*
 * Sums the regrets of neighbouring runs. `columns` is a constant in every call, so that the compiler can add the runs
 * in parallel.
 */
static inline void add_columns(double *restrict sums, const double *restrict regrets, double *restrict regret,
                               size_t rounds, size_t width, size_t columns) {
    double sum[COLUMNS];
    for (size_t k = 0; k < columns; k++) sum[k] = regret[k];
    for (size_t i = 0; i < rounds * width; i += width)
        for (size_t k = 0; k < columns; k++) sums[i + k] = sum[k] += regrets[i + k];
    for (size_t k = 0; k < columns; k++) regret[k] = sum[k];
}

static void add_up(recorder *r, notes *at, const double *regrets, size_t rounds) {
    size_t width = at->runs.width, run = 0;
    for (; run + COLUMNS <= width; run += COLUMNS)
        add_columns(r->sums + run, regrets + run, at->regret + run, rounds, width, COLUMNS);
    for (; run < width; run++) add_columns(r->sums + run, regrets + run, at->regret + run, rounds, width, 1);
}

static void note_points(recorder *r, int who, notes *at, const posse_trace *trace, size_t rounds) {
    const agenda *a = r->agenda;
    size_t row = (size_t)who * (size_t)a->point_count;
    bool selects = who < a->selectors;
    int end = at->point;
    while (end < a->point_count && a->points[end] <= at->round + rounds) end++;
    for (size_t run = 0; run < at->runs.wanted; run++) {
        sheet *to = &r->sheets[at->runs.first + run];
        for (int point = at->point; point < end; point++) {
            size_t i = (size_t)(a->points[point] - at->round - 1) * at->runs.width + run, k = row + (size_t)point;
            to->regret[k] = r->sums[i];
            to->optimal[k] = a->arms > 0 && trace->regrets[i] == 0.0;
            if (selects) to->choice[k] = (uint16_t)trace->learners[i];
        }
    }
    at->point = end;
}

static void recorder_note_watched(recorder *r, int who, notes *at, size_t rounds) {
    const agenda *a = r->agenda;
    size_t row = (size_t)who * (size_t)a->watched_count;
    for (; at->watched < a->watched_count && a->watched[at->watched] <= at->round + rounds; at->watched++) {
        size_t i = (size_t)(a->watched[at->watched] - at->round - 1) * at->runs.width;
        for (size_t run = 0; run < at->runs.wanted; run++)
            r->sheets[at->runs.first + run].watched[row + (size_t)at->watched] = r->sums[i + run];
    }
}

static void note_tail(const agenda *a, notes *at, const double *regrets, size_t rounds) {
    uint64_t begin = a->experiment->rounds - a->tail;
    size_t i = at->round >= begin ? 0 : begin - at->round < rounds ? (size_t)(begin - at->round) : rounds;
    for (size_t width = at->runs.width; i < rounds; i++)
        for (size_t run = 0; run < width; run++) at->optimal[run] += regrets[i * width + run] == 0.0;
}

/* --------------------------------------- records of a selector's learners ----------------------------------- */

/*
 * The charge of each learner in the true world: the regret of its plays so far, computed as counts_arms decides, times
 * its share. If means move, the true world is that of the present round, as it is for the selector. If rounds have
 * features, arms have no means of their own, so gaps are NaN and the regrets of the plays are summed. out: M numbers.
 */
static void find_true_charges(const recorder *r, int s, const notes *at, size_t run, double rounds, double *out) {
    const agenda *a = r->agenda;
    selector_team team = a->experiment->teams[s];
    const ledger *l = &at->ledgers[run];
    const double *gaps = r->gaps + (at->runs.first + run) * (size_t)a->arms;
    bool counted = l->counts != NULL && !isnan(gaps[0]);
    for (int k = 0; k < team.count; k++) {
        int m = team.learners[k];
        out[m] = counted ? 0.0 : l->weighed_regret[m];
        for (int i = 0; i < a->arms && counted; i++)
            out[m] += l->counts[(size_t)m * (size_t)a->arms + (size_t)i] * gaps[i];
        out[m] *= posse_charge_share(at->posse, rounds, l->weighed_plays[m]);
    }
}

/* Records which learner is truly best just before a choice, and which learner is chosen. */
static void note_matching(recorder *r, int s, const notes *at, size_t run, double rounds, int chosen) {
    find_true_charges(r, s, at, run, rounds, r->charges);
    /* Until it is charged for a play, a learner comes next whatever is true. A floor may have drawn its first plays. */
    if (at->ledgers[run].weighed_plays[chosen] == 0.0) r->charges[chosen] = -1.0;
    sheet_match(&r->sheets[at->runs.first + run], r->agenda, s, at->matching, r->charges, chosen);
}

/*
 * The coefficient, max of regret / sqrt(l), is kept as its square: it can only rise where regret^2 exceeds square * l,
 * and so a round costs no root and no division.
 */
static inline void note_choice(const ledger *l, size_t learner, double regret) {
    double plays = l->plays[learner] += 1.0, sum = l->regret[learner] += regret;
    if (sum * sum > l->square[learner] * plays) l->square[learner] = sum * sum / plays;
}

/* The part of a play that its learner is charged for. */
static inline void note_charge(const ledger *l, size_t learner, double regret, size_t arm, size_t arms, double weight) {
    if (l->weighed_plays == NULL) return;
    l->weighed_plays[learner] += weight;
    l->weighed_regret[learner] += weight * regret;
    if (l->counts != NULL) l->counts[learner * arms + arm] += weight;
}

/* Discounts everything that has been counted so far. */
static void recorder_fade(const ledger *l, size_t learners, size_t arms, double discount) {
    if (l->weighed_plays == NULL) return;
    for (size_t m = 0; m < learners; m++) {
        l->weighed_plays[m] *= discount;
        l->weighed_regret[m] *= discount;
    }
    for (size_t i = 0; i < learners * arms && l->counts != NULL; i++) l->counts[i] *= discount;
}

static void note_choices(recorder *r, int s, notes *at, const posse_trace *trace, size_t rounds) {
    const agenda *a = r->agenda;
    const uint64_t *matching = a->matching + s * MATCHING_ROUNDS;
    size_t arms = (size_t)a->arms, wanted = at->runs.wanted;
    for (size_t round = 0; round < rounds; round++) {
        size_t i = round * at->runs.width;
        bool matches = at->matching < a->matching_count[s] && matching[at->matching] == at->round + round + 1;
        double before = (double)((at->round + round) % a->task_rounds),
               weight = at->weighs ? posse_play_weight(at->posse, before) : 1.0;
        for (size_t run = 0; run < wanted && matches; run++)
            note_matching(r, s, at, run, before, trace->learners[i + run]);
        at->matching += matches;
        for (size_t run = 0; run < wanted; run++) {
            size_t learner = (size_t)trace->learners[i + run];
            note_choice(&at->ledgers[run], learner, trace->regrets[i + run]);
            if (at->floors && trace->floors[i + run]) continue;
            note_charge(&at->ledgers[run], learner, trace->regrets[i + run], (size_t)trace->arms[i + run], arms,
                        weight);
        }
        for (size_t run = 0; run < wanted && at->discount != 1.0; run++)
            recorder_fade(&at->ledgers[run], (size_t)a->learners, arms, at->discount);
    }
}

/* --------------------------------------------- stretches, endings ------------------------------------------- */

/* A task is over. */
static void end_task(recorder *r, int who, notes *at) {
    const agenda *a = r->agenda;
    size_t place = (size_t)who * (size_t)a->tasks + (size_t)(at->round / a->task_rounds) - 1;
    for (size_t run = 0; run < at->runs.wanted; run++) {
        r->sheets[at->runs.first + run].task_regret[place] = at->regret[run] - at->before[run];
        at->before[run] = at->regret[run];
    }
    if (who < a->selectors) forget_plays(a, at);
}

size_t recorder_stretch(const recorder *r, int who, size_t most) {
    const agenda *a = r->agenda;
    const notes *at = &r->notes[who];
    if (!a->moves || who >= a->selectors || at->matching >= a->matching_count[who]) return most;
    uint64_t left = a->matching[who * MATCHING_ROUNDS + at->matching] - at->round;
    return left < most ? (size_t)left : most;
}

void recorder_take(recorder *r, int who, const posse_trace *trace, size_t rounds) {
    notes *at = &r->notes[who];
    add_up(r, at, trace->regrets, rounds);
    note_points(r, who, at, trace, rounds);
    recorder_note_watched(r, who, at, rounds);
    note_tail(r->agenda, at, trace->regrets, rounds);
    if (who < r->agenda->selectors) note_choices(r, who, at, trace, rounds);
    at->round += rounds;
    if (r->agenda->tasks > 1 && at->round % r->agenda->task_rounds == 0) end_task(r, who, at);
}

void recorder_end(recorder *r, int who, double clipped) {
    const agenda *a = r->agenda;
    const notes *at = &r->notes[who];
    for (size_t run = 0; run < at->runs.wanted; run++) {
        sheet *to = &r->sheets[at->runs.first + run];
        if (who < a->selectors) sheet_end_team(to, a, who, clipped);
        to->final_regret[who] = at->regret[run];
        to->final_optimal[who] = a->arms > 0 ? (double)at->optimal[run] / (double)a->tail : NAN;
    }
}

void recorder_complete(recorder *r, size_t i) {
    sheet_finish(&r->sheets[i], r->agenda);
}

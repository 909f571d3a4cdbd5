#include "experiment/player.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/carve.h"

#define STRETCH 4096 /* rounds at a time: the trace stays in the first two levels of cache */

struct player {
    const agenda *agenda;
    player_line *line;
    posse_environment *environment;
    posse **posses;   /* selectors, then solos */
    posse_part *team; /* M: the learners of a posse in the making */

    /* A stretch of play, an entry per round. */
    int32_t *learners, *arms;
    double *regrets, *sums;

    /* The instance, and what the learners of the selector that is playing have done in it. */
    double *means, *gaps;
    uint32_t *counts; /* M x arms: plays of each arm by each learner */
    double *least;    /* M: true regrets at a matching round */
};

/* A competitor in the middle of a run: how far it is, and which of the things to be written down come next. */
typedef struct progress {
    int competitor;
    uint64_t round; /* rounds played */
    double regret;
    uint64_t optimal; /* rounds of the last tenth with an optimal arm */
    int point, watched, matching;
} progress;

/* --------------------------------------------- making and freeing ------------------------------------------ */

static void lay(player *p, carving *c) {
    const agenda *a = p->agenda;
    size_t arms = (size_t)a->arms, learners = (size_t)a->learners;
    carve(c, 1, sizeof *p);
    p->posses = carve(c, (size_t)(a->selectors + a->solos), sizeof *p->posses);
    p->team = carve(c, learners, sizeof *p->team);
    p->learners = carve(c, STRETCH, sizeof *p->learners);
    p->arms = carve(c, STRETCH, sizeof *p->arms);
    p->regrets = carve(c, STRETCH, sizeof *p->regrets);
    p->sums = carve(c, STRETCH, sizeof *p->sums);
    p->means = carve(c, arms, sizeof *p->means);
    p->gaps = carve(c, arms, sizeof *p->gaps);
    p->counts = carve(c, a->selectors > 0 ? learners * arms : 0, sizeof *p->counts);
    p->least = carve(c, learners, sizeof *p->least);
}

/* A learner alone is a posse without a selector. It has its name still, and so the same randomness. */
static posse_error make_posse(player *p, int place) {
    const agenda *a = p->agenda;
    const experiment *e = a->experiment;
    posse_def def = posse_environment_def(p->environment);
    bool alone = place >= a->selectors;
    int solo = place - a->selectors;
    selector_team team = alone ? (selector_team){&solo, 1} : e->teams[place];
    for (int k = 0; k < team.count; k++) p->team[k] = e->learners[team.learners[k]];
    def.selector = alone ? (posse_part){0} : e->selectors[place];
    def.learners = p->team;
    def.learner_count = team.count;
    def.rounds = e->rounds;
    return posse_create(&def, &p->posses[place]);
}

posse_error player_make(const agenda *a, player_line *line, const posse_logger *log, player **out) {
    player shape = {.agenda = a, .line = line};
    carving c = {0};
    lay(&shape, &c);
    player *p = *out = calloc(1, c.used);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = shape;
    c = (carving){.base = (char *)p};
    lay(p, &c);
    posse_host host = {.log = *log};
    const experiment *e = a->experiment;
    posse_error error = posse_environment_create(&e->environment, e->seed, &host, &p->environment);
    for (int i = 0; i < a->selectors + a->solos && error == POSSE_OK; i++) error = make_posse(p, i);
    if (error == POSSE_OK) return POSSE_OK;
    player_free(p);
    *out = NULL;
    return error;
}

void player_free(player *p) {
    if (p == NULL) return;
    for (int i = 0; i < p->agenda->selectors + p->agenda->solos; i++) posse_free(p->posses[i]);
    posse_environment_free(p->environment);
    free(p);
}

/* ------------------------------------------- what everyone leaves behind ------------------------------------ */

static void note_points(player *p, progress *at, size_t count, sheet *r) {
    const agenda *a = p->agenda;
    size_t row = (size_t)at->competitor * (size_t)a->point_count;
    bool selects = at->competitor < a->selectors;
    for (; at->point < a->point_count && a->points[at->point] <= at->round + count; at->point++) {
        size_t i = (size_t)(a->points[at->point] - at->round - 1), k = row + (size_t)at->point;
        r->regret[k] = p->sums[i];
        r->optimal[k] = a->arms > 0 && p->regrets[i] == 0.0;
        if (selects) r->choice[k] = (uint16_t)p->learners[i];
    }
}

static void note_watched(player *p, progress *at, size_t count, sheet *r) {
    const agenda *a = p->agenda;
    double *row = r->watched + (size_t)at->competitor * (size_t)a->watched_count;
    for (; at->watched < a->watched_count && a->watched[at->watched] <= at->round + count; at->watched++)
        row[at->watched] = p->sums[a->watched[at->watched] - at->round - 1];
}

static void note_tail(player *p, progress *at, size_t count) {
    uint64_t begin = p->agenda->experiment->rounds - p->agenda->tail;
    size_t i = at->round >= begin ? 0 : begin - at->round < count ? (size_t)(begin - at->round) : count;
    for (; i < count; i++) at->optimal += p->regrets[i] == 0.0;
}

static void note(player *p, progress *at, size_t count, sheet *r) {
    for (size_t i = 0; i < count; i++) p->sums[i] = at->regret += p->regrets[i];
    note_points(p, at, count, r);
    note_watched(p, at, count, r);
    note_tail(p, at, count);
}

/* --------------------------------------- what a selector's learners leave behind ---------------------------- */

/* There is nothing to be said of learners that are not in the team: not a number. */
static void begin_team(const agenda *a, int s, sheet *r) {
    size_t learners = (size_t)a->learners, row = (size_t)s * learners, matching = row * MATCHING_ROUNDS;
    selector_team team = a->experiment->teams[s];
    for (size_t m = row; m < row + learners; m++) r->plays[m] = r->inside[m] = r->coefficient[m] = NAN;
    for (size_t i = matching; i < matching + MATCHING_ROUNDS * learners; i++)
        r->matching_best[i] = r->matching_gap[i] = NAN;
    for (int k = 0; k < team.count; k++) {
        size_t m = (size_t)team.learners[k];
        r->plays[row + m] = r->inside[row + m] = r->coefficient[row + m] = 0.0;
        for (size_t i = matching + m; i < matching + MATCHING_ROUNDS * learners; i += learners)
            r->matching_best[i] = r->matching_gap[i] = 0.0;
    }
}

static void begin_selector(player *p, int s, sheet *r) {
    const agenda *a = p->agenda;
    size_t learners = (size_t)a->learners, arms = (size_t)a->arms;
    begin_team(a, s, r);
    if (a->matching_count[s] == 0 || arms == 0) return;
    memset(p->counts, 0, learners * arms * sizeof *p->counts);
    posse_environment_means(p->environment, p->means);
    double best = p->means[0];
    for (size_t i = 1; i < arms; i++) best = p->means[i] > best ? p->means[i] : best;
    for (size_t i = 0; i < arms; i++) p->gaps[i] = best - p->means[i];
}

/*
 * The regret of each learner's plays so far. With separate arms it is counts times gaps, as the selector charges it:
 * learners that differ only in how often they played the best arm then tie exactly, as they do on paper.
 */
static void true_regrets(player *p, int s, const sheet *r, double *out) {
    const agenda *a = p->agenda;
    selector_team team = a->experiment->teams[s];
    for (int k = 0; k < team.count; k++) {
        int m = team.learners[k];
        out[m] = a->arms > 0 ? 0.0 : r->inside[s * a->learners + m];
        const uint32_t *counts = p->counts + (size_t)m * (size_t)a->arms;
        for (int i = 0; i < a->arms; i++) out[m] += (double)counts[i] * p->gaps[i];
    }
}

/* Who is best in truth just before a choice, and who is chosen. */
static void note_matching(player *p, progress *at, int chosen, sheet *r) {
    const agenda *a = p->agenda;
    int s = at->competitor;
    selector_team team = a->experiment->teams[s];
    size_t place = (size_t)s * MATCHING_ROUNDS + (size_t)at->matching++, learners = (size_t)a->learners;
    double *best = r->matching_best + place * learners, *gap = r->matching_gap + place * learners;
    true_regrets(p, s, r, p->least);
    double least = INFINITY, ties = 0.0;
    for (int k = 0; k < team.count; k++) {
        double own = p->least[team.learners[k]];
        ties = own < least ? 1.0 : own == least ? ties + 1.0 : ties;
        least = own < least ? own : least;
    }
    for (int k = 0; k < team.count; k++) {
        int m = team.learners[k];
        best[m] = p->least[m] == least ? 1.0 / ties : 0.0;
        gap[m] = (m == chosen ? 1.0 : 0.0) - best[m];
    }
    r->matching_choice[place] = (uint16_t)chosen;
}

/*
 * The coefficient, max of regret / sqrt(l), is kept as its square: it can only rise where regret^2 exceeds square * l,
 * and so a round costs no root and no division.
 */
static void note_choices(player *p, progress *at, size_t count, sheet *r) {
    const agenda *a = p->agenda;
    int s = at->competitor;
    size_t row = (size_t)s * (size_t)a->learners, arms = a->matching_count[s] > 0 ? (size_t)a->arms : 0;
    double *plays = r->plays + row, *inside = r->inside + row, *square = r->coefficient + row;
    const uint64_t *matching = a->matching + s * MATCHING_ROUNDS;
    for (size_t i = 0; i < count; i++) {
        size_t m = (size_t)p->learners[i];
        if (at->matching < a->matching_count[s] && matching[at->matching] == at->round + i + 1)
            note_matching(p, at, (int)m, r);
        plays[m] += 1.0;
        inside[m] += p->regrets[i];
        if (inside[m] * inside[m] > square[m] * plays[m]) square[m] = inside[m] * inside[m] / plays[m];
        if (arms > 0) p->counts[m * arms + (size_t)p->arms[i]]++;
    }
}

static void finish_selector(player *p, int s, sheet *r) {
    const agenda *a = p->agenda;
    selector_team team = a->experiment->teams[s];
    double best = INFINITY;
    for (int k = 0; k < team.count; k++) {
        size_t at = (size_t)s * (size_t)a->learners + (size_t)team.learners[k];
        r->coefficient[at] = sqrt(r->coefficient[at]);
        if (r->plays[at] > 0.0 && r->coefficient[at] < best) best = r->coefficient[at];
    }
    r->best_coefficient[s] = best;
    uint64_t clipped;
    if (a->ranges > 0) r->clipped[s] = posse_clipped(p->posses[s], &clipped) == POSSE_OK ? (double)clipped : NAN;
}

/* --------------------------------------------------- a run -------------------------------------------------- */

/* A posse counts its own learners; from here on they are the experiment's. */
static void name_choices(player *p, int s, size_t count) {
    const int *learners = p->agenda->experiment->teams[s].learners;
    for (size_t i = 0; i < count; i++) p->learners[i] = learners[p->learners[i]];
}

static posse_error play_one(player *p, int who, uint32_t run, sheet *r) {
    const agenda *a = p->agenda;
    uint64_t rounds = a->experiment->rounds;
    bool selects = who < a->selectors;
    posse_trace trace = {selects ? p->learners : NULL, selects ? p->arms : NULL, p->regrets};
    progress at = {.competitor = who};
    posse_environment_begin(p->environment, run);
    posse_error error = posse_restart(p->posses[who], run);
    if (selects) begin_selector(p, who, r);
    while (at.round < rounds && error == POSSE_OK && !atomic_load(&p->line->halt)) {
        size_t count = rounds - at.round < STRETCH ? (size_t)(rounds - at.round) : STRETCH;
        error = posse_play(p->posses[who], p->environment, count, &trace);
        if (error != POSSE_OK) break;
        if (selects) name_choices(p, who, count);
        note(p, &at, count, r);
        if (selects) note_choices(p, &at, count, r);
        at.round += count;
        atomic_fetch_add(&p->line->rounds, count);
    }
    if (selects) finish_selector(p, who, r);
    r->final_regret[who] = at.regret;
    r->final_optimal[who] = a->arms > 0 ? (double)at.optimal / (double)a->tail : NAN;
    return error;
}

bool player_play(player *p, uint32_t run, sheet *r, posse_error *error, int *who) {
    const agenda *a = p->agenda;
    *error = POSSE_OK;
    for (int c = 0; c < a->selectors + a->solos; c++) {
        *who = c;
        *error = play_one(p, c, run, r);
        if (*error != POSSE_OK || atomic_load(&p->line->halt)) return false;
    }
    sheet_finish(r, a);
    return true;
}

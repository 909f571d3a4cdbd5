#include "experiment/play/player.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/base/carve.h"

/* Entries of a trace at a time, one for each round and run: they stay in the first two levels of cache. */
#define ABREAST_RUNS 16 /* posse_abreast_width */
#define ABREAST_STRETCH 128

#define STRETCH 4096

/* A group of fewer runs than this is played run by run: empty places cost as much as full ones. */
#define GROUP_LEAST (ABREAST_RUNS / 2)

/* Abreast every run has its own counts; with more than this to a run, that would take too much memory. */
#define COUNTS_MOST 16384

struct player {
    const agenda *agenda;
    player_line *line;
    posse_environment *environment;
    posse **posses;   /* selectors, then solos */
    posse_part *team; /* M: the learners of a posse in the making */

    posse_abreast *abreast; /* NULL: nobody can play runs abreast */
    int *abreast_place;     /* of each posse among those abreast, or -1 */
    struct progress *abreast_progress;
    sheet sheets[ABREAST_RUNS];

    /* A stretch of play, an entry per round and run. */
    int32_t *learners, *arms;
    double *regrets, *sums;

    double *means;
    double *gaps;             /* of each run's instance */
    uint32_t *counts;         /* of the selector that plays run by run */
    uint32_t *abreast_counts; /* of each selector that plays abreast, and each run */
    double *least;            /* M: true regrets at a matching round */
};

/*
 * A competitor in the middle of some runs, one or ABREAST_RUNS of them: how far it is, and which of the things to be
 * written down come next. Of the ABREAST_RUNS runs only the first so many may be wanted.
 */
typedef struct progress {
    int competitor;
    size_t width;   /* runs, and entries of a round in a trace */
    size_t wanted;  /* runs, from the first */
    size_t first;   /* the sheet of the first run */
    uint64_t round; /* rounds played */
    int point, watched, matching;
    double regret[ABREAST_RUNS];
    uint64_t optimal[ABREAST_RUNS]; /* rounds of the last tenth with an optimal arm */
    uint32_t *counts;               /* width x M x arms: plays of each arm by each learner; NULL: nobody asks */
} progress;

/* --------------------------------------------- making and freeing ------------------------------------------ */

/* Numbers of plays that so many selectors leave in a run. */
static size_t run_counts(const agenda *a, int selectors) {
    return (size_t)selectors * (size_t)a->learners * (size_t)a->arms;
}

/* What the agenda allows, whether or not the competitors can. */
static size_t runs_at_once(const agenda *a) {
    return a->arms > 0 && run_counts(a, a->selectors) <= COUNTS_MOST ? ABREAST_RUNS : 1;
}

static void lay(player *p, carving *c) {
    const agenda *a = p->agenda;
    size_t arms = (size_t)a->arms, learners = (size_t)a->learners;
    carve(c, 1, sizeof *p);
    p->posses = carve(c, (size_t)(a->selectors + a->solos), sizeof *p->posses);
    p->team = carve(c, learners, sizeof *p->team);
    p->abreast_place = carve(c, (size_t)(a->selectors + a->solos), sizeof *p->abreast_place);
    p->abreast_progress = carve(c, (size_t)(a->selectors + a->solos), sizeof *p->abreast_progress);
    p->learners = carve(c, STRETCH, sizeof *p->learners);
    p->arms = carve(c, STRETCH, sizeof *p->arms);
    p->regrets = carve(c, STRETCH, sizeof *p->regrets);
    p->sums = carve(c, STRETCH, sizeof *p->sums);
    p->means = carve(c, arms, sizeof *p->means);
    p->gaps = carve(c, arms * runs_at_once(a), sizeof *p->gaps);
    p->counts = carve(c, a->selectors > 0 ? learners * arms : 0, sizeof *p->counts);
    p->abreast_counts =
        carve(c, runs_at_once(a) > 1 ? run_counts(a, a->selectors) * ABREAST_RUNS : 0, sizeof *p->counts);
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

/* Whoever can, joins. */
static posse_error make_abreast(player *p) {
    const agenda *a = p->agenda;
    int joined = 0, posses = a->selectors + a->solos;
    for (int i = 0; i < posses; i++) p->abreast_place[i] = -1;
    if (runs_at_once(a) == 1) return POSSE_OK;
    posse_error error = posse_abreast_create(p->environment, &p->abreast);
    if (error == POSSE_ERROR_ABSENT) return POSSE_OK;
    for (int i = 0; i < posses && error == POSSE_OK; i++) {
        error = posse_abreast_add(p->abreast, p->posses[i]);
        if (error == POSSE_OK) p->abreast_place[i] = joined++;
        if (error == POSSE_ERROR_ABSENT) error = POSSE_OK;
    }
    if (joined > 0) return error;
    posse_abreast_free(p->abreast);
    p->abreast = NULL;
    return error;
}

static posse_error make_sheets(player *p) {
    for (uint32_t i = 0; i < player_runs(p); i++)
        if (!sheet_open(&p->sheets[i], p->agenda)) return POSSE_ERROR_MEMORY;
    return POSSE_OK;
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
    if (error == POSSE_OK) error = make_abreast(p);
    if (error == POSSE_OK) error = make_sheets(p);
    if (error == POSSE_OK) return POSSE_OK;
    player_free(p);
    *out = NULL;
    return error;
}

void player_free(player *p) {
    if (p == NULL) return;
    for (int i = 0; i < ABREAST_RUNS; i++) sheet_close(&p->sheets[i]);
    posse_abreast_free(p->abreast);
    for (int i = 0; i < p->agenda->selectors + p->agenda->solos; i++) posse_free(p->posses[i]);
    posse_environment_free(p->environment);
    free(p);
}

uint32_t player_runs(const player *p) {
    return p->abreast != NULL ? ABREAST_RUNS : 1;
}

const sheet *player_sheet(const player *p, uint32_t i) {
    return &p->sheets[i];
}

/* ------------------------------------------- what everyone leaves behind ------------------------------------ */

static void note_points(player *p, progress *at, size_t count) {
    const agenda *a = p->agenda;
    size_t row = (size_t)at->competitor * (size_t)a->point_count;
    bool selects = at->competitor < a->selectors;
    int end = at->point;
    while (end < a->point_count && a->points[end] <= at->round + count) end++;
    for (size_t run = 0; run < at->wanted; run++) {
        sheet *r = &p->sheets[at->first + run];
        for (int point = at->point; point < end; point++) {
            size_t i = (size_t)(a->points[point] - at->round - 1) * at->width + run, k = row + (size_t)point;
            r->regret[k] = p->sums[i];
            r->optimal[k] = a->arms > 0 && p->regrets[i] == 0.0;
            if (selects) r->choice[k] = (uint16_t)p->learners[i];
        }
    }
    at->point = end;
}

static void note_watched(player *p, progress *at, size_t count) {
    const agenda *a = p->agenda;
    size_t row = (size_t)at->competitor * (size_t)a->watched_count;
    for (; at->watched < a->watched_count && a->watched[at->watched] <= at->round + count; at->watched++) {
        size_t i = (size_t)(a->watched[at->watched] - at->round - 1) * at->width;
        for (size_t run = 0; run < at->wanted; run++)
            p->sheets[at->first + run].watched[row + (size_t)at->watched] = p->sums[i + run];
    }
}

static void note_tail(player *p, progress *at, size_t count) {
    uint64_t begin = p->agenda->experiment->rounds - p->agenda->tail;
    size_t i = at->round >= begin ? 0 : begin - at->round < count ? (size_t)(begin - at->round) : count;
    for (; i < count; i++)
        for (size_t run = 0; run < at->width; run++) at->optimal[run] += p->regrets[i * at->width + run] == 0.0;
}

/* Sums of each run. The width is a constant where this is called, so that runs are summed side by side. */
static inline void add_up(player *p, progress *at, size_t count, size_t width) {
    for (size_t i = 0; i < count; i++)
        for (size_t run = 0; run < width; run++)
            p->sums[i * width + run] = at->regret[run] += p->regrets[i * width + run];
}

static void note(player *p, progress *at, size_t count) {
    if (at->width == 1)
        add_up(p, at, count, 1);
    else
        add_up(p, at, count, ABREAST_RUNS);
    note_points(p, at, count);
    note_watched(p, at, count);
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

/* The gaps of the instance that the environment is at. */
static void note_gaps(player *p, double *gaps) {
    size_t arms = (size_t)p->agenda->arms;
    if (arms == 0) return;
    posse_environment_means(p->environment, p->means);
    double best = p->means[0];
    for (size_t i = 1; i < arms; i++) best = p->means[i] > best ? p->means[i] : best;
    for (size_t i = 0; i < arms; i++) gaps[i] = best - p->means[i];
}

static void begin_selector(player *p, progress *at) {
    const agenda *a = p->agenda;
    int s = at->competitor;
    for (size_t run = 0; run < at->wanted; run++) begin_team(a, s, &p->sheets[at->first + run]);
    if (at->counts != NULL) memset(at->counts, 0, at->width * run_counts(a, 1) * sizeof *at->counts);
}

/*
 * The regret of each learner's plays so far. With separate arms it is counts times gaps, as the selector charges it:
 * learners that differ only in how often they played the best arm then tie exactly, as they do on paper.
 */
static void true_regrets(const player *p, const progress *at, size_t run, double *out) {
    const agenda *a = p->agenda;
    selector_team team = a->experiment->teams[at->competitor];
    const double *inside = p->sheets[at->first + run].inside + at->competitor * a->learners;
    const double *gaps = p->gaps + run * (size_t)a->arms;
    for (int k = 0; k < team.count; k++) {
        int m = team.learners[k];
        out[m] = a->arms > 0 ? 0.0 : inside[m];
        const uint32_t *counts = at->counts + run * run_counts(a, 1) + (size_t)m * (size_t)a->arms;
        for (int i = 0; i < a->arms; i++) out[m] += (double)counts[i] * gaps[i];
    }
}

/* Who is best in truth just before a choice, and who is chosen. */
static void note_matching(player *p, const progress *at, size_t run, int chosen) {
    const agenda *a = p->agenda;
    int s = at->competitor;
    sheet *r = &p->sheets[at->first + run];
    selector_team team = a->experiment->teams[s];
    size_t place = (size_t)s * MATCHING_ROUNDS + (size_t)at->matching, learners = (size_t)a->learners;
    double *best = r->matching_best + place * learners, *gap = r->matching_gap + place * learners;
    true_regrets(p, at, run, p->least);
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

/* Where a selector's choices in one run are counted, by learner. */
typedef struct ledger {
    double *plays, *inside, *square;
    uint32_t *counts; /* by arm too; NULL: nobody asks */
} ledger;

static ledger ledger_of(const player *p, const progress *at, size_t run) {
    const agenda *a = p->agenda;
    const sheet *r = &p->sheets[at->first + run];
    size_t row = (size_t)at->competitor * (size_t)a->learners;
    bool counts = at->counts != NULL && a->arms > 0;
    return (ledger){r->plays + row, r->inside + row, r->coefficient + row,
                    counts ? at->counts + run * run_counts(a, 1) : NULL};
}

/*
 * The coefficient, max of regret / sqrt(l), is kept as its square: it can only rise where regret^2 exceeds square * l,
 * and so a round costs no root and no division.
 */
static inline void note_choice(const ledger *l, size_t learner, double regret, size_t arm, size_t arms) {
    double plays = l->plays[learner] += 1.0, inside = l->inside[learner] += regret;
    if (inside * inside > l->square[learner] * plays) l->square[learner] = inside * inside / plays;
    if (l->counts != NULL) l->counts[learner * arms + arm]++;
}

static void note_choices(player *p, progress *at, size_t count) {
    const agenda *a = p->agenda;
    int s = at->competitor;
    const uint64_t *matching = a->matching + s * MATCHING_ROUNDS;
    size_t arms = (size_t)a->arms, wanted = at->wanted;
    ledger ledgers[ABREAST_RUNS];
    for (size_t run = 0; run < wanted; run++) ledgers[run] = ledger_of(p, at, run);
    for (size_t round = 0; round < count; round++) {
        size_t i = round * at->width;
        bool matches = at->matching < a->matching_count[s] && matching[at->matching] == at->round + round + 1;
        for (size_t run = 0; run < wanted && matches; run++) note_matching(p, at, run, p->learners[i + run]);
        at->matching += matches;
        for (size_t run = 0; run < wanted; run++)
            note_choice(&ledgers[run], (size_t)p->learners[i + run], p->regrets[i + run], (size_t)p->arms[i + run],
                        arms);
    }
}

static void finish_selector(const player *p, int s, sheet *r) {
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

/* --------------------------------------------------- runs --------------------------------------------------- */

static posse_trace trace_for(const player *p, const progress *at) {
    bool selects = at->competitor < p->agenda->selectors;
    return (posse_trace){selects ? p->learners : NULL, selects ? p->arms : NULL, p->regrets};
}

/* A posse counts its own learners; from here on they are the experiment's. */
static void name_choices(player *p, int s, size_t count) {
    const int *learners = p->agenda->experiment->teams[s].learners;
    for (size_t i = 0; i < count; i++) p->learners[i] = learners[p->learners[i]];
}

/* Writes down a stretch that has been played. */
static void note_stretch(player *p, progress *at, size_t count) {
    bool selects = at->competitor < p->agenda->selectors;
    if (selects) name_choices(p, at->competitor, count * at->width);
    note(p, at, count);
    if (selects) note_choices(p, at, count);
    at->round += count;
    atomic_fetch_add(&p->line->rounds, count * at->wanted);
}

static void finish(player *p, const progress *at) {
    const agenda *a = p->agenda;
    int who = at->competitor;
    for (size_t run = 0; run < at->wanted; run++) {
        sheet *r = &p->sheets[at->first + run];
        if (who < a->selectors) finish_selector(p, who, r);
        r->final_regret[who] = at->regret[run];
        r->final_optimal[who] = a->arms > 0 ? (double)at->optimal[run] / (double)a->tail : NAN;
    }
}

static size_t stretch_of(const player *p, const progress *at, size_t most) {
    uint64_t left = p->agenda->experiment->rounds - at->round;
    return left < most ? (size_t)left : most;
}

static bool halted(const player *p) {
    return atomic_load(&p->line->halt);
}

/* A competitor plays a run, of which p->sheets[i] tells. */
static posse_error play_one(player *p, int who, uint32_t run, size_t i) {
    const agenda *a = p->agenda;
    progress at = {.competitor = who, .first = i, .width = 1, .wanted = 1};
    posse_trace trace = trace_for(p, &at);
    posse_environment_begin(p->environment, run);
    posse_error error = posse_restart(p->posses[who], run);
    if (who < a->selectors) {
        if (a->matching_count[who] > 0) at.counts = p->counts;
        note_gaps(p, p->gaps);
        begin_selector(p, &at);
    }
    while (at.round < a->experiment->rounds && error == POSSE_OK && !halted(p)) {
        size_t count = stretch_of(p, &at, STRETCH);
        error = posse_play(p->posses[who], p->environment, count, &trace);
        if (error == POSSE_OK) note_stretch(p, &at, count);
    }
    finish(p, &at);
    return error;
}

static void begin_abreast(player *p, uint32_t first, uint32_t count) {
    const agenda *a = p->agenda;
    for (uint32_t run = 0; run < count; run++) {
        posse_environment_begin(p->environment, first + run);
        note_gaps(p, p->gaps + run * (size_t)a->arms);
    }
    for (int c = 0; c < a->selectors + a->solos; c++) {
        progress *at = &p->abreast_progress[c];
        *at = (progress){.competitor = c, .width = ABREAST_RUNS, .wanted = count};
        if (p->abreast_place[c] < 0 || c >= a->selectors) continue;
        if (a->matching_count[c] > 0) at->counts = p->abreast_counts + run_counts(a, c) * ABREAST_RUNS;
        begin_selector(p, at);
    }
}

/*
 * Everyone who can plays a stretch of all runs before the next begins, so that its noise is made once. No stretch can
 * go wrong: the group has looked at everything before.
 */
static posse_error play_abreast(player *p, uint32_t first, uint32_t count) {
    const agenda *a = p->agenda;
    posse_error error = posse_abreast_begin(p->abreast, first);
    begin_abreast(p, first, count);
    for (uint64_t round = 0; round < a->experiment->rounds && error == POSSE_OK && !halted(p); round += ABREAST_STRETCH)
        for (int c = 0; c < a->selectors + a->solos && error == POSSE_OK; c++) {
            if (p->abreast_place[c] < 0) continue;
            progress *at = &p->abreast_progress[c];
            size_t rounds = stretch_of(p, at, ABREAST_STRETCH);
            posse_trace trace = trace_for(p, at);
            error = posse_abreast_play(p->abreast, p->abreast_place[c], rounds, &trace);
            if (error == POSSE_OK) note_stretch(p, at, rounds);
        }
    for (int c = 0; c < a->selectors + a->solos; c++)
        if (p->abreast_place[c] >= 0) finish(p, &p->abreast_progress[c]);
    return error;
}

bool player_play(player *p, uint32_t first, uint32_t count, player_stop *stop) {
    const agenda *a = p->agenda;
    bool abreast = p->abreast != NULL && count >= GROUP_LEAST;
    *stop = (player_stop){.run = first};
    if (abreast) stop->error = play_abreast(p, first, count);
    for (uint32_t i = 0; i < count; i++) {
        for (int c = 0; c < a->selectors + a->solos && stop->error == POSSE_OK && !halted(p); c++) {
            if (abreast && p->abreast_place[c] >= 0) continue;
            stop->run = first + i;
            stop->competitor = c;
            stop->error = play_one(p, c, first + i, i);
        }
        if (stop->error != POSSE_OK || halted(p)) return false;
        sheet_finish(&p->sheets[i], a);
    }
    return true;
}

/* SPDX-License-Identifier: MIT */
#include "experiment/record/agenda.h"

#include <stdlib.h>
#include <string.h>

#include "common/carve.h"
#include "posse_extend.h"

#define POINTS_MAX 1000
#define BLOCKS_WANTED 64                /* enough to keep many threads busy to the end */
#define BLOCK_RUNS_MAX 64               /* long enough that handing a block over costs nothing */
#define BLOCK_BYTES ((size_t)4 << 20)   /* about how much the curves in a block may take */
#define CURVE_BYTES ((size_t)128 << 20) /* how much all curves in results.h5 may take, before compression */

const char *competitor_role_name(competitor_role role) {
    static const char *const names[] = {[ROLE_SELECTOR] = "selector",
                                        [ROLE_LEARNER] = "learner",
                                        [ROLE_ORACLE] = "oracle",
                                        [ROLE_LOG] = EXPERIMENT_LOG};
    return names[role];
}

/* ------------------------------------------------ selectors ------------------------------------------------ */

static bool agenda_believes(const posse_part *selector) {
    return posse_kind_traits(POSSE_FAMILY_SELECTOR, posse_kind_find(POSSE_FAMILY_SELECTOR, selector->kind)) &
           POSSE_TRAIT_BELIEVES;
}

static unsigned agenda_environment_traits(const posse_part *environment) {
    return posse_kind_traits(POSSE_FAMILY_ENVIRONMENT, posse_kind_find(POSSE_FAMILY_ENVIRONMENT, environment->kind));
}

const double *agenda_range(const agenda *a, int selector) {
    const posse_option *range =
        posse_part_option_of_type(POSSE_FAMILY_SELECTOR, &a->experiment->selectors[selector], POSSE_TYPE_RANGE);
    return range != NULL ? range->list : NULL;
}

/* ------------------------------------------------- rounds -------------------------------------------------- */

static void spread_points(agenda *a) {
    uint64_t rounds = a->experiment->rounds, count = (uint64_t)a->point_count;
    /* floor(k T / P), arranged so that nothing overflows. */
    for (uint64_t k = 1; k <= count; k++) a->points[k - 1] = rounds / count * k + rounds % count * k / count;
}

static uint64_t batch_of(const posse_part *selector) {
    return (uint64_t)posse_part_option(selector, "batch")->number; /* every selector has it */
}

bool agenda_has_floor(const posse_part *selector) {
    return posse_part_option(selector, "floor")->number > 0.0; /* every selector has it */
}

static bool is_all(const posse_option *o) {
    return o != NULL && o->word != NULL;
}

/*
 * Whether a selector with a belief computes the charges that the lemma is about. If rounds have features, it does so
 * only with its whole history and a new world for every choice (docs/theory.md, Theorem 21).
 */
static bool agenda_charges_exactly(const agenda *a, const posse_part *selector) {
    if (!a->experiment->features) return true;
    const posse_option *candidates = posse_part_option(selector, "candidates"),
                       *consider = posse_part_option(selector, "consider");
    return is_all(posse_part_option(selector, "memory")) && posse_part_option(selector, "hold")->number == 0.0 &&
           (candidates == NULL || is_all(candidates)) && (consider == NULL || consider->number == 0.0);
}

/*
 * At most ten choices, spread evenly on a log scale, from the first one after every learner had its first turn to the
 * last one. The records of a choice hold at the moment when it is made, so with batches the round is the first of its
 * batch. The choices are those of the last task, in which a belief that learns across tasks has learned the most.
 */
static int spread_matching(const agenda *a, int s, uint64_t *rounds) {
    const posse_part *selector = &a->experiment->selectors[s];
    if (!agenda_believes(selector) || !agenda_charges_exactly(a, selector) || a->logged) return 0;
    uint64_t batch = batch_of(selector), choices = (a->task_rounds - 1) / batch + 1;
    uint64_t first = (uint64_t)a->experiment->teams[s].count + 1, last = 0;
    uint64_t before = a->experiment->rounds - a->task_rounds;
    if (choices < first) return 0;
    double low = posse_log((double)first), span = posse_log((double)choices) - low;
    int count = 0;
    for (int q = 0; q < MATCHING_ROUNDS; q++) {
        uint64_t choice = (uint64_t)(posse_exp(low + span * q / (MATCHING_ROUNDS - 1)) + 0.5);
        if (choice > choices || q == MATCHING_ROUNDS - 1) choice = choices;
        if (choice <= last) continue;
        last = choice;
        rounds[count++] = before + (choice - 1) * batch + 1;
    }
    return count;
}

static size_t agenda_count_terms(const experiment *e) {
    size_t count = 0;
    for (int i = 0; i < e->claim_count; i++) count += e->claims[i].term_count;
    return count;
}

static int agenda_ascending(const void *a_, const void *b_) {
    uint64_t a = *(const uint64_t *)a_, b = *(const uint64_t *)b_;
    return (a > b) - (a < b);
}

static void watch_claims(agenda *a) {
    const experiment *e = a->experiment;
    int count = 0;
    for (int i = 0; i < e->claim_count; i++)
        for (size_t k = 0; k < e->claims[i].term_count; k++) {
            const claim_term *term = &e->claims[i].terms[k];
            if (term->round > 0) a->watched[count++] = term->round;
        }
    if (count > 0) qsort(a->watched, (size_t)count, sizeof *a->watched, agenda_ascending);
    for (int i = 0; i < count; i++)
        if (i == 0 || a->watched[i] != a->watched[a->watched_count - 1]) a->watched[a->watched_count++] = a->watched[i];
}

/* ------------------------------------------- competitors, blocks ------------------------------------------- */

static void list_competitors(agenda *a) {
    const experiment *e = a->experiment;
    competitor *next = a->competitor;
    for (int i = 0; i < e->selector_count; i++)
        *next++ = (competitor){e->selectors[i].name, ROLE_SELECTOR, e->selectors[i].kind};
    for (int i = 0; i < a->solos; i++) *next++ = (competitor){e->learners[i].name, ROLE_LEARNER, e->learners[i].kind};
    if (a->oracle >= 0) *next = (competitor){"oracle", ROLE_ORACLE, "oracle"};
    if (a->log >= 0) *next = (competitor){EXPERIMENT_LOG, ROLE_LOG, EXPERIMENT_LOG};
}

/* All values at T, and those that claims name at other rounds, each once. */
static void list_values(agenda *a) {
    const experiment *e = a->experiment;
    if (!a->logged) return;
    for (int c = 0; c < a->competitors; c++) a->values[a->value_count++] = (agenda_value){c, e->rounds};
    for (int i = 0; i < e->claim_count; i++)
        for (size_t k = 0; k < e->claims[i].term_count; k++) {
            const claim_term *term = &e->claims[i].terms[k];
            agenda_value value = {term->name != NULL ? agenda_find(a, term->name) : -1, term->round};
            if (value.competitor >= 0 && value.round > 0 && agenda_find_value(a, value) < 0)
                a->values[a->value_count++] = value;
        }
}

static uint32_t agenda_clamp(size_t value, uint32_t most) {
    if (value < 1) return 1;
    return value < most ? (uint32_t)value : most;
}

static void cut_blocks(agenda *a) {
    uint32_t runs = a->experiment->runs;
    size_t curve = (size_t)a->competitors * (size_t)a->point_count * sizeof(double) * (a->logged ? 3 : 1);
    uint32_t most = agenda_clamp(BLOCK_BYTES / curve, BLOCK_RUNS_MAX);
    a->block_runs = agenda_clamp(((size_t)runs + BLOCKS_WANTED - 1) / BLOCKS_WANTED, most);
    a->blocks = (runs - 1) / a->block_runs + 1;
    size_t kept = CURVE_BYTES / curve / a->block_runs * a->block_runs;
    a->curve_runs = agenda_clamp(kept > a->block_runs ? kept : a->block_runs, runs);
}

static void agenda_lay(agenda *a, carving *c) {
    carve(c, 1, sizeof *a);
    a->competitor = carve(c, (size_t)a->competitors, sizeof *a->competitor);
    a->points = carve(c, (size_t)a->point_count, sizeof *a->points);
    a->matching = carve(c, (size_t)a->selectors * MATCHING_ROUNDS, sizeof *a->matching);
    a->matching_count = carve(c, (size_t)a->selectors, sizeof *a->matching_count);
    a->watched = carve(c, agenda_count_terms(a->experiment), sizeof *a->watched);
    if (a->logged) a->values = carve(c, agenda_count_terms(a->experiment) + (size_t)a->competitors, sizeof *a->values);
}

agenda *agenda_make(const experiment *e) {
    unsigned traits = agenda_environment_traits(&e->environment);
    bool logged = traits & POSSE_TRAIT_LOGGED, oracle = e->solo && !logged;
    int players = e->selector_count + (e->solo ? e->learner_count : 0);
    agenda shape = {.experiment = e,
                    .selectors = e->selector_count,
                    .learners = e->learner_count,
                    .solos = e->solo ? e->learner_count : 0,
                    .oracle = oracle ? players : -1,
                    .log = logged ? players : -1,
                    .arms = logged ? 0 : e->arms,
                    .moves = traits & POSSE_TRAIT_MOVES,
                    .logged = logged,
                    .tasks = e->tasks > 1 ? (int)e->tasks : 1,
                    .task_rounds = experiment_task_rounds(e),
                    .point_count = e->rounds < POINTS_MAX ? (int)e->rounds : POINTS_MAX,
                    .tail = e->rounds < 10 ? 1 : e->rounds / 10};
    shape.competitors = players + (oracle || logged ? 1 : 0);
    carving c = {0};
    agenda_lay(&shape, &c);
    agenda *a = players > 0 ? calloc(1, c.used) : NULL;
    if (a == NULL) return NULL;
    *a = shape;
    c = (carving){.base = (char *)a};
    agenda_lay(a, &c);
    list_competitors(a);
    spread_points(a);
    for (int s = 0; s < a->selectors; s++)
        a->matching_count[s] = spread_matching(a, s, a->matching + s * MATCHING_ROUNDS);
    for (int s = 0; s < a->selectors; s++) a->ranges += agenda_range(a, s) != NULL;
    watch_claims(a);
    list_values(a);
    cut_blocks(a);
    return a;
}

void agenda_free(agenda *a) {
    free(a);
}

uint64_t agenda_rounds(const agenda *a) {
    return (uint64_t)(a->selectors + a->solos) * a->experiment->runs * a->experiment->rounds;
}

int agenda_find(const agenda *a, const char *name) {
    for (int c = 0; c < a->competitors; c++)
        if (strcmp(a->competitor[c].name, name) == 0) return c;
    return -1;
}

int agenda_find_value(const agenda *a, agenda_value value) {
    for (int v = 0; v < a->value_count; v++)
        if (a->values[v].competitor == value.competitor && a->values[v].round == value.round) return v;
    return -1;
}

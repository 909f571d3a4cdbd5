/* SPDX-License-Identifier: MIT */
/*
 * Runs abreast: which parts can be played this way, their initial values, and the random numbers of a stretch of
 * rounds. The rounds themselves are in abreast/kernel/runs.c.
 */
#include <math.h>
#include <string.h>

#include "abreast/loops.h"
#include "belief/belief.h"
#include "environment/environment.h"
#include "numeric/kernels.h"
#include "object/object.h"
#include "posse_abreast.h"

#define STRETCH 128      /* rounds whose noise is made at a time */
#define RADII_MOST 32768 /* radii of a UCB learner in a table; more are computed when they are needed */
#define DRAWN_ROWS 256   /* rows of normals at a time, about: they stay in the first-level cache */
#define DRAWN_AHEAD 128  /* normals at a time, about, of a learner whose stream position differs between runs */

/* A posse that was added. */
typedef struct participant {
    uint64_t round; /* rounds played */
    bool selects;
    uint64_t stream; /* of the selector, or of the learner alone */
    abreast_solo solo;
    abreast_team team;
} participant;

struct posse_abreast {
    const posse_environment *environment;
    arena memory;
    uint32_t first_run;
    void *instance;
    posse_draw draw; /* of instances */
    double *means, *gaps;
    uint64_t noise_first; /* the round of the first row of noise */
    double *noise;        /* STRETCH rows */
    double *rows;         /* of normals */
    double radii[STRETCH];
    participant **participants;
    int count, capacity;
};

static double *make_rows(arena *memory, size_t count) {
    return arena_allocate(memory, count * ABREAST * sizeof(double));
}

/* --------------------------------------------- randomness --------------------------------------------------- */

double abreast_radius(const abreast_rule *r, uint64_t learned) {
    return learned < r->tabulated ? r->radius[learned] : r->form->radius(r->plan, (double)learned);
}

double abreast_share(const abreast_team *t, uint64_t rounds, double plays) {
    return posse_charge_share(t->posse, (double)rounds, plays);
}

void abreast_reweigh(const abreast_team *t, uint64_t rounds) {
    double weight = posse_play_weight(t->posse, (double)rounds);
    if (weight == *t->play_weight) return;
    *t->play_weight = weight;
    for (size_t i = 0; i < t->learners * ABREAST; i++) t->charged[i] = abreast_share(t, rounds, t->tried[i]);
}

void abreast_refill(const abreast_team *t, size_t learner, size_t run) {
    uint64_t words[DRAWN_AHEAD + 2 * ABREAST_ARMS_MOST];
    size_t slot = learner * ABREAST + run;
    const kernels *k = kernels_active();
    k->words(t->seed, t->first_run + (uint32_t)run, t->streams[learner], t->blocks[slot], words, t->ahead / 2);
    k->normals(words, t->normals + slot * t->ahead, t->ahead);
    t->blocks[slot] += t->ahead / 2;
    t->next[slot] = 0;
}

/* Rows of the draws [position, position + count) of a stream. */
static const double *draw_rows(posse_abreast *a, uint64_t stream, uint64_t position, size_t count) {
    uint64_t block = position / 2, end = (position + count + 1) / 2;
    kernels_active()->abreast->normals(a->environment->seed, a->first_run, stream, block, a->rows, end - block);
    return a->rows + position % 2 * ABREAST;
}

static const double *abreast_noise_of(posse_abreast *a, uint64_t round) {
    uint64_t first = round - round % STRETCH;
    if (a->noise_first != first)
        kernels_active()->abreast->normals(a->environment->seed, a->first_run, stream_named(STREAM_NOISE, NULL),
                                           first / 2, a->noise, STRETCH / 2);
    a->noise_first = first;
    return a->noise + (round - first) * ABREAST;
}

/* ------------------------------------------ making and freeing ---------------------------------------------- */

static bool can_be_abreast(const posse_environment *e) {
    const abreast_form *form = abreast_form_of(e->part.kind, e->part.plan);
    if (form == NULL) return false;
    return (size_t)e->space->arms <= kernels_active()->abreast->arms_most &&
           abreast_form_is_moderate(form, e->part.plan, e->space->arms);
}

posse_error posse_abreast_create(const posse_environment *e, posse_abreast **out) {
    if (out == NULL) return POSSE_ERROR_ARGUMENT;
    *out = NULL;
    if (e == NULL) return POSSE_ERROR_ARGUMENT;
    if (!can_be_abreast(e)) return POSSE_ERROR_ABSENT;
    posse_abreast *a = memory_allocate(&e->host.allocator, sizeof *a);
    if (a == NULL) return POSSE_ERROR_MEMORY;
    const size_t arms = (size_t)e->space->arms;
    a->environment = e;
    a->memory.allocator = e->host.allocator;
    a->instance = arena_allocate(&a->memory, e->part.state_size);
    a->means = make_rows(&a->memory, arms);
    a->gaps = make_rows(&a->memory, arms);
    a->noise = make_rows(&a->memory, STRETCH);
    a->rows = make_rows(&a->memory, DRAWN_ROWS + ABREAST_ARMS_MOST + 2);
    bool ok = a->instance != NULL && a->means != NULL && a->gaps != NULL && a->noise != NULL && a->rows != NULL;
    if (ok) posse_abreast_begin(a, 0);
    if (ok) *out = a;
    if (!ok) posse_abreast_free(a);
    return ok ? POSSE_OK : POSSE_ERROR_MEMORY;
}

void posse_abreast_free(posse_abreast *a) {
    if (a == NULL) return;
    posse_allocator allocator = a->memory.allocator;
    arena_release(&a->memory);
    memory_release(&allocator, a->participants);
    memory_release(&allocator, a);
}

size_t posse_abreast_width(const posse_abreast *a) {
    (void)a;
    return ABREAST;
}

size_t posse_abreast_stretch(const posse_abreast *a) {
    (void)a;
    return STRETCH;
}

/* ----------------------------------------------- participants ----------------------------------------------- */

/* The rule of a part that draws worlds from a belief. */
static posse_error make_belief_rule(arena *memory, const posse_belief *b, abreast_rule *out) {
    const abreast_form *form = abreast_form_of(b->part.kind, b->part.plan);
    if (form == NULL) return POSSE_ERROR_ABSENT;
    int arms = b->shape.dim;
    double *precision = arena_allocate(memory, (size_t)arms * sizeof *precision);
    if (precision == NULL) return POSSE_ERROR_MEMORY;
    for (int a = 0; a < arms; a++) precision[a] = form->start(b->part.plan, a).precision;
    *out = (abreast_rule){.bayes = true,
                          .weight = form->noise_precision(b->part.plan),
                          .precision = precision,
                          .form = form,
                          .plan = b->part.plan};
    return POSSE_OK;
}

/* How many radii to keep in a table. */
static size_t radii_count(const posse *p) {
    return p->rounds > 0 && p->rounds < RADII_MOST ? (size_t)p->rounds + 1 : RADII_MOST;
}

/* radii: an array of radii_count numbers. */
static posse_error make_rule(arena *memory, const posse *p, const member *m, double *radii, abreast_rule *out) {
    const void *plan = m->part.plan;
    const abreast_form *form = abreast_form_of(m->part.kind, plan);
    if (form == NULL) return POSSE_ERROR_ABSENT;
    if (form->belief != NULL) return make_belief_rule(memory, form->belief(plan), out);
    size_t count = radii_count(p);
    for (size_t n = 1; n < count; n++) radii[n] = form->radius(plan, (double)n);
    *out = (abreast_rule){.weight = 1.0, .form = form, .plan = plan, .radius = radii, .tabulated = count};
    return POSSE_OK;
}

/* Makes rows for `count` arms. */
static bool make_arms(arena *memory, size_t count, abreast_arms *out) {
    *out = (abreast_arms){make_rows(memory, count), make_rows(memory, count), make_rows(memory, count),
                          make_rows(memory, count)};
    return out->mean != NULL && out->spread != NULL && out->sum != NULL && out->count != NULL;
}

static posse_error make_solo(arena *memory, const posse *p, participant *who) {
    const member *m = &p->members[0];
    who->stream = stream_named(STREAM_LEARNER, m->name);
    double *radii = arena_allocate(memory, radii_count(p) * sizeof *radii);
    if (radii == NULL || !make_arms(memory, (size_t)p->space->arms, &who->solo.known)) return POSSE_ERROR_MEMORY;
    return make_rule(memory, p, m, radii, &who->solo.rule);
}

/*
 * The normals that an even number of plays takes, so that every refill begins with a play and at the start of a block.
 */
static uint32_t ahead_of(uint32_t arms) {
    return 2 * arms * (arms < DRAWN_AHEAD / 2 ? DRAWN_AHEAD / 2 / arms : 1);
}

static bool make_team_rows(arena *memory, size_t arms, abreast_team *t) {
    size_t m = t->learners, row = ABREAST * sizeof(double);
    t->ahead = ahead_of((uint32_t)arms);
    t->rules = arena_allocate(memory, m * sizeof *t->rules);
    t->mind_rules = arena_allocate(memory, m * sizeof *t->mind_rules);
    t->streams = arena_allocate(memory, m * sizeof *t->streams);
    t->mind = arena_allocate(memory, m * sizeof *t->mind);
    t->weight = arena_allocate(memory, m * sizeof *t->weight);
    t->bayes = arena_allocate(memory, m * sizeof *t->bayes);
    t->precision = arena_allocate(memory, m * arms * sizeof *t->precision);
    t->radii = arena_allocate(memory, m * t->tabulated * sizeof *t->radii);
    t->plays = arena_allocate(memory, m * row);
    t->record = make_rows(memory, m * arms);
    t->ties = arena_allocate(memory, ABREAST * sizeof *t->ties);
    t->next = arena_allocate(memory, m * ABREAST * sizeof *t->next);
    t->blocks = arena_allocate(memory, m * row);
    return t->rules != NULL && t->mind_rules != NULL && t->streams != NULL && t->mind != NULL && t->weight != NULL &&
           t->bayes != NULL && t->precision != NULL && t->radii != NULL && t->plays != NULL && t->record != NULL &&
           t->ties != NULL && t->next != NULL && t->blocks != NULL && make_arms(memory, m * arms, &t->known) &&
           make_arms(memory, arms, &t->belief);
}

/*
 * Allocates nothing if patience is endless and the weight of a play never grows. This is tested far beyond the horizon,
 * because runs may be played past it.
 */
static bool make_patience(arena *memory, const posse *p, abreast_team *t) {
    const double most = 1e18;
    t->posse = p;
    t->forgets = posse_play_weight(p, most) != 1.0;
    t->patient = t->forgets || posse_charge_share(p, most, most) != 1.0;
    if (!t->patient) return true;
    t->charged = make_rows(memory, t->learners);
    t->tried = make_rows(memory, t->learners);
    t->play_weight = arena_allocate(memory, sizeof *t->play_weight);
    t->charges_for = arena_allocate(memory, t->tabulated * sizeof *t->charges_for);
    if (t->charged == NULL || t->tried == NULL || t->play_weight == NULL || t->charges_for == NULL) return false;
    for (size_t n = 0; n < t->tabulated; n++) t->charges_for[n] = posse_charge_share(p, 0.0, (double)n);
    return true;
}

/* The mind of a learner that is added. If data is shared, a UCB learner has the mind of the UCB learners before it. */
static size_t abreast_find_mind(abreast_team *t, const abreast_rule *rule) {
    for (size_t i = 0; i < t->minds && t->share && !rule->bayes; i++)
        if (!t->mind_rules[i].bayes) return i;
    t->mind_rules[t->minds] = *rule;
    return t->minds++;
}

static posse_error make_team_rules(arena *memory, const posse *p, abreast_team *t) {
    size_t arms = (size_t)p->space->arms;
    for (size_t i = 0; i < t->learners; i++) {
        abreast_rule *rule = &t->rules[i];
        posse_error error = make_rule(memory, p, &p->members[i], t->radii + i * t->tabulated, rule);
        if (error != POSSE_OK) return error;
        t->streams[i] = stream_named(STREAM_LEARNER, p->members[i].name);
        t->mind[i] = (double)abreast_find_mind(t, rule);
        t->weight[i] = rule->weight;
        t->bayes[i] = rule->bayes ? 1.0 : 0.0;
        t->some_bayes = t->some_bayes || rule->bayes;
        t->some_ucb = t->some_ucb || !rule->bayes;
        for (size_t a = 0; a < arms && rule->bayes; a++) t->precision[i * arms + a] = rule->precision[a];
    }
    return POSSE_OK;
}

static posse_error abreast_make_team(arena *memory, const posse *p, participant *who) {
    abreast_team *t = &who->team;
    size_t arms = (size_t)p->space->arms;
    const abreast_form *form = abreast_form_of(p->selector.part.kind, p->selector.part.plan);
    if (form == NULL || p->batch != 1 || p->floor > 0.0) return POSSE_ERROR_ABSENT;
    who->selects = true;
    who->stream = stream_named(STREAM_SELECTOR, NULL);
    t->learners = (size_t)p->count;
    t->share = p->share;
    t->seed = p->seed;
    t->tabulated = radii_count(p);
    posse_error error = make_belief_rule(memory, form->belief(p->selector.part.plan), &t->belief_rule);
    if (error != POSSE_OK) return error;
    if (!make_team_rows(memory, arms, t) || !make_patience(memory, p, t)) return POSSE_ERROR_MEMORY;
    error = make_team_rules(memory, p, t);
    if (error != POSSE_OK || !t->some_bayes) return error;
    t->normals = arena_allocate(memory, t->learners * ABREAST * t->ahead * sizeof *t->normals);
    return t->normals != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

static bool abreast_fits(const posse_abreast *a, const posse *p) {
    const posse_space *space = a->environment->space;
    return p->seed == a->environment->seed && p->space->arms == space->arms && p->space->dim == space->dim &&
           !space_has_contexts(p->space);
}

/* Whether no learner and no arm is retired, and there are so few that runs abreast are faster. */
static bool abreast_pays(const posse *p) {
    size_t cells = (size_t)p->space->arms * (size_t)p->count;
    bool all = p->active == p->count && p->space->active == NULL;
    return all && p->count <= ABREAST_LEARNERS_MOST && cells <= kernels_active()->abreast->cells_most;
}

static posse_error reserve_participant(posse_abreast *a) {
    if (a->count < a->capacity) return POSSE_OK;
    int capacity = a->capacity > 0 ? 2 * a->capacity : 8;
    participant **grown = memory_grow(&a->memory.allocator, a->participants, (size_t)capacity * sizeof(participant *));
    if (grown == NULL) return POSSE_ERROR_MEMORY;
    a->participants = grown;
    a->capacity = capacity;
    return POSSE_OK;
}

posse_error posse_abreast_add(posse_abreast *a, const posse *p) {
    if (a == NULL || p == NULL) return POSSE_ERROR_ARGUMENT;
    if (!abreast_fits(a, p)) return POSSE_ERROR_FIT;
    if (!abreast_pays(p)) return POSSE_ERROR_ABSENT;
    posse_error error = reserve_participant(a);
    if (error != POSSE_OK) return error;
    participant *who = arena_allocate(&a->memory, sizeof *who);
    if (who == NULL) return POSSE_ERROR_MEMORY;
    error = p->selector.ops != NULL ? abreast_make_team(&a->memory, p, who) : make_solo(&a->memory, p, who);
    if (error != POSSE_OK) return error;
    a->participants[a->count++] = who;
    return posse_abreast_begin(a, a->first_run);
}

/* ------------------------------------------------- beginning ------------------------------------------------ */

static void fill_row(double *rows, size_t index, double value) {
    for (size_t run = 0; run < ABREAST; run++) rows[index * ABREAST + run] = value;
}

/* Writes the statistics of each arm before any reward. */
static void begin_arms(const abreast_rule *r, const abreast_arms *known, size_t first, size_t arms) {
    for (size_t a = 0; a < arms; a++) {
        abreast_start start = {.mean = INFINITY};
        if (r->bayes) start = r->form->start(r->plan, (int)a);
        fill_row(known->mean, first + a, start.mean);
        fill_row(known->spread, first + a, start.sd);
        fill_row(known->sum, first + a, start.weighted_sum);
        fill_row(known->count, first + a, 0.0);
    }
}

static void abreast_begin_team(abreast_team *t, size_t arms, uint32_t first_run) {
    t->first_run = first_run;
    begin_arms(&t->belief_rule, &t->belief, 0, arms);
    for (size_t i = 0; i < t->minds; i++) begin_arms(&t->mind_rules[i], &t->known, i * arms, arms);
    memset(t->plays, 0, t->learners * ABREAST * sizeof *t->plays);
    memset(t->blocks, 0, t->learners * ABREAST * sizeof *t->blocks);
    memset(t->record, 0, t->learners * arms * ABREAST * sizeof *t->record);
    for (size_t i = 0; i < t->learners * ABREAST; i++) t->next[i] = t->ahead;
    for (size_t i = 0; i < t->learners * ABREAST && t->patient; i++) t->charged[i] = 1.0, t->tried[i] = 0.0;
    if (t->patient) *t->play_weight = 1.0;
    for (uint32_t run = 0; run < ABREAST; run++)
        draw_open(&t->ties[run], t->seed, first_run + run, stream_named(STREAM_TIES, NULL), 0);
}

static void begin_instances(posse_abreast *a) {
    const posse_environment *e = a->environment;
    for (uint32_t run = 0; run < ABREAST; run++) {
        draw_open(&a->draw, e->seed, a->first_run + run, stream_named(STREAM_INSTANCE, NULL), 0);
        e->ops->begin(e->part.plan, a->instance, e->space, &a->draw);
        for (int arm = 0; arm < e->space->arms; arm++) {
            size_t cell = (size_t)arm * ABREAST + run;
            a->means[cell] = ((const independent_arms *)a->instance)->means[arm];
            a->gaps[cell] = e->ops->regret(e->part.plan, a->instance, arm, NULL);
        }
    }
}

posse_error posse_abreast_begin(posse_abreast *a, uint32_t first) {
    if (a == NULL) return POSSE_ERROR_ARGUMENT;
    size_t arms = (size_t)a->environment->space->arms;
    a->first_run = first;
    a->noise_first = UINT64_MAX;
    begin_instances(a);
    for (int i = 0; i < a->count; i++) {
        participant *who = a->participants[i];
        who->round = 0;
        if (who->selects)
            abreast_begin_team(&who->team, arms, first);
        else
            begin_arms(&who->solo.rule, &who->solo.known, 0, arms);
    }
    return POSSE_OK;
}

/* -------------------------------------------------- playing ------------------------------------------------- */

/* UCB's radii of the next rounds. A learner alone has learned one reward for each round before. */
static const double *radii_of(posse_abreast *a, const abreast_rule *r, uint64_t round, size_t count) {
    if (round + count <= r->tabulated) return r->radius + round;
    for (size_t i = 0; i < count; i++) a->radii[i] = abreast_radius(r, round + i);
    return a->radii;
}

static void abreast_play_solo(posse_abreast *a, participant *who, const abreast_scene *scene, size_t rounds,
                              const posse_trace *trace) {
    const abreast_rule *r = &who->solo.rule;
    const double *factors = r->bayes ? draw_rows(a, who->stream, who->round * scene->arms, rounds * scene->arms)
                                     : radii_of(a, r, who->round, rounds);
    kernels_active()->abreast->play_solo(&who->solo, scene, rounds, factors, trace);
}

static void abreast_play_team(posse_abreast *a, participant *who, const abreast_scene *scene, size_t rounds,
                              const posse_trace *trace) {
    size_t m = who->team.learners;
    const double *normals =
        who->round < m ? NULL : draw_rows(a, who->stream, (who->round - m) * scene->arms, rounds * scene->arms);
    kernels_active()->abreast->play_team(&who->team, scene, who->round, rounds, normals, trace);
}

/*
 * How many rounds can be played at once: until the noise, the normals or the first rounds of the learners are used up.
 */
static size_t abreast_rounds_at_once(const participant *who, size_t arms, size_t rounds) {
    size_t most = STRETCH - who->round % STRETCH, m = who->selects ? who->team.learners : 0;
    size_t drawn = DRAWN_ROWS > arms ? DRAWN_ROWS / arms : 1;
    if ((who->selects || who->solo.rule.bayes) && drawn < most) most = drawn;
    if (who->round < m && m - who->round < most) most = (size_t)(m - who->round);
    return rounds < most ? rounds : most;
}

posse_error posse_abreast_play(posse_abreast *a, int place_, size_t rounds, const posse_trace *trace) {
    if (a == NULL || place_ < 0 || place_ >= a->count) return POSSE_ERROR_ARGUMENT;
    participant *who = a->participants[place_];
    const part *played = &a->environment->part;
    posse_trace at = trace != NULL ? *trace : (posse_trace){0};
    abreast_scene scene = {.arms = (size_t)a->environment->space->arms,
                           .means = a->means,
                           .gaps = a->gaps,
                           .sd = abreast_form_of(played->kind, played->plan)->noise(played->plan)};
    while (rounds > 0) {
        size_t count = abreast_rounds_at_once(who, scene.arms, rounds);
        scene.noise = abreast_noise_of(a, who->round);
        (who->selects ? abreast_play_team : abreast_play_solo)(a, who, &scene, count, &at);
        who->round += count;
        rounds -= count;
        if (at.learners != NULL) at.learners += count * ABREAST;
        if (at.arms != NULL) at.arms += count * ABREAST;
        if (at.regrets != NULL) at.regrets += count * ABREAST;
    }
    return POSSE_OK;
}

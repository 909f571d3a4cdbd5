/* SPDX-License-Identifier: MIT */
/*
 * Compiled for a GPU together with the sources of the library (cmake/cuda.cmake), and for a processor by the tests.
 */
#define LANES 1
#include "abreast/device/library.h"

#include <string.h>

#include "base/lockstep.h"
#include "object/run.h"
#include "posse_inside.h"

_Static_assert(DEVICE_DIM_MOST <= DIM_MAX, "the library has room for the coordinates of every arm");

#define ROUNDS_BETWEEN_LOOKS 16 /* at `halt`, which is in the memory of the host */

/* --------------------------------------------------- memory ----------------------------------------------------- */

/* Memory that is given out from the front, and never taken back. */
typedef struct pile {
    char *next, *end;
} pile;

/* Each block has its size in front of it. */
enum { HEADER = 16 };

static void *pile_resize(void *context, void *block, size_t size) {
    pile *p = context;
    const size_t rounded = (size + HEADER - 1) / HEADER * HEADER;
    if (size == 0 || rounded + HEADER > (size_t)(p->end - p->next)) return NULL;
    char *made = p->next + HEADER;
    p->next = made + rounded;
    memcpy(made - HEADER, &size, sizeof size);
    if (block == NULL) return made;
    size_t before;
    memcpy(&before, (char *)block - HEADER, sizeof before);
    memcpy(made, block, before < size ? before : size);
    return made;
}

/* -------------------------------------------------- making ------------------------------------------------------ */

/* What device.c writes: the rounds, the environment, the selector, and the learners, each behind its name. */
static posse_error library_read_team(reader *r, arena *memory, posse_def *def) {
    posse_error error = recipe_read(r, memory, &def->selector);
    def->learner_count = (int)read_word_upto(r, LEARNERS_MAX);
    posse_part *learners = arena_allocate(memory, (size_t)def->learner_count * sizeof *learners);
    if (learners == NULL) return POSSE_ERROR_MEMORY;
    for (int i = 0; i < def->learner_count && error == POSSE_OK; i++) {
        size_t length;
        const char *name = read_text(r, &length);
        char *copy = name != NULL ? arena_allocate(memory, length + 1) : NULL;
        if (copy == NULL) return POSSE_ERROR_MEMORY;
        memcpy(copy, name, length);
        error = recipe_read(r, memory, &learners[i]);
        learners[i].name = copy;
    }
    def->learners = learners;
    return error;
}

static posse_error library_make_team(const device_plan *p, const device_competitor *c, const posse_host *host,
                                     posse_environment **environment, posse **player) {
    reader r = {.in = p->descriptions + c->description, .left = c->description_size};
    arena memory = {.allocator = host->allocator};
    posse_part described;
    uint64_t rounds = read_word(&r);
    posse_error error = recipe_read(&r, &memory, &described);
    if (error == POSSE_OK) error = posse_environment_create(&described, p->seed, host, environment);
    if (error != POSSE_OK) return error;
    posse_def def = posse_environment_def(*environment);
    def.rounds = rounds;
    error = library_read_team(&r, &memory, &def);
    if (error == POSSE_OK) error = posse_create(&def, player);
    if (error == POSSE_OK) (*player)->simulates = true; /* streams stay small: there are many workspaces */
    return error;
}

/* -------------------------------------------------- workspaces -------------------------------------------------- */

/* What a thread works in. */
typedef struct workspace {
    posse *player;
    posse_environment *environment;
    double *means;                   /* of each arm: its true mean */
    double *plays, *regret, *square; /* of each learner: the largest regret^2 / plays is the square */
    double *weighed;                 /* of each learner: plays, with the weights that the selector gives them */
    double *counts;                  /* of each learner: how often it played each arm, weighed likewise */
} workspace;

/* Memory of a workspace is laid out twice by the same walk: to learn its size, with base NULL, and to fill it. */
typedef struct layout {
    char *base;
    size_t used;
} layout;

static void *library_lay(layout *l, size_t size) {
    char *at = l->base != NULL ? l->base + l->used : NULL;
    l->used += (size + 15) / 16 * 16;
    return at;
}

static void *lay_copy(layout *l, const void *from, size_t size) {
    void *to = from != NULL ? library_lay(l, size) : NULL;
    if (to != NULL) memcpy(to, from, size);
    return to;
}

static posse_draw *lay_stream(layout *l, const posse_draw *from) {
    size_t slots = from != NULL ? from->slots : 0;
    return lay_copy(l, from, offsetof(posse_draw, words) + slots * sizeof from->words[0]);
}

/* A posse with the plans of another, and with states and streams of its own. */
static posse *lay_player(layout *l, const posse *from) {
    posse *to = library_lay(l, sizeof *to), p = *from;
    p.members = lay_copy(l, from->members, (size_t)from->count * sizeof *p.members);
    for (int i = 0; i < from->count; i++) {
        void *state = library_lay(l, from->members[i].part.state_size);
        posse_draw *draw = lay_stream(l, from->members[i].draw);
        if (p.members != NULL) p.members[i].state = state, p.members[i].draw = draw;
    }
    p.selector.state = library_lay(l, from->selector.part.state_size);
    p.selector_draw = lay_stream(l, from->selector_draw);
    p.ties_draw = lay_stream(l, from->ties_draw);
    p.floor_draw = lay_stream(l, from->floor_draw);
    p.point = library_lay(l, (size_t)from->point_numbers * sizeof *p.point);
    if (to != NULL) *to = p;
    return to;
}

static posse_environment *lay_environment(layout *l, const posse_environment *from) {
    posse_environment *to = library_lay(l, sizeof *to), e = *from;
    e.instance = library_lay(l, from->part.state_size);
    e.noise = library_lay(l, sizeof *e.noise);
    if (to != NULL) *to = e;
    return to;
}

static void lay_states(layout *l, const library_form *form, workspace *s) {
    s->player = lay_player(l, form->player);
    s->environment = lay_environment(l, form->environment);
}

static void lay_account(layout *l, const device_competitor *c, size_t arms, workspace *s) {
    const size_t numbers = (size_t)c->learners * sizeof(double);
    s->means = library_lay(l, arms * sizeof *s->means);
    s->plays = library_lay(l, numbers);
    s->regret = library_lay(l, numbers);
    s->square = library_lay(l, numbers);
    s->weighed = library_lay(l, numbers);
    s->counts = library_lay(l, c->matching_count > 0 ? arms * numbers : 0);
}

void library_open(const device_plan *p, const device_competitor *c, void *memory, library_form *out) {
    pile *rest = memory; /* the pile itself lies at its bottom */
    *rest = (pile){(char *)memory + 64, (char *)memory + LIBRARY_MEMORY};
    const posse_host host = {.allocator = {pile_resize, rest}};
    posse_environment *environment = NULL;
    posse *player = NULL;
    *out = (library_form){.error = library_make_team(p, c, &host, &environment, &player)};
    if (out->error != POSSE_OK) return;
    out->player = player;
    out->environment = environment;
    layout states = {0}, account = {0};
    workspace s;
    lay_states(&states, out, &s);
    lay_account(&account, c, p->arms, &s);
    out->state_size = states.used;
    out->account_size = account.used;
}

/* ------------------------------------------------- playing ------------------------------------------------------ */

/*
 * Before a choice counts: the regret of the plays of each learner in the true world. Where means move, that is the
 * world of the round. As in the records of runs without a device, the round has been played when its means are asked.
 */
static void library_note_match(const device_plan *p, const device_competitor *c, const noted_run *r, const workspace *s,
                               uint32_t matching, int32_t chosen) {
    const size_t arms = p->arms;
    double *to = r->slip + slip_match(p, c, matching), best;
    posse_environment_means(s->environment, s->means);
    best = s->means[0];
    for (size_t a = 1; a < arms; a++) best = s->means[a] > best ? s->means[a] : best;
    *to++ = (double)p->places[c->places + (uint32_t)chosen];
    for (size_t i = 0; i < (size_t)c->learners; i++) {
        double sum = 0.0;
        for (size_t a = 0; a < arms; a++) sum += s->counts[i * arms + a] * (best - s->means[a]);
        *to++ = sum;
        *to++ = s->weighed[i];
    }
}

/* What a play adds to the account of its learner. weight: what the selector charges it for; 0: nothing. */
static void library_note_play(const device_competitor *c, const workspace *s, size_t arms, int32_t chosen, int32_t arm,
                              double regret, double weight) {
    double plays = s->plays[chosen] += 1.0, sum = s->regret[chosen] += regret;
    if (sum * sum > s->square[chosen] * plays) s->square[chosen] = sum * sum / plays;
    if (c->matching_count == 0 || weight == 0.0) return;
    s->weighed[chosen] += weight;
    s->counts[(size_t)chosen * arms + (size_t)arm] += weight;
}

static void fade_plays(const device_competitor *c, const workspace *s, size_t arms, double discount) {
    for (size_t i = 0; i < (size_t)c->learners; i++) s->weighed[i] *= discount;
    for (size_t i = 0; i < (size_t)c->learners * arms; i++) s->counts[i] *= discount;
}

static void note_team(const device_plan *p, const device_competitor *c, const noted_run *r, const workspace *s) {
    const size_t learners = (size_t)c->learners;
    double *to = r->slip + SLIP_WATCHED + p->watched_count;
    uint64_t clipped;
    memcpy(to, s->plays, learners * sizeof *to);
    memcpy(to + learners, s->regret, learners * sizeof *to);
    memcpy(to + 2 * learners, s->square, learners * sizeof *to);
    to[3 * learners] = posse_clipped(s->player, &clipped) == POSSE_OK ? (double)clipped : __builtin_nan("");
}

bool library_play(const device_plan *p, const device_competitor *c, const library_form *form, void *states,
                  void *account, const noted_run *r, const volatile uint32_t *halt, device_failure *failure) {
    layout of_states = {.base = states}, of_account = {.base = account};
    workspace s;
    lay_states(&of_states, form, &s);
    lay_account(&of_account, c, p->arms, &s);
    posse *player = s.player;
    notes n;
    uint32_t matching = 0;
    const int32_t *places = c->selects ? p->places + c->places : NULL;
    const double discount = posse_play_discount(player);
    const bool matches = c->matching_count > 0, weighs = matches && posse_play_weight(player, p->rounds) != 1.0;
    notes_begin(p, &n);
    memset(s.plays, 0, (size_t)((char *)account + form->account_size - (char *)s.plays));
    posse_environment_begin(s.environment, r->run);
    object_begin(player, r->run);
    for (uint32_t round = 0; round < p->rounds; round++) {
        posse_decision d;
        if (round % ROUNDS_BETWEEN_LOOKS == 0 && *halt != 0) return false;
        lockstep();
        posse_error error = run_round(player, s.environment, &d);
        if (error != POSSE_OK) {
            *failure = (device_failure){error, r->run};
            return false;
        }
        double regret = environment_regret(s.environment, &d);
        notes_take(p, r, round, places, d.learner, regret, &n);
        if (places == NULL) continue;
        if (matching < c->matching_count && c->matching[matching] == round + 1)
            library_note_match(p, c, r, &s, matching++, d.learner);
        double weight = d.floor ? 0.0 : weighs ? posse_play_weight(player, round) : 1.0;
        library_note_play(c, &s, p->arms, d.learner, d.arm, regret, weight);
        if (matches && discount != 1.0) fade_plays(c, &s, p->arms, discount);
    }
    notes_end(r, &n);
    if (places != NULL) note_team(p, c, r, &s);
    return true;
}

/* SPDX-License-Identifier: MIT */
#include "rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/elementary.h"

static const posse_part two_linears[] = {{.kind = "linear", .options = {NUMBER("precision", 0.5)}},
                                         {.kind = "linear", .options = {NUMBER("noise", 1.5)}}};
static const double halves[] = {0.5, 0.5};

const stage stages[STAGES] = {
    [STAGE_JOINT] = {"joint", 6, 3, 0, {.kind = "linear"}, false},
    [STAGE_BOTH] = {"joint, own and shared", 5, 2, 1, {.kind = "linear"}, false},
    [STAGE_SHARED] = {"disjoint, shared", 4, 0, 3, {.kind = "linear"}, false},
    [STAGE_DISJOINT] = {"disjoint, own", 5, 2, 1, {.kind = "linear", .options = {WORD("model", "disjoint")}}, false},
    [STAGE_ONE_HOT] = {"one-hot", 6, 3, 0, {.kind = "gaussian"}, false},
    [STAGE_COINS] = {"one-hot, shared", 8, 0, 2, {.kind = "beta"}, true},
    [STAGE_MIXTURE] = {"mixture",
                       6,
                       3,
                       0,
                       {.kind = "mixture",
                        .options = {{.key = "components", .part = two_linears, .list = halves, .count = 2}}},
                       false},
    [STAGE_ROBUST] = {"robust", 4, 0, 3, {.kind = "linear", .options = {NUMBER("robust", 1)}}, false},
    [STAGE_LOGISTIC] = {"logistic", 5, 3, 0, {.kind = "logistic"}, true},
};

const posse_part crew[CREW_MAX] = {
    {.kind = "external", .name = "a"}, {.kind = "external", .name = "b"}, {.kind = "external", .name = "c"},
    {.kind = "external", .name = "d"}, {.kind = "external", .name = "e"}, {.kind = "external", .name = "f"},
    {.kind = "external", .name = "g"}, {.kind = "external", .name = "h"}, {.kind = "external", .name = "i"},
    {.kind = "external", .name = "j"}, {.kind = "external", .name = "k"}, {.kind = "external", .name = "l"}};

posse_def stage_def(const stage *s, int count) {
    posse_def def = posse_default_def();
    def.arms = s->arms;
    def.dim = s->dim;
    def.context = s->context;
    def.prior = s->belief;
    def.learners = crew;
    def.learner_count = count;
    def.seed = 5;
    return def;
}

/* --------------------------------------------------- rounds ---------------------------------------------------- */

static double feature(posse_draw *draw) {
    double x = posse_draw_normal(draw);
    return posse_draw_index(draw, 4) == 0 ? floor(x) : x;
}

void brought_draw(brought *b, const posse_def *def, bool all, posse_draw *draw) {
    int count = 0;
    for (int a = 0; a < def->arms; a++) {
        bool there = posse_draw_index(draw, 3) > 0;
        if (all || there) b->arms[count++] = a;
    }
    if (count == 0) b->arms[count++] = (int)posse_draw_index(draw, (uint64_t)def->arms);
    for (int j = 0; j < def->context; j++) b->shared[j] = feature(draw);
    for (int j = 0; j < count * def->dim; j++) b->points[j] = feature(draw);
    b->context = (posse_context){.count = count,
                                 .arms = b->arms,
                                 .shared = def->context > 0 ? b->shared : NULL,
                                 .points = def->dim > 0 ? b->points : NULL};
}

void brought_features(const brought *b, const posse_def *def, int place, double *out) {
    for (int j = 0; j < def->dim; j++) out[j] = b->points[place * def->dim + j];
    for (int j = 0; j < def->context; j++) out[def->dim + j] = b->shared[j];
}

/* --------------------------------------------- a posse and its rounds ------------------------------------------ */

/* No other code draws from this stream. */
#define LAW_STREAM 77

void play_open(play *s, const posse_def *def) {
    s->def = *def;
    s->p = posse_made(def);
    play_begin(s, def->run);
}

void play_begin(play *s, uint32_t run) {
    draw_open(&s->draw, s->def.seed, run, LAW_STREAM, 0);
}

void play_close(play *s) {
    posse_free(s->p);
}

void play_decide(play *s, bool all) {
    brought_draw(&s->now, &s->def, all, &s->draw);
    assert_int_equal(posse_decide(s->p, &s->now.context, &s->d), POSSE_OK);
}

void play_act(play *s) {
    int count = s->now.context.count, few = s->d.learner + 1 < count ? s->d.learner + 1 : count;
    s->place = (int)posse_draw_index(&s->draw, (uint64_t)few);
    s->d.arm = s->now.arms[s->place];
    assert_int_equal(posse_acted(s->p, s->d.id, &(posse_action){.arm = s->d.arm, .context = &s->now.context}),
                     POSSE_OK);
}

double play_learn(play *s, bool unit) {
    double reward = unit ? (double)posse_draw_index(&s->draw, 2) : 0.3 * s->d.arm + posse_draw_normal(&s->draw);
    assert_int_equal(posse_learn(s->p, s->d.id, reward), POSSE_OK);
    return reward;
}

/* -------------------------------------------------- chronicles ------------------------------------------------- */

void chronicle_open(chronicle *c, const posse_def *def) {
    *c = (chronicle){.width = def->dim + def->context};
}

void chronicle_close(chronicle *c) {
    free(c->entries);
}

void chronicle_add(chronicle *c, const posse_def *def, const brought *b, int learner, int place) {
    if (c->length == c->room) {
        c->room = c->room > 0 ? 2 * c->room : 64;
        c->entries = realloc(c->entries, (size_t)c->room * sizeof *c->entries);
        assert_non_null(c->entries);
    }
    entry *e = &c->entries[c->length++];
    *e = (entry){.learner = learner, .place = place, .count = b->context.count};
    memcpy(e->arms, b->arms, sizeof e->arms);
    for (int k = 0; k < e->count; k++) brought_features(b, def, k, e->features[k]);
}

static double score(const chronicle *c, const entry *e, const posse_belief *b, const double *world, int k) {
    if (b->shape.one_hot) return world[e->arms[k]];
    const double *weights = b->model.disjoint ? world + e->arms[k] * c->width : world;
    double sum = 0.0;
    for (int j = 0; j < c->width; j++) sum += weights[j] * e->features[k][j];
    return sum;
}

double chronicle_regret(const chronicle *c, const entry *e, const posse_belief *b, const double *world) {
    double played = score(c, e, b, world, e->place), best = played;
    for (int k = 0; k < e->count; k++) best = fmax(best, score(c, e, b, world, k));
    if (!b->model.logistic) return best - played;
    return fmax(0.0, sigmoid(best + b->model.bias) - sigmoid(played + b->model.bias));
}

double chronicle_sum(const chronicle *c, int learner, const posse_belief *b, const double *world, double *plays) {
    double sum = 0.0;
    *plays = 0.0;
    for (int l = 0; l < c->length; l++) {
        if (c->entries[l].learner != learner) continue;
        sum += chronicle_regret(c, &c->entries[l], b, world);
        *plays += 1.0;
    }
    return sum;
}

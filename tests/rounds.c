/* SPDX-License-Identifier: MIT */
#include "rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/elementary.h"

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

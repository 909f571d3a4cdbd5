/* SPDX-License-Identifier: MIT */
/* Randomness for tests, and parades: posses that must decide alike. */
#include "menagerie.h"
#include "stage.h"

/* ------------------------------------------------- randomness ------------------------------------------------- */

/* G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom numbers (2014). */
uint64_t random_next(uint64_t *source) {
    uint64_t z = *source += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

uint64_t random_below(uint64_t *source, uint64_t count) {
    return random_next(source) % count;
}

double random_uniform(uint64_t *source) {
    return (double)(random_next(source) >> 11) * 0x1p-53;
}

/* -------------------------------------------------- parades --------------------------------------------------- */

void parade_begin(parade *r, const habitat *h, posse *first, uint64_t seed) {
    *r = (parade){.marchers = {first}, .count = 1, .unit = h->unit, .source = seed};
}

double parade_reward(bool unit, const posse_decision *d) {
    uint64_t source = d->id * 31 + (uint64_t)(d->arm + 1);
    double u = random_uniform(&source);
    if (unit) return u < 0.3 + 0.1 * d->arm ? 1.0 : u > 0.9 ? u : 0.0;
    return 0.2 * d->arm + 4.0 * (u - 0.5);
}

static void assert_same_decision(const posse_decision *a, const posse_decision *b, int dim) {
    assert_int_equal(a->id, b->id);
    assert_that(a->learner == b->learner && a->arm == b->arm, "decision %d: learner %d arm %d, and learner %d arm %d",
                (int)a->id, a->learner, a->arm, b->learner, b->arm);
    assert_true(a->probability == b->probability);
    assert_int_equal(a->probe, b->probe);
    assert_int_equal(a->point == NULL, b->point == NULL);
    if (a->point != NULL) assert_memory_equal(a->point, b->point, (size_t)dim * sizeof(double));
}

static posse_decision decide_alike(const parade *r) {
    posse_decision first = {0};
    for (int i = 0; i < r->count; i++) {
        posse_decision d;
        assert_int_equal(stage_decide(r->marchers[i], &d), POSSE_OK);
        act_outside(r->marchers[i], &d);
        if (i == 0) first = d;
        assert_same_decision(&first, &d, r->marchers[i]->space->dim + posse_feature_count(r->marchers[i]));
    }
    return first;
}

static void learn_alike(const parade *r, const posse_decision *d) {
    for (int i = 0; i < r->count; i++)
        assert_int_equal(posse_learn(r->marchers[i], d->id, parade_reward(r->unit, d)), POSSE_OK);
}

static void forget_alike(const parade *r, const posse_decision *d) {
    for (int i = 0; i < r->count; i++) assert_int_equal(posse_forget(r->marchers[i], d->id), POSSE_OK);
}

static void settle_an_open_one(parade *r) {
    int at = (int)random_below(&r->source, (uint64_t)r->open_count);
    learn_alike(r, &r->open[at]);
    r->open[at] = r->open[--r->open_count];
}

void parade_round(parade *r) {
    posse_decision d = decide_alike(r);
    uint64_t fate = random_below(&r->source, 100);
    if (fate < 70)
        learn_alike(r, &d);
    else if (fate < 75)
        forget_alike(r, &d);
    else if (r->open_count < OPEN_MAX)
        r->open[r->open_count++] = d;
    if (r->open_count > 0 && random_below(&r->source, 100) < 23) settle_an_open_one(r);
}

void parade_march(parade *r, int rounds) {
    while (rounds-- > 0) parade_round(r);
}

void parade_join(parade *r) {
    assert_true(r->count < MARCHERS_MAX);
    saved s = saved_from(r->marchers[r->count - 1]);
    r->marchers[r->count++] = saved_loaded(&s);
    saved_drop(&s);
}

void parade_leave(parade *r) {
    while (r->count > 0) posse_free(r->marchers[--r->count]);
}

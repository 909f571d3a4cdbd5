/* SPDX-License-Identifier: MIT */
#include "learner/fading.h"

#include <math.h>

#include "model/space.h"

/* Smallest decayed count, so that the mean and 1 / sqrt(count) stay finite. */
#define COUNT_LEAST 1e-100

/* A reward in the window. */
typedef struct past {
    double arm, reward;
} past;

typedef struct memory {
    double learned, total;
    past ring[]; /* the n-th reward, from 0, is at n modulo the window */
} memory;
_Static_assert(sizeof(memory) % 8 == 0 && sizeof(past) % 8 == 0, "a state is made of 8-byte numbers");

posse_error fading_prepare(const posse_setup *setup, const posse_option *window, const posse_option *discount,
                           const fading **out) {
    *out = NULL;
    if (window->number == 0.0 && discount->number == 1.0) return POSSE_OK;
    if (window->number > 0.0 && discount->number < 1.0)
        return posse_setup_refuse(setup, "discount", -1,
                                  "a learner forgets by a window or by a discount: give one of the two");
    fading *f = posse_setup_allocate(setup, sizeof *f);
    if (f == NULL) return POSSE_ERROR_MEMORY;
    *f = (fading){setup->space->arms, window->number, discount->number};
    *out = f;
    return POSSE_OK;
}

size_t fading_size(const fading *f) {
    return f != NULL ? sizeof(memory) + (size_t)f->window * sizeof(past) : 0;
}

double fading_learned(const void *state) {
    return ((const memory *)state)->learned;
}

double fading_total(const void *state) {
    return ((const memory *)state)->total;
}

/* ------------------------------------------------- by a window --------------------------------------------- */

static size_t in_window(const fading *f, const memory *m) {
    return (size_t)(m->learned < f->window ? m->learned : f->window);
}

/* An arm whose last reward is forgotten is tried again at once, unless it is retired. */
static void fading_drop(tally *t, double reward) {
    if (t->count == 1.0) {
        *t = (tally){.mean = -INFINITY, .due = t->due < INFINITY ? 0.0 : INFINITY};
        return;
    }
    t->count -= 1.0;
    t->sum -= reward;
    t->mean = t->sum / t->count;
}

/*
 * Computes the sums anew each time that the ring has gone round, because adding and subtracting rewards leaves rounding
 * errors, which would accumulate.
 */
static void take_sums_anew(const fading *f, const memory *m, tally *tallies) {
    for (int a = 0; a < f->arms; a++) tallies[a].sum = 0.0;
    for (size_t i = 0; i < in_window(f, m); i++) tallies[(int)m->ring[i].arm].sum += m->ring[i].reward;
    for (int a = 0; a < f->arms; a++)
        if (tallies[a].count > 0.0) tallies[a].mean = tallies[a].sum / tallies[a].count;
}

static void learn_in_window(const fading *f, memory *m, tally *tallies, int arm, double reward) {
    past *place = &m->ring[(uint64_t)m->learned % (uint64_t)f->window];
    if (m->learned >= f->window) fading_drop(&tallies[(int)place->arm], place->reward);
    *place = (past){arm, reward};
    tally_add(&tallies[arm], reward);
    m->learned += 1.0;
    m->total = (double)in_window(f, m);
    if ((uint64_t)m->learned % (uint64_t)f->window == 0) take_sums_anew(f, m, tallies);
}

/* ------------------------------------------------ by a discount -------------------------------------------- */

/* The mean of an arm does not change when all of its rewards count less. */
static void learn_discounted(const fading *f, memory *m, tally *tallies, int arm, double reward) {
    for (int a = 0; a < f->arms; a++) {
        double faded = tallies[a].count * f->discount;
        if (tallies[a].count > 0.0) tallies[a].count = faded > COUNT_LEAST ? faded : COUNT_LEAST;
    }
    tally *t = &tallies[arm];
    double before = t->count > 0.0 ? t->mean : 0.0;
    t->count += 1.0;
    t->mean = before + (reward - before) / t->count;
    m->learned += 1.0;
    m->total = m->total * f->discount + 1.0;
}

void fading_learn(const fading *f, void *state, tally *tallies, int arm, double reward) {
    if (f->window > 0.0)
        learn_in_window(f, state, tallies, arm, reward);
    else
        learn_discounted(f, state, tallies, arm, reward);
}

/* --------------------------------------------------- sanity ------------------------------------------------ */

static double count_in_ring(const fading *f, const memory *m, int arm) {
    double count = 0.0;
    for (size_t i = 0; i < in_window(f, m); i++) count += m->ring[i].arm == arm;
    return count;
}

static bool ring_sane(const fading *f, const memory *m, const tally *tallies) {
    double counted = 0.0;
    for (int a = 0; a < f->arms; a++) {
        /* Only arms with a reward can be in the ring; looking for the others would take arms times window. */
        if (tallies[a].count > 0.0 && tallies[a].count != count_in_ring(f, m, a)) return false;
        counted += tallies[a].count;
    }
    for (size_t i = 0; i < in_window(f, m); i++)
        if (!isfinite(m->ring[i].reward)) return false;
    return counted == m->total && m->total == (double)in_window(f, m);
}

bool fading_sane(const fading *f, const void *state, const tally *tallies) {
    const memory *m = state;
    if (!(m->learned >= 0.0 && m->learned < 0x1p53 && m->learned == floor(m->learned))) return false;
    if (!(m->total >= 0.0 && m->total <= m->learned)) return false;
    return f->window == 0.0 || ring_sane(f, m, tallies);
}

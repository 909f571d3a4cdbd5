/* SPDX-License-Identifier: MIT */
#include "report/chart/prominence.h"

#include <math.h>
#include <string.h>

#include "report/chart/style.h"

/* The share of all choices of all selectors that went to a learner. */
static double prominence_of(const dossier *r, size_t m) {
    double sum = 0;
    for (size_t s = 0; s < r->selector_count; s++) {
        const double *share = r->share + (s * r->learner_count + m) * r->round_count;
        for (size_t p = 0; p < r->round_count; p++) sum += share[p];
    }
    return sum;
}

/* Marks the learners that are chosen most, and `best` before all others; `best` may be the number of learners. */
static void prominence_mark(dossier *r, size_t best) {
    dossier_learner *learners = r->learners;
    for (size_t m = 0; m < r->learner_count; m++) learners[m].chosen = m == best ? INFINITY : prominence_of(r, m);
    for (size_t count = 0; count < style_limit("coloured_areas"); count++) {
        size_t most = r->learner_count;
        for (size_t m = 0; m < r->learner_count; m++)
            if (!learners[m].shown && (most == r->learner_count || learners[m].chosen > learners[most].chosen))
                most = m;
        if (learners[most].chosen > 0) learners[most].shown = true;
    }
}

/*
 * If some learners are grey, those that are shown have the first styles, the best learner before them: its line has no
 * gaps, and areas differ in colour and not in dashes alone.
 */
static void prominence_rank(dossier *r, size_t best, bool crowded) {
    size_t rank = 0;
    if (crowded && best < r->learner_count) r->learners[best].rank = rank++;
    for (int shown = 1; shown >= 0; shown--)
        for (size_t m = 0; m < r->learner_count; m++)
            if (r->learners[m].shown == (shown == 1) && !(crowded && m == best)) r->learners[m].rank = rank++;
}

static size_t prominence_find(const dossier *r, const dossier_competitor *learner) {
    size_t m = 0;
    while (m < r->learner_count && (learner == NULL || strcmp(r->learners[m].name, learner->name) != 0)) m++;
    return m;
}

bool prominence_set(dossier *r) {
    if (!style_load()) return false;
    const dossier_competitor *alone = dossier_best_learner(r);
    size_t best = prominence_find(r, alone), selectors = 0;
    bool crowded = r->learner_count > style_limit("shown_learners");
    for (size_t m = 0; m < r->learner_count; m++) r->learners[m].shown = !crowded;
    if (crowded) prominence_mark(r, best);
    prominence_rank(r, best, crowded);
    for (size_t c = 0; c < r->competitor_count; c++) {
        dossier_competitor *one = &r->competitors[c];
        one->shown = !crowded || one->role != DOSSIER_LEARNER || one == alone;
        if (one->role == DOSSIER_SELECTOR) one->rank = selectors++;
        if (one->role == DOSSIER_LEARNER) one->rank = r->learners[prominence_find(r, one)].rank;
    }
    return true;
}

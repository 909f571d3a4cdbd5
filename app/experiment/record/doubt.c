/* SPDX-License-Identifier: MIT */
#include "experiment/record/doubt.h"

#include <inttypes.h>
#include <math.h>

#include "common/text.h"
#include "posse_extend.h"

/* If more than this share is clipped, the selector no longer sees the rewards that are paid. */
#define CLIPPED_SHARE 0.01

const char *doubt_name(doubt kind) {
    static const char *const names[] = {[DOUBT_CLIPPING] = "clipping", [DOUBT_BELIEF] = "belief"};
    return names[kind];
}

static char *clipping_text(const results *r, int s) {
    const experiment *e = r->agenda->experiment;
    const double *range = agenda_range(r->agenda, s);
    double rewards = (double)e->runs * (double)e->rounds;
    if (range == NULL || !(r->clipped[s] > CLIPPED_SHARE * rewards)) return NULL;
    char low[NUMBER_TEXT], high[NUMBER_TEXT];
    return text_format("\"%s\" clipped %.1f%% of the rewards to its range [%s, %s]; give it a wider range",
                       e->selectors[s].name, 100.0 * r->clipped[s] / rewards, number_text(range[0], low),
                       number_text(range[1], high));
}

/* The belief of a selector; that of the environment if it names no other. */
static const posse_part *doubt_belief(const experiment *e, int s) {
    const posse_option *belief = posse_part_option_of_type(POSSE_FAMILY_SELECTOR, &e->selectors[s], POSSE_TYPE_PART);
    return belief != NULL && belief->part != NULL ? belief->part : &e->prior;
}

double doubt_limit(const results *r, int selector) {
    const posse_option *robust = posse_part_option(doubt_belief(r->agenda->experiment, selector), "robust");
    return robust != NULL && robust->number != 0.0 ? INFINITY : r->surprise_limit[selector];
}

static char *belief_text(const results *r, int s) {
    const experiment *e = r->agenda->experiment;
    double factor = r->surprise[s] * r->watched_runs;
    if (!(factor > doubt_limit(r, s))) return NULL;
    return text_format("rewards contradict the belief of \"%s\" (log Bayes factor %.1f in %" PRIu32 " of %" PRIu32
                       " runs; by chance above %.1f at most once in 20); correct it, or give it robust: true",
                       e->selectors[s].name, factor, r->watched_runs, e->runs, doubt_limit(r, s));
}

char *doubt_text(const results *r, int selector, doubt kind) {
    return kind == DOUBT_CLIPPING ? clipping_text(r, selector) : belief_text(r, selector);
}

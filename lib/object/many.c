/* SPDX-License-Identifier: MIT */
/*
 * Many decisions in one call.
 */
#include <string.h>

#include "object/forecast.h"

/* What a call writes: a decision for each context, and its coordinates or features. */
typedef struct many {
    posse_decision *decisions;
    double *points; /* NULL: they are not wanted */
    size_t numbers; /* of each point */
    size_t made;
} many;

/* The point of a decision is valid until the next one, so it is copied. */
static void many_keep(many *m) {
    posse_decision *d = &m->decisions[m->made];
    double *to = m->points != NULL ? m->points + m->made * m->numbers : NULL;
    if (d->point != NULL && to != NULL) memcpy(to, d->point, m->numbers * sizeof *to);
    if (d->point != NULL) d->point = to;
    m->made++;
}

/* Decides in the next rounds that were read ahead or, if there are none, in the next context by itself. */
static posse_error many_decide(many *m, posse *p, forecast *f, const posse_context *contexts, size_t count) {
    int rounds = forecast_read(f, p, contexts, count), i = 0;
    posse_error error;
    do {
        posse_decision *d = &m->decisions[m->made];
        if (p->pending.capacity > 0) pending_expect(&p->pending, p->decisions + PENDING_AHEAD);
        if (rounds > 0) forecast_turn_to(f, i);
        error = rounds > 0 ? decisions_make(p, &f->rounds[i], d) : posse_decide(p, contexts, d);
        if (error == POSSE_OK) many_keep(m);
    } while (error == POSSE_OK && ++i < rounds);
    return error;
}

posse_error posse_decide_many(posse *p, const posse_context *contexts, size_t count, posse_decision *decisions,
                              double *points, size_t *made) {
    if (made != NULL) *made = 0;
    if (p == NULL || (decisions == NULL && count > 0)) return POSSE_ERROR_ARGUMENT;
    const posse_space *space = p->space;
    many m = {decisions, points, (size_t)(space_has_contexts(space) ? space->features : space->dim), 0};
    posse_error error = POSSE_OK;
    forecast f;
    forecast_open(&f, p, count);
    while (m.made < count && error == POSSE_OK)
        error = many_decide(&m, p, &f, contexts != NULL ? contexts + m.made : NULL, count - m.made);
    forecast_close(&f, p);
    if (made != NULL) *made = m.made;
    return error;
}

/* SPDX-License-Identifier: MIT */
/*
 * The random streams of a posse. They begin small, because an application may hold a million posses. They get larger
 * with use, or at once if the posse plays simulations. The draws do not depend on the size.
 */
#include "object/object.h"

typedef posse_draw *(*stream_change)(posse_draw *draw, const posse_allocator *allocator);

static posse_draw *enlarge_for_simulations(posse_draw *draw, const posse_allocator *allocator) {
    return draw_enlarge(draw, STREAM_SLOTS, allocator);
}

static void streams_change(posse *p, stream_change change) {
    const posse_allocator *allocator = &p->host.allocator;
    p->selector_draw = change(p->selector_draw, allocator);
    p->ties_draw = change(p->ties_draw, allocator);
    if (p->floor_draw != NULL) p->floor_draw = change(p->floor_draw, allocator);
    for (int i = 0; i < p->count; i++) {
        member *m = &p->members[i];
        if (m->active) m->draw = change(m->draw, allocator);
    }
}

void streams_fit(posse *p) {
    streams_change(p, draw_fit);
    if (p->fit_mask < STREAMS_FIT - 1) p->fit_mask = (uint8_t)(2 * p->fit_mask + 1);
}

void streams_simulate(posse *p) {
    if (p->simulates) return;
    p->simulates = true;
    streams_change(p, enlarge_for_simulations);
}

void streams_release(posse *p) {
    const posse_allocator *allocator = &p->host.allocator;
    draw_release(p->selector_draw, allocator);
    draw_release(p->ties_draw, allocator);
    draw_release(p->floor_draw, allocator);
}

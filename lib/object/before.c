/* SPDX-License-Identifier: MIT */
#include "object/before.h"
#include "base/assert.h"

#include <string.h>

/* Whether learner i is asked for its arm if `chosen` is chosen. */
static bool is_asked(const posse *p, int chosen, int i) {
    return p->members[i].active && (i == chosen || p->selector.picks != NULL);
}

posse_error before_open(before *b, const posse *p) {
    *b = (before){.memory = {.allocator = p->host.allocator}, .asked = -1};
    size_t largest = 0, all = 0;
    for (int i = 0; i < p->count; i++) {
        size_t size = p->members[i].active ? p->members[i].part.state_size : 0;
        if (size > largest) largest = size;
        all += size;
    }
    b->selector = arena_allocate(&b->memory, p->selector.part.state_size);
    b->learners = arena_allocate(&b->memory, p->selector.picks != NULL ? all : largest);
    b->positions = arena_allocate(&b->memory, (size_t)p->count * sizeof *b->positions);
    return b->selector != NULL && b->learners != NULL && b->positions != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

void before_close(before *b) {
    arena_release(&b->memory);
}

static void keep_selector(before *b, const posse *p) {
    b->current = p->current;
    b->probability = p->probability;
    b->batch_left = p->batch_left;
    b->asked = -1;
    b->selector_draw = p->selector_draw->position;
    b->ties_draw = p->ties_draw->position;
    if (p->floor_draw != NULL) b->floor_draw = p->floor_draw->position;
    if (p->selector.ops != NULL) memcpy(b->selector, p->selector.state, p->selector.part.state_size);
}

static void keep_learners(before *b, const posse *p) {
    POSSE_ASSERT(posse_learner_active(p, p->current));
    b->asked = p->current;
    b->plays = p->members[b->asked].plays;
    char *at = b->learners;
    for (int i = 0; i < p->count; i++) {
        const member *m = &p->members[i];
        if (!is_asked(p, b->asked, i)) continue;
        memcpy(at, m->state, m->part.state_size);
        b->positions[i] = m->draw->position;
        at += m->part.state_size;
    }
}

posse_error before_choose(before *b, posse *p, const posse_round *round, posse_decision *d) {
    keep_selector(b, p);
    posse_error error = object_choose_learner(p);
    if (error != POSSE_OK) return error;
    keep_learners(b, p);
    return object_choose(p, round, d);
}

void before_restore(const before *b, posse *p) {
    p->current = b->current;
    p->probability = b->probability;
    p->batch_left = b->batch_left;
    if (p->selector.ops != NULL) memcpy(p->selector.state, b->selector, p->selector.part.state_size);
    if (b->asked < 0) return;
    p->members[b->asked].plays = b->plays;
    const char *at = b->learners;
    for (int i = 0; i < p->count; i++) {
        const member *m = &p->members[i];
        if (!is_asked(p, b->asked, i)) continue;
        memcpy(m->state, at, m->part.state_size);
        at += m->part.state_size;
    }
}

static void before_rewind_stream(posse_draw *draw, uint64_t position) {
    if (draw != NULL) draw_start(draw, draw->seed, draw->run, draw->stream, position);
}

void before_rewind(const before *b, posse *p) {
    before_rewind_stream(p->selector_draw, b->selector_draw);
    before_rewind_stream(p->ties_draw, b->ties_draw);
    before_rewind_stream(p->floor_draw, b->floor_draw);
    for (int i = 0; i < p->count && b->asked >= 0; i++)
        if (is_asked(p, b->asked, i)) before_rewind_stream(p->members[i].draw, b->positions[i]);
}

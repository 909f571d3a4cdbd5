/* SPDX-License-Identifier: MIT */
#include "object/shared_state.h"

shared_state *shared_state_make(const posse_allocator *allocator, size_t size, int arms) {
    size_t estimates = 2 * (size_t)arms * sizeof(double);
    shared_state *s = memory_allocate(allocator, sizeof *s + size + estimates);
    if (s == NULL) return NULL;
    double *room = s->numbers + size / sizeof(double);
    *s = (shared_state){.users = 1, .estimates = {.means = room, .deviations = room + arms, .stride = 1}};
    return s;
}

void shared_state_leave(shared_state *s, const posse_allocator *allocator) {
    if (s != NULL && --s->users == 0) memory_release(allocator, s);
}

/* SPDX-License-Identifier: MIT */
/*
 * What is noted of a run of any competitor: its curves, its regret at the watched rounds, and how often it played an
 * optimal arm in the last rounds.
 *
 * Define LANES as 1 before including.
 */
#ifndef POSSE_ABREAST_DEVICE_NOTES_H
#define POSSE_ABREAST_DEVICE_NOTES_H

#include "abreast/device/job.h"

#include "numeric/wide.h"

/* Where the numbers of a matching round begin in the slip of a competitor. */
WIDE size_t slip_match(const device_plan *p, const device_competitor *c, size_t matching) {
    size_t learners = (size_t)c->learners;
    return SLIP_WATCHED + p->watched_count + 3 * learners + 1 + matching * (2 * learners + 1);
}

/* A run, and where its numbers go. */
typedef struct noted_run {
    uint32_t run;   /* its number in the experiment */
    uint32_t place; /* its place in the flight, or that of another run if it does not count */
    bool counts;    /* false: a thread without a run, which keeps its warp complete */
    double *slip;
    device_curves curves; /* rows of this competitor */
} noted_run;

typedef struct notes {
    double regret;
    uint32_t optimal, point, watched;
    uint32_t next_point, next_watched; /* the rounds, counted from 1; 0: there is none */
} notes;

WIDE uint32_t next_of(const uint32_t *rounds, uint32_t at, uint32_t count) {
    return at < count ? rounds[at] : 0;
}

WIDE void notes_begin(const device_plan *p, notes *n) {
    n->regret = 0.0;
    n->optimal = n->point = n->watched = 0;
    n->next_point = next_of(p->points, 0, p->point_count);
    n->next_watched = next_of(p->watched, 0, p->watched_count);
}

/* learner: among all learners of the experiment; -1: there is no selector. */
WIDE void note_point(const device_plan *p, const noted_run *r, int32_t learner, double regret, notes *n) {
    size_t at = (size_t)n->point * r->curves.runs + r->place;
    n->next_point = next_of(p->points, ++n->point, p->point_count);
    if (!r->counts) return;
    r->curves.regrets[at] = n->regret;
    r->curves.optimal[at] = regret == 0.0;
    if (learner >= 0) r->curves.choices[at] = (uint16_t)learner;
}

WIDE void note_watched(const device_plan *p, const noted_run *r, notes *n) {
    if (r->counts) r->slip[SLIP_WATCHED + n->watched] = n->regret;
    n->next_watched = next_of(p->watched, ++n->watched, p->watched_count);
}

/* places: of the learners, among all of the experiment; NULL: there is no selector. */
WIDE void notes_take(const device_plan *p, const noted_run *r, uint32_t round, const int32_t *places, int32_t chosen,
                     double regret, notes *n) {
    n->regret += regret;
    if (n->next_point == round + 1) note_point(p, r, places != NULL ? places[chosen] : -1, regret, n);
    if (n->next_watched == round + 1) note_watched(p, r, n);
    if (round >= p->rounds - p->tail) n->optimal += regret == 0.0;
}

WIDE void notes_end(const noted_run *r, const notes *n) {
    r->slip[SLIP_REGRET] = n->regret;
    r->slip[SLIP_OPTIMAL] = (double)n->optimal;
}

#endif

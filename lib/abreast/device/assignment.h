/* SPDX-License-Identifier: MIT */
/*
 * What kernels of CUDA are given: one competitor's part of a flight.
 */
#ifndef POSSE_ABREAST_DEVICE_ASSIGNMENT_H
#define POSSE_ABREAST_DEVICE_ASSIGNMENT_H

#include "abreast/device/notes.h"

/* The threads in which the library plays: of a block, and of a multiprocessor. */
#define GUESTS 64
#define GUESTS_AT_ONCE 512

struct assignment {
    const uint32_t *numbers;
    const double *means, *best;
    double *slips;
    device_curves curves;
    const double2 *near;             /* UCB's table, which is copied to fast memory */
    uint32_t near_count, near_first; /* its size, or 0; and behind how many pairs of cells it is there */
    const volatile uint32_t *halt;
};

/* Memory for the threads in which the library plays a competitor. */
struct library_room {
    char *places;      /* of each thread: its account, and its states unless they are on its stack */
    size_t place_size; /* bytes of a place */
    bool on_stack;
};

/* The run of a thread. */
static __device__ inline noted_run noted(const device_plan *p, const device_competitor *c, const assignment *a,
                                         uint32_t thread) {
    noted_run r;
    r.counts = thread < a->curves.runs;
    r.place = r.counts ? thread : a->curves.runs - 1;
    r.run = a->numbers[r.place];
    r.slip = a->slips + (size_t)r.place * p->slip_count + c->slip;
    r.curves = a->curves;
    return r;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Seconds of a clock that never goes back, even if the time of day is set. Its origin is arbitrary, so only differences
 * mean anything.
 */
#ifndef POSSE_COMMON_CLOCK_H
#define POSSE_COMMON_CLOCK_H

#include <time.h>

static inline double clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif

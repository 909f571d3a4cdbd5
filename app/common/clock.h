/* SPDX-License-Identifier: MIT */
/*
 * Seconds that only go forward, whatever happens to the time of day. Where they begin is not said: differences count.
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

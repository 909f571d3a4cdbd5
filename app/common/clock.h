/* SPDX-License-Identifier: MIT */
/*
 * The clocks of the machine. No other file asks for the time.
 */
#ifndef POSSE_COMMON_CLOCK_H
#define POSSE_COMMON_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline struct timespec clock_get(clockid_t which) {
    struct timespec t;
    clock_gettime(which, &t);
    return t;
}

static inline double clock_read(clockid_t which) {
    struct timespec t = clock_get(which);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/*
 * Seconds of a clock that never goes back, even if the time of day is set. Its origin is arbitrary, so only differences
 * mean anything.
 */
static inline double clock_now(void) {
    return clock_read(CLOCK_MONOTONIC);
}

/* Whole seconds since 1970, by the machine's date, which may be set. */
static inline int64_t clock_date(void) {
    return (int64_t)time(NULL);
}

#endif

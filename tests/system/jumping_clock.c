/* SPDX-License-Identifier: MIT */
/*
 * A library for LD_PRELOAD that makes the wall clock of a program jump, ten times a second, by up to two days forwards
 * or backwards. The monotonic clock stays right. The jumps are not years, because Redis, while it reads its log, counts
 * every tenth of a second by which the clock has advanced.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define HOUR ((time_t)3600)

static time_t jump(const struct timespec *t) {
    static const time_t jumps[] = {0, 2 * HOUR, -2 * HOUR, 24 * HOUR, -24 * HOUR, 48 * HOUR, -48 * HOUR};
    uint64_t tenth = (uint64_t)t->tv_sec * 10 + (uint64_t)t->tv_nsec / 100000000;
    return jumps[tenth % (sizeof jumps / sizeof *jumps)];
}

int clock_gettime(clockid_t which, struct timespec *out) {
    int status = (int)syscall(SYS_clock_gettime, which, out);
    if (status == 0 && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) out->tv_sec += jump(out);
    return status;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    (void)zone;
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    *out = (struct timeval){.tv_sec = t.tv_sec, .tv_usec = t.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *out) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    if (out != NULL) *out = t.tv_sec;
    return t.tv_sec;
}

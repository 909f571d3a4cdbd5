/* SPDX-License-Identifier: MIT */
/*
 * A library for LD_PRELOAD that makes one connection of a server readable for ever: the one that has sent the header
 * X-Endless. Whenever nothing has arrived on it, it has one byte more. So the event loop finds something to read in
 * every turn, which a flood of bodies reaches only on a fast machine.
 *
 * From then on the monotonic clock only advances with the turns of the loop, while another connection waits for an
 * answer, and by less than a second in all. So timers of a tenth of a second fire, and those of a second at most once,
 * however fast the machine is.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define STEP 1000000  /* nanoseconds of a turn */
#define ALL_STEPS 950 /* less than a second */
#define SECOND 1000000000

static int endless = -1, waiting = -1; /* connections */
static long steps;
static struct timespec begun[16]; /* for each clock */

int clock_gettime(clockid_t which, struct timespec *out) {
    int status = (int)syscall(SYS_clock_gettime, which, out);
    bool stands = which == CLOCK_MONOTONIC || which == CLOCK_MONOTONIC_COARSE || which == CLOCK_BOOTTIME;
    if (endless < 0 || !stands) return status;
    if (begun[which].tv_sec == 0) begun[which] = *out;
    long nanoseconds = begun[which].tv_nsec + steps * STEP;
    *out = (struct timespec){begun[which].tv_sec + nanoseconds / SECOND, nanoseconds % SECOND};
    return status;
}

ssize_t readv(int file, const struct iovec *list, int count) {
    ssize_t length = syscall(SYS_readv, file, list, count);
    size_t first = length > 0 && (size_t)length < list[0].iov_len ? (size_t)length : list[0].iov_len;
    if (length > 0 && memmem(list[0].iov_base, first, "X-Endless", 9) != NULL) endless = file;
    if (length > 0 && file != endless) waiting = file;
    if (file != endless || length >= 0 || errno != EAGAIN) return length;
    *(char *)list[0].iov_base = 'x';
    return 1;
}

ssize_t writev(int file, const struct iovec *list, int count) {
    if (file == waiting) waiting = -1;
    return syscall(SYS_writev, file, list, count);
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout) {
    int count = (int)syscall(SYS_epoll_pwait, epoll, events, most, endless >= 0 ? 0 : timeout, NULL, 8);
    bool there = endless < 0 || count < 0 || count == most;
    for (int i = 0; i < count; i++) there = there || events[i].data.fd == endless;
    if (!there) events[count++] = (struct epoll_event){.events = EPOLLIN, .data.fd = endless};
    if (endless >= 0 && waiting >= 0 && steps < ALL_STEPS) steps++;
    return count;
}

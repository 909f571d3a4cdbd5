/* SPDX-License-Identifier: MIT */
/*
 * What a contender in C measures and prints; contender.py does the same for those in Python. It does not need the
 * library, so that the textbook rival can use it too.
 *
 *     ns NANOSECONDS PER ROUND           once for each repeat; a round is one of every competitor
 *     regret COMPETITOR MEAN ERROR       over all repeats: B-MS, then every learner alone
 *     memory PEAK RESIDENT MEGABYTES
 *     note WORDS                         what it was made with
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define COMPETITORS_MAX 16
#define TOGETHER_MAX 64

typedef struct plan {
    int competitors;
    uint32_t rounds, runs, repeats;
    uint32_t together; /* runs played at once, at most TOGETHER_MAX */
    /* Lets every competitor play `runs` runs, and writes their regrets, run by run. */
    void (*play)(void *context, uint32_t first, uint32_t runs, double *regrets);
    void *context;
    const char *note;
} plan;

/* Processor time, not wall-clock time: other processes on the machine hardly change it. */
static inline double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The peak of this program alone: getrusage would include the memory of the parent before it started this program. */
static inline double peak_megabytes(void) {
    char line[128];
    double kilobytes = 0.0;
    FILE *status = fopen("/proc/self/status", "r");
    if (status == NULL) return NAN;
    while (fgets(line, sizeof line, status) != NULL) sscanf(line, "VmHWM: %lf", &kilobytes);
    fclose(status);
    return kilobytes / 1024.0;
}

static inline void report(const plan *p) {
    double sum[COMPETITORS_MAX] = {0}, squares[COMPETITORS_MAX] = {0};
    for (uint32_t repeat = 0; repeat < p->repeats; repeat++) {
        double begin = seconds();
        for (uint32_t done = 0, now; done < p->runs; done += now) {
            double regrets[TOGETHER_MAX * COMPETITORS_MAX];
            now = p->runs - done < p->together ? p->runs - done : p->together;
            p->play(p->context, repeat * p->runs + done, now, regrets);
            for (uint32_t i = 0; i < now * (uint32_t)p->competitors; i++) {
                sum[i % (uint32_t)p->competitors] += regrets[i];
                squares[i % (uint32_t)p->competitors] += regrets[i] * regrets[i];
            }
        }
        printf("ns %.6g\n", 1e9 * (seconds() - begin) / ((double)p->runs * p->rounds));
        fflush(stdout);
    }
    double total = (double)p->runs * p->repeats;
    for (int c = 0; c < p->competitors; c++) {
        double mean = sum[c] / total, spread = squares[c] - total * mean * mean;
        printf("regret %d %.10g %.6g\n", c, mean, sqrt((spread > 0.0 ? spread : 0.0) / ((total - 1.0) * total)));
    }
    printf("memory %.6g\n", peak_megabytes());
#if defined(__clang__)
    printf("note %s; %s\n", __VERSION__, p->note);
#else
    printf("note gcc %s; %s\n", __VERSION__, p->note);
#endif
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The source of the device (abreast/device/), compiled for the processor: a thread at a time. So a machine without a
 * GPU tests all but CUDA's own part. A test loads it in place of posse_cuda.so.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define LANES 1
#include "abreast/device/library.h"
#include "abreast/device/play.h"
#include "abreast/device/reduce.h"

#define RUNS_MOST 192 /* of a flight: few, so that tests have several flights */

typedef struct machine {
    const device_plan *plan;
    atomic_uint halt;
    double *sums, noise[NORMALS_MOST];
    uint32_t *counts;
    device_curves curves;
    library_form *forms; /* of each competitor that the library plays */
    void **memory;       /* of the same: their plans */
    void *states, *account;
} machine;

static void device_on_host_close(void *machine_) {
    machine *m = machine_;
    if (m == NULL) return;
    for (uint32_t i = 0; m->memory != NULL && i < m->plan->played; i++) free(m->memory[i]);
    free(m->memory);
    free(m->forms);
    free(m->states);
    free(m->account);
    free(m->sums);
    free(m->counts);
    free(m->curves.regrets);
    free(m->curves.optimal);
    free(m->curves.choices);
    free(m);
}

static const char *device_on_host_open(void **out, int ordinal) {
    (void)ordinal;
    *out = calloc(1, sizeof(machine));
    return *out != NULL ? NULL : "out of memory";
}

static const char *device_on_host_name(const void *machine_) {
    (void)machine_;
    return "the processor";
}

static const char *open_forms(machine *m) {
    const device_plan *p = m->plan;
    size_t states = 16, account = 16;
    m->forms = calloc(p->played, sizeof *m->forms);
    m->memory = calloc(p->played, sizeof *m->memory);
    if (m->forms == NULL || m->memory == NULL) return "out of memory";
    for (uint32_t i = 0; i < p->played; i++) {
        if (!p->competitor[i].by_library) continue;
        m->memory[i] = malloc(LIBRARY_MEMORY);
        if (m->memory[i] == NULL) return "out of memory";
        library_open(p, &p->competitor[i], m->memory[i], &m->forms[i]);
        if (m->forms[i].error != 0) return "a competitor could not be made there";
        if (m->forms[i].state_size > states) states = m->forms[i].state_size;
        if (m->forms[i].account_size > account) account = m->forms[i].account_size;
    }
    m->states = malloc(states);
    m->account = malloc(account);
    return m->states != NULL && m->account != NULL ? NULL : "out of memory";
}

static const char *device_on_host_prepare(void *machine_, const device_plan *plan, uint32_t *runs) {
    machine *m = machine_;
    size_t rows = plan->played * (size_t)plan->point_count;
    m->plan = plan;
    if (*runs > RUNS_MOST)
        *runs = RUNS_MOST > plan->block_runs ? RUNS_MOST / plan->block_runs * plan->block_runs : plan->block_runs;
    m->sums = malloc((DEVICE_CELLS_MOST + DEVICE_ARMS_MOST) * sizeof *m->sums);
    m->counts = malloc((DEVICE_CELLS_MOST + DEVICE_ARMS_MOST + 2 * DEVICE_LEARNERS_MOST) * sizeof *m->counts);
    m->curves.regrets = malloc(rows * *runs * sizeof *m->curves.regrets);
    m->curves.optimal = malloc(rows * *runs * sizeof *m->curves.optimal);
    m->curves.choices = malloc(rows * *runs * sizeof *m->curves.choices);
    bool ok = m->sums != NULL && m->counts != NULL && m->curves.regrets != NULL && m->curves.optimal != NULL &&
              m->curves.choices != NULL;
    return ok ? open_forms(m) : "out of memory";
}

static void play_competitor(machine *m, const device_flight *f, uint32_t who) {
    const device_plan *p = m->plan;
    const device_competitor *c = &p->competitor[who];
    const size_t rows = (size_t)who * p->point_count * f->count;
    for (uint32_t i = 0; i < f->count && m->halt == 0; i++) {
        uint32_t never = 0;
        noted_run of = {
            .run = f->runs[i],
            .place = i,
            .counts = true,
            .slip = f->slips + (size_t)i * p->slip_count + c->slip,
            .curves = {f->count, m->curves.regrets + rows, m->curves.optimal + rows, m->curves.choices + rows}};
        if (c->by_library) {
            library_play(p, c, &m->forms[who], m->states, m->account, &of, &never, f->failure);
            continue;
        }
        play_run r = {
            .of = of, .means = f->means, .best = f->best[i], .cells = {m->sums, m->noise, m->counts, 1, NULL, NULL}};
        play_one((play_shape){p->arms, c->selects, c->some_bayes, c->some_ucb, false}, p, c, &r, &never);
    }
}

static void reduce(machine *m, const device_flight *f) {
    const device_plan *p = m->plan;
    const size_t size = (size_t)p->competitors * p->point_count,
                 shares = (size_t)p->selectors * p->point_count * p->learners;
    for (size_t block = 0; block * p->block_runs < f->count; block++) {
        device_reduced out = {f->reduced.mean + block * size, f->reduced.m2 + block * size,
                              f->reduced.optimal + block * size, f->reduced.shares + block * shares};
        for (size_t c = 0; c < p->competitors; c++)
            for (size_t point = 0; point < p->point_count; point++)
                reduce_point(p, &m->curves, f->slips, block * p->block_runs, c, point, &out);
    }
}

static void keep(const machine *m, const device_flight *f) {
    const size_t n = f->kept.runs, all = f->count, points = m->plan->point_count;
    for (size_t row = 0; row < m->plan->played * points && n > 0; row++) {
        memcpy(f->kept.regrets + row * n, m->curves.regrets + row * all, n * sizeof *f->kept.regrets);
        memcpy(f->kept.optimal + row * n, m->curves.optimal + row * all, n * sizeof *f->kept.optimal);
        if (row < m->plan->selectors * points)
            memcpy(f->kept.choices + row * n, m->curves.choices + row * all, n * sizeof *f->kept.choices);
    }
}

static const char *device_on_host_play(void *machine_, const device_flight *f,
                                       void (*tell)(void *context, uint64_t rounds), void *context) {
    machine *m = machine_;
    m->curves.runs = f->count;
    for (uint32_t who = 0; who < m->plan->played; who++) {
        play_competitor(m, f, who);
        tell(context, (uint64_t)f->count * m->plan->rounds);
    }
    if (m->halt != 0) return NULL;
    reduce(m, f);
    keep(m, f);
    return NULL;
}

static void device_on_host_halt(void *machine_) {
    ((machine *)machine_)->halt = 1;
}

static void *device_on_host_allocate(size_t size) {
    return malloc(size);
}

static void device_on_host_release(void *memory) {
    free(memory);
}

extern const device_ops posse_device_ops;
const device_ops posse_device_ops = {.version = DEVICE_VERSION,
                                     .has_library = true,
                                     .open = device_on_host_open,
                                     .name = device_on_host_name,
                                     .prepare = device_on_host_prepare,
                                     .play = device_on_host_play,
                                     .halt = device_on_host_halt,
                                     .allocate = device_on_host_allocate,
                                     .release = device_on_host_release,
                                     .close = device_on_host_close};

/* SPDX-License-Identifier: MIT */
/*
 * posse_cuda.so: runs on a GPU of NVIDIA, one in each thread. Compiled with -fmad=false, so that a * b + c is rounded
 * twice, as everywhere (docs/numeric-rule.md).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES 1
#include "abreast/device/assignment.h"
#include "abreast/device/library.h"
#include "abreast/device/play.h"
#include "abreast/device/reduce.h"

#define FEW 64              /* threads of a block */
#define MANY 512            /* where the cells of so many threads and UCB's table fit into fast memory */
#define THREADS_AT_ONCE 512 /* of a multiprocessor, so that each may have 128 registers */
#define REDUCERS 128
#define WARP 32

/*
 * Memory that a flight may take, as a share of what is free; that the places of the library's threads may take; and
 * that their stacks may take, as a share of all memory.
 */
#define MEMORY_SHARE 0.6
#define PLACES_SHARE 0.2
#define STACKS_SHARE 0.25

#define STACK 65536      /* bytes of a thread in which the library plays, besides states that are on its stack */
#define STREAMS 32       /* competitors that the library plays side by side */
#define PLACES_APART 256 /* bytes: where the places of another competitor may begin */

#if defined(POSSE_WITH_LIBRARY)
extern "C" const char library_image[]; /* image.S */
#else
static const char *const library_image = NULL;
#endif

struct machine {
    char name[256], problem[512];
    int ordinal;
    size_t shared_most;             /* bytes of fast memory that a block of threads may have */
    uint32_t runs;                  /* of a flight, at most */
    device_plan plan;               /* with pointers to memory of the device */
    device_competitor *competitors; /* the same on the host */
    volatile uint32_t *halt;        /* memory of the host that the device reads */
    uint32_t *halt_there;
    void *tables;
    uint32_t *numbers; /* of the runs of a flight */
    double *means, *best, *slips;
    device_curves curves;
    device_reduced reduced;
    uint32_t processors;
    size_t stack_most; /* bytes that the stack of a thread may have */
    cudaLibrary_t library; /* its image, once it is loaded */
    cudaKernel_t open_library, play_by_library;
    library_form *forms;      /* of each competitor, on the host and there */
    library_form *forms_there;
    void **plans;             /* of each competitor that the library plays */
    char *places;
    size_t places_size;
    cudaStream_t streams[STREAMS];
    device_failure *failure;
};

/* ------------------------------------------------- kernels ------------------------------------------------------- */

/* The fast memory of a block of threads: the places for tails, the cells of its threads, and pairs of UCB's table. */
static size_t cuda_sums_of(size_t arms, const device_competitor *c) {
    return (size_t)(c->selects + c->minds) * arms + (c->selects ? 0 : NORMALS_MOST);
}

static size_t cells_size(size_t arms, const device_competitor *c, size_t threads) {
    size_t counts = (size_t)(c->learners + 1) * ((arms + 1) / 2) + (size_t)c->learners;
    size_t size = sizeof(double) * (threads / WARP * TAILS_GATHERED) +
                  threads * (cuda_sums_of(arms, c) * sizeof(double) + counts * sizeof(uint32_t));
    return (size + sizeof(double2) - 1) / sizeof(double2) * sizeof(double2);
}

template <int THREADS>
static __device__ play_cells cells_of(play_shape k, const device_competitor *c, const assignment *a) {
    extern __shared__ double2 memory[];
    double *tails = (double *)memory, *sums = tails + THREADS / WARP * TAILS_GATHERED;
    double *noise = sums + (size_t)(k.selects + c->minds) * k.arms * THREADS;
    uint32_t *counts = (uint32_t *)(noise + (k.selects ? 0 : NORMALS_MOST * THREADS));
    double2 *near = memory + a->near_first;
    for (uint32_t i = threadIdx.x; i < a->near_count; i += THREADS) near[i] = a->near[i];
    __syncthreads();
    play_cells s;
    s.sums = sums + threadIdx.x;
    s.noise = noise + threadIdx.x;
    s.counts = counts + threadIdx.x;
    s.stride = THREADS;
    s.tails = tails + threadIdx.x / WARP * TAILS_GATHERED;
    s.near = (const double *)near;
    return s;
}

/* ARMS 0: any number. */
template <int ARMS, bool SELECTS, bool BAYES, bool UCB, int THREADS>
static __global__ void __launch_bounds__(THREADS, THREADS_AT_ONCE / THREADS)
    play_runs(const __grid_constant__ device_plan p, const __grid_constant__ device_competitor c,
              const __grid_constant__ assignment a) {
    const play_shape k = {ARMS > 0 ? (size_t)ARMS : p.arms, SELECTS, BAYES, UCB, THREADS == MANY};
    const uint32_t thread = blockIdx.x * THREADS + threadIdx.x;
    play_run r;
    r.of = noted(&p, &c, &a, thread);
    r.means = a.means;
    r.best = a.best[r.of.place];
    r.cells = cells_of<THREADS>(k, &c, &a);
    play_one(k, &p, &c, &r, a.halt);
}

static __global__ void __launch_bounds__(REDUCERS)
    reduce_curves(const __grid_constant__ device_plan p, device_curves curves, const double *slips,
                  device_reduced reduced) {
    const size_t point = blockIdx.x * REDUCERS + threadIdx.x, competitor = blockIdx.y, block = blockIdx.z;
    const size_t size = (size_t)p.competitors * p.point_count;
    if (point >= p.point_count) return;
    device_reduced out = {reduced.mean + block * size, reduced.m2 + block * size, reduced.optimal + block * size,
                          reduced.shares + block * (size_t)p.selectors * p.point_count * p.learners};
    reduce_point(&p, &curves, slips, block * p.block_runs, competitor, point, &out);
}

/* ------------------------------------------------- the machine --------------------------------------------------- */

static const char *cuda_describe(struct machine *m, const char *what, cudaError_t error) {
    if (error == cudaSuccess) return NULL;
    snprintf(m->problem, sizeof m->problem, "%s: %s", what, cudaGetErrorString(error));
    return m->problem;
}

#define TRY(m, call)                                                                                                   \
    do {                                                                                                               \
        const char *wrong_ = cuda_describe(m, #call, call);                                                                 \
        if (wrong_ != NULL) return wrong_;                                                                             \
    } while (0)

static void forget_library(struct machine *m) {
    for (uint32_t i = 0; i < m->plan.played && m->plans != NULL; i++) cudaFree(m->plans[i]);
    cudaFree(m->forms_there);
    cudaFree(m->places);
    cudaFree(m->failure);
    free(m->forms);
    free(m->plans);
    m->forms = m->forms_there = NULL;
    m->plans = NULL;
    m->places = NULL;
    m->failure = NULL;
}

static void forget_plan(struct machine *m) {
    forget_library(m);
    void *memory[] = {m->tables,       m->numbers,        m->means,           m->best,
                      m->slips,        m->curves.regrets, m->curves.optimal,  m->curves.choices,
                      m->reduced.mean, m->reduced.m2,     m->reduced.optimal, m->reduced.shares};
    for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++) cudaFree(memory[i]);
    free(m->competitors);
    m->competitors = NULL;
    m->tables = NULL;
    m->numbers = NULL;
    m->means = m->best = m->slips = NULL;
    memset(&m->curves, 0, sizeof m->curves);
    memset(&m->reduced, 0, sizeof m->reduced);
}

static void cuda_close(void *machine) {
    struct machine *m = (struct machine *)machine;
    if (m == NULL) return;
    forget_plan(m);
    for (int i = 0; i < STREAMS && m->streams[i] != NULL; i++) cudaStreamDestroy(m->streams[i]);
    if (m->library != NULL) cudaLibraryUnload(m->library);
    cudaFreeHost((void *)m->halt);
    free(m);
}

static const char *cuda_start(struct machine *m) {
    cudaDeviceProp properties;
    int count;
    TRY(m, cudaGetDeviceCount(&count));
    m->ordinal %= count;
    TRY(m, cudaSetDevice(m->ordinal));
    TRY(m, cudaGetDeviceProperties(&properties, m->ordinal));
    snprintf(m->name, sizeof m->name, "%s", properties.name);
    m->shared_most = properties.sharedMemPerBlockOptin;
    m->processors = (uint32_t)properties.multiProcessorCount;
    m->stack_most = (size_t)((double)properties.totalGlobalMem * STACKS_SHARE) /
                    ((size_t)properties.multiProcessorCount * (size_t)properties.maxThreadsPerMultiProcessor);
    TRY(m, cudaHostAlloc((void **)&m->halt, sizeof *m->halt, cudaHostAllocMapped));
    TRY(m, cudaHostGetDevicePointer((void **)&m->halt_there, (void *)m->halt, 0));
    *m->halt = 0;
    return NULL;
}

static const char *cuda_open(void **machine, int ordinal) {
    static char problem[512];
    struct machine *m = (struct machine *)calloc(1, sizeof *m);
    if (m == NULL) return "out of memory";
    m->ordinal = ordinal;
    const char *wrong = cuda_start(m);
    if (wrong != NULL) {
        snprintf(problem, sizeof problem, "%s", wrong);
        cuda_close(m);
        return problem;
    }
    *machine = m;
    return NULL;
}

static const char *cuda_name(const void *machine) {
    return ((const struct machine *)machine)->name;
}

static void cuda_halt(void *machine) {
    *((struct machine *)machine)->halt = 1;
}

static void *cuda_allocate(size_t size) {
    void *memory = NULL;
    return cudaHostAlloc(&memory, size, cudaHostAllocDefault) == cudaSuccess ? memory : NULL;
}

static void cuda_release(void *memory) {
    cudaFreeHost(memory);
}

/* --------------------------------------------------- the plan ---------------------------------------------------- */

/* Tables and lists in one piece of the device's memory; the plan's pointers then lead there. */
static const char *send_tables(struct machine *m, const device_plan *plan) {
    size_t numbers = plan->number_count * sizeof *plan->numbers, points = plan->point_count * sizeof *plan->points,
           watched = plan->watched_count * sizeof *plan->watched, teams = plan->played * sizeof *plan->competitor,
           places = plan->place_count * sizeof *plan->places;
    char *to;
    TRY(m, cudaMalloc(&m->tables, numbers + teams + points + watched + places + plan->description_size));
    to = (char *)m->tables;
    TRY(m, cudaMemcpy(to, plan->numbers, numbers, cudaMemcpyHostToDevice));
    m->plan.numbers = (const double *)to;
    TRY(m, cudaMemcpy(to += numbers, plan->competitor, teams, cudaMemcpyHostToDevice));
    m->plan.competitor = (const device_competitor *)to;
    TRY(m, cudaMemcpy(to += teams, plan->points, points, cudaMemcpyHostToDevice));
    m->plan.points = (const uint32_t *)to;
    TRY(m, cudaMemcpy(to += points, plan->watched, watched, cudaMemcpyHostToDevice));
    m->plan.watched = (const uint32_t *)to;
    TRY(m, cudaMemcpy(to += watched, plan->places, places, cudaMemcpyHostToDevice));
    m->plan.places = (const int32_t *)to;
    TRY(m, cudaMemcpy(to += places, plan->descriptions, plan->description_size, cudaMemcpyHostToDevice));
    m->plan.descriptions = (const uint8_t *)to;
    m->competitors = (device_competitor *)malloc(teams);
    if (m->competitors == NULL) return "out of memory";
    memcpy(m->competitors, plan->competitor, teams);
    return NULL;
}

/* How many bytes of the device's memory a run takes; reduced curves are shared by the runs of a block. */
static size_t bytes_of_run(const device_plan *p) {
    size_t points = p->point_count, reduced = p->competitors * points * 20 + p->selectors * points * p->learners * 4;
    return p->played * points * 9 + p->selectors * points * 2 + p->slip_count * 8 + p->arms * 16 +
           reduced / p->block_runs + 1;
}

static const char *reserve_flight(struct machine *m, uint32_t *runs) {
    const device_plan *p = &m->plan;
    size_t available, total;
    TRY(m, cudaMemGetInfo(&available, &total));
    double most = (double)available * MEMORY_SHARE / (double)bytes_of_run(p);
    if (most < (double)*runs) *runs = (uint32_t)most / p->block_runs * p->block_runs;
    if (*runs < p->block_runs) return "its memory does not hold the curves of a block of runs";
    m->runs = *runs;
    size_t played = (size_t)p->played * p->point_count * m->runs,
           chosen = (size_t)p->selectors * p->point_count * m->runs;
    size_t blocks = (m->runs - 1) / p->block_runs + 1, reduced = blocks * p->competitors * p->point_count;
    TRY(m, cudaMalloc((void **)&m->numbers, m->runs * sizeof *m->numbers));
    TRY(m, cudaMalloc((void **)&m->means, p->arms * (size_t)m->runs * sizeof(double)));
    TRY(m, cudaMalloc((void **)&m->best, (size_t)m->runs * sizeof(double)));
    TRY(m, cudaMalloc((void **)&m->slips, p->slip_count * (size_t)m->runs * sizeof(double)));
    TRY(m, cudaMalloc((void **)&m->curves.regrets, played * sizeof *m->curves.regrets));
    TRY(m, cudaMalloc((void **)&m->curves.optimal, played * sizeof *m->curves.optimal));
    TRY(m, cudaMalloc((void **)&m->curves.choices, chosen * sizeof *m->curves.choices));
    TRY(m, cudaMalloc((void **)&m->reduced.mean, reduced * sizeof *m->reduced.mean));
    TRY(m, cudaMalloc((void **)&m->reduced.m2, reduced * sizeof *m->reduced.m2));
    TRY(m, cudaMalloc((void **)&m->reduced.optimal, reduced * sizeof *m->reduced.optimal));
    TRY(m, cudaMalloc((void **)&m->reduced.shares,
                      blocks * p->selectors * p->point_count * p->learners * sizeof *m->reduced.shares));
    return NULL;
}

static bool is_on_stack(const struct machine *m, const library_form *form) {
    return STACK + form->state_size <= m->stack_most;
}

static size_t place_size_of(const struct machine *m, const library_form *form) {
    return form->account_size + (is_on_stack(m, form) ? 0 : form->state_size);
}

/* How many threads of the library play a competitor at once. */
static uint32_t guests_of(const struct machine *m, const library_form *form, uint32_t runs) {
    size_t most = m->processors * GUESTS_AT_ONCE, held = m->places_size / place_size_of(m, form) / GUESTS * GUESTS;
    if (held < most) most = held;
    return (uint32_t)(runs < most ? (runs + GUESTS - 1) / GUESTS * GUESTS : most);
}

static const char *load_library(struct machine *m) {
    if (m->library != NULL) return NULL;
    TRY(m, cudaLibraryLoadData(&m->library, library_image, NULL, NULL, 0, NULL, NULL, 0));
    TRY(m, cudaLibraryGetKernel(&m->open_library, m->library, "open_library"));
    TRY(m, cudaLibraryGetKernel(&m->play_by_library, m->library, "play_by_library"));
    TRY(m, cudaDeviceSetLimit(cudaLimitStackSize, STACK));
    for (int i = 0; i < STREAMS; i++) TRY(m, cudaStreamCreate(&m->streams[i]));
    return NULL;
}

static const char *open_forms(struct machine *m) {
    const device_plan *p = &m->plan;
    size_t largest = 0, stack = STACK, available, total;
    m->forms = (library_form *)calloc(p->played, sizeof *m->forms);
    m->plans = (void **)calloc(p->played, sizeof *m->plans);
    if (m->forms == NULL || m->plans == NULL) return "out of memory";
    const char *wrong = load_library(m);
    if (wrong != NULL) return wrong;
    TRY(m, cudaMalloc((void **)&m->failure, sizeof *m->failure));
    TRY(m, cudaMalloc((void **)&m->forms_there, p->played * sizeof *m->forms));
    for (uint32_t i = 0; i < p->played; i++) {
        if (!m->competitors[i].by_library) continue;
        TRY(m, cudaMalloc(&m->plans[i], LIBRARY_MEMORY));
        library_form *form = m->forms_there + i;
        void *arguments[] = {&m->plan, &m->competitors[i], &m->plans[i], &form};
        TRY(m, cudaLaunchKernel((const void *)m->open_library, 1, 1, arguments, 0, 0));
        TRY(m, cudaMemcpy(m->forms + i, m->forms_there + i, sizeof *m->forms, cudaMemcpyDeviceToHost));
        if (m->forms[i].error != 0) {
            snprintf(m->problem, sizeof m->problem, "competitor %u could not be made there (error %d)", i,
                     m->forms[i].error);
            return m->problem;
        }
        if (place_size_of(m, &m->forms[i]) > largest) largest = place_size_of(m, &m->forms[i]);
        if (is_on_stack(m, &m->forms[i]) && STACK + m->forms[i].state_size > stack)
            stack = STACK + m->forms[i].state_size;
    }
    TRY(m, cudaDeviceSetLimit(cudaLimitStackSize, stack));
    TRY(m, cudaMemGetInfo(&available, &total));
    size_t wanted = m->processors * GUESTS_AT_ONCE * largest, most = (size_t)((double)available * PLACES_SHARE);
    m->places_size = wanted < most ? wanted : most;
    if (m->places_size < GUESTS * largest) return "its memory does not hold the states of a block of threads";
    TRY(m, cudaMalloc((void **)&m->places, m->places_size));
    return NULL;
}
static bool some_by_library(const device_plan *plan) {
    for (uint32_t i = 0; i < plan->played; i++)
        if (plan->competitor[i].by_library) return true;
    return false;
}

static const char *cuda_prepare(void *machine, const device_plan *plan, uint32_t *runs) {
    struct machine *m = (struct machine *)machine;
    forget_plan(m);
    *m->halt = 0;
    m->plan = *plan;
    const char *wrong = send_tables(m, plan);
    if (wrong == NULL && some_by_library(plan)) wrong = open_forms(m);
    for (uint32_t i = 0; i < plan->played && wrong == NULL; i++)
        if (!plan->competitor[i].by_library && cells_size(plan->arms, &plan->competitor[i], FEW) > m->shared_most)
            wrong = "its threads have too little memory for so many arms and learners";
    return wrong == NULL ? reserve_flight(m, runs) : wrong;
}

/* ------------------------------------------------- a flight ------------------------------------------------------ */

typedef void player(device_plan p, device_competitor c, assignment a);

/* The kernel for a competitor: its shape is a constant there. */
template <int ARMS> static player *player_of(const device_competitor *c, bool many) {
    if (c->selects && !c->some_bayes)
        return many ? play_runs<ARMS, true, false, true, MANY> : play_runs<ARMS, true, false, true, FEW>;
    if (c->selects)
        return c->some_ucb ? play_runs<ARMS, true, true, true, FEW> : play_runs<ARMS, true, true, false, FEW>;
    return c->some_bayes ? play_runs<ARMS, false, true, false, FEW> : play_runs<ARMS, false, false, true, FEW>;
}

static player *player_for(uint32_t arms, const device_competitor *c, bool many) {
    switch (arms) {
    case 2:
        return player_of<2>(c, many);
    case 3:
        return player_of<3>(c, many);
    case 4:
        return player_of<4>(c, many);
    case 5:
        return player_of<5>(c, many);
    default:
        return player_of<0>(c, many);
    }
}

/* The curves of a competitor. */
static device_curves cuda_rows_of(const struct machine *m, const device_flight *f, uint32_t who) {
    const size_t rows = (size_t)who * m->plan.point_count * f->count;
    return {f->count, m->curves.regrets + rows, m->curves.optimal + rows, m->curves.choices + rows};
}

static const char *launch_library(struct machine *m, const device_flight *f, uint32_t who, char *places,
                                  cudaStream_t stream) {
    const uint32_t threads = guests_of(m, &m->forms[who], f->count);
    assignment a = {m->numbers, m->means, m->best, m->slips, cuda_rows_of(m, f, who), NULL, 0, 0, m->halt_there};
    library_room room = {places, place_size_of(m, &m->forms[who]), is_on_stack(m, &m->forms[who])};
    void *arguments[] = {&m->plan, &m->competitors[who], &a, &m->forms[who], &room, &m->failure};
    TRY(m, cudaLaunchKernel((const void *)m->play_by_library, threads / GUESTS, GUESTS, arguments, 0, stream));
    return NULL;
}

/*
 * Competitors that the library plays. With few runs each of them leaves most of the device idle, so they are played
 * side by side, as many as there are places for and as have room on the device at once. More would take its caches from
 * one another.
 */
static const char *play_guests(struct machine *m, const device_flight *f, void (*tell)(void *context, uint64_t rounds),
                               void *context) {
    const device_plan *p = &m->plan;
    size_t used = 0, busy = 0;
    uint64_t playing = 0;
    for (uint32_t who = 0; who <= p->played && *m->halt == 0; who++) {
        const bool end = who == p->played;
        if (!end && !m->competitors[who].by_library) continue;
        const size_t threads = end ? 0 : guests_of(m, &m->forms[who], f->count),
                     size = end ? 0 : threads * place_size_of(m, &m->forms[who]);
        if (end || used + size > m->places_size || busy + threads > m->processors * GUESTS_AT_ONCE) {
            TRY(m, cudaDeviceSynchronize());
            if (playing > 0) tell(context, playing * f->count * p->rounds);
            used = busy = playing = 0;
        }
        if (end) break;
        const char *wrong = launch_library(m, f, who, m->places + used, m->streams[who % STREAMS]);
        if (wrong != NULL) return wrong;
        used += (size + PLACES_APART - 1) / PLACES_APART * PLACES_APART;
        busy += threads;
        playing++;
    }
    return NULL;
}

static const char *play_competitor(struct machine *m, const device_flight *f, uint32_t who) {
    const device_plan *p = &m->plan;
    const device_competitor *c = &m->competitors[who];
    const device_curves curves = cuda_rows_of(m, f, who);
    const size_t table = (p->rounds + 1) * sizeof(double2);
    const bool many = c->selects && !c->some_bayes && cells_size(p->arms, c, MANY) + table <= m->shared_most;
    const uint32_t threads = many ? MANY : FEW;
    size_t memory = cells_size(p->arms, c, threads);
    assignment a = {m->numbers,
                    m->means,
                    m->best,
                    m->slips,
                    curves,
                    (const double2 *)(p->numbers + c->rules[0].spread),
                    many ? p->rounds + 1 : 0,
                    (uint32_t)(memory / sizeof(double2)),
                    m->halt_there};
    memory += a.near_count * sizeof(double2);
    player *play = player_for(p->arms, c, many);
    TRY(m, cudaFuncSetAttribute(play, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)memory));
    play<<<(f->count + threads - 1) / threads, threads, memory>>>(*p, *c, a);
    TRY(m, cudaGetLastError());
    return NULL;
}

/* The curves of the first runs, row by row. */
static const char *fetch_kept(struct machine *m, const device_flight *f) {
    const device_plan *p = &m->plan;
    const size_t n = f->kept.runs, all = f->count, played = p->played * p->point_count,
                 chosen = p->selectors * p->point_count;
    if (n == 0) return NULL;
    TRY(m, cudaMemcpy2D(f->kept.regrets, n * 8, m->curves.regrets, all * 8, n * 8, played, cudaMemcpyDeviceToHost));
    TRY(m, cudaMemcpy2D(f->kept.optimal, n, m->curves.optimal, all, n, played, cudaMemcpyDeviceToHost));
    if (chosen > 0)
        TRY(m, cudaMemcpy2D(f->kept.choices, n * 2, m->curves.choices, all * 2, n * 2, chosen, cudaMemcpyDeviceToHost));
    return NULL;
}

static const char *cuda_fetch(struct machine *m, const device_flight *f) {
    const device_plan *p = &m->plan;
    const size_t blocks = (f->count - 1) / p->block_runs + 1, reduced = blocks * p->competitors * p->point_count,
                 shares = blocks * p->selectors * p->point_count * p->learners;
    TRY(m, cudaMemcpy(f->slips, m->slips, (size_t)f->count * p->slip_count * 8, cudaMemcpyDeviceToHost));
    TRY(m, cudaMemcpy(f->reduced.mean, m->reduced.mean, reduced * 8, cudaMemcpyDeviceToHost));
    TRY(m, cudaMemcpy(f->reduced.m2, m->reduced.m2, reduced * 8, cudaMemcpyDeviceToHost));
    TRY(m, cudaMemcpy(f->reduced.optimal, m->reduced.optimal, reduced * 4, cudaMemcpyDeviceToHost));
    TRY(m, cudaMemcpy(f->reduced.shares, m->reduced.shares, shares * 4, cudaMemcpyDeviceToHost));
    return fetch_kept(m, f);
}

static const char *cuda_play(void *machine, const device_flight *f, void (*tell)(void *context, uint64_t rounds),
                             void *context) {
    struct machine *m = (struct machine *)machine;
    const device_plan *p = &m->plan;
    const size_t arms = p->arms * (size_t)f->count * sizeof(double);
    TRY(m, cudaSetDevice(m->ordinal)); /* for this thread */
    TRY(m, cudaMemcpy(m->numbers, f->runs, f->count * sizeof *m->numbers, cudaMemcpyHostToDevice));
    TRY(m, cudaMemcpy(m->means, f->means, arms, cudaMemcpyHostToDevice));
    TRY(m, cudaMemcpy(m->best, f->best, f->count * sizeof(double), cudaMemcpyHostToDevice));
    if (m->failure != NULL) TRY(m, cudaMemset(m->failure, 0, sizeof *m->failure));
    for (uint32_t who = 0; who < p->played && *m->halt == 0; who++) {
        if (m->competitors[who].by_library) continue;
        const char *wrong = play_competitor(m, f, who);
        if (wrong != NULL) return wrong;
        TRY(m, cudaDeviceSynchronize());
        tell(context, (uint64_t)f->count * p->rounds);
    }
    const char *wrong = play_guests(m, f, tell, context);
    if (wrong != NULL) return wrong;
    if (m->failure != NULL)
        TRY(m, cudaMemcpy(f->failure, m->failure, sizeof *f->failure, cudaMemcpyDeviceToHost));
    if (*m->halt != 0 || f->failure->error != 0) return NULL;
    device_curves curves = m->curves;
    curves.runs = f->count;
    dim3 grid((p->point_count + REDUCERS - 1) / REDUCERS, p->competitors, (f->count - 1) / p->block_runs + 1);
    reduce_curves<<<grid, REDUCERS>>>(*p, curves, m->slips, m->reduced);
    TRY(m, cudaGetLastError());
    return cuda_fetch(m, f);
}

extern "C" __attribute__((visibility("default"))) const device_ops posse_device_ops;
const device_ops posse_device_ops = {DEVICE_VERSION, library_image != NULL, cuda_open,     cuda_name,    cuda_prepare, cuda_play,
                                     cuda_halt,      cuda_allocate, cuda_release, cuda_close};

/*
 * bench: what a normal and a round cost on one core, for every kernel set that this processor has; then a round of
 * every selector, with the last of those sets, and how many rounds of B-MS that is. Each figure is the least of several
 * repeats, in nanoseconds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "numeric/kernels.h"
#include "posse.h"
#include "random/stream.h"

#define REPEATS 7
#define RUN_MAX 15000

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A workload does `count` things once it has been set up, and says what it did so that nothing is optimised away. */
typedef struct workload {
    const char *name;
    size_t count;
    double (*work)(void *context, size_t count);
    void *context;
} workload;

static double least_ns(const workload *w) {
    double least = 1e300, kept = 0.0;
    for (int i = 0; i < REPEATS; i++) {
        double begin = seconds();
        kept += w->work(w->context, w->count);
        double ns = 1e9 * (seconds() - begin) / (double)w->count;
        if (ns < least) least = ns;
    }
    return kept == 0.123456789 ? -1.0 : least;
}

static double work_normals(void *context, size_t count) {
    double sum = 0.0, block[1000];
    for (size_t done = 0; done < count; done += 1000) {
        posse_draw_normals(context, block, 1000);
        sum += block[999];
    }
    return sum;
}

typedef struct simulation {
    posse *p;
    posse_environment *e;
    uint32_t rounds; /* of a run */
} simulation;

/* As experiments play: whole runs, with a trace. */
static double work_rounds(void *context, size_t count) {
    static int32_t learners[RUN_MAX], arms[RUN_MAX];
    static double regrets[RUN_MAX];
    simulation *s = context;
    posse_trace trace = {learners, arms, regrets};
    double regret = 0.0;
    for (size_t done = 0; done < count; done += s->rounds) {
        posse_environment_begin(s->e, (uint32_t)(done / s->rounds));
        posse_restart(s->p, (uint32_t)(done / s->rounds));
        if (posse_play(s->p, s->e, s->rounds, &trace) != POSSE_OK) abort();
        regret += regrets[s->rounds - 1];
    }
    return regret;
}

static double work_decisions(void *context, size_t count) {
    simulation *s = context;
    double regret = 0.0;
    for (size_t done = 0; done < count; done++) {
        posse_decision d;
        if (done % s->rounds == 0) {
            posse_environment_begin(s->e, (uint32_t)(done / s->rounds));
            posse_restart(s->p, (uint32_t)(done / s->rounds));
        }
        if (posse_decide(s->p, &d) != POSSE_OK) abort();
        if (posse_learn(s->p, d.id, posse_environment_reward(s->e, &d)) != POSSE_OK) abort();
        regret += posse_environment_regret(s->e, &d);
    }
    return regret;
}

static simulation simulate(const posse_part *environment, const posse_part *selector, const posse_part *learners,
                           int count, uint32_t rounds) {
    simulation s = {.rounds = rounds};
    if (posse_environment_create(environment, 1, NULL, &s.e) != POSSE_OK) abort();
    posse_def def = posse_environment_def(s.e);
    def.selector = *selector;
    def.rounds = rounds;
    def.learners = learners;
    def.learner_count = count;
    if (posse_create(&def, &s.p) != POSSE_OK) abort();
    return s;
}

static void finish(simulation *s) {
    posse_free(s->p);
    posse_environment_free(s->e);
}

static simulation ucb_experiment(const posse_part *selector) {
    static const double widths[] = {0.01, 0.1, 1.0, 2.0, 5.0, 10.0};
    posse_part learners[6] = {0}, environment = {.kind = "gaussian", .options = {{"arms", .number = 5}}};
    for (int i = 0; i < 6; i++) learners[i] = (posse_part){.kind = "ucb", .options = {{"width", .number = widths[i]}}};
    return simulate(&environment, selector, learners, 6, 1000);
}

static simulation linear_experiment(const posse_part *selector) {
    static const double widths[] = {0.0, 0.16, 2.5, 5.0, 25.0};
    posse_part learners[5] = {0},
               environment = {
                   .kind = "linear",
                   .options = {{"dim", .number = 10}, {"arms.set", .word = "ball"}, {"arms.count", .number = 1000}}};
    for (int i = 0; i < 5; i++)
        learners[i] = (posse_part){.kind = "linear-thompson", .options = {{"width", .number = widths[i]}}};
    return simulate(&environment, selector, learners, 5, 15000);
}

static void bench_kernels(void) {
    static const posse_part bms = {.kind = "bms"};
    simulation ucb = ucb_experiment(&bms), linear = linear_experiment(&bms);
    posse_draw draw;
    draw_open(&draw, 1, 0, stream_named(STREAM_NOISE, NULL), 0);
    const workload workloads[] = {
        {"a normal", 4000000, work_normals, &draw},
        {"a B-MS round, UCB experiment (K=5, M=6)", 1000000, work_rounds, &ucb},
        {"the same through decide and learn", 1000000, work_decisions, &ucb},
        {"a B-MS round, linear experiment (d=10, K=1000, M=5)", 30000, work_rounds, &linear},
    };
    printf("%-54s", "ns, one core");
    for (const char *const *name = kernels_names(); *name != NULL; name++) printf(" %9s", *name);
    for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++) {
        printf("\n%-54s", workloads[i].name);
        for (const char *const *name = kernels_names(); *name != NULL; name++) {
            if (kernels_use(*name))
                printf(" %9.2f", least_ns(&workloads[i]));
            else
                printf(" %9s", "-");
            fflush(stdout);
        }
    }
    finish(&ucb), finish(&linear);
}

/* B-MS is the first kind, and what the others are held against. */
static void bench_selectors(void) {
    double bms = 0.0;
    printf("\n\n%-54s %9s %9s\n", "a round of each selector, UCB experiment (K=5, M=6)", "ns", "of B-MS");
    for (int i = 0; i < posse_kind_count(POSSE_SELECTOR); i++) {
        const char *kind = posse_kind_name(POSSE_SELECTOR, i);
        posse_part selector = {.kind = kind};
        if (strcmp(kind, "balancing") == 0) selector.options[0] = (posse_option){"coefficients", .number = 5};
        simulation s = ucb_experiment(&selector);
        double ns = least_ns(&(workload){kind, 1000000, work_rounds, &s});
        if (i == 0) bms = ns;
        printf("%-54s %9.2f %9.2f\n", kind, ns, ns / bms);
        fflush(stdout);
        finish(&s);
    }
}

int main(void) {
    bench_kernels();
    bench_selectors();
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * bench: what a normal and a round cost on one core, for every kernel set that this processor has; then what a round of
 * every selector costs with the last of those sets, also as a multiple of a B-MS round. Each time is the least of
 * several repeats, in nanoseconds.
 */
#include <stdio.h>

#include "numeric/kernels.h"
#include "pieces.h"
#include "random/stream.h"
#include "report.h"
#include "simulation.h"

#define REPEATS 7

static const posse_part bms = {.kind = "bms"};
static const posse_part plus_own_plays = {.kind = "bms-plus", .options = {{"share", 0.0}}};

/* A task does `count` things and returns a number that depends on all of them, so that nothing is optimised away. */
typedef struct task {
    const char *name;
    size_t count;
    double (*work)(void *context, size_t count);
    void *context;
} task;

static double least_ns(const task *w) {
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

static double work_rounds(void *context, size_t count) {
    simulation *s = context;
    double regret = 0.0;
    for (uint32_t run = 0; run < count / s->rounds; run++) regret += simulation_play(s, run);
    return regret;
}

/* Runs abreast: one round of one run counts as one. */
static double work_abreast(void *context, size_t count) {
    simulation *s = context;
    posse_abreast *a;
    double sums[64], regret = 0.0;
    if (posse_abreast_create(s->e, &a) != POSSE_OK || posse_abreast_add(a, s->p) != POSSE_OK) return 0.0;
    size_t width = posse_abreast_width(a);
    for (uint32_t run = 0; run < count / s->rounds; run += (uint32_t)width) {
        abreast_play(a, 1, s->rounds, run, sums);
        regret += sums[0];
    }
    posse_abreast_free(a);
    return regret;
}

static double work_decisions(void *context, size_t count) {
    simulation *s = context;
    double regret = 0.0;
    for (uint32_t run = 0; run < count / s->rounds; run++) regret += simulation_decide(s, run);
    return regret;
}

static void bench_kernels(void) {
    simulation ucb = simulation_make(workload_named("ucb"), &bms, 0);
    simulation linear = simulation_make(workload_named("linear"), &bms, 0);
    simulation plus = simulation_make(workload_named("ucb"), &plus_own_plays, 0);
    posse_draw draw;
    draw_open(&draw, 1, 0, stream_named(STREAM_NOISE, NULL), 0);
    pieces *decision = pieces_begin(linear.e);
    const task tasks[] = {
        {"a normal", 4000000, work_normals, &draw},
        {"a B-MS round, UCB experiment (K=5, M=6)", 1000000, work_rounds, &ucb},
        {"a B-MS+ own plays round, the same experiment", 1000000, work_rounds, &plus},
        {"a B-MS round, of 16 runs abreast", 8000000, work_abreast, &ucb},
        {"a B-MS+ own plays round, of 16 runs abreast", 8000000, work_abreast, &plus},
        {"a B-MS round through decide and learn", 1000000, work_decisions, &ucb},
        {"a B-MS round, linear experiment (d=10, K=1000, M=5)", 30000, work_rounds, &linear},
        {"of a linear decision: a draw of theta", 100000, pieces_draw, decision},
        {"of a linear decision: the best of 1000 arms", 100000, pieces_best, decision},
        {"of a linear decision: the same, all arms computed", 30000, pieces_best_all, decision},
        {"of a linear decision: an update", 100000, pieces_update, decision},
    };
    printf("%-54s", "ns, one core");
    for (const char *const *name = kernels_names(); *name != NULL; name++) printf(" %9s", *name);
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++) {
        printf("\n%-54s", tasks[i].name);
        for (const char *const *name = kernels_names(); *name != NULL; name++) {
            if (kernels_use(*name))
                printf(" %9.2f", least_ns(&tasks[i]));
            else
                printf(" %9s", "-");
            fflush(stdout);
        }
    }
    simulation_free(&ucb), simulation_free(&linear), simulation_free(&plus);
}

/* Every required option accepts the number 5. */
static void give_required(posse_part *selector, const posse_param *params) {
    for (int count = 0; params->name != NULL; params++)
        if (params->flags & POSSE_PARAM_REQUIRED)
            selector->options[count++] = (posse_option){params->name, .number = 5.0};
}

/* B-MS is the first kind, and the others are compared with it. */
static void bench_selectors(void) {
    double first = 0.0;
    printf("\n\n%-54s %9s %9s\n", "a round of each selector, UCB experiment (K=5, M=6)", "ns", "of B-MS");
    for (int i = 0; i < posse_kind_count(POSSE_FAMILY_SELECTOR); i++) {
        const char *kind = posse_kind_name(POSSE_FAMILY_SELECTOR, i);
        posse_part selector = {.kind = kind};
        give_required(&selector, posse_kind_params(POSSE_FAMILY_SELECTOR, i));
        simulation s = simulation_make(workload_named("ucb"), &selector, 0);
        double ns = least_ns(&(task){kind, 1000000, work_rounds, &s});
        if (i == 0) first = ns;
        printf("%-54s %9.2f %9.2f\n", kind, ns, ns / first);
        fflush(stdout);
        simulation_free(&s);
    }
}

int main(void) {
    bench_kernels();
    bench_selectors();
    return 0;
}

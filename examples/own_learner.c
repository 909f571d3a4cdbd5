/*
 * A learner of your own, with posse_extend.h alone: softmax, which plays arm a with probability proportional to
 * exp(mean reward of a / temperature).
 */
#include <posse_extend.h>
#include <stdio.h>

enum { TEMPERATURE }; /* the place of each parameter in the list, and in setup->settings */

static const posse_param params[] = {{.name = "temperature",
                                      .type = POSSE_TYPE_REAL,
                                      .fallback = 0.1,
                                      .low = 0.01,
                                      .high = 100.0,
                                      .help = "high: at random"},
                                     {.name = NULL}};

/* The plan is constant. */
typedef struct plan {
    int arms;
    double temperature;
} plan;

static posse_error prepare(const posse_setup *setup, void **out) {
    if (posse_space_arms(setup->space) == 0) return posse_setup_refuse(setup, NULL, -1, "softmax needs separate arms");
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = (plan){posse_space_arms(setup->space), setup->settings[TEMPERATURE].number};
    *out = p;
    return POSSE_OK;
}

/* The state is what the learner has learned, as 8-byte numbers without pointers: count, sum and weight of each arm. */
static size_t state_size(const void *p) {
    return 3 * (size_t)((const plan *)p)->arms * sizeof(double);
}

/* All random numbers are from `draw`, and exp is posse_exp, so that results repeat on any machine. */
static int act(const void *p, void *state, posse_draw *draw, double *point) {
    (void)point; /* for the continuous ball */
    int arms = ((const plan *)p)->arms;
    double *counts = state, *sums = counts + arms, *weights = sums + arms, best = -1e100;
    for (int a = 0; a < arms; a++) {
        weights[a] = counts[a] > 0.0 ? sums[a] / counts[a] : 0.0;
        if (weights[a] > best) best = weights[a];
    }
    for (int a = 0; a < arms; a++) /* relative to the best, so that nothing overflows */
        weights[a] = posse_exp((weights[a] - best) / ((const plan *)p)->temperature);
    return (int)posse_draw_weighted(draw, weights, (size_t)arms);
}

static void learn(const void *p, void *state, int arm, const double *point, double reward) {
    (void)point;
    double *counts = state, *sums = counts + ((const plan *)p)->arms;
    counts[arm] += 1.0;
    sums[arm] += reward;
}

static const posse_learner_ops softmax = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "softmax",
             .help = "an arm by the exponential of its mean reward",
             .params = params,
             .prepare = prepare,
             .state_size = state_size},
    .act = act,
    .learn = learn,
};

int main(void) {
    if (posse_learner_register(&softmax) != POSSE_OK) return 1;
    double click_rates[] = {0.1, 0.3, 0.2};
    posse_part coins = {.kind = "bernoulli", .options = {{"arms", 3}, {"means", .list = click_rates, .count = 3}}};
    posse_part learners[] = {{.kind = "softmax", .name = "cold", .options = {{"temperature", 0.05}}},
                             {.kind = "softmax", .name = "hot", .options = {{"temperature", 10.0}}}};
    posse_environment *e;
    if (posse_environment_create(&coins, 1, NULL, &e) != POSSE_OK) return 1;
    posse_def def = posse_environment_def(e);
    def.prior = (posse_part){.kind = "beta"};
    def.learners = learners;
    def.learner_count = 2;
    posse *p;
    if (posse_create(&def, &p) != POSSE_OK) return 1;
    for (int round = 0; round < 5000; round++) {
        posse_decision d;
        posse_decide(p, NULL, &d);
        posse_learn(p, d.id, posse_environment_reward(e, &d));
    }
    uint64_t plays[2];
    posse_plays(p, plays);
    for (int i = 0; i < 2; i++) printf("%-4s decided %4d times\n", posse_learner_name(p, i), (int)plays[i]);
    posse_free(p);
    posse_environment_free(e);
    return 0;
}

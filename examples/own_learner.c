/*
 * A learner of one's own, by posse.h alone: softmax, which plays arm a with probability proportional to
 * exp(mean reward of a / temperature).
 */
#include <posse.h>
#include <stdio.h>

enum { TEMPERATURE }; /* the place of each parameter in the list, and in setup->settings */

static const posse_param params[] = {
    {.name = "temperature", .type = POSSE_REAL, .fallback = 0.1, .low = 0.01, .high = 100.0, .help = "high: at random"},
    {.name = NULL}};

/* The plan never changes while it runs. The state is all it has learned: 8-byte numbers, no pointers. */
typedef struct plan {
    int arms;
    double temperature;
} plan;

typedef struct arm_state {
    double count, sum, weight;
} arm_state;

static posse_error prepare(const posse_setup *setup, void **out) {
    if (posse_space_arms(setup->space) == 0) return posse_setup_refuse(setup, "softmax needs separate arms");
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = (plan){posse_space_arms(setup->space), setup->settings[TEMPERATURE].number};
    *out = p;
    return POSSE_OK;
}

static size_t state_size(const void *p) {
    return (size_t)((const plan *)p)->arms * sizeof(arm_state);
}

/* The first arm at which the weights up to it exceed a random part of their sum. */
static int act(const void *p, void *state, posse_draw *draw, double *point) {
    (void)point; /* is for the continuous ball */
    int arms = ((const plan *)p)->arms, a = 0;
    arm_state *of = state;
    double total = 0.0;
    for (int i = 0; i < arms; i++) {
        of[i].weight = posse_exp(of[i].count > 0 ? of[i].sum / of[i].count / ((const plan *)p)->temperature : 0.0);
        total += of[i].weight;
    }
    double left = posse_draw_uniform(draw) * total;
    while (a < arms - 1 && left >= of[a].weight) left -= of[a++].weight;
    return a;
}

static void learn(const void *p, void *state, int arm, const double *point, double reward) {
    (void)p, (void)point;
    ((arm_state *)state)[arm].count += 1.0;
    ((arm_state *)state)[arm].sum += reward;
}

static const posse_learner_ops softmax = {
    .version = POSSE_EXTENSION_VERSION,
    .kind = {"softmax", "an arm by the exponential of its mean", params, prepare, state_size, NULL, NULL, NULL},
    .act = act,
    .learn = learn,
};

int main(void) {
    posse_learner_register(&softmax);
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
        posse_decide(p, &d);
        posse_learn(p, d.id, posse_environment_reward(e, &d));
    }
    uint64_t plays[2];
    posse_plays(p, plays);
    for (int i = 0; i < 2; i++) printf("%-4s decided %4d times\n", posse_learner_name(p, i), (int)plays[i]);
    posse_free(p);
    posse_environment_free(e);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * The learners with gradient steps. A twin follows the formulas of learner/sgd_model.h in long double, weight by
 * weight, for all features, those that are 0 too. The rules of exploration are compared with their definitions: the
 * learner is asked many times in one round, and arms come as often as their probabilities require.
 */
#include <math.h>
#include <string.h>

#include "learner/sgd_model.h"
#include "menagerie.h"

#define ARMS 4
#define WIDTH 5 /* features, without the constant, which is last in the twin */
#define MODELS 3
#define ROUNDS 300
#define ASKED 20000

/* ----------------------------------------------------- twins --------------------------------------------------- */

typedef struct sgd_twin {
    long double weight[MODELS][ARMS][WIDTH + 1], squares[MODELS][ARMS][WIDTH + 1], scale[MODELS][ARMS][WIDTH + 1];
    long double norms[MODELS], total[MODELS], rate, learned;
    bool joint;
} sgd_twin;

static int theta_of(const sgd_twin *t, int arm) {
    return t->joint ? 0 : arm;
}

static long double feature_of(const double *x, int j) {
    return j < WIDTH ? x[j] : 1.0;
}

static long double twin_predict(const sgd_twin *t, int model, int arm, const double *x) {
    long double sum = 0.0L;
    for (int j = 0; j <= WIDTH; j++) sum += t->weight[model][theta_of(t, arm)][j] * feature_of(x, j);
    return sum;
}

/* Adds the gradient of a reward that counts h times, and returns p of the formulas. *c: its factor c. */
static long double twin_gradient(sgd_twin *t, int model, int arm, const double *x, double reward, double h,
                                 long double *c) {
    int k = theta_of(t, arm);
    long double g = 2.0L * (twin_predict(t, model, arm, x) - reward), per = 0.0L;
    for (int j = 0; j <= WIDTH; j++) {
        long double f = feature_of(x, j), *s = &t->scale[model][k][j];
        if (f == 0.0L) continue;
        t->squares[model][k][j] += h * g * g * f * f;
        if (fabsl(f) > *s) {
            t->weight[model][k][j] *= *s / fabsl(f);
            *s = fabsl(f);
        }
        t->norms[model] += h * (f / *s) * (f / *s);
        per += f * f / (*s * sqrtl(t->squares[model][k][j]));
    }
    t->total[model] += h;
    *c = sqrtl(t->total[model] / t->norms[model]);
    return *c * per;
}

static void twin_step(sgd_twin *t, int model, int arm, const double *x, double reward, double h) {
    if (h == 0.0) return;
    int k = theta_of(t, arm);
    long double off = reward - twin_predict(t, model, arm, x), c, p = twin_gradient(t, model, arm, x, reward, h, &c);
    long double step = off * -expm1l(-2.0L * t->rate * h * p) / p;
    for (int j = 0; j <= WIDTH; j++) {
        long double f = feature_of(x, j);
        if (f != 0.0L)
            t->weight[model][k][j] += c * f * step / (t->scale[model][k][j] * sqrtl(t->squares[model][k][j]));
    }
}

/* ----------------------------------------------------- rounds -------------------------------------------------- */

/* A learner alone, in rounds where the arms share their features, or have their own. */
typedef struct scene {
    posse *p;
    bool joint;
    uint64_t source;
    double x[ARMS][WIDTH];
    posse_decision d;
} scene;

static scene scene_open(const posse_part *learner, bool joint, uint64_t seed) {
    posse_def def = posse_default_def();
    def.arms = ARMS;
    def.dim = joint ? WIDTH : 0;
    def.context = joint ? 0 : WIDTH;
    def.selector = (posse_part){0};
    def.learners = learner;
    def.learner_count = 1;
    def.seed = seed;
    return (scene){.p = posse_made(&def), .joint = joint, .source = seed};
}

/* Features of very different sizes, which grow, and some of which are 0. */
static void scene_bring(scene *s, int n) {
    static const double sizes[WIDTH] = {1.0, 100.0, 0.01, 3.0, 1.0};
    for (int a = 0; a < ARMS; a++)
        for (int j = 0; j < WIDTH; j++) {
            double f = random_below(&s->source, 3) == 0 ? 0.0 : sizes[j] * (random_uniform(&s->source) - 0.4);
            s->x[a][j] = s->joint || a == 0 ? f * (1.0 + n / 100) : s->x[0][j];
        }
}

static posse_context scene_context(const scene *s) {
    return s->joint ? (posse_context){.points = s->x[0]} : (posse_context){.shared = s->x[0]};
}

/* A reward that depends on the arm and the features. */
static double scene_reward(scene *s, int arm) {
    return 0.3 * arm + s->x[arm][0] - 0.2 * s->x[arm][3] * arm + random_uniform(&s->source);
}

static double scene_round(scene *s, int n) {
    scene_bring(s, n);
    posse_context context = scene_context(s);
    assert_int_equal(posse_decide(s->p, &context, &s->d), POSSE_OK);
    double reward = scene_reward(s, s->d.arm);
    assert_int_equal(posse_learn(s->p, s->d.id, reward), POSSE_OK);
    return reward;
}

static double scene_value(const scene *s, int model, int arm) {
    double room[ROW_ROOM];
    const sgd_model *m = s->p->members[0].part.plan;
    return sgd_value(m, s->p->members[0].state, model, arm, sgd_row(m, s->x[arm], room));
}

static void check_values(const scene *s, const sgd_twin *t, int model) {
    for (int a = 0; a < ARMS; a++) {
        double expected = (double)twin_predict(t, model, a, s->x[a]);
        assert_close(scene_value(s, model, a), expected, 1e-9 * (1.0 + fabs(expected)));
    }
}

LAW(gradient_steps_follow_their_formula) {
    const char *const kinds[] = {"sgd-epsilon-greedy", "sgd-softmax", "sgd-square-cb", "sgd-regcb"};
    for (int joint = 0; joint <= 1; joint++)
        for (int i = 0; i < LENGTH(kinds); i++)
            for (int rate = 0; rate <= 1; rate++) {
                posse_part learner = {.kind = kinds[i], .options = {NUMBER("rate", rate ? 0.5 : 0.05)}};
                scene s = scene_open(&learner, joint, (uint64_t)i + 1);
                sgd_twin t = {.rate = rate ? 0.5L : 0.05L, .joint = joint};
                for (int n = 0; n < ROUNDS; n++) {
                    double reward = scene_round(&s, n);
                    twin_step(&t, 0, s.d.arm, s.x[s.d.arm], reward, 1.0);
                    check_values(&s, &t, 0);
                }
                posse_free(s.p);
            }
}

/* However high the rate, the value goes to the reward and not beyond. (Features must not grow: that rescales weights.)
 */
LAW(steps_do_not_overshoot) {
    posse_part learner = {.kind = "sgd-epsilon-greedy", .options = {NUMBER("rate", 1e6)}};
    scene s = scene_open(&learner, false, 3);
    for (int n = 0; n < 50; n++) {
        for (int j = 0; j < WIDTH; j++) s.x[0][j] = random_below(&s.source, 2) == 0 ? 1.0 : -1.0;
        for (int a = 1; a < ARMS; a++) memcpy(s.x[a], s.x[0], sizeof s.x[a]);
        posse_context context = scene_context(&s);
        assert_int_equal(posse_decide(s.p, &context, &s.d), POSSE_OK);
        assert_int_equal(posse_learn(s.p, s.d.id, n), POSSE_OK);
        assert_close(scene_value(&s, 0, s.d.arm), n, 1e-9 * (1.0 + n));
    }
    posse_free(s.p);
}

/* Where the numbers T of the models are in the state of a learner (learner/sgd_model.c). */
static double total_of(const scene *s, int model) {
    return ((const double *)s->p->members[0].state)[2 + 2 * model + 1];
}

/* The number of times that a model of a bag learns a reward is Poisson of mean 1, independently for each model. */
LAW(bags_are_bootstraps) {
    posse_part learner = {.kind = "sgd-bag", .options = {NUMBER("bags", 64)}};
    scene s = scene_open(&learner, false, 5);
    double before[64] = {0.0}, counts[7] = {0.0};
    moments products = {0};
    for (int n = 0; n < ROUNDS; n++) {
        double copies[64];
        scene_round(&s, n);
        for (int i = 0; i < 64; i++) {
            copies[i] = total_of(&s, i) - before[i];
            before[i] += copies[i];
            counts[copies[i] < 6.0 ? (int)copies[i] : 6] += 1.0;
        }
        for (int i = 0; i + 1 < 64; i++) moments_add(&products, (copies[i] - 1.0) * (copies[i + 1] - 1.0));
    }
    double chi = 0.0, p = exp(-1.0), left = 1.0;
    for (int k = 0; k <= 6; k++) {
        double expected = 64.0 * ROUNDS * (k < 6 ? p : left);
        chi += (counts[k] - expected) * (counts[k] - expected) / expected;
        left -= p;
        p /= k + 1;
    }
    assert_that(fabs(chi_square_z(chi, 6.0)) < Z_MAX, "not Poisson: chi-square %g", chi);
    assert_mean(&products, 0.0);
    posse_free(s.p);
}

/* ------------------------------------------------- exploration ------------------------------------------------- */

/* Asks the learner many times in the present round, and compares how often each arm comes with its probability. */
static void check_probabilities(scene *s, const char *what, const double *probabilities) {
    const member *m = &s->p->members[0];
    int arms[ARMS] = {0, 1, 2, 3}, counts[ARMS] = {0};
    posse_round round = {ARMS, arms, WIDTH, s->joint ? WIDTH : 0, s->x[0]};
    for (int n = 0; n < ASKED; n++) counts[m->ops->act_in(m->part.plan, m->state, m->draw, &round)]++;
    for (int a = 0; a < ARMS; a++) {
        double p = probabilities[a], sd = sqrt(ASKED * p * (1.0 - p)), off = counts[a] - ASKED * p;
        assert_that(fabs(off) <= SIGMAS * sd + 1e-9, "%s: arm %d came %d times in %d, and its probability is %g", what,
                    a, counts[a], ASKED, p);
    }
}

static int best_of(const scene *s, int model) {
    double values[ARMS];
    for (int a = 0; a < ARMS; a++) values[a] = scene_value(s, model, a);
    return largest(values, ARMS);
}

static void scene_learn(scene *s, int rounds) {
    for (int n = 0; n < rounds; n++) scene_round(s, n);
    scene_bring(s, rounds);
}

LAW(epsilon_softmax_and_gaps_explore_by_their_formulas) {
    for (uint64_t seed = 1; seed <= 3; seed++) {
        double p[ARMS], total = 0.0, gamma = 2.0 * pow(41.0, 0.3), rest = 1.0;
        posse_part greedy = {.kind = "sgd-epsilon-greedy", .options = {NUMBER("epsilon", 0.3)}};
        scene s = scene_open(&greedy, seed % 2, seed);
        scene_learn(&s, 40);
        for (int a = 0; a < ARMS; a++) p[a] = 0.3 / ARMS + (a == best_of(&s, 0) ? 0.7 : 0.0);
        check_probabilities(&s, "epsilon", p);
        posse_free(s.p);

        posse_part softmax = {.kind = "sgd-softmax", .options = {NUMBER("lambda", 2)}};
        s = scene_open(&softmax, seed % 2, seed);
        scene_learn(&s, 40);
        for (int a = 0; a < ARMS; a++) total += p[a] = exp(2.0 * scene_value(&s, 0, a));
        for (int a = 0; a < ARMS; a++) p[a] /= total;
        check_probabilities(&s, "softmax", p);
        posse_free(s.p);

        posse_part gaps = {.kind = "sgd-square-cb", .options = {NUMBER("gamma", 2), NUMBER("exponent", 0.3)}};
        s = scene_open(&gaps, seed % 2, seed);
        scene_learn(&s, 40);
        int best = best_of(&s, 0);
        for (int a = 0; a < ARMS; a++) {
            p[a] = 1.0 / (ARMS + gamma * (scene_value(&s, 0, best) - scene_value(&s, 0, a)));
            if (a != best) rest -= p[a];
        }
        p[best] = rest;
        check_probabilities(&s, "square-cb", p);
        posse_free(s.p);
    }
}

LAW(bags_and_covers_play_as_their_models_vote) {
    for (uint64_t seed = 1; seed <= 4; seed++) {
        double p[ARMS];
        posse_part bag = {.kind = "sgd-bag", .options = {NUMBER("bags", 3), NUMBER("epsilon", 0.1)}};
        scene s = scene_open(&bag, seed % 2, seed);
        scene_learn(&s, 12);
        for (int a = 0; a < ARMS; a++) p[a] = 0.1 / ARMS;
        for (int i = 0; i < 3; i++) p[best_of(&s, i)] += 0.9 / 3.0;
        check_probabilities(&s, "bag", p);
        posse_free(s.p);

        posse_part cover = {.kind = "sgd-cover", .options = {NUMBER("policies", 3), NUMBER("psi", 1)}};
        s = scene_open(&cover, false, seed);
        scene_learn(&s, 40);
        double least = 1.0 / sqrt(ARMS * 41.0);
        for (int a = 0; a < ARMS; a++) p[a] = least;
        for (int i = 0; i < 3; i++) p[best_of(&s, i)] += (1.0 - ARMS * least) / 3.0;
        check_probabilities(&s, "cover", p);
        posse_free(s.p);
    }
}

static int twin_best(const sgd_twin *t, int model, const double *x) {
    int best = 0;
    for (int a = 1; a < ARMS; a++)
        if (twin_predict(t, model, a, x) > twin_predict(t, model, best, x)) best = a;
    return best;
}

LAW(covers_learn_bonuses_for_arms_that_others_leave_out) {
    posse_part cover = {.kind = "sgd-cover", .options = {NUMBER("policies", MODELS), NUMBER("psi", 0.7)}};
    scene s = scene_open(&cover, false, 9);
    sgd_twin t = {.rate = 0.5L};
    for (int n = 0; n < ROUNDS; n++) {
        double reward = scene_round(&s, n), least = fmin(1.0 / ARMS, 1.0 / sqrt(ARMS * (n + 1.0))), playing = 0.0;
        int arm = s.d.arm;
        for (int i = 0; i < MODELS; i++) {
            double p = i > 0 ? least + (1.0 - ARMS * least) * playing / i : 1.0;
            playing += twin_best(&t, i, s.x[arm]) == arm;
            twin_step(&t, i, arm, s.x[arm], i > 0 ? reward + 0.7 * least / p : reward, 1.0);
        }
        for (int i = 0; i < MODELS; i++) check_values(&s, &t, i);
    }
    posse_free(s.p);
}

/* The bound of an arm, by a fine search over all weights u. sign: 1 above, -1 below. */
static double bound_by_search(const sgd_twin *t, const double *x, int arm, double loss, double sign) {
    sgd_twin copy = *t;
    double end = sign > 0.0 ? 2.0 : -1.0, target = end + sign, value = (double)twin_predict(t, 0, arm, x);
    long double c, p = twin_gradient(&copy, 0, arm, x, target, 1.0, &c);
    double s = (double)(t->rate * p), d = sign * (target - value), reached = 0.0;
    for (int n = 0; n <= 200000 && d > 0.0; n++) {
        double u = d / s * n / 200000.0, left = d - s * u;
        if (u * (d * d - left * left) <= loss) reached = s * u;
    }
    return fmin(fmax(value + sign * reached, -1.0), 2.0);
}

LAW(regcb_plays_by_its_bounds) {
    static const double range[] = {-1.0, 2.0};
    int decided_by_bounds = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        bool eliminates = seed % 2;
        posse_part learner = {
            .kind = "sgd-regcb",
            .options = {NUMBER("mellowness", 0.02), LIST("range", range), NUMBER("eliminate", eliminates)}};
        scene s = scene_open(&learner, seed % 3 == 0, seed);
        sgd_twin t = {.rate = 0.5L, .joint = seed % 3 == 0};
        for (int n = 0; n < 60; n++) {
            double reward = scene_round(&s, 0);
            twin_step(&t, 0, s.d.arm, s.x[s.d.arm], reward, 1.0);
        }
        scene_bring(&s, 0);
        double uppers[ARMS], p[ARMS] = {0.0}, least = -INFINITY, loss = 0.02 * 9.0 * log(ARMS * 61.0), left = 0.0;
        for (int a = 0; a < ARMS; a++) {
            uppers[a] = bound_by_search(&t, s.x[a], a, loss, 1.0);
            least = fmax(least, bound_by_search(&t, s.x[a], a, loss, -1.0));
        }
        for (int a = 0; a < ARMS; a++) left += uppers[a] >= least;
        int top = largest(uppers, ARMS);
        for (int a = 0; a < ARMS; a++) p[a] = eliminates ? (uppers[a] >= least) / left : a == top;
        decided_by_bounds += eliminates ? left < ARMS : top != best_of(&s, 0);
        check_probabilities(&s, "regcb", p);
        posse_free(s.p);
    }
    assert_that(decided_by_bounds >= 5, "the bounds decided only %d times", decided_by_bounds);
}

/* ------------------------------------------------- what they refuse -------------------------------------------- */

LAW(gradient_learners_need_features) {
    const char *const kinds[] = {"sgd-epsilon-greedy", "sgd-softmax",   "sgd-bag",
                                 "sgd-cover",          "sgd-square-cb", "sgd-regcb"};
    for (int i = 0; i < LENGTH(kinds); i++) {
        posse_part learner = {.kind = kinds[i]};
        posse_def def = posse_default_def();
        def.arms = ARMS;
        def.selector = (posse_part){0};
        def.learners = &learner;
        def.learner_count = 1;
        posse *p;
        assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
        def.dim = 2; /* features of each arm, which a cover cannot use */
        assert_int_equal(posse_create(&def, &p), strcmp(kinds[i], "sgd-cover") == 0 ? POSSE_ERROR_FIT : POSSE_OK);
        posse_free(p);
    }
}

/* SPDX-License-Identifier: MIT */
/*
 * The rival selectors against their twins (twins.h). Both get the same events, and each chooses by itself.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "menagerie.h"
#include "selector/mirror.h"
#include "twins.h"

/* ---------------------------------------------------- duels ---------------------------------------------------- */

/*
 * The conditions of a duel: which rewards come late or never, whether learners are added and retired, and the relative
 * tolerance of probabilities and potentials.
 *
 * The library adds in double, and the twin in long double. After n rounds, sums differ by n 2^-53 times their largest
 * term, which for exp3p is 1 / p. That makes 1e-12 for 1e4 rounds, and a tenth of it is observed.
 */
typedef struct fashion {
    uint64_t rounds;
    uint64_t horizon; /* `rounds` of the definition; 0: all rounds */
    bool late, restless;
    bool follow; /* in each round the twin takes over the library's probabilities */
    double tolerance;
} fashion;

static const fashion fashions[] = {{10000, .tolerance = 1e-11},
                                   {2000, .late = true, .tolerance = 1e-11},
                                   {3000, .late = true, .restless = true, .tolerance = 1e-11}};

typedef struct duel {
    posse *p;
    posse_environment *e;
    rival twin;
    uint64_t source;
    const posse_part *reserve; /* learners that may be added */
    const fashion *fashion;
    struct {
        posse_decision d;
        size_t episode;
    } open[OPEN_MAX];
    int open_count;
} duel;

static void compare_chances(duel *d, const posse_decision *decision) {
    double chances[CROWD_MAX], sum = 0.0;
    assert_int_equal(posse_probabilities(d->p, chances), POSSE_OK);
    for (int i = 0; i < d->twin.count; i++) {
        assert_close(chances[i], (double)d->twin.chances[i], d->fashion->tolerance * (double)d->twin.chances[i]);
        sum += chances[i];
    }
    assert_close(sum, 1.0, 1e-12);
    assert_true(chances[decision->learner] == decision->probability);
    bool fresh = d->twin.batch_left == d->twin.batch && !d->twin.second; /* second rounds repeat the first's */
    if (d->fashion->follow && fresh) rival_follow(&d->twin, chances);
}

static void compare_potentials(const duel *d) {
    double potentials[CROWD_MAX];
    if (!rival_has_potentials(&d->twin)) {
        assert_int_equal(posse_potentials(d->p, potentials), POSSE_ERROR_ABSENT);
        return;
    }
    assert_int_equal(posse_potentials(d->p, potentials), POSSE_OK);
    for (int i = 0; i < d->twin.count; i++) {
        double expected = (double)rival_potential(&d->twin, i);
        bool close = fabs(potentials[i] - expected) <= d->fashion->tolerance * (fabs(expected) + 0.01);
        assert_that(potentials[i] == expected || close, "the potential of %d is %.17g, not %.17g", i, potentials[i],
                    expected);
    }
}

static void settle(duel *d, const posse_decision *decision, size_t episode_) {
    double reward = posse_environment_reward(d->e, decision);
    assert_int_equal(posse_learn(d->p, decision->id, reward), POSSE_OK);
    rival_heard(&d->twin, episode_, reward);
}

/* Settles a random decision that waits for its reward. */
static void settle_late(duel *d) {
    int at = (int)random_below(&d->source, (uint64_t)d->open_count);
    settle(d, &d->open[at].d, d->open[at].episode);
    d->open[at] = d->open[--d->open_count];
}

/* A third of the rewards come late, in any order, and a few never. */
static void settle_some(duel *d, const posse_decision *decision, size_t episode_) {
    uint64_t fate = random_below(&d->source, 100);
    if (fate < 60)
        settle(d, decision, episode_);
    else if (fate < 65)
        assert_int_equal(posse_forget(d->p, decision->id), POSSE_OK);
    else if (d->open_count < OPEN_MAX) {
        d->open[d->open_count].d = *decision;
        d->open[d->open_count++].episode = episode_;
    }
    if (d->open_count > 0 && random_below(&d->source, 100) < 33) settle_late(d);
}

static int active_count(const rival *r) {
    int count = 0;
    for (int i = 0; i < r->count; i++) count += r->active[i];
    return count;
}

/* Now and then a learner is added or retires. */
static void come_or_go(duel *d) {
    uint64_t fate = random_below(&d->source, 300);
    int who = (int)random_below(&d->source, (uint64_t)d->twin.count);
    if (fate == 0 && d->twin.count < CROWD_MAX) {
        assert_int_equal(posse_learner_add(d->p, &d->reserve[d->twin.count % 2], NULL), POSSE_OK);
        rival_admit(&d->twin);
    } else if (fate == 1 && d->twin.active[who] && active_count(&d->twin) > 1) {
        assert_int_equal(posse_learner_retire(d->p, who), POSSE_OK);
        rival_retire(&d->twin, who);
    }
}

static void compare_probe(duel *d, const posse_decision *decision) {
    int named = rival_probe(&d->twin);
    assert_int_equal(decision->probe, named >= 0);
    if (named >= 0) assert_int_equal(decision->arm, named);
}

static void play_a_round(duel *d, uint64_t n) {
    posse_decision decision;
    assert_int_equal(posse_decide(d->p, NULL, &decision), POSSE_OK);
    int chosen = rival_choose(&d->twin);
    assert_that(decision.learner == chosen, "%s, round %d of %d learners: it chooses %d, its twin %d",
                d->p->selector_recipe->kind, (int)n, d->twin.count, decision.learner, chosen);
    compare_chances(d, &decision);
    compare_probe(d, &decision);
    size_t episode_ = rival_played(&d->twin, decision.arm, decision.probe);
    compare_potentials(d);
    if (d->fashion->late)
        settle_some(d, &decision, episode_);
    else
        settle(d, &decision, episode_);
    compare_potentials(d);
    if (d->fashion->restless) come_or_go(d);
}

/* Plays a duel. *end is the twin at the end. */
static void fight(const posse_part *environment, const posse_part *learners, int count, posse_part selector,
                  const fashion *f, rival *end) {
    static const posse_part reserve[] = {{.kind = "ucb", .options = {NUMBER("width", 0.3)}},
                                         {.kind = "fixed", .options = {NUMBER("arm", 1)}}};
    duel d = {.e = environment_made(environment, 11), .source = 5, .reserve = reserve, .fashion = f};
    posse_def def = posse_environment_def(d.e);
    def.selector = selector;
    def.learners = learners;
    def.learner_count = count;
    def.rounds = f->horizon > 0 ? f->horizon : f->rounds;
    def.run = 2;
    d.p = posse_made(&def);
    rival_open(&d.twin, &def);
    for (uint64_t n = 1; (double)n <= (double)f->rounds * law_effort(); n++) play_a_round(&d, n);
    uint64_t clipped = 0;
    bool ranged = posse_clipped(d.p, &clipped) == POSSE_OK;
    assert_int_equal(ranged, strstr(selector.kind, "corral") != NULL || strcmp(selector.kind, "exp3p") == 0);
    if (ranged) assert_int_equal(clipped, rival_clipped(&d.twin));
    posse_free(d.p);
    posse_environment_free(d.e);
    *end = d.twin;
    rival_close(&d.twin);
}

/* ------------------------------------------- where duels take place -------------------------------------------- */

static const double three_means[] = {0.3, 0.55, 0.45}, three_values[] = {0.0, 0.4, 0.3};
static const posse_part coins = {.kind = "bernoulli", .options = {NUMBER("arms", 3), LIST("means", three_means)}};
static const posse_part bells = {.kind = "gaussian", .options = {NUMBER("arms", 3), LIST("means", three_values)}};

static const posse_part fixed_learners[] = {
    {.kind = "fixed", .name = "zero", .options = {NUMBER("arm", 0)}},
    {.kind = "fixed", .name = "one", .options = {NUMBER("arm", 1)}},
    {.kind = "fixed", .name = "two", .options = {NUMBER("arm", 2)}},
};
static const posse_part learning_learners[] = {
    {.kind = "ucb", .name = "bold", .options = {NUMBER("width", 2.0)}},
    {.kind = "fixed", .name = "zero", .options = {NUMBER("arm", 0)}},
    {.kind = "ucb", .name = "fair"},
    {.kind = "ucb", .name = "timid", .options = {NUMBER("width", 0.05)}},
    {.kind = "fixed", .name = "two", .options = {NUMBER("arm", 2)}},
    {.kind = "ucb", .name = "greedy", .options = {NUMBER("width", 0.0)}},
};

static const struct {
    const posse_part *environment, *learners;
    int count;
} arenas[] = {
    {&coins, fixed_learners, 2}, {&coins, fixed_learners, 3}, {&coins, learning_learners, 6},
    {&bells, fixed_learners, 2}, {&bells, fixed_learners, 3}, {&bells, learning_learners, 6},
};

/* Cuts lists with a number for each learner to the number of learners. */
static posse_part cut_to_size(posse_part selector, int count) {
    for (int i = 0; i < POSSE_OPTIONS_MAX && selector.options[i].key != NULL; i++)
        if (strcmp(selector.options[i].key, "range") != 0 && selector.options[i].list != NULL)
            selector.options[i].count = (size_t)count;
    return selector;
}

/* Plays a duel in every arena. Returns in how many the rule did something, according to `told`. */
static int duel_everywhere(posse_part selector, const fashion *f, bool (*told)(const rival *end)) {
    int moved = 0;
    for (int a = 0; a < LENGTH(arenas); a++) {
        rival end;
        int count = arenas[a].count;
        fight(arenas[a].environment, arenas[a].learners, count, cut_to_size(selector, count), f, &end);
        moved += told(&end);
    }
    return moved;
}

static void duel_in_fashions(const posse_part *selectors, int count, const fashion *list, int list_count,
                             bool (*told)(const rival *end)) {
    int moved = 0;
    for (int i = 0; i < count; i++)
        for (int f = 0; f < list_count; f++) moved += duel_everywhere(selectors[i], &list[f], told);
    assert_that(moved > 5 * law_effort(), "only %d duels in which the rule did something: this law says nothing",
                moved);
}

static const double skewed[] = {-0.5, 1.5}, six_coefficients[] = {1.0, 3.0, 2.5, 0.7, 2.0, 1.5};

#define DUELS(told, fashions_, ...)                                                                                    \
    do {                                                                                                               \
        static const posse_part selectors_[] = {__VA_ARGS__};                                                          \
        duel_in_fashions(selectors_, LENGTH(selectors_), fashions_, LENGTH(fashions_), told);                          \
    } while (0)

static bool some_bound_grew(const rival *end) {
    bool grew = false;
    for (int i = 0; i < end->count; i++) grew = grew || end->d[i] > end->dmin;
    return grew;
}

LAW(d3rb_is_its_formula) {
    DUELS(some_bound_grew, fashions, {.kind = "d3rb", .options = {NUMBER("confidence", 1), NUMBER("dmin", 1)}},
          {.kind = "d3rb", .options = {NUMBER("confidence", 0.3), NUMBER("delta", 0.1), NUMBER("dmin", 0.3)}},
          {.kind = "d3rb", .options = {NUMBER("confidence", 0.02), NUMBER("dmin", 3), NUMBER("batch", 4)}});
}

LAW(ed2rb_is_its_formula) {
    DUELS(some_bound_grew, fashions, {.kind = "ed2rb", .options = {NUMBER("confidence", 1), NUMBER("dmin", 1)}},
          {.kind = "ed2rb", .options = {NUMBER("confidence", 0.3), NUMBER("delta", 0.1), NUMBER("dmin", 0.3)}},
          {.kind = "ed2rb", .options = {NUMBER("confidence", 0.02), NUMBER("dmin", 3), NUMBER("batch", 4)}});
}

LAW(bd3rb_is_its_formula) {
    DUELS(some_bound_grew, fashions,
          {.kind = "bd3rb", .options = {NUMBER("best", 0.8), NUMBER("confidence", 1), NUMBER("dmin", 1)}},
          {.kind = "bd3rb",
           .options = {NUMBER("best", 1), NUMBER("confidence", 0.3), NUMBER("delta", 0.1), NUMBER("dmin", 0.3)}},
          {.kind = "bd3rb",
           .options = {NUMBER("best", 1), NUMBER("confidence", 0.02), NUMBER("dmin", 3), NUMBER("batch", 4)}});
}

/* Whether several learners have lost something. */
static bool several_lost(const rival *end) {
    int lost = 0;
    for (int i = 0; i < end->count; i++) lost += end->phi[i] > 0.0L;
    return lost > 1;
}

LAW(perfect_balancing_is_its_formula) {
    DUELS(several_lost, fashions,
          {.kind = "perfect-balancing", .options = {NUMBER("best", 0.8), NUMBER("confidence", 0.3)}},
          {.kind = "perfect-balancing",
           .options = {NUMBER("best", 1), NUMBER("confidence", 0.3), WORD("mode", "greedy"), NUMBER("batch", 4)}},
          {.kind = "perfect-balancing",
           .options = {NUMBER("best", 0.6), NUMBER("confidence", 0.1), NUMBER("delta", 0.1),
                       WORD("mode", "optimistic")}});
}

/* By default the unit is the standard deviation of rewards. Short duels, because the twin computes it in each round. */
LAW(balances_scale_with_the_rewards) {
    static const fashion brief[] = {{3000, .tolerance = 1e-11},
                                    {1000, .late = true, .tolerance = 1e-11},
                                    {2000, .late = true, .restless = true, .tolerance = 1e-11}};
    DUELS(some_bound_grew, brief, {.kind = "d3rb"}, {.kind = "ed2rb"},
          {.kind = "bd3rb", .options = {NUMBER("best", 0.9)}}, {.kind = "d3rb", .options = {NUMBER("confidence", 0.3)}},
          {.kind = "ed2rb", .options = {NUMBER("dmin", 0.1)}});
    DUELS(several_lost, brief, {.kind = "perfect-balancing", .options = {NUMBER("best", 0.9)}},
          {.kind = "perfect-balancing", .options = {NUMBER("best", 0.9), WORD("mode", "optimistic")}});
}

static bool some_were_dropped(const rival *end) {
    bool dropped = false;
    for (int i = 0; i < end->count; i++) dropped = dropped || end->dropped[i];
    return dropped;
}

LAW(balancing_is_its_formula) {
    DUELS(some_were_dropped, fashions, {.kind = "balancing", .options = {NUMBER("coefficients", 1)}},
          {.kind = "balancing", .options = {LIST("coefficients", six_coefficients)}},
          {.kind = "balancing",
           .options = {LIST("coefficients", six_coefficients), NUMBER("confidence", 0.3), NUMBER("delta", 0.5)}},
          {.kind = "balancing", .options = {NUMBER("coefficients", 0.3), NUMBER("batch", 4)}});
}

static bool somebody_came_back(const rival *end) {
    return end->came_back;
}

/* Weights are powers of two, so that exact ties are also ties in double. */
LAW(dynamic_balancing_is_its_formula) {
    static const double six_weights[] = {1.0, 0.5, 2.0, 1.0, 4.0, 0.25},
                        six_biases[] = {0.1, 0.0, 0.05, -0.1, 0.0, 0.2};
    DUELS(somebody_came_back, fashions, {.kind = "dynamic-balancing", .options = {NUMBER("coefficients", 1)}},
          {.kind = "dynamic-balancing", .options = {LIST("coefficients", six_coefficients)}},
          {.kind = "dynamic-balancing",
           .options = {LIST("coefficients", six_coefficients), LIST("weights", six_weights), LIST("bias", six_biases),
                       NUMBER("confidence", 0.3), NUMBER("delta", 0.5)}},
          {.kind = "dynamic-balancing",
           .options = {NUMBER("coefficients", 0.3), NUMBER("bias", 0.2), NUMBER("weights", 8), NUMBER("batch", 4)}});
}

static bool some_rate_grew(const rival *end) {
    bool grew = false;
    for (int i = 0; i < end->count; i++) grew = grew || end->eta[i] > end->rate;
    return grew;
}

/*
 * An error of corral's 1 / p enters the next loss, which is divided by q, and grows by a factor of about (1 + rate)
 * with each play. So each step is compared by itself, at any rate, starting from the library's probabilities.
 */
static const fashion following[] = {{10000, .follow = true, .tolerance = 1e-11},
                                    {2000, .late = true, .follow = true, .tolerance = 1e-11},
                                    {3000, .late = true, .restless = true, .follow = true, .tolerance = 1e-11}};

LAW(corral_is_its_formula) {
    DUELS(some_rate_grew, following, {.kind = "corral"}, {.kind = "corral", .options = {LIST("range", skewed)}},
          {.kind = "corral", .options = {NUMBER("rate", 0.3), NUMBER("batch", 4)}},
          {.kind = "corral", .options = {NUMBER("rate", 0.001)}});
}

LAW(stochastic_corral_is_its_formula) {
    DUELS(some_rate_grew, following, {.kind = "stochastic-corral"},
          {.kind = "stochastic-corral", .options = {LIST("range", skewed)}},
          {.kind = "stochastic-corral", .options = {NUMBER("rate", 0.3), NUMBER("batch", 4)}},
          {.kind = "stochastic-corral", .options = {NUMBER("rate", 0.05), NUMBER("share", 1)}});
}

/* At the default rate, 1e-16 grows to 1e-6 in 1e4 rounds, so a twin that does not follow still makes the same
 * choices. */
LAW(corral_and_its_twin_part_slowly) {
    static const fashion alone[] = {{10000, .tolerance = 1e-4}};
    DUELS(some_rate_grew, alone, {.kind = "corral"}, {.kind = "corral", .options = {LIST("range", skewed)}},
          {.kind = "stochastic-corral"});
}

/* Whether more than one learner has played often. */
static bool several_played(const rival *end) {
    int busy = 0;
    for (int i = 0; i < end->count; i++) busy += end->accounts[i].plays > 50.0L;
    return busy > 1;
}

/* Corral continues beyond the `rounds` of the definition. ln T counts as at least 1. */
LAW(corral_outlives_its_horizon) {
    static const fashion brief[] = {
        {1000, .horizon = 2, .follow = true, .tolerance = 1e-10},
        {1000, .horizon = 3, .follow = true, .tolerance = 1e-10},
        {1000, .horizon = 100, .late = true, .restless = true, .follow = true, .tolerance = 1e-10}};
    DUELS(several_played, brief, {.kind = "corral", .options = {NUMBER("rate", 0.05)}});
}

LAW(exp3p_is_its_formula) {
    DUELS(several_played, fashions, {.kind = "exp3p"}, {.kind = "exp3p", .options = {LIST("range", skewed)}},
          {.kind = "exp3p", .options = {NUMBER("delta", 0.9), NUMBER("batch", 4)}});
}

LAW(ucb_over_learners_is_its_formula) {
    DUELS(several_played, fashions, {.kind = "ucb"},
          {.kind = "ucb", .options = {NUMBER("width", 0.2), NUMBER("delta", 0.5)}},
          {.kind = "ucb", .options = {NUMBER("width", 0.5), NUMBER("batch", 4)}});
}

LAW(greedy_is_its_formula) {
    DUELS(several_played, fashions, {.kind = "greedy"}, {.kind = "greedy", .options = {NUMBER("batch", 4)}});
}

/* Short duels, because this twin looks at its whole history several times in a round. */
static const fashion sampling[] = {{400, .tolerance = 1e-11},
                                   {400, .late = true, .tolerance = 1e-11},
                                   {600, .late = true, .restless = true, .tolerance = 1e-11}};

/* Whether every learner has played. */
static bool all_played(const rival *end) {
    bool all = true;
    for (int i = 0; i < end->count; i++) all = all && end->accounts[i].plays > 0.0L;
    return all;
}

LAW(thompson_over_learners_is_its_formula) {
    DUELS(all_played, sampling, {.kind = "thompson"},
          {.kind = "thompson", .options = {NUMBER("discount", 0.99), NUMBER("batch", 4)}},
          {.kind = "thompson", .options = {WORD("model", "normal-gamma"), NUMBER("discount", 0.5)}});
}

/* These models are for rewards of at least 0, or in [0, 1]. */
LAW(thompson_over_learners_samples_clicks_and_counts) {
    static const posse_part rules[] = {
        {.kind = "thompson", .options = {WORD("model", "beta")}},
        {.kind = "thompson", .options = {WORD("model", "gamma")}},
        {.kind = "thompson", .options = {WORD("model", "beta"), NUMBER("discount", 0.9)}},
        {.kind = "thompson", .options = {WORD("model", "gamma"), NUMBER("discount", 0.9)}}};
    for (int s = 0; s < LENGTH(rules); s++)
        for (int f = 0; f < LENGTH(sampling); f++)
            for (int count = 2; count <= 3; count++) {
                rival end;
                fight(&coins, fixed_learners, count, rules[s], &sampling[f], &end);
                assert_true(all_played(&end));
            }
}

LAW(uniform_is_its_formula) {
    DUELS(several_played, fashions, {.kind = "uniform"}, {.kind = "uniform", .options = {NUMBER("batch", 4)}});
}

/* ----------------------------------------------- corral's step, alone ------------------------------------------ */

/* A distribution with probabilities of all sizes down to `least`, and sometimes with empty places. */
static void draw_distribution(uint64_t *source, int count, double least, double *p) {
    long double raw[CROWD_MAX], sum = 0.0L;
    for (int j = 0; j < count; j++) {
        bool empty = j > 1 && random_below(source, 5) == 0;
        raw[j] = empty ? 0.0L : expl(logl(least) * random_uniform(source));
        sum += raw[j];
    }
    for (int j = 0; j < count; j++) p[j] = (double)(raw[j] / sum);
}

static double draw_log_uniform(uint64_t *source, double low, double high) {
    return low * pow(high / low, random_uniform(source));
}

/*
 * The condition number of a step with respect to rounding. 1 / p'_j is a difference of numbers of the size of 1 / p_j,
 * and for the loser also of rate times loss and rate times lambda. So one rounding there is multiplied by p'_j / p_j or
 * by p'_j rate loss. The sum is 1, so the largest of these factors applies to all.
 */
static double step_condition(const double *p, const double *rate, const long double *right, int count, int loser,
                             double loss) {
    double worst = (double)right[loser] * rate[loser] * loss;
    for (int j = 0; j < count; j++)
        if (p[j] > 0.0) worst = fmax(worst, (double)right[j] / p[j]);
    return worst;
}

/* The library's step against the slow one. slack: the absolute error that is allowed in addition to rounding. */
static void compare_steps(const double *p, const double *rate, int count, int loser, double loss, double slack) {
    long double exact_p[CROWD_MAX] = {0}, exact_rate[CROWD_MAX] = {0}, right[CROWD_MAX];
    double got[CROWD_MAX], sum = 0.0;
    for (int j = 0; j < count; j++) {
        exact_p[j] = p[j];
        exact_rate[j] = rate[j];
    }
    slow_corral_step(exact_p, exact_rate, count, loser, loss, right);
    mirror_step(p, rate, count, loser, loss, got);
    double tolerance = 1e-12 + 0x1p-51 * step_condition(p, rate, right, count, loser, loss);
    for (int j = 0; j < count; j++) {
        double off = fabs(got[j] - (double)right[j]);
        assert_that(off <= tolerance * (double)right[j] + slack,
                    "p = %g, rate %g, %s %g: %.17g is off by %g of its size", p[j], rate[j],
                    j == loser ? "loses" : "another loses", loss, got[j], off / (double)right[j]);
        assert_int_equal(got[j] == 0.0, p[j] == 0.0);
        sum += got[j];
    }
    assert_that(fabs(sum - 1.0) <= 1e-12, "p[%d] = %.17g loses %g at rate %g: the sum is 1 %+.3g", loser, p[loser],
                loss, rate[loser], sum - 1.0);
}

/* Losses and rates that occur: losses of at most 1 / q, and rates that were equal at the start. */
LAW(corral_steps_are_those_of_bisection) {
    uint64_t source = 3;
    for (int n = 0; n < 20000; n++) {
        double p[CROWD_MAX], rate[CROWD_MAX], eta = draw_log_uniform(&source, 1e-4, 1.0);
        int count = 2 + (int)random_below(&source, CROWD_MAX - 1), loser = (int)random_below(&source, 2);
        draw_distribution(&source, count, 1e-7, p);
        for (int j = 0; j < count; j++) rate[j] = eta * pow(1.1, (double)random_below(&source, 20));
        compare_steps(p, rate, count, loser, random_uniform(&source) / p[loser], 0.0);
    }
}

/*
 * Losses and rates that occur only with late rewards or unusual options. The equation for the sum is solved to about
 * 1e-14. If one rate is far above the others, this whole error falls on one learner, however small its probability.
 */
LAW(corral_steps_are_right_at_the_extremes) {
    uint64_t source = 4;
    static const double losses[] = {0.0, 1e-300, 1e-18, 1.0, 1e18};
    for (int n = 0; n < 20000; n++) {
        double p[CROWD_MAX], rate[CROWD_MAX];
        int count = 2 + (int)random_below(&source, CROWD_MAX - 1), loser = (int)random_below(&source, 2);
        draw_distribution(&source, count, 1e-12, p);
        for (int j = 0; j < count; j++) rate[j] = draw_log_uniform(&source, 1e-12, 1e6);
        compare_steps(p, rate, count, loser, draw_log_uniform(&source, 1e-6, 1e12), 3e-14);
        compare_steps(p, rate, count, loser, losses[n % LENGTH(losses)], 3e-14);
    }
}

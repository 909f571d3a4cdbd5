/* SPDX-License-Identifier: MIT */
/*
 * Tests of posse_surprise: how strongly the rewards contradict the belief of a selector.
 */
#include <math.h>
#include <string.h>

#include "menagerie.h"
#include "stage.h"

static const double log_20 = 2.995732273553991;

static double surprise_of(const posse *p) {
    double surprise = NAN;
    assert_int_equal(posse_surprise(p, &surprise), POSSE_OK);
    return surprise;
}

/* -------------------------------------- by a formula for the whole history --------------------------------------- */

/* The log likelihood of n rewards of one arm whose mean is N(0, sd^2), from their sum and sum of squares. */
static long double normal_likelihood(long double n, long double sum, long double squares, long double sd,
                                     long double noise) {
    long double own = noise * noise, all = own + n * sd * sd;
    long double form = squares / own - sd * sd * sum * sum / (own * all);
    return -0.5L * (n * logl(2.0L * acosl(-1.0L)) + (n - 1.0L) * logl(own) + logl(all) + form);
}

static long double beta_likelihood(long double ones, long double zeros, long double a, long double b) {
    return lgammal(a + ones) + lgammal(b + zeros) - lgammal(a + b + ones + zeros) - lgammal(a) - lgammal(b) +
           lgammal(a + b);
}

/* The log Bayes factor: the log of the mean likelihood, less the first log likelihood. */
static long double log_factor(const long double *likelihoods, int count) {
    long double top = likelihoods[0], sum = 0.0L;
    for (int i = 1; i < count; i++) top = fmaxl(top, likelihoods[i]);
    for (int i = 0; i < count; i++) sum += expl(likelihoods[i] - top);
    return top + logl(sum / count) - likelihoods[0];
}

#define ARMS 3

/* Number, sum and sum of squares of the rewards learned, by arm. */
typedef struct account {
    long double count[ARMS], sum[ARMS], squares[ARMS];
} account;

/* Plays fixed arms with rewards that come at once, late, or never, and adds up those that came. */
static account played(posse *p, int rounds, bool coins) {
    account a = {0};
    posse_decision late = {0};
    double late_reward = 0.0;
    uint64_t source = 5;
    for (int n = 0; n < rounds; n++) {
        posse_decision d;
        assert_int_equal(stage_decide(p, &d), POSSE_OK);
        double reward = coins ? random_uniform(&source) < 0.2 + 0.3 * d.arm : d.arm + 2.0 * random_uniform(&source);
        if (n % 7 == 6) {
            assert_int_equal(posse_forget(p, d.id), POSSE_OK);
            continue;
        }
        posse_decision due = n % 5 == 4 ? late : d;
        double due_reward = n % 5 == 4 ? late_reward : reward;
        if (n % 5 == 4 || n == 0) late = d, late_reward = reward;
        if (n == 0) continue;
        assert_int_equal(posse_learn(p, due.id, due_reward), POSSE_OK);
        a.count[due.arm] += 1.0L;
        a.sum[due.arm] += due_reward;
        a.squares[due.arm] += (long double)due_reward * due_reward;
    }
    return a;
}

static posse_def fixed_arms(posse_part learners[ARMS], posse_part prior) {
    posse_def def = posse_default_def();
    for (int i = 0; i < ARMS; i++) learners[i] = (posse_part){.kind = "fixed", .options = {NUMBER("arm", i)}};
    def.arms = def.learner_count = ARMS;
    def.learners = learners;
    def.prior = prior;
    def.selector = algorithm_1;
    def.selector.options[0] = (posse_option)NUMBER("watch", 1);
    return def;
}

/* The tolerance is for 300 rewards of unit size, and sums of logarithms of the order of 1e3. */
LAW(surprise_of_a_gaussian_belief_is_that_of_its_formula) {
    const double sd = 0.3, noise = 0.8, sds[] = {sd, 3 * sd, 10 * sd, sd, sd}, third = noise / 3, triple = 3 * noise,
                 noises[] = {noise, noise, noise, third, triple};
    posse_part learners[ARMS], prior = {.kind = "gaussian", .options = {NUMBER("sd", sd), NUMBER("noise", noise)}};
    posse_def def = fixed_arms(learners, prior);
    posse *p = posse_made(&def);
    assert_true(surprise_of(p) == 0.0);
    account a = played(p, 300, false);
    long double likelihoods[5] = {0};
    for (int v = 0; v < 5; v++)
        for (int i = 0; i < ARMS; i++)
            if (a.count[i] > 0.0L)
                likelihoods[v] += normal_likelihood(a.count[i], a.sum[i], a.squares[i], sds[v], noises[v]);
    assert_close(surprise_of(p), (double)log_factor(likelihoods, 5), 1e-11);
    posse_free(p);
}

/* `priors`: the belief as it is given and its two variants. */
static void assert_beta_formula(const double priors[3][2]) {
    posse_part learners[ARMS],
        prior = {.kind = "beta", .options = {NUMBER("alpha", priors[0][0]), NUMBER("beta", priors[0][1])}};
    posse_def def = fixed_arms(learners, prior);
    posse *p = posse_made(&def);
    account a = played(p, 300, true);
    long double likelihoods[3] = {0};
    for (int v = 0; v < 3; v++)
        for (int i = 0; i < ARMS; i++)
            likelihoods[v] += beta_likelihood(a.sum[i], a.count[i] - a.sum[i], priors[v][0], priors[v][1]);
    assert_close(surprise_of(p), (double)log_factor(likelihoods, 3), 1e-11);
    assert_true(surprise_of(p) != 0.0);
    posse_free(p);
}

LAW(surprise_of_a_beta_belief_is_that_of_its_formula) {
    const double third = (90.0 + 30.0 + 1.0) / 9.0 - 1.0;
    /* 10 times as wide would be wider than the uniform prior, so the second variant has alpha + beta = 2 */
    const double sharp[3][2] = {{90.0, 30.0}, {0.75 * third, 0.25 * third}, {1.5, 0.5}};
    const double flat[3][2] = {{1.0, 1.0}, {1.0 / 9.0, 1.0}, {1.0, 1.0 / 9.0}};
    const double clicks[3][2] = {{1.0, 15.0}, {1.0 / 9.0, 15.0}, {1.0, 15.0 / 9.0}};
    assert_beta_formula(sharp);
    assert_beta_formula(flat);
    assert_beta_formula(clicks);
}

/* A robust belief has the same surprise as a plain one with `watch`, to the last bit. */
LAW(robust_beliefs_know_it_by_themselves) {
    for (int h = 0; h < HABITATS; h++) {
        posse_part learner = {.kind = "thompson", .options = {{.key = "belief", .part = &habitats[h].prior}}};
        posse_def def = habitat_def(&habitats[h]);
        def.learners = &learner;
        def.learner_count = 1;
        def.selector.options[0] = (posse_option)NUMBER("watch", 1);
        parade r;
        parade_begin(&r, &habitats[h], posse_made(&def), 8);
        def.prior = with_option(def.prior, (posse_option)NUMBER("robust", 1));
        r.marchers[r.count++] = posse_made(&def);
        def.selector.options[0].number = 0.0;
        r.marchers[r.count++] = posse_made(&def);
        parade_march(&r, 150);
        assert_true(surprise_of(r.marchers[0]) == surprise_of(r.marchers[1]));
        assert_true(surprise_of(r.marchers[0]) == surprise_of(r.marchers[2]));
        assert_true(surprise_of(r.marchers[0]) != 0.0 || habitats[h].counts); /* an exponential prior has none */
        parade_leave(&r);
    }
}

/* ------------------------------------------------ right and wrong ------------------------------------------------ */

#define RUNS 200

/* The surprise after 300 rounds of B-MS, over the runs of an environment. */
static moments surprises(const posse_part *bandit, const posse_part *belief, double *beyond) {
    posse_part learners[] = {{.kind = "thompson"}, {.kind = "ucb"}};
    posse_environment *e = environment_made(bandit, 17);
    posse_def def = posse_environment_def(e);
    def.selector = algorithm_1;
    def.selector.options[0] = (posse_option)NUMBER("watch", 1);
    if (belief != NULL) def.selector.options[1] = (posse_option){.key = "belief", .part = belief};
    def.learners = learners;
    def.learner_count = 2;
    posse *p = posse_made(&def);
    moments m = {0};
    *beyond = 0.0;
    for (uint32_t run = 0; run < RUNS; run++) {
        posse_environment_begin(e, run);
        assert_int_equal(posse_restart(p, run), POSSE_OK);
        assert_int_equal(posse_play(p, e, 300, NULL), POSSE_OK);
        moments_add(&m, surprise_of(p));
        *beyond += surprise_of(p) > log_20;
    }
    posse_free(p);
    posse_environment_free(e);
    return m;
}

/*
 * Under a right belief the Bayes factor has mean 1 in every round, so its log is negative on average, and exceeds log
 * 20 with probability at most 1/20. In 200 runs the expected count is at most 10. The count may exceed that by four
 * standard deviations, each at most 3.1.
 */
LAW(a_right_belief_is_not_surprised) {
    const posse_part bandits[] = {
        {.kind = "gaussian", .options = {NUMBER("arms", 5), NUMBER("prior.sd", 0.5)}},
        {.kind = "bernoulli", .options = {NUMBER("arms", 5), NUMBER("prior.alpha", 20), NUMBER("prior.beta", 30)}},
        {.kind = "bernoulli", .options = {NUMBER("arms", 5)}},
        {.kind = "bernoulli", .options = {NUMBER("arms", 5), NUMBER("prior.beta", 15)}},
        {.kind = "linear", .options = {NUMBER("dim", 3), WORD("arms.set", "ball"), NUMBER("arms.count", 20)}},
        {.kind = "information-lock", .options = {NUMBER("arms", 8)}}};
    for (int i = 0; i < LENGTH(bandits); i++) {
        double beyond;
        moments m = surprises(&bandits[i], NULL, &beyond);
        assert_that(moments_mean(&m) + Z_MAX * moments_error(&m) < 0.0, "%s: %g", bandits[i].kind, moments_mean(&m));
        assert_that(beyond <= 22.0, "%s: %g of %d runs are beyond log 20", bandits[i].kind, beyond, RUNS);
    }
}

LAW(a_wrong_belief_is_surprised) {
    const posse_part coins = {.kind = "bernoulli", .options = {NUMBER("arms", 5)}},
                     ads = {.kind = "bernoulli",
                            .options = {NUMBER("arms", 5), NUMBER("prior.alpha", 20), NUMBER("prior.beta", 980)}},
                     arms = {.kind = "gaussian", .options = {NUMBER("arms", 5)}},
                     points = {.kind = "linear",
                               .options = {NUMBER("dim", 3), WORD("arms.set", "sphere"), NUMBER("arms.count", 20)}},
                     lock = {.kind = "information-lock", .options = {NUMBER("arms", 8), NUMBER("noise", 1)}};
    const struct {
        const posse_part *bandit;
        posse_part belief;
    } wrong[] = {
        {&arms, {.kind = "gaussian", .options = {NUMBER("sd", 0.1)}}},
        {&arms, {.kind = "gaussian", .options = {NUMBER("noise", 3)}}},
        {&arms, {.kind = "gaussian", .options = {NUMBER("noise", 1.0 / 3.0)}}},
        {&coins, {.kind = "beta", .options = {NUMBER("alpha", 500), NUMBER("beta", 500)}}},
        {&coins, {.kind = "beta", .options = {NUMBER("beta", 15)}}},
        {&ads, {.kind = "beta", .options = {NUMBER("alpha", 50), NUMBER("beta", 50)}}},
        {&ads, {.kind = "beta"}},
        {&points, {.kind = "linear", .options = {NUMBER("precision", 100)}}},
        {&lock, {.kind = "information-lock", .options = {NUMBER("noise", 3)}}},
    };
    for (int i = 0; i < LENGTH(wrong); i++) {
        double beyond;
        moments m = surprises(wrong[i].bandit, &wrong[i].belief, &beyond);
        assert_that(moments_mean(&m) - Z_MAX * moments_error(&m) > log_20, "wrong belief %d: %g +- %g", i,
                    moments_mean(&m), moments_error(&m));
    }
}

/* ---------------------------------------------- the option `watch` ----------------------------------------------- */

LAW(watching_changes_no_decision) {
    for (int h = 0; h < HABITATS; h++) {
        posse_part crew[TEAM_MAX];
        posse_def def = habitat_def(&habitats[h]);
        def.learner_count = habitat_team(&habitats[h], crew);
        def.learners = crew;
        parade r;
        parade_begin(&r, &habitats[h], posse_made(&def), 12);
        def.selector.options[0] = (posse_option)NUMBER("watch", 1);
        r.marchers[r.count++] = posse_made(&def);
        parade_march(&r, 300);
        parade_leave(&r);
    }
}

/* Also after so many learners were added that the selector was allocated again. */
LAW(surprise_is_saved) {
    for (int h = 0; h < HABITATS; h++) {
        posse_part crew[TEAM_MAX];
        posse_def def = habitat_def(&habitats[h]);
        def.prior = habitats[h].unit ? (posse_part){.kind = "beta", .options = {NUMBER("alpha", 99)}} : def.prior;
        def.learner_count = habitat_team(&habitats[h], crew);
        def.learners = crew;
        def.selector.options[0] = (posse_option)NUMBER("watch", 1);
        parade r;
        parade_begin(&r, &habitats[h], posse_made(&def), 13);
        parade_march(&r, 60);
        double before = surprise_of(r.marchers[0]);
        for (int i = 0; i < 20; i++) assert_int_equal(posse_learner_add(r.marchers[0], &crew[0], NULL), POSSE_OK);
        assert_true(surprise_of(r.marchers[0]) == before && before != 0.0);
        parade_join(&r);
        assert_true(surprise_of(r.marchers[1]) == before);
        parade_march(&r, 100);
        assert_true(surprise_of(r.marchers[0]) == surprise_of(r.marchers[1]) && surprise_of(r.marchers[0]) != before);
        assert_int_equal(posse_restart(r.marchers[0], 1), POSSE_OK);
        assert_true(surprise_of(r.marchers[0]) == 0.0);
        parade_leave(&r);
    }
}

LAW(surprise_is_absent_where_nobody_watches) {
    posse_part learners[] = {{.kind = "ucb"}, {.kind = "thompson"}};
    for (int s = 0; s <= posse_kind_count(POSSE_FAMILY_SELECTOR); s++) {
        posse_def def = habitat_def(&habitats[ARMS_5]);
        double surprise = 4.0;
        const char *kind = posse_kind_name(POSSE_FAMILY_SELECTOR, s); /* the last: none, for a learner alone */
        def.selector = kind != NULL ? specimen_of(POSSE_FAMILY_SELECTOR, kind)->part : (posse_part){0};
        def.learners = learners;
        def.learner_count = kind != NULL ? 2 : 1;
        posse *p = posse_made(&def);
        assert_int_equal(posse_surprise(p, &surprise), POSSE_ERROR_ABSENT);
        assert_true(surprise == 4.0);
        assert_int_equal(posse_surprise(p, NULL), POSSE_ERROR_ARGUMENT);
        assert_int_equal(posse_surprise(NULL, &surprise), POSSE_ERROR_ARGUMENT);
        posse_free(p);
    }
}

/* A mixture has no robust form, so there is nothing to compare it with. */
LAW(what_has_no_robust_form_cannot_be_watched) {
    static const double weight[] = {1.0};
    posse_part inner = {.kind = "gaussian"}, learner = {.kind = "ucb"};
    posse_part mixture = {.kind = "mixture", .options = {{"components", .part = &inner, .list = weight, .count = 1}}};
    notes log = {0};
    posse *p = NULL;
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.host.log = notes_logger(&log);
    def.prior = mixture;
    def.learners = &learner;
    def.learner_count = 1;
    def.selector.options[0] = (posse_option)NUMBER("watch", 1);
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    assert_noted(&log, "selector.watch: a belief of kind mixture has no robust form");
}

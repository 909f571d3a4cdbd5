/* SPDX-License-Identifier: MIT */
/*
 * Tests of the report: its intervals hold at every time one looks, "decided" is wrong at most as often as it says, and
 * the figures of the belief are those of the belief. Truth is simulated here, from a source of random numbers that the
 * library does not use.
 */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "menagerie.h"
#include "stage.h"

#define ARMS 3

/* ---------------------------------------------------- simulations ----------------------------------------------- */

typedef struct truth {
    double means[ARMS];
    double deviation; /* of normal rewards; 0: clicks */
    uint64_t source;
} truth;

static double uniform(uint64_t *source) {
    return (double)(random_below(source, (uint64_t)1 << 53)) / 9007199254740992.0;
}

static double normal(uint64_t *source) {
    return sqrt(-2.0 * log(1.0 - uniform(source))) * cos(2.0 * acos(-1.0) * uniform(source));
}

static double paid(truth *t, int arm) {
    if (t->deviation > 0.0) return t->means[arm] + t->deviation * normal(&t->source);
    return uniform(&t->source) < t->means[arm] ? 1.0 : 0.0;
}

static posse_def reporting_def(const char *prior, double floor_) {
    static const posse_part learners[] = {{.kind = "ucb"}, {.kind = "thompson"}, {.kind = "epsilon-greedy"}};
    static posse_part selector = {.kind = "bms-plus"};
    posse_def def = posse_default_def();
    selector.options[0] = floor_ > 0.0 ? (posse_option)NUMBER("floor", floor_) : (posse_option)NUMBER(NULL, 0.0);
    def.arms = ARMS;
    def.prior = (posse_part){.kind = prior};
    def.selector = selector;
    def.learners = learners;
    def.learner_count = LENGTH(learners);
    def.report = true;
    return def;
}

/* What went wrong in one posse at any time. */
typedef struct failures {
    bool arm[ARMS], learner, lift[ARMS], decision, decided;
} failures;

static posse_report reported(const posse *p, int control, uint32_t draws, posse_finding *arms,
                             posse_finding *learners) {
    posse_report r = {.control = control, .draws = draws, .arms = arms, .learners = learners};
    assert_int_equal(posse_report_make(p, &r), POSSE_OK);
    return r;
}

static int best_of(const truth *t) {
    int best = 0;
    for (int a = 1; a < ARMS; a++)
        if (t->means[a] > t->means[best]) best = a;
    return best;
}

/* expected: the sum of the true means of each learner's plays that have their reward. */
static void look(const posse *p, const truth *t, const double *expected, failures *f) {
    posse_finding arms[ARMS], learners[3];
    posse_report r = reported(p, 0, 0, arms, learners);
    for (int a = 0; a < ARMS; a++) {
        double lift = t->means[a] - t->means[0];
        f->arm[a] = f->arm[a] || t->means[a] < arms[a].low || t->means[a] > arms[a].high;
        f->lift[a] = f->lift[a] || lift < arms[a].lift_low || lift > arms[a].lift_high;
    }
    for (int i = 0; i < 3; i++) {
        double mean = expected[i] / (double)learners[i].rewards;
        f->learner = f->learner || (i == 0 && (mean < learners[i].low || mean > learners[i].high));
    }
    if (r.verdict != POSSE_DECIDED) return;
    f->decided = true;
    f->decision = f->decision || r.best != best_of(t);
}

/* Plays one posse and looks after every reward. Some rewards are late: they are learned seven rounds later. */
static failures watched(const posse_def *def, truth *t, int rounds) {
    failures f = {0};
    double expected[3] = {0};
    posse *p = posse_made(def);
    posse_decision waiting[7] = {0};
    for (int n = 0; n < rounds; n++) {
        posse_decision d = decided(p), late = waiting[n % 7];
        if (late.id != 0) {
            assert_int_equal(posse_learn(p, late.id, paid(t, late.arm)), POSSE_OK);
            if (!late.floor) expected[late.learner] += t->means[late.arm];
        }
        waiting[n % 7] = n % 3 == 0 ? d : (posse_decision){0};
        if (n % 3 != 0) {
            assert_int_equal(posse_learn(p, d.id, paid(t, d.arm)), POSSE_OK);
            if (!d.floor) expected[d.learner] += t->means[d.arm];
        }
        look(p, t, expected, &f);
    }
    posse_free(p);
    return f;
}

typedef struct score {
    int posses, arm[ARMS], learner, lift[ARMS], wrong, decided;
} score;

static void score_add(score *s, const failures *f) {
    s->posses++;
    for (int a = 0; a < ARMS; a++) {
        s->arm[a] += f->arm[a];
        s->lift[a] += f->lift[a];
    }
    s->learner += f->learner;
    s->wrong += f->decision;
    s->decided += f->decided;
}

/* At most 1 in 20 of the posses ever had a wrong interval of each sort, or a wrong "decided". */
static void assert_holds(const score *s, const char *what) {
    double most = 0.05 * s->posses;
    for (int a = 0; a < ARMS; a++) {
        assert_that(s->arm[a] <= most, "%s: the interval of arm %d failed in %d of %d", what, a, s->arm[a], s->posses);
        assert_that(s->lift[a] <= most, "%s: the lift of arm %d failed in %d of %d", what, a, s->lift[a], s->posses);
    }
    assert_that(s->learner <= most, "%s: the interval of a learner failed in %d of %d", what, s->learner, s->posses);
    assert_that(s->wrong <= most, "%s: decided for the wrong arm in %d of %d", what, s->wrong, s->posses);
    print_message(
        "%s: of %d posses, intervals of arms failed in %d %d %d, of a learner in %d, lifts in %d %d, decided %d, "
        "wrong %d\n",
        what, s->posses, s->arm[0], s->arm[1], s->arm[2], s->learner, s->lift[1], s->lift[2], s->decided, s->wrong);
}

static score many(const char *prior, double floor_, int posses, int rounds, truth (*drawn)(uint64_t *source)) {
    score s = {0};
    uint64_t source = 20261117;
    for (int i = 0; i < posses; i++) {
        posse_def def = reporting_def(prior, floor_);
        truth t = drawn(&source);
        def.seed = (uint64_t)i + 1;
        failures f = watched(&def, &t, rounds);
        score_add(&s, &f);
    }
    return s;
}

static truth any_clicks(uint64_t *source) {
    truth t = {.source = random_below(source, UINT64_MAX)};
    for (int a = 0; a < ARMS; a++) t.means[a] = uniform(source);
    return t;
}

/* Rare clicks, in which the arms hardly differ. */
static truth rare_clicks(uint64_t *source) {
    truth t = {.source = random_below(source, UINT64_MAX)};
    for (int a = 0; a < ARMS; a++) t.means[a] = 0.02 + 0.02 * uniform(source);
    return t;
}

/* Amounts, far from the belief's prior and noise. */
static truth any_amounts(uint64_t *source) {
    truth t = {.source = random_below(source, UINT64_MAX), .deviation = 0.2 + 3.0 * uniform(source)};
    for (int a = 0; a < ARMS; a++) t.means[a] = 1.0 + normal(source);
    return t;
}

LAW(intervals_of_clicks_hold_at_every_look) {
    score s = many("beta", 0.5, (int)(1000 * law_effort()), 700, any_clicks);
    assert_holds(&s, "clicks");
    assert_true(s.decided > s.posses / 20);
}

LAW(intervals_of_rare_clicks_hold_at_every_look) {
    score s = many("beta", 0.2, (int)(1000 * law_effort()), 400, rare_clicks);
    assert_holds(&s, "rare clicks");
}

/* Learners have no interval if rewards have no range, so theirs cannot fail. */
LAW(intervals_of_amounts_hold_at_every_look) {
    score s = many("gaussian", 0.1, (int)(1000 * law_effort()), 400, any_amounts);
    assert_holds(&s, "amounts");
    assert_true(s.decided > s.posses / 5);
    assert_int_equal(s.learner, 0);
}

/* ---------------------------------------------------- by formulas ----------------------------------------------- */

/* The supermartingale of the interval, summed term by term; the interval has the means for which it is small. */
static double radius_from_scratch(const double *rewards, int count, double alpha) {
    long double v = 0.0L, sum = 0.0L, best = 1e300L;
    for (int i = 0; i < count; i++) {
        long double predicted = (sum + 0.5L) / (i + 1.0L);
        v += (rewards[i] - predicted) * (rewards[i] - predicted);
        sum += rewards[i];
    }
    for (int k = 1; k <= 16; k++) {
        long double rate = powl(0.5L, k), psi = -log1pl(-rate) - rate;
        long double radius = (logl(32.0L / alpha) + psi * v) / (rate * count);
        best = radius < best ? radius : best;
    }
    return (double)best;
}

LAW(intervals_of_clicks_are_those_of_the_formula) {
    posse_def def = reporting_def("beta", 0.0);
    posse *p = posse_made(&def);
    double rewards[ARMS][500];
    int counts[ARMS] = {0};
    uint64_t source = 5;
    for (int n = 0; n < 500; n++) {
        posse_decision d = decided(p);
        double reward = n % 5 == 0 ? uniform(&source) : (double)(uniform(&source) < 0.1 * (1 + d.arm));
        assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
        rewards[d.arm][counts[d.arm]++] = reward;
    }
    posse_finding arms[ARMS];
    reported(p, -1, 0, arms, NULL);
    for (int a = 0; a < ARMS; a++) {
        double radius = radius_from_scratch(rewards[a], counts[a], 0.05), mean = 0.0;
        for (int i = 0; i < counts[a]; i++) mean += rewards[a][i] / counts[a];
        assert_int_equal(arms[a].rewards, counts[a]);
        assert_close(arms[a].mean, mean, 1e-12);
        assert_close(arms[a].low, fmax(0.0, mean - radius), 1e-12);
        assert_close(arms[a].high, fmin(1.0, mean + radius), 1e-12);
        assert_true(isnan(arms[a].lift) && isnan(arms[a].best));
    }
    posse_free(p);
}

/* The logarithm of the likelihood ratio for a mean, from all rewards. */
static double evidence_against(const double *rewards, int count, long double mean) {
    long double s = 0.0L, v = 0.0L, n = count;
    for (int i = 0; i < count; i++) {
        s += rewards[i] - mean;
        v += (rewards[i] - mean) * (rewards[i] - mean);
    }
    return (double)(0.5L * n * logl(v / (v - s * s / (n + 1.0L))) - 0.5L * logl(n + 1.0L));
}

/* At both ends of the interval the evidence is exactly 1 / alpha. */
LAW(intervals_of_amounts_end_where_the_evidence_does) {
    static const posse_part one = {.kind = "thompson"};
    posse_def def = reporting_def("gaussian", 0.0);
    def.arms = 1;
    def.selector.kind = NULL;
    def.learners = &one;
    def.learner_count = 1;
    posse *p = posse_made(&def);
    double rewards[60];
    uint64_t source = 9;
    for (int n = 0; n < 60; n++) {
        rewards[n] = 5.0 + 2.0 * normal(&source);
        assert_int_equal(posse_learn(p, decided(p).id, rewards[n]), POSSE_OK);
        posse_finding arm;
        reported(p, -1, 0, &arm, NULL);
        if (isnan(arm.low)) continue;
        assert_close(evidence_against(rewards, n + 1, arm.low), log(20.0), 1e-8);
        assert_close(evidence_against(rewards, n + 1, arm.high), log(20.0), 1e-8);
    }
    posse_free(p);
}

/* The belief's figures are those of other calls, which draw other worlds. */
LAW(the_report_agrees_with_the_belief) {
    posse_def def = reporting_def("beta", 0.0);
    posse *p = posse_made(&def);
    uint64_t source = 3;
    for (int n = 0; n < 60; n++)
        assert_int_equal(posse_learn(p, decided(p).id, (double)(uniform(&source) < 0.3)), POSSE_OK);
    posse_finding arms[ARMS];
    double means[ARMS], deviations[ARMS], best[ARMS], sum = 0.0;
    posse_report r = reported(p, -1, 20000, arms, NULL);
    assert_int_equal(posse_means(p, NULL, means), POSSE_OK);
    assert_int_equal(posse_deviations(p, NULL, deviations), POSSE_OK);
    assert_int_equal(posse_best_probabilities(p, 20000, best), POSSE_OK);
    for (int a = 0; a < ARMS; a++) {
        assert_true(arms[a].belief_mean == means[a]);
        assert_close(arms[a].best, best[a], 0.02);
        assert_true(arms[a].belief_low < means[a] && means[a] < arms[a].belief_high);
        assert_close(arms[a].belief_high - arms[a].belief_low, 3.92 * deviations[a], 0.6 * deviations[a]);
        sum += arms[a].best;
    }
    assert_close(sum, 1.0, 1e-9);
    assert_true(r.regret > 0.0 && r.regret < 0.2);
    for (int n = 0; n < 400; n++) assert_int_equal(posse_teach(p, &(posse_action){.arm = 2}, 1.0), POSSE_OK);
    for (int n = 0; n < 800; n++) assert_int_equal(posse_teach(p, &(posse_action){.arm = n % 2}, 0.0), POSSE_OK);
    r = reported(p, -1, 1000, arms, NULL);
    assert_true(arms[2].best == 1.0 && r.regret == 0.0); /* exactly, whatever is rounded */
    posse_free(p);
}

/* ---------------------------------------------------- the verdict ----------------------------------------------- */

static void assert_verdict(const posse *p, posse_verdict verdict, const char *reason) {
    posse_finding arms[8], learners[8];
    posse_report r = reported(p, -1, posse_arm_count(p) > 0 && posse_feature_count(p) == 0 ? 200 : 0, arms, learners);
    assert_that(strstr(r.reason, reason) != NULL, "\"%s\" is not in \"%s\"", reason, r.reason);
    assert_int_equal(r.verdict, verdict);
}

static void learn_clicks(posse *p, int rounds, const double *means) {
    uint64_t source = 77;
    for (int n = 0; n < rounds; n++) {
        posse_decision d = decided(p);
        assert_int_equal(posse_learn(p, d.id, (double)(uniform(&source) < means[d.arm])), POSSE_OK);
    }
}

LAW(the_verdict_has_its_reason) {
    static const char *const names[] = {"red", "green", "blue"};
    static const double clear[] = {0.9, 0.1, 0.1}, alike[] = {0.5, 0.5, 0.5};
    posse_def def = reporting_def("beta", 0.3);
    def.names = names;
    posse *p = posse_made(&def);
    assert_verdict(p, POSSE_NOT_YET, "too few: there is no reward yet");
    learn_clicks(p, 5, clear);
    assert_verdict(p, POSSE_NOT_YET, "too few: ");
    learn_clicks(p, 1500, clear);
    assert_verdict(p, POSSE_DECIDED, "red is the best: its mean is above 0.");
    posse_free(p);
    p = posse_made(&def);
    learn_clicks(p, 600, alike);
    assert_verdict(p, POSSE_NOT_YET, "could still be better");
    assert_int_equal(posse_arm_retire(p, 0), POSSE_OK);
    assert_int_equal(posse_arm_retire(p, 2), POSSE_OK);
    assert_verdict(p, POSSE_DECIDED, "green is the only one");
    posse_free(p);
}

/* A reason cuts long names, and never inside of a character: it goes into JSON. */
LAW(the_verdict_with_long_names_is_utf_8) {
    static const char *const names[] = {"xéééééééééééééééééééééééééééééééééé", "xxêêêêêêêêêêêêêêêêêêêêêêêêêêêêêêêêêêêê",
                                        "€€€€€€€€€€€€€€€€€€€€€€€€€€"};
    static const double clear[] = {0.9, 0.1, 0.1}, alike[] = {0.5, 0.5, 0.5};
    for (int k = 0; k < 2; k++) {
        posse_def def = reporting_def("beta", 0.3);
        def.names = names;
        posse *p = posse_made(&def);
        for (int rounds = 5; rounds < 2000; rounds *= 4) {
            learn_clicks(p, rounds, k == 0 ? clear : alike);
            posse_report r = reported(p, -1, 100, NULL, NULL);
            assert_int_equal(utf8_valid(r.reason), strlen(r.reason));
        }
        posse_free(p);
    }
}

LAW(what_cannot_be_told_is_said) {
    static const double apart[] = {0.95, 0.3, 0.3};
    posse_def def = reporting_def("beta", 0.0);
    posse *p = posse_made(&def);
    learn_clicks(p, 120, apart);
    assert_verdict(p, POSSE_CANNOT_TELL, "the selector has no floor");
    posse_free(p);
    def.report = false;
    p = posse_made(&def);
    learn_clicks(p, 10, apart);
    assert_false(posse_reports(p));
    assert_verdict(p, POSSE_CANNOT_TELL, "rewards are not tallied");
    posse_free(p);
    for (int h = 0; h < HABITATS; h++) {
        posse_part crew[TEAM_MAX];
        posse_def other = team_def(&habitats[h], algorithm_1, crew);
        other.report = true;
        if (h != BALL_3 && !brings_features(&habitats[h])) continue;
        p = posse_made(&other);
        posse_report r = reported(p, -1, 100, NULL, NULL);
        assert_int_equal(r.verdict, POSSE_CANNOT_TELL);
        assert_non_null(strstr(r.reason, h == BALL_3 ? "point of the ball" : "features"));
        posse_free(p);
    }
}

/* A prior that expects hardly any click, and clicks. */
LAW(a_surprised_belief_is_said) {
    static const double half[] = {0.5, 0.5, 0.5};
    posse_def def = reporting_def("beta", 0.3);
    def.prior.options[0] = (posse_option)NUMBER("alpha", 1.0);
    def.prior.options[1] = (posse_option)NUMBER("beta", 300.0);
    def.prior.options[2] = (posse_option)NUMBER("robust", 1.0);
    posse *p = posse_made(&def);
    learn_clicks(p, 100, half);
    assert_verdict(p, POSSE_CANNOT_TELL, "the belief is surprised");
    posse_free(p);
}

/* The evidence of logistic beliefs is approximate where rounds have features, and only there. */
LAW(a_surprise_has_its_limit) {
    posse_part linear[] = {{.kind = "linear-ucb"}, {.kind = "ucb"}};
    for (int k = 0; k < 4; k++) {
        posse_def def = posse_default_def();
        def.arms = 3;
        def.dim = k < 2 ? 2 : 0;
        def.prior.kind = k == 0 ? "logistic" : k == 1 ? "linear" : k == 2 ? "beta" : "gaussian";
        def.learners = k < 2 ? linear : linear + 1;
        def.learner_count = 1;
        posse *p = posse_made(&def);
        for (uint32_t runs = 1; runs <= 10; runs += 9)
            assert_true(fabs(posse_surprise_limit(p, runs) - (k == 0 ? 10.0 * runs : 0.0) - log(20.0)) < 1e-13);
        posse_free(p);
    }
}

/* Rules without arms are compared themselves. */
LAW(learners_are_compared_where_there_are_no_arms) {
    static const posse_part rules[] = {{.kind = "external", .name = "old"}, {.kind = "external", .name = "new"}};
    posse_def def = posse_default_def();
    def.learners = rules;
    def.learner_count = 2;
    def.selector = (posse_part){.kind = "uniform"};
    posse *p = posse_made(&def);
    posse_free(p);
    def.report = true;
    def.selector = (posse_part){.kind = "thompson"};
    p = posse_made(&def);
    uint64_t source = 4;
    for (int n = 0; n < 2000; n++) {
        posse_decision d = decided(p);
        assert_int_equal(posse_learn(p, d.id, (double)(uniform(&source) < (d.learner == 1 ? 0.8 : 0.2))), POSSE_OK);
    }
    posse_finding learners[2];
    posse_report r = reported(p, 0, 0, NULL, learners);
    assert_close(learners[1].lift, learners[1].mean - learners[0].mean, 1e-15);
    assert_int_equal(r.verdict, POSSE_CANNOT_TELL);
    assert_non_null(strstr(r.reason, "rewards have no range"));
    assert_null(strstr(r.reason, "nan"));
    posse_free(p);
}

/*
 * Of rules whose rewards have a range, intervals and lifts hold at every look. A verdict is right, or it is said that a
 * rule is hardly played.
 */
LAW(rules_without_arms_have_intervals) {
    static const posse_part rules[] = {{.kind = "external", .name = "a"}, {.kind = "external", .name = "b"}};
    int missed = 0, missed_lift = 0, wrong = 0, seen[3] = {0};
    for (uint64_t seed = 1; seed <= 100; seed++) {
        posse_def def = posse_default_def();
        uint64_t source = seed * 31;
        double rates[2] = {0.3 + 0.1 * uniform(&source), 0.3 + 0.6 * uniform(&source)};
        bool ever = false, ever_lift = false, ever_wrong = false;
        def.learners = rules;
        def.learner_count = 2;
        def.report = true;
        def.seed = seed;
        def.selector = (posse_part){.kind = "thompson", .options = {{.key = "model", .word = "beta"}}};
        if (seed % 2) def.selector.options[1] = (posse_option)NUMBER("discount", 0.98); /* it gives up nothing */
        posse *p = posse_made(&def);
        posse_report r = {0};
        for (int n = 0; n < 1500; n++) {
            posse_finding f[2];
            posse_decision d = decided(p);
            assert_int_equal(posse_learn(p, d.id, uniform(&source) < rates[d.learner] ? 1.0 : 0.0), POSSE_OK);
            r = reported(p, 0, 0, NULL, f);
            for (int i = 0; i < 2; i++) ever = ever || rates[i] < f[i].low || rates[i] > f[i].high;
            double lift = rates[1] - rates[0];
            ever_lift = ever_lift || lift < f[1].lift_low || lift > f[1].lift_high;
            ever_wrong = ever_wrong || (r.verdict == POSSE_DECIDED && r.best != (lift > 0.0));
            assert_null(strstr(r.reason, "nan"));
            bool told = strstr(r.reason, "without arms there is no floor") != NULL;
            assert_true(told == (r.verdict == POSSE_CANNOT_TELL));
        }
        seen[r.verdict]++;
        missed += ever, missed_lift += ever_lift, wrong += ever_wrong;
        posse_free(p);
    }
    assert_that(missed <= 10 && missed_lift <= 5 && wrong <= 5, "%d intervals, %d lifts, %d verdicts are wrong", missed,
                missed_lift, wrong);
    assert_that(seen[POSSE_DECIDED] > 0 && seen[POSSE_CANNOT_TELL] > 0, "%d decided, %d cannot tell",
                seen[POSSE_DECIDED], seen[POSSE_CANNOT_TELL]);
}

/* The probability that Beta(a, b) is larger than Beta(c, d), by the trapezoidal rule, and the expected larger one. */
static double beta_wins(double a, double b, double c, double d, double *larger) {
    int steps = 20000;
    double wins = 0.0, below = 0.0, scale_one = lgamma(a + b) - lgamma(a) - lgamma(b);
    double scale_two = lgamma(c + d) - lgamma(c) - lgamma(d), below_one = 0.0;
    *larger = 0.0;
    for (int k = 0; k < steps; k++) {
        double x = (k + 0.5) / steps;
        double one = exp(scale_one + (a - 1.0) * log(x) + (b - 1.0) * log1p(-x)) / steps;
        double two = exp(scale_two + (c - 1.0) * log(x) + (d - 1.0) * log1p(-x)) / steps;
        wins += one * (below + 0.5 * two);
        *larger += x * (one * (below + 0.5 * two) + two * (below_one + 0.5 * one));
        below += two;
        below_one += one;
    }
    return wins;
}

/* Of clicks, the posterior is Beta(1 + clicks, 1 + others): its figures are those of numerical integration. */
LAW(rules_without_arms_have_the_posterior_of_thompson) {
    static const posse_part rules[] = {{.kind = "external", .name = "a"}, {.kind = "external", .name = "b"}};
    posse_def def = posse_default_def();
    uint64_t source = 6;
    int draws = 20000;
    posse_finding f[3];
    def.learners = rules;
    def.learner_count = 2;
    def.report = true;
    def.selector = (posse_part){.kind = "thompson", .options = {{.key = "model", .word = "beta"}}};
    posse *p = posse_made(&def);
    for (int n = 0; n < 80; n++) {
        double a = 1.0, b = 1.0, c = 1.0, d = 1.0, larger;
        posse_decision made = decided(p);
        assert_int_equal(posse_learn(p, made.id, uniform(&source) < (made.learner ? 0.5 : 0.4) ? 1.0 : 0.0), POSSE_OK);
        if (n % 20 != 19) continue;
        posse_report r = reported(p, -1, (uint32_t)draws, NULL, f);
        a += f[0].mean * (double)f[0].rewards, b += (1.0 - f[0].mean) * (double)f[0].rewards;
        c += f[1].mean * (double)f[1].rewards, d += (1.0 - f[1].mean) * (double)f[1].rewards;
        double wins = beta_wins(a, b, c, d, &larger), error = 4.0 * 0.5 / sqrt(draws);
        assert_close(f[0].best, wins, error);
        assert_close(f[0].best + f[1].best, 1.0, 1e-9);
        assert_close(f[0].belief_mean, a / (a + b), 0.25 * error);
        assert_close(f[1].belief_mean, c / (c + d), 0.25 * error);
        assert_close(r.regret, larger - fmax(a / (a + b), c / (c + d)), 0.5 * error);
        for (int i = 0; i < 2; i++) {
            double outside_low, outside_high, most = i ? c : a, rest = i ? d : b, ignored;
            outside_low = beta_wins(1e6 * f[i].belief_low, 1e6 * (1.0 - f[i].belief_low), most, rest, &ignored);
            outside_high = beta_wins(most, rest, 1e6 * f[i].belief_high, 1e6 * (1.0 - f[i].belief_high), &ignored);
            assert_close(outside_low, 0.025, 0.006);
            assert_close(outside_high, 0.025, 0.006);
        }
    }
    int late;
    assert_int_equal(posse_learner_add(p, &(posse_part){.kind = "external", .name = "c"}, &late), POSSE_OK);
    assert_int_equal(posse_learner_retire(p, 0), POSSE_OK);
    reported(p, -1, 1000, NULL, f);
    assert_true(f[0].best == 0.0 && isnan(f[0].belief_mean) && isnan(f[0].belief_low));
    assert_close(f[2].belief_mean, 0.5, 0.05);
    posse_free(p);
}

/* Of other rewards there is no scale until they differ. Beside arms there is no posterior of a learner. */
LAW(a_posterior_of_learners_needs_rewards_that_differ) {
    static const posse_part rules[] = {{.kind = "external", .name = "a"}, {.kind = "external", .name = "b"}};
    static const char *const models[] = {"gamma", "normal-gamma"};
    posse_finding f[3];
    for (int m = 0; m < 2; m++) {
        posse_def def = posse_default_def();
        def.learners = rules;
        def.learner_count = 2;
        def.report = true;
        def.selector = (posse_part){.kind = "thompson", .options = {{.key = "model", .word = models[m]}}};
        posse *p = posse_made(&def);
        posse_report r = reported(p, -1, 500, NULL, f);
        assert_true(isnan(f[0].belief_mean) && isnan(f[0].best) && isnan(r.regret));
        for (int n = 0; n < 300; n++) {
            posse_decision d = decided(p);
            assert_int_equal(posse_learn(p, d.id, d.learner ? 3.0 + n % 2 : 1.0 + n % 3), POSSE_OK);
        }
        r = reported(p, -1, 500, NULL, f);
        assert_true(f[1].best > 0.99 && r.regret >= 0.0 && r.regret < 0.05);
        assert_close(f[1].belief_mean, f[1].mean, 0.1);
        assert_true(f[1].belief_low < f[1].mean && f[1].mean < f[1].belief_high);
        posse_free(p);
    }
    posse_def def = reporting_def("beta", 0.0);
    def.selector = (posse_part){.kind = "thompson"};
    posse *p = posse_made(&def);
    assert_int_equal(posse_learn(p, decided(p).id, 1.0), POSSE_OK);
    reported(p, -1, 500, NULL, f);
    for (int i = 0; i < 3; i++) assert_true(isnan(f[i].belief_mean) && isnan(f[i].best));
    posse_free(p);
}

/* How many more rewards are needed is about right: with that many, at the same means, it is decided. */
LAW(the_report_looks_ahead) {
    static const double means[] = {0.5, 0.4, 0.3};
    posse_def def = reporting_def("beta", 0.9);
    posse *p = posse_made(&def);
    learn_clicks(p, 900, means);
    posse_finding arms[ARMS];
    posse_report r = reported(p, -1, 0, arms, NULL);
    assert_int_equal(r.verdict, POSSE_NOT_YET);
    assert_true(r.more > 100.0 && r.more < 20000.0);
    posse_free(p);
}

/* ------------------------------------------------------ keeping ------------------------------------------------- */

/* Decisions are the same with a report and without, also if it is asked for all the time. */
LAW(a_report_changes_no_decision) {
    posse_def def = reporting_def("beta", 0.1);
    posse *asked = posse_made(&def);
    def.report = false;
    posse *quiet = posse_made(&def);
    uint64_t source = 8;
    for (int n = 0; n < 300; n++) {
        posse_decision a = decided(asked), b = decided(quiet);
        double reward = (double)(uniform(&source) < 0.3);
        assert_true(a.arm == b.arm && a.learner == b.learner && a.propensity == b.propensity);
        assert_int_equal(posse_learn(asked, a.id, reward), POSSE_OK);
        assert_int_equal(posse_learn(quiet, b.id, reward), POSSE_OK);
        posse_finding arms[ARMS], learners[3];
        if (n % 10 == 0) reported(asked, 1, 50, arms, learners);
    }
    posse_free(asked);
    posse_free(quiet);
}

static bool finding_equal(const posse_finding *a, const posse_finding *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

LAW(tallies_survive_saving_and_new_arms) {
    static const double means[] = {0.2, 0.6, 0.4, 0.3};
    posse_def def = reporting_def("beta", 0.2);
    posse *p = posse_made(&def);
    saved fresh = saved_from(p);
    posse_free(saved_loaded(&fresh));
    saved_drop(&fresh);
    learn_clicks(p, 100, means);
    assert_int_equal(posse_arm_add(p, NULL, NULL), POSSE_OK);
    posse_finding before[4], after[4];
    reported(p, -1, 0, before, NULL);
    saved s = saved_from(p);
    posse *q = saved_loaded(&s);
    reported(q, -1, 0, after, NULL);
    for (int a = 0; a < 4; a++) assert_true(finding_equal(&before[a], &after[a]));
    assert_int_equal(before[3].rewards, 0);
    saved again = saved_from(q);
    assert_true(saved_equal(&s, &again));
    learn_clicks(q, 100, means);
    reported(q, -1, 0, after, NULL);
    uint64_t total = 0;
    for (int a = 0; a < 4; a++) total += after[a].rewards;
    assert_int_equal(total, 200);
    assert_int_equal(posse_next_task(q), POSSE_OK);
    reported(q, -1, 0, after, NULL);
    for (int a = 0; a < 4; a++) assert_int_equal(after[a].rewards, 0);
    saved_drop(&s);
    saved_drop(&again);
    posse_free(p);
    posse_free(q);
}

/* Decisions that expire with a reward are rewards, and those that are taught are not. */
LAW(tallies_count_what_decisions_earned) {
    posse_def def = reporting_def("beta", 0.0);
    def.expire_after = 2;
    def.expire_learns = true;
    posse *p = posse_made(&def);
    for (int n = 0; n < 10; n++) decided(p);
    assert_int_equal(posse_teach(p, &(posse_action){.arm = 1}, 1.0), POSSE_OK);
    posse_finding arms[ARMS];
    reported(p, -1, 0, arms, NULL);
    assert_int_equal(arms[0].rewards + arms[1].rewards + arms[2].rewards, 8);
    posse_free(p);
}

LAW(a_report_needs_a_control_that_exists) {
    posse_def def = reporting_def("beta", 0.0);
    posse *p = posse_made(&def);
    assert_refused(p, posse_report_make(p, &(posse_report){.control = 3}), POSSE_ERROR_ARM);
    assert_refused(p, posse_report_make(p, &(posse_report){.control = -2}), POSSE_ERROR_ARM);
    assert_refused(p, posse_report_make(p, NULL), POSSE_ERROR_ARGUMENT);
    posse_free(p);
}

LAW(a_report_survives_no_memory) {
    for (size_t n = 1;; n++) {
        purse mine = {0};
        posse_def def = reporting_def("beta", 0.0);
        posse_finding arms[ARMS];
        def.host = purse_host(&mine);
        posse *p = posse_made(&def);
        mine.calls = 0;
        mine.fail_at = n;
        posse_decision d;
        posse_error decides = posse_decide(p, NULL, &d);
        if (decides == POSSE_OK) assert_int_equal(posse_learn(p, d.id, 1.0), POSSE_OK);
        posse_report r = {.control = -1, .draws = 10, .arms = arms};
        posse_error reports = posse_report_make(p, &r);
        posse_free(p);
        assert_int_equal(mine.bytes, 0);
        if (decides == POSSE_OK && reports == POSSE_OK) return;
        assert_true((decides == POSSE_ERROR_MEMORY) || (reports == POSSE_ERROR_MEMORY));
    }
}

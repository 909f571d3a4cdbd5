/* SPDX-License-Identifier: MIT */
/*
 * Tests of failures of extensions: a part that fails at any of its calls leaves no trace in the posse. The extensions
 * here wrap kinds of the library. They change their state and draw as these do, and then fail at the n-th call.
 */
#include <math.h>
#include <string.h>

#include "menagerie.h"
#include "model/registry.h"
#include "stage.h"

static int calls_left; /* the call that fails is the one that makes it 0; below 0 none fails */

static bool fails(void) {
    return calls_left > 0 && --calls_left == 0;
}

/* ------------------------------------------------ the extensions ------------------------------------------------ */

static posse_learner_ops learner, learner_in;
static const posse_learner_ops *wrapped_learner, *wrapped_learner_in;
static posse_selector_ops selector, selector_in;
static const posse_selector_ops *wrapped_selector, *wrapped_selector_in;
static double wrong_probability;

/* A counter of picks follows the state of the wrapped kind. */
static size_t counted_size(const void *plan) {
    return wrapped_learner->kind.state_size(plan) + sizeof(double);
}

static size_t counted_size_in(const void *plan) {
    return wrapped_learner_in->kind.state_size(plan) + sizeof(double);
}

static void failing_count(void *state, size_t size, posse_draw *draw) {
    *(double *)(void *)((char *)state + size) += 1.0;
    posse_draw_uniform(draw);
}

static int failing_act(const void *plan, void *state, posse_draw *draw, double *point) {
    int arm = wrapped_learner->act(plan, state, draw, point);
    failing_count(state, wrapped_learner->kind.state_size(plan), draw);
    return fails() ? INT32_MAX : arm;
}

static int failing_act_in(const void *plan, void *state, posse_draw *draw, const posse_round *round) {
    int place = wrapped_learner_in->act_in(plan, state, draw, round);
    failing_count(state, wrapped_learner_in->kind.state_size(plan), draw);
    return fails() ? -1 : place;
}

static int failed_choice(int learner_, double *probability) {
    if (!fails()) return learner_;
    *probability = wrong_probability;
    return wrong_probability > 0.0 && wrong_probability <= 1.0 ? -1 : learner_;
}

static int failing_choose(const void *plan, void *state, posse_draw *draw, posse_draw *ties, double *probability) {
    return failed_choice(wrapped_selector->choose(plan, state, draw, ties, probability), probability);
}

static int failing_choose_in(const void *plan, void *state, posse_draw *draw, posse_draw *ties, double *probability) {
    return failed_choice(wrapped_selector_in->choose(plan, state, draw, ties, probability), probability);
}

static posse_error failing_learner_prepare(const posse_setup *setup, void **out) {
    return fails() ? POSSE_ERROR_FIT : wrapped_learner->kind.prepare(setup, out);
}

static posse_error failing_learner_prepare_in(const posse_setup *setup, void **out) {
    return fails() ? POSSE_ERROR_FIT : wrapped_learner_in->kind.prepare(setup, out);
}

static posse_error failing_selector_prepare_in(const posse_setup *setup, void **out) {
    return fails() ? POSSE_ERROR_FIT : wrapped_selector_in->kind.prepare(setup, out);
}

static posse_error failing_selector_prepare(const posse_setup *setup, void **out) {
    return fails() ? POSSE_ERROR_FIT : wrapped_selector->kind.prepare(setup, out);
}

static const void *built_in(posse_family family, const char *name) {
    const posse_kind *kind = registry_kind(family, posse_kind_find(family, name));
    assert_non_null(kind);
    return kind;
}

static void register_failing(void) {
    if (posse_kind_find(POSSE_FAMILY_LEARNER, "failing") >= 0) return;
    wrapped_learner = built_in(POSSE_FAMILY_LEARNER, "epsilon-greedy");
    wrapped_learner_in = wrapped_learner->in_contexts;
    learner = *wrapped_learner;
    learner_in = *wrapped_learner_in;
    learner.kind.name = learner_in.kind.name = "failing";
    learner.kind.prepare = failing_learner_prepare;
    learner_in.kind.prepare = failing_learner_prepare_in;
    learner.kind.state_size = counted_size;
    learner_in.kind.state_size = counted_size_in;
    learner.act = failing_act;
    learner_in.act_in = failing_act_in;
    learner.in_contexts = &learner_in;
    assert_int_equal(posse_learner_register(&learner), POSSE_OK);
    wrapped_selector = built_in(POSSE_FAMILY_SELECTOR, "bms");
    wrapped_selector_in = wrapped_selector->in_contexts;
    selector = *wrapped_selector;
    selector_in = *wrapped_selector_in;
    selector.kind.name = selector_in.kind.name = "failing";
    selector.kind.prepare = failing_selector_prepare;
    selector_in.kind.prepare = failing_selector_prepare_in;
    selector.choose = failing_choose;
    selector_in.choose = failing_choose_in;
    selector.in_contexts = &selector_in;
    assert_int_equal(posse_selector_register(&selector), POSSE_OK);
}

/* -------------------------------------------------- the posses -------------------------------------------------- */

typedef struct scene {
    int home;
    const char *selector;
    posse_option option;
    uint32_t draws;
} scene;

static const scene failure_scenes[] = {
    {ARMS_5, "failing", NUMBER("batch", 3), 0},      {ARMS_5, "bms", NUMBER("floor", 0.3), 0},
    {ARMS_5, "exp3p", NUMBER("batch", 2), 0},        {ARMS_5, "failing", NUMBER("share", 1), 20},
    {COINS_4, "failing", NUMBER("share", 1), 0},     {OFFERS_6, "failing", NUMBER("share", 1), 0},
    {OFFERS_6, "bms", NUMBER("batch", 2), 0},        {OFFERS_6, "bms", NUMBER("consider", 0), 0},
    {VISITORS_4, "failing", NUMBER("floor", 0.2), 0}};

static posse *failing_posse(const scene *s) {
    static const posse_part learners[] = {{.kind = "failing", .name = "one"},
                                          {.kind = "epsilon-greedy"},
                                          {.kind = "failing", .name = "two", .options = {NUMBER("epsilon", 0.5)}}};
    register_failing();
    calls_left = -1;
    posse_def def = habitat_def(&habitats[s->home]);
    def.selector = (posse_part){.kind = s->selector, .options = {s->option}};
    def.learners = learners;
    def.learner_count = LENGTH(learners);
    def.propensity_draws = s->draws;
    return posse_made(&def);
}

/* Decides once with a failure at each call of an extension in turn, which is refused without a trace, and then well. */
static void decide_with_failures(posse *p, posse_decision *d) {
    for (int call = 1;; call++) {
        saved before = saved_from(p);
        calls_left = call;
        wrong_probability = (const double[]){1.0, NAN, 0.0, -1.0, 2.0}[call % 5];
        posse_error error = stage_decide(p, d);
        bool failed = calls_left == 0;
        calls_left = -1;
        if (!failed) {
            assert_int_equal(error, POSSE_OK);
            saved_drop(&before);
            return;
        }
        saved after = saved_from(p);
        assert_true(error == POSSE_ERROR_ARM || error == POSSE_ERROR_LEARNER || error == POSSE_OK);
        if (error == POSSE_OK) { /* the failure was in a draw of a propensity, which counts it as an unknown arm */
            posse_free(saved_loaded(&after));
            saved_drop(&before);
            saved_drop(&after);
            return;
        }
        assert_that(saved_equal(&before, &after), "a failure at call %d has left a trace", call);
        saved_drop(&before);
        saved_drop(&after);
    }
}

/* Beside one whose extensions never fail, so that also the streams must be as before. */
LAW(failed_decisions_leave_no_trace) {
    for (int i = 0; i < LENGTH(failure_scenes); i++) {
        posse *p = failing_posse(&failure_scenes[i]), *other = failing_posse(&failure_scenes[i]);
        for (int round = 0; round < 40; round++) {
            posse_decision d, expected;
            decide_with_failures(p, &d);
            assert_int_equal(stage_decide(other, &expected), POSSE_OK);
            if (failure_scenes[i].draws == 0) {
                assert_int_equal(d.learner, expected.learner);
                assert_int_equal(d.arm, expected.arm);
                assert_true(d.probability == expected.probability);
            }
            double reward = round % 3 == 0 ? 1.0 : 0.0;
            assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
            assert_int_equal(posse_learn(other, expected.id, reward), POSSE_OK);
        }
        if (failure_scenes[i].draws == 0) assert_saved_alike(p, other);
        posse_free(p);
        posse_free(other);
    }
}

/* Learners and arms that are added make parts. Each part in turn refuses. */
LAW(refused_changes_leave_no_trace) {
    static const posse_part newcomer = {.kind = "failing", .name = "new"};
    for (int i = 0; i < LENGTH(failure_scenes); i++) {
        posse *p = failing_posse(&failure_scenes[i]);
        posse_decision d;
        for (int round = 0; round < 10; round++) assert_int_equal(stage_decide(p, &d), POSSE_OK);
        for (int added = 0; added < 8; added++) { /* until the selector needs more places */
            char name[8];
            posse_part next = newcomer;
            snprintf(name, sizeof name, "new%d", added);
            next.name = name;
            calls_left = 1;
            assert_refused(p, posse_learner_add(p, &next, NULL), POSSE_ERROR_FIT);
            bool grows = p->count == p->selector.places && strcmp(failure_scenes[i].selector, "failing") == 0;
            calls_left = grows ? 2 : 1000000;
            if (grows) assert_refused(p, posse_learner_add(p, &next, NULL), POSSE_ERROR_FIT);
            calls_left = -1;
            assert_int_equal(posse_learner_add(p, &next, NULL), POSSE_OK);
        }
        for (int call = 1; call <= 4; call++) {
            calls_left = call;
            assert_refused(p, posse_arm_add(p, NULL, NULL), POSSE_ERROR_FIT);
            calls_left = call;
            assert_refused(p, posse_arm_retire(p, 1), POSSE_ERROR_FIT);
        }
        calls_left = -1;
        assert_int_equal(stage_decide(p, &d), POSSE_OK);
        posse_free(p);
    }
}

/* Wrong arguments of learn, acted and teach are refused before any part is called. */
LAW(refused_rewards_reach_no_part) {
    register_failing();
    static const posse_part learners[] = {{.kind = "failing", .name = "one"}, {.kind = "external"}};
    posse_def def = habitat_def(&habitats[COINS_4]);
    def.selector = (posse_part){.kind = "failing"};
    def.learners = learners;
    def.learner_count = 2;
    calls_left = -1;
    posse *p = posse_made(&def);
    posse_decision d, e;
    assert_int_equal(posse_decide(p, NULL, &d), POSSE_OK);
    assert_int_equal(posse_decide(p, NULL, &e), POSSE_OK);
    posse_decision inside = d.arm >= 0 ? d : e, outside = d.arm >= 0 ? e : d;
    assert_int_equal(outside.arm, POSSE_ARM_UNTOLD);
    assert_refused(p, posse_learn(p, inside.id, 2.0), POSSE_ERROR_REWARD);
    assert_refused(p, posse_learn(p, inside.id, NAN), POSSE_ERROR_REWARD);
    assert_refused(p, posse_learn(p, outside.id, 1.0), POSSE_ERROR_UNTOLD);
    assert_refused(p, posse_acted(p, outside.id, &(posse_action){.arm = 4}), POSSE_ERROR_ARM);
    assert_refused(p, posse_acted(p, inside.id, &(posse_action){.arm = 1}), POSSE_ERROR_SETTLED);
    assert_refused(p, posse_teach(p, &(posse_action){.arm = 4}, 1.0), POSSE_ERROR_ARM);
    assert_refused(p, posse_teach(p, &(posse_action){.arm = 0}, -1.0), POSSE_ERROR_REWARD);
    posse_free(p);
}

/* ---------------------------------------- beliefs that return no numbers ---------------------------------------- */

static const posse_belief_ops *wrapped_belief;
static double odd_evidence;

static double failing_evidence(const void *plan, const void *state, int arm, const double *point, double reward) {
    double evidence = wrapped_belief->evidence(plan, state, arm, point, reward);
    return fails() ? odd_evidence : evidence;
}

static int odd_dim;

static posse_belief_shape odd_shape(const void *plan) {
    posse_belief_shape shape = wrapped_belief->shape(plan);
    shape.dim += odd_dim;
    return shape;
}

static void register_odd_belief(void) {
    static posse_belief_ops odd;
    if (posse_kind_find(POSSE_FAMILY_BELIEF, "odd") >= 0) return;
    wrapped_belief = built_in(POSSE_FAMILY_BELIEF, "gaussian");
    odd = *wrapped_belief;
    odd.kind.name = "odd";
    odd.evidence = failing_evidence;
    odd.shape = odd_shape;
    assert_int_equal(posse_belief_register(&odd), POSSE_OK);
}

/* A mixture stays valid, so that the posse can be saved and loaded, and the reward is learned by the components. */
LAW(mixtures_survive_evidence_that_is_no_number) {
    register_odd_belief();
    static const double odd_numbers[] = {NAN, INFINITY, -INFINITY}, weights[] = {1.0, 1.0};
    static const posse_part components[] = {{.kind = "odd"}, {.kind = "gaussian", .options = {NUMBER("sd", 3)}}};
    static const posse_part learner_ = {.kind = "ucb"};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.prior = (posse_part){.kind = "mixture",
                             .options = {{.key = "components", .part = components, .list = weights, .count = 2}}};
    def.learners = &learner_;
    def.learner_count = 1;
    for (int i = 0; i < LENGTH(odd_numbers); i++) {
        posse *p = posse_made(&def);
        for (int round = 0; round < 12; round++) {
            posse_decision d = decided(p);
            odd_evidence = odd_numbers[i];
            calls_left = round == 4 ? 1 : -1;
            assert_int_equal(posse_learn(p, d.id, 0.5), POSSE_OK);
            double shares[2];
            assert_int_equal(posse_weights(p, shares), POSSE_OK);
            assert_true(fabs(shares[0] + shares[1] - 1.0) < 1e-12);
            if (i == 2 && round >= 4) assert_true(shares[0] == 0.0);
        }
        saved s = saved_from(p);
        posse_free(saved_loaded(&s));
        saved_drop(&s);
        posse_free(p);
    }
}

/* Worlds of another length than the arms would be read and written behind their end. */
LAW(shapes_that_do_not_fit_are_refused) {
    register_odd_belief();
    static const posse_part learner_ = {.kind = "thompson"};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.prior = (posse_part){.kind = "odd"};
    def.learners = &learner_;
    def.learner_count = 1;
    calls_left = -1;
    for (odd_dim = -5; odd_dim <= 2; odd_dim++) {
        notes log = {0};
        posse *p;
        def.host.log = notes_logger(&log);
        assert_int_equal(posse_create(&def, &p), odd_dim == 0 ? POSSE_OK : POSSE_ERROR_FIT);
        if (odd_dim != 0) assert_noted(&log, "coordinates, and 5 are needed here");
        posse_free(p);
    }
    odd_dim = 0;
}

/* ------------------------------------------- environments in contexts ------------------------------------------- */

static const posse_environment_ops *wrapped_environment;
static int round_fault;

static void failing_bring(const void *plan, void *instance, posse_draw *draw, posse_round *round) {
    static const int falling[] = {1, 0, 2}, beyond[] = {0, 1, 1000};
    static const double infinite[64] = {INFINITY};
    wrapped_environment->bring(plan, instance, draw, round);
    if (round_fault == 1) round->count = 0;
    if (round_fault == 2) round->arms = NULL;
    if (round_fault == 3) round->arms = falling, round->count = 3;
    if (round_fault == 4) round->arms = beyond, round->count = 3;
    if (round_fault == 5) round->width++;
    if (round_fault == 6) round->features = infinite;
    if (round_fault == 7) round->features = NULL;
    if (round_fault == 8) round->count = INT32_MAX;
}

static posse_arm_set featureless_arms(const void *plan) {
    (void)plan;
    return (posse_arm_set){.arms = 4};
}

/* Parts make room for rounds only where there are features. */
LAW(environments_with_rounds_have_features) {
    static posse_environment_ops odd;
    odd = *(const posse_environment_ops *)built_in(POSSE_FAMILY_ENVIRONMENT, "contextual");
    odd.kind.name = "featureless";
    odd.arms = featureless_arms;
    odd.shares = NULL;
    assert_int_equal(posse_environment_register(&odd), POSSE_OK);
    posse_part described = {.kind = "featureless", .options = {NUMBER("dim", 3), NUMBER("arms", 4)}};
    posse_environment *e;
    assert_int_equal(posse_environment_create(&described, 1, NULL, &e), POSSE_ERROR_FIT);
    assert_null(e);
}

LAW(wrong_rounds_of_environments_are_refused) {
    static posse_environment_ops odd;
    wrapped_environment = built_in(POSSE_FAMILY_ENVIRONMENT, "contextual");
    odd = *wrapped_environment;
    odd.kind.name = "odd-rounds";
    odd.bring = failing_bring;
    assert_int_equal(posse_environment_register(&odd), POSSE_OK);
    posse_part described = {.kind = "odd-rounds",
                            .options = {WORD("model", "joint"), NUMBER("dim", 3), NUMBER("arms", 4)}};
    posse_environment *e = environment_made(&described, 1);
    posse_part learner_ = {.kind = "linear-ucb"};
    posse *p = alone_made(e, &learner_);
    for (round_fault = 8; round_fault >= 0; round_fault--) {
        posse_context context;
        posse_error expected = round_fault > 0 ? POSSE_ERROR_CONTEXT : POSSE_OK;
        assert_int_equal(posse_play(p, e, 1, NULL), expected);
        assert_int_equal(posse_environment_round(e, &context), expected);
    }
    posse_free(p);
    posse_environment_free(e);
}

/* SPDX-License-Identifier: MIT */
/*
 * Tests of extension: kinds written against posse_extend.h alone. (The other headers are for the tests.)
 */
#include <math.h>
#include <string.h>

#include "menagerie.h"
#include "model/registry.h"
#include "object/object.h"
#include "stage.h"

/* --------------------------------------- ucb again, as anyone would write it ----------------------------------- */

enum { WIDTH, DELTA };

static const posse_param own_params[] = {
    {.name = "width", .type = POSSE_TYPE_REAL, .fallback = 1.0, .low = 0.0, .high = 1e50, .help = "c"},
    {.name = "delta", .type = POSSE_TYPE_REAL, .fallback = 0.05, .low = 1e-9, .high = 1.0, .help = "chance to fail"},
    {.name = NULL}};

typedef struct own_plan {
    int arms;
    double width, delta;
} own_plan;

static posse_error own_prepare(const posse_setup *setup, void **out) {
    if (posse_space_arms(setup->space) == 0) return posse_setup_refuse(setup, NULL, -1, "own-ucb needs separate arms");
    own_plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *p = (own_plan){posse_space_arms(setup->space), setup->settings[WIDTH].number, setup->settings[DELTA].number};
    *out = p;
    return POSSE_OK;
}

static size_t own_state_size(const void *plan) {
    return 2 * (size_t)((const own_plan *)plan)->arms * sizeof(double);
}

/* The formula itself, without caches. */
static int own_act(const void *plan, void *state, posse_draw *draw, double *point) {
    (void)draw, (void)point;
    const own_plan *p = plan;
    const double *count = state, *sum = count + p->arms;
    double all = 0.0, bound = -INFINITY;
    int best = 0;
    for (int a = 0; a < p->arms; a++) {
        if (count[a] == 0.0) return a;
        all += count[a];
    }
    double radius = p->width * sqrt(posse_log(2.0 * p->arms / p->delta * all));
    for (int a = 0; a < p->arms; a++) {
        double other = sum[a] / count[a] + radius * (1.0 / sqrt(count[a]));
        if (other > bound) best = a, bound = other;
    }
    return best;
}

static void own_learn(const void *plan, void *state, int arm, const double *point, double reward) {
    (void)point;
    double *count = state, *sum = count + ((const own_plan *)plan)->arms;
    count[arm] += 1.0;
    sum[arm] += reward;
}

static const posse_learner_ops own_ucb = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "own-ucb",
             .help = "ucb by hand",
             .params = own_params,
             .prepare = own_prepare,
             .state_size = own_state_size},
    .act = own_act,
    .learn = own_learn,
};

static const posse_kind *kind_called(posse_family family, const char *name) {
    const posse_kind *kind = registry_kind(family, posse_kind_find(family, name));
    assert_non_null(kind);
    return kind;
}

/* Each reward comes at once, because the formula does not include how ucb treats late rewards. */
static void assert_decide_alike(posse *p, posse *q) {
    uint32_t chance = 61;
    for (int round = 0; round < 3000; round++) {
        posse_decision d, e;
        chance = chance * 1664525u + 1013904223u;
        double reward = chance / 4294967296.0;
        assert_int_equal(stage_decide(p, &d), POSSE_OK);
        assert_int_equal(stage_decide(q, &e), POSSE_OK);
        assert_int_equal(d.learner, e.learner);
        assert_int_equal(d.arm, e.arm);
        assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
        assert_int_equal(posse_learn(q, e.id, reward), POSSE_OK);
    }
    posse_free(p);
    posse_free(q);
}

/* Under B-MS, beside a learner that draws, with and without shared data. */
LAW(own_learners_are_as_good_as_built_in_ones) {
    register_once(&own_ucb);
    for (int share = 0; share < 2; share++)
        for (int h = 0; h < HABITATS_WITHOUT_FEATURES; h++) { /* own_ucb has no contexts */
            if (habitats[h].arms == 0) continue;
            posse_part learners[] = {{.kind = "ucb", .name = "first", .options = {NUMBER("width", 0.7)}},
                                     {.kind = "thompson"},
                                     {.kind = "ucb", .name = "third", .options = {NUMBER("delta", 0.5)}}};
            posse_def def = habitat_def(&habitats[h]);
            def.selector = selector_part("bms", share, 1);
            def.learners = learners;
            def.learner_count = 3;
            posse *built_in = posse_made(&def);
            learners[0].kind = learners[2].kind = "own-ucb";
            assert_decide_alike(built_in, posse_made(&def));
        }
}

LAW(own_learners_are_saved_and_loaded) {
    register_once(&own_ucb);
    posse_part learners[] = {{.kind = "own-ucb"}, {.kind = "epsilon-greedy"}};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.learners = learners;
    def.learner_count = 2;
    parade r;
    parade_begin(&r, &habitats[ARMS_5], posse_made(&def), 62);
    parade_march(&r, 100);
    parade_join(&r);
    parade_march(&r, 500);
    parade_leave(&r);
}

/* A program in which the kind is not registered cannot load the posse, and logs why. */
LAW(saved_learners_must_be_registered) {
    register_once(&own_ucb);
    posse_part learner = {.kind = "own-ucb", .name = "someone"};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.learners = &learner;
    def.learner_count = 1;
    posse *p = posse_made(&def);
    saved s = saved_from(p);
    posse_free(p);
    for (size_t i = 0; i + 7 < s.length; i++)
        if (memcmp(s.bytes + i, "own-ucb", 7) == 0) s.bytes[i] = 'O';
    saved_seal(&s);
    notes log = {0};
    posse_host host = {.log = notes_logger(&log)};
    assert_int_equal(posse_load(s.bytes, s.length, &host, &p), POSSE_ERROR_KIND);
    assert_null(p);
    assert_noted(&log, "there is no learner of kind \"Own-ucb\"; did you mean \"own-ucb\"?");
    saved_drop(&s);
}

LAW(own_options_are_checked_like_any) {
    register_once(&own_ucb);
    static const struct {
        posse_option option;
        const char *says;
    } wrong[] = {
        {NUMBER("width", -1.0), "learners[0].width: -1 is out of range; it must be at least 0 and at most 1e+50"},
        {NUMBER("delta", 0.0), "learners[0].delta: 0 is out of range"},
        {NUMBER("detla", 0.1), "learners[0].detla: there is no such option; did you mean \"delta\"?"},
        {WORD("width", "wide"), "learners[0].width: it must be a number"},
    };
    for (int i = 0; i < LENGTH(wrong); i++) {
        notes log = {0};
        posse_part learner = {.kind = "own-ucb", .options = {wrong[i].option}};
        posse_def def = habitat_def(&habitats[ARMS_5]);
        def.host.log = notes_logger(&log);
        def.learners = &learner;
        def.learner_count = 1;
        posse *p;
        assert_int_equal(posse_create(&def, &p), POSSE_ERROR_OPTION);
        assert_noted(&log, wrong[i].says);
    }
}

LAW(own_learners_may_refuse_to_live_there) {
    register_once(&own_ucb);
    notes log = {0};
    posse_part learner = {.kind = "own-ucb"};
    posse_def def = habitat_def(&habitats[BALL_3]);
    def.host.log = notes_logger(&log);
    def.learners = &learner;
    def.learner_count = 1;
    posse *p;
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    assert_noted(&log, "learners[0]: own-ucb needs separate arms");
}

LAW(registered_kinds_are_listed) {
    register_once(&own_ucb);
    bool found = false;
    for (int k = 0; k < posse_kind_count(POSSE_FAMILY_LEARNER); k++) {
        if (strcmp(posse_kind_name(POSSE_FAMILY_LEARNER, k), "own-ucb") != 0) continue;
        found = true;
        assert_string_equal(posse_kind_help(POSSE_FAMILY_LEARNER, k), "ucb by hand");
        assert_true(posse_kind_params(POSSE_FAMILY_LEARNER, k) == own_params);
    }
    assert_true(found);
}

/* ------------------------------------------------ bad tables --------------------------------------------------- */

/* `count` parameters, "p00", "p01", ..; valid until the next call. */
static const posse_param *many_params(int count) {
    static char names[POSSE_OPTIONS_MAX + 2][8];
    static posse_param many[POSSE_OPTIONS_MAX + 2];
    for (int i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "p%02d", i);
        many[i] = (posse_param){.name = names[i], .high = 1.0, .help = "one of many"};
    }
    many[count] = (posse_param){.name = NULL};
    return many;
}

LAW(bad_tables_are_refused) {
    register_once(&own_ucb);
    int count = posse_kind_count(POSSE_FAMILY_LEARNER);
    posse_learner_ops bad;
#define BAD(change, error)                                                                                             \
    do {                                                                                                               \
        bad = own_ucb;                                                                                                 \
        bad.kind.name = "bad";                                                                                         \
        change;                                                                                                        \
        assert_int_equal(posse_learner_register(&bad), error);                                                         \
    } while (0)
    assert_int_equal(posse_learner_register(&own_ucb), POSSE_ERROR_NAME);
    BAD(bad.kind.name = "ucb", POSSE_ERROR_NAME);
    BAD(bad.kind.version = POSSE_EXTENSION_VERSION + 1, POSSE_ERROR_VERSION);
    BAD(bad.kind.version = 0, POSSE_ERROR_VERSION);
    BAD(bad.kind.name = NULL, POSSE_ERROR_ARGUMENT);
    BAD(bad.kind.prepare = NULL, POSSE_ERROR_ARGUMENT);
    BAD(bad.kind.state_size = NULL, POSSE_ERROR_ARGUMENT);
    BAD(bad.learn = NULL, POSSE_ERROR_ARGUMENT);
    BAD(bad.kind.params = many_params(POSSE_OPTIONS_MAX + 1), POSSE_ERROR_OPTION);
#undef BAD
    assert_int_equal(posse_kind_count(POSSE_FAMILY_LEARNER), count);
}

/* Every required function of a family must be given, and a range if rewards are clipped to one. */
LAW(tables_of_every_family_are_checked) {
    menagerie_add_examples();
    posse_belief_ops belief = *OPS_OF(posse_belief_ops, kind_called(POSSE_FAMILY_BELIEF, "unknown-noise"));
    posse_selector_ops selector = *OPS_OF(posse_selector_ops, kind_called(POSSE_FAMILY_SELECTOR, "softmax"));
    posse_environment_ops environment =
        *OPS_OF(posse_environment_ops, kind_called(POSSE_FAMILY_ENVIRONMENT, "drifting-coins"));
    belief.kind.name = selector.kind.name = environment.kind.name = "bad";
#define WITHOUT(ops, member)                                                                                           \
    do {                                                                                                               \
        posse_##ops##_ops bad = ops;                                                                                   \
        bad.member = 0;                                                                                                \
        assert_that(posse_##ops##_register(&bad) != POSSE_OK, "registered without " #member);                          \
    } while (0)
    WITHOUT(belief, kind.version);
    WITHOUT(belief, kind.prepare);
    WITHOUT(belief, shape);
    WITHOUT(belief, update);
    WITHOUT(belief, draw);
    WITHOUT(belief, add_mean);
    WITHOUT(belief, evidence);
    WITHOUT(selector, kind.state_size);
    WITHOUT(selector, admit);
    WITHOUT(selector, retire);
    WITHOUT(selector, choose);
    WITHOUT(selector, played);
    WITHOUT(selector, learn);
    WITHOUT(selector, adopt);
    WITHOUT(environment, kind.name);
    WITHOUT(environment, arms);
    WITHOUT(environment, prior);
    WITHOUT(environment, begin);
    WITHOUT(environment, reward);
    WITHOUT(environment, regret);
    WITHOUT(environment, means);
#undef WITHOUT
    belief.variants = 2;
    assert_int_equal(posse_belief_register(&belief), POSSE_ERROR_ARGUMENT);
    selector.clipped = OPS_OF(posse_selector_ops, kind_called(POSSE_FAMILY_SELECTOR, "corral"))->clipped;
    assert_int_equal(posse_selector_register(&selector), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_belief_register(NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_selector_register(NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_environment_register(NULL), POSSE_ERROR_ARGUMENT);
}

/* A table of version 2 ends before `bring`, so that what follows it in memory is not read. */
LAW(environments_of_version_2_end_where_they_did) {
    menagerie_add_examples();
    static posse_environment_ops table;
    size_t end = offsetof(posse_environment_ops, bring);
    table = *OPS_OF(posse_environment_ops, kind_called(POSSE_FAMILY_ENVIRONMENT, "drifting-coins"));
    table.kind.version = 2;
    table.kind.name = "coins-of-version-2";
    memset((char *)&table + end, 0, sizeof table - end);
    memset((char *)&table + offsetof(posse_environment_ops, logbook), 0x5a, sizeof table.logbook);
    assert_int_equal(posse_environment_register(&table), POSSE_OK);
    int index = posse_kind_find(POSSE_FAMILY_ENVIRONMENT, "coins-of-version-2");
    assert_false(posse_kind_traits(POSSE_FAMILY_ENVIRONMENT, index) & POSSE_TRAIT_LOGGED);
}

/* A table of version 3 ends before `episode`. */
LAW(environments_of_version_3_end_where_they_did) {
    menagerie_add_examples();
    static posse_environment_ops table;
    table = *OPS_OF(posse_environment_ops, kind_called(POSSE_FAMILY_ENVIRONMENT, "drifting-coins"));
    table.kind.version = 3;
    table.kind.name = "coins-of-version-3";
    memset((char *)&table + offsetof(posse_environment_ops, episode), 0x5a, sizeof table.episode);
    assert_int_equal(posse_environment_register(&table), POSSE_OK);
    posse_environment *e =
        environment_made(&(posse_part){.kind = "coins-of-version-3", .options = {NUMBER("arms", 4)}}, 1);
    assert_false(posse_environment_def(e).episodes);
    posse_environment_free(e);
}

/* A belief's table of version 3 ends before `reward_kind`, whose bytes are not looked at; version 4 has it. */
LAW(beliefs_of_version_3_end_where_they_did) {
    menagerie_add_examples();
    static posse_belief_ops table;
    table = *OPS_OF(posse_belief_ops, kind_called(POSSE_FAMILY_BELIEF, "unknown-noise"));
    table.reward_kind = POSSE_REWARDS_CLICKS;
    table.kind.name = "noise-of-version-4";
    assert_int_equal(posse_belief_register(&table), POSSE_OK);
    table.kind.version = 3;
    table.kind.name = "noise-of-version-3";
    memset(&table.reward_kind, 0x5a, sizeof table.reward_kind);
    assert_int_equal(posse_belief_register(&table), POSSE_OK);
    table.kind.version = POSSE_EXTENSION_VERSION;
    table.kind.name = "noise-about-nothing";
    assert_int_equal(posse_belief_register(&table), POSSE_ERROR_ARGUMENT);
    const posse_part of_4 = {.kind = "noise-of-version-4"}, of_3 = {.kind = "noise-of-version-3"};
    assert_int_equal(posse_reward_kind_of(POSSE_FAMILY_BELIEF, &of_4), POSSE_REWARDS_CLICKS);
    assert_int_equal(posse_reward_kind_of(POSSE_FAMILY_BELIEF, &of_3), POSSE_REWARDS_NUMBERS);
}

static const posse_belief_ops *even;
static size_t swollen;

static size_t swelling_state_size(const void *plan) {
    return even->kind.state_size(plan) + swollen;
}

/* The state of a belief whose size is another one for more learners cannot be kept. */
LAW(beliefs_that_do_not_stay_the_same_are_refused) {
    menagerie_add_examples();
    static posse_belief_ops table;
    even = OPS_OF(posse_belief_ops, kind_called(POSSE_FAMILY_BELIEF, "unknown-noise"));
    table = *even;
    table.kind.name = "swelling-noise";
    table.kind.state_size = swelling_state_size;
    assert_int_equal(posse_belief_register(&table), POSSE_OK);
    const posse_part ucb = {.kind = "ucb"};
    posse_def def = posse_default_def();
    def.arms = 3;
    def.prior = (posse_part){.kind = "swelling-noise"};
    def.selector = (posse_part){.kind = "bms"};
    def.learners = &ucb;
    def.learner_count = 1;
    posse *p = posse_made(&def);
    posse_decision d;
    posse_error error = POSSE_OK;
    for (swollen = 16; error == POSSE_OK && posse_learner_count(p) < 100;) error = posse_learner_add(p, &ucb, NULL);
    assert_int_equal(error, POSSE_ERROR_FIT);
    int count = posse_learner_count(p);
    assert_int_equal(posse_decide(p, NULL, &d), POSSE_OK);
    swollen = 0;
    assert_int_equal(posse_learner_add(p, &ucb, NULL), POSSE_OK);
    assert_int_equal(posse_learner_count(p), count + 1);
    assert_int_equal(posse_decide(p, NULL, &d), POSSE_OK);
    posse_free(p);
}

/* Tables of version 3 of learners end before `same_model`, and those of selectors before `learn_by`. */
LAW(learners_and_selectors_of_version_3_end_where_they_did) {
    menagerie_add_examples();
    static posse_learner_ops learner;
    static posse_selector_ops selector;
    size_t end = offsetof(posse_learner_ops, same_model), selector_end = offsetof(posse_selector_ops, learn_by);
    learner = *OPS_OF(posse_learner_ops, kind_called(POSSE_FAMILY_LEARNER, "fixed"));
    selector = *OPS_OF(posse_selector_ops, kind_called(POSSE_FAMILY_SELECTOR, "uniform"));
    learner.kind.version = selector.kind.version = 3;
    learner.kind.name = selector.kind.name = "of-version-3";
    memset((char *)&learner + end, 0x5a, sizeof learner - end);
    memset((char *)&selector + selector_end, 0x5a, sizeof selector - selector_end);
    assert_int_equal(posse_learner_register(&learner), POSSE_OK);
    assert_int_equal(posse_selector_register(&selector), POSSE_OK);
    const posse_learner_ops *l = OPS_OF(posse_learner_ops, kind_called(POSSE_FAMILY_LEARNER, "of-version-3"));
    const posse_selector_ops *s = OPS_OF(posse_selector_ops, kind_called(POSSE_FAMILY_SELECTOR, "of-version-3"));
    assert_true(l->same_model == NULL && l->act_by == NULL && l->as_belief == NULL);
    assert_true(l->act == learner.act && s->choose == selector.choose && s->learn_by == NULL);
}

static int first_in(const void *plan, void *state, posse_draw *draw, const posse_round *round) {
    (void)plan, (void)state, (void)draw, (void)round;
    return 0;
}

/* A learner with act_in and without act plays rounds with features, and is refused where there are none. */
LAW(learners_that_act_in_rounds_alone_need_features) {
    static posse_learner_ops only_in;
    only_in = *OPS_OF(posse_learner_ops, kind_called(POSSE_FAMILY_LEARNER, "fixed"));
    only_in.kind.name = "only-in";
    only_in.act = NULL;
    only_in.act_in = first_in;
    assert_int_equal(posse_learner_register(&only_in), POSSE_OK);
    posse_part learner = {.kind = "only-in", .options = {NUMBER("arm", 1)}};
    notes log = {0};
    posse *p;
    for (int h = 0; h < HABITATS; h++) {
        posse_def def = habitat_def(&habitats[h]);
        def.learners = &learner;
        def.learner_count = 1;
        def.host.log = notes_logger(&log);
        if (habitats[h].arms == 0) continue; /* `fixed` refuses it before */
        posse_error error = posse_create(&def, &p);
        assert_int_equal(error, h >= HABITATS_WITHOUT_FEATURES ? POSSE_OK : POSSE_ERROR_FIT);
        if (error != POSSE_OK) assert_noted(&log, "only-in picks arms only in rounds with features");
        posse_decision d;
        if (error == POSSE_OK) assert_int_equal(stage_decide(p, &d), POSSE_OK);
        posse_free(p);
    }
}

/* Whether learners of this selector share data. */
static bool shares(posse_part selector) {
    posse *p = fixed_team(selector, 2);
    bool share = p->share;
    posse_free(p);
    return share;
}

/* A kind may change the default of an option of its family, but nothing else of that option. */
LAW(defaults_of_a_family_can_be_others) {
    menagerie_add_examples();
    static const posse_param share = {
        .name = "share", .type = POSSE_TYPE_FLAG, .fallback = 1.0, .high = 1.0, .help = "all learn from all"};
    static const posse_param floor_ = {.name = "floor",
                                       .type = POSSE_TYPE_REAL,
                                       .flags = POSSE_PARAM_BELOW,
                                       .fallback = 0.1,
                                       .high = 1.0,
                                       .help = "evenly"};
    static posse_param params[] = {{.name = NULL}, {.name = NULL}, {.name = NULL}};
    static posse_selector_ops sharing;
    sharing = *OPS_OF(posse_selector_ops, kind_called(POSSE_FAMILY_SELECTOR, "greedy"));
    sharing.kind.name = "sharing";
    sharing.kind.params = params;
    params[0] = share;
    params[1] = floor_;
    params[1].high = 2.0;
    assert_int_equal(posse_selector_register(&sharing), POSSE_ERROR_ARGUMENT);
    params[1] = floor_;
    params[1].flags = 0;
    assert_int_equal(posse_selector_register(&sharing), POSSE_ERROR_ARGUMENT);
    params[1] = floor_;
    params[1].type = POSSE_TYPE_COUNT;
    assert_int_equal(posse_selector_register(&sharing), POSSE_ERROR_ARGUMENT);
    params[1] = floor_;
    params[1].words = "none";
    assert_int_equal(posse_selector_register(&sharing), POSSE_ERROR_ARGUMENT);
    params[1].name = NULL;
    assert_int_equal(posse_selector_register(&sharing), POSSE_OK);
    int index = posse_kind_find(POSSE_FAMILY_SELECTOR, "sharing");
    assert_true(posse_kind_param(POSSE_FAMILY_SELECTOR, index, "share") == &params[0]);
    assert_string_equal(posse_kind_param(POSSE_FAMILY_SELECTOR, index, "batch")->name, "batch");
    assert_null(posse_kind_param(POSSE_FAMILY_SELECTOR, index, "width"));
    assert_null(posse_kind_param(POSSE_FAMILY_SELECTOR, index, NULL));
    assert_true(shares((posse_part){.kind = "sharing"}));
    assert_false(shares((posse_part){.kind = "sharing", .options = {NUMBER("share", 0)}}));
    assert_false(shares((posse_part){.kind = "greedy"}));
}

static int named_arm;

static int named_probe(const void *plan, void *state, int learner, posse_draw *draw) {
    (void)plan, (void)state, (void)learner, (void)draw;
    return named_arm;
}

/* A registered selector may name an arm itself, if there are arms. If it names none, the learner is asked. */
LAW(selectors_of_ones_own_can_name_an_arm) {
    menagerie_add_examples();
    static posse_selector_ops prober;
    prober = *OPS_OF(posse_selector_ops, kind_called(POSSE_FAMILY_SELECTOR, "softmax"));
    prober.kind.name = "prober";
    prober.probe = named_probe;
    assert_int_equal(posse_selector_register(&prober), POSSE_OK);
    static const posse_part separate = {.kind = "fixed", .options = {NUMBER("arm", 3)}}, any = {.kind = "thompson"};
    for (int ball = 0; ball < 2; ball++) {
        posse_def def = habitat_def(&habitats[ball ? BALL_3 : ARMS_5]);
        def.selector = (posse_part){.kind = "prober"};
        def.learners = ball ? &any : &separate;
        def.learner_count = 1;
        posse *p = posse_made(&def);
        for (named_arm = -1; named_arm < 8; named_arm++) {
            posse_decision d;
            bool exists = named_arm < (ball ? 0 : 5);
            assert_int_equal(stage_decide(p, &d), exists ? POSSE_OK : POSSE_ERROR_ARM);
            if (!exists) continue;
            assert_int_equal(d.probe, named_arm >= 0);
            assert_int_equal(d.arm, named_arm >= 0 ? named_arm : ball ? -1 : 3);
            assert_int_equal(posse_learn(p, d.id, 0.5), POSSE_OK);
        }
        posse_free(p);
    }
}

static int named_learner;

static int named_choose(const void *plan, void *state, posse_draw *draw, posse_draw *ties, double *probability) {
    (void)plan, (void)state;
    posse_draw_uniform(draw);
    posse_draw_uniform(ties);
    *probability = 0.25;
    return named_learner;
}

/* A selector that names no active learner makes no decision and leaves no trace: the next round asks it again. */
LAW(learners_that_there_are_not_are_refused) {
    menagerie_add_examples();
    static posse_selector_ops chooser_;
    chooser_ = *OPS_OF(posse_selector_ops, kind_called(POSSE_FAMILY_SELECTOR, "softmax"));
    chooser_.kind.name = "chooser";
    chooser_.choose = named_choose;
    assert_int_equal(posse_selector_register(&chooser_), POSSE_OK);
    static const int wrong[] = {-1, 1, 3, INT32_MAX, INT32_MIN};
    posse *p = fixed_team((posse_part){.kind = "chooser", .options = {NUMBER("batch", 2)}}, 3);
    assert_int_equal(posse_learner_retire(p, 1), POSSE_OK);
    posse_decision d;
    for (int i = 0; i < LENGTH(wrong); i++) {
        named_learner = wrong[i];
        assert_refused(p, posse_decide(p, NULL, &d), POSSE_ERROR_LEARNER);
        saved s = saved_from(p);
        posse_free(saved_loaded(&s));
        saved_drop(&s);
        for (named_learner = 2; named_learner >= 0; named_learner -= 2)
            for (int round = 0; round < 2; round++) {
                assert_int_equal(posse_decide(p, NULL, &d), POSSE_OK);
                assert_int_equal(d.learner, named_learner);
            }
    }
    posse_free(p);
}

/* The options of the family, such as `share` and `batch`, take some of the places for options. A kind with too many
 * is refused, so that no option is dropped silently. */
LAW(options_of_the_family_count_too) {
    menagerie_add_examples();
    posse_selector_ops many = *OPS_OF(posse_selector_ops, kind_called(POSSE_FAMILY_SELECTOR, "softmax"));
    many.kind.name = "many";
    many.kind.params = many_params(POSSE_OPTIONS_MAX - 1);
    assert_int_equal(posse_selector_register(&many), POSSE_ERROR_OPTION);
    for (int f = 0; f < POSSE_FAMILY_COUNT; f++)
        for (int k = 0; k < posse_kind_count((posse_family)f); k++)
            assert_int_equal(registry_check((posse_family)f, registry_kind((posse_family)f, k)), POSSE_OK);
}

/* A part with all of its options given is checked like any other: each wrong option is reported at its place. */
LAW(parts_with_all_options_given_are_checked) {
    static posse_learner_ops full;
    full = own_ucb;
    full.kind.name = "full";
    full.kind.params = many_params(POSSE_OPTIONS_MAX);
    register_once(&full);
    posse_part part_ = {.kind = "full"};
    notes log = {0};
    posse_logger logger = notes_logger(&log);
    for (int i = 0; i < POSSE_OPTIONS_MAX; i++)
        part_.options[i] = (posse_option){.key = full.kind.params[i].name, .number = i == 9 ? 2.0 : 0.5};
    assert_int_equal(posse_part_check(POSSE_FAMILY_LEARNER, &part_, &logger), POSSE_ERROR_OPTION);
    assert_string_equal(log.text, "p09: 2 is out of range; it must be at least 0 and at most 1\n");
}

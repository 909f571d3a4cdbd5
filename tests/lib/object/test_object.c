/* SPDX-License-Identifier: MIT */
/*
 * Tests of the object as an application sees it: what can be read, what it is created from, and what the functions of
 * posse.h do with defaults, null arguments and errors.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "menagerie.h"
#include "numeric/kernels.h"

/* ----------------------------------------------- looking inside ------------------------------------------------ */

LAW(plays_count_the_decisions) {
    posse *p = habitat_posse(&habitats[ARMS_5], selector_part("bms", false, 1));
    uint64_t counted[TEAM_MAX] = {0}, plays[TEAM_MAX];
    for (int n = 0; n < 500; n++) {
        posse_decision d = decided(p);
        counted[d.learner]++;
        if (n % 3 > 0) assert_int_equal(posse_learn(p, d.id, 0.1 * d.arm), POSSE_OK);
    }
    assert_int_equal(posse_plays(p, plays), POSSE_OK);
    assert_memory_equal(plays, counted, (size_t)posse_learner_count(p) * sizeof *plays);
    posse_free(p);
}

/* N(0, 1) arms and noise 1: the posterior mean is sum / (n + 1). */
LAW(means_are_those_of_the_rewards) {
    posse *p = habitat_posse(&habitats[ARMS_5], selector_part("bms", false, 1));
    double sum[5] = {0}, count[5] = {0}, means[5];
    for (int n = 0; n < 500; n++) {
        posse_decision d = decided(p);
        double reward = parade_reward(false, &d);
        assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
        sum[d.arm] += reward;
        count[d.arm] += 1.0;
    }
    assert_int_equal(posse_means(p, NULL, means), POSSE_OK);
    for (int a = 0; a < 5; a++) assert_close(means[a], sum[a] / (count[a] + 1.0), 1e-13);
    posse_free(p);
}

/* With a linear belief, posse_means returns the values of the arms: theta, as read on the ball, times each point. */
LAW(means_of_points_are_linear) {
    const habitat *h = &habitats[POINTS_7];
    posse *p = habitat_posse(h, selector_part("bms", false, 1));
    ridge right;
    ridge_start(&right, 3, 1.0);
    for (int n = 0; n < 200; n++) {
        posse_decision d = decided(p);
        double reward = parade_reward(false, &d);
        ridge_learn(&right, h->points + 3 * d.arm, reward, 1.0);
        assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
    }
    double means[7];
    long double theta[SOLVE_MAX];
    ridge_mean(&right, theta);
    assert_int_equal(posse_means(p, NULL, means), POSSE_OK);
    for (int a = 0; a < 7; a++) {
        const double *x = h->points + 3 * a;
        assert_close(means[a], (double)(theta[0] * x[0] + theta[1] * x[1] + theta[2] * x[2]), 1e-12);
    }
    posse_free(p);
}

/* With a single hypothesis every world is the same, and potentials are plays times gaps. They are exact, because the
 * gaps are quarters. */
LAW(potentials_are_the_regret_in_the_world) {
    static const double world[] = {0.25, 1.0, 0.5, -0.75, 0.0};
    static const posse_part known = {.kind = "hypotheses", .options = {LIST("table", world)}};
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(&habitats[ARMS_5], (posse_part){.kind = "bms"}, crew);
    def.selector.options[0] = (posse_option){.key = "belief", .part = &known};
    posse *p = posse_made(&def);
    int count = posse_learner_count(p);
    double owed[TEAM_MAX] = {0}, potentials[TEAM_MAX];
    for (int n = 0; n < 300; n++) {
        posse_decision d = decided(p);
        assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
        for (int i = 0; i < count && n >= count; i++) {
            assert_true(potentials[i] == owed[i]);
            assert_true(potentials[i] >= potentials[d.learner]);
        }
        owed[d.learner] += 1.0 - world[d.arm];
        assert_int_equal(posse_learn(p, d.id, parade_reward(false, &d)), POSSE_OK);
    }
    assert_int_equal(posse_learner_retire(p, 1), POSSE_OK);
    assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
    assert_true(potentials[1] == INFINITY);
    posse_free(p);
}

/* The probability of a choice is one over the number of learners tied for the least potential. */
LAW(probability_is_that_of_the_tie) {
    posse *p = habitat_posse(&habitats[ARMS_5], selector_part("bms", false, 1));
    int count = posse_learner_count(p), ties = 0;
    double potentials[TEAM_MAX];
    for (int n = 0; n < 1000; n++) {
        posse_decision d = decided(p);
        assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
        int tied = 0;
        for (int i = 0; i < count; i++) tied += potentials[i] == potentials[d.learner];
        assert_true(n < count ? d.probability == 1.0 : d.probability == 1.0 / tied);
        ties += n >= count && tied > 1;
        assert_true(pending_find(&p->pending, p->decisions)->probability ==
                    d.probability); /* the probability that selectors learn from */
        assert_int_equal(posse_learn(p, d.id, parade_reward(false, &d)), POSSE_OK);
    }
    assert_true(ties > 0);
    posse_free(p);
}

/* -------------------------------------------- defaults, nulls, errors ------------------------------------------ */

/* A field that is not set would keep the sentinel. Only fields are compared, because padding may keep it. */
LAW(defaults_are_all_set) {
    posse_def def;
    memset(&def, 0xA5, sizeof def);
    def = posse_default_def();
    assert_true(def.cookie != 0 && def.cookie != UINT64_C(0xA5A5A5A5A5A5A5A5));
    assert_true(def.arms == 0 && def.dim == 0 && def.points == NULL);
    assert_true(def.learners == NULL && def.learner_count == 0);
    assert_true(def.seed == 1 && def.run == 0 && def.rounds == 0);
    assert_true(def.host.allocator.resize == NULL && def.host.allocator.context == NULL);
    assert_true(def.host.log.write == NULL && def.host.log.context == NULL);
    assert_null(def.prior.kind);
    assert_string_equal(def.selector.kind, POSSE_RECOMMENDED);
    const posse_part *parts[] = {&def.prior, &def.selector};
    for (int i = 0; i < 2; i++) {
        assert_null(parts[i]->name);
        for (int k = 0; k < POSSE_OPTIONS_MAX; k++) {
            const posse_option *o = &parts[i]->options[k];
            assert_true(o->key == NULL && o->number == 0.0 && o->word == NULL);
            assert_true(o->list == NULL && o->part == NULL && o->count == 0);
        }
    }
}

/* The message about a definition of an arm and a learner with this cookie. Its log may be read only if `trusted`. */
static const char *message_about(uint64_t cookie, bool trusted) {
    static notes log;
    log = (notes){0};
    posse_part learner = {.kind = "ucb"};
    posse_def def = {.cookie = cookie, .arms = 2, .learners = &learner, .learner_count = 1};
    def.prior.kind = "beta";
    if (trusted)
        def.host.log = notes_logger(&log);
    else
        memset(&def.host, 0xA5, sizeof def.host);
    posse *p = NULL;
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_ARGUMENT);
    assert_null(p);
    return log.text;
}

LAW(definitions_start_from_the_default) {
    const uint64_t right = posse_default_def().cookie;
    assert_string_equal(message_about(0, true), "the definition has no defaults: start from posse_default_def()\n");
    assert_non_null(
        strstr(message_about(right + 8, true), "bytes in this library, version 0.3")); /* of another version's size */
    assert_string_equal(message_about(UINT64_C(0x200000005), false), ""); /* 5 arms, 2 dimensions, as 0.2 has them */
    assert_string_equal(message_about(UINT64_C(0xA5A5A5A5A5A5A5A5), false), ""); /* uninitialised */
    assert_non_null(strstr(posse_error_text(POSSE_ERROR_ARGUMENT), "posse_default_def()"));
}

/* A list of learners that is longer than what was filled in. */
LAW(parts_of_zeros_are_refused_at_their_place) {
    notes log = {0};
    posse_part learners[2] = {{.kind = "ucb"}};
    posse_def def = posse_default_def();
    def.arms = 2;
    def.prior.kind = "beta";
    def.learners = learners;
    def.learner_count = 2;
    def.host.log = notes_logger(&log);
    posse *p;
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_KIND);
    assert_non_null(strstr(log.text, "learners[1].kind: is missing"));
}

LAW(null_arguments_are_harmless) {
    posse *p = two_ucbs(selector_part("bms", false, 1)), *out = p;
    posse_decision d;
    posse_def def = posse_default_def();
    posse_part some = {.kind = "ucb"};
    size_t length = 0;
    double numbers[8];
    uint64_t plays[8];
    assert_int_equal(posse_create(NULL, &out), POSSE_ERROR_ARGUMENT);
    assert_null(out);
    assert_int_equal(posse_create(&def, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_decide(NULL, NULL, &d), POSSE_ERROR_ARGUMENT);
    assert_refused(p, posse_decide(p, NULL, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_learn(NULL, 1, 0.0), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_forget(NULL, 1), POSSE_ERROR_ARGUMENT);
    posse_free(NULL);
    assert_int_equal(posse_save(NULL, numbers, &length), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_save(p, numbers, NULL), POSSE_ERROR_ARGUMENT);
    out = p;
    assert_int_equal(posse_load(NULL, 10, NULL, &out), POSSE_ERROR_ARGUMENT);
    assert_null(out);
    assert_int_equal(posse_load(numbers, sizeof numbers, NULL, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_learner_add(NULL, &some, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_learner_retire(NULL, 0), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_learner_count(NULL), 0);
    assert_null(posse_learner_name(NULL, 0));
    assert_null(posse_learner_name(p, 2));
    assert_null(posse_learner_name(p, -1));
    assert_false(posse_learner_active(NULL, 0));
    assert_false(posse_learner_active(p, 2));
    assert_int_equal(posse_arm_count(NULL), 0);
    assert_int_equal(posse_dim(NULL), 0);
    assert_int_equal(posse_pending_count(NULL), 0);
    assert_int_equal(posse_plays(NULL, plays), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_plays(p, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_potentials(NULL, numbers), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_potentials(p, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_means(NULL, NULL, numbers), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_means(p, NULL, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_learner_register(NULL), POSSE_ERROR_ARGUMENT);
    posse_free(p);
}

LAW(null_environments_are_harmless) {
    posse_environment *e = (posse_environment *)&e;
    posse_part some = {.kind = "gaussian", .options = {NUMBER("arms", 2)}};
    assert_int_equal(posse_environment_create(NULL, 1, NULL, &e), POSSE_ERROR_ARGUMENT);
    assert_null(e);
    assert_int_equal(posse_environment_create(&some, 1, NULL, NULL), POSSE_ERROR_ARGUMENT);
    posse_environment_free(NULL);
    posse_environment_begin(NULL, 1);
    posse_decision d = {.arm = 0};
    double means[2];
    assert_int_equal(posse_environment_def(NULL).arms, 0);
    assert_false(fabs(posse_environment_reward(NULL, &d)) > 0.0); /* 0, or not a number */
    assert_false(fabs(posse_environment_regret(NULL, &d)) > 0.0);
    posse_environment_means(NULL, means);
}

LAW(families_and_kinds_end) {
    static const posse_family none[] = {(posse_family)-1, (posse_family)POSSE_FAMILY_COUNT};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(posse_kind_count(none[i]), 0);
        assert_null(posse_kind_name(none[i], 0));
        assert_null(posse_family_name(none[i]));
        assert_null(posse_family_params(none[i]));
        assert_null(posse_kind_param(none[i], 0, "share"));
    }
    for (int f = 0; f < POSSE_FAMILY_COUNT; f++) {
        posse_family family = (posse_family)f;
        int ends[] = {-1, posse_kind_count(family)};
        for (int i = 0; i < 2; i++) {
            assert_null(posse_kind_name(family, ends[i]));
            assert_null(posse_kind_help(family, ends[i]));
            assert_null(posse_kind_params(family, ends[i]));
            assert_null(posse_kind_param(family, ends[i], "share"));
        }
    }
}

LAW(errors_are_pinned) {
    static const char *const names[] = {"POSSE_OK",
                                        "POSSE_ERROR_ARGUMENT",
                                        "POSSE_ERROR_KIND",
                                        "POSSE_ERROR_OPTION",
                                        "POSSE_ERROR_FIT",
                                        "POSSE_ERROR_MEMORY",
                                        "POSSE_ERROR_REWARD",
                                        "POSSE_ERROR_UNKNOWN",
                                        "POSSE_ERROR_SETTLED",
                                        "POSSE_ERROR_LEARNER",
                                        "POSSE_ERROR_NAME",
                                        "POSSE_ERROR_BUFFER",
                                        "POSSE_ERROR_DAMAGED",
                                        "POSSE_ERROR_VERSION",
                                        "POSSE_ERROR_ABSENT",
                                        "POSSE_ERROR_FULL",
                                        "POSSE_ERROR_ARM",
                                        "POSSE_ERROR_UNTOLD"};
    for (int i = 0; i < LENGTH(names); i++) {
        assert_string_equal(posse_error_name((posse_error)i), names[i]);
        const char *text = posse_error_text((posse_error)i);
        assert_true(strlen(text) > 0);
        for (int k = 0; k < i; k++) assert_string_not_equal(text, posse_error_text((posse_error)k));
    }
    static const int unknown[] = {-1, LENGTH(names), 1000000};
    for (int i = 0; i < LENGTH(unknown); i++) {
        assert_non_null(posse_error_name((posse_error)unknown[i]));
        assert_non_null(posse_error_text((posse_error)unknown[i]));
    }
}

LAW(the_version_is_the_headers) {
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", POSSE_VERSION_MAJOR, POSSE_VERSION_MINOR, POSSE_VERSION_PATCH);
    assert_string_equal(posse_version(), text);
}

/* If POSSE_ISA names kernels that do not exist or cannot run, the library fails and does not silently use others. */
LAW(wishes_for_kernels_are_met_or_refused) {
    notes log = {0};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    posse_part learner = {.kind = "ucb"};
    posse *p = NULL;
    def.learners = &learner;
    def.learner_count = 1;
    def.host.log = notes_logger(&log);
    assert_non_null(posse_kernels());
    assert_int_equal(setenv("POSSE_ISA", "sse9", 1), 0);
    assert_non_null(posse_kernels()); /* it is read before the first use alone */
    assert_int_equal(posse_create(&def, &p), POSSE_OK);
    posse_free(p);
    kernels_forget();
    assert_null(posse_kernels());
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    assert_null(p);
    assert_noted(&log, "POSSE_ISA: \"sse9\" is not an instruction set that this processor can run");
    assert_int_equal(unsetenv("POSSE_ISA"), 0);
    assert_null(posse_kernels());
    kernels_forget();
    assert_int_equal(posse_create(&def, &p), POSSE_OK);
    posse_free(p);
}

static void tells_its_arms(const habitat *h, posse_part selector) {
    posse_def def = habitat_def(h);
    posse *p = habitat_posse(h, selector);
    assert_int_equal(posse_arm_count(p), def.arms);
    assert_int_equal(posse_dim(p), def.dim);
    posse_free(p);
}

LAW(a_posse_tells_its_arms) {
    for_every_team(tells_its_arms);
}

/* Everything is copied: the definition of a posse may be overwritten at once. */
LAW(definitions_are_copied) {
    double points[21], weights[] = {1.0, 1.0};
    char kind[] = "linear-thompson", name[] = "mine", key[] = "width";
    memcpy(points, habitats[POINTS_7].points, sizeof points);
    posse_part parts[] = {{.kind = "linear"}, {.kind = "linear", .options = {NUMBER("noise", 0.5)}}};
    posse_part belief_ = {.kind = "mixture",
                          .options = {{.key = "components", .part = parts, .list = weights, .count = 2}}};
    posse_part learner = {.kind = kind, .name = name, .options = {{.key = key, .number = 0.5}}};
    posse_def def = habitat_def(&habitats[POINTS_7]);
    def.points = points;
    def.selector.options[0] = (posse_option){.key = "belief", .part = &belief_};
    def.learners = &learner;
    def.learner_count = 1;
    parade r;
    parade_begin(&r, &habitats[POINTS_7], posse_made(&def), 12);
    r.marchers[r.count++] = posse_made(&def);
    posse_free(r.marchers[--r.count]);
    parade_join(&r);
    memset(points, 0xff, sizeof points);
    memset(weights, 0xff, sizeof weights);
    memset(parts, 0xff, sizeof parts);
    memset(&belief_, 0xff, sizeof belief_);
    memset(&learner, 0xff, sizeof learner);
    memset(kind, 'x', sizeof kind - 1);
    memset(name, 'x', sizeof name - 1);
    memset(key, 'x', sizeof key - 1);
    memset(&def, 0xff, sizeof def);
    parade_march(&r, 100);
    assert_string_equal(posse_learner_name(r.marchers[0], 0), "mine");
    parade_leave(&r);
}

/* The definition of a posse, given to posse_create, makes a posse that decides as a new one. */
LAW(a_definition_creates_the_same_posse) {
    static const double points[] = {1, 0, 0.6, 0.8, 0, 1}, means[] = {0, 1, 2};
    posse_part learners[] = {{.kind = "ucb", .name = "bold", .options = {{"width", 0.3}}}, {.kind = "ucb"}};
    posse_part linear[] = {{.kind = "linear-ucb"}, {.kind = "linear-thompson"}};
    posse_def all[3];
    for (int i = 0; i < 3; i++) all[i] = posse_default_def();
    all[0].arms = 3;
    all[0].prior = (posse_part){.kind = "gaussian", .options = {{"mean", .list = means, .count = 3}}};
    all[0].learners = learners;
    all[0].expire_after = 7;
    all[0].expire_learns = true;
    all[0].expire_reward = 0.5;
    all[1].arms = 3;
    all[1].dim = 2;
    all[1].points = points;
    all[2].arms = 4;
    all[2].context = 2;
    all[2].propensity_draws = 9;
    all[2].seed = UINT64_MAX;
    for (int i = 0; i < 3; i++) {
        if (i > 0) all[i].prior = (posse_part){.kind = "linear"};
        if (i > 0) all[i].learners = linear;
        all[i].learner_count = 2;
        posse *one, *again;
        posse_def def;
        posse_part room[2];
        assert_int_equal(posse_create(&all[i], &one), POSSE_OK);
        assert_int_equal(posse_definition(one, &def, room), POSSE_OK);
        assert_int_equal(posse_create(&def, &again), POSSE_OK);
        for (int round = 0; round < 300; round++) {
            static const double shared[] = {1, 0.5};
            posse_context context = {.shared = shared};
            posse_decision a, b;
            assert_int_equal(i == 2 ? posse_decide(one, &context, &a) : posse_decide(one, NULL, &a), POSSE_OK);
            assert_int_equal(i == 2 ? posse_decide(again, &context, &b) : posse_decide(again, NULL, &b), POSSE_OK);
            assert_that(a.arm == b.arm && a.learner == b.learner && a.propensity == b.propensity,
                        "definition %d, round %d", i, round);
            if (round % 3 == 0) continue; /* it expires, if decisions do */
            assert_int_equal(posse_learn(one, a.id, a.arm / 4.0), POSSE_OK);
            assert_int_equal(posse_learn(again, b.id, b.arm / 4.0), POSSE_OK);
        }
        assert_int_equal(posse_pending_count(one), posse_pending_count(again));
        assert_int_equal(posse_learner_retire(one, 0), POSSE_OK);
        assert_int_equal(posse_definition(one, &def, room), POSSE_OK);
        assert_int_equal(def.learner_count, 1);
        assert_string_equal(def.learners[0].name, posse_learner_name(one, 1));
        posse_free(one);
        posse_free(again);
    }
    assert_int_equal(posse_definition(NULL, NULL, NULL), POSSE_ERROR_ARGUMENT);
}

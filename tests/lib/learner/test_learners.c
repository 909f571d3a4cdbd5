/* SPDX-License-Identifier: MIT */
/*
 * Tests of every learner in the registry. Their formulas are tested in test_formulas.c.
 */
#include <math.h>
#include <string.h>

#include "menagerie.h"
#include "model/registry.h"

#define ARMS_CAP 32

/* -------------------------------------------- tests for every kind --------------------------------------------- */

/* A learner of a kind, with its required options at their lowest values. */
static posse_part learner_of(int kind) {
    posse_part learner = {.kind = posse_kind_name(POSSE_FAMILY_LEARNER, kind)};
    posse_option *o = learner.options;
    for (const posse_param *q = posse_kind_params(POSSE_FAMILY_LEARNER, kind); q->name != NULL; q++)
        if (q->flags & POSSE_PARAM_REQUIRED) *o++ = (posse_option){.key = q->name, .number = q->low};
    return learner;
}

/* A posse of this learner alone in an environment, or NULL if the kind does not fit there. */
static posse *alone_if_it_fits(const posse_environment *e, const posse_part *learner) {
    posse_def def = alone_def(e, learner);
    def.host = (posse_host){0};
    posse *p;
    posse_error error = posse_create(&def, &p);
    assert_true(error == POSSE_OK || error == POSSE_ERROR_FIT);
    if (error != POSSE_OK || !posse_unit_rewards(p)) return p;
    bool unit = strcmp(def.prior.kind, "beta") == 0 || strcmp(def.prior.kind, "logistic") == 0;
    if (unit) return p;
    posse_free(p);
    return NULL;
}

static bool acts_outside(int kind) {
    return OPS_OF(posse_learner_ops, registry_kind(POSSE_FAMILY_LEARNER, kind))->act == NULL;
}

/* Rounds that are episodes. Most kinds fit there, and some fit nowhere else. */
static const posse_part episodes_world = {.kind = "mdp", .options = {NUMBER("states", 3), NUMBER("actions", 2)}};

/* Calls `check` for every kind that acts by itself, in every environment that it fits. Each kind must fit one. */
static void for_every_kind(void (*check)(const posse_part *learner, posse *p, posse_environment *e)) {
    for (int kind = 0; kind < posse_kind_count(POSSE_FAMILY_LEARNER); kind++) {
        int homes = 0;
        if (acts_outside(kind)) continue;
        for (int w = 0; w <= WORLDS; w++) {
            posse_environment *e = environment_made(w < WORLDS ? worlds[w] : &episodes_world, 4);
            posse_part learner = learner_of(kind);
            posse *p = alone_if_it_fits(e, &learner);
            homes += p != NULL;
            if (p != NULL) check(&learner, p, e);
            posse_free(p);
            posse_environment_free(e);
        }
        assert_that(homes > 0, "%s can live nowhere", posse_kind_name(POSSE_FAMILY_LEARNER, kind));
    }
}

static void check_arms_exist(const posse_part *learner, posse *p, posse_environment *e) {
    (void)learner;
    int arms = p->space->arms, dim = p->space->dim;
    for (int n = 0; n < 500; n++) {
        posse_decision d;
        assert_int_equal(run_round(p, e, &d), POSSE_OK);
        assert_true(arms > 0 ? d.arm >= 0 && d.arm < arms : d.arm == -1);
        assert_true((d.point != NULL) == (dim > 0 || posse_space_episodes(p->space)));
        if (arms > 0 && dim > 0) assert_ptr_equal(d.point, posse_space_point(p->space, d.arm));
        if (arms == 0) assert_true(dot(d.point, d.point, dim) <= 1.0 + 1e-15 * dim); /* a unit vector, rounded */
    }
}

LAW(learners_pick_arms_that_exist) {
    for_every_kind(check_arms_exist);
}

/* The expected regret of a random arm: the mean over arms. On the ball, whose points cancel, it is |theta|. */
static double chance_regret(const posse_environment *e) {
    posse_def def = posse_environment_def(e);
    double means[ARMS_CAP], sum = 0.0;
    posse_environment_means(e, means);
    if (def.arms == 0) return sqrt(dot(means, means, def.dim));
    for (int a = 0; a < def.arms; a++) sum += means[largest(means, def.arms)] - means[a];
    return sum / def.arms;
}

static void check_better_than_chance(const posse_part *learner, posse *p, posse_environment *e) {
    const int rounds = 300;
    if (strcmp(learner->kind, "fixed") == 0) return; /* it never learns */
    moments gain = {0}, chance = {0};
    for (uint32_t run = 0; run < 100; run++) {
        double regret = 0.0;
        run_begin(p, e, run);
        for (int n = 0; n < rounds; n++) {
            posse_decision d;
            assert_int_equal(run_round(p, e, &d), POSSE_OK);
            regret += posse_environment_regret(e, &d);
        }
        moments_add(&gain, chance_regret(e) - regret / rounds);
        moments_add(&chance, chance_regret(e));
    }
    assert_that(moments_z(&gain, 0.0) > Z_MAX, "%s saves %g of %g a round, z = %.1f", learner->kind,
                moments_mean(&gain), moments_mean(&chance), moments_z(&gain, 0.0));
}

LAW(a_learner_alone_improves_on_chance) {
    for_every_kind(check_better_than_chance);
}

#define TRACE 300

/* The arms of the learner at a place when it plays every round, without the selector. */
static void trace_of(posse *p, int at, posse_environment *e, uint32_t run, int *arms) {
    member *m = &p->members[at];
    run_begin(p, e, run);
    for (int n = 0; n < TRACE; n++) {
        posse_decision d = {.point = p->point};
        arms[n] = d.arm = m->ops->act(m->part.plan, m->state, m->draw, p->point);
        if (d.arm >= 0) d.point = posse_space_point(p->space, d.arm);
        double reward = posse_environment_reward(e, &d);
        if (d.arm < 0) arms[n] = (int)(1e9 * d.point[0]);
        m->ops->learn(m->part.plan, m->state, d.arm, d.point, reward);
    }
}

static int place_of(const posse *p, const char *name) {
    int at = 0;
    while (strcmp(posse_learner_name(p, at), name) != 0) at++;
    return at;
}

static void check_same_trace(posse *p, posse *q, const char *name, posse_environment *e) {
    int mine[TRACE], theirs[TRACE];
    for (uint32_t run = 0; run < 3; run++) {
        trace_of(p, place_of(p, name), e, run, mine);
        trace_of(q, place_of(q, name), e, run, theirs);
        assert_memory_equal(mine, theirs, sizeof mine);
    }
}

/* Three learners of the same kind with different names. */
static void three_of_a_kind(const posse_part *learner, posse_part three[3]) {
    static const char *const names[] = {"athos", "porthos", "aramis"};
    for (int i = 0; i < 3; i++) {
        three[i] = *learner;
        three[i].name = names[i];
    }
}

static void check_place(const posse_part *learner, posse *p, posse_environment *e) {
    (void)p;
    posse_part three[3];
    three_of_a_kind(learner, three);
    posse_part turned[] = {three[2], three[0], three[1]};
    posse *one = team_made(e, &(team){.learners = three, .count = 3});
    posse *other = team_made(e, &(team){.learners = turned, .count = 3});
    for (int i = 0; i < 3; i++) check_same_trace(one, other, three[i].name, e);
    posse_free(one);
    posse_free(other);
}

/* The stream of a learner depends on its name, so a learner plays the same wherever it is listed. */
LAW(learners_do_not_depend_on_their_place) {
    for_every_kind(check_place);
}

static void check_newcomer(const posse_part *learner, posse *p, posse_environment *e) {
    (void)p;
    posse_part three[3];
    three_of_a_kind(learner, three);
    posse *two = team_made(e, &(team){.learners = three, .count = 2});
    posse *all = team_made(e, &(team){.learners = three, .count = 3}), *late;
    late = team_made(e, &(team){.learners = three, .count = 2});
    assert_int_equal(posse_learner_add(late, &three[2], NULL), POSSE_OK);
    for (int i = 0; i < 3; i++) {
        posse *alone = alone_made(e, &three[i]);
        if (i < 2) check_same_trace(two, alone, three[i].name, e);
        check_same_trace(all, alone, three[i].name, e);
        check_same_trace(late, alone, three[i].name, e);
        posse_free(alone);
    }
    posse_free(two);
    posse_free(all);
    posse_free(late);
}

/* A learner that plays every round plays the same alone, among two or among three, from the start or added late. */
LAW(adding_a_learner_disturbs_no_one) {
    for_every_kind(check_newcomer);
}

/* Other names and other runs have other random streams: 300 rounds of Thompson sampling do not repeat by chance. */
LAW(names_and_runs_tell_learners_apart) {
    posse_part three[3];
    int athos[TRACE], porthos[TRACE], later[TRACE];
    three_of_a_kind(&(posse_part){.kind = "thompson"}, three);
    posse_environment *e = environment_made(&gaussian_world, 4);
    posse *p = team_made(e, &(team){.learners = three, .count = 3});
    trace_of(p, 0, e, 0, athos);
    trace_of(p, 1, e, 0, porthos);
    trace_of(p, 0, e, 1, later);
    assert_memory_not_equal(athos, porthos, sizeof athos);
    assert_memory_not_equal(athos, later, sizeof athos);
    posse_free(p);
    posse_environment_free(e);
}

/*
 * Rewards may come late or never. A learner must not play only an arm whose rewards never come: of 3000 plays it gets
 * about log2(3000 / arms). The other arms are tried at once, before any reward has come.
 */
static void ask_a_silent_arm(const char *kind) {
    enum { ARMS = 5, PLAYS = 3000 };
    posse_part learner = {.kind = kind};
    if (strcmp(kind, "epsilon-greedy") == 0) learner.options[0] = (posse_option)NUMBER("epsilon", 0.0);
    posse_def def = posse_default_def();
    def.arms = ARMS;
    def.selector.kind = NULL;
    def.learners = &learner;
    def.learner_count = 1;
    posse *p = posse_made(&def);
    int asked = 0;
    uint64_t late[2 * ARMS];
    for (int t = 0; t < 2 * ARMS; t++) {
        posse_decision d;
        assert_int_equal(posse_decide(p, NULL, &d), POSSE_OK);
        assert_int_equal(d.arm, t % ARMS);
        late[t] = d.id;
        asked += d.arm == 0;
    }
    for (int t = 0; t < 2 * ARMS; t++)
        assert_int_equal(t % ARMS == 0 ? posse_forget(p, late[t]) : posse_learn(p, late[t], 0.1 * t), POSSE_OK);
    for (int t = 0; t < PLAYS; t++) {
        posse_decision d;
        assert_int_equal(posse_decide(p, NULL, &d), POSSE_OK);
        asked += d.arm == 0;
        assert_int_equal(d.arm == 0 ? posse_forget(p, d.id) : posse_learn(p, d.id, 0.5), POSSE_OK);
    }
    assert_in_range(asked, 4, 14);
    posse_free(p);
}

LAW(silent_arms_are_asked_ever_more_rarely) {
    ask_a_silent_arm("ucb");
    ask_a_silent_arm("epsilon-greedy");
}

/* ------------------------------------------------ default precision -------------------------------------------- */

/* Whether two learners make the same 200 decisions in rounds with this many features. */
static bool decide_alike(const posse_part *one, const posse_part *other, int features) {
    posse_def def = posse_default_def();
    def.arms = 4;
    def.context = features;
    def.selector = (posse_part){.kind = "uniform"};
    def.learner_count = 1;
    def.learners = one;
    posse *p = posse_made(&def);
    def.learners = other;
    posse *q = posse_made(&def);
    bool alike = true;
    for (int n = 0; n < 200 && alike; n++) {
        double x[40];
        for (int j = 0; j < features; j++) x[j] = (n * 7 + j * 5) % 13 / 6.0 - 1.0;
        posse_decision d, e;
        assert_int_equal(posse_decide(p, &(posse_context){.shared = x}, &d), POSSE_OK);
        assert_int_equal(posse_decide(q, &(posse_context){.shared = x}, &e), POSSE_OK);
        alike = d.arm == e.arm;
        double reward = (d.arm + n) % 3 == 0;
        assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
        assert_int_equal(posse_learn(q, e.id, reward), POSSE_OK);
    }
    posse_free(p);
    posse_free(q);
    return alike;
}

/* A diagonal covariance has a precision of 1, because each of its weights learns by itself. */
LAW(precision_grows_with_the_features) {
    static const char *const kinds[] = {"linear-ucb",   "linear-thompson",   "epsilon-greedy",
                                        "logistic-ucb", "logistic-thompson", "square-cb"};
    static const double some[] = {1.0, 4.0, 9.0};
    const posse_option diagonal = WORD("covariance", "diagonal"), few = LIST("features", some);
    for (int i = 0; i < LENGTH(kinds); i++) {
        posse_part left_out = {.kind = kinds[i], .name = "l"}, three = {.kind = kinds[i], .name = "l"}, one = three;
        three.options[0] = (posse_option)NUMBER("precision", 3);
        one.options[0] = (posse_option)NUMBER("precision", 1);
        assert_that(decide_alike(&left_out, &three, 30), "%s with 30 features", kinds[i]);
        assert_that(!decide_alike(&left_out, &one, 30), "%s with 30 features has a precision of 1", kinds[i]);
        assert_that(decide_alike(&left_out, &one, 10), "%s with 10 features", kinds[i]);
        posse_part narrow = with_option(left_out, few), narrow_one = with_option(one, few);
        assert_that(decide_alike(&narrow, &narrow_one, 30), "%s with 3 of 30 features", kinds[i]);
        posse_part single = with_option(left_out, diagonal), single_one = with_option(one, diagonal);
        assert_that(decide_alike(&single, &single_one, 30), "%s with a diagonal covariance", kinds[i]);
    }
}

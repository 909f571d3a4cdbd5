/* SPDX-License-Identifier: MIT */
/*
 * Learners of an extension in play: one that holds a belief, ones that misbehave, and what the library lends to them.
 */
#include <math.h>
#include <string.h>

#include "menagerie.h"
#include "model/registry.h"
#include "object/object.h"
#include "stage.h"

/* ------------------------------------- Thompson sampling on a belief that it holds -------------------------------- */

typedef struct holding_plan {
    const posse_belief *belief;
} holding_plan;

static const posse_param holding_params[] = {
    {.name = "guess", .type = POSSE_TYPE_PART, .help = "what it believes of the arms"}, {.name = NULL}};

static posse_error holding_prepare(const posse_setup *setup, void **out) {
    holding_plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    return posse_setup_belief(setup, &setup->settings[0], &p->belief);
}

/* The belief's state, then the world last drawn. */
static size_t holding_state_size(const void *plan) {
    const posse_belief *b = ((const holding_plan *)plan)->belief;
    return posse_belief_state_size(b) + (size_t)posse_belief_get_shape(b).dim * sizeof(double);
}

static void holding_start(const void *plan, void *state) {
    memset(state, 0, holding_state_size(plan));
    posse_belief_start(((const holding_plan *)plan)->belief, state);
}

static void holding_next_task(const void *plan, void *state, posse_draw *draw) {
    posse_belief_next_task(((const holding_plan *)plan)->belief, state, draw);
}

static bool holding_sane(const void *plan, const void *state) {
    return posse_belief_sane(((const holding_plan *)plan)->belief, state);
}

static posse_rewards holding_rewards(const void *plan) {
    return posse_belief_rewards(((const holding_plan *)plan)->belief);
}

static int holding_act(const void *plan, void *state, posse_draw *draw, double *point) {
    const posse_belief *b = ((const holding_plan *)plan)->belief;
    double *world = (double *)((char *)state + posse_belief_state_size(b)), value;
    posse_belief_draw(b, state, draw, world);
    return posse_belief_best(b, world, &value, point);
}

static int holding_act_in(const void *plan, void *state, posse_draw *draw, const posse_round *round) {
    const posse_belief *b = ((const holding_plan *)plan)->belief;
    double *world = (double *)((char *)state + posse_belief_state_size(b)), values[STAGE_ARMS];
    posse_belief_draw(b, state, draw, world);
    return posse_belief_values(b, world, round, values);
}

static void holding_learn(const void *plan, void *state, int arm, const double *point, double reward) {
    posse_belief_update(((const holding_plan *)plan)->belief, state, arm, point, reward);
}

static const posse_learner_ops holding = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "holding",
             .help = "thompson by hand",
             .params = holding_params,
             .prepare = holding_prepare,
             .state_size = holding_state_size,
             .start = holding_start,
             .sane = holding_sane},
    .act = holding_act,
    .learn = holding_learn,
    .act_in = holding_act_in,
    .rewards = holding_rewards,
    .next_task = holding_next_task,
};

/* In every habitat, with the prior, and with each belief that fits there. Posses are saved and loaded on the way. */
LAW(own_learners_may_hold_a_belief) {
    register_once(&holding);
    int count;
    const specimen *beliefs = menagerie(POSSE_FAMILY_BELIEF, &count);
    for (int i = 0; i < count; i++) {
        posse_part built_in[] = {
            {.kind = "thompson", .name = "t", .options = {{.key = "belief", .part = &beliefs[i].part}}},
            {.kind = "thompson", .name = "prior"}};
        posse_part own[] = {{.kind = "holding", .name = "t", .options = {{.key = "guess", .part = &beliefs[i].part}}},
                            {.kind = "holding", .name = "prior"}};
        posse_def def = habitat_def(beliefs[i].home);
        def.learner_count = 2;
        def.learners = own;
        parade r;
        parade_begin(&r, beliefs[i].home, posse_made(&def), 63);
        def.learners = built_in;
        r.marchers[r.count++] = posse_made(&def);
        parade_march(&r, 200);
        parade_join(&r);
        parade_march(&r, 100);
        parade_leave(&r);
    }
}

/* The belief it holds is checked at its place. */
LAW(held_beliefs_are_checked_at_their_place) {
    register_once(&holding);
    posse_part belief = {.kind = "gaussian", .options = {NUMBER("sd", -1.0)}};
    posse_part learner = {.kind = "holding", .options = {{.key = "guess", .part = &belief}}};
    notes log = {0};
    posse_logger logger = notes_logger(&log);
    assert_int_equal(posse_part_check(POSSE_FAMILY_LEARNER, &learner, &logger), POSSE_ERROR_OPTION);
    assert_noted(&log, "guess.sd: -1 is out of range");
}

/* ---------------------------------------------- bad behaviour -------------------------------------------------- */

static int next_arm;
static double next_point[3];
static bool points_at; /* `point` has room for coordinates */
static size_t next_size;

static posse_error wild_prepare(const posse_setup *setup, void **out) {
    *out = posse_setup_allocate(setup, 8);
    return *out != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

static size_t wild_state_size(const void *plan) {
    (void)plan;
    return next_size;
}

static int wild_act(const void *plan, void *state, posse_draw *draw, double *point) {
    (void)plan, (void)state, (void)draw;
    if (points_at) memcpy(point, next_point, sizeof next_point);
    return next_arm;
}

static void wild_learn(const void *plan, void *state, int arm, const double *point, double reward) {
    (void)plan, (void)state, (void)arm, (void)point, (void)reward;
}

static const posse_learner_ops wild = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "wild",
             .help = "as the test sets it",
             .prepare = wild_prepare,
             .state_size = wild_state_size},
    .act = wild_act,
    .learn = wild_learn,
};

static posse *wild_posse(const habitat *h) {
    register_once(&wild);
    posse_part learner = {.kind = "wild"};
    posse_def def = habitat_def(h);
    def.learners = &learner;
    def.learner_count = 1;
    next_size = 0;
    points_at = h->arms == 0;
    return posse_made(&def);
}

/* If a learner picks an arm that does not exist, there is no decision: no play is counted, and no id is used. */
static void assert_no_such_arm(posse *p, uint64_t next_id) {
    posse_decision d;
    uint64_t plays;
    assert_int_equal(stage_decide(p, &d), POSSE_ERROR_ARM);
    assert_int_equal(posse_plays(p, &plays), POSSE_OK);
    assert_int_equal(plays, next_id - 1);
    assert_int_equal(posse_pending_count(p), 0);
}

LAW(arms_that_there_are_not_are_refused) {
    static const int wrong[] = {-1, 5, -2, INT32_MAX, INT32_MIN};
    posse *p = wild_posse(&habitats[ARMS_5]);
    for (uint64_t id = 1; id <= LENGTH(wrong); id++) {
        posse_decision d;
        next_arm = wrong[id - 1];
        assert_no_such_arm(p, id);
        next_arm = 4;
        assert_int_equal(stage_decide(p, &d), POSSE_OK);
        assert_int_equal(d.id, id);
        assert_int_equal(posse_learn(p, d.id, 1.0), POSSE_OK);
    }
    posse_free(p);
}

/* The log gets the learner and the arm. */
LAW(a_wrong_arm_is_told_with_learner_and_arm) {
    static const int homes[] = {ARMS_5, BALL_3};
    static const char *const told[] = {"learners[1]: \"lost\" (wild) picked arm 7, and there are only arms 0 to 4",
                                       "learners[1]: \"lost\" (wild) picked no point of the unit ball"};
    register_once(&wild);
    for (int i = 0; i < LENGTH(homes); i++) {
        notes log = {0};
        posse_part learners[] = {{.kind = "thompson"}, {.kind = "wild", .name = "lost"}};
        posse_def def = habitat_def(&habitats[homes[i]]);
        def.learners = learners;
        def.learner_count = 2;
        def.selector = (posse_part){.kind = "uniform"};
        def.host.log = notes_logger(&log);
        next_size = 0;
        points_at = false;
        next_arm = 7;
        posse *p = posse_made(&def);
        posse_decision d;
        for (int round = 0; round < 100 && stage_decide(p, &d) == POSSE_OK; round++) assert_int_equal(d.learner, 0);
        assert_noted(&log, told[i]);
        posse_free(p);
    }
}

/* On the ball the arm is -1, and the point is one of the ball: finite, and no longer than 1 but for rounding. */
LAW(points_outside_the_ball_are_refused) {
    static const double outside[][3] = {{2.0, 0.0, 0.0}, {0.8, 0.8, 0.8}, {NAN, 0.0, 0.0}, {0.0, INFINITY, 0.0}};
    posse *p = wild_posse(&habitats[BALL_3]);
    next_arm = 0;
    assert_no_such_arm(p, 1);
    next_arm = -1;
    for (int i = 0; i < LENGTH(outside); i++) {
        memcpy(next_point, outside[i], sizeof next_point);
        assert_no_such_arm(p, 1);
    }
    memcpy(next_point, (double[]){0.6, 0.0, 0.8}, sizeof next_point);
    posse_decision d;
    assert_int_equal(stage_decide(p, &d), POSSE_OK);
    assert_memory_equal(d.point, next_point, sizeof next_point);
    assert_int_equal(posse_learn(p, d.id, 1.0), POSSE_OK);
    posse_free(p);
}

LAW(states_are_made_of_eight_byte_numbers) {
    register_once(&wild);
    posse_part learner = {.kind = "wild"};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.learners = &learner;
    def.learner_count = 1;
    for (next_size = 1; next_size < 24; next_size++) {
        notes log = {0};
        posse *p;
        def.host.log = notes_logger(&log);
        posse_error error = posse_create(&def, &p);
        assert_int_equal(error, next_size % 8 == 0 ? POSSE_OK : POSSE_ERROR_FIT);
        if (error != POSSE_OK) assert_noted(&log, "is not made of 8-byte numbers");
        posse_free(p);
    }
}

/* ------------------------------------- what the library lends to learners -------------------------------------- */

static double drawn[9];

/* Makes one draw of each kind. */
static int drawing_act(const void *plan, void *state, posse_draw *draw, double *point) {
    (void)plan, (void)state, (void)point;
    double weights[] = {0.0, 2.0, 0.0, 1.0};
    drawn[0] = posse_draw_uniform(draw);
    drawn[1] = posse_draw_normal(draw);
    posse_draw_normals(draw, drawn + 2, 2);
    drawn[4] = posse_draw_gamma(draw, 2.5);
    drawn[5] = posse_draw_beta(draw, 0.5, 2.0);
    drawn[6] = (double)posse_draw_index(draw, 7);
    drawn[7] = (double)posse_draw_weighted(draw, weights, 4);
    drawn[8] = posse_exp(posse_log(2.0));
    return 0;
}

static posse_learner_ops drawing = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "drawing",
             .help = "draws and plays arm 0",
             .prepare = wild_prepare,
             .state_size = wild_state_size},
    .act = drawing_act,
    .learn = wild_learn,
};

static void draw_alone(const char *name, uint64_t seed, uint32_t run, double out[9]) {
    posse_part learner = {.kind = "drawing", .name = name};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.seed = seed;
    def.run = run;
    def.learners = &learner;
    def.learner_count = 1;
    next_size = 0;
    posse *p = posse_made(&def);
    posse_decision d;
    assert_int_equal(stage_decide(p, &d), POSSE_OK);
    posse_free(p);
    memcpy(out, drawn, sizeof drawn);
}

/* The draws of a learner depend on the seed, the run and its name, and on nothing else. */
LAW(draws_follow_from_seed_run_and_name) {
    register_once(&drawing);
    double first[9], other[9];
    draw_alone("a", 1, 0, first);
    assert_true(first[0] > 0.0 && first[0] < 1.0);
    assert_true(first[4] > 0.0 && first[5] > 0.0 && first[5] < 1.0);
    assert_true(first[6] < 7.0 && (first[7] == 1.0 || first[7] == 3.0));
    assert_close(first[8], 2.0, 1e-15);
    draw_alone("a", 1, 0, other);
    assert_memory_equal(first, other, sizeof first);
    draw_alone("b", 1, 0, other);
    assert_true(first[0] != other[0] && first[1] != other[1]);
    draw_alone("a", 2, 0, other);
    assert_true(first[0] != other[0] && first[1] != other[1]);
    draw_alone("a", 1, 1, other);
    assert_true(first[0] != other[0] && first[1] != other[1]);
}

/* This must be the last test, because it fills the registry. */
LAW(registering_ends_when_it_is_full) {
    static posse_learner_ops crowd[300];
    static char crowd_names[300][24];
    posse_error error = POSSE_OK;
    int count = posse_kind_count(POSSE_FAMILY_LEARNER), added = 0;
    for (int i = 0; i < 300 && error == POSSE_OK; i++) {
        snprintf(crowd_names[i], sizeof crowd_names[i], "crowd-%d", i);
        crowd[i] = wild;
        crowd[i].kind.name = crowd_names[i];
        error = posse_learner_register(&crowd[i]);
        added += error == POSSE_OK;
    }
    assert_int_equal(error, POSSE_ERROR_FULL);
    assert_true(added > 200);
    assert_int_equal(posse_kind_count(POSSE_FAMILY_LEARNER), count + added);
}

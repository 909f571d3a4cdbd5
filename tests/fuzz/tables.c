/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the tables of learners, beliefs and selectors. An input is a script. It says which functions they have, of
 * which version the tables are, and what their functions return: arms, learners, probabilities and numbers, right and
 * wrong ones. Tables that are registered then play in a posse, together with kinds of the library. Whatever they do,
 * calls end with an error or a decision as posse.h promises, and a posse that can be saved can be loaded. The functions
 * keep to their own state and to the arrays that they are given, which nobody can check for them.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/registry.h"
#include "posse_all.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* --------------------------------------------------- the script --------------------------------------------------- */

static const uint8_t *script;
static size_t script_left;

/* The next byte of the script, below a bound; 0 after its end. */
static unsigned chosen(unsigned below) {
    if (script_left == 0) return 0;
    script_left--;
    return *script++ % below;
}

static bool rarely(void) {
    return chosen(16) == 15;
}

static double odd_number(void) {
    static const double numbers[] = {0.5,      0.0,  1.0, -1.0,      1e-320, 1e100, 1e300,    -1e300,
                                     INFINITY, -0.0, NAN, -INFINITY, 1e6,    2.0,   1.0 / 3., 1e-30};
    return numbers[chosen(sizeof numbers / sizeof *numbers)];
}

/* Mostly one of 0 .. count-1. */
static int odd_index(int count) {
    static const int odd[] = {-1, -2, INT_MAX, INT_MIN, 1000};
    unsigned at = chosen(64);
    if (at >= 60) return at == 63 ? count : odd[chosen(5)];
    return count > 0 ? (int)at % count : -1;
}

/* ----------------------------------------------------- parts ------------------------------------------------------ */

enum { NUMBERS = 3 }; /* of a state of the usual size */

typedef struct plan {
    size_t size;
    int arms, dim, features;
    const posse_belief *belief;
} plan;

enum { BELIEF, RANGE };

static const double unit[] = {0.0, 1.0};
static const posse_param params[] = {
    {.name = "held", .type = POSSE_TYPE_PART, .help = "a belief"},
    {.name = "between", .type = POSSE_TYPE_RANGE, .fallbacks = unit, .help = "a range"},
    {0}};
static bool holds_belief;

static posse_error tables_prepare(const posse_setup *setup, void **out) {
    static const size_t sizes[] = {NUMBERS * 8, NUMBERS * 8, 0, 8, NUMBERS * 8 + 4, 1, 64};
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->size = sizes[chosen(7)];
    if (setup->space != NULL) {
        p->arms = posse_space_arms(setup->space);
        p->dim = posse_space_dim(setup->space);
        p->features = posse_space_features(setup->space);
    }
    *out = p;
    if (rarely()) return posse_setup_refuse(setup, NULL, -1, "no");
    return holds_belief && chosen(2) ? posse_setup_belief(setup, &setup->settings[BELIEF], &p->belief) : POSSE_OK;
}

static size_t own_size(const void *plan_) {
    return ((const plan *)plan_)->size;
}

static size_t tables_state_size(const void *plan_) {
    const plan *p = plan_;
    return p->size + (p->belief != NULL ? posse_belief_state_size(p->belief) : 0);
}

static void *belief_state(const void *plan_, const void *state) {
    return (char *)(uintptr_t)state + own_size(plan_);
}

static void scribble(const void *plan_, void *state) {
    double x = odd_number();
    for (size_t i = 0; i + sizeof x <= own_size(plan_); i += sizeof x) memcpy((char *)state + i, &x, sizeof x);
}

static void tables_start(const void *plan_, void *state) {
    const plan *p = plan_;
    scribble(plan_, state);
    if (p->belief != NULL) posse_belief_start(p->belief, belief_state(plan_, state));
}

static bool tables_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    return !rarely() && (p->belief == NULL || posse_belief_sane(p->belief, belief_state(plan_, state)));
}

static bool tables_unit_rewards(const void *plan_) {
    (void)plan_;
    return rarely();
}

static posse_rewards tables_rewards(const void *plan_) {
    (void)plan_;
    return chosen(4) > 0 ? (posse_rewards){-1e100, 1e100} : (posse_rewards){odd_number(), odd_number()};
}

static void tables_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    const plan *p = plan_, *former = former_plan;
    scribble(plan_, state);
    if (p->belief != NULL && former->belief != NULL)
        posse_belief_grow(p->belief, belief_state(plan_, state), former->belief,
                          belief_state(former_plan, former_state));
}

static void tables_next_task(const void *plan_, void *state, posse_draw *draw) {
    if (draw != NULL) posse_draw_uniform(draw);
    scribble(plan_, state);
}

static posse_kind kind_of(const char *name) {
    posse_kind kind = {.version = POSSE_EXTENSION_VERSION,
                       .name = rarely() ? NULL : name,
                       .params = holds_belief ? params
                                 : rarely()   ? params + 1
                                              : NULL,
                       .prepare = rarely() ? NULL : tables_prepare,
                       .state_size = rarely() ? NULL : tables_state_size,
                       .start = chosen(2) ? tables_start : NULL,
                       .sane = chosen(2) ? tables_sane : NULL,
                       .unit_rewards = chosen(4) == 1 ? tables_unit_rewards : NULL,
                       .grow = chosen(4) > 0 ? tables_grow : NULL};
    static const int versions[] = {POSSE_EXTENSION_VERSION, 2, 1, 4, 0, INT_MAX};
    unsigned at = chosen(12);
    kind.version = versions[at < 7 ? 0 : at < 10 ? 1 : at - 8];
    return kind;
}

/* ---------------------------------------------------- learners ---------------------------------------------------- */

static int learner_act(const void *plan_, void *state, posse_draw *draw, double *point) {
    const plan *p = plan_;
    posse_draw_uniform(draw);
    scribble(plan_, state);
    for (int j = 0; p->arms == 0 && j < p->dim; j++) point[j] = chosen(8) > 0 ? 0.1 : odd_number();
    return odd_index(p->arms);
}

static int learner_act_in(const void *plan_, void *state, posse_draw *draw, const posse_round *round) {
    posse_draw_uniform(draw);
    scribble(plan_, state);
    return odd_index(round->count);
}

static void learner_learn(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)arm, (void)point, (void)reward;
    scribble(plan_, state);
}

static posse_learner_ops learner, learner_in;

static void make_learner(posse_learner_ops *ops) {
    *ops = (posse_learner_ops){.kind = kind_of("wild"),
                               .act = chosen(6) > 0 ? learner_act : NULL,
                               .learn = rarely() ? NULL : learner_learn,
                               .act_in = chosen(2) ? learner_act_in : NULL,
                               .in_contexts = NULL,
                               .rewards = chosen(4) == 1 ? tables_rewards : NULL,
                               .next_task = chosen(2) ? tables_next_task : NULL};
}

/* ----------------------------------------------------- beliefs ---------------------------------------------------- */

static posse_belief_shape belief_shape(const void *plan_) {
    const plan *p = plan_;
    int dim = p->features > 0 ? p->features : p->dim;
    bool one_hot = dim == 0;
    return (posse_belief_shape){.dim = one_hot ? p->arms : dim, .one_hot = one_hot};
}

static posse_belief_shape belief_odd_shape(const void *plan_) {
    posse_belief_shape shape = belief_shape(plan_);
    return (posse_belief_shape){chosen(2) ? odd_index(4) : shape.dim, !shape.one_hot};
}

static void belief_update(const void *plan_, void *state, int arm, const double *point, double reward) {
    learner_learn(plan_, state, arm, point, reward);
}

static void belief_draw(const void *plan_, const void *state, posse_draw *draw, double *world) {
    (void)state;
    for (int i = 0; i < belief_shape(plan_).dim; i++) world[i] = chosen(4) > 0 ? posse_draw_normal(draw) : odd_number();
}

static void belief_add_mean(const void *plan_, const void *state, double scale, double *world) {
    (void)state;
    for (int i = 0; i < belief_shape(plan_).dim; i++) world[i] += scale * odd_number();
}

static double belief_evidence(const void *plan_, const void *state, int arm, const double *point, double reward) {
    (void)plan_, (void)state, (void)arm, (void)point, (void)reward;
    return odd_number();
}

static void belief_moments(const void *plan_, const void *state, int arm, const double *point, double *mean,
                           double *variance) {
    (void)plan_, (void)state, (void)arm, (void)point;
    *mean = odd_number();
    *variance = odd_number();
}

static posse_error belief_vary(const posse_setup *setup, int variant, posse_option *settings) {
    (void)setup, (void)variant, (void)settings;
    return rarely() ? POSSE_ERROR_MEMORY : POSSE_OK;
}

static bool belief_acceptance(const void *plan_, const void *state, posse_draw *draw, double *out) {
    (void)plan_, (void)state;
    *out = posse_draw_uniform(draw);
    return chosen(2);
}

static posse_belief_ops belief;

static void make_belief(void) {
    holds_belief = false;
    belief = (posse_belief_ops){.kind = kind_of("wild"),
                                .shape = rarely() ? belief_odd_shape : belief_shape,
                                .update = rarely() ? NULL : belief_update,
                                .draw = rarely() ? NULL : belief_draw,
                                .add_mean = rarely() ? NULL : belief_add_mean,
                                .evidence = rarely() ? NULL : belief_evidence,
                                .variants = rarely()    ? odd_index(64)
                                            : chosen(2) ? 2
                                                        : 0,
                                .moments = chosen(2) ? belief_moments : NULL,
                                .rewards = chosen(4) == 1 ? tables_rewards : NULL,
                                .next_task = chosen(2) ? tables_next_task : NULL,
                                .acceptance = chosen(2) ? belief_acceptance : NULL};
    if (belief.variants > 0 || rarely()) belief.vary = belief_vary;
}

/* ---------------------------------------------------- selectors --------------------------------------------------- */

static int selector_places;

static void selector_admit(const void *plan_, void *state, int place) {
    if (place >= selector_places) selector_places = place + 1;
    scribble(plan_, state);
}

static void selector_retire(const void *plan_, void *state, int place) {
    (void)place;
    scribble(plan_, state);
}

static int selector_choose(const void *plan_, void *state, posse_draw *draw, posse_draw *ties, double *probability) {
    posse_draw_uniform(draw);
    posse_draw_uniform(ties);
    scribble(plan_, state);
    *probability = chosen(8) > 0 ? 0.5 : odd_number();
    return odd_index(selector_places);
}

static void selector_played(const void *plan_, void *state, int place, int arm, const double *point) {
    (void)place, (void)arm, (void)point;
    scribble(plan_, state);
}

static void selector_played_in(const void *plan_, void *state, int place, const posse_round *round, int arm,
                               posse_draw *draw) {
    (void)place, (void)round, (void)arm;
    posse_draw_uniform(draw);
    scribble(plan_, state);
}

static bool selector_considers(const void *plan_) {
    (void)plan_;
    return true;
}

static void selector_considered(const void *plan_, void *state, const posse_round *round, const int *picks,
                                posse_draw *draw) {
    (void)round, (void)picks, (void)draw;
    scribble(plan_, state);
}

static void selector_learn(const void *plan_, void *state, const posse_outcome *outcome) {
    const plan *p = plan_;
    scribble(plan_, state);
    if (p->belief != NULL)
        posse_belief_update(p->belief, belief_state(plan_, state), outcome->arm, outcome->point, outcome->reward);
}

static void selector_adopt(const void *plan_, void *state, const void *smaller_plan, const void *smaller_state) {
    tables_grow(plan_, state, smaller_plan, smaller_state);
}

static void selector_numbers(const void *plan_, const void *state, int learners, double *out) {
    (void)plan_, (void)state;
    for (int i = 0; i < learners; i++) out[i] = odd_number();
}

static double selector_clipped(const void *plan_, const void *state) {
    (void)plan_, (void)state;
    return odd_number();
}

static const posse_belief *selector_belief(const void *plan_, const void *state, const void **out) {
    *out = belief_state(plan_, state);
    return ((const plan *)plan_)->belief;
}

static void selector_teach(const void *plan_, void *state, int arm, const double *point, double reward) {
    (void)arm, (void)point, (void)reward;
    scribble(plan_, state);
}

static int selector_probe(const void *plan_, void *state, int place, posse_draw *draw) {
    (void)place;
    posse_draw_uniform(draw);
    scribble(plan_, state);
    return chosen(4) > 0 ? -1 : odd_index(((const plan *)plan_)->arms);
}

static bool selector_surprise(const void *plan_, const void *state, double *out) {
    (void)plan_, (void)state;
    *out = odd_number();
    return chosen(2);
}

static posse_selector_ops selector;

static void make_selector(void) {
    holds_belief = chosen(2);
    selector_places = 0;
    selector = (posse_selector_ops){.kind = kind_of("wild"),
                                    .admit = rarely() ? NULL : selector_admit,
                                    .retire = rarely() ? NULL : selector_retire,
                                    .choose = rarely() ? NULL : selector_choose,
                                    .played = chosen(8) > 0 ? selector_played : NULL,
                                    .learn = rarely() ? NULL : selector_learn,
                                    .adopt = rarely() ? NULL : selector_adopt,
                                    .potentials = chosen(2) ? selector_numbers : NULL,
                                    .probabilities = chosen(2) ? selector_numbers : NULL,
                                    .clipped = chosen(4) == 1 ? selector_clipped : NULL,
                                    .belief = holds_belief && chosen(2) ? selector_belief : NULL,
                                    .teach = chosen(2) ? selector_teach : NULL,
                                    .probe = chosen(4) == 1 ? selector_probe : NULL,
                                    .surprise = chosen(2) ? selector_surprise : NULL,
                                    .played_in = chosen(2) ? selector_played_in : NULL,
                                    .considers = chosen(4) == 1 ? selector_considers : NULL,
                                    .considered = chosen(2) ? selector_considered : NULL,
                                    .rewards = chosen(4) == 1 ? tables_rewards : NULL,
                                    .next_task = chosen(2) ? tables_next_task : NULL};
}

/* --------------------------------------------------- registering -------------------------------------------------- */

/* Hands over a block of exactly the bytes that a table of its version has, so that a sanitizer notices reads behind. */
#define REGISTER(family, ops, first_of_version_3)                                                                      \
    do {                                                                                                               \
        size_t size_ = (ops).kind.version == 2 ? offsetof(posse_##family##_ops, first_of_version_3) : sizeof(ops);     \
        posse_##family##_ops *block_ = malloc(size_);                                                                  \
        if (block_ == NULL) abort();                                                                                   \
        memcpy((void *)block_, &(ops), size_);                                                                         \
        family##_is_there = posse_##family##_register(block_) == POSSE_OK;                                             \
        free(block_);                                                                                                  \
    } while (0)

static bool learner_is_there, belief_is_there, selector_is_there;

static void register_tables(void) {
    holds_belief = false;
    make_learner(&learner);
    make_learner(&learner_in);
    if (chosen(4) == 1) learner.in_contexts = &learner_in;
    REGISTER(learner, learner, act_in);
    make_belief();
    REGISTER(belief, belief, model);
    make_selector();
    REGISTER(selector, selector, played_in);
}

static void remove_tables(void) {
    if (learner_is_there) registry_remove_last(POSSE_FAMILY_LEARNER);
    if (belief_is_there) registry_remove_last(POSSE_FAMILY_BELIEF);
    if (selector_is_there) registry_remove_last(POSSE_FAMILY_SELECTOR);
}

/* ------------------------------------------------------ lives ----------------------------------------------------- */

enum { ARMS = 3, DIM = 2, STEPS = 40 }; /* each may add an arm */

static const double points[ARMS * DIM] = {1.0, 0.0, 0.0, 1.0, 0.6, 0.8};

static posse *created(void) {
    static const posse_part components[] = {{.kind = "wild"}, {.kind = "wild"}};
    static const double weights[] = {1.0, 2.0};
    posse_part learners[3] = {{.kind = learner_is_there ? "wild" : "uniform"}, {.kind = "external"}};
    posse_def def = posse_default_def();
    unsigned where = chosen(5);
    def.arms = where == 2 ? 0 : ARMS;
    def.dim = where == 0 || where == 4 ? 0 : DIM;
    def.points = where == 1 ? points : NULL;
    def.context = where == 4 ? DIM : 0;
    learners[0].kind = learner_is_there ? "wild" : where == 1 || where == 3 ? "linear-ucb" : "thompson";
    learners[1].kind = where == 0 ? "ucb" : "linear-thompson";
    learners[2].kind = "external";
    def.learners = learners;
    def.learner_count = 1 + (int)chosen(3);
    def.prior.kind = where == 0 ? "gaussian" : "linear";
    unsigned how = belief_is_there ? chosen(4) : 0;
    if (how >= 1) def.prior.kind = "wild";
    if (how == 2) def.prior.options[0] = (posse_option){.key = "robust", .number = 1.0};
    if (how == 3)
        def.prior = (posse_part){.kind = "mixture",
                                 .options = {{.key = "components", .part = components, .list = weights, .count = 2}}};
    if (selector_is_there && chosen(4) > 0) def.selector.kind = "wild";
    def.propensity_draws = chosen(4) == 1 ? 3 : 0;
    def.expire_after = chosen(4) == 1 ? 2 : 0;
    posse *p = NULL;
    posse_error error = posse_create(&def, &p);
    if ((error == POSSE_OK) != (p != NULL)) abort();
    return p;
}

static void check(const posse *p, const posse_decision *d) {
    if (!posse_learner_active(p, d->learner)) abort();
    bool told = d->arm != POSSE_ARM_UNTOLD;
    if (told && (posse_arm_count(p) > 0 ? !posse_arm_active(p, d->arm) : d->arm != -1)) abort();
    if (!(d->probability > 0.0 && d->probability <= 1.0)) abort();
}

static void look_inside(posse *p, const posse_context *context) {
    double numbers[64], errors[64];
    uint64_t plays[64];
    if (posse_learner_count(p) > 64 || posse_arm_count(p) > 64) return;
    posse_plays(p, plays);
    posse_potentials(p, numbers);
    posse_probabilities(p, numbers);
    posse_means(p, context, numbers);
    posse_deviations(p, context, numbers);
    posse_weights(p, numbers);
    posse_regrets(p, numbers);
    posse_surprise(p, numbers);
    posse_acceptance(p, 3, numbers);
    if (posse_arm_count(p) > 0) posse_best_probabilities(p, 3, numbers);
    posse_propensities(p, context, 3, &(posse_propensity){.learners = numbers, .learner_errors = errors});
}

static void save_and_load(const posse *p) {
    size_t length = 0;
    if (posse_save(p, NULL, &length) != POSSE_OK) abort();
    uint8_t *bytes = malloc(length);
    posse *again = NULL;
    if (bytes == NULL || posse_save(p, bytes, &length) != POSSE_OK) abort();
    posse_load_exact(bytes, length, NULL, &again);
    posse_free(again);
    free(bytes);
}

static void live(posse *p) {
    static const double features[(ARMS + STEPS) * DIM] = {1.0, 0.5, -1.0};
    posse_context context = {.shared = posse_shared_feature_count(p) > 0 ? features : NULL,
                             .points = posse_shared_feature_count(p) > 0 ? NULL : features};
    const posse_context *c = posse_feature_count(p) > 0 ? &context : NULL;
    posse_action action = {.arm = 0, .point = posse_arm_count(p) > 0 ? NULL : points, .context = c};
    posse_decision d = {0};
    for (int n = 0; n < STEPS && script_left > 0; n++) {
        switch (chosen(12)) {
        case 0:
            posse_acted(p, d.id, &action);
            break;
        case 1:
            posse_teach(p, &action, odd_number());
            break;
        case 2:
            look_inside(p, c);
            break;
        case 3:
            save_and_load(p);
            break;
        case 4:
            posse_arm_add(p, posse_dim(p) > 0 && posse_feature_count(p) == 0 ? points : NULL, NULL);
            break;
        case 5:
            posse_arm_retire(p, odd_index(ARMS));
            break;
        case 6:
            posse_learner_add(p, &(posse_part){.kind = learner_is_there ? "wild" : "ucb"}, NULL);
            break;
        case 7:
            posse_learner_retire(p, odd_index(3));
            break;
        case 8:
            posse_next_task(p);
            break;
        case 9:
            posse_expire(p, 0, NULL);
            break;
        default:
            if (posse_decide(p, c, &d) != POSSE_OK) break;
            check(p, &d);
            if (chosen(4) > 0) posse_learn(p, d.id, odd_number());
        }
    }
    save_and_load(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    script = data;
    script_left = size;
    register_tables();
    posse *p = created();
    if (p != NULL) live(p);
    posse_free(p);
    remove_tables();
    return 0;
}

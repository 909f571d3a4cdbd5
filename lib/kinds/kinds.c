/* SPDX-License-Identifier: MIT */
/*
 * The kinds that the library itself has, family by family, in the order in which they are listed. A new kind is one new
 * file in the folder of its family, its declaration in that folder's header, and one line here.
 */
#include "belief/belief.h"
#include "environment/environment.h"
#include "learner/learner.h"
#include "model/registry.h"
#include "selector/selector.h"

static const posse_kind *const environments[] = {
    &environment_gaussian.kind,   &environment_bernoulli.kind,
    &environment_linear.kind,     &environment_information_lock.kind,
    &environment_drifting.kind,   &environment_shifting.kind,
    &environment_contextual.kind, &environment_table.kind,
    &environment_log.kind,        &environment_poisson.kind,
    &environment_worlds.kind,     &environment_logistic.kind,
    &environment_mdp.kind,
};

static const posse_kind *const beliefs[] = {
    &belief_gaussian.kind,     &belief_beta.kind,      &belief_linear.kind,         &belief_logistic.kind,
    &belief_normal_gamma.kind, &belief_gamma.kind,     &belief_joint_gaussian.kind, &belief_information_lock.kind,
    &belief_hypotheses.kind,   &belief_particles.kind, &belief_hierarchical.kind,   &belief_mixture.kind,
    &belief_mdp.kind,
};

static const posse_kind *const learners[] = {
    &learner_fixed.kind,
    &learner_ucb.kind,
    &learner_thompson.kind,
    &learner_linear_thompson.kind,
    &learner_linear_ucb.kind,
    &learner_epsilon_greedy.kind,
    &learner_logistic_thompson.kind,
    &learner_logistic_ucb.kind,
    &learner_square_cb.kind,
    &learner_sgd_epsilon_greedy.kind,
    &learner_sgd_softmax.kind,
    &learner_sgd_bag.kind,
    &learner_sgd_cover.kind,
    &learner_sgd_square_cb.kind,
    &learner_sgd_regcb.kind,
    &learner_information_lock.kind,
    &learner_q_learning.kind,
    &learner_planner.kind,
    &learner_external.kind,
};

static const posse_kind *const selectors[] = {
    &selector_bms.kind,
    &selector_bms_plus.kind,
    &selector_thompson.kind,
    &selector_d3rb.kind,
    &selector_ed2rb.kind,
    &selector_bd3rb.kind,
    &selector_perfect_balancing.kind,
    &selector_balancing.kind,
    &selector_dynamic_balancing.kind,
    &selector_corral.kind,
    &selector_stochastic_corral.kind,
    &selector_exp3p.kind,
    &selector_ucb.kind,
    &selector_greedy.kind,
    &selector_uniform.kind,
};

#define COUNT(list) ((int)(sizeof(list) / sizeof((list)[0])))

const built_in_family built_in_families[POSSE_FAMILY_COUNT] = {
    [POSSE_FAMILY_ENVIRONMENT] = {environments, COUNT(environments), NULL},
    [POSSE_FAMILY_BELIEF] = {beliefs, COUNT(beliefs), belief_params},
    [POSSE_FAMILY_LEARNER] = {learners, COUNT(learners), NULL},
    [POSSE_FAMILY_SELECTOR] = {selectors, COUNT(selectors), selector_params},
};

/* SPDX-License-Identifier: MIT */
/*
 * golden [KERNEL_SET]: plays runs over all kinds and prints hashes of every choice and every reward: one for the kinds
 * of version 0.1, one for those that came with contexts, one for beliefs of real rewards, one for the selectors of
 * version 0.3, one for those that are given the best mean reward, one for rounds that are episodes, one for models of
 * many features, one for learners and beliefs that do a step per feature, one for products of features, and one for
 * standardised rewards. They must be the same under every compiler, optimisation level, instruction set and processor;
 * golden.txt holds them. Exit status: 77 where the processor lacks the kernel set.
 */
#include <stdio.h>
#include <string.h>

#include "numeric/kernels.h"
#include "object/run.h"

#define RUNS_PER_SCENE 25
#define ROUNDS 200
#define TASK_ROUNDS 40 /* where an environment has tasks that are alike */

#define FINGERPRINT_START 14695981039346656037u
static uint64_t hash = FINGERPRINT_START;

static void fingerprint_word(uint64_t word) {
    for (int i = 0; i < 8; i++) hash = (hash ^ (word >> (8 * i) & 0xff)) * 1099511628211u;
}

static void hash_real(double x) {
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    fingerprint_word(word);
}

static const double zero_means[] = {0.0, 0.1, -0.1, 0.2, 0.0}, wide_sds[] = {1.0, 2.0, 0.5, 1.0, 3.0};
static const double half[] = {0.5, 0.5}, wide_range[] = {-1.5, 2.5}, coefficients[] = {1.0, 3.0, 0.7};
static const double table[] = {0.2, 0.8, 0.5, 0.9, 0.1, 0.5, 0.4, 0.4, 0.6};

static const posse_part doubtful_components[] = {
    {.kind = "gaussian", .options = {{"sd", .number = 0.3}}},
    {.kind = "gaussian", .options = {{"mean", .list = zero_means, .count = 5}, {"sd", .list = wide_sds, .count = 5}}},
};
static const posse_part doubtful = {.kind = "mixture",
                                    .options = {{"components", .part = doubtful_components, .list = half, .count = 2}}};
static const posse_part guesses = {.kind = "hypotheses", .options = {{"table", .list = table, .count = 9}}};

typedef struct scene {
    posse_part environment;
    posse_part selector;
    posse_part learners[5];
} scene;

static const scene scenes[] = {
    {{.kind = "gaussian", .options = {{"arms", .number = 5}}},
     {.kind = "bms"},
     {{.kind = "ucb", .options = {{"width", .number = 0.01}}}, {.kind = "ucb"}, {.kind = "epsilon-greedy"}}},
    {{.kind = "gaussian", .options = {{"arms", .number = 5}, {"noise", .number = 0.7}}},
     {.kind = "bms", .options = {{"share", .number = 1}, {"belief", .part = &doubtful}}},
     {{.kind = "thompson"}, {.kind = "thompson", .options = {{"belief", .part = &doubtful}}}, {.kind = "ucb"}}},
    {{.kind = "bernoulli", .options = {{"arms", .number = 4}, {"prior.alpha", .number = 0.4}}},
     {.kind = "bms", .options = {{"batch", .number = 3}}},
     {{.kind = "thompson"},
      {.kind = "ucb", .options = {{"width", .number = 0.3}}},
      {.kind = "fixed", .options = {{"arm", .number = 2}}}}},
    {{.kind = "bernoulli", .options = {{"arms", .number = 3}}},
     {.kind = "bms", .options = {{"belief", .part = &guesses}}},
     {{.kind = "thompson", .options = {{"belief", .part = &guesses}}},
      {.kind = "epsilon-greedy", .options = {{"epsilon", .number = 0.3}}}}},
    {{.kind = "linear", .options = {{"dim", .number = 4}, {"arms.set", .word = "ball"}, {"arms.count", .number = 37}}},
     {.kind = "bms"},
     {{.kind = "linear-thompson", .options = {{"width", .number = 0.16}}},
      {.kind = "linear-ucb", .options = {{"width", .number = 1.0}}},
      {.kind = "thompson"},
      {.kind = "ucb"}}},
    {{.kind = "linear",
      .options = {{"dim", .number = 11},
                  {"arms.set", .word = "cube"},
                  {"arms.count", .number = 50},
                  {"noise", .number = 0.5}}},
     {.kind = "bms", .options = {{"share", .number = 1}}},
     {{.kind = "linear-thompson", .options = {{"width", .number = 0.0}}},
      {.kind = "linear-ucb", .options = {{"width", .number = 0.5}}}}},
    {{.kind = "linear", .options = {{"dim", .number = 3}, {"arms.set", .word = "ball"}, {"arms.count", .word = "all"}}},
     {.kind = "bms"},
     {{.kind = "linear-thompson", .options = {{"width", .number = 0.1}}}, {.kind = "thompson"}}},
    {{.kind = "information-lock", .options = {{"arms", .number = 8}}},
     {.kind = "bms"},
     {{.kind = "information-lock"}, {.kind = "thompson"}, {.kind = "ucb"}}},
    {{.kind = "gaussian", .options = {{"arms", .number = 5}}},
     {.kind = "d3rb", .options = {{"confidence", .number = 0.3}, {"dmin", .number = 0.7}}},
     {{.kind = "ucb", .options = {{"width", .number = 0.01}}}, {.kind = "ucb"}, {.kind = "epsilon-greedy"}}},
    {{.kind = "bernoulli", .options = {{"arms", .number = 4}}},
     {.kind = "ed2rb", .options = {{"confidence", .number = 0.2}, {"dmin", .number = 1}, {"batch", .number = 2}}},
     {{.kind = "thompson"}, {.kind = "ucb"}, {.kind = "fixed", .options = {{"arm", .number = 1}}}}},
    {{.kind = "gaussian", .options = {{"arms", .number = 5}}},
     {.kind = "balancing",
      .options = {{"coefficients", .list = coefficients, .count = 3}, {"confidence", .number = 0.3}}},
     {{.kind = "ucb"}, {.kind = "fixed", .options = {{"arm", .number = 0}}}, {.kind = "thompson"}}},
    {{.kind = "gaussian", .options = {{"arms", .number = 5}}},
     {.kind = "corral", .options = {{"rate", .number = 0.3}, {"range", .list = wide_range, .count = 2}}},
     {{.kind = "ucb", .options = {{"width", .number = 0.1}}}, {.kind = "thompson"}, {.kind = "epsilon-greedy"}}},
    {{.kind = "bernoulli", .options = {{"arms", .number = 4}}},
     {.kind = "exp3p", .options = {{"share", .number = 1}}},
     {{.kind = "thompson"}, {.kind = "ucb"}, {.kind = "epsilon-greedy"}}},
    {{.kind = "linear", .options = {{"dim", .number = 4}, {"arms.set", .word = "ball"}, {"arms.count", .number = 37}}},
     {.kind = "ucb", .options = {{"width", .number = 0.3}}},
     {{.kind = "linear-thompson", .options = {{"width", .number = 1.0}}},
      {.kind = "linear-ucb", .options = {{"width", .number = 1.0}}},
      {.kind = "ucb"}}},
    {{.kind = "gaussian", .options = {{"arms", .number = 5}}},
     {.kind = "greedy"},
     {{.kind = "ucb"}, {.kind = "thompson"}, {.kind = "epsilon-greedy"}}},
    {{.kind = "bernoulli", .options = {{"arms", .number = 3}}},
     {.kind = "uniform", .options = {{"batch", .number = 5}}},
     {{.kind = "ucb"}, {.kind = "thompson"}, {.kind = "epsilon-greedy"}}},
};

static const double few[] = {2.0, 9.0}, some_features[] = {0.0, 2.0, 3.0};
static const posse_part plain_clicks = {.kind = "logistic", .options = {{"bias", .number = -1.0}}};
static const posse_part blind_belief = {.kind = "gaussian", .options = {{"noise", .number = 2.0}}};

static const scene later_scenes[] = {
    {{.kind = "gaussian", .options = {{"arms", .number = 5}}},
     {.kind = "dynamic-balancing", .options = {{"coefficients", .list = coefficients, .count = 3}}},
     {{.kind = "ucb"}, {.kind = "fixed", .options = {{"arm", .number = 0}}}, {.kind = "thompson"}}},
    {{.kind = "bernoulli", .options = {{"arms", .number = 4}}},
     {.kind = "stochastic-corral", .options = {{"rate", .number = 0.3}}},
     {{.kind = "ucb", .options = {{"window", .number = 20}}},
      {.kind = "thompson"},
      {.kind = "epsilon-greedy", .options = {{"discount", .number = 0.9}}}}},
    {{.kind = "drifting", .options = {{"arms", .number = 5}, {"drift", .number = 0.1}}},
     {.kind = "bms",
      .options = {{"discount", .number = 0.95}, {"patience", .number = 20}, {"commitment", .number = 1}}},
     {{.kind = "ucb"}, {.kind = "thompson"}}},
    {{.kind = "shifting", .options = {{"arms", .number = 5}, {"every", .number = 30}}},
     {.kind = "bms", .options = {{"patience", .number = 2}, {"forgetting", .number = 1}, {"floor", .number = 0.1}}},
     {{.kind = "ucb"}, {.kind = "thompson"}}},
    {{.kind = "contextual",
      .options = {{"dim", .number = 4}, {"arms", .number = 9}, {"present", .list = few, .count = 2}}},
     {.kind = "bms-plus",
      .options =
          {{"commitment", .number = 1}, {"share", .number = 0}, {"memory", .number = 8}, {"floor", .number = 0.05}}},
     {{.kind = "linear-ucb", .options = {{"width", .number = 1.0}, {"features", .list = some_features, .count = 3}}},
      {.kind = "linear-thompson", .options = {{"width", .number = 0.3}, {"forget", .number = 0.98}}},
      {.kind = "square-cb"},
      {.kind = "ucb"}}},
    {{.kind = "contextual",
      .options = {{"model", .word = "disjoint"}, {"context", .number = 3}, {"arms", .number = 6}}},
     {.kind = "bms", .options = {{"share", .number = 1}}},
     {{.kind = "epsilon-greedy"},
      {.kind = "linear-thompson", .options = {{"width", .number = 1.0}}},
      {.kind = "linear-ucb", .options = {{"width", .number = 1.0}}},
      {.kind = "thompson"}}},
    {{.kind = "contextual",
      .options = {{"dim", .number = 11}, {"arms", .number = 13}, {"link", .word = "logistic"}, {"bias", .number = -1}}},
     {.kind = "bms",
      .options = {{"belief", .part = &plain_clicks}, {"memory", .word = "all"}, {"recency", .number = 1}}},
     {{.kind = "logistic-thompson", .options = {{"width", .number = 1.0}}},
      {.kind = "logistic-ucb",
       .options = {{"width", .number = 1.0}, {"model", .word = "disjoint"}, {"forget", .number = 0.9}}},
      {.kind = "epsilon-greedy", .options = {{"model", .word = "disjoint"}}}}},
    {{.kind = "contextual", .options = {{"dim", .number = 2}, {"arms", .number = 5}, {"stay", .number = 0.5}}},
     {.kind = "bms", .options = {{"belief", .part = &blind_belief}, {"hold", .number = 0.0}}},
     {{.kind = "thompson", .options = {{"belief", .part = &blind_belief}}},
      {.kind = "linear-ucb", .options = {{"width", .number = 1.0}}}}},
};

static const double three_rows[] = {0.2, 0.8, 0.5, 0.9, 0.1, 0.5, 0.4, 0.4, 0.6, -0.3, 0.2, 1.5};
static const double covariance[] = {1.0, 0.6, 0.6, 0.0, 0.6, 1.0, 0.6, 0.0, 0.6, 0.6, 1.0, 0.0, 0.0, 0.0, 0.0, 2.0};
static const posse_part unsure = {.kind = "normal-gamma", .options = {{"shape", .number = 0.6}}};
static const posse_part unsure_theta = {.kind = "linear",
                                        .options = {{"noise.shape", .number = 1.5}, {"noise.scale", .number = 0.5}}};
static const posse_part robust_theta = {.kind = "linear",
                                        .options = {{"noise.scale", .number = 0.5}, {"robust", .number = 1}}};
static const posse_part robust_counts = {.kind = "gamma",
                                         .options = {{"rate", .number = 0.2}, {"robust", .number = 1}}};
static const posse_part alike_components[] = {
    {.kind = "joint-gaussian", .options = {{"covariance", .list = covariance, .count = 16}}},
    {.kind = "joint-gaussian", .options = {{"mean", .number = 0.5}, {"correlation", .number = 0.9}}},
};
static const posse_part alike = {.kind = "mixture",
                                 .options = {{"components", .part = alike_components, .list = half, .count = 2}}};
static const posse_part smooth = {.kind = "particles",
                                  .options = {{"table", .list = three_rows, .count = 12}, {"kernel", .number = 0.5}}};

static const posse_part shared_prior = {.kind = "hierarchical"};
static const posse_part drawn_prior = {.kind = "hierarchical",
                                       .options = {{"method", .word = "meta"}, {"robust", .number = 1}}};
static const posse_part exact_clicks = {.kind = "logistic",
                                        .options = {{"inference", .word = "exact"}, {"precision", .number = 0.1}}};
static const posse_part langevin_clicks = {.kind = "logistic",
                                           .options = {{"inference", .word = "langevin"}, {"steps", .number = 4}}};
static const posse_part bounded_clicks = {.kind = "logistic", .options = {{"inference", .word = "variational"}}};
static const posse_part robust_clicks = {.kind = "logistic",
                                         .options = {{"bias", .number = -1}, {"robust", .number = 1}}};

static const scene belief_scenes[] = {
    {{.kind = "poisson",
      .options = {{"arms", .number = 4}, {"prior.shape", .number = 0.7}, {"prior.rate", .number = 0.05}}},
     {.kind = "bms"},
     {{.kind = "thompson"}, {.kind = "ucb"}, {.kind = "thompson", .options = {{"belief", .part = &robust_counts}}}}},
    {{.kind = "gaussian", .options = {{"arms", .number = 4}, {"noise", .number = 0.4}}},
     {.kind = "bms", .options = {{"belief", .part = &unsure}, {"watch", .number = 1}}},
     {{.kind = "thompson", .options = {{"belief", .part = &unsure}}},
      {.kind = "thompson", .options = {{"belief", .part = &alike}}},
      {.kind = "thompson", .options = {{"belief", .part = &smooth}}}}},
    {{.kind = "gaussian", .options = {{"arms", .number = 4}}},
     {.kind = "bms", .options = {{"belief", .part = &alike}}},
     {{.kind = "ucb"}, {.kind = "epsilon-greedy"}}},
    {{.kind = "linear", .options = {{"dim", .number = 9}, {"arms.set", .word = "ball"}, {"arms.count", .number = 30}}},
     {.kind = "bms", .options = {{"belief", .part = &robust_theta}}},
     {{.kind = "thompson", .options = {{"belief", .part = &unsure_theta}}},
      {.kind = "linear-ucb", .options = {{"width", .number = 1.0}}}}},
    {{.kind = "contextual",
      .options = {{"model", .word = "disjoint"}, {"context", .number = 3}, {"arms", .number = 6}}},
     {.kind = "bms", .options = {{"belief", .part = &unsure_theta}}},
     {{.kind = "thompson", .options = {{"belief", .part = &unsure_theta}}},
      {.kind = "linear-ucb", .options = {{"width", .number = 1.0}}}}},
    {
        {.kind = "gaussian",
         .options = {{"arms", .number = 5}, {"prior.mean-sd", .number = 1}, {"prior.sd", .number = 0.2}}},
        {.kind = "bms", .options = {{"belief", .part = &shared_prior}, {"watch", .number = 1}}},
        {{.kind = "thompson"},
         {.kind = "thompson", .options = {{"belief", .part = &drawn_prior}}},
         {.kind = "thompson", .options = {{"belief", .part = &doubtful}}},
         {.kind = "ucb"}},
    },
    {{.kind = "worlds", .options = {{"arms", .number = 4}, {"prior", .part = &alike}, {"noise", .number = 0.6}}},
     {.kind = "bms"},
     {{.kind = "thompson"}, {.kind = "ucb"}}},
    {{.kind = "logistic",
      .options = {{"dim", .number = 9},
                  {"arms.set", .word = "ball"},
                  {"arms.count", .number = 14},
                  {"prior.precision", .number = 0.1}}},
     {.kind = "bms"},
     {{.kind = "logistic-thompson", .options = {{"width", .number = 1.0}}},
      {.kind = "logistic-ucb", .options = {{"width", .number = 0.3}}},
      {.kind = "thompson", .options = {{"belief", .part = &exact_clicks}}},
      {.kind = "thompson", .options = {{"belief", .part = &langevin_clicks}}},
      {.kind = "thompson", .options = {{"belief", .part = &bounded_clicks}}}}},
    {{.kind = "logistic",
      .options =
          {{"dim", .number = 3}, {"arms.set", .word = "cube"}, {"arms.count", .number = 6}, {"bias", .number = -1}}},
     {.kind = "bms", .options = {{"belief", .part = &robust_clicks}}},
     {{.kind = "thompson"}, {.kind = "ucb"}}},
    /* every learner is asked */
    {{.kind = "contextual", .options = {{"dim", .number = 3}, {"arms", .number = 8}, {"stay", .number = 0.5}}},
     {.kind = "bms", .options = {{"share", .number = 1}, {"memory", .number = 12}}},
     {{.kind = "linear-ucb", .options = {{"width", .number = 1.0}}},
      {.kind = "linear-thompson", .options = {{"width", .number = 1.0}}},
      {.kind = "epsilon-greedy"}}},
};

static const scene selector_scenes[] = {
    {{.kind = "gaussian", .options = {{"arms", .number = 5}}},
     {.kind = "bms-plus", .options = {{"patience", .number = 3}, {"budget", .number = 0.1}}},
     {{.kind = "fixed", .options = {{"arm", .number = 0}}},
      {.kind = "fixed", .options = {{"arm", .number = 1}}},
      {.kind = "epsilon-greedy", .options = {{"epsilon", .number = 0.7}}}}},
    {{.kind = "linear", .options = {{"dim", .number = 4}, {"arms.set", .word = "ball"}, {"arms.count", .number = 37}}},
     {.kind = "bms-plus", .options = {{"patience", .number = 3}, {"budget", .number = 0.1}}},
     {{.kind = "fixed", .options = {{"arm", .number = 0}}},
      {.kind = "epsilon-greedy"},
      {.kind = "linear-ucb", .options = {{"width", .number = 1.0}}}}},
    {{.kind = "bernoulli", .options = {{"arms", .number = 3}}},
     {.kind = "d3rb"},
     {{.kind = "ucb"}, {.kind = "thompson"}, {.kind = "epsilon-greedy"}}},
    {{.kind = "gaussian", .options = {{"arms", .number = 5}}},
     {.kind = "ed2rb"},
     {{.kind = "ucb"}, {.kind = "thompson"}, {.kind = "epsilon-greedy"}}},
    {{.kind = "gaussian", .options = {{"arms", .number = 5}}},
     {.kind = "thompson"},
     {{.kind = "ucb"}, {.kind = "thompson"}, {.kind = "epsilon-greedy"}}},
    {{.kind = "bernoulli", .options = {{"arms", .number = 4}}},
     {.kind = "thompson", .options = {{"discount", .number = 0.99}, {"share", .number = 1}}},
     {{.kind = "thompson"}, {.kind = "ucb"}, {.kind = "fixed", .options = {{"arm", .number = 1}}}}},
    {{.kind = "poisson", .options = {{"arms", .number = 4}}},
     {.kind = "thompson"},
     {{.kind = "thompson"}, {.kind = "ucb"}, {.kind = "epsilon-greedy"}}},
};

static const scene known_best_scenes[] = {
    {{.kind = "bernoulli", .options = {{"arms", .number = 4}}},
     {.kind = "bd3rb", .options = {{"best", .number = 0.9}, {"confidence", .number = 0.2}, {"dmin", .number = 0.3}}},
     {{.kind = "ucb"}, {.kind = "thompson"}, {.kind = "fixed", .options = {{"arm", .number = 1}}}}},
    {{.kind = "gaussian", .options = {{"arms", .number = 5}}},
     {.kind = "bd3rb", .options = {{"best", .number = 1.5}}},
     {{.kind = "ucb"}, {.kind = "thompson"}, {.kind = "epsilon-greedy"}}},
    {{.kind = "bernoulli", .options = {{"arms", .number = 4}}},
     {.kind = "perfect-balancing", .options = {{"best", .number = 0.9}}},
     {{.kind = "ucb"}, {.kind = "thompson"}, {.kind = "fixed", .options = {{"arm", .number = 1}}}}},
    {{.kind = "gaussian", .options = {{"arms", .number = 5}}},
     {.kind = "perfect-balancing", .options = {{"best", .number = 1.5}, {"mode", .word = "optimistic"}}},
     {{.kind = "ucb"}, {.kind = "thompson"}, {.kind = "epsilon-greedy"}}},
};

static const double chain[] = {1.0, 1.0, 0.0, 3.0, 1.0, 0.0, 2.0, 0.0, 1.0,
                               0.5, 1.0, 4.0, 0.0, 1.0, 1.0, 0.2, 0.0, 6.0};
static const double far[] = {0.0, 0.1, -0.1, 0.0, 0.0, 1.0};
static const posse_part structures[] = {
    {.kind = "mdp"},
    {.kind = "mdp",
     .options = {{"transitions", .list = chain, .count = 18}, {"rewards.mean", .list = far, .count = 6}}},
};
static const posse_part unsure_structure = {.kind = "mixture",
                                            .options = {{"components", .part = structures, .list = half, .count = 2}}};

static const scene episode_scenes[] = {
    {{.kind = "mdp", .options = {{"states", .number = 4}, {"actions", .number = 2}}},
     {.kind = "bms"},
     {{.kind = "thompson"},
      {.kind = "q-learning", .options = {{"power", .number = 0.7}}},
      {.kind = "planner"},
      {.kind = "ucb"}}},
    {{.kind = "mdp",
      .options = {{"states", .number = 3},
                  {"actions", .number = 2},
                  {"discount", .number = 0.8},
                  {"start", .number = 1},
                  {"transitions", .list = chain, .count = 18},
                  {"rewards.mean", .list = far, .count = 6}}},
     {.kind = "bms-plus", .options = {{"belief", .part = &unsure_structure}, {"floor", .number = 0.1}}},
     {{.kind = "thompson", .options = {{"belief", .part = &structures[0]}}},
      {.kind = "q-learning", .options = {{"epsilon", .number = 0.3}, {"initial", .number = 2}}},
      {.kind = "fixed", .options = {{"arm", .number = 7}}}}},
};

/*
 * Linear Thompson sampling with many features, whose arms are known to differ between machines elsewhere; then teams
 * that share models.
 */
static const scene dense_scenes[] = {
    {{.kind = "contextual",
      .options = {{"model", .word = "disjoint"}, {"context", .number = 20}, {"arms", .number = 5}}},
     {.kind = "uniform"},
     {{.kind = "linear-thompson", .options = {{"width", .number = 0.1}}},
      {.kind = "linear-thompson", .options = {{"width", .number = 1}}}}},
    {{.kind = "contextual",
      .options = {{"model", .word = "disjoint"},
                  {"context", .number = 31},
                  {"arms", .number = 3},
                  {"link", .word = "logistic"}}},
     {.kind = "bms-plus", .options = {{"consider", .number = 1}}},
     {{.kind = "logistic-ucb", .options = {{"width", .number = 0.1}}},
      {.kind = "logistic-ucb", .options = {{"width", .number = 0.3}}},
      {.kind = "logistic-ucb", .options = {{"width", .number = 1.0}}},
      {.kind = "linear-ucb", .options = {{"width", .number = 0.25}}},
      {.kind = "ucb"}}},
    {{.kind = "contextual", .options = {{"dim", .number = 45}, {"arms", .number = 6}}},
     {.kind = "bms-plus"},
     {{.kind = "linear-ucb", .options = {{"width", .number = 0.25}}},
      {.kind = "linear-ucb", .options = {{"width", .number = 1.0}}},
      {.kind = "linear-thompson", .options = {{"width", .number = 0.2}}},
      {.kind = "epsilon-greedy"},
      {.kind = "square-cb"}}},
};

/* Learners and beliefs that do a step per feature. */
static const posse_part diagonal_theta = {.kind = "linear", .options = {{"covariance", .word = "diagonal"}}};
static const scene diagonal_scenes[] = {
    {{.kind = "contextual",
      .options = {{"model", .word = "disjoint"}, {"context", .number = 4}, {"arms", .number = 5}}},
     {.kind = "bms", .options = {{"share", .number = 1}, {"belief", .part = &diagonal_theta}}},
     {{.kind = "sgd-epsilon-greedy"},
      {.kind = "sgd-softmax"},
      {.kind = "sgd-bag", .options = {{"bags", .number = 3}}},
      {.kind = "sgd-cover"},
      {.kind = "sgd-regcb", .options = {{"range", .list = wide_range, .count = 2}}}}},
    {{.kind = "contextual", .options = {{"dim", .number = 9}, {"arms", .number = 6}}},
     {.kind = "bms", .options = {{"belief", .part = &diagonal_theta}}},
     {{.kind = "sgd-square-cb"},
      {.kind = "linear-ucb", .options = {{"width", .number = 1.0}, {"covariance", .word = "diagonal"}}},
      {.kind = "linear-thompson", .options = {{"covariance", .word = "diagonal"}, {"width", .number = 0.2}}},
      {.kind = "sgd-regcb", .options = {{"eliminate", .number = 1}}},
      {.kind = "sgd-bag"}}},
};

/* Learners with products of features: one vector or more in a row, and a model that several learners share. */
static const scene product_scenes[] = {
    {{.kind = "contextual",
      .options = {{"model", .word = "disjoint"}, {"context", .number = 11}, {"arms", .number = 4}}},
     {.kind = "bms-plus"},
     {{.kind = "linear-ucb", .options = {{"width", .number = 1.0}, {"products", .number = 1}}},
      {.kind = "linear-ucb", .options = {{"width", .number = 0.3}, {"products", .number = 1}}},
      {.kind = "linear-thompson", .options = {{"width", .number = 0.2}, {"products", .number = 1}}}}},
    {{.kind = "contextual",
      .options = {{"dim", .number = 3}, {"arms", .number = 6}, {"link", .word = "logistic"}, {"bias", .number = -1}}},
     {.kind = "bms"},
     {{.kind = "logistic-ucb", .options = {{"width", .number = 1.0}, {"products", .number = 1}}},
      {.kind = "logistic-thompson", .options = {{"width", .number = 0.5}, {"products", .number = 1}}},
      {.kind = "square-cb", .options = {{"products", .number = 1}}}}},
};

/* Learners that standardise rewards, in every form of the model. */
static const scene standardised_scenes[] = {
    {{.kind = "contextual",
      .options = {{"model", .word = "disjoint"}, {"context", .number = 6}, {"arms", .number = 5}}},
     {.kind = "bms-plus"},
     {{.kind = "linear-ucb", .options = {{"rewards", .word = "standardised"}}},
      {.kind = "linear-ucb", .options = {{"rewards", .word = "standardised"}, {"width", .number = 2}}},
      {.kind = "linear-thompson", .options = {{"rewards", .word = "standardised"}, {"products", .number = 1}}},
      {.kind = "square-cb", .options = {{"rewards", .word = "standardised"}, {"covariance", .word = "diagonal"}}}}},
    {{.kind = "contextual", .options = {{"dim", .number = 5}, {"arms", .number = 6}}},
     {.kind = "bms-plus"},
     {{.kind = "linear-thompson", .options = {{"rewards", .word = "standardised"}}},
      {.kind = "epsilon-greedy", .options = {{"rewards", .word = "standardised"}, {"forget", .number = 0.95}}}}},
};

#define COUNT(scenes_) (sizeof(scenes_) / sizeof((scenes_)[0]))

/* Which kinds have occurred in a scene, by place in the registry. */
static bool seen[POSSE_FAMILY_COUNT][256];

static void see(posse_family family, const posse_part *described) {
    for (int i = 0; i < posse_kind_count(family); i++)
        if (described->kind != NULL && strcmp(described->kind, posse_kind_name(family, i)) == 0) seen[family][i] = true;
    for (int i = 0; i < POSSE_OPTIONS_MAX && described->options[i].key != NULL; i++) {
        const posse_option *o = &described->options[i];
        for (size_t k = 0; o->part != NULL && k < (o->count > 0 ? o->count : 1); k++)
            see(POSSE_FAMILY_BELIEF, &o->part[k]);
    }
}

static void see_def(const posse_part *environment, const posse_def *def) {
    see(POSSE_FAMILY_ENVIRONMENT, environment);
    see(POSSE_FAMILY_BELIEF, &def->prior);
    see(POSSE_FAMILY_SELECTOR, &def->selector);
    for (int i = 0; i < def->learner_count; i++) see(POSSE_FAMILY_LEARNER, &def->learners[i]);
}

static posse_error decide(posse *p, posse_environment *e, posse_decision *d) {
    posse_context context;
    return posse_decide(p, posse_environment_round(e, &context) == POSSE_OK ? &context : NULL, d);
}

static void play_round(posse *p, posse_environment *e, int dim) {
    posse_decision d;
    if (decide(p, e, &d) != POSSE_OK) fingerprint_word(0);
    double reward = posse_environment_reward(e, &d);
    fingerprint_word((uint64_t)d.learner);
    fingerprint_word((uint64_t)d.arm);
    hash_real(d.probability);
    hash_real(reward);
    hash_real(posse_environment_regret(e, &d));
    for (int j = 0; d.arm < 0 && j < dim; j++) hash_real(d.point[j]);
    if (posse_learn(p, d.id, reward) != POSSE_OK) fingerprint_word(1);
}

/* Only a simulation reports the steps of an episode. */
static void play_episode(posse *p, posse_environment *e) {
    posse_decision d;
    if (run_round(p, e, &d) != POSSE_OK) fingerprint_word(0);
    fingerprint_word((uint64_t)d.learner);
    fingerprint_word((uint64_t)d.arm);
    hash_real(d.probability);
    hash_real(posse_environment_regret(e, &d));
    for (int i = 0; i <= 2 * posse_episode_steps(d.point); i++) hash_real(d.point[i]);
}

static void begin_task(posse *p, posse_environment *e) {
    if (posse_environment_next_task(e) != POSSE_OK || posse_next_task(p) != POSSE_OK) fingerprint_word(2);
}

static int play_scene(const scene *s) {
    posse_environment *e = NULL;
    posse *p = NULL;
    if (posse_environment_create(&s->environment, 2026, NULL, &e) != POSSE_OK) return 1;
    posse_def def = posse_environment_def(e);
    def.selector = s->selector;
    def.learners = s->learners;
    def.rounds = ROUNDS;
    while (def.learner_count < 5 && s->learners[def.learner_count].kind != NULL) def.learner_count++;
    see_def(&s->environment, &def);
    if (posse_create(&def, &p) != POSSE_OK) return 1;
    int task = posse_part_option(&s->environment, "prior.mean-sd") != NULL ? TASK_ROUNDS : ROUNDS;
    for (uint32_t run = 0; run < RUNS_PER_SCENE; run++) {
        run_begin(p, e, run);
        for (int round = 0; round < ROUNDS; round++) {
            if (round > 0 && round % task == 0) begin_task(p, e);
            if (def.episodes)
                play_episode(p, e);
            else
                play_round(p, e, def.dim);
        }
    }
    posse_free(p);
    posse_environment_free(e);
    return 0;
}

/* Kinds that cannot have a scene: what an external learner plays is the application's, and two environments need files.
 */
static const struct {
    posse_family family;
    const char *kind;
} elsewhere[] = {
    {POSSE_FAMILY_LEARNER, "external"}, {POSSE_FAMILY_ENVIRONMENT, "table"}, {POSSE_FAMILY_ENVIRONMENT, "log"}};

static bool is_elsewhere(posse_family family, const char *kind) {
    for (size_t i = 0; i < COUNT(elsewhere); i++)
        if (elsewhere[i].family == family && strcmp(elsewhere[i].kind, kind) == 0) return true;
    return false;
}

/* Kinds without a scene, each named. */
static int count_unseen(void) {
    int unseen = 0;
    for (int family = 0; family < POSSE_FAMILY_COUNT; family++)
        for (int i = 0; i < posse_kind_count((posse_family)family); i++) {
            const char *kind = posse_kind_name((posse_family)family, i);
            if (seen[family][i] || is_elsewhere((posse_family)family, kind)) continue;
            fprintf(stderr, "golden: no scene has the %s %s\n", posse_family_name((posse_family)family), kind);
            unseen++;
        }
    return unseen;
}

static int play_scenes(const scene *list, size_t count) {
    hash = FINGERPRINT_START;
    for (size_t i = 0; i < count; i++)
        if (play_scene(&list[i]) != 0) return 1;
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && !kernels_use(argv[1])) return 77;
    if (play_scenes(scenes, COUNT(scenes)) != 0 || play_scenes(later_scenes, COUNT(later_scenes)) != 0 ||
        play_scenes(belief_scenes, COUNT(belief_scenes)) != 0 ||
        play_scenes(selector_scenes, COUNT(selector_scenes)) != 0 ||
        play_scenes(known_best_scenes, COUNT(known_best_scenes)) != 0 ||
        play_scenes(episode_scenes, COUNT(episode_scenes)) != 0 ||
        play_scenes(dense_scenes, COUNT(dense_scenes)) != 0 ||
        play_scenes(diagonal_scenes, COUNT(diagonal_scenes)) != 0 ||
        play_scenes(product_scenes, COUNT(product_scenes)) != 0 ||
        play_scenes(standardised_scenes, COUNT(standardised_scenes)) != 0)
        return 1;
    return count_unseen() > 0 ? 1 : 0;
}

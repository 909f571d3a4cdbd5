/* SPDX-License-Identifier: MIT */
/*
 * Gaussian environment: independent arms, mean of arm a ~ N(prior.mean_a, prior.sd_a^2), reward = mean + noise z.
 *
 * With prior.mean-sd, the tasks of a run are alike: mu_a ~ N(prior.mean_a, prior.mean-sd_a^2) is drawn once in a run,
 * and in each task the mean of arm a ~ N(mu_a, prior.sd^2). The environment's own prior is a hierarchical belief then.
 */
#include "environment/normal_arms.h"
#include "model/abreast_form.h"

enum { MEANS = NORMAL_OPTIONS, NOISE, MEAN_SD };

static const posse_param params[] = {
    NORMAL_ARMS_PARAMETERS,
    NORMAL_MEANS_PARAMETER("instead of a prior: the mean reward of each arm, one fixed instance"),
    PARAMETER_NOISE(0, SCALE_MIN, SCALE_MAX),
    {.name = "prior.mean-sd",
     .type = POSSE_TYPE_REALS,
     .fallback = 0.0,
     .low = 0.0,
     .high = SCALE_MAX,
     .help =
         "standard deviation of prior.mean, drawn once a run for all its tasks: one for all arms, or a list; 0: it is "
         "known"},
    PARAMETERS_END};

typedef struct plan {
    normal_arms arms;
    const double *mean_sd; /* NULL: the prior's means are known */
} plan;

/* If the prior's means are unknown, they follow the means of the arms in an instance. */
static double *shared_means(const plan *p, void *instance_) {
    independent_arms *instance = instance_;
    return instance->means + p->arms.arms;
}

static posse_error prepare_tasks(const posse_setup *setup, plan *p) {
    const double *sds;
    int known = 0;
    posse_error error = posse_setup_numbers(setup, &setup->settings[MEAN_SD], p->arms.arms, "arms", &sds);
    if (error != POSSE_OK) return error;
    for (int a = 0; a < p->arms.arms; a++) known += sds[a] < SCALE_MIN;
    if (known == p->arms.arms) return POSSE_OK;
    if (known > 0)
        return posse_setup_refuse(setup, "prior.mean-sd", -1,
                                  "0 for some arms: the means of the prior are known for all arms, or for none");
    for (int a = 1; a < p->arms.arms; a++)
        if (p->arms.sd[a] != p->arms.sd[0])
            return posse_setup_refuse(setup, "prior.sd", -1, "with prior.mean-sd it must be one number for all arms");
    p->mean_sd = sds;
    return POSSE_OK;
}

static posse_error gaussian_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    *out = p;
    posse_error error = normal_arms_prepare(setup, &setup->settings[NOISE], &setup->settings[MEANS], &p->arms);
    return error == POSSE_OK && p->arms.fixed == NULL ? prepare_tasks(setup, p) : error;
}

static size_t gaussian_state_size(const void *plan_) {
    const plan *p = plan_;
    return independent_size(p->mean_sd != NULL ? 2 * p->arms.arms : p->arms.arms);
}

static posse_arm_set gaussian_arms(const void *plan_) {
    return (posse_arm_set){.arms = ((const plan *)plan_)->arms.arms};
}

static posse_part gaussian_prior(const void *plan_) {
    const plan *p = plan_;
    if (p->mean_sd == NULL) return normal_arms_prior(&p->arms, 0.0);
    size_t count = (size_t)p->arms.arms;
    return (posse_part){.kind = "hierarchical",
                        .options = {{.key = "mean", .list = p->arms.mean, .count = count},
                                    {.key = "mean-sd", .list = p->mean_sd, .count = count},
                                    {.key = "spread", .number = p->arms.sd[0]},
                                    {.key = "noise", .number = p->arms.noise}}};
}

static void gaussian_next_task(const void *plan_, void *instance_, const posse_space *space, posse_draw *draw) {
    (void)space;
    const plan *p = plan_;
    independent_arms *instance = instance_;
    if (p->mean_sd == NULL) {
        normal_arms_draw(&p->arms, instance, draw);
        return;
    }
    const double *mu = shared_means(p, instance);
    for (int a = 0; a < p->arms.arms; a++) instance->means[a] = mu[a] + p->arms.sd[a] * draw_normal(draw);
    independent_finish(instance, p->arms.arms);
}

static void gaussian_begin(const void *plan_, void *instance, const posse_space *space, posse_draw *draw) {
    const plan *p = plan_;
    for (int a = 0; a < p->arms.arms && p->mean_sd != NULL; a++)
        shared_means(p, instance)[a] = p->arms.mean[a] + p->mean_sd[a] * draw_normal(draw);
    gaussian_next_task(p, instance, space, draw);
}

static double gaussian_reward(const void *plan_, void *instance, int arm, const double *point, posse_draw *noise) {
    (void)point;
    return normal_arms_reward(&((const plan *)plan_)->arms, instance, arm, noise);
}

static bool prior_is_known(const void *plan_) {
    return ((const plan *)plan_)->mean_sd == NULL;
}

static const double *prior_means(const void *plan_) {
    const normal_arms *n = &((const plan *)plan_)->arms;
    return n->fixed != NULL ? n->fixed : n->mean;
}

static double gaussian_noise(const void *plan_) {
    return ((const plan *)plan_)->arms.noise;
}

static const abreast_form abreast = {.fits = prior_is_known, .means = prior_means, .noise = gaussian_noise};

const posse_environment_ops environment_gaussian = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "gaussian",
             .help = "independent arms with normal means and normal noise",
             .params = params,
             .prepare = gaussian_prepare,
             .state_size = gaussian_state_size,
             .reserved = &abreast},
    .arms = gaussian_arms,
    .prior = gaussian_prior,
    .begin = gaussian_begin,
    .reward = gaussian_reward,
    .regret = independent_regret,
    .means = independent_means,
    .next_task = gaussian_next_task,
};

/* SPDX-License-Identifier: MIT */
/* The header of 0.2.0, without its comments. */
#ifndef POSSE_H
#define POSSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define POSSE_VERSION_MAJOR 0
#define POSSE_VERSION_MINOR 2
#define POSSE_VERSION_PATCH 0

#if defined(__GNUC__)
#define POSSE_API __attribute__((visibility("default")))
#else
#define POSSE_API
#endif

typedef enum posse_error {
    POSSE_OK = 0,
    POSSE_ERROR_ARGUMENT = 1,
    POSSE_ERROR_KIND = 2,
    POSSE_ERROR_OPTION = 3,
    POSSE_ERROR_FIT = 4,
    POSSE_ERROR_MEMORY = 5,
    POSSE_ERROR_REWARD = 6,
    POSSE_ERROR_UNKNOWN = 7,
    POSSE_ERROR_SETTLED = 8,
    POSSE_ERROR_LEARNER = 9,
    POSSE_ERROR_NAME = 10,
    POSSE_ERROR_BUFFER = 11,
    POSSE_ERROR_DAMAGED = 12,
    POSSE_ERROR_VERSION = 13,
    POSSE_ERROR_ABSENT = 14,
    POSSE_ERROR_FULL = 15,
    POSSE_ERROR_ARM = 16,
    POSSE_ERROR_UNTOLD = 17,
    POSSE_ERROR_CONTEXT = 18
} posse_error;

POSSE_API const char *posse_error_name(posse_error error);
POSSE_API const char *posse_error_text(posse_error error);

POSSE_API const char *posse_version(void);

POSSE_API const char *posse_kernels(void);

typedef struct posse_part posse_part;

typedef struct posse_option {
    const char *key;
    double number;
    const char *word;
    const double *list;
    const posse_part *part;
    size_t count;
} posse_option;

#define POSSE_OPTIONS_MAX 16

struct posse_part {
    const char *kind;
    const char *name;
    posse_option options[POSSE_OPTIONS_MAX];
};

typedef struct posse_allocator {
    void *(*resize)(void *context, void *block, size_t size);
    void *context;
} posse_allocator;

typedef struct posse_place {
    const struct posse_place *outer;
    const char *name;
    int index;
} posse_place;

POSSE_API size_t posse_place_text(const posse_place *place, char *text, size_t size);

typedef struct posse_logger {
    void (*write)(void *context, const posse_place *place, const char *message);
    void *context;
} posse_logger;

typedef struct posse_host {
    posse_allocator allocator;
    posse_logger log;
} posse_host;

typedef struct posse_def {
    int arms;
    int dim;
    const double *points;
    int context;
    posse_part prior;
    posse_part selector;
    const posse_part *learners;
    int learner_count;
    uint64_t seed;
    uint32_t run;
    uint64_t rounds;

    uint64_t expire_after;
    bool expire_learns;
    double expire_reward;

    uint32_t propensity_draws;
    posse_host host;
} posse_def;

#define POSSE_ARM_UNTOLD (-2)

typedef struct posse_decision {
    uint64_t id;
    int learner;
    int arm;
    double probability;
    const double *point;
    bool probe;
    double propensity;
    bool floor;
} posse_decision;

typedef struct posse_context {
    int count;
    const int *arms;
    const double *shared;
    const double *points;
} posse_context;

typedef struct posse posse;

POSSE_API posse_def posse_default_def(void);

POSSE_API posse_error posse_create(const posse_def *def, posse **out);

POSSE_API posse_error posse_decide(posse *p, posse_decision *decision);

POSSE_API posse_error posse_decide_in(posse *p, const posse_context *context, posse_decision *decision);

POSSE_API posse_error posse_learn(posse *p, uint64_t id, double reward);

POSSE_API posse_error posse_forget(posse *p, uint64_t id);

POSSE_API void posse_free(posse *p);

POSSE_API posse_error posse_acted(posse *p, uint64_t id, int arm);
POSSE_API posse_error posse_acted_at(posse *p, uint64_t id, const double *point);
POSSE_API posse_error posse_acted_in(posse *p, uint64_t id, const posse_context *context, int arm);

POSSE_API posse_error posse_teach(posse *p, int arm, double reward);
POSSE_API posse_error posse_teach_at(posse *p, const double *point, double reward);
POSSE_API posse_error posse_teach_in(posse *p, const posse_context *context, int arm, double reward);

typedef struct posse_pending {
    uint64_t id;
    uint64_t age;
    int learner;
    int arm;
    const double *point;
    double probability;
    bool probe;
    double propensity;
    bool floor;
} posse_pending;

POSSE_API uint64_t posse_decisions(const posse *p);
POSSE_API size_t posse_pending_count(const posse *p);

POSSE_API posse_error posse_pending_find(const posse *p, uint64_t id, posse_pending *out);

POSSE_API posse_error posse_pending_list(const posse *p, posse_pending *list);

POSSE_API posse_error posse_pending_reserve(posse *p, size_t decisions);

POSSE_API posse_error posse_expire(posse *p, uint64_t age, size_t *expired);

POSSE_API posse_error posse_save(const posse *p, void *buffer, size_t *length);

POSSE_API posse_error posse_load(const void *buffer, size_t length, const posse_host *host, posse **out);

POSSE_API posse_error posse_load_exact(const void *buffer, size_t length, const posse_host *host, posse **out);

POSSE_API uint32_t posse_epoch(const posse *p);
POSSE_API posse_error posse_set_epoch(posse *p, uint32_t epoch);

POSSE_API posse_error posse_learner_add(posse *p, const posse_part *learner, int *place);

POSSE_API posse_error posse_learner_retire(posse *p, int place);

POSSE_API int posse_learner_count(const posse *p);
POSSE_API const char *posse_learner_name(const posse *p, int place);
POSSE_API bool posse_learner_active(const posse *p, int place);

POSSE_API posse_error posse_arm_add(posse *p, const double *point, int *arm);

POSSE_API posse_error posse_arm_retire(posse *p, int arm);
POSSE_API bool posse_arm_active(const posse *p, int arm);

POSSE_API posse_error posse_next_task(posse *p);

POSSE_API int posse_arms(const posse *p);
POSSE_API int posse_dim(const posse *p);

POSSE_API int posse_features(const posse *p);
POSSE_API int posse_shared_features(const posse *p);

typedef struct posse_rewards {
    double low, high;
} posse_rewards;

POSSE_API posse_rewards posse_reward_range(const posse *p);

POSSE_API bool posse_unit_rewards(const posse *p);

POSSE_API posse_error posse_plays(const posse *p, uint64_t *plays);

POSSE_API posse_error posse_potentials(const posse *p, double *potentials);

POSSE_API double posse_play_weight(const posse *p, double rounds);
POSSE_API double posse_charge_share(const posse *p, double rounds, double plays);
POSSE_API double posse_play_discount(const posse *p);

POSSE_API posse_error posse_probabilities(const posse *p, double *probabilities);

POSSE_API posse_error posse_clipped(const posse *p, uint64_t *rewards);

POSSE_API posse_error posse_means(const posse *p, double *means);

POSSE_API posse_error posse_deviations(const posse *p, double *deviations);

POSSE_API posse_error posse_means_in(const posse *p, const posse_context *context, double *means);
POSSE_API posse_error posse_deviations_in(const posse *p, const posse_context *context, double *deviations);

POSSE_API int posse_component_count(const posse *p);
POSSE_API posse_error posse_weights(const posse *p, double *weights);

POSSE_API posse_error posse_regrets(const posse *p, double *regrets);

POSSE_API posse_error posse_best_probabilities(const posse *p, uint32_t draws, double *probabilities);

typedef struct posse_propensity {
    double *learners, *learner_errors;
    double *arms, *arm_errors;
} posse_propensity;
POSSE_API posse_error posse_propensities(const posse *p, uint32_t draws, const posse_propensity *out);
POSSE_API posse_error posse_propensities_in(const posse *p, const posse_context *context, uint32_t draws,
                                            const posse_propensity *out);

POSSE_API uint32_t posse_propensity_draws(const posse *p);

POSSE_API posse_error posse_surprise(const posse *p, double *surprise);

POSSE_API posse_error posse_acceptance(const posse *p, uint32_t draws, double *acceptance);

typedef enum posse_family {
    POSSE_ENVIRONMENT = 0,
    POSSE_BELIEF = 1,
    POSSE_LEARNER = 2,
    POSSE_SELECTOR = 3
} posse_family;
#define POSSE_FAMILIES 4

typedef enum posse_type {
    POSSE_REAL = 0,
    POSSE_COUNT = 1,
    POSSE_FLAG = 2,
    POSSE_WORD = 3,
    POSSE_REALS = 4,
    POSSE_TABLE = 5,
    POSSE_PART = 6,
    POSSE_PARTS = 7,
    POSSE_RANGE = 8,
    POSSE_TEXT = 9,
    POSSE_NAMES = 10
} posse_type;

enum {
    POSSE_REQUIRED = 1,
    POSSE_OPTIONAL = 2,
    POSSE_ABOVE = 4,
    POSSE_BELOW = 8,
    POSSE_INHERITED = 16,
    POSSE_PATH = 32
};

typedef struct posse_param {
    const char *name;
    posse_type type;
    unsigned flags;
    double fallback;
    const char *fallback_word;
    const double *fallbacks;
    double low, high;
    const char *words;
    const char *excludes;
    const char *help;
} posse_param;

POSSE_API bool posse_param_default(const posse_param *param, posse_option *out);

POSSE_API int posse_kind_count(posse_family family);
POSSE_API int posse_kind_find(posse_family family, const char *name);
POSSE_API const char *posse_kind_name(posse_family family, int index);
POSSE_API const char *posse_kind_help(posse_family family, int index);
POSSE_API const posse_param *posse_kind_params(posse_family family, int index);

enum { POSSE_BELIEVES = 1, POSSE_CLIPS = 2, POSSE_MOVES = 4, POSSE_EXTERNAL = 8, POSSE_LOGGED = 16 };
POSSE_API unsigned posse_kind_traits(posse_family family, int index);

POSSE_API const char *posse_family_name(posse_family family);
POSSE_API const posse_param *posse_family_params(posse_family family);

POSSE_API posse_error posse_part_check(posse_family family, const posse_part *part, const posse_logger *log);

POSSE_API posse_error posse_part_resolve(posse_family family, const posse_part *part, const posse_part *prior,
                                         const posse_logger *log, posse_part *out);

POSSE_API const posse_option *posse_part_option(const posse_part *part, const char *name);
POSSE_API const posse_option *posse_part_option_of_type(posse_family family, const posse_part *part, posse_type type);

typedef struct posse_prior posse_prior;

POSSE_API posse_error posse_prior_read(const char *path, const posse_host *host, posse_prior **out);

POSSE_API posse_error posse_prior_read_text(const char *path, const char *text, size_t length, const posse_host *host,
                                            posse_prior **out);
POSSE_API void posse_prior_free(posse_prior *prior);

POSSE_API const posse_part *posse_prior_part(const posse_prior *prior);

POSSE_API int posse_prior_arms(const posse_prior *prior);

POSSE_API size_t posse_prior_text(const posse_prior *prior, char *text, size_t size);

typedef struct posse_fit {
    const char *kind;
    int components;
    double noise;
    uint64_t seed;
    bool plays;
    const char *task, *arm, *reward;
    void (*progress)(void *context, double share);
    void *context;
} posse_fit;

POSSE_API posse_fit posse_default_fit(void);

POSSE_API posse_error posse_prior_fit(const char *path, const posse_fit *how, const posse_host *host,
                                      posse_prior **out);

typedef struct posse_fit_candidate {
    double size;
    double score;
} posse_fit_candidate;

typedef struct posse_fit_record {
    size_t rows;
    const double *table;
    const char *const *names;
    uint64_t rewards;
    double noise;
    double size;
    double score;
    const posse_fit_candidate *candidates;
    size_t candidate_count;
} posse_fit_record;

POSSE_API posse_error posse_prior_record(const posse_prior *prior, posse_fit_record *out);

typedef struct posse_environment posse_environment;

POSSE_API posse_error posse_environment_create(const posse_part *part, uint64_t seed, const posse_host *host,
                                               posse_environment **out);
POSSE_API void posse_environment_free(posse_environment *e);

POSSE_API posse_def posse_environment_def(const posse_environment *e);

POSSE_API void posse_environment_begin(posse_environment *e, uint32_t run);

POSSE_API posse_error posse_environment_next_task(posse_environment *e);

POSSE_API posse_error posse_environment_round(posse_environment *e, posse_context *out);

POSSE_API double posse_environment_reward(posse_environment *e, const posse_decision *decision);

POSSE_API double posse_environment_regret(const posse_environment *e, const posse_decision *decision);

POSSE_API void posse_environment_means(const posse_environment *e, double *means);

typedef struct posse_trace {
    int32_t *learners;
    int32_t *arms;
    double *regrets;
} posse_trace;

POSSE_API posse_error posse_restart(posse *p, uint32_t run);

POSSE_API posse_error posse_play(posse *p, posse_environment *e, size_t rounds, const posse_trace *trace);

typedef enum posse_estimate { POSSE_REPLAY = 0, POSSE_IPS = 1, POSSE_SNIPS = 2, POSSE_DR = 3 } posse_estimate;

typedef struct posse_logbook {
    uint64_t rows;
    double least_probability;
    double least_reward, largest_reward;
    posse_estimate estimate;
} posse_logbook;

POSSE_API posse_error posse_environment_logbook(const posse_environment *e, posse_logbook *out);

typedef struct posse_appraisal {
    int32_t *learners;
    int32_t *arms;
    double *terms;
    double *weights;
} posse_appraisal;

POSSE_API posse_error posse_replay(posse *p, posse_environment *e, size_t rows, const posse_appraisal *out);

typedef struct posse_draw posse_draw;

POSSE_API double posse_draw_uniform(posse_draw *draw);
POSSE_API double posse_draw_normal(posse_draw *draw);
POSSE_API void posse_draw_normals(posse_draw *draw, double *out, size_t count);
POSSE_API double posse_draw_gamma(posse_draw *draw, double shape);
POSSE_API double posse_draw_beta(posse_draw *draw, double a, double b);
POSSE_API double posse_draw_poisson(posse_draw *draw, double mean);
POSSE_API uint64_t posse_draw_index(posse_draw *draw, uint64_t count);
POSSE_API size_t posse_draw_weighted(posse_draw *draw, const double *weights, size_t count);

POSSE_API double posse_log(double x);
POSSE_API double posse_exp(double x);
POSSE_API double posse_log_gamma(double x);

typedef struct posse_space posse_space;

POSSE_API int posse_space_arms(const posse_space *space);
POSSE_API int posse_space_dim(const posse_space *space);
POSSE_API const double *posse_space_point(const posse_space *space, int arm);
POSSE_API bool posse_space_active(const posse_space *space, int arm);
POSSE_API int posse_space_features(const posse_space *space);

typedef struct posse_round {
    int count;
    const int *arms;
    int width;
    size_t stride;
    const double *features;
} posse_round;

typedef struct posse_setup {
    const posse_option *settings;
    const posse_space *space;
    const posse_part *prior;
    uint64_t seed;
    uint64_t rounds;
    int learners;
    int founders;
    int arms_before;
    void *owner;
    bool share;
} posse_setup;

POSSE_API void *posse_setup_allocate(const posse_setup *setup, size_t size);

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
POSSE_API posse_error
posse_setup_refuse(const posse_setup *setup, const char *option, int entry, const char *format, ...);

POSSE_API posse_error posse_setup_numbers(const posse_setup *setup, const posse_option *setting, int count,
                                          const char *what, const double **out);

typedef struct posse_kind {
    int version;
    const char *name;
    const char *help;
    const posse_param *params;

    posse_error (*prepare)(const posse_setup *setup, void **plan);

    size_t (*state_size)(const void *plan);

    void (*start)(const void *plan, void *state);

    bool (*sane)(const void *plan, const void *state);

    bool (*unit_rewards)(const void *plan);

    void (*grow)(const void *plan, void *state, const void *former_plan, const void *former_state);

    const struct abreast_form *abreast;
} posse_kind;

#define POSSE_EXTENSION_VERSION 3

typedef struct posse_learner_ops {
    posse_kind kind;

    int (*act)(const void *plan, void *state, posse_draw *draw, double *point);

    void (*learn)(const void *plan, void *state, int arm, const double *point, double reward);

    int (*act_in)(const void *plan, void *state, posse_draw *draw, const posse_round *round);

    const struct posse_learner_ops *in_contexts;

    posse_rewards (*rewards)(const void *plan);

    void (*next_task)(const void *plan, void *state, posse_draw *draw);
} posse_learner_ops;

typedef struct posse_belief_shape {
    int dim;
    bool one_hot;
} posse_belief_shape;

typedef struct posse_belief_model {
    bool disjoint;
    bool logistic;
    double bias;
} posse_belief_model;

typedef struct posse_belief_ops {
    posse_kind kind;
    posse_belief_shape (*shape)(const void *plan);

    void (*update)(const void *plan, void *state, int arm, const double *point, double reward);

    void (*draw)(const void *plan, const void *state, posse_draw *draw, double *world);

    void (*add_mean)(const void *plan, const void *state, double scale, double *world);

    double (*evidence)(const void *plan, const void *state, int arm, const double *point, double reward);

    int variants;
    posse_error (*vary)(const posse_setup *setup, int variant, posse_option *settings);

    void (*moments)(const void *plan, const void *state, int arm, const double *point, double *mean, double *variance);

    posse_belief_model (*model)(const void *plan);

    const struct posse_belief_ops *in_contexts;

    posse_rewards (*rewards)(const void *plan);

    void (*next_task)(const void *plan, void *state, posse_draw *draw);

    bool (*acceptance)(const void *plan, const void *state, posse_draw *draw, double *out);
} posse_belief_ops;

typedef struct posse_belief posse_belief;

POSSE_API posse_error posse_setup_belief(const posse_setup *setup, const posse_option *setting,
                                         const posse_belief **out);
POSSE_API size_t posse_belief_state_size(const posse_belief *belief);
POSSE_API void posse_belief_start(const posse_belief *belief, void *state);
POSSE_API bool posse_belief_sane(const posse_belief *belief, const void *state);
POSSE_API posse_rewards posse_belief_rewards(const posse_belief *belief);
POSSE_API bool posse_belief_unit_rewards(const posse_belief *belief);
POSSE_API void posse_belief_grow(const posse_belief *belief, void *state, const posse_belief *former,
                                 const void *former_state);
POSSE_API void posse_belief_next_task(const posse_belief *belief, void *state, posse_draw *draw);
POSSE_API posse_belief_shape posse_belief_get_shape(const posse_belief *belief);
POSSE_API void posse_belief_update(const posse_belief *belief, void *state, int arm, const double *point,
                                   double reward);
POSSE_API void posse_belief_draw(const posse_belief *belief, const void *state, posse_draw *draw, double *world);
POSSE_API void posse_belief_add_mean(const posse_belief *belief, const void *state, double scale, double *world);
POSSE_API double posse_belief_evidence(const posse_belief *belief, const void *state, int arm, const double *point,
                                       double reward);

POSSE_API int posse_belief_best(const posse_belief *belief, const double *world, double *value, double *point);

POSSE_API int posse_belief_values(const posse_belief *belief, const double *world, const posse_round *round,
                                  double *values);

typedef struct posse_outcome {
    int learner;
    int arm;
    const double *point;
    double reward;
    double probability;
    bool probe;
} posse_outcome;

typedef struct posse_selector_ops {
    posse_kind kind;

    void (*admit)(const void *plan, void *state, int learner);

    void (*retire)(const void *plan, void *state, int learner);

    int (*choose)(const void *plan, void *state, posse_draw *draw, posse_draw *ties, double *probability);

    void (*played)(const void *plan, void *state, int learner, int arm, const double *point);

    void (*learn)(const void *plan, void *state, const posse_outcome *outcome);

    void (*adopt)(const void *plan, void *state, const void *smaller_plan, const void *smaller_state);

    void (*potentials)(const void *plan, const void *state, int learners, double *out);

    double (*play_weight)(const void *plan, double learners, double rounds);
    double (*charge_share)(const void *plan, double learners, double rounds, double plays);

    double (*play_discount)(const void *plan);

    void (*probabilities)(const void *plan, const void *state, int learners, double *out);

    double (*clipped)(const void *plan, const void *state);

    const posse_belief *(*belief)(const void *plan, const void *state, const void **belief_state);

    void (*teach)(const void *plan, void *state, int arm, const double *point, double reward);

    void (*regrets)(const void *plan, const void *state, const double *world, int learners, double *out);

    int (*probe)(const void *plan, void *state, int learner, posse_draw *draw);

    bool (*surprise)(const void *plan, const void *state, double *out);

    void (*played_in)(const void *plan, void *state, int learner, const posse_round *round, int place,
                      posse_draw *draw);

    bool (*considers)(const void *plan);

    void (*considered)(const void *plan, void *state, const posse_round *round, const int *picks, posse_draw *draw);

    const struct posse_selector_ops *in_contexts;
    posse_rewards (*rewards)(const void *plan);

    void (*next_task)(const void *plan, void *state, posse_draw *draw);
} posse_selector_ops;

typedef struct posse_arm_set {
    int arms, dim;
    const double *points;
} posse_arm_set;

typedef struct posse_logged {
    int arm;
    double reward;
    double probability;
} posse_logged;

typedef struct posse_environment_ops {
    posse_kind kind;
    posse_arm_set (*arms)(const void *plan);

    posse_part (*prior)(const void *plan);

    void (*begin)(const void *plan, void *instance, const posse_space *space, posse_draw *draw);

    double (*reward)(const void *plan, void *instance, int arm, const double *point, posse_draw *noise);

    double (*regret)(const void *plan, const void *instance, int arm, const double *point);

    void (*means)(const void *plan, const void *instance, const posse_space *space, double *out);
    bool moves;

    void (*bring)(const void *plan, void *instance, posse_draw *draw, posse_round *round);

    bool (*shares)(const void *plan);

    posse_logbook (*logbook)(const void *plan);
    posse_logged (*logged)(const void *plan, const void *instance);

    double (*expected)(const void *plan, const void *instance, int arm, const double *point);

    void (*next_task)(const void *plan, void *instance, const posse_space *space, posse_draw *draw);
} posse_environment_ops;

POSSE_API posse_error posse_learner_register(const posse_learner_ops *ops);
POSSE_API posse_error posse_belief_register(const posse_belief_ops *ops);
POSSE_API posse_error posse_selector_register(const posse_selector_ops *ops);
POSSE_API posse_error posse_environment_register(const posse_environment_ops *ops);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
/* The header of 0.1.0, without its comments. */
#ifndef POSSE_H
#define POSSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define POSSE_VERSION_MAJOR 0
#define POSSE_VERSION_MINOR 1
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
    POSSE_ERROR_ARM = 16
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

#define POSSE_OPTIONS_MAX 10

struct posse_part {
    const char *kind;
    const char *name;
    posse_option options[POSSE_OPTIONS_MAX];
};

typedef struct posse_allocator {
    void *(*resize)(void *context, void *block, size_t size);
    void *context;
} posse_allocator;

typedef struct posse_logger {
    void (*write)(void *context, const char *message);
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
    posse_part prior;
    posse_part selector;
    const posse_part *learners;
    int learner_count;
    uint64_t seed;
    uint32_t run;
    uint64_t rounds;
    posse_host host;
} posse_def;

typedef struct posse_decision {
    uint64_t id;
    int learner;
    int arm;
    double probability;
    const double *point;
} posse_decision;

typedef struct posse posse;

POSSE_API posse_def posse_default_def(void);

POSSE_API posse_error posse_create(const posse_def *def, posse **out);

POSSE_API posse_error posse_decide(posse *p, posse_decision *decision);

POSSE_API posse_error posse_learn(posse *p, uint64_t id, double reward);

POSSE_API posse_error posse_forget(posse *p, uint64_t id);

POSSE_API void posse_free(posse *p);

POSSE_API posse_error posse_save(const posse *p, void *buffer, size_t *length);

POSSE_API posse_error posse_load(const void *buffer, size_t length, const posse_host *host, posse **out);

POSSE_API posse_error posse_learner_add(posse *p, const posse_part *learner, int *place);

POSSE_API posse_error posse_learner_retire(posse *p, int place);

POSSE_API int posse_learner_count(const posse *p);
POSSE_API const char *posse_learner_name(const posse *p, int place);
POSSE_API bool posse_learner_active(const posse *p, int place);

POSSE_API int posse_arms(const posse *p);
POSSE_API int posse_dim(const posse *p);

POSSE_API size_t posse_pending_count(const posse *p);

POSSE_API posse_error posse_plays(const posse *p, uint64_t *plays);

POSSE_API posse_error posse_potentials(const posse *p, double *potentials);

POSSE_API posse_error posse_probabilities(const posse *p, double *probabilities);

POSSE_API posse_error posse_clipped(const posse *p, uint64_t *rewards);

POSSE_API posse_error posse_means(const posse *p, double *means);

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
    POSSE_RANGE = 8
} posse_type;

enum { POSSE_REQUIRED = 1, POSSE_OPTIONAL = 2, POSSE_ABOVE = 4, POSSE_BELOW = 8, POSSE_INHERITED = 16 };

typedef struct posse_param {
    const char *name;
    posse_type type;
    unsigned flags;
    double fallback;
    double low, high;
    const char *words;
    const char *excludes;
    const char *help;
} posse_param;

POSSE_API int posse_kind_count(posse_family family);
POSSE_API const char *posse_kind_name(posse_family family, int index);
POSSE_API const char *posse_kind_help(posse_family family, int index);
POSSE_API const posse_param *posse_kind_params(posse_family family, int index);

POSSE_API const char *posse_family_name(posse_family family);
POSSE_API const posse_param *posse_family_params(posse_family family);

typedef struct posse_environment posse_environment;

POSSE_API posse_error posse_environment_create(const posse_part *part, uint64_t seed, const posse_host *host,
                                               posse_environment **out);
POSSE_API void posse_environment_free(posse_environment *e);

POSSE_API posse_def posse_environment_def(const posse_environment *e);

POSSE_API void posse_environment_begin(posse_environment *e, uint32_t run);

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

#define POSSE_LANES 16
typedef struct posse_lanes posse_lanes;

POSSE_API posse_error posse_lanes_create(const posse_environment *e, posse_lanes **out);
POSSE_API void posse_lanes_free(posse_lanes *l);

POSSE_API posse_error posse_lanes_add(posse_lanes *l, const posse *p);

POSSE_API posse_error posse_lanes_begin(posse_lanes *l, uint32_t first);

#define POSSE_LANES_STRETCH 128
POSSE_API posse_error posse_lanes_play(posse_lanes *l, int competitor, size_t rounds, const posse_trace *trace);

typedef struct posse_draw posse_draw;

POSSE_API double posse_draw_uniform(posse_draw *draw);
POSSE_API double posse_draw_normal(posse_draw *draw);
POSSE_API void posse_draw_normals(posse_draw *draw, double *out, size_t count);
POSSE_API double posse_draw_gamma(posse_draw *draw, double shape);
POSSE_API double posse_draw_beta(posse_draw *draw, double a, double b);
POSSE_API uint64_t posse_draw_index(posse_draw *draw, uint64_t count);
POSSE_API size_t posse_draw_weighted(posse_draw *draw, const double *weights, size_t count);

POSSE_API double posse_log(double x);
POSSE_API double posse_exp(double x);

typedef struct posse_space posse_space;

POSSE_API int posse_space_arms(const posse_space *space);
POSSE_API int posse_space_dim(const posse_space *space);
POSSE_API const double *posse_space_point(const posse_space *space, int arm);

typedef struct posse_setup {
    const posse_option *settings;
    const posse_space *space;
    const posse_part *prior;
    uint64_t seed;
    uint64_t rounds;
    int learners;
    int founders;
    void *owner;
} posse_setup;

POSSE_API void *posse_setup_allocate(const posse_setup *setup, size_t size);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
POSSE_API posse_error
posse_setup_refuse(const posse_setup *setup, const char *format, ...);

typedef struct posse_kind {
    const char *name;
    const char *help;
    const posse_param *params;

    posse_error (*prepare)(const posse_setup *setup, void **plan);

    size_t (*state_size)(const void *plan);

    void (*start)(const void *plan, void *state);

    bool (*sane)(const void *plan, const void *state);

    bool (*unit_rewards)(const void *plan);
} posse_kind;

#define POSSE_EXTENSION_VERSION 1

typedef struct posse_learner_ops {
    int version;
    posse_kind kind;

    int (*act)(const void *plan, void *state, posse_draw *draw, double *point);

    void (*learn)(const void *plan, void *state, int arm, const double *point, double reward);
} posse_learner_ops;

POSSE_API posse_error posse_learner_register(const posse_learner_ops *ops);

#ifdef __cplusplus
}
#endif

#endif

/*
 * Kinds of environments, beliefs, learners and selectors with their options, for programs that read or list
 * descriptions; and beliefs that are read from files or fitted to data.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef POSSE_KINDS_H
#define POSSE_KINDS_H

#include "posse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ============================================ places of problems ================================================== */

/*
 * A place in a description: a step, and the steps that lead to it. In learners[1].belief.sd, the step "sd" is inside
 * the step "belief", which is inside the step "learners" with index 1. An option with a dot in its name is a single
 * step, for example "prior.mean".
 */
struct posse_place {
    const struct posse_place *outer; /* NULL: this is the first step */
    const char *name;                /* of a part or an option */
    int index;                       /* of an entry in a list, from 0; -1: the step is not an entry of a list */
};

/* ========================================== kinds and their parameters ============================================ */

typedef enum posse_family {
    POSSE_FAMILY_ENVIRONMENT = 0,
    POSSE_FAMILY_BELIEF = 1,
    POSSE_FAMILY_LEARNER = 2,
    POSSE_FAMILY_SELECTOR = 3
} posse_family;
#define POSSE_FAMILY_COUNT 4

typedef enum posse_type {
    POSSE_TYPE_REAL = 0,  /* a number */
    POSSE_TYPE_COUNT = 1, /* a whole number */
    POSSE_TYPE_FLAG = 2,  /* yes (1) or no (0) */
    POSSE_TYPE_WORD = 3,  /* one of `words` */
    POSSE_TYPE_REALS = 4, /* a number for all, or a list with one number each */
    POSSE_TYPE_TABLE = 5, /* rows of numbers, given as one list, row by row */
    POSSE_TYPE_PART = 6,  /* a belief; if it is left out, the prior of the environment */
    POSSE_TYPE_PARTS = 7, /* beliefs with a weight each */
    POSSE_TYPE_RANGE = 8, /* [lowest, highest] */
    POSSE_TYPE_TEXT = 9,  /* any text, in `word` */
    POSSE_TYPE_NAMES = 10 /* names separated by commas, in `word`; in experiment files a list, or a single one */
} posse_type;

/* Flags of a parameter, beside its type and range. */
enum {
    POSSE_PARAM_REQUIRED = 1, /* there is no default */
    POSSE_PARAM_OPTIONAL = 2, /* may be left out, and has no default */
    POSSE_PARAM_ABOVE = 4,    /* `low` itself is excluded */
    POSSE_PARAM_BELOW = 8,    /* `high` itself is excluded */
    POSSE_PARAM_INHERITED =
        16,                /* the default is the prior's option of the same name, or `fallback` if the prior has none */
    POSSE_PARAM_PATH = 32, /* the text is the path of a file; in an experiment file, relative to that file's folder */
    POSSE_PARAM_KEPT = 64  /* of a selector or learner: a posse saves the default, too, because another version may have
                              another */
};

/*
 * The declaration of a parameter. The keys of experiment files, `posse list`, the checks of posse_create and the docs
 * are derived from it. In experiment files, a dot in the name is nesting: `prior.mean` is written `prior: {mean: 0}`.
 */
typedef struct posse_param {
    const char *name; /* NULL ends a list of parameters */
    posse_type type;
    unsigned flags;
    double fallback;           /* the default of a number, count, flag or list */
    const char *fallback_word; /* the default of a word, text or names, or of a number, count or flag if it is a word */
    const double *fallbacks;   /* the default of a range: its two numbers */
    double low, high;          /* inclusive, and for each number of a list; both 0: no bounds */
    const char *words; /* "ball|sphere": the words of a POSSE_TYPE_WORD, or words that a number, count or flag may be */
    const char *excludes; /* prefixes of the parameters that cannot be given beside it, "sd|corr"; or NULL */
    const char *help;
} posse_param;

/*
 * The default of a parameter, as an option with that value; for a POSSE_TYPE_PART the word "environment". False: there
 * is no default. posse_part_resolve fills in defaults that are inherited.
 */
POSSE_API bool posse_param_default(const posse_param *param, posse_option *out);

/*
 * The number of kinds in a family, registered ones included; the index of the kind with that name (-1: there is none);
 * and the name, the help line and the own parameters of the kind at an index.
 */
POSSE_API int posse_kind_count(posse_family family);
POSSE_API int posse_kind_find(posse_family family, const char *name);
POSSE_API const char *posse_kind_name(posse_family family, int index);
POSSE_API const char *posse_kind_help(posse_family family, int index);
POSSE_API const posse_param *posse_kind_params(posse_family family, int index);

/* Traits: properties that only some kinds of a family have. They follow from a kind's table (posse_extend.h). */
enum {
    POSSE_TRAIT_BELIEVES = 1, /* selectors: it has a belief about the arms (posse_means) */
    POSSE_TRAIT_CLIPS = 2,    /* selectors: it has a range, and counts the rewards outside (posse_clipped) */
    POSSE_TRAIT_MOVES = 4,    /* environments: mean rewards may change from round to round */
    POSSE_TRAIT_EXTERNAL = 8, /* learners: the application picks the arm (posse_acted) */
    POSSE_TRAIT_LOGGED = 16 /* environments: rounds are rows of a log, with a value instead of regret (posse_replay) */
};
POSSE_API unsigned posse_kind_traits(posse_family family, int index);

/*
 * The name of a family, "environment", "belief", "learner" or "selector"; and the parameters that every kind of the
 * family has (an empty list for most). A kind may declare some of them again with another default, and then its own
 * declaration counts.
 */
POSSE_API const char *posse_family_name(posse_family family);
POSSE_API const posse_param *posse_family_params(posse_family family);

/* The parameter of a kind with that name: its own declaration, or else its family's. NULL: there is none. */
POSSE_API const posse_param *posse_kind_param(posse_family family, int index, const char *name);

/* ==================================================== parts ======================================================= */

/*
 * Checks a part by itself, including parts inside it: its kind, and its options against their declarations (types,
 * ranges, missing options, and options that exclude each other). Every problem is written to the log, which may be
 * NULL, with its place in the part. Only posse_create can check whether the part fits the arms.
 */
POSSE_API posse_error posse_part_check(posse_family family, const posse_part *part, const posse_logger *log);

/*
 * The part with all of its options: *out has them in the order of their declaration, first the kind's own and then the
 * family's, with defaults filled in. Inherited defaults come from the prior (NULL: there is none). An option is absent
 * only if it has no default, or if an option that was given excludes it. Parts inside are copied as they were given,
 * and can be resolved by calls of their own. The pointers in *out lead to memory of the part, the prior and the
 * declarations. out may be equal to part.
 */
POSSE_API posse_error posse_part_resolve(posse_family family, const posse_part *part, const posse_part *prior,
                                         const posse_logger *log, posse_part *out);

/*
 * Copies a part, with everything that it points to, to `memory`, which is aligned for a double. The copy begins there:
 * posse_part *copy = memory. Returns the bytes that it takes, as snprintf does, and writes nothing if `size` is less.
 * 0: parts are inside parts too deep, so that the part may contain itself.
 */
POSSE_API size_t posse_part_copy(const posse_part *part, void *memory, size_t size);

/* The option of a part with that name, and the one for the first parameter of a type; NULL: it was not given. */
POSSE_API const posse_option *posse_part_option(const posse_part *part, const char *name);
POSSE_API const posse_option *posse_part_option_of_type(posse_family family, const posse_part *part, posse_type type);

/* ======================================== priors as text and from data ============================================ */

/* A belief with the memory that it needs: made from a part, read from a text, or fitted to data (docs/priors.md). */
typedef struct posse_prior posse_prior;

/*
 * Makes a prior of a belief, which is copied with everything that it points to. arms: the number of arms that the prior
 * is about; 0: as many as its lists have numbers. The belief is checked (posse_part_check) and, if the number of arms
 * is known, made once for them. *out is to be freed with posse_prior_free. host may be NULL.
 */
POSSE_API posse_error posse_prior_make(const posse_part *belief, int arms, const posse_host *host, posse_prior **out);

/*
 * The same from a text of JSON: the kind of a belief and its options, in the words of experiment files, as
 * posse_prior_text writes it. POSSE_ERROR_FIT: the text is wrong; the log gets the reason. The library reads no YAML:
 * `posse prior fit -o prior.json` writes JSON.
 */
POSSE_API posse_error posse_prior_read_text(const char *text, size_t length, const posse_host *host, posse_prior **out);
POSSE_API void posse_prior_free(posse_prior *prior);

/* The belief, valid until posse_prior_free. Use it wherever a part takes one: def.prior = *posse_prior_part(prior). */
POSSE_API const posse_part *posse_prior_part(const posse_prior *prior);

/* The number of arms that the prior is about; 0: any number. */
POSSE_API int posse_prior_arm_count(const posse_prior *prior);

/*
 * Writes the text that posse_prior_read_text reads, cut to `size` bytes including the final zero. Returns the length of
 * the whole text, as snprintf does.
 */
POSSE_API size_t posse_prior_text(const posse_prior *prior, char *text, size_t size);

/* How a prior is fitted. Start from posse_default_fit(). */
typedef struct posse_fit {
    const char *kind; /* "gaussian", "mixture" (the default) or "particles" */
    int components;   /* of a mixture; 0, the default: the number that predicts held-out rows best */
    double noise;     /* standard deviation of a reward around its mean; 0, the default: estimated with plays, else 1 */
    uint64_t seed;    /* for the choice of held-out rows and the start of EM; default 1 */
    bool plays;       /* the file has a row for each reward (posse_prior_fit); default: a row for each instance */
    const char *task, *arm, *reward;               /* its columns with plays; default "task", "arm" and "reward" */
    void (*progress)(void *context, double share); /* called with the share of the work that is done; may be NULL */
    void *context;
} posse_fit;

POSSE_API posse_fit posse_default_fit(void);

/*
 * Fits a prior to a file of CSV, which has a row for each past instance, with the mean reward of each arm in its
 * column. Cells may be empty, except for particles. With `plays`, it has a row for each reward of a past task, in any
 * order. Arms are then numbers from 0, or names, which are sorted byte by byte and numbered in that order. The same
 * file and settings give the same bits everywhere. POSSE_ERROR_FIT: the file is wrong, and the log gets the line and
 * column. POSSE_ERROR_ARGUMENT: the settings are wrong, and the log gets the reason.
 */
POSSE_API posse_error posse_prior_fit(const char *path, const posse_fit *how, const posse_host *host,
                                      posse_prior **out);

/* A mixture or a kernel that was tried, and how well it predicted the held-out rows. */
typedef struct posse_fit_candidate {
    double size;  /* the number of components, or the width of the kernel */
    double score; /* in nats a row */
} posse_fit_candidate;

/* The data that a prior was fitted to, and how well it fits. Its pointers are valid until posse_prior_free. */
typedef struct posse_fit_record {
    size_t rows;              /* instances, or tasks */
    const double *table;      /* rows x arms: the observed means, NaN where there is none */
    const char *const *names; /* of the arms */
    uint64_t rewards;         /* how many there were, with plays; else 0 */
    double noise;             /* of the prior */
    double size;              /* the number of components, or the width of the kernel, of the prior */
    double score;             /* the log-likelihood of a row on average, without penalties; NaN for particles */
    const posse_fit_candidate *candidates; /* all that were tried */
    size_t candidate_count;
} posse_fit_record;

/* How a prior was fitted. POSSE_ERROR_ABSENT: it was not fitted, but made or read. */
POSSE_API posse_error posse_prior_record(const posse_prior *prior, posse_fit_record *out);

/* =================================================== recommended ================================================== */

/* What rewards are: any numbers; 0 or 1, or a number between; or counts, which are at least 0. */
typedef enum posse_reward_kind {
    POSSE_REWARDS_UNKNOWN = -1,
    POSSE_REWARDS_NUMBERS = 0,
    POSSE_REWARDS_CLICKS = 1,
    POSSE_REWARDS_COUNTS = 2
} posse_reward_kind;

/*
 * What the rewards are that a belief is about, or that an environment pays. A mixture is about the rewards of its first
 * component. For learners and selectors, and for environments that do not know it before they are made: unknown.
 */
POSSE_API posse_reward_kind posse_reward_kind_of(posse_family family, const posse_part *part);

/* The most learners that posse_recommend fills in. */
#define POSSE_RECOMMENDED_LEARNERS 4

/*
 * Fills the prior and the learners of a definition whose arms, dim, points and context are set, with parts that suit
 * the rewards, the arms and the features (docs/bakeoff.md). `room` holds the learners and must exist until posse_create
 * returns. NULL: only the prior is filled in. The parts are plain descriptions, to be printed or changed.
 *
 * Rules are learners of a definition without arms and features, and are judged by their rewards alone. For a definition
 * that has them, `room` is not used: its selector is filled in, and nothing else.
 *   posse_part team[POSSE_RECOMMENDED_LEARNERS];
 *   posse_recommend(&def, POSSE_REWARDS_CLICKS, team);
 */
POSSE_API posse_error posse_recommend(posse_def *def, posse_reward_kind rewards,
                                      posse_part room[POSSE_RECOMMENDED_LEARNERS]);

#ifdef __cplusplus
}
#endif

#endif

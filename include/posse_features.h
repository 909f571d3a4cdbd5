/*
 * Features by name: an application has a country, an age and the words of a title, and no vector of numbers. A posse
 * whose definition has a *feature map* (posse_def.features) takes features by name in every context
 * (posse_context.named), and turns them into numbers as described below. The learners see numbers alone, and decisions
 * are those for these numbers.
 *
 *   posse_def def = posse_default_def();
 *   def.arms = 3;
 *   def.context = 64;                          (the slots of features that all arms share)
 *   def.features = &(posse_feature_def){0};
 *   ...
 *   posse_feature visitor[] = {{.name = "country", .word = "de"}, {.name = "age", .number = 0.33}};
 *   posse_context visit = {.named = &(posse_named){.shared = {2, visitor}}};
 *   posse_decide(p, &visit, &d);
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef POSSE_FEATURES_H
#define POSSE_FEATURES_H

#include "posse.h"

#ifdef __cplusplus
extern "C" {
#endif

#define POSSE_FEATURE_NAME_MAX 255     /* bytes of a name */
#define POSSE_FEATURE_WORD_MAX 1023    /* bytes of a word */
#define POSSE_FEATURE_TERMS_MAX 262144 /* features and products in a round, those of all arms together */
#define POSSE_FEATURE_PAIRS_MAX 32     /* interactions of a map */
#define POSSE_FEATURE_SCALES_MAX 1024  /* numbers with a scale, declared and learned */
#define POSSE_FEATURE_SEEN_MAX 4096    /* names that a posse remembers */

/* ============================================ features of a round ================================================= */

/*
 * A feature: a number, a truth value or a word. A list of words is a feature for each of them, with one name. A name is
 * UTF-8. Its *namespace* is what precedes the first dot, such as `user` of "user.age". A name without a dot belongs to
 * the namespace `context` if all arms share the feature, and to `arm` if it is an arm's own. So "age" is
 * "context.age" there.
 */
typedef struct posse_feature {
    const char *name;
    const char *word; /* NULL: the feature is `number` */
    double number;
    bool truth; /* the number is a truth value, 1 or 0, which is not scaled */
    int ahead;  /* 1 + its place in the list of posse_read_ahead; 0: it was not read ahead */
} posse_feature;

typedef struct posse_feature_list {
    int count;
    const posse_feature *list;
} posse_feature_list;

/* The features of a round, which a posse_context with its arms leads to. */
typedef struct posse_named {
    posse_feature_list shared;        /* those that all arms share */
    const posse_feature_list *points; /* those of each available arm, in the order of the arms; NULL: they have none */
} posse_named;

/* ================================================ the map ========================================================= */

/* How a number is standardised: (number - mean) / sd. */
typedef struct posse_feature_scale {
    const char *name; /* "context.age", or "age" for both namespaces */
    double mean, sd;
    uint64_t count; /* of a learned scale: how many numbers it has seen; 0: it is declared */
} posse_feature_scale;

/*
 * A map. Each feature has a *key*: its full name, for a word followed by = and the word. The key is hashed to a slot
 * and a sign, and the number is added there with that sign; a word counts as 1. Sums are taken in the order of the
 * keys, so the order of a list changes nothing. Features of the arms have posse_def.dim slots, and shared ones
 * posse_def.context slots. If the definition has only `dim`, shared features are added to each arm's. If it has only
 * `context`, arms have no features of their own. With `dim`, if no arm of a round has features, the word "arm.name" of
 * each is its name, or its number.
 *
 * An interaction "user*item" adds, for each pair of a feature of one namespace and a feature of the other, a feature
 * whose key is both keys with * between them, and whose number is the product. Of one namespace with itself, each pair
 * of different features is taken once. A product with a feature of an arm is a feature of that arm.
 *
 * Learned scales: the mean and the standard deviation of the numbers of one name in all decisions and taught plays so
 * far, this one included, until learn_scale of them have come. Then the scale is frozen. A decision stores the scaled
 * numbers and learns from these, so a later change of the scale leaves past plays as they were. Until the scale is
 * frozen, a weight that was learned early therefore stands for slightly different units.
 */
typedef struct posse_feature_def {
    const char *const *names; /* declared features: all others are refused. With 0 names, they are taken as they come */
    int name_count;
    const char *const *interactions;
    int interaction_count;
    const posse_feature_scale *scales;
    int scale_count;
    uint64_t learn_scale; /* numbers without a declared scale learn one from this many; 0: they are taken as they are */
    bool without_constant; /* otherwise there is a feature "constant", which is 1 in every round */
} posse_feature_def;

/* Whether the posse has a map. */
POSSE_API bool posse_takes_names(const posse *p);

/*
 * The same round in numbers: as pairs, or without features where the posse has none. *out is valid until the next call
 * with features by name. It is what posse_decide would use now. The posse does not change. POSSE_ERROR_CONTEXT: as for
 * posse_decide; or the posse has no map.
 */
POSSE_API posse_error posse_named_numbers(const posse *p, const posse_context *named, posse_context *out);

/*
 * The same in full: writes posse_def.context numbers to `shared`, and posse_def.dim numbers for each available arm to
 * `points`. Either may be NULL if that size is 0. POSSE_ERROR_ARGUMENT: posse_def.nonzeros is above 0.
 */
POSSE_API posse_error posse_named_write(const posse *p, const posse_context *named, double *shared, double *points);

/*
 * Features as `slots` numbers, without a map: the key of a feature is its name as it is given, and for a word the name,
 * = and the word. Numbers are added in the order of the list. This is posse.hashed of the Python package.
 * POSSE_ERROR_ARGUMENT: slots is below 1, a name is NULL, or a number is not finite.
 */
POSSE_API posse_error posse_hash_features(const posse_feature *list, int count, int slots, double *out);

/* ============================================== many rounds ====================================================== */

/*
 * Reads names and words once for many rounds that have them. The list has each name, and each name with each of its
 * words; numbers and truth values do not matter. A feature of a later round with `ahead`, and the same two pointers as
 * in the list, is then taken as it was read. Decisions, errors and saved bytes are those without it. The texts must
 * stay as they are until the next call. A count of 0 frees what was read. POSSE_ERROR_ARGUMENT: the posse has no map.
 */
POSSE_API posse_error posse_read_ahead(posse *p, const posse_feature *list, int count);

/* ============================================ names and scales ==================================================== */

/* A feature that decisions or taught plays have had. */
typedef struct posse_feature_seen {
    const char *key; /* valid until the posse changes */
    int slot;        /* among all features of an arm: its own, followed by the shared ones */
    bool negative;   /* its number is subtracted */
} posse_feature_seen;

/*
 * The number of names that the posse has seen, in the order of their first appearance: the first POSSE_FEATURE_SEEN_MAX
 * ones, without products. A learner cannot distinguish names of one slot. POSSE_ERROR_ARGUMENT: there is no such
 * place.
 */
POSSE_API int posse_features_seen(const posse *p);
POSSE_API posse_error posse_feature_at(const posse *p, int place, posse_feature_seen *out);

/* The scales, declared ones first. Of a learned scale, as it is now. */
POSSE_API int posse_feature_scales(const posse *p);
POSSE_API posse_error posse_feature_scale_at(const posse *p, int place, posse_feature_scale *out);

#ifdef __cplusplus
}
#endif

#endif

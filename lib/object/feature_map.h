/* SPDX-License-Identifier: MIT */
/*
 * A feature map: from features by name to numbers. Everything else in the library sees the numbers alone.
 *
 * Reading a round prepares what the round teaches the map: names that are new, and scales that move. This takes effect
 * with feature_map_commit, after the decision was made. Otherwise the next round that is read drops it. So a call that
 * fails, or one that only looks, changes nothing.
 */
#ifndef POSSE_OBJECT_FEATURE_MAP_H
#define POSSE_OBJECT_FEATURE_MAP_H

#include "base/memory.h"
#include "object/bytes.h"
#include "posse_features.h"

/* The namespaces of features whose names have no dot. */
#define FEATURE_SPACE_SHARED "context"
#define FEATURE_SPACE_OWN "arm"
/* The feature that an arm has if no arm of its round has any. */
#define FEATURE_ARM_NAME FEATURE_SPACE_OWN ".name"

/* The numbers of one name so far, by Welford's sums. */
typedef struct feature_sums {
    uint64_t count;
    double mean, squares; /* the squared distances from the mean */
} feature_sums;

typedef struct feature_scale {
    char *name;
    uint32_t hash;      /* of the name */
    double sd;          /* of a declared scale, whose mean is in `sums`; of a learned one it is 0 */
    feature_sums sums;  /* committed */
    feature_sums later; /* with the round that was read last, if `round` is its number */
    uint64_t round;
} feature_scale;

typedef struct feature_scales {
    feature_scale *list; /* the declared ones first */
    int declared, count; /* count: with those that are not committed */
    int committed, room;
    uint64_t learn;     /* posse_feature_def.learn_scale */
    uint64_t round;     /* the number of the round that was read last */
    feature_sums *kept; /* those of the committed scales, during a trial; else NULL */
    int kept_count;
} feature_scales;

/* The names seen, and a hash table of them. */
typedef struct feature_names {
    struct feature_name {
        char *key;
        uint32_t hash;
        int slot;
    } * list;
    int count, committed, room;
    uint16_t *table; /* 1 + the place of a name; 0: free */
    size_t table_size;
} feature_names;

/* A feature of a round. */
typedef struct feature_term {
    const char *key;
    struct feature_reading *reading; /* of a feature that was read ahead; else NULL */
    double value;
    uint32_t sum;         /* of the key (base/feature_hash.h) */
    int scale;            /* of the number; -1: it is taken as it is */
    int slot;             /* of the vector that its list goes to */
    uint32_t left, right; /* a bit for each interaction on whose left or right side its namespace is */
    bool word;
    bool negative; /* its number is subtracted */
} feature_term;

/* A feature that was read ahead, as a list of one sort has it. Its number is that of a round. */
typedef struct feature_reading {
    feature_term term;
    int rank;       /* in the order of keys without their words; -1: the feature must be read in its round */
    uint32_t era;   /* of the map; in another one, the following two are false */
    bool is_scaled; /* the scale of the term is known, and stays */
    bool is_seen;   /* its name is among those seen */
} feature_reading;

/* The hash of a product of two features that were read ahead. */
typedef struct feature_product {
    const feature_reading *left, *right;
    uint32_t hash;
} feature_product;

#define FEATURE_PRODUCTS 4096 /* entries of the table of products, a power of two */

/* The features that posse_read_ahead was given. */
typedef struct feature_lexicon {
    int count;
    struct feature_texts {
        const char *name, *word;
    } * given;
    feature_reading *readings; /* two of each: as a shared feature, and as one of an arm */
    char *text;
    feature_product *products; /* NULL: the map has no interactions */
} feature_lexicon;

typedef struct feature_terms {
    feature_term *list;
    int count;
} feature_terms;

/* A number that is added to a slot. */
typedef struct feature_share {
    int slot, order;
    double value;
} feature_share;

/* Memory for a round, which is kept for the next one. */
typedef struct feature_room {
    char *text;
    feature_terms *lists; /* the shared features, then those of each arm that has some */
    feature_term *terms;
    struct feature_reading **known; /* of a list that was read ahead, in the order in which it is given */
    int *order;                     /* of the terms of a list: places among those given */
    int ordered;                    /* how many places of it the last list has left */
    int used;                       /* how many lists there are */
    feature_share *shares;
    posse_sparse *rows; /* as the lists */
    int *indices;
    double *values;
    double *full;             /* the shared vector, then those of the arms */
    struct feature_arm *arms; /* of arms that have their names as features */
    posse_feature_list *arm_lists;
    size_t text_size, list_count, term_count, share_count, full_count, arm_count;
} feature_room;

typedef struct feature_pair {
    char *text; /* "user*item" */
    char *left, *right;
} feature_pair;

typedef struct feature_map {
    const char **names; /* declared, sorted */
    int name_count;
    feature_pair *pairs;
    const char **pair_texts; /* of the pairs, for posse_definition */
    int pair_count;
    bool constant;
    feature_scales scales;
    feature_names seen;
    feature_room room;
    feature_lexicon ahead;
    int names_before;      /* how many names were seen before the trial */
    uint32_t era;          /* how often a trial was undone */
    posse_feature_def def; /* for posse_definition */
    posse_feature_scale *declared;
} feature_map;

/* What a map is made for. */
typedef struct feature_slots {
    int own, shared; /* posse_def.dim and posse_def.context */
} feature_slots;

/* --- feature_map.c --- */

/* Checks and copies a definition. The map lives in the arena, but for what grows, which feature_map_release frees. */
posse_error feature_map_open(const posse_feature_def *def, feature_slots slots, arena *memory, const posse_logger *log,
                             feature_map **out);
void feature_map_release(feature_map *m, const posse_allocator *allocator);
/* As if new: no names seen, and no scale learned. */
void feature_map_begin(feature_map *m, const posse_allocator *allocator);
/* What the round that was read last has taught takes effect. */
void feature_map_commit(feature_map *m);
/* Begins to read a round: what the last one has taught takes effect in a trial, and is forgotten otherwise. */
void feature_map_turn(feature_map *m, const posse_allocator *allocator);
/* The definition and what was learned, in the saved form. */
void feature_map_write_definition(writer *w, const feature_map *m);
void feature_map_write_learned(writer *w, const feature_map *m);
posse_error feature_map_read_definition(reader *r, arena *memory, const posse_feature_def **out);
posse_error feature_map_read_learned(reader *r, feature_map *m, feature_slots slots, const posse_allocator *allocator);

/* --- feature_terms.c --- */

/* What a round is read with. */
typedef struct feature_source {
    feature_map *map;
    feature_slots slots;
    const posse_allocator *allocator;
    const posse_logger *log;
} feature_source;

/* A list of features: arm -1 for the shared ones, else the place of the arm among those of the round. */
typedef struct feature_list_origin {
    const feature_source *source;
    int arm;
} feature_list_origin;

/* Where numbers in full go. */
typedef struct feature_target {
    double *shared, *points;
} feature_target;

/*
 * Turns the features of a round with this many arms into numbers: as pairs, in memory of the map, if `to` is NULL.
 * Otherwise in full, in memory of the map if *to is zero. POSSE_ERROR_CONTEXT: a feature is wrong, and the log gets the
 * reason.
 */
posse_error feature_terms_read(const feature_source *s, const posse_named *named, int arms, const feature_target *to,
                               posse_context *out);
/* How many bytes the key of a feature takes at most. */
size_t feature_terms_measure(const posse_feature *x);
/* Makes a term, whose key is written to *text. POSSE_ERROR_CONTEXT, as above. */
posse_error feature_terms_take(const feature_list_origin *l, const posse_feature *x, char **text, feature_term *out);
/* The scale of a term that is a number and no truth value. */
posse_error feature_terms_find_scale(const feature_list_origin *l, const posse_feature *x, feature_term *t);

/* --- feature_lexicon.c --- */

/* Reads features ahead, in place of those that were read before. */
posse_error feature_lexicon_open(const feature_source *s, const posse_feature *list, int count);
void feature_lexicon_release(feature_lexicon *l, const posse_allocator *allocator);
/* A feature in a list of one sort, if it was read ahead and can be taken; else NULL. */
static inline feature_reading *feature_lexicon_find(const feature_lexicon *l, const posse_feature *x, bool own) {
    size_t place = (size_t)x->ahead - 1; /* 0 gives the largest number, which no place is */
    if (place >= (size_t)l->count || l->given[place].name != x->name || l->given[place].word != x->word) return NULL;
    feature_reading *found = &l->readings[2 * place + own];
    return found->rank >= 0 ? found : NULL;
}
/* The hash of the product of two terms. */
uint32_t feature_lexicon_multiply(feature_lexicon *l, const feature_term *a, const feature_term *b);

/* --- feature_scales.c --- */

/* Forgets scales that were not committed, and begins a round. */
void feature_scales_begin(feature_scales *f, const posse_allocator *allocator);
/* The scale of a number by its full name and the name as it was given; a learned one may be new. -1: none. */
posse_error feature_scales_find(feature_scales *f, const char *full, const char *given, uint32_t hash,
                                const posse_allocator *allocator, int *out);
/* Lets a scale see a number of this round. */
void feature_scales_see(feature_scales *f, int scale, double number);
double feature_scales_apply(const feature_scales *f, int scale, double number);
void feature_scales_commit(feature_scales *f);
/* Adds a declared scale, whose sd is above 0, or one that was learned. */
posse_error feature_scales_add(feature_scales *f, const char *name, double mean, double sd,
                               const posse_allocator *allocator);
void feature_scales_release(feature_scales *f, int keep, const posse_allocator *allocator);
/* Keeps copies of the committed scales, to be dropped or put back. */
posse_error feature_scales_keep(feature_scales *f, const posse_allocator *allocator);
void feature_scales_drop(feature_scales *f, const posse_allocator *allocator);
void feature_scales_put_back(feature_scales *f, const posse_allocator *allocator);

/* --- feature_names.c --- */

/* Forgets the names from `keep` on. */
void feature_names_keep(feature_names *n, int keep, const posse_allocator *allocator);
/* Remembers a name. *committed: it was seen in an earlier round, so that it stays. */
posse_error feature_names_see(feature_names *n, const char *key, uint32_t hash, int slot,
                              const posse_allocator *allocator, bool *committed);
void feature_names_release(feature_names *n, const posse_allocator *allocator);

#endif

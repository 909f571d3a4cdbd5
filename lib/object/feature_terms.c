/* SPDX-License-Identifier: MIT */
/*
 * From the features of a round by name to numbers. Every list is sorted by the keys of its features, so that sums are
 * taken in the same order whatever the order of the list is. After sorting, a namespace is a stretch of its list.
 */
#include <math.h>
#include <string.h>

#include "base/feature_hash.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "model/parameter.h"
#include "object/object.h"

#define CONSTANT "constant"

/* --------------------------------------------------- messages ---------------------------------------------------- */

/* A list of features: arm -1 for the shared ones, else the place of the arm among those of the round. */
typedef struct list_place {
    const feature_source *source;
    int arm;
} list_place;

/* Writes to the log what is wrong with a feature by its name, or with its list if the name is NULL. */
#define REFUSE(l, name_, ...)                                                                                          \
    (complain((l)->source->log,                                                                                        \
              (l)->arm < 0 ? &(posse_place){NULL, "context", -1} : &(posse_place){NULL, "arms", (l)->arm}, name_,      \
              __VA_ARGS__),                                                                                            \
     POSSE_ERROR_CONTEXT)

/* ------------------------------------------------------ room ----------------------------------------------------- */

/* A block for `count` elements of a size in place of an old one, whose contents are lost. NULL: no memory. */
static void *terms_room(const posse_allocator *allocator, void *old, size_t count, size_t size) {
    memory_release(allocator, old);
    return memory_allocate(allocator, count * size);
}

static posse_error terms_reserve_names(feature_room *r, size_t lists, size_t terms, size_t text,
                                       const posse_allocator *allocator) {
    if (lists > r->list_count) {
        r->lists = terms_room(allocator, r->lists, lists, sizeof *r->lists);
        r->rows = terms_room(allocator, r->rows, lists, sizeof *r->rows);
        r->list_count = r->lists != NULL && r->rows != NULL ? lists : 0;
    }
    if (terms > r->term_count) {
        r->terms = terms_room(allocator, r->terms, terms, sizeof *r->terms);
        r->term_count = r->terms != NULL ? terms : 0;
    }
    if (text > r->text_size) {
        r->text = terms_room(allocator, r->text, text, 1);
        r->text_size = r->text != NULL ? text : 0;
    }
    bool fine = r->list_count >= lists && r->term_count >= terms && r->text_size >= text;
    return fine ? POSSE_OK : POSSE_ERROR_MEMORY;
}

static posse_error terms_reserve_shares(feature_room *r, size_t shares, const posse_allocator *allocator) {
    if (shares <= r->share_count) return POSSE_OK;
    r->shares = terms_room(allocator, r->shares, shares, sizeof *r->shares);
    r->indices = terms_room(allocator, r->indices, shares, sizeof *r->indices);
    r->values = terms_room(allocator, r->values, shares, sizeof *r->values);
    bool fine = r->shares != NULL && r->indices != NULL && r->values != NULL;
    r->share_count = fine ? shares : 0;
    return fine ? POSSE_OK : POSSE_ERROR_MEMORY;
}

/* ---------------------------------------------------- one feature ------------------------------------------------ */

static posse_error terms_check(const list_place *l, const posse_feature *x) {
    size_t length = strlen(x->name), valid = utf8_valid(x->name), word = x->word != NULL ? strlen(x->word) : 0;
    if (length == 0) return REFUSE(l, NULL, "the name of a feature is empty");
    if (length > POSSE_FEATURE_NAME_MAX)
        return REFUSE(l, NULL, "the name of a feature has %zu bytes; at most %d", length, POSSE_FEATURE_NAME_MAX);
    if (valid < length)
        return REFUSE(l, NULL, "the name of a feature is not UTF-8: its byte %zu is 0x%02x", valid + 1,
                      (unsigned char)x->name[valid]);
    if (word > POSSE_FEATURE_WORD_MAX)
        return REFUSE(l, x->name, "the word has %zu bytes; at most %d", word, POSSE_FEATURE_WORD_MAX);
    if (x->word != NULL && (valid = utf8_valid(x->word)) < word)
        return REFUSE(l, x->name, "the word is not UTF-8: its byte %zu is 0x%02x", valid + 1,
                      (unsigned char)x->word[valid]);
    if (x->word == NULL && !(fabs(x->number) <= REAL_MAX))
        return REFUSE(l, x->name, "%g is no feature; they must be finite", x->number);
    return POSSE_OK;
}

/* Appends a text to a key; returns the end. */
static char *terms_append(char *at, const char *text) {
    size_t length = strlen(text);
    memcpy(at, text, length + 1);
    return at + length;
}

static bool terms_declared(const feature_map *m, const char *full, const char *given) {
    bool by_full, by_given;
    if (m->name_count == 0) return true;
    sort_place(m->names, m->name_count, full, &by_full);
    sort_place(m->names, m->name_count, given, &by_given);
    return by_full || by_given;
}

/* Makes a term, whose key is written to *text. */
static posse_error terms_take(const list_place *l, const posse_feature *x, char **text, feature_term *out) {
    const feature_source *s = l->source;
    char *key = *text, *end = key;
    posse_error error = terms_check(l, x);
    if (error != POSSE_OK) return error;
    if (strchr(x->name, '.') == NULL)
        end = terms_append(terms_append(end, l->arm < 0 ? FEATURE_SPACE_SHARED : FEATURE_SPACE_OWN), ".");
    end = terms_append(end, x->name);
    if (!terms_declared(s->map, key, x->name))
        return REFUSE(l, x->name, "this posse has no feature of this name (features.names lists them)");
    *out = (feature_term){.key = key,
                          .sum = feature_sum(FEATURE_SUM_START, key, (size_t)(end - key)),
                          .scale = -1,
                          .value = x->word != NULL ? 1.0 : x->number,
                          .word = x->word != NULL};
    if (x->word == NULL && !x->truth)
        error = feature_scales_find(&s->map->scales, key, x->name, feature_hash(out->sum), s->allocator, &out->scale);
    if (error == POSSE_ERROR_FULL)
        return REFUSE(l, x->name, "%d numbers have a scale already, which is the most", POSSE_FEATURE_SCALES_MAX);
    if (x->word != NULL) {
        char *word = end;
        end = terms_append(terms_append(end, "="), x->word);
        out->sum = feature_sum(out->sum, word, (size_t)(end - word));
    }
    *text = end + 1;
    return error;
}

/* ----------------------------------------------------- a list ---------------------------------------------------- */

static int terms_by_key(const void *a_, const void *b_) {
    const feature_term *a = a_, *b = b_;
    int order = strcmp(a->key, b->key);
    return order != 0 ? order : a->word - b->word;
}

/* A word may come again, and counts each time. A number may not. */
static posse_error terms_refuse_twice(const list_place *l, const feature_term *one, const feature_term *other) {
    if (strcmp(one->key, other->key) != 0 || (one->word && other->word)) return POSSE_OK;
    return REFUSE(l, NULL, "the feature \"%s\" is there twice", one->key);
}

/* No feature of an arm may also be a shared one. Both lists are sorted. */
static posse_error terms_refuse_shared(const list_place *l, const feature_terms *own, const feature_terms *shared) {
    posse_error error = POSSE_OK;
    for (int i = 0, j = 0; i < own->count && j < shared->count && error == POSSE_OK;) {
        int order = strcmp(own->list[i].key, shared->list[j].key);
        if (order == 0) error = terms_refuse_twice(l, &own->list[i], &shared->list[j]);
        i += order <= 0;
        j += order > 0;
    }
    return error;
}

static posse_error terms_read_list(const list_place *l, const posse_feature_list *from, char **text,
                                   feature_terms *out) {
    posse_error error = POSSE_OK;
    out->count = from->count;
    for (int i = 0; i < from->count && error == POSSE_OK; i++)
        error = terms_take(l, &from->list[i], text, &out->list[i]);
    if (error != POSSE_OK) return error;
    sort_records(out->list, (size_t)out->count, sizeof *out->list, terms_by_key);
    for (int i = 1; i < out->count && error == POSSE_OK; i++)
        error = terms_refuse_twice(l, &out->list[i - 1], &out->list[i]);
    return error;
}

/* Adds up what the keys of a list need. False: the list cannot be right. */
static bool terms_measure(const posse_feature_list *from, size_t *terms, size_t *text) {
    if (from->count < 0 || (from->count > 0 && from->list == NULL)) return false;
    for (int i = 0; i < from->count; i++) {
        const posse_feature *x = &from->list[i];
        if (x->name == NULL) return false;
        *text += sizeof FEATURE_SPACE_SHARED "." + strlen(x->name) + 1 + (x->word != NULL ? strlen(x->word) + 1 : 0);
    }
    *terms += (size_t)from->count;
    return *terms <= POSSE_FEATURE_TERMS_MAX;
}

static const posse_feature_list *terms_list_of(const posse_named *named, int list) {
    static const posse_feature_list none = {0};
    return list == 0 ? &named->shared : named->points != NULL ? &named->points[list - 1] : &none;
}

/* Reads the shared features as list 0, and those of the arms behind them. */
static posse_error terms_read_lists(const feature_source *s, const posse_named *named, int arms) {
    feature_room *r = &s->map->room;
    size_t terms = 0, text = 0, used = 0;
    for (int i = 0; i <= arms; i++) {
        list_place l = {s, i - 1};
        if (!terms_measure(terms_list_of(named, i), &terms, &text))
            return terms > POSSE_FEATURE_TERMS_MAX
                       ? REFUSE(&l, NULL, "a round has more than %d features", POSSE_FEATURE_TERMS_MAX)
                       : REFUSE(&l, NULL, "its list of features cannot be right: a name or the list is missing");
    }
    /* One more, so that lists have a place in a round without features, too. */
    posse_error error = terms_reserve_names(r, (size_t)arms + 1, terms + 1, text, s->allocator);
    char *at = r->text;
    for (int i = 0; i <= arms && error == POSSE_OK; i++) {
        list_place l = {s, i - 1};
        r->lists[i].list = r->terms + used;
        error = terms_read_list(&l, terms_list_of(named, i), &at, &r->lists[i]);
        used += (size_t)terms_list_of(named, i)->count;
        if (error == POSSE_OK && i > 0 && r->lists[i].count > 0 && s->slots.own == 0)
            error = REFUSE(&l, NULL, "arms of this posse have no features of their own, because dim is 0");
        if (error == POSSE_OK && i > 0) error = terms_refuse_shared(&l, &r->lists[i], &r->lists[0]);
    }
    return error;
}

/* All numbers of the round are seen before any of them is scaled. */
static posse_error terms_scale(const feature_source *s, int arms) {
    feature_room *r = &s->map->room;
    feature_scales *scales = &s->map->scales;
    for (int i = 0; i <= arms; i++)
        for (int k = 0; k < r->lists[i].count; k++)
            if (r->lists[i].list[k].scale >= 0)
                feature_scales_see(scales, r->lists[i].list[k].scale, r->lists[i].list[k].value);
    for (int i = 0; i <= arms; i++)
        for (int k = 0; k < r->lists[i].count; k++) {
            feature_term *t = &r->lists[i].list[k];
            list_place l = {s, i - 1};
            if (t->scale >= 0) t->value = feature_scales_apply(scales, t->scale, t->value);
            if (!(fabs(t->value) <= FEATURE_MAX))
                return REFUSE(&l, NULL, "the feature \"%s\" is %g; features must be at most %g", t->key, t->value,
                              FEATURE_MAX);
        }
    return POSSE_OK;
}

/* ---------------------------------------------------- a vector --------------------------------------------------- */

/* A vector that is being made: the shares of its slots, in the order in which they are added up. */
typedef struct vector {
    feature_share *shares;
    size_t count, most; /* shares NULL: they are only counted, up to `most` */
    int slots;
} vector;

static void vector_add(vector *v, uint32_t sum, double value) {
    if (v->shares != NULL) {
        uint32_t hash = feature_hash(sum);
        v->shares[v->count] = (feature_share){feature_slot(hash, v->slots), (int)v->count, feature_signed(hash, value)};
    }
    v->count++;
}

static void vector_add_terms(vector *v, const feature_terms *terms) {
    for (int i = 0; i < terms->count; i++) vector_add(v, terms->list[i].sum, terms->list[i].value);
}

static bool terms_in_space(const feature_term *t, const char *space) {
    size_t length = strlen(space);
    return strncmp(t->key, space, length) == 0 && t->key[length] == '.';
}

/* The features of a namespace, which are next to each other. */
static feature_terms terms_of_space(const feature_terms *all, const char *space) {
    int from = 0, to;
    while (from < all->count && !terms_in_space(&all->list[from], space)) from++;
    for (to = from; to < all->count && terms_in_space(&all->list[to], space);) to++;
    return (feature_terms){all->list + from, to - from};
}

static void vector_add_product(vector *v, const feature_term *a, const feature_term *b) {
    if (v->shares == NULL) {
        v->count++;
        return;
    }
    uint32_t sum = feature_sum(a->sum, "*", 1);
    vector_add(v, feature_sum(sum, b->key, strlen(b->key)), a->value * b->value);
}

static void vector_add_products(vector *v, feature_terms a, feature_terms b) {
    for (int i = 0; i < a.count && v->count <= v->most; i++)
        for (int j = 0; j < b.count && v->count <= v->most; j++) vector_add_product(v, &a.list[i], &b.list[j]);
}

static void vector_add_pairs(vector *v, feature_terms a) {
    for (int i = 0; i < a.count && v->count <= v->most; i++)
        vector_add_products(v, (feature_terms){a.list + i, 1}, (feature_terms){a.list + i + 1, a.count - i - 1});
}

/* Products within one list. */
static void vector_add_within(vector *v, const feature_pair *pair, const feature_terms *terms) {
    feature_terms left = terms_of_space(terms, pair->left);
    if (strcmp(pair->left, pair->right) == 0)
        vector_add_pairs(v, left);
    else
        vector_add_products(v, left, terms_of_space(terms, pair->right));
}

/* Products of an arm's own features with shared ones. */
static void vector_add_across(vector *v, const feature_pair *pair, const feature_terms *own,
                              const feature_terms *shared) {
    vector_add_products(v, terms_of_space(own, pair->left), terms_of_space(shared, pair->right));
    if (strcmp(pair->left, pair->right) != 0)
        vector_add_products(v, terms_of_space(shared, pair->left), terms_of_space(own, pair->right));
}

/* The features that belong to all arms. They go to the shared vector or, without slots for it, to that of each arm. */
static void vector_add_shared(vector *v, const feature_map *m, const feature_terms *shared) {
    vector_add_terms(v, shared);
    for (int i = 0; i < m->pair_count; i++) vector_add_within(v, &m->pairs[i], shared);
    if (m->constant) vector_add(v, feature_sum(FEATURE_SUM_START, CONSTANT, strlen(CONSTANT)), 1.0);
}

static void vector_add_own(vector *v, const feature_map *m, const feature_terms *own, const feature_terms *shared) {
    vector_add_terms(v, own);
    for (int i = 0; i < m->pair_count; i++) {
        vector_add_within(v, &m->pairs[i], own);
        vector_add_across(v, &m->pairs[i], own, shared);
    }
}

/* Vector 0 is the shared one, and the arms' follow. Those without slots stay empty. */
static void vector_fill(vector *v, const feature_source *s, int list) {
    const feature_terms *lists = s->map->room.lists;
    bool own = list > 0;
    v->slots = own ? s->slots.own : s->slots.shared;
    if (v->slots == 0) return;
    if (own) vector_add_own(v, s->map, &lists[list], &lists[0]);
    if (!own || s->slots.shared == 0) vector_add_shared(v, s->map, &lists[0]);
}

static int vector_by_slot(const void *a_, const void *b_) {
    const feature_share *a = a_, *b = b_;
    return a->slot != b->slot ? (a->slot < b->slot ? -1 : 1) : (a->order > b->order) - (a->order < b->order);
}

/* Adds up the shares of each slot. */
static posse_sparse vector_close(vector *v, int *indices, double *values) {
    int count = 0;
    sort_records(v->shares, v->count, sizeof *v->shares, vector_by_slot);
    for (size_t i = 0; i < v->count; i++) {
        bool again = i > 0 && v->shares[i].slot == v->shares[i - 1].slot;
        if (!again) values[count] = 0.0;
        indices[count - again] = v->shares[i].slot;
        values[count - again] += v->shares[i].value;
        count += !again;
    }
    return (posse_sparse){count, indices, values};
}

static posse_error terms_to_vectors(const feature_source *s, int arms) {
    feature_room *r = &s->map->room;
    int last = s->slots.own > 0 ? arms : 0;
    vector counting = {.most = POSSE_FEATURE_TERMS_MAX};
    for (int i = 0; i <= last && counting.count <= counting.most; i++) vector_fill(&counting, s, i);
    if (counting.count > counting.most)
        return REFUSE(&((list_place){s, -1}), NULL, "a round has more than %d features, with those of interactions",
                      POSSE_FEATURE_TERMS_MAX);
    posse_error error = terms_reserve_shares(r, counting.count, s->allocator);
    for (size_t i = 0, used = 0; i <= (size_t)last && error == POSSE_OK; i++) {
        vector v = {.shares = r->shares, .most = POSSE_FEATURE_TERMS_MAX};
        vector_fill(&v, s, (int)i);
        r->rows[i] = vector_close(&v, r->indices + used, r->values + used);
        used += v.count;
    }
    return error;
}

/* Remembers the names of the round. */
static posse_error terms_see(const feature_source *s, int arms) {
    const feature_room *r = &s->map->room;
    posse_error error = POSSE_OK;
    for (int i = 0; i <= arms; i++) {
        bool shared = i == 0 && s->slots.shared > 0;
        int slots = shared ? s->slots.shared : s->slots.own, first = shared ? s->slots.own : 0;
        for (int k = 0; k < r->lists[i].count && error == POSSE_OK; k++) {
            const feature_term *t = &r->lists[i].list[k];
            uint32_t hash = feature_hash(t->sum);
            error = feature_names_see(&s->map->seen, t->key, hash, first + feature_slot(hash, slots), s->allocator);
        }
    }
    return error;
}

posse_error feature_terms_read(const feature_source *s, const posse_named *named, int arms, posse_context *out) {
    feature_map *m = s->map;
    feature_scales_begin(&m->scales, s->allocator);
    feature_names_keep(&m->seen, m->seen.committed, s->allocator);
    posse_error error = terms_read_lists(s, named, arms);
    if (error == POSSE_OK) error = terms_scale(s, arms);
    if (error == POSSE_OK) error = terms_to_vectors(s, arms);
    if (error == POSSE_OK) error = terms_see(s, arms);
    if (error != POSSE_OK) return error;
    if (s->slots.shared > 0) out->sparse_shared = &m->room.rows[0];
    if (s->slots.own > 0) out->sparse_points = &m->room.rows[1];
    return POSSE_OK;
}

posse_error posse_hash_features(const posse_feature *list, int count, int slots, double *out) {
    if (slots < 1 || out == NULL || count < 0 || (list == NULL && count > 0)) return POSSE_ERROR_ARGUMENT;
    for (int i = 0; i < count; i++)
        if (list[i].name == NULL || (list[i].word == NULL && !isfinite(list[i].number))) return POSSE_ERROR_ARGUMENT;
    memset(out, 0, (size_t)slots * sizeof *out);
    for (int i = 0; i < count; i++) {
        const posse_feature *x = &list[i];
        uint32_t sum = feature_sum(FEATURE_SUM_START, x->name, strlen(x->name));
        if (x->word != NULL) sum = feature_sum(feature_sum(sum, "=", 1), x->word, strlen(x->word));
        uint32_t hash = feature_hash(sum);
        out[feature_slot(hash, slots)] += feature_signed(hash, x->word != NULL ? 1.0 : x->number);
    }
    return POSSE_OK;
}

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

static posse_error terms_reserve_lists(feature_room *r, size_t lists, const posse_allocator *allocator) {
    if (lists <= r->list_count) return POSSE_OK;
    r->lists = terms_room(allocator, r->lists, lists, sizeof *r->lists);
    r->rows = terms_room(allocator, r->rows, lists, sizeof *r->rows);
    r->list_count = r->lists != NULL && r->rows != NULL ? lists : 0;
    return r->list_count > 0 ? POSSE_OK : POSSE_ERROR_MEMORY;
}

static posse_error terms_reserve_terms(feature_room *r, size_t terms, const posse_allocator *allocator) {
    if (terms <= r->term_count) return POSSE_OK;
    r->terms = terms_room(allocator, r->terms, terms, sizeof *r->terms);
    r->known = terms_room(allocator, r->known, terms, sizeof *r->known);
    r->order = terms_room(allocator, r->order, terms, sizeof *r->order);
    bool fine = r->terms != NULL && r->known != NULL && r->order != NULL;
    r->term_count = fine ? terms : 0;
    r->ordered = 0;
    return fine ? POSSE_OK : POSSE_ERROR_MEMORY;
}

static posse_error terms_reserve_text(feature_room *r, size_t text, const posse_allocator *allocator) {
    if (text <= r->text_size) return POSSE_OK;
    r->text = terms_room(allocator, r->text, text, 1);
    r->text_size = r->text != NULL ? text : 0;
    return r->text != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
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

static posse_error terms_reserve_full(feature_room *r, size_t numbers, const posse_allocator *allocator) {
    if (numbers <= r->full_count) return POSSE_OK;
    r->full = terms_room(allocator, r->full, numbers, sizeof *r->full);
    r->full_count = r->full != NULL ? numbers : 0;
    return r->full != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

/* ---------------------------------------------------- one feature ------------------------------------------------ */

static posse_error terms_check(const feature_list_origin *l, const posse_feature *x) {
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
        return REFUSE(l, x->name, "%g is no feature; they must be finite and at most %g", x->number, REAL_MAX);
    return POSSE_OK;
}

/* Appends a text to a key; returns the end. */
static char *terms_append(char *at, const char *text) {
    size_t length = strlen(text);
    memcpy(at, text, length + 1);
    return at + length;
}

/* The names of arms need no declaration, as the constant needs none. */
static bool terms_declared(const feature_map *m, const char *full, const char *given) {
    bool by_full, by_given;
    if (m->name_count == 0 || strcmp(full, FEATURE_ARM_NAME) == 0) return true;
    sort_place(m->names, m->name_count, full, &by_full);
    sort_place(m->names, m->name_count, given, &by_given);
    return by_full || by_given;
}

size_t feature_terms_measure(const posse_feature *x) {
    return sizeof FEATURE_SPACE_SHARED "." + strlen(x->name) + 1 + (x->word != NULL ? strlen(x->word) + 1 : 0);
}

posse_error feature_terms_find_scale(const feature_list_origin *l, const posse_feature *x, feature_term *t) {
    const feature_source *s = l->source;
    posse_error error =
        feature_scales_find(&s->map->scales, t->key, x->name, feature_hash(t->sum), s->allocator, &t->scale);
    if (error == POSSE_ERROR_FULL)
        return REFUSE(l, x->name, "%d numbers have a scale already, which is the most", POSSE_FEATURE_SCALES_MAX);
    return error;
}

static bool terms_in_space(const char *key, const char *space) {
    size_t length = strlen(space);
    return strncmp(key, space, length) == 0 && key[length] == '.';
}

/* Where the term goes: the slot of its number, and the interactions that have its namespace. */
static void terms_place(const feature_list_origin *l, feature_term *t) {
    const feature_source *s = l->source;
    uint32_t hash = feature_hash(t->sum);
    int slots = l->arm < 0 && s->slots.shared > 0 ? s->slots.shared : s->slots.own;
    t->slot = slots > 0 ? feature_slot(hash, slots) : 0;
    t->negative = (hash & 1) == 0;
    for (int i = 0; i < s->map->pair_count; i++) {
        t->left |= (uint32_t)terms_in_space(t->key, s->map->pairs[i].left) << i;
        t->right |= (uint32_t)terms_in_space(t->key, s->map->pairs[i].right) << i;
    }
}

posse_error feature_terms_take(const feature_list_origin *l, const posse_feature *x, char **text, feature_term *out) {
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
    if (x->word == NULL && !x->truth) error = feature_terms_find_scale(l, x, out);
    if (x->word != NULL) {
        char *word = end;
        end = terms_append(terms_append(end, "="), x->word);
        out->sum = feature_sum(out->sum, word, (size_t)(end - word));
    }
    terms_place(l, out);
    *text = end + 1;
    return error;
}

/* The scale of a number that was read ahead. It is kept once the scale is committed. */
static posse_error terms_scale_ahead(const feature_list_origin *l, const posse_feature *x, feature_reading *known) {
    if (known->is_scaled) return POSSE_OK;
    posse_error error = feature_terms_find_scale(l, x, &known->term);
    known->is_scaled = error == POSSE_OK && known->term.scale < l->source->map->scales.committed;
    return error;
}

/* ----------------------------------------------------- a list ---------------------------------------------------- */

/* The order of two keys. Features that were read ahead have ranks, and only words of one name need their texts. */
static inline int terms_compare(const feature_term *a, const feature_term *b) {
    if (a->reading == NULL || b->reading == NULL) return strcmp(a->key, b->key);
    int order = a->reading->rank - b->reading->rank;
    return order == 0 && a->word ? strcmp(a->key, b->key) : order;
}

static int terms_by_key(const void *a_, const void *b_) {
    const feature_term *a = a_, *b = b_;
    int order = strcmp(a->key, b->key);
    return order != 0 ? order : a->word - b->word;
}

/* A word may come again, and counts each time. A number may not. */
static inline posse_error terms_refuse_twice(const feature_list_origin *l, const feature_term *one,
                                             const feature_term *other) {
    if ((one->word && other->word) || terms_compare(one, other) != 0) return POSSE_OK;
    return REFUSE(l, NULL, "the feature \"%s\" is there twice", one->key);
}

/* No feature of an arm may also be a shared one. Both lists are sorted. */
static posse_error terms_refuse_shared(const feature_list_origin *l, const feature_terms *own,
                                       const feature_terms *shared) {
    posse_error error = POSSE_OK;
    for (int i = 0, j = 0; i < own->count && j < shared->count && error == POSSE_OK;) {
        int order = terms_compare(&own->list[i], &shared->list[j]);
        if (order == 0) error = terms_refuse_twice(l, &own->list[i], &shared->list[j]);
        i += order <= 0;
        j += order > 0;
    }
    return error;
}

/*
 * Finds the features of a list that was read ahead, and their scales, which come into being in the order in which
 * features are given. False: a feature must be read here.
 */
static bool terms_find_ahead(const feature_list_origin *l, const posse_feature_list *from, posse_error *error) {
    const feature_map *m = l->source->map;
    for (int i = 0; i < from->count; i++) {
        const posse_feature *x = &from->list[i];
        feature_reading *known = feature_lexicon_find(&m->ahead, x, l->arm >= 0);
        bool number = x->word == NULL;
        if (known != NULL && known->era != m->era) {
            known->era = m->era;
            known->is_scaled = known->is_seen = false;
        }
        if (known == NULL || (number && !(fabs(x->number) <= REAL_MAX))) return false;
        if (number && !x->truth) *error = terms_scale_ahead(l, x, known);
        if (*error != POSSE_OK) return true;
        m->room.known[i] = known;
    }
    return true;
}

static inline bool terms_are_after(const feature_reading *a, const feature_reading *b) {
    return a->rank != b->rank ? a->rank > b->rank : a->term.word && strcmp(a->term.key, b->term.key) > 0;
}

/* Sorts a list that was found ahead. Rounds of a batch are alike, so the order of the last list is tried first. */
static void terms_sort_ahead(feature_room *r, int count) {
    if (r->ordered != count)
        for (int i = 0; i < count; i++) r->order[i] = i;
    r->ordered = count;
    for (int i = 1; i < count; i++) {
        int place = r->order[i], at = i;
        for (; at > 0 && terms_are_after(r->known[r->order[at - 1]], r->known[place]); at--)
            r->order[at] = r->order[at - 1];
        r->order[at] = place;
    }
}

static void terms_read_ahead(feature_room *r, const posse_feature_list *from, feature_terms *out) {
    terms_sort_ahead(r, from->count);
    for (int i = 0; i < from->count; i++) {
        const posse_feature *x = &from->list[r->order[i]];
        feature_reading *known = r->known[r->order[i]];
        feature_term *t = &out->list[i];
        *t = known->term;
        t->reading = known;
        if (x->word == NULL) t->value = x->number;
        if (x->truth) t->scale = -1;
    }
}

static posse_error terms_read_here(const feature_list_origin *l, const posse_feature_list *from, char **text,
                                   feature_terms *out) {
    posse_error error = POSSE_OK;
    for (int i = 0; i < from->count && error == POSSE_OK; i++)
        error = feature_terms_take(l, &from->list[i], text, &out->list[i]);
    if (error == POSSE_OK) sort_records(out->list, (size_t)out->count, sizeof *out->list, terms_by_key);
    return error;
}

static const posse_feature_list *terms_list_of(const posse_named *named, int list) {
    return list == 0 ? &named->shared : &named->points[list - 1];
}

/* Counts the features of all lists. POSSE_ERROR_CONTEXT: there are too many, or a list cannot be right. */
static posse_error terms_count(const feature_source *s, const posse_named *named, int lists, size_t *out) {
    for (int i = 0; i < lists; i++) {
        const posse_feature_list *from = terms_list_of(named, i);
        feature_list_origin l = {s, i - 1};
        bool right = from->count >= 0 && (from->count == 0 || from->list != NULL);
        for (int k = 0; right && k < from->count; k++) right = from->list[k].name != NULL;
        if (!right) return REFUSE(&l, NULL, "its list of features cannot be right: a name or the list is missing");
        *out += (size_t)from->count;
        if (*out > POSSE_FEATURE_TERMS_MAX)
            return REFUSE(&l, NULL, "a round has more than %d features", POSSE_FEATURE_TERMS_MAX);
    }
    return POSSE_OK;
}

/* Makes room for the keys of a list and those after it. The lists before it were read ahead, so no key is there. */
static posse_error terms_open_text(const feature_source *s, const posse_named *named, int list, int lists,
                                   char **text) {
    feature_room *r = &s->map->room;
    size_t size = 0;
    if (*text != NULL) return POSSE_OK;
    for (int i = list; i < lists; i++)
        for (int k = 0; k < terms_list_of(named, i)->count; k++)
            size += feature_terms_measure(&terms_list_of(named, i)->list[k]);
    posse_error error = terms_reserve_text(r, size + 1, s->allocator);
    *text = r->text;
    return error;
}

/* Reads list i of a round. *text: where keys are written, NULL before the first one. */
static posse_error terms_read_list(const feature_list_origin *l, const posse_named *named, char **text,
                                   feature_terms *out) {
    const feature_source *s = l->source;
    feature_room *r = &s->map->room;
    const posse_feature_list *from = terms_list_of(named, l->arm + 1);
    posse_error error = POSSE_OK;
    out->count = from->count;
    if (s->map->ahead.count > 0 && terms_find_ahead(l, from, &error)) {
        if (error == POSSE_OK) terms_read_ahead(r, from, out);
    } else {
        if (error == POSSE_OK) error = terms_open_text(s, named, l->arm + 1, r->used, text);
        if (error == POSSE_OK) error = terms_read_here(l, from, text, out);
    }
    for (int i = 1; i < out->count && error == POSSE_OK; i++)
        error = terms_refuse_twice(l, &out->list[i - 1], &out->list[i]);
    return error;
}

/* Reads the shared features as list 0, and those of the arms, if they have any, behind them. */
static posse_error terms_read_lists(const feature_source *s, const posse_named *named, int arms) {
    feature_room *r = &s->map->room;
    size_t terms = 0, used = 0;
    char *text = NULL;
    r->used = named->points != NULL ? arms + 1 : 1;
    posse_error error = terms_count(s, named, r->used, &terms);
    if (error == POSSE_OK) error = terms_reserve_lists(r, (size_t)arms + 1, s->allocator);
    /* One more, so that lists have a place in a round without features, too. */
    if (error == POSSE_OK) error = terms_reserve_terms(r, terms + 1, s->allocator);
    for (int i = 0; i < r->used && error == POSSE_OK; i++) {
        feature_list_origin l = {s, i - 1};
        r->lists[i].list = r->terms + used;
        error = terms_read_list(&l, named, &text, &r->lists[i]);
        used += (size_t)terms_list_of(named, i)->count;
        if (error == POSSE_OK && i > 0 && r->lists[i].count > 0 && s->slots.own == 0)
            error = REFUSE(&l, NULL, "arms of this posse have no features of their own, because dim is 0");
        if (error == POSSE_OK && i > 0) error = terms_refuse_shared(&l, &r->lists[i], &r->lists[0]);
    }
    return error;
}

static posse_error terms_refuse_large(const feature_source *s, int list, const feature_term *t) {
    return REFUSE(&((feature_list_origin){s, list - 1}), NULL, "the feature \"%s\" is %g; features must be at most %g",
                  t->key, t->value, FEATURE_MAX);
}

/* All numbers of the round are seen before any of them is scaled. */
static posse_error terms_scale(const feature_source *s) {
    feature_room *r = &s->map->room;
    feature_scales *scales = &s->map->scales;
    for (int i = 0; i < r->used && scales->learn > 0; i++)
        for (int k = 0; k < r->lists[i].count; k++)
            if (r->lists[i].list[k].scale >= 0)
                feature_scales_see(scales, r->lists[i].list[k].scale, r->lists[i].list[k].value);
    for (int i = 0; i < r->used; i++)
        for (int k = 0; k < r->lists[i].count; k++) {
            feature_term *t = &r->lists[i].list[k];
            if (t->scale >= 0) t->value = feature_scales_apply(scales, t->scale, t->value);
            if (!(fabs(t->value) <= FEATURE_MAX)) return terms_refuse_large(s, i, t);
        }
    return POSSE_OK;
}

/* ---------------------------------------------------- a vector --------------------------------------------------- */

/* A vector that is being made: sums in full, or the shares of its slots in the order in which they are added up. */
typedef struct vector {
    feature_lexicon *ahead;
    double *full;
    feature_share *shares;
    size_t count; /* full and shares NULL: the shares are only counted */
    int slots;
} vector;

static inline bool vector_counts(const vector *v) {
    return v->full == NULL && v->shares == NULL;
}

static inline void vector_add(vector *v, int slot, double value) {
    if (v->full != NULL)
        v->full[slot] += value;
    else
        v->shares[v->count] = (feature_share){slot, (int)v->count, value};
    v->count++;
}

static void vector_add_terms(vector *v, const feature_terms *terms) {
    if (vector_counts(v)) {
        v->count += (size_t)terms->count;
        return;
    }
    for (int i = 0; i < terms->count; i++) {
        const feature_term *t = &terms->list[i];
        vector_add(v, t->slot, t->negative ? -t->value : t->value);
    }
}

static void vector_add_constant(vector *v) {
    uint32_t hash = feature_hash(feature_sum(FEATURE_SUM_START, CONSTANT, strlen(CONSTANT)));
    if (vector_counts(v))
        v->count++;
    else
        vector_add(v, feature_slot(hash, v->slots), feature_signed(hash, 1.0));
}

static inline bool terms_in_pair(const feature_term *t, int pair, bool left) {
    return ((left ? t->left : t->right) >> pair & 1) != 0;
}

/* The features of one namespace of an interaction, which are next to each other. */
static feature_terms terms_of_pair(const feature_terms *all, int pair, bool left) {
    int from = 0, to;
    while (from < all->count && !terms_in_pair(&all->list[from], pair, left)) from++;
    for (to = from; to < all->count && terms_in_pair(&all->list[to], pair, left);) to++;
    return (feature_terms){all->list + from, to - from};
}

static void vector_add_product(vector *v, const feature_term *a, const feature_term *b) {
    uint32_t hash = feature_lexicon_multiply(v->ahead, a, b);
    vector_add(v, feature_slot(hash, v->slots), feature_signed(hash, a->value * b->value));
}

static void vector_add_products(vector *v, feature_terms a, feature_terms b) {
    if (vector_counts(v)) {
        v->count += (size_t)a.count * (size_t)b.count;
        return;
    }
    for (int i = 0; i < a.count; i++)
        for (int j = 0; j < b.count; j++) vector_add_product(v, &a.list[i], &b.list[j]);
}

static void vector_add_pairs(vector *v, feature_terms a) {
    for (int i = 0; i < a.count; i++)
        vector_add_products(v, (feature_terms){a.list + i, 1}, (feature_terms){a.list + i + 1, a.count - i - 1});
}

static bool terms_pair_is_square(const feature_pair *pair) {
    return strcmp(pair->left, pair->right) == 0;
}

/* Products within one list. */
static void vector_add_within(vector *v, const feature_map *m, int pair, const feature_terms *terms) {
    feature_terms left = terms_of_pair(terms, pair, true);
    if (terms_pair_is_square(&m->pairs[pair]))
        vector_add_pairs(v, left);
    else
        vector_add_products(v, left, terms_of_pair(terms, pair, false));
}

/* Products of an arm's own features with shared ones. */
static void vector_add_across(vector *v, const feature_map *m, int pair, const feature_terms *own,
                              const feature_terms *shared) {
    vector_add_products(v, terms_of_pair(own, pair, true), terms_of_pair(shared, pair, false));
    if (!terms_pair_is_square(&m->pairs[pair]))
        vector_add_products(v, terms_of_pair(shared, pair, true), terms_of_pair(own, pair, false));
}

/* The features that belong to all arms. They go to the shared vector or, without slots for it, to that of each arm. */
static void vector_add_shared(vector *v, const feature_map *m, const feature_terms *shared) {
    vector_add_terms(v, shared);
    for (int i = 0; i < m->pair_count; i++) vector_add_within(v, m, i, shared);
    if (m->constant) vector_add_constant(v);
}

static void vector_add_own(vector *v, const feature_map *m, const feature_terms *own, const feature_terms *shared) {
    vector_add_terms(v, own);
    for (int i = 0; i < m->pair_count && own->count > 0; i++) {
        vector_add_within(v, m, i, own);
        vector_add_across(v, m, i, own, shared);
    }
}

/* Vector 0 is the shared one, and the arms' follow. Those without slots stay empty. */
static void vector_fill(vector *v, const feature_source *s, int list) {
    const feature_room *r = &s->map->room;
    bool own = list > 0;
    v->slots = own ? s->slots.own : s->slots.shared;
    if (v->slots == 0) return;
    if (own && list < r->used) vector_add_own(v, s->map, &r->lists[list], &r->lists[0]);
    if (!own || s->slots.shared == 0) vector_add_shared(v, s->map, &r->lists[0]);
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

/* Counts the shares of all vectors, or of as many as there may be. */
static posse_error terms_count_shares(const feature_source *s, int last, size_t *out) {
    vector counting = {0};
    for (int i = 0; i <= last && counting.count <= POSSE_FEATURE_TERMS_MAX; i++) vector_fill(&counting, s, i);
    *out = counting.count;
    if (counting.count <= POSSE_FEATURE_TERMS_MAX) return POSSE_OK;
    return REFUSE(&((feature_list_origin){s, -1}), NULL,
                  "a round has more than %d features, with those of interactions", POSSE_FEATURE_TERMS_MAX);
}

static posse_error terms_to_pairs(const feature_source *s, int last, size_t count, posse_context *out) {
    feature_room *r = &s->map->room;
    posse_error error = terms_reserve_shares(r, count, s->allocator);
    if (error != POSSE_OK) return error;
    for (size_t i = 0, used = 0; i <= (size_t)last; i++) {
        vector v = {.ahead = &s->map->ahead, .shares = r->shares};
        vector_fill(&v, s, (int)i);
        r->rows[i] = vector_close(&v, r->indices + used, r->values + used);
        used += v.count;
    }
    if (s->slots.shared > 0) out->sparse_shared = &r->rows[0];
    if (s->slots.own > 0) out->sparse_points = &r->rows[1];
    return POSSE_OK;
}

static posse_error terms_to_full(const feature_source *s, int last, feature_target to, posse_context *out) {
    feature_room *r = &s->map->room;
    size_t shared = (size_t)s->slots.shared, own = (size_t)s->slots.own, points = (size_t)last * own;
    bool here = to.shared == NULL && to.points == NULL;
    posse_error error = here ? terms_reserve_full(r, shared + points, s->allocator) : POSSE_OK;
    if (error != POSSE_OK) return error;
    if (here) to = (feature_target){r->full, r->full + shared};
    if (shared > 0) memset(to.shared, 0, shared * sizeof *to.shared);
    if (points > 0) memset(to.points, 0, points * sizeof *to.points);
    for (int i = 0; i <= last; i++) {
        vector v = {.ahead = &s->map->ahead, .full = i > 0 ? to.points + (size_t)(i - 1) * own : to.shared};
        vector_fill(&v, s, i);
    }
    if (shared > 0) out->shared = to.shared;
    if (own > 0) out->points = to.points;
    return POSSE_OK;
}

static posse_error terms_to_vectors(const feature_source *s, int arms, const feature_target *to, posse_context *out) {
    int last = s->slots.own > 0 ? arms : 0;
    size_t count;
    posse_error error = terms_count_shares(s, last, &count);
    if (error != POSSE_OK) return error;
    return to != NULL ? terms_to_full(s, last, *to, out) : terms_to_pairs(s, last, count, out);
}

/* Remembers the names of the round. */
static posse_error terms_see(const feature_source *s) {
    const feature_room *r = &s->map->room;
    posse_error error = POSSE_OK;
    for (int i = 0; i < r->used; i++) {
        int first = i == 0 && s->slots.shared > 0 ? s->slots.own : 0;
        for (int k = 0; k < r->lists[i].count && error == POSSE_OK; k++) {
            const feature_term *t = &r->lists[i].list[k];
            bool seen;
            if (t->reading != NULL && t->reading->is_seen) continue;
            error =
                feature_names_see(&s->map->seen, t->key, feature_hash(t->sum), first + t->slot, s->allocator, &seen);
            if (t->reading != NULL) t->reading->is_seen = seen;
        }
    }
    return error;
}

posse_error feature_terms_read(const feature_source *s, const posse_named *named, int arms, const feature_target *to,
                               posse_context *out) {
    feature_map_turn(s->map, s->allocator);
    posse_error error = terms_read_lists(s, named, arms);
    if (error == POSSE_OK) error = terms_scale(s);
    if (error == POSSE_OK) error = terms_to_vectors(s, arms, to, out);
    return error == POSSE_OK ? terms_see(s) : error;
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

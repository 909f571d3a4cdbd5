/* SPDX-License-Identifier: MIT */
/*
 * Features that were read ahead of many rounds: their keys, hashes and slots are there already, and lists of them are
 * sorted by numbers in place of texts.
 *
 * The *stem* of a key is its name, for a word with the = behind it. If no stem of a word begins another stem, keys with
 * different stems are in the order of their stems, whatever the words are. The few other features are read in their
 * rounds.
 */
#include <string.h>

#include "base/feature_hash.h"
#include "base/sort.h"
#include "object/object.h"

/* ------------------------------------------------------ ranks ---------------------------------------------------- */

/* A stem, of all features with one pointer as their name, in lists of one sort. */
typedef struct lexicon_stem {
    const char *name; /* as it was given */
    const char *key;  /* of one of its features */
    size_t length;    /* of the stem in that key */
    bool own, word;
    int number, rank; /* number: its place before the stems were sorted */
} lexicon_stem;

/* The stems, and a hash table of them by what they consist of: 1 + a place, or 0. */
typedef struct lexicon_stems {
    lexicon_stem *list;
    int *table, *of_readings, *ranks;
    int count;
    size_t size;
} lexicon_stems;

static size_t lexicon_mix(uintptr_t a, uintptr_t b) {
    return (size_t)(((uint64_t)a ^ (uint64_t)b * 0xff51afd7ed558ccdu) * 0x9E3779B97F4A7C15u >> 32);
}

static int lexicon_stem_of(lexicon_stems *s, const char *name, const feature_term *t, bool own) {
    size_t at = lexicon_mix((uintptr_t)name, 2u * t->word + own) & (s->size - 1);
    for (; s->table[at] != 0; at = (at + 1) & (s->size - 1)) {
        const lexicon_stem *other = &s->list[s->table[at] - 1];
        if (other->name == name && other->word == t->word && other->own == own) return s->table[at] - 1;
    }
    bool bare = strchr(name, '.') == NULL;
    size_t space = !bare ? 0 : own ? strlen(FEATURE_SPACE_OWN ".") : strlen(FEATURE_SPACE_SHARED ".");
    s->list[s->count] = (lexicon_stem){name, t->key, space + strlen(name) + t->word, own, t->word, s->count, 0};
    s->table[at] = ++s->count;
    return s->count - 1;
}

static int lexicon_by_text(const void *a_, const void *b_) {
    const lexicon_stem *a = a_, *b = b_;
    size_t both = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->key, b->key, both);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

/* Whether the words of a stem may be in any order with the keys of the next one. */
static bool lexicon_begins(const lexicon_stem *a, const lexicon_stem *b) {
    return a->word && a->length < b->length && memcmp(a->key, b->key, a->length) == 0;
}

/* Equal stems have one rank. -1: a stem begins another one, or is begun by it. */
static void lexicon_rank(lexicon_stems *s) {
    lexicon_stem *list = s->list;
    sort_records(list, (size_t)s->count, sizeof *list, lexicon_by_text);
    int rank = 0;
    for (int i = 0; i < s->count; i++) {
        rank += i > 0 && lexicon_by_text(&list[i - 1], &list[i]) != 0;
        list[i].rank = rank;
    }
    for (int i = 0; i < s->count; i++)
        for (int k = i + 1; k < s->count && lexicon_begins(&list[i], &list[k]); k++) list[i].rank = list[k].rank = -1;
    for (int i = 0; i < s->count; i++) s->ranks[list[i].number] = list[i].rank;
}

static posse_error lexicon_rank_readings(feature_lexicon *l, arena *scratch) {
    size_t readings = 2 * (size_t)l->count;
    lexicon_stems s = {.size = 16};
    while (s.size < 2 * readings) s.size *= 2;
    s.list = arena_allocate(scratch, readings * sizeof *s.list);
    s.table = arena_allocate(scratch, s.size * sizeof *s.table);
    s.of_readings = arena_allocate(scratch, readings * sizeof *s.of_readings);
    s.ranks = arena_allocate(scratch, readings * sizeof *s.ranks);
    if (s.list == NULL || s.table == NULL || s.of_readings == NULL || s.ranks == NULL) return POSSE_ERROR_MEMORY;
    for (size_t i = 0; i < readings; i++)
        if (l->readings[i].rank >= 0)
            s.of_readings[i] = lexicon_stem_of(&s, l->given[i / 2].name, &l->readings[i].term, i % 2 != 0);
    lexicon_rank(&s);
    for (size_t i = 0; i < readings; i++)
        if (l->readings[i].rank >= 0) l->readings[i].rank = s.ranks[s.of_readings[i]];
    return POSSE_OK;
}

/* ----------------------------------------------------- reading --------------------------------------------------- */

/* A feature that cannot be read gets its error in its round, so the log hears nothing of it here. */
static void lexicon_read(const feature_source *s, const posse_feature *x, bool own, char **text, feature_reading *out) {
    static const posse_logger silent;
    feature_source quiet = {s->map, s->slots, s->allocator, &silent};
    feature_list_origin origin = {&quiet, own ? 0 : -1};
    posse_feature bare = {.name = x->name, .word = x->word, .truth = true};
    out->rank = feature_terms_take(&origin, &bare, text, &out->term) == POSSE_OK ? 0 : -1;
}

static void lexicon_read_all(const feature_source *s, const posse_feature *list) {
    feature_lexicon *l = &s->map->ahead;
    char *text = l->text;
    for (int i = 0; i < l->count; i++) {
        l->given[i] = (struct feature_texts){list[i].name, list[i].word};
        for (int own = 0; own < 2; own++) lexicon_read(s, &list[i], own, &text, &l->readings[2 * i + own]);
    }
}

static posse_error lexicon_reserve(feature_lexicon *l, const posse_feature *list, int count, bool products,
                                   const posse_allocator *allocator) {
    size_t text = 0, readings = 2 * (size_t)count;
    for (int i = 0; i < count; i++) text += 2 * feature_terms_measure(&list[i]);
    l->given = memory_allocate(allocator, (size_t)count * sizeof *l->given);
    l->readings = memory_allocate(allocator, readings * sizeof *l->readings);
    l->text = memory_allocate(allocator, text);
    if (products) l->products = memory_allocate(allocator, FEATURE_PRODUCTS * sizeof *l->products);
    bool fine = l->given != NULL && l->readings != NULL && l->text != NULL && (!products || l->products != NULL);
    return fine ? POSSE_OK : POSSE_ERROR_MEMORY;
}

posse_error feature_lexicon_open(const feature_source *s, const posse_feature *list, int count) {
    feature_lexicon *l = &s->map->ahead;
    arena scratch = {.allocator = *s->allocator};
    feature_lexicon_release(l, s->allocator);
    if (count == 0) return POSSE_OK;
    posse_error error = lexicon_reserve(l, list, count, s->map->pair_count > 0, s->allocator);
    if (error == POSSE_OK) {
        l->count = count;
        lexicon_read_all(s, list);
        error = lexicon_rank_readings(l, &scratch);
    }
    if (error != POSSE_OK) feature_lexicon_release(l, s->allocator);
    arena_release(&scratch);
    return error;
}

void feature_lexicon_release(feature_lexicon *l, const posse_allocator *allocator) {
    memory_release(allocator, l->given);
    memory_release(allocator, l->readings);
    memory_release(allocator, l->text);
    memory_release(allocator, l->products);
    *l = (feature_lexicon){0};
}

/* ----------------------------------------------------- products -------------------------------------------------- */

static uint32_t lexicon_hash_product(const feature_term *a, const feature_term *b) {
    uint32_t sum = feature_sum(a->sum, "*", 1);
    return feature_hash(feature_sum(sum, b->key, strlen(b->key)));
}

/* A table without chains: of two products with one entry, the later one stays. */
uint32_t feature_lexicon_multiply(feature_lexicon *l, const feature_term *a, const feature_term *b) {
    if (l->products == NULL || a->reading == NULL || b->reading == NULL) return lexicon_hash_product(a, b);
    size_t at = lexicon_mix((uintptr_t)a->reading, (uintptr_t)b->reading) & (FEATURE_PRODUCTS - 1);
    feature_product *known = &l->products[at];
    if (known->left != a->reading || known->right != b->reading)
        *known = (feature_product){a->reading, b->reading, lexicon_hash_product(a, b)};
    return known->hash;
}

/* ------------------------------------------------- the public calls ---------------------------------------------- */

posse_error posse_read_ahead(posse *p, const posse_feature *list, int count) {
    if (p == NULL || p->map == NULL || count < 0 || (count > 0 && list == NULL)) return POSSE_ERROR_ARGUMENT;
    for (int i = 0; i < count; i++)
        if (list[i].name == NULL) return POSSE_ERROR_ARGUMENT;
    feature_source source = {p->map, object_feature_slots(p), &p->host.allocator, &p->host.log};
    return feature_lexicon_open(&source, list, count);
}

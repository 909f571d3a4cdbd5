/* SPDX-License-Identifier: MIT */
/*
 * The definition of a feature map: checked, copied, and in the saved form.
 */
#include "object/feature_map.h"

#include <math.h>
#include <string.h>

#include "base/feature_hash.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "model/parameter.h"
#include "object/object.h"

/* ----------------------------------------------------- checks ---------------------------------------------------- */

/* Writes to the log what is wrong with the part `key` of the map, at an index. */
#define REFUSE(log, key, index, error, ...)                                                                            \
    (complain(log, &(posse_place){&(posse_place){NULL, "features", -1}, key, index}, NULL, __VA_ARGS__), error)

static posse_error map_check_name(const posse_logger *log, const char *key, int index, const char *name) {
    size_t length = name != NULL ? strlen(name) : 0;
    if (length == 0) return REFUSE(log, key, index, POSSE_ERROR_NAME, "the name of a feature is empty");
    if (length > POSSE_FEATURE_NAME_MAX)
        return REFUSE(log, key, index, POSSE_ERROR_NAME, "the name has %zu bytes; at most %d", length,
                      POSSE_FEATURE_NAME_MAX);
    if (utf8_valid(name) < length) return REFUSE(log, key, index, POSSE_ERROR_NAME, "the name is not UTF-8");
    return POSSE_OK;
}

static posse_error map_check_scale(const posse_logger *log, int index, const posse_feature_scale *s) {
    posse_error error = map_check_name(log, "scale", index, s->name);
    if (error != POSSE_OK) return error;
    if (!(fabs(s->mean) <= REAL_MAX) || !(s->sd > 0.0 && s->sd <= REAL_MAX))
        return REFUSE(log, "scale", index, POSSE_ERROR_OPTION, "\"%s\" has mean %g and sd %g; the sd must be above 0",
                      s->name, s->mean, s->sd);
    return POSSE_OK;
}

static posse_error map_check_counts(const posse_feature_def *def, const posse_logger *log) {
    if (def->interaction_count > POSSE_FEATURE_PAIRS_MAX)
        return REFUSE(log, "interactions", -1, POSSE_ERROR_ARGUMENT, "%d are too many; at most %d",
                      def->interaction_count, POSSE_FEATURE_PAIRS_MAX);
    if (def->scale_count > POSSE_FEATURE_SCALES_MAX)
        return REFUSE(log, "scale", -1, POSSE_ERROR_ARGUMENT, "%d are too many; at most %d", def->scale_count,
                      POSSE_FEATURE_SCALES_MAX);
    bool lists = (def->names != NULL || def->name_count == 0) && (def->scales != NULL || def->scale_count == 0) &&
                 (def->interactions != NULL || def->interaction_count == 0);
    bool counts = def->name_count >= 0 && def->scale_count >= 0 && def->interaction_count >= 0;
    return lists && counts ? POSSE_OK : POSSE_ERROR_ARGUMENT;
}

/* ------------------------------------------------------ copies --------------------------------------------------- */

static char *map_copy(arena *memory, const char *text, size_t length) {
    char *copy = arena_allocate(memory, length + 1);
    if (copy != NULL) memcpy(copy, text, length);
    return copy;
}

static int map_by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static posse_error map_take_names(feature_map *m, const posse_feature_def *def, arena *memory,
                                  const posse_logger *log) {
    m->names = arena_allocate(memory, (size_t)def->name_count * sizeof *m->names);
    if (m->names == NULL) return POSSE_ERROR_MEMORY;
    for (int i = 0; i < def->name_count; i++) {
        posse_error error = map_check_name(log, "names", i, def->names[i]);
        if (error != POSSE_OK) return error;
        m->names[i] = map_copy(memory, def->names[i], strlen(def->names[i]));
        if (m->names[i] == NULL) return POSSE_ERROR_MEMORY;
    }
    m->name_count = def->name_count;
    sort_records(m->names, (size_t)m->name_count, sizeof *m->names, map_by_text);
    for (int i = 1; i < m->name_count; i++)
        if (strcmp(m->names[i - 1], m->names[i]) == 0)
            return REFUSE(log, "names", -1, POSSE_ERROR_NAME, "\"%s\" is there twice", m->names[i]);
    return POSSE_OK;
}

/* Whether declared features may be in a namespace. Without declarations, every namespace may come. */
static bool map_has_space(const feature_map *m, const char *space) {
    size_t length = strlen(space);
    bool plain = strcmp(space, FEATURE_SPACE_SHARED) == 0 || strcmp(space, FEATURE_SPACE_OWN) == 0;
    for (int i = 0; i < m->name_count; i++) {
        bool inside = strncmp(m->names[i], space, length) == 0 && m->names[i][length] == '.';
        if (inside || (plain && strchr(m->names[i], '.') == NULL)) return true;
    }
    return m->name_count == 0;
}

static posse_error map_check_pair(const feature_map *m, int index, const posse_logger *log) {
    const feature_pair *pair = &m->pairs[index];
    for (int i = 0; i < index; i++) {
        const feature_pair *other = &m->pairs[i];
        bool same = strcmp(pair->left, other->left) == 0 && strcmp(pair->right, other->right) == 0;
        bool turned = strcmp(pair->left, other->right) == 0 && strcmp(pair->right, other->left) == 0;
        if (same || turned)
            return REFUSE(log, "interactions", index, POSSE_ERROR_NAME, "\"%s\" is there twice", pair->text);
    }
    const char *unknown = !map_has_space(m, pair->left)    ? pair->left
                          : !map_has_space(m, pair->right) ? pair->right
                                                           : NULL;
    if (unknown != NULL)
        return REFUSE(log, "interactions", index, POSSE_ERROR_NAME, "no declared feature is in the namespace \"%s\"",
                      unknown);
    return POSSE_OK;
}

static posse_error map_take_pair(feature_map *m, int index, const char *text, arena *memory, const posse_logger *log) {
    feature_pair *pair = &m->pairs[index];
    posse_error error = map_check_name(log, "interactions", index, text);
    if (error != POSSE_OK) return error;
    const char *star = strchr(text, '*');
    bool two = star != NULL && star > text && star[1] != '\0' && strchr(star + 1, '*') == NULL;
    if (!two || strchr(text, '.') != NULL)
        return REFUSE(log, "interactions", index, POSSE_ERROR_NAME,
                      "\"%s\" is no interaction; two namespaces with * between them are one, such as user*item", text);
    pair->text = map_copy(memory, text, strlen(text));
    pair->left = map_copy(memory, text, (size_t)(star - text));
    pair->right = map_copy(memory, star + 1, strlen(star + 1));
    if (pair->text == NULL || pair->left == NULL || pair->right == NULL) return POSSE_ERROR_MEMORY;
    m->pair_texts[index] = pair->text;
    return map_check_pair(m, index, log);
}

static posse_error map_take_pairs(feature_map *m, const posse_feature_def *def, arena *memory,
                                  const posse_logger *log) {
    m->pairs = arena_allocate(memory, (size_t)def->interaction_count * sizeof *m->pairs);
    m->pair_texts = arena_allocate(memory, (size_t)def->interaction_count * sizeof *m->pair_texts);
    if (m->pairs == NULL || m->pair_texts == NULL) return POSSE_ERROR_MEMORY;
    posse_error error = POSSE_OK;
    for (int i = 0; i < def->interaction_count && error == POSSE_OK; i++) {
        error = map_take_pair(m, i, def->interactions[i], memory, log);
        m->pair_count = i + 1;
    }
    return error;
}

static posse_error map_take_scales(feature_map *m, const posse_feature_def *def, arena *memory,
                                   const posse_logger *log) {
    posse_error error = POSSE_OK;
    m->declared = arena_allocate(memory, (size_t)def->scale_count * sizeof *m->declared);
    if (m->declared == NULL) return POSSE_ERROR_MEMORY;
    for (int i = 0; i < def->scale_count && error == POSSE_OK; i++) {
        const posse_feature_scale *s = &def->scales[i];
        error = map_check_scale(log, i, s);
        for (int k = 0; k < i && error == POSSE_OK; k++)
            if (strcmp(def->scales[k].name, s->name) == 0)
                error = REFUSE(log, "scale", i, POSSE_ERROR_NAME, "\"%s\" is there twice", s->name);
        if (error == POSSE_OK) error = feature_scales_add(&m->scales, s->name, s->mean, s->sd, &memory->allocator);
        if (error == POSSE_OK) m->declared[i] = (posse_feature_scale){m->scales.list[i].name, s->mean, s->sd, 0};
    }
    m->scales.declared = m->scales.committed = m->scales.count;
    m->scales.learn = def->learn_scale;
    return error;
}

posse_error feature_map_open(const posse_feature_def *def, feature_slots slots, arena *memory, const posse_logger *log,
                             feature_map **out) {
    if (slots.own + slots.shared == 0) {
        complain(log, NULL, "features", "features have names, but no slots: set dim, context or both");
        return POSSE_ERROR_FIT;
    }
    posse_error error = map_check_counts(def, log);
    if (error != POSSE_OK) return error;
    feature_map *m = *out = arena_allocate(memory, sizeof *m);
    if (m == NULL) return POSSE_ERROR_MEMORY;
    m->constant = !def->without_constant;
    error = map_take_names(m, def, memory, log);
    if (error == POSSE_OK) error = map_take_pairs(m, def, memory, log);
    if (error == POSSE_OK) error = map_take_scales(m, def, memory, log);
    m->def = (posse_feature_def){m->names,    m->name_count,    m->pair_texts,    m->pair_count,
                                 m->declared, def->scale_count, def->learn_scale, def->without_constant};
    return error;
}

static void map_release_room(feature_room *r, const posse_allocator *allocator) {
    memory_release(allocator, r->text);
    memory_release(allocator, r->lists);
    memory_release(allocator, r->terms);
    memory_release(allocator, r->shares);
    memory_release(allocator, r->rows);
    memory_release(allocator, r->indices);
    memory_release(allocator, r->values);
    memory_release(allocator, r->order);
    memory_release(allocator, r->known);
    memory_release(allocator, r->full);
    memory_release(allocator, r->arms);
    memory_release(allocator, r->arm_lists);
    *r = (feature_room){0};
}

void feature_map_release(feature_map *m, const posse_allocator *allocator) {
    if (m == NULL) return;
    map_release_room(&m->room, allocator);
    feature_lexicon_release(&m->ahead, allocator);
    memory_release(allocator, m->scales.kept);
    feature_names_release(&m->seen, allocator);
    feature_scales_release(&m->scales, 0, allocator);
}

void feature_map_begin(feature_map *m, const posse_allocator *allocator) {
    feature_lexicon_release(&m->ahead, allocator);
    feature_names_release(&m->seen, allocator);
    if (m->scales.count > m->scales.declared) feature_scales_release(&m->scales, m->scales.declared, allocator);
}

void feature_map_commit(feature_map *m) {
    feature_scales_commit(&m->scales);
    m->seen.committed = m->seen.count;
}

/* ----------------------------------------------------- a trial --------------------------------------------------- */

void feature_map_turn(feature_map *m, const posse_allocator *allocator) {
    if (m->scales.kept != NULL) feature_map_commit(m);
    feature_scales_begin(&m->scales, allocator);
    feature_names_keep(&m->seen, m->seen.committed, allocator);
}

posse_error posse_trial_begin(posse *p) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    posse_trial_end(p, false);
    if (p->map == NULL) return POSSE_OK;
    feature_map_turn(p->map, &p->host.allocator);
    p->map->names_before = p->map->seen.committed;
    return feature_scales_keep(&p->map->scales, &p->host.allocator);
}

void posse_trial_end(posse *p, bool keep) {
    if (p == NULL || p->map == NULL || p->map->scales.kept == NULL) return;
    feature_map *m = p->map;
    const posse_allocator *allocator = &p->host.allocator;
    if (keep) {
        feature_map_commit(m);
        feature_scales_drop(&m->scales, allocator);
        return;
    }
    feature_scales_put_back(&m->scales, allocator);
    m->seen.committed = m->names_before;
    feature_names_keep(&m->seen, m->names_before, allocator);
    m->era++;
}

/* ------------------------------------------------- the saved form ------------------------------------------------ */

static void map_write_texts(writer *w, const char *const *texts, int count) {
    write_word(w, (uint64_t)count);
    for (int i = 0; i < count; i++) write_text(w, texts[i]);
}

void feature_map_write_definition(writer *w, const feature_map *m) {
    map_write_texts(w, m->names, m->name_count);
    map_write_texts(w, m->pair_texts, m->pair_count);
    write_word(w, (uint64_t)m->scales.declared);
    for (int i = 0; i < m->scales.declared; i++) {
        write_text(w, m->declared[i].name);
        write_real(w, m->declared[i].mean);
        write_real(w, m->declared[i].sd);
    }
    write_word(w, m->scales.learn);
    write_word(w, m->constant);
}

void feature_map_write_learned(writer *w, const feature_map *m) {
    write_word(w, (uint64_t)(m->scales.committed - m->scales.declared));
    for (int i = m->scales.declared; i < m->scales.committed; i++) {
        const feature_scale *s = &m->scales.list[i];
        write_text(w, s->name);
        write_word(w, s->sums.count);
        write_real(w, s->sums.mean);
        write_real(w, s->sums.squares);
    }
    write_word(w, (uint64_t)m->seen.committed);
    for (int i = 0; i < m->seen.committed; i++) {
        write_text(w, m->seen.list[i].key);
        write_word(w, (uint64_t)m->seen.list[i].slot);
    }
}

static posse_error map_read_text(reader *r, arena *memory, const char **out) {
    size_t length;
    const char *text = read_text(r, &length);
    if (text == NULL || r->bad) return POSSE_ERROR_DAMAGED;
    *out = map_copy(memory, text, length);
    return *out != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

/* Each text takes at least a word, which bounds the memory by the bytes that are left. */
static posse_error map_read_count(reader *r, uint64_t most, int *out) {
    uint64_t count = read_word_upto(r, most);
    *out = (int)count;
    return r->bad || count > r->left / sizeof(uint64_t) ? POSSE_ERROR_DAMAGED : POSSE_OK;
}

static posse_error map_read_texts(reader *r, arena *memory, uint64_t most, const char *const **out, int *count) {
    posse_error error = map_read_count(r, most, count);
    if (error != POSSE_OK) return error;
    const char **texts = arena_allocate(memory, (size_t)*count * sizeof *texts);
    if (texts == NULL) return POSSE_ERROR_MEMORY;
    for (int i = 0; i < *count && error == POSSE_OK; i++) error = map_read_text(r, memory, &texts[i]);
    *out = texts;
    return error;
}

posse_error feature_map_read_definition(reader *r, arena *memory, const posse_feature_def **out) {
    posse_feature_def *def = arena_allocate(memory, sizeof *def);
    if (def == NULL) return POSSE_ERROR_MEMORY;
    posse_error error = map_read_texts(r, memory, INT32_MAX, &def->names, &def->name_count);
    if (error == POSSE_OK)
        error = map_read_texts(r, memory, POSSE_FEATURE_PAIRS_MAX, &def->interactions, &def->interaction_count);
    if (error == POSSE_OK) error = map_read_count(r, POSSE_FEATURE_SCALES_MAX, &def->scale_count);
    if (error != POSSE_OK) return error;
    posse_feature_scale *scales = arena_allocate(memory, (size_t)def->scale_count * sizeof *scales);
    if (scales == NULL) return POSSE_ERROR_MEMORY;
    for (int i = 0; i < def->scale_count && error == POSSE_OK; i++) {
        error = map_read_text(r, memory, &scales[i].name);
        scales[i].mean = read_real(r);
        scales[i].sd = read_real(r);
    }
    def->scales = scales;
    def->learn_scale = read_word(r);
    def->without_constant = read_word_upto(r, 1) == 0;
    *out = def;
    return error == POSSE_OK && r->bad ? POSSE_ERROR_DAMAGED : error;
}

static bool map_has_scale(const feature_scales *f, const char *name) {
    int i = 0;
    while (i < f->count && strcmp(f->list[i].name, name) != 0) i++;
    return i < f->count;
}

static posse_error map_read_scale(reader *r, feature_map *m, arena *scratch, const posse_allocator *allocator) {
    const char *name = NULL;
    posse_error error = map_read_text(r, scratch, &name);
    if (error != POSSE_OK) return error;
    feature_sums sums = {.count = read_word(r)};
    sums.mean = read_real(r);
    sums.squares = read_real(r);
    bool sane = !r->bad && sums.count > 0 && fabs(sums.mean) <= REAL_MAX && sums.squares >= 0.0 &&
                isfinite(sums.squares) && *name != '\0' && utf8_valid(name) == strlen(name) &&
                !map_has_scale(&m->scales, name);
    if (!sane) return POSSE_ERROR_DAMAGED;
    error = feature_scales_add(&m->scales, name, 0.0, 0.0, allocator);
    if (error == POSSE_OK) m->scales.list[m->scales.count - 1].sums = sums;
    return error;
}

static posse_error map_read_seen(reader *r, feature_map *m, feature_slots slots, arena *scratch,
                                 const posse_allocator *allocator) {
    const char *key = NULL;
    int before = m->seen.count;
    posse_error error = map_read_text(r, scratch, &key);
    if (error != POSSE_OK) return error;
    int slot = (int)read_word_upto(r, (uint64_t)(slots.own + slots.shared) - 1);
    uint32_t hash = feature_hash(feature_sum(FEATURE_SUM_START, key, strlen(key)));
    bool own = slot < slots.own;
    int right = own ? feature_slot(hash, slots.own) : slots.own + feature_slot(hash, slots.shared);
    if (r->bad || slot != right || utf8_valid(key) < strlen(key)) return POSSE_ERROR_DAMAGED;
    bool committed;
    error = feature_names_see(&m->seen, key, hash, slot, allocator, &committed);
    return error == POSSE_OK && m->seen.count == before ? POSSE_ERROR_DAMAGED : error;
}

posse_error feature_map_read_learned(reader *r, feature_map *m, feature_slots slots, const posse_allocator *allocator) {
    arena scratch = {.allocator = *allocator};
    int count;
    uint64_t scales_left = (uint64_t)(POSSE_FEATURE_SCALES_MAX - m->scales.declared);
    posse_error error = map_read_count(r, m->scales.learn > 0 ? scales_left : 0, &count);
    for (int i = 0; i < count && error == POSSE_OK; i++) error = map_read_scale(r, m, &scratch, allocator);
    if (error == POSSE_OK) error = map_read_count(r, POSSE_FEATURE_SEEN_MAX, &count);
    for (int i = 0; i < count && error == POSSE_OK; i++) error = map_read_seen(r, m, slots, &scratch, allocator);
    m->scales.committed = m->scales.count;
    m->seen.committed = m->seen.count;
    arena_release(&scratch);
    return error;
}

/* ------------------------------------------------- the public calls ---------------------------------------------- */

bool posse_takes_names(const posse *p) {
    return p != NULL && p->map != NULL;
}

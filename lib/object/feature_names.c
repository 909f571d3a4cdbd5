/* SPDX-License-Identifier: MIT */
/*
 * The names of features that a posse has seen, so that it can report which of them share a slot. There are at most
 * POSSE_FEATURE_SEEN_MAX. They change no decision. A name is found by a hash table with open addressing.
 */
#include <string.h>

#include "base/feature_hash.h"
#include "object/object.h"

#define NAMES_LEAST 32

/* Where a name is, or the free entry where it belongs. */
static uint16_t *names_entry(const feature_names *n, const char *key, uint32_t hash, int slot) {
    size_t at = hash & (n->table_size - 1);
    for (; n->table[at] != 0; at = (at + 1) & (n->table_size - 1)) {
        const struct feature_name *other = &n->list[n->table[at] - 1];
        if (other->hash == hash && other->slot == slot && strcmp(other->key, key) == 0) break;
    }
    return &n->table[at];
}

static posse_error names_grow(feature_names *n, const posse_allocator *allocator) {
    int room = n->room > 0 ? 2 * n->room : NAMES_LEAST;
    size_t table_size = 2 * (size_t)room;
    uint16_t *table = memory_allocate(allocator, table_size * sizeof *table);
    struct feature_name *list = table != NULL ? memory_grow(allocator, n->list, (size_t)room * sizeof *n->list) : NULL;
    if (list == NULL) {
        memory_release(allocator, table);
        return POSSE_ERROR_MEMORY;
    }
    memory_release(allocator, n->table);
    n->list = list;
    n->room = room;
    n->table = table;
    n->table_size = table_size;
    for (int i = 0; i < n->count; i++) *names_entry(n, list[i].key, list[i].hash, list[i].slot) = (uint16_t)(i + 1);
    return POSSE_OK;
}

posse_error feature_names_see(feature_names *n, const char *key, uint32_t hash, int slot,
                              const posse_allocator *allocator, bool *committed) {
    uint16_t known = n->count > 0 ? *names_entry(n, key, hash, slot) : 0;
    *committed = known > 0 && known <= n->committed;
    if (known > 0) return POSSE_OK;
    if (n->count == POSSE_FEATURE_SEEN_MAX) return POSSE_OK;
    posse_error error = n->count < n->room ? POSSE_OK : names_grow(n, allocator);
    if (error != POSSE_OK) return error;
    char *copy = memory_allocate(allocator, strlen(key) + 1);
    if (copy == NULL) return POSSE_ERROR_MEMORY;
    strcpy(copy, key);
    uint16_t *entry = names_entry(n, key, hash, slot);
    n->list[n->count++] = (struct feature_name){copy, hash, slot};
    *entry = (uint16_t)n->count;
    return POSSE_OK;
}

/* The newest name is at the end of its chain, so that no search for another one passes its entry. */
void feature_names_keep(feature_names *n, int keep, const posse_allocator *allocator) {
    while (n->count > keep) {
        struct feature_name *last = &n->list[n->count - 1];
        *names_entry(n, last->key, last->hash, last->slot) = 0;
        memory_release(allocator, last->key);
        n->count--;
    }
}

void feature_names_release(feature_names *n, const posse_allocator *allocator) {
    feature_names_keep(n, 0, allocator);
    memory_release(allocator, n->list);
    memory_release(allocator, n->table);
    *n = (feature_names){0};
}

int posse_features_seen(const posse *p) {
    return p != NULL && p->map != NULL ? p->map->seen.committed : 0;
}

posse_error posse_feature_at(const posse *p, int place, posse_feature_seen *out) {
    if (out == NULL || place < 0 || place >= posse_features_seen(p)) return POSSE_ERROR_ARGUMENT;
    const struct feature_name *name = &p->map->seen.list[place];
    *out = (posse_feature_seen){name->key, name->slot, (name->hash & 1) == 0};
    return POSSE_OK;
}

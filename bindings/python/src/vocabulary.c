/* SPDX-License-Identifier: MIT */
#include "python/src/vocabulary.h"

#include <string.h>

/* At most this many features are read ahead. A batch with more has words that seldom come again. */
#define PLACES_MAX 65536
#define LEAST 64

/* ------------------------------------------------------ tables --------------------------------------------------- */

static vocabulary_entry *table_entry(const vocabulary_table *t, const char *left, const char *right) {
    uint64_t mixed =
        ((uint64_t)(uintptr_t)left ^ (uint64_t)(uintptr_t)right * 0xff51afd7ed558ccdu) * 0x9E3779B97F4A7C15u;
    size_t at = (size_t)(mixed >> 32) & (t->size - 1);
    while (t->entries[at].left != NULL && (t->entries[at].left != left || t->entries[at].right != right))
        at = (at + 1) & (t->size - 1);
    return &t->entries[at];
}

/* Old tables stay in the pool, which together are no larger than the last one. */
static bool table_grow(vocabulary_table *t, pool *memory) {
    vocabulary_table larger = {.size = t->size > 0 ? 2 * t->size : LEAST, .count = t->count};
    larger.entries = pool_array(memory, larger.size, sizeof *larger.entries);
    if (larger.entries == NULL) return PyErr_NoMemory() != NULL;
    for (size_t i = 0; i < t->size; i++)
        if (t->entries[i].left != NULL) *table_entry(&larger, t->entries[i].left, t->entries[i].right) = t->entries[i];
    *t = larger;
    return true;
}

static bool vocabulary_table_add(vocabulary_table *t, pool *memory, vocabulary_entry entry) {
    if (2 * t->count >= t->size && !table_grow(t, memory)) return false;
    *table_entry(t, entry.left, entry.right) = entry;
    t->count++;
    return true;
}

/* The entry of two pointers, or NULL. */
static const vocabulary_entry *table_find(const vocabulary_table *t, const char *left, const char *right) {
    const vocabulary_entry *found = t->size > 0 ? table_entry(t, left, right) : NULL;
    return found != NULL && found->left != NULL ? found : NULL;
}

/* ------------------------------------------------------- texts --------------------------------------------------- */

bool vocabulary_open(vocabulary *v, pool *memory) {
    memset(v, 0, sizeof *v);
    v->memory = memory;
    v->texts = PyDict_New();
    return v->texts != NULL;
}

void vocabulary_close(vocabulary *v) {
    Py_CLEAR(v->texts);
}

/* The text itself, or the equal one that came first. NULL with an exception set. */
static PyObject *vocabulary_keep(vocabulary *v, PyObject *text) {
    PyObject *kept = PyDict_GetItemWithError(v->texts, text);
    if (kept != NULL || PyErr_Occurred()) return kept;
    return PyDict_SetItem(v->texts, text, text) == 0 ? text : NULL;
}

const char *vocabulary_text(vocabulary *v, PyObject *text) {
    size_t at = (uintptr_t)text >> 4 & (VOCABULARY_RECENT - 1);
    if (v->recent[at].object == text) return v->recent[at].text;
    if (!PyUnicode_CheckExact(text)) return NULL;
    Py_ssize_t length;
    PyObject *kept = vocabulary_keep(v, text);
    const char *bytes = kept != NULL ? PyUnicode_AsUTF8AndSize(kept, &length) : NULL;
    if (bytes == NULL && PyErr_ExceptionMatches(PyExc_UnicodeError)) PyErr_Clear();
    if (bytes == NULL || strlen(bytes) != (size_t)length) return NULL;
    if (kept == text) { /* others may be gone, and another text may be in their place */
        v->recent[at].object = text;
        v->recent[at].text = bytes;
    }
    return bytes;
}

/* ------------------------------------------------------- pairs --------------------------------------------------- */

const char *vocabulary_join(vocabulary *v, const char *space, const char *name) {
    const vocabulary_entry *known = table_find(&v->joined, space, name);
    if (known != NULL) return (const char *)known->value;
    char *text = pool_format(v->memory, "%s.%s", space, name);
    if (text == NULL) PyErr_NoMemory();
    if (text == NULL || !vocabulary_table_add(&v->joined, v->memory, (vocabulary_entry){space, name, (uintptr_t)text}))
        return NULL;
    return text;
}

static bool vocabulary_make_room(vocabulary *v) {
    size_t count = v->places.count;
    if (count < v->room) return true;
    size_t room = v->room > 0 ? 2 * v->room : LEAST;
    posse_feature *features = pool_array(v->memory, room, sizeof *features);
    if (features == NULL) return PyErr_NoMemory() != NULL;
    if (count > 0) memcpy(features, v->features, count * sizeof *features);
    v->features = features;
    v->room = room;
    return true;
}

int vocabulary_place(vocabulary *v, const char *name, const char *word) {
    const vocabulary_entry *known = table_find(&v->places, name, word);
    if (known != NULL) return (int)known->value;
    size_t count = v->places.count;
    if (count == PLACES_MAX) return 0;
    if (!vocabulary_make_room(v) ||
        !vocabulary_table_add(&v->places, v->memory, (vocabulary_entry){name, word, count + 1}))
        return -1;
    v->features[count] = (posse_feature){.name = name, .word = word};
    return (int)count + 1;
}

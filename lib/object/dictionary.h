/* SPDX-License-Identifier: MIT */
/*
 * A dictionary: which features of sparse contexts have been met, and the slot of each. Slots are numbered in the order
 * in which features come, so that states have room only for features that there are. If there are few features in all,
 * a feature's slot is its index, and there is no dictionary.
 */
#ifndef POSSE_OBJECT_DICTIONARY_H
#define POSSE_OBJECT_DICTIONARY_H

#include "base/memory.h"

/* A hash table with open addressing, at most half full. */
typedef struct dictionary {
    int *table;   /* a slot + 1, or 0 */
    int *indices; /* of the feature in each slot */
    size_t room;  /* entries of the table: a power of two, or 0. There is room for half as many indices */
    int count;
} dictionary;

/* The slot of a feature; -1: it was not met yet. */
int dictionary_find(const dictionary *d, int index);

/* Gives the next slot to a feature that was not met yet. */
posse_error dictionary_add(dictionary *d, int index, const posse_allocator *allocator);

/* Forgets all features but the first `count`. */
void dictionary_forget(dictionary *d, int count);

void dictionary_release(dictionary *d, const posse_allocator *allocator);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Deferred decisions (posse_visit.defer). They stand apart from the other pending ones, because they do not expire
 * until they are shown. Those that were shown expire in the order in which that happened, which need not be the order
 * of their numbers.
 */
#ifndef POSSE_OBJECT_DEFERRED_H
#define POSSE_OBJECT_DEFERRED_H

#include "object/object.h"

typedef struct deferred {
    pending table;  /* all that are pending, by number; each has the words of deferred_showing behind its others */
    pending queue;  /* those that were shown, by their turns */
    uint64_t turns; /* how many were shown since the table was empty */
    uint64_t first; /* no decision with a smaller number waits */
} deferred;

/* When a decision was shown. Zeros: it waits. */
typedef struct deferred_showing {
    uint64_t decisions; /* how many decisions had been made by then */
    uint64_t turn;      /* its place among those that were shown, from 1 */
    uint64_t at;        /* seconds of the application's clock; 0: unknown */
} deferred_showing;

void deferred_open(const posse *p, deferred *d);
void deferred_clear(deferred *d);
void deferred_release(deferred *d, const posse_allocator *allocator);

/* Room for `more` decisions. On POSSE_ERROR_MEMORY nothing has changed. */
posse_error deferred_reserve(posse *p, size_t more);
void deferred_trim(posse *p);

/* Adds an entry, for which there is room; finds one, or NULL; and removes it. */
pending_entry *deferred_add(posse *p, uint64_t number);
pending_entry *deferred_find(const posse *p, uint64_t number);
void deferred_remove(posse *p, pending_entry *entry);

/* How many wait. */
size_t deferred_waiting(const posse *p);

/* Shows an entry that waits, or notes when it was shown. */
posse_error deferred_show(posse *p, pending_entry *entry);
void deferred_note(const posse *p, pending_entry *entry, uint64_t at);
deferred_showing deferred_shown(const posse *p, const pending_entry *entry);

/* The one that was shown first, and the oldest one that waits; NULL: there is none. */
pending_entry *deferred_next(posse *p);
pending_entry *deferred_oldest(posse *p);

/* Of the turns after one, the next that has an entry; NULL: there is none. To begin, *turn is 0. */
pending_entry *deferred_after(const posse *p, uint64_t *turn);

/* Enters a decision that was read into the queue, if it was shown. POSSE_ERROR_DAMAGED: that cannot be right. */
posse_error deferred_restore(posse *p, const pending_entry *entry);

#endif

/* SPDX-License-Identifier: MIT */
#include "object/deferred.h"

#include <string.h>

#include "object/modes.h"

#define SHOWING_NUMBERS (sizeof(deferred_showing) / sizeof(double))

/* ------------------------------------------------------ the tables ------------------------------------------------ */

static size_t deferred_numbers(const posse *p) {
    return (size_t)p->point_numbers + p->keeps_propensity;
}

/* An entry of the queue has its turn as its number, and the number of the decision behind it. */
void deferred_open(const posse *p, deferred *d) {
    pending_open(&d->table, (int)(deferred_numbers(p) + SHOWING_NUMBERS));
    pending_open(&d->queue, 1);
    d->turns = d->first = 0;
}

void deferred_clear(deferred *d) {
    pending_clear(&d->table);
    pending_clear(&d->queue);
    d->turns = d->first = 0;
}

void deferred_release(deferred *d, const posse_allocator *allocator) {
    pending_release(&d->table, allocator);
    pending_release(&d->queue, allocator);
}

posse_error deferred_reserve(posse *p, size_t more) {
    return pending_reserve(&p->modes->deferred.table, more, &p->host.allocator);
}

void deferred_trim(posse *p) {
    pending_trim(&p->modes->deferred.table, &p->host.allocator);
}

pending_entry *deferred_add(posse *p, uint64_t number) {
    pending_entry *entry = pending_add(&p->modes->deferred.table, number);
    memset(entry->point, 0, p->modes->deferred.table.stride - sizeof *entry);
    return entry;
}

pending_entry *deferred_find(const posse *p, uint64_t number) {
    return p->modes != NULL ? pending_find(&p->modes->deferred.table, number) : NULL;
}

size_t deferred_waiting(const posse *p) {
    return p->modes != NULL ? p->modes->deferred.table.count - p->modes->deferred.queue.count : 0;
}

/* ------------------------------------------------------- showing -------------------------------------------------- */

deferred_showing deferred_shown(const posse *p, const pending_entry *entry) {
    deferred_showing s;
    memcpy(&s, entry->point + deferred_numbers(p), sizeof s);
    return s;
}

static void deferred_write(const posse *p, pending_entry *entry, deferred_showing s) {
    memcpy(entry->point + deferred_numbers(p), &s, sizeof s);
}

static void deferred_enter(deferred *d, const pending_entry *entry, uint64_t turn) {
    memcpy(pending_add(&d->queue, turn)->point, &entry->number, sizeof entry->number);
}

static pending_entry *deferred_of_turn(const deferred *d, const pending_entry *in_queue) {
    uint64_t number;
    memcpy(&number, in_queue->point, sizeof number);
    return pending_find(&d->table, number);
}

posse_error deferred_show(posse *p, pending_entry *entry) {
    deferred *d = &p->modes->deferred;
    posse_error error = pending_reserve(&d->queue, 1, &p->host.allocator);
    if (error != POSSE_OK) return error;
    deferred_write(p, entry, (deferred_showing){.decisions = p->decisions, .turn = ++d->turns});
    deferred_enter(d, entry, d->turns);
    return POSSE_OK;
}

void deferred_note(const posse *p, pending_entry *entry, uint64_t at) {
    deferred_showing s = deferred_shown(p, entry);
    s.at = at;
    deferred_write(p, entry, s);
}

/* Turns begin again with an empty table, so that a posse that was saved then continues with the same bytes. */
void deferred_remove(posse *p, pending_entry *entry) {
    deferred *d = &p->modes->deferred;
    uint64_t turn = deferred_shown(p, entry).turn;
    if (turn > 0) pending_remove(&d->queue, pending_find(&d->queue, turn), &p->host.allocator);
    pending_remove(&d->table, entry, &p->host.allocator);
    if (d->table.count == 0) d->turns = d->first = 0;
}

/* --------------------------------------------------- the oldest ones ---------------------------------------------- */

pending_entry *deferred_next(posse *p) {
    deferred *d = &p->modes->deferred;
    const pending_entry *first = pending_oldest(&d->queue);
    return first != NULL ? deferred_of_turn(d, first) : NULL;
}

pending_entry *deferred_after(const posse *p, uint64_t *turn) {
    const deferred *d = &p->modes->deferred;
    const pending_entry *found = NULL;
    if (*turn == 0 && d->queue.count > 0) *turn = d->queue.oldest - 1;
    while (found == NULL && *turn < d->turns) found = pending_find(&d->queue, ++*turn);
    return found != NULL ? deferred_of_turn(d, found) : NULL;
}

static bool deferred_waits(const posse *p, const pending_entry *entry) {
    return entry != NULL && deferred_shown(p, entry).turn == 0;
}

static pending_entry *deferred_least(const posse *p) {
    const pending *table = &p->modes->deferred.table;
    pending_entry *least = NULL;
    for (size_t slot = 0; slot < table->capacity; slot++) {
        pending_entry *entry = pending_at(table, slot);
        if (deferred_waits(p, entry) && (least == NULL || entry->number < least->number)) least = entry;
    }
    return least;
}

/* As pending_oldest: mostly one of the next numbers waits; if the gap is longer than the table, that is searched. */
pending_entry *deferred_oldest(posse *p) {
    if (deferred_waiting(p) == 0) return NULL;
    deferred *d = &p->modes->deferred;
    if (d->first < d->table.oldest) d->first = d->table.oldest;
    pending_entry *entry = pending_find(&d->table, d->first);
    for (size_t i = 0; !deferred_waits(p, entry) && i < d->table.capacity; i++)
        entry = pending_find(&d->table, ++d->first);
    if (!deferred_waits(p, entry)) entry = deferred_least(p);
    d->first = entry->number;
    return entry;
}

/* ------------------------------------------------------- reading -------------------------------------------------- */

posse_error deferred_restore(posse *p, const pending_entry *entry) {
    deferred *d = &p->modes->deferred;
    deferred_showing s = deferred_shown(p, entry);
    bool waits = s.turn == 0;
    if (waits != (entry->arm == ARM_UNTOLD) || (waits && (s.decisions > 0 || s.at > 0))) return POSSE_ERROR_DAMAGED;
    if (waits) return POSSE_OK;
    bool right = s.decisions >= entry->number && s.decisions <= p->decisions && s.turn <= d->turns;
    if (!right || pending_find(&d->queue, s.turn) != NULL) return POSSE_ERROR_DAMAGED;
    posse_error error = pending_reserve(&d->queue, 1, &p->host.allocator);
    if (error == POSSE_OK) deferred_enter(d, entry, s.turn);
    return error;
}

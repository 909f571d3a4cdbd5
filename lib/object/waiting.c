/* SPDX-License-Identifier: MIT */
/*
 * Pending decisions, as an application sees them: those that wait for a reward, and deferred ones that wait until they
 * are shown.
 */
#include <math.h>

#include "base/sort.h"
#include "object/decisions.h"

uint64_t posse_decision_count(const posse *p) {
    return p != NULL ? p->decisions : 0;
}

size_t posse_pending_count(const posse *p) {
    if (p == NULL) return 0;
    return p->pending.count + (p->modes != NULL ? p->modes->deferred.table.count : 0);
}

static int waiting_mode(const pending_entry *entry) {
    static const posse_mode of_source[] = {
        [HELD_BACK] = POSSE_HELD_BACK, [KEPT_BY_UNIT] = POSSE_KEPT, [PLAYED_IN_PAUSE] = POSSE_PAUSED};
    if (entry->drawn >= HELD_BACK) return of_source[entry->drawn];
    return entry->suggested > 0 ? POSSE_SUGGESTED : POSSE_MODE_NONE;
}

posse_pending decisions_pending(const posse *p, const pending_entry *entry) {
    deferred_showing shown = entry->deferred ? deferred_shown(p, entry) : (deferred_showing){0};
    bool waits = entry->deferred && shown.turn == 0;
    return (posse_pending){.id = decisions_id(entry->epoch, entry->number),
                           .age = p->decisions - entry->number,
                           .learner = entry->learner,
                           .arm = entry->arm,
                           .point = decisions_point(p, decisions_arm_point(p, entry)),
                           .probability = entry->probability,
                           .probe = entry->drawn == DRAWN_BY_SELECTOR,
                           .propensity = p->keeps_propensity ? entry->point[p->point_numbers] : 0.0,
                           .floor = entry->drawn == DRAWN_BY_FLOOR,
                           .mode = waiting_mode(entry),
                           .waits = waits,
                           .elapsed = waits ? 0 : decisions_elapsed(p, entry),
                           .shown_at = shown.at};
}

posse_error posse_pending_find(const posse *p, uint64_t id, posse_pending *out) {
    if (p == NULL || out == NULL) return POSSE_ERROR_ARGUMENT;
    pending_entry *entry;
    posse_error error = decisions_find(p, id, &entry);
    if (error == POSSE_OK) *out = decisions_pending(p, entry);
    return error;
}

posse_error posse_pending_oldest(posse *p, posse_pending *out, double *reward) {
    if (p == NULL || out == NULL || reward == NULL) return POSSE_ERROR_ARGUMENT;
    const pending_entry *entry = decisions_oldest(p);
    if (entry == NULL) return POSSE_ERROR_ABSENT;
    *out = decisions_pending(p, entry);
    *reward = decisions_expiry_learns(p, entry) ? p->expiry.reward : NAN;
    return POSSE_OK;
}

static int waiting_oldest_first(const void *a, const void *b) {
    uint64_t first = ((const posse_pending *)a)->age, second = ((const posse_pending *)b)->age;
    return (first < second) - (first > second);
}

posse_error posse_pending_reserve(posse *p, size_t decisions) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    bool defers = p->modes != NULL && p->modes->deferred.table.capacity > 0;
    posse_error error = pending_reserve(&p->pending, decisions, &p->host.allocator);
    if (error == POSSE_OK && defers) error = deferred_reserve(p, decisions);
    if (decisions > 0) return error;
    pending_trim(&p->pending, &p->host.allocator);
    if (defers) deferred_trim(p);
    return POSSE_OK;
}

static size_t waiting_append(const posse *p, const pending *table, posse_pending *list) {
    size_t count = 0;
    for (size_t slot = 0; slot < table->capacity; slot++) {
        const pending_entry *entry = pending_at(table, slot);
        if (entry != NULL) list[count++] = decisions_pending(p, entry);
    }
    return count;
}

posse_error posse_pending_list(const posse *p, posse_pending *list) {
    if (p == NULL || (list == NULL && posse_pending_count(p) > 0)) return POSSE_ERROR_ARGUMENT;
    size_t count = waiting_append(p, &p->pending, list);
    if (p->modes != NULL) count += waiting_append(p, &p->modes->deferred.table, list + count);
    sort_records(list, count, sizeof *list, waiting_oldest_first);
    return POSSE_OK;
}

/* Adds a decision that is about to expire to a list. */
static void waiting_expires(const posse *p, const pending_entry *entry, const posse_expiring *out, size_t count) {
    if (count >= out->room) return;
    out->list[count] = decisions_pending(p, entry);
    out->rewards[count] = decisions_expiry_learns(p, entry) ? p->expiry.reward : NAN;
}

/* Each decision has a number of its own, so the next one expires at most one of those that were not deferred. */
posse_error posse_expiring_next(posse *p, posse_expiring *out) {
    if (p == NULL || out == NULL) return POSSE_ERROR_ARGUMENT;
    uint64_t age = p->expiry.after - 1, turn = 0;
    out->count = 0;
    if (p->expiry.after == 0) return POSSE_OK;
    const pending_entry *entry = pending_oldest(&p->pending);
    if (entry != NULL && decisions_elapsed(p, entry) >= age) waiting_expires(p, entry, out, out->count++);
    if (p->modes == NULL || deferred_next(p) == NULL) return POSSE_OK;
    while ((entry = deferred_after(p, &turn)) != NULL && decisions_elapsed(p, entry) >= age)
        waiting_expires(p, entry, out, out->count++);
    return POSSE_OK;
}

/* ----------------------------------------------- deferred decisions -------------------------------------------- */

posse_error posse_note_shown(posse *p, uint64_t id, uint64_t now) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    pending_entry *entry;
    posse_error error = decisions_find(p, id, &entry);
    if (error != POSSE_OK) return error;
    if (!entry->deferred || entry->arm == ARM_UNTOLD) return POSSE_ERROR_ABSENT;
    deferred_note(p, entry, now);
    return POSSE_OK;
}

size_t posse_deferred_count(const posse *p) {
    return p != NULL ? deferred_waiting(p) : 0;
}

posse_error posse_deferred_oldest(posse *p, posse_pending *out) {
    if (p == NULL || out == NULL) return POSSE_ERROR_ARGUMENT;
    const pending_entry *entry = deferred_oldest(p);
    if (entry == NULL) return POSSE_ERROR_ABSENT;
    *out = decisions_pending(p, entry);
    return POSSE_OK;
}

posse_error posse_expire_deferred(posse *p, uint64_t age, size_t *expired) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    size_t count = 0;
    pending_entry *entry = deferred_oldest(p);
    while (entry != NULL && p->decisions - entry->number >= age) {
        deferred_remove(p, entry);
        count++;
        entry = deferred_oldest(p);
    }
    if (expired != NULL) *expired = count;
    return POSSE_OK;
}

/* SPDX-License-Identifier: MIT */
/*
 * What the calls about decisions share: ids, pending decisions by id, and which of them expires next.
 */
#ifndef POSSE_OBJECT_DECISIONS_H
#define POSSE_OBJECT_DECISIONS_H

#include "object/modes.h"
#include "object/object.h"

/*
 * An id is epoch * 2^32 + the number of the decision. Its lower half is the lower half of the number. The upper half of
 * the number follows from the latest decision, because no decision stays pending for 2^32 decisions.
 */
#define EPOCH_SHIFT 32

static inline uint64_t decisions_id(uint32_t epoch, uint64_t number) {
    return ((uint64_t)epoch << EPOCH_SHIFT) + number;
}

/* An id of the future gives a number that no decision has had. */
static inline uint64_t decisions_number_of(const posse *p, uint64_t id) {
    uint32_t age = (uint32_t)p->decisions - (uint32_t)id;
    return p->decisions - age;
}

/* Whether this posse has given the id to a decision in its present epoch. */
static inline bool decisions_is_mine(const posse *p, uint64_t id) {
    uint64_t number = id - decisions_id(p->epoch, 0);
    return number > p->epoch_first && number <= p->decisions;
}

static inline posse_error decisions_find(const posse *p, uint64_t id, pending_entry **out) {
    uint64_t number = decisions_number_of(p, id);
    pending_entry *entry = pending_find(&p->pending, number);
    if (entry == NULL) entry = deferred_find(p, number);
    *out = entry;
    if (entry != NULL && decisions_id(entry->epoch, entry->number) == id) return POSSE_OK;
    return decisions_is_mine(p, id) ? POSSE_ERROR_SETTLED : POSSE_ERROR_UNKNOWN;
}

/* The coordinates or features of a decision's arm; NULL if it has none, or is unknown. */
static inline const double *decisions_arm_point(const posse *p, const pending_entry *entry) {
    if (p->point_numbers > 0) return entry->arm != ARM_UNTOLD ? entry->point : NULL;
    return entry->arm >= 0 ? space_point(p->space, entry->arm) : NULL;
}

/* What an application sees of a point. Rows have slots, which mean nothing outside. */
static inline const double *decisions_point(const posse *p, const double *point) {
    return space_is_sparse(p->space) ? NULL : point;
}

static inline bool decisions_expiry_learns(const posse *p, const pending_entry *entry) {
    return p->expire_learns && entry->arm != ARM_UNTOLD && object_reward_fits(p, p->expiry.reward);
}

/* How many decisions were made since a decision was made or, if it was deferred, since it was shown. */
static inline uint64_t decisions_elapsed(const posse *p, const pending_entry *entry) {
    return p->decisions - (entry->deferred ? deferred_shown(p, entry).decisions : entry->number);
}

/* The next decision to expire, of those that may: deferred ones that wait do not. */
static inline pending_entry *decisions_oldest(posse *p) {
    pending_entry *entry = pending_oldest(&p->pending);
    pending_entry *shown = p->modes != NULL ? deferred_next(p) : NULL;
    if (entry == NULL || shown == NULL) return entry != NULL ? entry : shown;
    return decisions_elapsed(p, entry) >= decisions_elapsed(p, shown) ? entry : shown;
}

/* A pending decision as an application sees it. */
posse_pending decisions_pending(const posse *p, const pending_entry *entry);

#endif

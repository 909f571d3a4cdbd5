/* SPDX-License-Identifier: MIT */
#include "selector/stored_plays.h"

/* ----------------------------------------------- sums of regrets ----------------------------------------------- */

/* The first slot of a learner, if slots are not pooled. */
static size_t plays_first_slot(const plays_plan *p, int learner) {
    return (size_t)learner * p->slots;
}

/* Sums the regrets of the stored plays of a learner, or of each learner (-1), in the order of slots. */
static void plays_sum_pool(const plays_plan *p, const plays_view *v, int learner) {
    for (int i = 0; i < p->places; i++)
        if (learner < 0 || i == learner) v->sum[i] = 0.0;
    for (size_t slot = 0; slot < (size_t)*v->used; slot++) {
        int owner = (int)v->owner[slot];
        if (owner >= 0 && (learner < 0 || owner == learner)) v->sum[owner] += v->regret[slot];
    }
}

/*
 * Learners that are summed at a time, because their additions need not wait for one another. If there are fewer, the
 * first one is repeated.
 */
#define ABREAST 4

static void plays_sum_slots(const plays_plan *p, const plays_view *v, int first, int learners) {
    double sum[ABREAST] = {0.0};
    const double *regret[ABREAST];
    size_t common = plays_memory(p, v);
    for (int i = 0; i < ABREAST; i++) {
        int learner = i < learners ? first + i : first;
        regret[i] = v->regret + plays_first_slot(p, learner);
        common = v->kept[learner] < (double)common ? (size_t)v->kept[learner] : common;
    }
    for (size_t k = 0; k < common; k++)
        for (int i = 0; i < ABREAST; i++) sum[i] += regret[i][k];
    for (int i = 0; i < learners; i++) {
        for (size_t k = common; k < (size_t)v->kept[first + i]; k++) sum[i] += regret[i][k];
        v->sum[first + i] = sum[i];
    }
}

void plays_sum_up(const plays_plan *p, const plays_view *v, int learner) {
    if (p->pooled)
        plays_sum_pool(p, v, learner);
    else
        plays_sum_slots(p, v, learner, 1);
}

void plays_sum_all(const plays_plan *p, const plays_view *v) {
    if (p->pooled) plays_sum_pool(p, v, -1);
    for (int i = 0; i < p->places && !p->pooled; i += ABREAST)
        plays_sum_slots(p, v, i, p->places - i < ABREAST ? p->places - i : ABREAST);
}

void plays_value(const plays_plan *p, const plays_view *v) {
    if (p->pooled)
        reservoir_regrets(&p->reservoir, v->blocks, 0, reservoir_blocks((size_t)*v->used), v->world, v->regret);
    for (int i = 0; i < p->places && !p->pooled; i++) {
        if (v->penalty[i] != 0.0) continue;
        size_t first = plays_first_slot(p, i);
        reservoir_regrets(&p->reservoir, v->blocks, first / KERNEL_LANES, reservoir_blocks((size_t)v->kept[i]),
                          v->world, v->regret + first);
    }
    plays_sum_all(p, v);
}

/* --------------------------------------------------- storing --------------------------------------------------- */

/* Where a play is stored. */
typedef struct slot {
    bool found; /* false: the play is not stored */
    bool fresh; /* the slot had no play before */
    size_t at;
} slot;

/*
 * Takes a random slot of the learner that has the most. There are more slots than learners, so that learner keeps one.
 */
static slot slot_taken(const plays_plan *p, const plays_view *v, posse_draw *draw) {
    int donor = largest(v->kept, p->places);
    uint64_t rank = posse_draw_index(draw, (uint64_t)v->kept[donor]);
    slot s = {.found = true};
    while (v->owner[s.at] != donor || rank-- > 0) s.at++;
    v->kept[donor] -= 1.0;
    v->owner[s.at] = -1.0;
    plays_sum_pool(p, v, donor);
    return s;
}

static slot slot_in_pool(const plays_plan *p, const plays_view *v, int learner, posse_draw *draw) {
    slot s = {true, true, (size_t)*v->used};
    if (s.at == p->slots)
        s = slot_taken(p, v, draw);
    else
        *v->used += 1.0;
    v->owner[s.at] = learner;
    v->kept[learner] += 1.0;
    return s;
}

static plays_lot draw_lot(const plays_plan *p, const plays_view *v, double plays, posse_draw *draw) {
    size_t memory = plays_memory(p, v);
    double odds = p->recency[plays_considers(p, v)] * (double)memory / plays;
    if (odds < 1.0 && posse_draw_uniform(draw) >= odds) return (plays_lot){.plays = plays};
    return (plays_lot){plays, true, (size_t)posse_draw_index(draw, memory)};
}

/*
 * The slot for a learner's latest play. Learners with equal play counts share one random draw, so their reservoirs hold
 * the same rounds.
 */
static slot slot_for(const plays_plan *p, const plays_view *v, int learner, plays_lot *l, posse_draw *draw) {
    if (p->pooled) return slot_in_pool(p, v, learner, draw);
    size_t first = plays_first_slot(p, learner), kept = (size_t)v->kept[learner];
    if (kept < plays_memory(p, v)) {
        v->kept[learner] += 1.0;
        return (slot){true, true, first + kept};
    }
    if (l->plays != v->plays[learner]) *l = draw_lot(p, v, v->plays[learner], draw);
    return (slot){.found = l->stored, .at = first + l->slot};
}

/* The arms of the round that are kept with a play of this arm. */
static kept_arms arms_kept(const plays_plan *p, const plays_view *v, plays_session *s, int place) {
    kept_arms all = {.played = place, .count = s->round->count};
    if (p->reservoir.shared || s->round->count <= p->reservoir.arms) return all;
    if (!s->voted) jury_vote(&p->charges.belief, v->jury, s->round, &s->verdict);
    s->voted = true;
    int count = jury_pick(&s->verdict, (uint64_t)*v->drawn, place, p->reservoir.arms, s->places);
    return (kept_arms){place, count, s->places};
}

static double plays_regret_at(const plays_plan *p, const plays_view *v, size_t at) {
    double regrets[KERNEL_LANES];
    reservoir_regrets(&p->reservoir, v->blocks, at / KERNEL_LANES, 1, v->world, regrets);
    return regrets[at % KERNEL_LANES];
}

static void plays_store(const plays_plan *p, const plays_view *v, size_t at, plays_session *s, int place) {
    bool again = s->stored && s->kept.played == place;
    if (!again) s->kept = arms_kept(p, v, s, place);
    reservoir_put(&p->reservoir, v->blocks, at, s->round, &s->kept);
    if (!again) s->regret = plays_regret_at(p, v, at);
    s->stored = true;
    v->regret[at] = s->regret;
}

bool plays_count(const plays_plan *p, const plays_view *v, int learner, plays_session *s, int place, posse_draw *draw) {
    if (v->plays[learner] == 0.0) *v->unplayed -= 1.0;
    v->plays[learner] += 1.0;
    v->share[learner] = plays_share_due(p, v, learner);
    if (p->prunes && *v->drawn == 0.0 && v->kept[learner] > 0.0)
        return false; /* arms were added, and the jury is still empty */
    slot to = slot_for(p, v, learner, &s->lot, draw);
    if (!to.found) return false;
    plays_store(p, v, to.at, s, place);
    if (to.fresh) v->sum[learner] += v->regret[to.at];
    return !to.fresh;
}

/* ---------------------------------------------- states from elsewhere ------------------------------------------ */

size_t plays_blocks(const plays_plan *p) {
    return (p->owner_at - p->regret_at) / KERNEL_LANES;
}

static bool plays_slot_sane(const plays_plan *p, const plays_view *v, size_t at) {
    return fabs(v->regret[at]) <= PLAYS_REGRET_MAX &&
           reservoir_sane(&p->reservoir, v->blocks, at, p->charges.belief.space->arms);
}

static bool plays_pool_sane(const plays_plan *p, const plays_view *v) {
    if (!plays_is_count(*v->used, (double)p->slots)) return false;
    size_t used = (size_t)*v->used, counted = 0;
    for (int i = 0; i < p->places; i++) {
        size_t owned = 0;
        for (size_t at = 0; at < used; at++) owned += v->owner[at] == i;
        if ((double)owned != v->kept[i]) return false;
        counted += owned;
    }
    return counted == used;
}

bool plays_sane(const plays_plan *p, const plays_view *v) {
    if (p->pooled && !plays_pool_sane(p, v)) return false;
    for (size_t at = 0; at < plays_blocks(p) * KERNEL_LANES; at++)
        if (!plays_slot_sane(p, v, at)) return false;
    return true;
}

int plays_owner(const plays_plan *p, const plays_view *v, size_t at, int learners) {
    int owner = -1;
    if (p->pooled && at < (size_t)*v->used) owner = (int)v->owner[at];
    if (!p->pooled && (double)(at % p->slots) < v->kept[at / p->slots]) owner = (int)(at / p->slots);
    return owner < learners ? owner : -1;
}

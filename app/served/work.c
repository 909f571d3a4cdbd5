/* SPDX-License-Identifier: MIT */
/*
 * Requests that settle, make or expire decisions, at once or in pieces.
 */
#include <stdlib.h>

#include "served/cost.h"
#include "served/served.h"

#define FEW 64 /* rewards that need no memory of the heap */

static record_kind work_kind(const served_work *w) {
    return w->forgets ? RECORD_FORGET : RECORD_LEARN;
}

/* Checks a context before anything is learned: the library estimates propensities in it, on copies of the states. */
static served_status work_check_context(serving *s, const served *p, const served_work *w) {
    if (w->source == NULL || s->joining_count > 0)
        return SERVED_DONE; /* context_read has checked one whose arms join */
    posse_error error = posse_propensities(p->posse, &w->one.context, 1, &(posse_propensity){0});
    return error == POSSE_OK ? SERVED_DONE : serving_refuse(s, error, SERVED_WRONG);
}

/* After a failure no room is kept for decisions that are not made. */
static served_status work_give_up(served *p, const served_work *w, served_status status) {
    if (status != SERVED_DONE && w->decision_count > 0) posse_pending_reserve(p->posse, 0);
    return status;
}

served_status served_work_begin(serving *s, served *p, served_work *w) {
    served_status status = SERVED_DONE;
    serving_begin(s);
    w->settled = w->rounds_done = w->rewards_done = w->decisions_done = 0;
    w->one = (served_round){.source = w->source};
    w->each = NULL;
    if (w->decision_count > 0) status = served_keep_unit(s, &w->visit);
    if (status == SERVED_DONE && w->rounds != NULL)
        status = served_rounds_begin(s, w);
    else if (status == SERVED_DONE && w->decision_count > 0)
        status = served_read_context(s, p, w->source, &w->one.context);
    if (status == SERVED_DONE && w->reward_count > 0 && w->decision_count > 0) status = work_check_context(s, p, w);
    if (status == SERVED_DONE && w->reward_count > 0)
        status = served_check_rewards(s, p, w->rewards, w->reward_count, work_kind(w), w->room, &w->settled);
    if (status == SERVED_DONE && w->decision_count > 0) status = served_admit(s, p, w);
    return work_give_up(p, w, status);
}

static served_status work_settle_next(serving *s, served *p, served_work *w) {
    served_status status = SERVED_DONE;
    bool first = w->rewards_done == 0 && w->settled > 0; /* repeats alone change nothing */
    if (first) status = s->store->prepare(s, p, 0, w->settled);
    if (status == SERVED_DONE) served_settle_one(s, p, &w->room[w->rewards_done++], work_kind(w));
    return status;
}

/* Allocates everything that the decisions need before any of them is made. */
static served_status work_before_decisions(serving *s, served *p, served_work *w) {
    served_status status = served_join(s, p);
    if (status == SERVED_DONE) status = served_prepare_decisions(s, p, w->decision_count, w->decisions);
    if (status != SERVED_DONE || !s->store->writes) return status;
    if (w->each != NULL) return served_rounds_write(s, w);
    if (w->source != NULL && (w->one.body = serving_text(s, w->source)) == NULL) return serving_no_memory(s);
    return SERVED_DONE;
}

/* The library draws from a stream of its own, so the decision stays the same. Arms that join have joined before. */
static served_status work_estimate(serving *s, served *p, served_work *w) {
    size_t arms = (size_t)posse_arm_count(p->posse);
    w->draws = cost_draws(p->posse);
    if (w->draws == 0) return SERVED_DONE;
    w->shares = serving_memory(s) != NULL ? pool_allocate(s->memory, arms * sizeof *w->shares) : NULL;
    if (w->shares == NULL) return serving_no_memory(s);
    posse_error error = posse_propensities(p->posse, w->source != NULL ? &w->one.context : NULL, w->draws,
                                           &(posse_propensity){.arms = w->shares});
    return error == POSSE_OK ? SERVED_DONE : serving_refuse(s, error, SERVED_WRONG);
}

static served_status work_decide_next(serving *s, served *p, served_work *w) {
    bool first = w->decisions_done == 0;
    served_status status = first ? work_before_decisions(s, p, w) : SERVED_DONE;
    if (status == SERVED_DONE && w->estimates) status = work_estimate(s, p, w);
    if (status != SERVED_DONE) return status;
    const served_round *round = w->each != NULL ? &w->each[w->decisions_done] : &w->one;
    const posse_context *context = round->source != NULL ? &round->context : NULL;
    const char *body = first || w->each != NULL ? round->body : NULL;
    size_t left = w->decision_count - w->decisions_done;
    posse_error error = served_decide_next(s, p, context, &w->visit, body, left, &w->decisions[w->decisions_done++]);
    return error == POSSE_OK ? SERVED_DONE : serving_refuse(s, error, SERVED_WRONG);
}

served_status served_work_continue(serving *s, served *p, served_work *w, bool *done) {
    served_status status = SERVED_DONE;
    if (w->expires) return served_expire_next(s, p, w, done);
    if (w->each != NULL && w->rounds_done < w->decision_count)
        status = served_rounds_next(s, p, w);
    else if (w->rewards_done < w->reward_count)
        status = work_settle_next(s, p, w);
    else if (w->decisions_done < w->decision_count)
        status = work_decide_next(s, p, w);
    *done = w->rewards_done == w->reward_count && w->decisions_done == w->decision_count;
    return work_give_up(p, w, status);
}

served_status served_work_do(serving *s, served *p, served_work *w) {
    settlement few[2 * FEW];
    settlement *own = w->reward_count <= FEW ? few : malloc(2 * w->reward_count * sizeof *own);
    bool done = false;
    serving_begin(s);
    if (own == NULL) return serving_no_memory(s);
    w->room = own;
    served_status status = served_work_begin(s, p, w);
    while (status == SERVED_DONE && !done) status = served_work_continue(s, p, w, &done);
    if (own != few) free(own);
    w->room = NULL;
    return status;
}

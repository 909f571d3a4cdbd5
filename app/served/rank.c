/* SPDX-License-Identifier: MIT */
/*
 * Decisions for clients that rank actions: the probability of every arm, and a present rule that may play instead.
 */
#include "served/served.h"

/* Whether the client's present rule plays: as the rule of shadow mode, or as an external learner. */
static bool rank_is_ruled(const served *p, const posse_decision *d) {
    return posse_modes_of(p->posse).shadow || d->arm == POSSE_ARM_UNTOLD;
}

/*
 * The decision counts as one more draw, as in its propensity, so its arm never has probability 0. Shares of external
 * learners are missing in the sum, and belong to the present rule; a rounding error is none of them. In shadow mode
 * that rule always plays. An arm that a unit keeps is certain.
 */
static void rank_count(const served *p, const served_work *w, served_rank *r, int first) {
    int arms = posse_arm_count(p->posse);
    double sum = 0.0, draws = r->decision.decision.mode != POSSE_KEPT ? w->draws : 0.0;
    for (int a = 0; a < arms; a++) sum += w->draws > 0 ? w->shares[a] : 0.0;
    for (int a = 0; a < arms; a++) {
        double share = w->draws > 0 ? w->shares[a] : 0.0;
        if (a == first && 1.0 - sum > 1e-9) share += 1.0 - sum;
        r->probabilities[a] = (draws * share + (a == r->played ? 1.0 : 0.0)) / (draws + 1.0);
    }
}

/* What follows a decision: its probabilities, and what the present rule plays. */
static served_status rank_finish(serving *s, served *p, const served_work *w, served_rank *r) {
    int arms = posse_arm_count(p->posse), first = posse_arm_find(p->posse, r->first);
    bool ruled = rank_is_ruled(p, &r->decision.decision), again;
    r->played = ruled ? first : r->decision.decision.arm;
    r->probabilities = serving_memory(s) != NULL ? pool_allocate(s->memory, (size_t)arms * sizeof(double)) : NULL;
    if (r->probabilities == NULL) return serving_no_memory(s);
    rank_count(p, w, r, first);
    if (!ruled || r->visit.defer) return SERVED_DONE;
    served_reward which = {.token = r->decision.token, .token_length = TOKEN_TEXT};
    return served_acted(s, p, &which, &(served_play){.arm = first, .source = r->source}, &again);
}

void served_rank_undo(serving *s, served *p, const served_rank *r) {
    settlement one = {.id = r->decision.decision.id};
    if (s->store->prepare(s, p, 0, 1) == SERVED_DONE) served_settle_one(s, p, &one, RECORD_FORGET);
}

/* Each rank is a decision of its own, because a client repeats a request by the name of its event. */
served_status served_rank_do(serving *s, served *p, served_rank *r) {
    r->visit.anew = true;
    served_work w = {.decision_count = 1,
                     .source = r->source,
                     .visit = r->visit,
                     .decisions = &r->decision,
                     .estimates = !posse_modes_of(p->posse).shadow};
    served_status status = served_work_do(s, p, &w);
    if (status != SERVED_DONE) return status;
    status = rank_finish(s, p, &w, r);
    if (status != SERVED_DONE) served_rank_undo(s, p, r);
    return status;
}

/* A decision that has its reward was shown before. */
static served_status rank_show_past(serving *s, served *p, const served_reward *which, uint64_t id) {
    const char *why = NULL;
    double reward;
    served_past past = s->store->find_past(s, p, id, &reward, &why);
    return past == PAST_LEARNED || past == PAST_SETTLED ? SERVED_DONE : served_refuse_past(s, p, which, id);
}

served_status served_show(serving *s, served *p, const served_reward *which, int played, const json_t *source) {
    token t;
    posse_pending waiting;
    bool again;
    serving_begin(s);
    served_status status = served_read_token(s, p, which, &t);
    if (status != SERVED_DONE) return status;
    if (posse_pending_find(p->posse, t.id, &waiting) != POSSE_OK) return rank_show_past(s, p, which, t.id);
    if (waiting.arm != POSSE_ARM_UNTOLD) return SERVED_DONE;
    if (posse_suggestion(p->posse, t.id) == played) return served_activate(s, p, which, &again);
    if (source == NULL && posse_feature_count(p->posse) > 0)
        return served_say_at(s, p, SERVED_CONFLICT, which, "token",
                             "the features of its round are not in the log any more");
    return served_acted(s, p, which, &(served_play){.arm = played, .source = source}, &again);
}

served_status served_reward_shown(serving *s, served *p, const served_reward *said) {
    token t;
    posse_pending waiting;
    serving_begin(s);
    served_status status = served_read_token(s, p, said, &t);
    if (status != SERVED_DONE) return status;
    bool pending = posse_pending_find(p->posse, t.id, &waiting) == POSSE_OK;
    if (pending && waiting.arm == POSSE_ARM_UNTOLD)
        return served_say_at(s, p, SERVED_CONFLICT, said, "token", "nothing is learned before it is activated");
    return served_work_do(s, p, &(served_work){.rewards = said, .reward_count = 1});
}

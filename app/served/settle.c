/* SPDX-License-Identifier: MIT */
/*
 * Settling decisions: rewards are learned, or decisions forgotten, all of a request or none.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "served/cost.h"
#include "served/health.h"
#include "served/rewards.h"
#include "served/served.h"

served_status served_say_at(serving *s, const served *p, served_status status, const served_reward *said,
                            const char *key, const char *message) {
    char path[60];
    bool whole = said->path_whole;
    snprintf(path, sizeof path, "%s%s%s", said->path, said->path[0] != '\0' && !whole ? "." : "", whole ? "" : key);
    s->counts.refused++;
    health_refuse(p);
    return serving_say(s, status, path, "%s", message);
}

served_status served_read_token(serving *s, const served *p, const served_reward *said, token *out) {
    switch (token_read(p->key, said->token, said->token_length, out)) {
    case TOKEN_MALFORMED:
        return served_say_at(s, p, SERVED_TOKEN, said, "token", "this is not the token of a decision");
    case TOKEN_FORGED:
        return served_say_at(s, p, SERVED_TOKEN, said, "token", "this is not the token of a decision of this posse");
    default:
        return SERVED_DONE;
    }
}

/* ----------------------------------------------------- checking -------------------------------------------------- */

/* The decision is not pending. That is fine if it was settled before in the same way. */
static served_status settle_look_back(serving *s, const served *p, const settlement *one, record_kind wanted) {
    const char *why = NULL;
    double reward = NAN;
    switch (s->store->find_past(s, p, one->id, &reward, &why)) {
    case PAST_SETTLED:
        return SERVED_DONE;
    case PAST_LEARNED:
        if (wanted == RECORD_LEARN && reward == one->said->reward) return SERVED_DONE;
        return served_say_at(s, p, SERVED_CONFLICT, one->said, "token",
                             wanted == RECORD_LEARN ? "this decision has another reward"
                                                    : "this decision has a reward");
    case PAST_FORGOTTEN:
        if (wanted == RECORD_FORGET) return SERVED_DONE;
        return served_say_at(s, p, SERVED_CONFLICT, one->said, "token", "this decision was forgotten");
    case PAST_EXPIRED:
        return served_say_at(s, p, SERVED_CONFLICT, one->said, "token",
                             why != NULL ? why : "this decision has expired");
    case PAST_LOST:
        return served_say_at(s, p, SERVED_LOST, one->said, "token", why != NULL ? why : "this decision was lost");
    default:
        return served_say_at(s, p, SERVED_DOWN, one->said, "token", why != NULL ? why : "it cannot be read");
    }
}

static served_status settle_check_reward(serving *s, const served *p, const served_reward *said,
                                         const posse_pending *pending) {
    char message[REWARD_MESSAGE];
    if (pending->waits)
        return served_say_at(s, p, SERVED_CONFLICT, said, "token",
                             "it was deferred, and nothing is learned before it is activated");
    if (pending->arm == POSSE_ARM_UNTOLD)
        return served_say_at(s, p, SERVED_CONFLICT, said, "token",
                             "the arm that was played is not reported yet (acted, or activate for a suggestion)");
    if (reward_fits(p->posse, said->reward, message)) return SERVED_DONE;
    return served_say_at(s, p, SERVED_REWARD, said, "reward", message);
}

static served_status settle_check(serving *s, const served *p, settlement *one, record_kind wanted) {
    token t;
    posse_pending pending;
    served_status status = served_read_token(s, p, one->said, &t);
    if (status != SERVED_DONE) return status;
    one->id = t.id;
    one->past = posse_pending_find(p->posse, t.id, &pending) != POSSE_OK;
    if (one->past) return SERVED_DONE; /* settle_check_sorted looks back */
    int suggested = posse_suggestion(p->posse, t.id);
    if (t.arm != POSSE_ARM_UNTOLD && t.arm != (suggested >= 0 ? suggested : pending.arm))
        return served_say_at(s, p, SERVED_LOST, one->said, "token", "this decision was for another arm");
    return wanted == RECORD_LEARN ? settle_check_reward(s, p, one->said, &pending) : SERVED_DONE;
}

static int settle_by_id(const void *a_, const void *b_) {
    const settlement *a = a_, *b = b_;
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    return a->said < b->said ? -1 : a->said > b->said;
}

/*
 * Decisions that are not pending must have been settled before in the same way. The list is sorted, so that the store
 * is read in its order. A request may have the same decision twice: with the same reward this is a repetition,
 * otherwise a contradiction. *open: the number of pending decisions, each counted once.
 */
static served_status settle_check_sorted(serving *s, const served *p, const settlement *sorted, size_t count,
                                         record_kind kind, size_t *open) {
    served_status worst = SERVED_DONE;
    *open = 0;
    for (size_t i = 0; i < count; i++) {
        const settlement *one = &sorted[i];
        bool again = i > 0 && one->id == sorted[i - 1].id;
        served_status status = one->past ? settle_look_back(s, p, one, kind) : SERVED_DONE;
        if (again && !one->past && kind == RECORD_LEARN && one->said->reward != sorted[i - 1].said->reward)
            status = served_say_at(s, p, SERVED_CONFLICT, one->said, "token",
                                   "this request has two different rewards for it");
        if (status > worst) worst = status;
        *open += !one->past && !again;
    }
    return worst;
}

served_status served_check_rewards(serving *s, const served *p, const served_reward *list, size_t count,
                                   record_kind kind, settlement *room, size_t *open) {
    served_status worst = SERVED_DONE;
    settlement *sorted = room + count;
    size_t read = 0; /* entries whose tokens are right */
    for (size_t i = 0; i < count; i++) {
        room[i] = (settlement){.said = &list[i]};
        served_status status = settle_check(s, p, &room[i], kind);
        if (status > worst) worst = status;
        if (status == SERVED_DONE) sorted[read++] = room[i];
    }
    if (read > 1) qsort(sorted, read, sizeof *sorted, settle_by_id);
    served_status status = settle_check_sorted(s, p, sorted, read, kind, open);
    if (status > worst) worst = status;
    if (worst == SERVED_DONE && kind == RECORD_LEARN && *open > cost_rewards_max(p->posse, s->units_max) &&
        !s->unlimited)
        return serving_say(s, SERVED_LARGE, "rewards",
                           "%zu rewards would take too long: this posse learns at most %zu in a request", *open,
                           cost_rewards_max(p->posse, s->units_max));
    return worst;
}

/* ----------------------------------------------------- settling -------------------------------------------------- */

void served_settle_one(serving *s, served *p, const settlement *one, record_kind kind) {
    posse_pending pending;
    if (posse_pending_find(p->posse, one->id, &pending) != POSSE_OK) { /* or an entry before has settled it */
        s->counts.repeats++;
        return;
    }
    record r = served_record(p, kind);
    r.decision = one->id;
    r.learner = posse_learner_name(p->posse, pending.learner);
    r.arm = pending.arm;
    r.propensity = pending.propensity > 0.0 ? pending.propensity : NAN;
    r.mode = posse_mode_name(pending.mode);
    if (kind == RECORD_FORGET) {
        posse_forget(p->posse, one->id);
        s->counts.forgotten++;
    } else {
        r.reward = one->said->reward;
        posse_learn(p->posse, one->id, one->said->reward);
        served_count_reward(s, p, one->said->reward);
    }
    served_note(s, p, &r);
}

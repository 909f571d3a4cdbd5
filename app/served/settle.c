/* SPDX-License-Identifier: MIT */
/*
 * Settling decisions: rewards are learned, or decisions forgotten, all of a request or none.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "served/cost.h"
#include "served/rewards.h"
#include "served/served.h"

#define FEW 64 /* entries that need no memory of the heap */

/* An entry of the request, after its token was read. */
typedef struct settlement {
    const served_reward *said;
    uint64_t id;
    bool past; /* it is not pending any more */
} settlement;

served_status served_say_at(serving *s, served_status status, const served_reward *said, const char *key,
                            const char *message) {
    char path[60];
    bool whole = said->path_whole;
    snprintf(path, sizeof path, "%s%s%s", said->path, said->path[0] != '\0' && !whole ? "." : "", whole ? "" : key);
    s->counts.refused++;
    return serving_say(s, status, path, "%s", message);
}

served_status served_read_token(serving *s, const served *p, const served_reward *said, token *out) {
    switch (token_read(p->key, said->token, said->token_length, out)) {
    case TOKEN_MALFORMED:
        return served_say_at(s, SERVED_TOKEN, said, "token", "this is not the token of a decision");
    case TOKEN_FORGED:
        return served_say_at(s, SERVED_TOKEN, said, "token", "this is not the token of a decision of this posse");
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
        return served_say_at(s, SERVED_CONFLICT, one->said, "token",
                             wanted == RECORD_LEARN ? "this decision has another reward"
                                                    : "this decision has a reward");
    case PAST_FORGOTTEN:
        if (wanted == RECORD_FORGET) return SERVED_DONE;
        return served_say_at(s, SERVED_CONFLICT, one->said, "token", "this decision was forgotten");
    case PAST_EXPIRED:
        return served_say_at(s, SERVED_CONFLICT, one->said, "token", why != NULL ? why : "this decision has expired");
    case PAST_LOST:
        return served_say_at(s, SERVED_LOST, one->said, "token", why != NULL ? why : "this decision was lost");
    default:
        return served_say_at(s, SERVED_DOWN, one->said, "token", why != NULL ? why : "it cannot be read");
    }
}

static served_status settle_check_reward(serving *s, const served *p, const served_reward *said,
                                         const posse_pending *pending) {
    char message[REWARD_MESSAGE];
    if (pending->arm == POSSE_ARM_UNTOLD)
        return served_say_at(s, SERVED_CONFLICT, said, "token",
                             "its learner is external and has not said what it played (acted)");
    if (reward_fits(p->posse, said->reward, message)) return SERVED_DONE;
    return served_say_at(s, SERVED_REWARD, said, "reward", message);
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
        return served_say_at(s, SERVED_LOST, one->said, "token", "this decision was for another arm");
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
            status =
                served_say_at(s, SERVED_CONFLICT, one->said, "token", "this request has two different rewards for it");
        if (status > worst) worst = status;
        *open += !one->past && !again;
    }
    return worst;
}

static served_status settle_check_all(serving *s, const served *p, const served_reward *list, size_t count,
                                      record_kind kind, settlement *all, settlement *sorted, size_t *open) {
    served_status worst = SERVED_DONE;
    size_t read = 0; /* entries whose tokens are right */
    for (size_t i = 0; i < count; i++) {
        all[i] = (settlement){.said = &list[i]};
        served_status status = settle_check(s, p, &all[i], kind);
        if (status > worst) worst = status;
        if (status == SERVED_DONE) sorted[read++] = all[i];
    }
    if (read > 1) qsort(sorted, read, sizeof *sorted, settle_by_id);
    served_status status = settle_check_sorted(s, p, sorted, read, kind, open);
    return status > worst ? status : worst;
}

/* ----------------------------------------------------- settling -------------------------------------------------- */

static void settle_one(serving *s, served *p, const settlement *one, record_kind kind) {
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

/*
 * Everything is checked before anything is changed. The result is the gravest status of all. decisions: the number that
 * a turn makes afterwards, for which there must be room.
 */
static served_status settle_all(serving *s, served *p, const served_reward *list, size_t count, record_kind kind,
                                size_t decisions, settlement *room, size_t *settled) {
    *settled = 0;
    served_status worst = settle_check_all(s, p, list, count, kind, room, room + count, settled);
    if (worst == SERVED_DONE && kind == RECORD_LEARN && *settled > cost_rewards_max(p->posse) && !s->unlimited)
        return serving_say(s, SERVED_LARGE, "rewards",
                           "%zu rewards would keep other requests waiting: this posse learns at most %zu in a request",
                           *settled, cost_rewards_max(p->posse));
    if (worst == SERVED_DONE && decisions > 0) worst = served_admit(s, p, decisions, *settled);
    if (worst != SERVED_DONE) return worst;
    if (*settled > 0) worst = s->store->prepare(s, p, 0, *settled); /* repeats alone change nothing */
    for (size_t i = 0; i < count && worst == SERVED_DONE; i++) settle_one(s, p, &room[i], kind);
    return worst;
}

static served_status settle_list(serving *s, served *p, const served_reward *list, size_t count, record_kind kind,
                                 size_t decisions, size_t *settled) {
    settlement few[2 * FEW];
    settlement *room = count <= FEW ? few : malloc(2 * count * sizeof *room);
    if (room == NULL) return serving_no_memory(s);
    served_status status = settle_all(s, p, list, count, kind, decisions, room, settled);
    if (room != few) free(room);
    return status;
}

served_status served_learn(serving *s, served *p, const served_reward *list, size_t count, size_t *settled) {
    serving_begin(s);
    return settle_list(s, p, list, count, RECORD_LEARN, 0, settled);
}

served_status served_forget(serving *s, served *p, const served_reward *list, size_t count, size_t *settled) {
    serving_begin(s);
    return settle_list(s, p, list, count, RECORD_FORGET, 0, settled);
}

/* Checks a context before anything is learned: the library estimates propensities in it, on copies of the states. */
static served_status settle_check_context(serving *s, const served *p, const json_t *source,
                                          const posse_context *context) {
    if (source == NULL || s->joining_count > 0) return SERVED_DONE; /* context_read has checked one whose arms join */
    posse_error error = posse_propensities(p->posse, context, 1, &(posse_propensity){0});
    return error == POSSE_OK ? SERVED_DONE : serving_refuse(s, error, SERVED_WRONG);
}

served_status served_turn(serving *s, served *p, const served_reward *rewards, size_t learned, size_t decisions,
                          const json_t *source, served_decision *out, size_t *settled) {
    posse_context context;
    serving_begin(s);
    *settled = 0;
    served_status status = served_read_context(s, p, source, &context);
    if (status == SERVED_DONE) status = settle_check_context(s, p, source, &context);
    if (status == SERVED_DONE) status = settle_list(s, p, rewards, learned, RECORD_LEARN, decisions, settled);
    if (status == SERVED_DONE) status = served_join(s, p);
    if (status == SERVED_DONE) status = served_decide_all(s, p, decisions, source, &context, NULL, out);
    if (status != SERVED_DONE) posse_pending_reserve(p->posse, 0);
    return status;
}

/* SPDX-License-Identifier: MIT */
/*
 * Making decisions, and settling them: by rewards, by forgetting and by expiry.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/context.h"
#include "engine/cost.h"
#include "engine/inside.h"
#include "engine/rewards.h"
#include "posse_inside.h"

#define EXPIRED_MAX 50000 /* at once, because other requests wait */

static engine_status decisions_no_memory(engine *e) {
    return engine_say(e, ENGINE_DOWN, "", "there is not enough memory");
}

/* The status of an operation that has added a problem. Lack of memory is not the client's fault. */
static engine_status decisions_wrong(const engine *e) {
    return pool_failed(e->batch) ? ENGINE_DOWN : ENGINE_WRONG;
}

/* ----------------------------------------------------- deciding -------------------------------------------------- */

/* The number of coordinates that an answer has. Features are not returned, because the client sent them. */
static size_t decisions_point_numbers(const posse *p) {
    return posse_feature_count(p) == 0 ? (size_t)posse_dim(p) : 0;
}

static void note_decision(engine *e, hosted *h, const posse_decision *d, const char *body) {
    record *r = batch_add(e, h, RECORD_DECIDE);
    r->decides--;
    r->decision = d->id;
    r->learner = posse_learner_name(h->posse, d->learner);
    r->arm = d->arm;
    r->propensity = d->propensity > 0.0 ? d->propensity : NAN;
    r->body = body;
}

static void decisions_count_reward(engine *e, hosted *h, double reward) {
    h->rewards++;
    h->reward_sum += reward;
    e->counts.rewards++;
}

static posse_error decisions_decide_one(engine *e, hosted *h, const posse_context *context, engine_decision *out) {
    posse_decision *d = &out->decision;
    posse_error error = posse_decide(h->posse, context, d);
    if (error != POSSE_OK) return error;
    size_t numbers = d->point != NULL ? decisions_point_numbers(h->posse) : 0;
    if (numbers > 0) memcpy(out->point, d->point, numbers * sizeof *out->point);
    if (numbers == 0) out->point = NULL;
    d->point = NULL;
    token_write(h->key, (token){d->id, d->arm}, out->token);
    e->work++;
    e->counts.decisions++;
    return POSSE_OK;
}

/* Notes that a decision has expired. If later decisions expired it, a replay of them expires it again. */
static void note_expired(engine *e, hosted *h, const posse_pending *old, double reward) {
    record *r = batch_add(e, h, RECORD_EXPIRE);
    r->decision = old->id;
    r->learner = posse_learner_name(h->posse, old->learner);
    r->arm = old->arm;
    r->propensity = old->propensity > 0.0 ? old->propensity : NAN;
    r->reward = reward;
    e->counts.expired++;
    if (!isnan(reward)) decisions_count_reward(e, h, reward);
}

/* Decides, and notes the decision that has expired with it, which can only be the oldest. */
static posse_error decisions_decide_next(engine *e, hosted *h, const posse_context *context, const char *body,
                                         bool records, engine_decision *out) {
    posse_pending oldest;
    double reward;
    size_t pending = posse_pending_count(h->posse);
    bool some = posse_pending_oldest(h->posse, &oldest, &reward) == POSSE_OK;
    posse_error error = decisions_decide_one(e, h, context, out);
    if (error != POSSE_OK) return error;
    if (records) note_decision(e, h, &out->decision, body);
    if (some && posse_pending_count(h->posse) == pending) note_expired(e, h, &oldest, reward);
    return POSSE_OK;
}

/* Allocates everything that the decisions need before any of them is made. */
static bool decisions_prepare(engine *e, hosted *h, size_t count, engine_decision *out) {
    size_t numbers = decisions_point_numbers(h->posse);
    if (batch_memory(e) == NULL || !batch_touch(e, h, 2 * count)) return false; /* each may expire another one */
    if (posse_pending_reserve(h->posse, count) != POSSE_OK) return false;
    for (size_t i = 0; i < count; i++) {
        out[i].point = numbers > 0 ? pool_allocate(e->batch, numbers * sizeof(double)) : NULL;
        if (numbers > 0 && out[i].point == NULL) return false;
    }
    return true;
}

static engine_status decide_all(engine *e, hosted *h, size_t count, const json_t *source, engine_decision *out) {
    posse_context context;
    if (!decisions_prepare(e, h, count, out)) return decisions_no_memory(e);
    if (source != NULL && !batch_read_context(e, h->posse, source, &context)) return decisions_wrong(e);
    const char *body = source != NULL ? body_of(e, source) : NULL;
    if (source != NULL && body == NULL) return decisions_no_memory(e);
    bool records = body != NULL || h->records || posse_propensity_draws(h->posse) > 0;
    posse_error error = POSSE_OK;
    for (size_t i = 0; i < count && error == POSSE_OK; i++)
        error = decisions_decide_next(e, h, source != NULL ? &context : NULL, i == 0 ? body : NULL, records, &out[i]);
    return error == POSSE_OK ? ENGINE_DONE : engine_refuse(e, error, ENGINE_WRONG);
}

/*
 * Whether `count` more decisions may be pending after `settled` others are settled, and whether there is memory for
 * them.
 */
static engine_status decisions_admit(engine *e, hosted *h, size_t count, size_t settled) {
    if (posse_pending_count(h->posse) + count > e->limits.pending + settled)
        return engine_say(e, ENGINE_CROWDED, "", "%zu decisions wait for their rewards, and at most %zu may",
                          posse_pending_count(h->posse), e->limits.pending);
    if (count > cost_decisions_max(h->posse))
        return engine_say(e, ENGINE_LARGE, "n",
                          "%zu decisions would keep other requests waiting: this posse makes at "
                          "most %zu in a request",
                          count, cost_decisions_max(h->posse));
    e->bounded = true;
    posse_error error = posse_pending_reserve(h->posse, count);
    e->bounded = false;
    return error == POSSE_OK ? ENGINE_DONE : decisions_no_memory(e);
}

engine_status engine_decide(engine *e, hosted *h, size_t count, const json_t *source, engine_decision *out) {
    if (!engine_enter(e)) return ENGINE_DOWN;
    engine_status status = decisions_admit(e, h, count, 0);
    if (status == ENGINE_DONE) status = decide_all(e, h, count, source, out);
    if (status != ENGINE_DONE) posse_pending_reserve(h->posse, 0);
    return status;
}

/* Checks a context before anything is learned: the library estimates propensities in it, on copies of the states. */
static engine_status check_context(engine *e, hosted *h, const json_t *source) {
    posse_context context;
    if (source == NULL && posse_feature_count(h->posse) == 0) return ENGINE_DONE;
    if (source == NULL)
        return engine_say(e, ENGINE_WRONG, "context", "is missing; rounds have %d features",
                          posse_feature_count(h->posse));
    if (batch_memory(e) == NULL) return decisions_no_memory(e);
    if (!batch_read_context(e, h->posse, source, &context)) return decisions_wrong(e);
    posse_error error = posse_propensities(h->posse, &context, 1, &(posse_propensity){0});
    return error == POSSE_OK ? ENGINE_DONE : engine_refuse(e, error, ENGINE_WRONG);
}

/* ---------------------------------------------------- settling --------------------------------------------------- */

/* What a client wants to do with a decision, after its token was read. */
typedef struct wish {
    const engine_reward *said;
    uint64_t id;
    bool past; /* it is not pending any more */
} wish;

static engine_status say_at(engine *e, engine_status status, const engine_reward *said, const char *key,
                            const char *message) {
    char path[60];
    bool whole = said->token_only;
    snprintf(path, sizeof path, "%s%s%s", said->path, said->path[0] != '\0' && !whole ? "." : "", whole ? "" : key);
    e->counts.refused++;
    return engine_say(e, status, path, "%s", message);
}

/* How a decision was settled, in this batch or before. False: the database cannot be read. */
static bool find_settled(engine *e, const hosted *h, uint64_t id, bool *found, record_kind *kind, double *reward) {
    const record *r = batch_find_settled(e, h->id, id);
    *found = r != NULL;
    if (r == NULL) return store_find_settled(e->store, h->id, id, found, kind, reward);
    *kind = r->kind;
    *reward = r->reward;
    return true;
}

/* The decision is not pending. That is fine if it was settled before in the same way. */
static engine_status decisions_look_back(engine *e, const hosted *h, const wish *w, record_kind wanted) {
    bool found;
    record_kind kind;
    double reward = NAN;
    if (!find_settled(e, h, w->id, &found, &kind, &reward))
        return say_at(e, ENGINE_DOWN, w->said, "token", store_why(e->store));
    if (found && kind == wanted && (wanted == RECORD_FORGET || reward == w->said->reward)) return ENGINE_DONE;
    if (found && kind == RECORD_FORGET)
        return say_at(e, ENGINE_CONFLICT, w->said, "token", "this decision was forgotten");
    if (found) return say_at(e, ENGINE_CONFLICT, w->said, "token", "this decision has another reward");
    return say_at(
        e, ENGINE_CONFLICT, w->said, "token",
        w->id >> 32 == e->epoch
            ? "this decision has expired"
            : "this decision has expired, or it is of another epoch: it was made before a restart of the server, and was lost");
}

static engine_status decisions_read_token(engine *e, const hosted *h, const engine_reward *said, token *out) {
    switch (token_read(h->key, said->token, said->token_length, out)) {
    case TOKEN_MALFORMED:
        return say_at(e, ENGINE_WRONG, said, "token", "this is not the token of a decision");
    case TOKEN_FORGED:
        return say_at(e, ENGINE_WRONG, said, "token", "this is not the token of a decision of this posse");
    default:
        return ENGINE_DONE;
    }
}

static engine_status check_reward(engine *e, const hosted *h, const engine_reward *said, const posse_pending *pending) {
    if (pending->arm == POSSE_ARM_UNTOLD)
        return say_at(e, ENGINE_CONFLICT, said, "token",
                      "its learner is external and has not said what it played (acted)");
    char message[REWARD_MESSAGE];
    if (reward_fits(h->posse, said->reward, message)) return ENGINE_DONE;
    return say_at(e, ENGINE_WRONG, said, "reward", message);
}

static engine_status decisions_check(engine *e, const hosted *h, wish *w, record_kind wanted) {
    token t;
    posse_pending pending;
    engine_status status = decisions_read_token(e, h, w->said, &t);
    if (status != ENGINE_DONE) return status;
    w->id = t.id;
    w->past = posse_pending_find(h->posse, t.id, &pending) != POSSE_OK;
    if (w->past) return ENGINE_DONE; /* check_sorted looks back */
    if (t.arm != POSSE_ARM_UNTOLD && t.arm != pending.arm)
        return say_at(e, ENGINE_CONFLICT, w->said, "token", "this decision was for another arm");
    return wanted == RECORD_LEARN ? check_reward(e, h, w->said, &pending) : ENGINE_DONE;
}

static int decisions_by_id(const void *a_, const void *b_) {
    const wish *a = a_, *b = b_;
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    return a->said < b->said ? -1 : a->said > b->said;
}

/*
 * Decisions that are not pending must have been settled before in the same way. The list is sorted, so that the
 * database is read in its order. A request may have the same decision twice: with the same reward this is a repetition,
 * otherwise a contradiction. *open: the number of pending decisions, each counted once.
 */
static engine_status check_sorted(engine *e, const hosted *h, const wish *sorted, size_t count, record_kind kind,
                                  size_t *open) {
    engine_status worst = ENGINE_DONE;
    *open = 0;
    for (size_t i = 0; i < count; i++) {
        const wish *w = &sorted[i];
        bool again = i > 0 && w->id == sorted[i - 1].id;
        engine_status status = w->past ? decisions_look_back(e, h, w, kind) : ENGINE_DONE;
        if (again && !w->past && kind == RECORD_LEARN && w->said->reward != sorted[i - 1].said->reward)
            status = say_at(e, ENGINE_CONFLICT, w->said, "token", "this request has two different rewards for it");
        if (status > worst) worst = status;
        *open += !w->past && !again;
    }
    return worst;
}

static engine_status decisions_check_all(engine *e, const hosted *h, const engine_reward *list, size_t count,
                                         record_kind kind, wish *wishes, size_t *open) {
    engine_status worst = ENGINE_DONE;
    size_t read = 0; /* wishes whose tokens are right */
    wish *sorted = malloc((count + 1) * sizeof *sorted);
    if (sorted == NULL) return decisions_no_memory(e);
    for (size_t i = 0; i < count; i++) {
        wishes[i].said = &list[i];
        engine_status status = decisions_check(e, h, &wishes[i], kind);
        if (status > worst) worst = status;
        if (status == ENGINE_DONE) sorted[read++] = wishes[i];
    }
    qsort(sorted, read, sizeof *sorted, decisions_by_id);
    engine_status status = check_sorted(e, h, sorted, read, kind, open);
    free(sorted);
    return status > worst ? status : worst;
}

static void decisions_settle(engine *e, hosted *h, const wish *w, record_kind kind) {
    posse_pending pending;
    if (posse_pending_find(h->posse, w->id, &pending) != POSSE_OK) { /* or an entry before has settled it */
        e->counts.repeats++;
        return;
    }
    record *r = batch_add(e, h, kind);
    r->decision = w->id;
    r->learner = posse_learner_name(h->posse, pending.learner);
    r->arm = pending.arm;
    r->propensity = pending.propensity > 0.0 ? pending.propensity : NAN;
    if (kind == RECORD_FORGET) {
        posse_forget(h->posse, w->id);
        e->counts.forgotten++;
        return;
    }
    r->reward = w->said->reward;
    posse_learn(h->posse, w->id, w->said->reward);
    decisions_count_reward(e, h, w->said->reward);
}

/*
 * Everything is checked before anything is changed. The result is the gravest status of all. decisions: the number that
 * a turn makes afterwards, for which there must be room.
 */
static engine_status settle_all(engine *e, hosted *h, const engine_reward *list, size_t count, record_kind kind,
                                size_t decisions, wish *wishes) {
    size_t open = 0;
    engine_status worst = decisions_check_all(e, h, list, count, kind, wishes, &open);
    if (worst == ENGINE_DONE && decisions > 0) worst = decisions_admit(e, h, decisions, open);
    if (worst != ENGINE_DONE) return worst;
    if (open > 0 && !batch_touch(e, h, open)) return decisions_no_memory(e); /* repeats alone change nothing */
    for (size_t i = 0; i < count; i++) decisions_settle(e, h, &wishes[i], kind);
    return ENGINE_DONE;
}

static engine_status settle_list(engine *e, hosted *h, const engine_reward *list, size_t length, record_kind kind,
                                 size_t decisions) {
    wish few[64] = {0};
    if (!engine_enter(e)) return ENGINE_DOWN;
    wish *wishes = length <= 64 ? few : calloc(length, sizeof *wishes);
    if (wishes == NULL) return decisions_no_memory(e);
    engine_status status = settle_all(e, h, list, length, kind, decisions, wishes);
    if (wishes != few) free(wishes);
    return status;
}

engine_status engine_learn(engine *e, hosted *h, const engine_reward *list, size_t count) {
    return settle_list(e, h, list, count, RECORD_LEARN, 0);
}

engine_status engine_forget(engine *e, hosted *h, const engine_reward *list, size_t count) {
    return settle_list(e, h, list, count, RECORD_FORGET, 0);
}

engine_status engine_turn(engine *e, hosted *h, const engine_reward *rewards, size_t learned, size_t count,
                          const json_t *source, engine_decision *out) {
    if (!engine_enter(e)) return ENGINE_DOWN;
    engine_status status = check_context(e, h, source);
    if (status == ENGINE_DONE) status = settle_list(e, h, rewards, learned, RECORD_LEARN, count);
    if (status == ENGINE_DONE) status = decide_all(e, h, count, source, out);
    if (status != ENGINE_DONE) posse_pending_reserve(h->posse, 0);
    return status;
}

/* ----------------------------------------------------- acting ---------------------------------------------------- */

static posse_error decisions_act(engine *e, hosted *h, uint64_t id, int arm, const json_t *point,
                                 const json_t *source) {
    posse_context context;
    posse_action action = {.arm = arm};
    if (source != NULL) {
        if (!batch_read_context(e, h->posse, source, &context)) return POSSE_ERROR_CONTEXT;
        action.context = &context;
    } else if (point != NULL) {
        action.point = batch_read_numbers(e, point, (size_t)posse_dim(h->posse), "point");
        if (action.point == NULL) return POSSE_ERROR_ARGUMENT;
    }
    return posse_acted(h->posse, id, &action);
}

/* The body of a record, in the form that recovery reads. */
static const char *act_body(engine *e, const json_t *point, const json_t *source) {
    json_t *body = json_object();
    if (point != NULL) json_object_set(body, "point", (json_t *)point);
    if (source != NULL) json_object_set(body, "context", (json_t *)source);
    const char *text = body_of(e, body);
    json_decref(body);
    return text;
}

/* Whether the client has reported the same before. */
static bool is_acted(engine *e, const hosted *h, const posse_pending *pending, int arm, const json_t *point) {
    size_t dim = (size_t)posse_dim(h->posse);
    if (point == NULL) return pending->arm == arm;
    const double *numbers = pending->point != NULL ? batch_read_numbers(e, point, dim, "point") : NULL;
    return numbers != NULL && points_are_same(numbers, pending->point, dim);
}

engine_status engine_acted(engine *e, hosted *h, const engine_reward *which, int arm, const json_t *point,
                           const json_t *source) {
    token t;
    posse_pending pending;
    if (!engine_enter(e)) return ENGINE_DOWN;
    engine_status status = decisions_read_token(e, h, which, &t);
    if (status != ENGINE_DONE) return status;
    if (t.arm != POSSE_ARM_UNTOLD)
        return say_at(e, ENGINE_CONFLICT, which, "token", "the learner of this decision named its arm itself");
    if (posse_pending_find(h->posse, t.id, &pending) != POSSE_OK)
        return say_at(e, ENGINE_CONFLICT, which, "token", "this decision is not pending");
    if (pending.arm != POSSE_ARM_UNTOLD)
        return is_acted(e, h, &pending, arm, point)
                   ? ENGINE_DONE /* a repeated request */
                   : say_at(e, ENGINE_CONFLICT, which, "token", "the arm that was played is known already");
    if (batch_memory(e) == NULL || !batch_touch(e, h, 1)) return decisions_no_memory(e);
    const char *body = point != NULL || source != NULL ? act_body(e, point, source) : NULL;
    posse_error error = decisions_act(e, h, t.id, arm, point, source);
    if (error != POSSE_OK) return engine_refuse(e, error, ENGINE_WRONG);
    record *r = batch_add(e, h, RECORD_ACTED);
    r->decision = t.id;
    r->arm = arm;
    r->learner = posse_learner_name(h->posse, pending.learner);
    r->body = body;
    return ENGINE_DONE;
}

/* --------------------------------------------------- expiring ---------------------------------------------------- */

/* Forgets the first marks. */
static void drop_marks(clock_marks *m, int count) {
    m->count -= count;
    memmove(m->list, m->list + count, (size_t)m->count * sizeof *m->list);
}

bool clock_mark(hosted *h, double at, uint64_t decides) {
    if (h->marks == NULL) h->marks = calloc(1, sizeof *h->marks);
    clock_marks *m = h->marks;
    if (m == NULL) return false;
    if (m->count == CLOCK_MARKS) drop_marks(m, 1);
    m->list[m->count].at = at;
    m->list[m->count].decides = decides;
    m->count++;
    return true;
}

bool clock_write(engine *e, const hosted *h) {
    const clock_marks *m = h->marks;
    if (m == NULL || m->count == 0 || m->list[m->count - 1].decides <= m->written) return true;
    bool fine = store_drop_times(e->store, h->id, m->list[0].decides);
    for (int i = 0; fine && i < m->count; i++)
        if (m->list[i].decides > m->written)
            fine = store_add_time(e->store, &(kept_time){h->id, m->list[i].at, m->list[i].decides});
    return fine;
}

void clock_undo(hosted *h) {
    clock_marks *m = h->marks;
    while (m != NULL && m->count > 0 && m->list[m->count - 1].decides > posse_decision_count(h->posse)) m->count--;
}

/* Notes the number of decisions so far, if some are behind the last mark, at most CLOCK_MARKS - 2 times in
 * expire_seconds. The mark is committed, so that ages survive a restart. */
static void mark_time(engine *e, hosted *h, double now) {
    const clock_marks *m = h->marks;
    double apart = (double)h->expire_seconds / (CLOCK_MARKS - 2);
    uint64_t decides = posse_decision_count(h->posse);
    bool some = m != NULL && m->count > 0;
    if (posse_pending_count(h->posse) == 0 || (some && m->list[m->count - 1].decides >= decides)) return;
    if (some && now - m->list[m->count - 1].at < apart) return;
    if (batch_touch(e, h, 0)) clock_mark(h, now, decides);
}

/* The number of decisions at the latest mark that is at least expire_seconds old, or 0. Marks before it are dropped.
 * If the machine's time was set back between two boots, marks lie in the future, and their time begins now. */
static uint64_t expired_by(hosted *h, double now) {
    clock_marks *m = h->marks;
    int old = 0;
    for (int i = 0; m != NULL && i < m->count; i++)
        if (m->list[i].at > now) m->list[i].at = now;
    while (m != NULL && old < m->count && now - m->list[old].at >= (double)h->expire_seconds) old++;
    if (old > 1) drop_marks(m, old - 1);
    return old > 0 ? m->list[0].decides : 0;
}

/* Returns the number of expired decisions. */
static size_t decisions_expire(engine *e, hosted *h, double now, size_t most) {
    posse_pending oldest;
    double reward;
    size_t count = 0;
    uint64_t until = expired_by(h, now), decides = posse_decision_count(h->posse);
    while (count < most && posse_pending_oldest(h->posse, &oldest, &reward) == POSSE_OK &&
           decides - oldest.age <= until && batch_touch(e, h, 1)) {
        note_expired(e, h, &oldest, reward);
        if (isnan(reward))
            posse_forget(h->posse, oldest.id);
        else
            posse_learn(h->posse, oldest.id, reward);
        count++;
    }
    mark_time(e, h, now);
    return count;
}

void engine_expire(engine *e, double now) {
    if (!engine_enter(e)) return;
    size_t left = EXPIRED_MAX;
    for (size_t i = 0; i < e->count; i++)
        if (e->list[i]->expire_seconds > 0 && !e->list[i]->dropped) left -= decisions_expire(e, e->list[i], now, left);
}

/* SPDX-License-Identifier: MIT */
/*
 * Making decisions.
 */
#include <math.h>
#include <string.h>

#include "posse_features.h"
#include "served/context.h"
#include "served/cost.h"
#include "served/served.h"

/* Finds the arms of a context by their names. */
typedef struct arm_namer {
    arm_finder finder; /* must be first */
    serving *s;
    const served *p;
    served_status status; /* of a name that was refused */
} arm_namer;

static bool decide_name_arm(arm_finder *finder, const char *name, const trail *where, int *arm) {
    arm_namer *n = (arm_namer *)finder;
    n->status = served_name_arm(n->s, n->p, name, where, arm);
    finder->joins = n->s->joining_count > 0;
    return n->status == SERVED_DONE;
}

served_status served_read_context(serving *s, const served *p, const json_t *source, posse_context *out) {
    if (source == NULL && posse_feature_count(p->posse) == 0) return SERVED_DONE;
    if (source == NULL && posse_takes_names(p->posse))
        return serving_say(s, SERVED_WRONG, "context", "is missing; rounds have features by name, but it may be empty");
    if (source == NULL)
        return serving_say(s, SERVED_WRONG, "context", "is missing; rounds have %d features",
                           posse_feature_count(p->posse));
    if (serving_memory(s) == NULL) return serving_no_memory(s);
    arm_namer namer = {.finder = {.find = decide_name_arm}, .s = s, .p = p};
    if (context_read(source, p->posse, &namer.finder, s->memory, serving_problems(s), out)) return SERVED_DONE;
    if (namer.status != SERVED_DONE) return namer.status;
    return pool_failed(s->memory) ? SERVED_DOWN : SERVED_WRONG;
}

/* Deferred decisions that are never shown stay pending until they are forgotten by request. */
static served_status decide_refuse_more(serving *s, const served *p) {
    size_t pending = posse_pending_count(p->posse), deferred = posse_deferred_count(p->posse);
    if (deferred == 0)
        return serving_say(s, SERVED_CROWDED, "", "%zu decisions wait for their rewards, and at most %zu may", pending,
                           s->pending_max);
    return serving_say(s, SERVED_CROWDED, "",
                       "%zu decisions are pending, and at most %zu may be: %zu of them were deferred and never "
                       "activated, and stay until they are forgotten (expire, with deferred)",
                       pending, s->pending_max, deferred);
}

served_status served_admit(serving *s, served *p, const served_work *w) {
    size_t count = w->decision_count;
    if (s->unlimited) return SERVED_DONE;
    size_t most = cost_decisions_max(p->posse, s->units_max);
    if (posse_pending_count(p->posse) + count > s->pending_max + w->settled) return decide_refuse_more(s, p);
    if (count > most)
        return serving_say(s, SERVED_LARGE, w->rounds != NULL ? "rounds" : "n",
                           "%zu decisions would take too long: this posse makes at most %zu in a request", count, most);
    s->bounded = true;
    posse_error error = posse_pending_reserve(p->posse, count);
    s->bounded = false;
    return error == POSSE_OK ? SERVED_DONE : serving_no_memory(s);
}

/* The number of coordinates that an answer has. Features are not returned, because the client sent them. */
static size_t decide_point_numbers(const posse *p) {
    return posse_feature_count(p) == 0 ? (size_t)posse_dim(p) : 0;
}

served_status served_prepare_decisions(serving *s, served *p, size_t count, served_decision *out) {
    size_t numbers = decide_point_numbers(p->posse);
    served_status status = s->store->prepare(s, p, count, 2 * count); /* each may expire another one */
    if (status != SERVED_DONE) return status;
    if (posse_pending_reserve(p->posse, count) != POSSE_OK) return serving_no_memory(s);
    for (size_t i = 0; i < count; i++) {
        out[i].point = NULL;
        if (numbers == 0) continue;
        if (serving_memory(s) != NULL) out[i].point = pool_allocate(s->memory, numbers * sizeof(double));
        if (out[i].point == NULL) return serving_no_memory(s);
    }
    return SERVED_DONE;
}

static posse_visit decide_visit(const posse_context *context, const served_visit *visit) {
    return (posse_visit){.context = context,
                         .unit = visit->unit,
                         .unit_length = visit->unit != NULL ? strlen(visit->unit) : 0,
                         .now = visit->now,
                         .defer = visit->defer,
                         .anew = visit->anew};
}

/* Copies what is valid only until the next call, and writes the token. */
static void decide_finish(const served *p, served_decision *out) {
    posse_decision *d = &out->decision;
    size_t numbers = d->point != NULL ? decide_point_numbers(p->posse) : 0;
    if (numbers > 0)
        memcpy(out->point, d->point, numbers * sizeof *out->point);
    else
        out->point = NULL;
    d->point = NULL;
    token_write(p->key, (token){d->id, d->arm}, out->token);
}

static posse_error decide_one(served *p, const posse_context *context, const served_visit *visit,
                              served_decision *out) {
    posse_visit v = decide_visit(context, visit);
    bool plain = visit->unit == NULL && !visit->defer;
    posse_error error =
        plain ? posse_decide(p->posse, context, &out->decision) : posse_decide_for(p->posse, &v, &out->decision);
    if (error == POSSE_OK) decide_finish(p, out);
    return error;
}

static void decide_note(serving *s, served *p, const posse_decision *d, const served_visit *visit, const char *body) {
    record r = served_record(p, RECORD_DECIDE);
    r.decides--;
    r.decision = d->id;
    r.learner = posse_learner_name(p->posse, d->learner);
    r.arm = d->arm;
    r.propensity = d->propensity > 0.0 ? d->propensity : NAN;
    r.body = body;
    r.mode = posse_mode_name(d->mode);
    r.unit = visit->unit;
    r.now = visit->now;
    r.deferred = visit->defer;
    s->counts.decisions++;
    served_note(s, p, &r);
}

/* Lists the decisions that expire with the next one. Room for one is there, and mostly there is not more than one. */
static posse_error decide_expiring(serving *s, served *p, size_t left, posse_expiring *soon) {
    posse_error error = posse_expiring_next(p->posse, soon);
    if (error != POSSE_OK || soon->count <= soon->room) return error;
    pool *memory = serving_memory(s);
    soon->room = soon->count;
    soon->list = memory != NULL ? pool_allocate(memory, soon->room * sizeof *soon->list) : NULL;
    soon->rewards = memory != NULL ? pool_allocate(memory, soon->room * sizeof *soon->rewards) : NULL;
    if (soon->list == NULL || soon->rewards == NULL) return POSSE_ERROR_MEMORY;
    if (s->store->prepare(s, p, 0, soon->count + 2 * left) != SERVED_DONE) return POSSE_ERROR_MEMORY;
    return posse_expiring_next(p->posse, soon);
}

/* Decides, and notes the decisions that have expired with it. */
posse_error served_decide_next(serving *s, served *p, const posse_context *context, const served_visit *visit,
                               const char *body, size_t left, served_decision *out) {
    posse_pending one;
    double reward;
    posse_expiring soon = {&one, &reward, 1, 0};
    uint64_t made = posse_decision_count(p->posse);
    posse_error error = decide_expiring(s, p, left, &soon);
    if (error == POSSE_OK) error = decide_one(p, context, visit, out);
    if (error != POSSE_OK || posse_decision_count(p->posse) == made) return error; /* the unit has this one already */
    decide_note(s, p, &out->decision, visit, body);
    for (size_t i = 0; i < soon.count; i++) served_note_expired(s, p, &soon.list[i], soon.rewards[i]);
    return POSSE_OK;
}

served_status served_keep_unit(serving *s, served_visit *visit) {
    if (visit->unit == NULL) return SERVED_DONE;
    size_t length = strlen(visit->unit);
    if (length == 0 || length > UNIT_MAX)
        return serving_say(s, SERVED_WRONG, "unit", "the name of a unit has 1 to %d bytes", UNIT_MAX);
    visit->unit = serving_memory(s) != NULL ? pool_copy(s->memory, visit->unit, length) : NULL;
    return visit->unit != NULL ? SERVED_DONE : serving_no_memory(s);
}

served_status served_peek(serving *s, served *p, const json_t *source, const served_visit *visit,
                          served_decision *out) {
    posse_context context;
    size_t numbers = decide_point_numbers(p->posse);
    serving_begin(s);
    served_status status = served_read_context(s, p, source, &context);
    if (status == SERVED_DONE && s->joining_count > 0)
        status = serving_say(s, SERVED_ABSENT, "context", "an arm that is not known yet joins only with a decision");
    if (status != SERVED_DONE) return status;
    out->point = NULL;
    if (numbers > 0 && serving_memory(s) != NULL) out->point = pool_allocate(s->memory, numbers * sizeof(double));
    if (numbers > 0 && out->point == NULL) return serving_no_memory(s);
    posse_visit v = decide_visit(source != NULL ? &context : NULL, visit);
    posse_error error = posse_peek(p->posse, &v, &out->decision);
    if (error != POSSE_OK) return serving_refuse(s, error, SERVED_WRONG);
    decide_finish(p, out);
    if (out->decision.id == 0) out->token[0] = '\0';
    return SERVED_DONE;
}

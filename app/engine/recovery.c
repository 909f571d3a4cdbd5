/* SPDX-License-Identifier: MIT */
/*
 * Makes posses from what is on disk. Everything that has happened to a posse since its snapshot belongs to one epoch,
 * because a start begins a new epoch, and writes a snapshot of every posse that has changed since its last one.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/json_text.h"
#include "engine/inside.h"
#include "served/context.h"

#define EPOCH_TRIES 100

static bool recovery_fail(engine *e, const char *why) {
    snprintf(e->why, sizeof e->why, "%s", why);
    return false;
}

static bool fail_of(engine *e, const hosted *h, const char *why, const char *advice) {
    snprintf(e->why, sizeof e->why, "the posse \"%s\" cannot be recovered: %s%s", h->name, why, advice);
    return false;
}

/* The library rejects the saved bytes or a record, or has no memory for them. */
static bool fail_by(engine *e, const hosted *h, posse_error error, const char *why) {
    if (error == POSSE_ERROR_MEMORY) return fail_of(e, h, "there is not enough memory", "");
    return fail_of(e, h, why, " (how to serve the others without it: docs/operating.md, A damaged posse)");
}

/* ---------------------------------------------------- replaying -------------------------------------------------- */

static bool recovery_apply(engine *e, hosted *h, posse_error error) {
    if (error == POSSE_OK) return true;
    return fail_by(e, h, error, "its log does not fit its snapshot");
}

/*
 * Makes the decisions again that have no record. If rounds have features, or propensities are estimated, every decision
 * has a record, and none is made here. (In databases of format 1, decisions with estimates have no record. They are
 * made again without an estimate.)
 */
static bool decide_up_to(engine *e, hosted *h, uint64_t decides) {
    posse_decision d;
    posse_error error = posse_decision_count(h->served.posse) <= decides ? POSSE_OK : POSSE_ERROR_DAMAGED;
    while (error == POSSE_OK && posse_decision_count(h->served.posse) < decides)
        error = posse_decide_again(h->served.posse, NULL, 0.0, &d);
    return recovery_apply(e, h, error);
}

/* The context of a request is the body of its first decision, and later decisions of the request have none. */
static bool keep_context(engine *e, const hosted *h, const char *body) {
    if (body == NULL) return e->context != NULL && e->context_posse == h->id;
    free(e->context);
    e->context = strdup(body);
    e->context_posse = h->id;
    return e->context != NULL;
}

static bool recovery_read_context(engine *e, const hosted *h, const json_t *source, posse_context *out) {
    return served_read_context(&e->serving, &h->served, source, out) == SERVED_DONE;
}

static const double *recovery_read_point(engine *e, const hosted *h, const json_t *point) {
    pool *memory = serving_memory(&e->serving);
    size_t dim = (size_t)posse_dim(h->served.posse);
    return memory != NULL ? numbers_read(point, dim, "point", memory, serving_problems(&e->serving)) : NULL;
}

/* Makes a decision again, for the same unit. */
static posse_error recovery_decide(hosted *h, const record *r, const posse_context *context, posse_decision *d) {
    double propensity = r->propensity > 0.0 ? r->propensity : 0.0;
    posse_visit visit = {.context = context,
                         .unit = r->unit,
                         .unit_length = r->unit != NULL ? strlen(r->unit) : 0,
                         .now = r->now,
                         .defer = r->deferred,
                         .logged = &propensity,
                         .anew = true}; /* it has a record because it was made */
    return posse_decide_for(h->served.posse, &visit, d);
}

static posse_error decide_in(engine *e, hosted *h, const record *r, posse_decision *d) {
    if (!keep_context(e, h, r->body)) return r->body != NULL ? POSSE_ERROR_MEMORY : POSSE_ERROR_DAMAGED;
    json_t *source = json_read_own(e->context);
    posse_context context;
    posse_error error =
        recovery_read_context(e, h, source, &context) ? recovery_decide(h, r, &context, d) : POSSE_ERROR_DAMAGED;
    json_decref(source);
    return error;
}

/* A decision that has a record must come out as it was. */
static bool replay_decide(engine *e, hosted *h, const record *r) {
    posse_decision d = {0};
    posse_error error =
        posse_feature_count(h->served.posse) > 0 ? decide_in(e, h, r, &d) : recovery_decide(h, r, NULL, &d);
    if (error == POSSE_OK && (d.id != r->decision || d.arm != r->arm)) error = POSSE_ERROR_DAMAGED;
    return recovery_apply(e, h, error);
}

/* What was played, as the body of a record has it: a point, an arm in a context, or an arm. */
static posse_error recovery_act(engine *e, hosted *h, const record *r, const json_t *point, const json_t *source) {
    posse *p = h->served.posse;
    posse_context context;
    posse_action action = {.arm = r->arm};
    if (point != NULL) {
        action.point = recovery_read_point(e, h, point);
        if (action.point == NULL) return POSSE_ERROR_DAMAGED;
    } else if (source != NULL) {
        if (!recovery_read_context(e, h, source, &context)) return POSSE_ERROR_DAMAGED;
        action.context = &context;
    }
    bool activates = r->kind == RECORD_ACTED && r->body == NULL && posse_suggestion(p, r->decision) == r->arm;
    if (r->kind == RECORD_TEACH) return posse_teach(p, &action, r->reward);
    posse_error error = activates ? posse_activate(p, r->decision) : posse_acted(p, r->decision, &action);
    return error == POSSE_OK && r->now > 0 ? posse_note_shown(p, r->decision, r->now) : error;
}

static posse_error recovery_play(engine *e, hosted *h, const record *r) {
    json_t *body = r->body != NULL ? json_read_own(r->body) : NULL;
    posse_error error = recovery_act(e, h, r, json_object_get(body, "point"), json_object_get(body, "context"));
    json_decref(body);
    return error;
}

/* A decision that later decisions expired has expired again by now. */
static posse_error recovery_expire(hosted *h, const record *r) {
    posse_pending pending;
    if (r->learner == NULL) /* of format 1, in which the newest decision never expired */
        return posse_expire(h->served.posse, r->decision < r->decides ? r->decides - r->decision : 1, NULL);
    if (posse_pending_find(h->served.posse, r->decision, &pending) != POSSE_OK) return POSSE_OK;
    return isnan(r->reward) ? posse_forget(h->served.posse, r->decision)
                            : posse_learn(h->served.posse, r->decision, r->reward);
}

static bool recovery_replay(engine *e, hosted *h, const record *r) {
    if (!decide_up_to(e, h, r->decides)) return false;
    switch (r->kind) {
    case RECORD_DECIDE:
        return replay_decide(e, h, r);
    case RECORD_LEARN:
        return recovery_apply(e, h, posse_learn(h->served.posse, r->decision, r->reward));
    case RECORD_FORGET:
        return recovery_apply(e, h, posse_forget(h->served.posse, r->decision));
    case RECORD_EXPIRE:
        return recovery_apply(e, h, recovery_expire(h, r));
    case RECORD_ACTED:
    case RECORD_TEACH:
        return recovery_apply(e, h, recovery_play(e, h, r));
    case RECORD_ADD_ARM: /* of a large posse; that of a small one was written whole, as with the kinds below */
        return recovery_apply(e, h, hosted_add_arm(h->served.posse, r->body));
    case RECORD_RETIRE_ARM:
        return recovery_apply(e, h, posse_arm_retire(h->served.posse, r->arm));
    default: /* other kinds are never replayed: a snapshot was written with their records */
        return recovery_apply(e, h, POSSE_ERROR_DAMAGED);
    }
}

/* Loads the snapshot, in the epoch of the decisions that followed it. */
static bool recovery_load(engine *e, hosted *h, const kept_posse *kept) {
    posse_host host = engine_host(e);
    posse *loaded = NULL;
    posse_error error = posse_load_exact(kept->snapshot, kept->snapshot_length, &host, &loaded);
    if (error == POSSE_OK && posse_epoch(loaded) != kept->epoch) error = posse_set_epoch(loaded, kept->epoch);
    if (error != POSSE_OK) {
        posse_free(loaded);
        return fail_by(e, h, error, posse_error_text(error));
    }
    posse_free(h->served.posse);
    h->served.posse = loaded;
    h->snapshot_lsn = kept->snapshot_lsn;
    h->size = kept->snapshot_length;
    h->decides = kept->decides;
    return true;
}

/* ---------------------------------------------------- some posses ------------------------------------------------- */

typedef struct restoring {
    engine *e;
    hosted *h;
    bool found;
} restoring;

static bool take_kept(void *context, const kept_posse *kept) {
    restoring *r = context;
    r->found = recovery_load(r->e, r->h, kept);
    return r->found;
}

static bool recovery_reload(engine *e, hosted *h) {
    restoring r = {.e = e, .h = h};
    h->behind = true;
    return store_read_posse(e->store, h->id, take_kept, &r) && r.found;
}

static bool take_lost_record(void *context, const record *r) {
    engine *e = context;
    hosted *h = table_find_number(e, r->posse);
    return h == NULL || !h->behind || r->lsn <= h->snapshot_lsn || recovery_replay(e, h, r);
}

/* The log is read once for all of them, from where the first was ahead of its snapshot. */
bool recovery_restore(engine *e, hosted **list, size_t count) {
    bool fine = true;
    uint64_t from = e->lsn;
    for (size_t i = 0; fine && i < count; i++) {
        fine = recovery_reload(e, list[i]);
        if (list[i]->dirty_lsn < from) from = list[i]->dirty_lsn;
    }
    fine = fine && store_each_record(e->store, from, 0, take_lost_record, e);
    for (size_t i = 0; i < count; i++) {
        hosted *h = list[i];
        h->behind = false;
        fine = fine && decide_up_to(e, h, h->decides) &&
               (posse_epoch(h->served.posse) == e->epoch || posse_set_epoch(h->served.posse, e->epoch) == POSSE_OK);
    }
    return fine;
}

/* -------------------------------------------------- all posses --------------------------------------------------- */

static bool take_posse(void *context, const kept_posse *kept) {
    engine *e = context;
    hosted *h = hosted_make(e, kept->id, kept->name);
    if (h == NULL) return recovery_fail(e, "there is not enough memory");
    memcpy(h->served.key, kept->key, sizeof h->served.key);
    h->records = kept->records;
    h->served.expire_seconds = kept->expire_seconds;
    h->served.rewards = kept->rewards;
    h->served.reward_sum = kept->reward_sum;
    bool loaded = recovery_load(e, h, kept);
    if (loaded && table_add(e, h)) return true;
    hosted_free(h);
    return loaded ? recovery_fail(e, "there is not enough memory") : false;
}

/* Ignores records of posses that were dropped later. */
static bool take_record(void *context, const record *r) {
    engine *e = context;
    hosted *h = table_find_number(e, r->posse);
    if (h == NULL || r->lsn <= h->snapshot_lsn) return true;
    bool fine = recovery_replay(e, h, r);
    h->behind = true;
    serving_forget(&e->serving); /* contexts were read into its memory */
    return fine;
}

static bool take_time(void *context, const kept_time *t) {
    engine *e = context;
    hosted *h = table_find_number(e, t->posse);
    if (h == NULL) return true;
    if (!clock_mark(&h->served, t->at, t->decides)) return recovery_fail(e, "there is not enough memory");
    h->served.marks->written = t->decides;
    return true;
}

static bool recovery_read_all(engine *e) {
    uint64_t from;
    bool fine = store_ends(e->store, &from, &e->lsn, &e->last_posse) && store_trimmed(e->store, &e->trimmed) &&
                store_each_posse(e->store, take_posse, e) && store_each_record(e->store, from, 0, take_record, e) &&
                store_each_time(e->store, take_time, e);
    for (size_t i = 0; fine && i < e->count; i++) {
        hosted *h = e->list[i];
        h->behind = h->behind || posse_decision_count(h->served.posse) < h->decides;
        fine = decide_up_to(e, h, h->decides);
    }
    if (!fine && e->why[0] == '\0') recovery_fail(e, store_why(e->store));
    return fine;
}

double engine_now(const engine *e) {
    return clock_read(CLOCK_BOOTTIME) + e->clock_ahead;
}

/* The id of this boot of the machine; "": unknown. */
static void read_boot(char boot[40]) {
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (file == NULL || fscanf(file, "%39s", boot) != 1) boot[0] = '\0';
    if (file != NULL) fclose(file);
}

/* In the same boot the clock continues. In another one it begins with the machine's time. */
static bool set_clock(engine *e) {
    char boot[40], before[40] = "";
    read_boot(boot);
    if (!store_clock(e->store, before, &e->clock_ahead)) return recovery_fail(e, store_why(e->store));
    if (boot[0] != '\0' && strcmp(boot, before) == 0) return true;
    e->clock_ahead = clock_read(CLOCK_REALTIME) - clock_read(CLOCK_BOOTTIME);
    return store_set_clock(e->store, boot, e->clock_ahead);
}

/*
 * Draws an epoch that this database has not had. It is random, so that a copy of the database that is served elsewhere
 * gets another one.
 */
static bool draw_epoch(engine *e) {
    bool taken = true;
    for (int i = 0; taken && i < EPOCH_TRIES; i++) {
        if (getentropy(&e->epoch, sizeof e->epoch) != 0) return recovery_fail(e, strerror(errno));
        e->epoch &= INT32_MAX;
        if (e->epoch != 0 && !store_has_epoch(e->store, e->epoch, &taken)) return recovery_fail(e, store_why(e->store));
    }
    return !taken || recovery_fail(e, "no epoch is left");
}

static bool recovery_renew(engine *e, hosted *h) {
    if (posse_set_epoch(h->served.posse, e->epoch) != POSSE_OK) return fail_of(e, h, "no epoch is left", "");
    if (!h->behind) return true;
    h->behind = false;
    h->decides = posse_decision_count(h->served.posse);
    kept_mark mark = {h->id, h->decides, e->epoch, h->served.rewards, h->served.reward_sum};
    return store_mark(e->store, &mark) && batch_snapshot(e, h);
}

static bool begin_epoch(engine *e) {
    bool fine = store_begin(e->store) && store_add_epoch(e->store, e->epoch) && store_set_floor(e->store, e->lsn) &&
                set_clock(e);
    for (size_t i = 0; fine && i < e->count; i++) {
        fine = recovery_renew(e, e->list[i]);
        e->list[i]->snapshotted = false;
    }
    fine = fine && batch_keep_erased(e, 0);
    e->drops = true;
    if (fine && store_commit(e->store)) return true;
    if (e->why[0] == '\0') recovery_fail(e, store_why(e->store));
    store_rollback(e->store);
    return false;
}

bool recovery_run(engine *e) {
    bool fine = recovery_read_all(e) && draw_epoch(e) && begin_epoch(e);
    free(e->context);
    e->context = NULL;
    e->stale = true; /* what was being written when the last server ended */
    e->counts = (engine_counts){0};
    e->serving.counts = (served_counts){0};
    e->serving.now = engine_now(e);
    e->now = (int64_t)e->serving.now;
    return fine;
}

/* SPDX-License-Identifier: MIT */
/*
 * The history of posses: how far each had come at some times. A posse to which something happens gets a point after a
 * minute, and the server's work for it is one small row. A posse to which nothing happens gets none.
 *
 * Points become fewer as they grow old: one in 15 minutes after an hour, one in two hours after a day, and after a week
 * at most 128 in all, so a posse has at most 450 of them. A request gets at most about 130.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
#include "engine/inside.h"
#include "posse_inside.h"

#define MINUTE INT64_C(60)
#define HOUR INT64_C(3600)
#define DAY INT64_C(86400)
#define POINTS_OLD 128      /* points older than a week, and points of a span */
#define PIECE_SECONDS 0.005 /* time for points before requests are served again */
#define LEARNERS_MAX 200    /* whose plays a point has */

/* -------------------------------------------- posses that wait for a point ---------------------------------------- */

void history_touch(engine *e, hosted *h) {
    if (h->unnoted) return;
    h->unnoted = true;
    h->active_since = e->now;
    h->note_after = NULL;
    h->note_before = e->note_last;
    if (e->note_last != NULL)
        e->note_last->note_after = h;
    else
        e->note_first = h;
    e->note_last = h;
}

void history_forget(engine *e, hosted *h) {
    if (!h->unnoted) return;
    h->unnoted = false;
    if (h->note_before != NULL)
        h->note_before->note_after = h->note_after;
    else
        e->note_first = h->note_after;
    if (h->note_after != NULL)
        h->note_after->note_before = h->note_before;
    else
        e->note_last = h->note_before;
}

/* ---------------------------------------------------- a point ----------------------------------------------------- */

double hosted_best_mean(const posse *p, const double *means) {
    double best = NAN;
    for (int i = 0; i < posse_arm_count(p); i++)
        if (posse_arm_active(p, i) && !(means[i] <= best)) best = means[i];
    return best;
}

static double history_best_mean(const posse *p) {
    size_t count = (size_t)posse_arm_count(p);
    double *means = posse_feature_count(p) == 0 && count > 0 ? calloc(count, sizeof *means) : NULL;
    double best = means != NULL && posse_means(p, NULL, means) == POSSE_OK ? hosted_best_mean(p, means) : NAN;
    free(means);
    return best;
}

static double history_regret(const posse *p) {
    double *regrets = calloc((size_t)posse_learner_count(p) + 1, sizeof *regrets), total = NAN;
    if (regrets != NULL && posse_regrets(p, regrets) == POSSE_OK) {
        total = 0.0;
        for (int i = 0; i < posse_learner_count(p); i++) total += regrets[i];
    }
    free(regrets);
    return total;
}

/* A list in JSON. Without memory for it, the plays are unknown. */
static void history_plays(const posse *p, char out[HISTORY_PLAYS]) {
    int length = snprintf(out, HISTORY_PLAYS, "["), count = posse_learner_count(p);
    uint64_t *plays = calloc((size_t)count + 1, sizeof *plays);
    if (plays != NULL && posse_plays(p, plays) == POSSE_OK)
        for (int i = 0; i < count && i < LEARNERS_MAX; i++)
            length += snprintf(out + length, HISTORY_PLAYS - (size_t)length, "%s%llu", i > 0 ? "," : "",
                               (unsigned long long)plays[i]);
    free(plays);
    snprintf(out + length, HISTORY_PLAYS - (size_t)length, "]");
}

static kept_point history_look(const hosted *h, int64_t at, char plays[HISTORY_PLAYS]) {
    const posse *p = h->served.posse;
    history_plays(p, plays);
    return (kept_point){.posse = h->id,
                        .at = at,
                        .decisions = posse_decision_count(p),
                        .rewards = h->served.rewards,
                        .reward_sum = h->served.reward_sum,
                        .regret = history_regret(p),
                        .best_mean = history_best_mean(p),
                        .plays = plays};
}

/* ---------------------------------------------------- writing ----------------------------------------------------- */

/* Of a posse that lives for long, points older than a week are further apart. */
static bool history_thin(engine *e, const hosted *h, int64_t now, int64_t first) {
    int64_t width = DAY;
    while ((now - first) / width > POINTS_OLD) width *= 2;
    return store_thin_points(e->store, h->id, now - HOUR, 15 * MINUTE) &&
           store_thin_points(e->store, h->id, now - DAY, 2 * HOUR) &&
           store_thin_points(e->store, h->id, now - 7 * DAY, width);
}

/* Before a time in which nothing happened there is a point, and after it there is another one. Time may be set back. */
static bool history_note(engine *e, hosted *h, int64_t now) {
    char plays[HISTORY_PLAYS];
    int64_t first, last, since = h->active_since;
    if (!store_point_ends(e->store, h->id, &first, &last)) return false;
    if (now <= last) now = last + 1;
    bool fine = last > 0 ? since <= last + MINUTE || since >= now || store_repeat_point(e->store, h->id, since)
                         : store_add_point(e->store, &(kept_point){.posse = h->id, .at = since, .plays = "[]"});
    kept_point p = history_look(h, now, plays);
    return fine && store_add_point(e->store, &p) &&
           (last / (15 * MINUTE) == now / (15 * MINUTE) || history_thin(e, h, now, first > 0 ? first : since));
}

static bool history_write(engine *e, int64_t now, bool all, bool *more) {
    double began = clock_now();
    bool fine = store_begin(e->store);
    hosted *h = e->note_first;
    for (; fine && h != NULL && (all || h->active_since + MINUTE <= now); h = h->note_after) {
        if (!all && clock_now() - began > PIECE_SECONDS) {
            *more = true;
            break;
        }
        fine = h->dropped || h->held || history_note(e, h, now); /* half of a request is no point */
    }
    if (fine && store_commit(e->store)) {
        while (e->note_first != h) history_forget(e, e->note_first);
        return true;
    }
    snprintf(e->why, sizeof e->why, "%s", store_why(e->store));
    store_rollback(e->store);
    return false;
}

bool engine_remember(engine *e, double now, bool *more) {
    *more = false;
    e->now = (int64_t)now;
    e->serving.now = now;
    const hosted *first = e->note_first;
    if (e->lost || engine_has_changes(e) || first == NULL || first->active_since + MINUTE > e->now) return true;
    return history_write(e, e->now, false, more);
}

void history_close(engine *e) {
    bool more;
    if (e->note_first != NULL) history_write(e, e->now, true, &more);
}

/* ---------------------------------------------------- reading ----------------------------------------------------- */

bool engine_history(engine *e, const hosted *h, int64_t span, void (*take)(void *context, const kept_point *p),
                    void *context) {
    char plays[HISTORY_PLAYS];
    int64_t first, last;
    if (!store_point_ends(e->store, h->id, &first, &last)) return false;
    int64_t now = e->now > last ? e->now : last + 1;
    int64_t from = span > 0 ? now - span : first, width = (now - from) / POINTS_OLD;
    if (!store_each_point(e->store, h->id, from, width > MINUTE ? width : MINUTE, take, context)) return false;
    kept_point p = history_look(h, now, plays);
    take(context, &p);
    return true;
}

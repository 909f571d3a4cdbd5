/* SPDX-License-Identifier: MIT */
/*
 * Operations on decisions, each in the batch, and expiry by the clock.
 */
#include "engine/inside.h"
#include "served/cost.h"

served_status engine_do(engine *e, hosted *h, served_work *w) {
    return engine_enter(e) ? served_work_do(&e->serving, &h->served, w) : SERVED_DOWN;
}

served_status engine_peek(engine *e, hosted *h, const json_t *source, const served_visit *visit, served_decision *out) {
    return engine_enter(e) ? served_peek(&e->serving, &h->served, source, visit, out) : SERVED_DOWN;
}

/* The time of the showing is noted, so the clock is read. */
served_status engine_activate(engine *e, hosted *h, const served_reward *which) {
    bool again;
    e->serving.now = engine_now(e);
    return engine_enter(e) ? served_activate(&e->serving, &h->served, which, &again) : SERVED_DOWN;
}

served_status engine_acted(engine *e, hosted *h, const served_reward *which, const served_play *play) {
    bool again;
    e->serving.now = engine_now(e);
    return engine_enter(e) ? served_acted(&e->serving, &h->served, which, play, &again) : SERVED_DOWN;
}

served_status engine_teach(engine *e, hosted *h, const served_play *play, double reward) {
    return engine_enter(e) ? served_teach(&e->serving, &h->served, play, reward, "reward") : SERVED_DOWN;
}

served_status engine_teach_list(engine *e, hosted *h, const json_t *list) {
    return engine_enter(e) ? served_teach_list(&e->serving, &h->served, list) : SERVED_DOWN;
}

/* --------------------------------------------------- the clock --------------------------------------------------- */

bool clock_write(engine *e, const hosted *h) {
    const clock_marks *m = h->served.marks;
    if (m == NULL || m->count == 0 || m->list[m->count - 1].decides <= m->written) return true;
    bool fine = store_drop_times(e->store, h->id, m->list[0].decides);
    for (int i = 0; fine && i < m->count; i++)
        if (m->list[i].decides > m->written)
            fine = store_add_time(e->store, &(kept_time){h->id, m->list[i].at, m->list[i].decides});
    return fine;
}

bool engine_expire(engine *e, double now) {
    bool more = false;
    if (!engine_enter(e)) return false;
    double units = cost_piece();
    for (size_t i = 0; i < e->count && units > 0.0; i++) {
        hosted *h = e->list[i];
        if (h->served.expire_seconds == 0 || h->dropped || h->held) continue;
        served_expire_by_clock(&e->serving, &h->served, now, &units);
        more = more || units <= 0.0;
    }
    return more;
}

/* SPDX-License-Identifier: MIT */
/*
 * Expiry of decisions without a reward: by request, and by the clock. (Expiry by a number of later decisions belongs to
 * the library, and decide.c notes it.)
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "served/cost.h"
#include "served/served.h"

void served_note_expired(serving *s, served *p, const posse_pending *old, double reward) {
    record r = served_record(p, RECORD_EXPIRE);
    r.decision = old->id;
    r.learner = posse_learner_name(p->posse, old->learner);
    r.arm = old->arm;
    r.propensity = old->propensity > 0.0 ? old->propensity : NAN;
    r.reward = reward;
    r.mode = posse_mode_name(old->mode);
    s->counts.expired++;
    if (!isnan(reward)) served_count_reward(s, p, reward);
    served_note(s, p, &r);
}

static void expire_one(serving *s, served *p, const posse_pending *old, double reward) {
    served_note_expired(s, p, old, reward);
    if (isnan(reward))
        posse_forget(p->posse, old->id);
    else
        posse_learn(p->posse, old->id, reward);
}

/* How many decisions a request may expire. */
static size_t expire_most(const serving *s, const served *p) {
    size_t most = cost_rewards_max(p->posse, s->units_max);
    if (s->unlimited) return SIZE_MAX;
    return most < EXPIRED_MAX ? most : EXPIRED_MAX;
}

/* The next decision that a request may expire, and its age; false: there is none. */
static bool expire_find(served *p, const served_work *w, posse_pending *out, double *reward, uint64_t *age) {
    *reward = NAN;
    bool some = w->deferred ? posse_deferred_oldest(p->posse, out) == POSSE_OK
                            : posse_pending_oldest(p->posse, out, reward) == POSSE_OK;
    *age = some && w->deferred ? out->age : out->elapsed;
    return some;
}

served_status served_expire_next(serving *s, served *p, served_work *w, bool *done) {
    posse_pending oldest = {0};
    double reward;
    uint64_t age;
    *done = !expire_find(p, w, &oldest, &reward, &age) || age < w->age;
    if (*done) return SERVED_DONE;
    if (w->settled == expire_most(s, p)) {
        w->age = age + 1;
        *done = true;
        return SERVED_DONE;
    }
    served_status status = s->store->prepare(s, p, 0, 1);
    if (status != SERVED_DONE) return status;
    expire_one(s, p, &oldest, reward);
    w->settled++;
    return SERVED_DONE;
}

/* ----------------------------------------------------- the clock ------------------------------------------------- */

/* Drops the first marks. */
static void drop_marks(clock_marks *m, int count) {
    m->count -= count;
    memmove(m->list, m->list + count, (size_t)m->count * sizeof *m->list);
}

bool clock_mark(served *p, double at, uint64_t decides) {
    if (p->marks == NULL) p->marks = calloc(1, sizeof *p->marks);
    clock_marks *m = p->marks;
    if (m == NULL) return false;
    if (m->count == CLOCK_MARKS) drop_marks(m, 1);
    m->list[m->count].at = at;
    m->list[m->count].decides = decides;
    m->count++;
    return true;
}

void clock_undo(served *p) {
    clock_marks *m = p->marks;
    while (m != NULL && m->count > 0 && m->list[m->count - 1].decides > posse_decision_count(p->posse)) m->count--;
}

/* Notes the number of decisions so far, if some are behind the last mark, at most CLOCK_MARKS - 2 times in
 * expire_seconds. The mark is stored, so that ages survive a restart. */
static void mark_time(serving *s, served *p, double now) {
    const clock_marks *m = p->marks;
    double apart = (double)p->expire_seconds / (CLOCK_MARKS - 2);
    uint64_t decides = posse_decision_count(p->posse);
    bool some = m != NULL && m->count > 0;
    if (posse_pending_count(p->posse) == 0 || (some && m->list[m->count - 1].decides >= decides)) return;
    if (some && now - m->list[m->count - 1].at < apart) return;
    if (s->store->prepare(s, p, 0, 0) == SERVED_DONE) clock_mark(p, now, decides);
}

/* The number of decisions at the latest mark that is at least expire_seconds old, or 0. Marks before it are dropped.
 * If the machine's time was set back between two boots, marks lie in the future, and their time begins now. */
static uint64_t expired_by(served *p, double now) {
    clock_marks *m = p->marks;
    int old = 0;
    for (int i = 0; m != NULL && i < m->count; i++)
        if (m->list[i].at > now) m->list[i].at = now;
    while (m != NULL && old < m->count && now - m->list[old].at >= (double)p->expire_seconds) old++;
    if (old > 1) drop_marks(m, old - 1);
    return old > 0 ? m->list[0].decides : 0;
}

/*
 * Whether the time of a decision is over: since the mark behind it or, if it was deferred, since it was shown. A time
 * in the future begins now, as that of a mark.
 */
static bool clock_is_over(served *p, const posse_pending *one, uint64_t until, double now) {
    if (one->shown_at == 0) return posse_decision_count(p->posse) - one->elapsed <= until;
    if ((double)one->shown_at > now + 1.0) posse_note_shown(p->posse, one->id, (uint64_t)now + 1);
    return now - (double)one->shown_at >= (double)p->expire_seconds;
}

/* Windows begin in the order in which decisions expire, so the next one is the first whose time is over. */
void served_expire_by_clock(serving *s, served *p, double now, double *units) {
    posse_pending oldest;
    double reward;
    uint64_t until = expired_by(p, now);
    while (*units > 0.0 && posse_pending_oldest(p->posse, &oldest, &reward) == POSSE_OK &&
           clock_is_over(p, &oldest, until, now) && s->store->prepare(s, p, 0, 1) == SERVED_DONE) {
        expire_one(s, p, &oldest, reward);
        *units -= cost_reward(p->posse);
    }
    mark_time(s, p, now);
}

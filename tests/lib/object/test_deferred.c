/* SPDX-License-Identifier: MIT */
/*
 * Tests of deferred decisions: they do not expire until they are shown, and their window counts from there. A plain
 * list of what should be pending is kept beside the posse. Another posse, without expiry, learns what that list
 * expires.
 */
#include <stdio.h>
#include <string.h>

#include "menagerie.h"
#include "stage.h"

#define ARMS 4
#define AFTER 6

static posse_def clicks_def(uint64_t after) {
    static const posse_part learners[] = {{.kind = "ucb"}, {.kind = "thompson"}, {.kind = "epsilon-greedy"}};
    posse_def def = posse_default_def();
    def.arms = ARMS;
    def.prior = (posse_part){.kind = "beta"};
    def.learners = learners;
    def.learner_count = LENGTH(learners);
    def.expire_after = after;
    def.expire_learns = after > 0;
    def.expire_reward = 0.25;
    def.seed = 5;
    return def;
}

static posse *clicks_made(uint64_t after) {
    posse_def def = clicks_def(after);
    return posse_made(&def);
}

static posse_decision decided_for(posse *p, bool defer) {
    posse_decision d;
    posse_visit v = {.defer = defer};
    assert_int_equal(posse_decide_for(p, &v, &d), POSSE_OK);
    return d;
}

/* ------------------------------------------------ a plain list beside it ------------------------------------------ */

/* A pending decision of the list. They are in the order in which their windows began; those that wait have none. */
typedef struct listed {
    uint64_t id;
    bool waits;
    uint64_t since; /* how many decisions had been made when its window began */
} listed;

/* A posse, the list, and a posse whose decisions never expire by themselves. */
typedef struct pair {
    posse *tested, *told;
    listed list[2000];
    int count;
    uint64_t made;
    uint64_t longest; /* how many decisions were made at most before one was shown */
} pair;

static void list_remove(pair *t, int at) {
    memmove(&t->list[at], &t->list[at + 1], (size_t)(--t->count - at) * sizeof *t->list);
}

static void list_append(pair *t, listed one) {
    assert_true(t->count < LENGTH(t->list));
    t->list[t->count++] = one;
}

/* Everything with at least `age` later decisions expires, the oldest first. Returns how many did. */
static size_t list_expire(pair *t, uint64_t age) {
    size_t count = 0;
    for (int i = 0; i < t->count;) {
        if (t->list[i].waits || t->made - t->list[i].since < age) {
            i++;
            continue;
        }
        assert_int_equal(posse_learn(t->told, t->list[i].id, 0.25), POSSE_OK);
        list_remove(t, i);
        count++;
    }
    return count;
}

/* What the next decision will expire, as the library announces it, is what is gone after it. */
static void pair_decide(pair *t, bool defer) {
    posse_pending list[64];
    double rewards[64];
    posse_expiring soon = {list, rewards, LENGTH(list), 0};
    assert_int_equal(posse_expiring_next(t->tested, &soon), POSSE_OK);
    assert_true(soon.count <= LENGTH(list));
    posse_decision a = decided_for(t->tested, defer), b = decided_for(t->told, defer);
    assert_true(a.id == b.id && a.arm == b.arm && a.learner == b.learner);
    t->made++;
    list_append(t, (listed){a.id, defer, t->made});
    for (size_t i = 0; i < soon.count; i++) {
        int at = 0;
        while (t->list[at].waits) at++;
        assert_true(t->list[at].id == list[i].id && rewards[i] == 0.25 && t->made - t->list[at].since == AFTER);
        assert_int_equal(posse_learn(t->told, list[i].id, 0.25), POSSE_OK);
        list_remove(t, at);
    }
    assert_true(list_expire(t, AFTER) == 0);
}

static void pair_show(pair *t, int at) {
    listed one = t->list[at];
    assert_int_equal(posse_learn(t->tested, one.id, 1.0), POSSE_ERROR_UNTOLD);
    if (one.id % 3 == 0) {
        posse_action action = {.arm = (int)(one.id % ARMS)};
        assert_int_equal(posse_acted(t->tested, one.id, &action), POSSE_OK);
        assert_int_equal(posse_acted(t->told, one.id, &action), POSSE_OK);
    } else {
        assert_int_equal(posse_activate(t->tested, one.id), POSSE_OK);
        assert_int_equal(posse_activate(t->told, one.id), POSSE_OK);
    }
    if (t->made - one.id > t->longest) t->longest = t->made - one.id;
    list_remove(t, at);
    list_append(t, (listed){one.id, false, t->made});
}

static void pair_settle(pair *t, int at, bool forgets) {
    uint64_t id = t->list[at].id;
    double reward = (double)(id % 2);
    assert_int_equal(forgets ? posse_forget(t->tested, id) : posse_learn(t->tested, id, reward), POSSE_OK);
    assert_int_equal(forgets ? posse_forget(t->told, id) : posse_learn(t->told, id, reward), POSSE_OK);
    list_remove(t, at);
}

/* Loads what was saved in place of the posse. */
static void pair_reload(pair *t) {
    saved s = saved_from(t->tested);
    posse *loaded;
    assert_int_equal(posse_load_exact(s.bytes, s.length, NULL, &loaded), POSSE_OK);
    saved again = saved_from(loaded);
    assert_true(saved_equal(&s, &again));
    saved_drop(&s);
    saved_drop(&again);
    posse_free(t->tested);
    t->tested = loaded;
}

static void pair_compare(const pair *t) {
    posse_pending one;
    size_t waiting = 0;
    for (int i = 0; i < t->count; i++) {
        assert_int_equal(posse_pending_find(t->tested, t->list[i].id, &one), POSSE_OK);
        assert_true(one.waits == t->list[i].waits && one.age == t->made - one.id);
        assert_true(one.elapsed == (one.waits ? 0 : t->made - t->list[i].since));
        waiting += one.waits;
    }
    assert_int_equal(posse_pending_count(t->tested), t->count);
    assert_int_equal(posse_deferred_count(t->tested), waiting);
}

static void pair_step(pair *t, uint64_t *source) {
    uint64_t what = random_below(source, 100);
    int at = t->count > 0 ? (int)random_below(source, (uint64_t)t->count) : -1;
    if (at < 0 || what < 35)
        pair_decide(t, what % 2 == 0);
    else if (t->list[at].waits && what < 50)
        pair_show(t, at);
    else if (what < 60)
        pair_settle(t, at, t->list[at].waits || what % 5 == 0);
    else if (what < 90) {
        size_t expired;
        uint64_t age = random_below(source, AFTER);
        assert_int_equal(posse_expire(t->tested, age, &expired), POSSE_OK);
        assert_true(list_expire(t, age) == expired);
    } else if (what < 93)
        pair_reload(t);
}

LAW(deferred_decisions_wait_until_they_are_shown) {
    static pair t;
    t = (pair){.tested = clicks_made(AFTER), .told = clicks_made(0)};
    uint64_t source = 77;
    for (int n = 0; n < 4000; n++) {
        pair_step(&t, &source);
        if (n % 10 == 0) pair_compare(&t);
    }
    pair_compare(&t);
    assert_true(t.longest > 5 * AFTER);
    posse_free(t.tested);
    posse_free(t.told);
}

/* --------------------------------------------------- others ------------------------------------------------------ */

/* Several that were shown between the same two decisions expire together, in the order in which they were shown. */
LAW(shown_together_expire_in_their_order) {
    posse *p = clicks_made(2);
    uint64_t ids[5];
    posse_pending list[5];
    double rewards[5];
    posse_expiring soon = {list, rewards, 5, 0};
    for (int i = 0; i < 5; i++) ids[i] = decided_for(p, true).id;
    for (int i = 5; i-- > 0;) assert_int_equal(posse_activate(p, ids[i]), POSSE_OK);
    decided_for(p, true);
    assert_int_equal(posse_expiring_next(p, &soon), POSSE_OK);
    assert_int_equal(soon.count, 5);
    for (int i = 0; i < 5; i++) assert_true(list[i].id == ids[4 - i] && rewards[i] == 0.25);
    soon.room = 2;
    assert_int_equal(posse_expiring_next(p, &soon), POSSE_OK);
    assert_int_equal(soon.count, 5);
    decided_for(p, true);
    assert_int_equal(posse_pending_count(p), 2);
    assert_int_equal(posse_deferred_count(p), 2);
    assert_int_equal(posse_pending_oldest(p, list, rewards), POSSE_ERROR_ABSENT);
    posse_free(p);
}

/* Old ones that were never shown go by request alone, and nothing is learned from them. */
LAW(deferred_decisions_are_dropped_by_request) {
    posse *p = clicks_made(2);
    double before[ARMS], after[ARMS];
    posse_pending oldest;
    size_t expired;
    assert_int_equal(posse_deferred_oldest(p, &oldest), POSSE_ERROR_ABSENT);
    assert_int_equal(posse_means(p, NULL, before), POSSE_OK);
    for (int n = 0; n < 100; n++) decided_for(p, true);
    assert_int_equal(posse_expire(p, 0, &expired), POSSE_OK);
    assert_int_equal(expired, 0);
    assert_int_equal(posse_activate(p, 3), POSSE_OK);
    assert_int_equal(posse_expire_deferred(p, 60, &expired), POSSE_OK);
    assert_int_equal(expired, 39);
    assert_int_equal(posse_deferred_oldest(p, &oldest), POSSE_OK);
    assert_true(oldest.id == 41 && oldest.waits && oldest.age == 59);
    assert_int_equal(posse_expire_deferred(p, 0, NULL), POSSE_OK);
    assert_int_equal(posse_pending_count(p), 1);
    assert_int_equal(posse_means(p, NULL, after), POSSE_OK);
    assert_memory_equal(before, after, sizeof before);
    assert_int_equal(posse_expire_deferred(NULL, 0, NULL), POSSE_ERROR_ARGUMENT);
    posse_free(p);
}

/* The time at which a decision was shown is kept, and saved. */
LAW(times_of_shown_decisions_are_saved) {
    posse *p = clicks_made(0), *q;
    posse_pending one;
    decided_for(p, false);
    decided_for(p, true);
    assert_int_equal(posse_note_shown(p, 1, 9), POSSE_ERROR_ABSENT);
    assert_int_equal(posse_note_shown(p, 2, 9), POSSE_ERROR_ABSENT);
    assert_int_equal(posse_note_shown(p, 3, 9), POSSE_ERROR_UNKNOWN);
    assert_int_equal(posse_activate(p, 2), POSSE_OK);
    assert_int_equal(posse_note_shown(p, 2, 1234), POSSE_OK);
    saved s = saved_from(p);
    assert_int_equal(posse_load_exact(s.bytes, s.length, NULL, &q), POSSE_OK);
    assert_int_equal(posse_pending_find(q, 2, &one), POSSE_OK);
    assert_true(one.shown_at == 1234 && !one.waits);
    saved_drop(&s);
    posse_free(p);
    posse_free(q);
}

/* Another epoch cannot be that of a decision that waits. A unit gets the decision that waits for it again. */
LAW(deferred_decisions_are_pending_ones) {
    posse *p = clicks_made(1);
    assert_int_equal(posse_set_modes(p, &(posse_modes){.control = 1, .units = 5}), POSSE_OK);
    posse_visit v = {.unit = "ann", .unit_length = 3, .defer = true};
    posse_decision d, again;
    posse_pending list[2];
    assert_int_equal(posse_decide_for(p, &v, &d), POSSE_OK);
    decided_for(p, false);
    assert_int_equal(posse_decide_for(p, &v, &again), POSSE_OK);
    assert_true(again.id == d.id && again.arm == d.arm && posse_decision_count(p) == 2);
    assert_int_equal(posse_pending_list(p, list), POSSE_OK);
    assert_true(list[0].id == d.id && list[0].waits && list[1].id == 2);
    assert_int_equal(posse_set_epoch(p, 8), POSSE_OK);
    decided_for(p, false);
    assert_int_equal(posse_set_epoch(p, 0), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_forget(p, d.id), POSSE_OK);
    assert_int_equal(posse_set_epoch(p, 0), POSSE_OK);
    posse_free(p);
}

/* In a pause, too, a deferred decision gets no reward before it is shown. */
LAW(deferred_decisions_of_a_pause_wait) {
    posse *p = clicks_made(1);
    assert_int_equal(posse_set_modes(p, &(posse_modes){.control = 1, .paused = true}), POSSE_OK);
    posse_decision d = decided_for(p, true);
    assert_true(d.arm == 1 && d.mode == POSSE_PAUSED);
    decided_for(p, false);
    decided_for(p, false);
    assert_int_equal(posse_learn(p, d.id, 1.0), POSSE_ERROR_UNTOLD);
    assert_int_equal(posse_activate(p, d.id), POSSE_OK);
    assert_int_equal(posse_learn(p, d.id, 1.0), POSSE_OK);
    posse_free(p);
}

/* A posse that was saved before deferred decisions stood apart lets them expire from their decision, as it did then. */
LAW(saves_before_deferred_ones_waited_go_on) {
    uint8_t bytes[1 << 16];
    FILE *in = fopen(SOURCE_FOLDER "/tests/saved/before-deferred/deferred.posse", "rb");
    assert_true(in != NULL);
    size_t length = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    posse *p;
    assert_int_equal(posse_load_exact(bytes, length, NULL, &p), POSSE_OK);
    assert_true(posse_pending_count(p) == 2 && posse_deferred_count(p) == 0);
    for (int n = 0; n < 3; n++) decided_for(p, true);
    assert_int_equal(posse_pending_count(p), 5);
    decided_for(p, true);
    assert_int_equal(posse_pending_count(p), 5); /* 21 is forgotten with 26, */
    decided_for(p, true);
    assert_int_equal(posse_pending_count(p), 5); /* and 22 expires with 27 */
    for (int n = 0; n < 20; n++) decided_for(p, true);
    assert_int_equal(posse_pending_count(p), 25);
    posse_free(p);
}

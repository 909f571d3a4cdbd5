/* SPDX-License-Identifier: MIT */
/*
 * Tests of pending decisions: ids that stay distinct after a crash, lists, expiry, and memory that is released.
 */
#include <math.h>
#include <string.h>

#include "menagerie.h"
#include "object/bytes.h"
#include "object/pending.h"

/* ------------------------------------------------- epochs ------------------------------------------------------ */

static posse *loaded_anew(const saved *s) {
    posse *p;
    assert_int_equal(posse_load(s->bytes, s->length, NULL, &p), POSSE_OK);
    return p;
}

/*
 * A posse is saved, makes more decisions, is lost, and is loaded again. Rewards for the lost decisions are unknown to
 * all later lives, whose decisions have other ids. Decisions that were pending in the saved state are still known.
 */
LAW(a_lost_decision_is_unknown_to_later_lives) {
    enum { LIVES = 20, ROUNDS = 20 };
    posse *p = two_ucbs(selector_part("bms", false, 1));
    uint64_t kept[10], lost[LIVES][ROUNDS];
    for (int n = 0; n < 10; n++) kept[n] = decided(p).id;
    saved s = saved_from(p);
    for (int life = 0; life < LIVES; life++) {
        for (int n = 0; n < ROUNDS; n++) lost[life][n] = decided(p).id;
        posse_free(p);
        p = loaded_anew(&s);
        assert_true(posse_epoch(p) != 0);
        for (int k = 0; k <= life; k++)
            for (int n = 0; n < ROUNDS; n++) {
                assert_int_equal(posse_learn(p, lost[k][n], 1.0), POSSE_ERROR_UNKNOWN);
                assert_int_equal(posse_forget(p, lost[k][n]), POSSE_ERROR_UNKNOWN);
            }
    }
    for (int n = 0; n < 10; n++) assert_int_equal(posse_learn(p, kept[n], 1.0), POSSE_OK);
    for (int n = 0; n < 10; n++) assert_int_equal(posse_learn(p, kept[n], 1.0), POSSE_ERROR_UNKNOWN);
    uint64_t mine = decided(p).id;
    assert_int_equal(posse_learn(p, mine, 1.0), POSSE_OK);
    assert_int_equal(posse_learn(p, mine, 1.0), POSSE_ERROR_SETTLED);
    saved_drop(&s);
    posse_free(p);
}

/* A new epoch changes nothing except the ids. */
LAW(a_new_epoch_changes_no_decision) {
    posse *p = two_ucbs(selector_part("bms", false, 1));
    for (int n = 0; n < 30; n++) decided(p);
    saved s = saved_from(p);
    posse *exact = saved_loaded(&s), *renewed = loaded_anew(&s);
    for (int n = 0; n < 200; n++) {
        posse_decision a = decided(p), b = decided(exact), c = decided(renewed);
        assert_true(a.id == b.id && a.id != c.id && (uint32_t)a.id == (uint32_t)c.id);
        assert_true(a.arm == b.arm && a.arm == c.arm && a.learner == b.learner && a.learner == c.learner);
        assert_int_equal(posse_learn(p, a.id, n % 2), POSSE_OK);
        assert_int_equal(posse_learn(exact, b.id, n % 2), POSSE_OK);
        assert_int_equal(posse_learn(renewed, c.id, n % 2), POSSE_OK);
    }
    assert_int_equal(posse_decision_count(renewed), 230);
    saved_drop(&s);
    posse_free(p);
    posse_free(exact);
    posse_free(renewed);
}

LAW(an_epoch_can_be_set_by_the_host) {
    posse *p = two_ucbs(selector_part("bms", false, 1));
    uint64_t first = decided(p).id;
    assert_int_equal(posse_set_epoch(p, 0), POSSE_ERROR_ARGUMENT); /* this is its epoch already */
    assert_int_equal(posse_set_epoch(p, 7), POSSE_OK);
    assert_int_equal(posse_set_epoch(p, 0), POSSE_ERROR_ARGUMENT); /* the first decision has this epoch */
    assert_int_equal(posse_set_epoch(p, UINT32_MAX), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_set_epoch(NULL, 1), POSSE_ERROR_ARGUMENT);
    uint64_t second = decided(p).id;
    assert_true(second == ((uint64_t)7 << 32) + 2);
    assert_int_equal(posse_learn(p, 2, 0.0), POSSE_ERROR_UNKNOWN);
    assert_int_equal(posse_learn(p, first, 0.0), POSSE_OK);
    assert_int_equal(posse_learn(p, second, 0.0), POSSE_OK);
    assert_int_equal(posse_learn(p, first, 0.0), POSSE_ERROR_UNKNOWN);
    assert_int_equal(posse_learn(p, second, 0.0), POSSE_ERROR_SETTLED);
    posse_free(p);
}

/* After 2^32 decisions, ids exceed 32 bits. Pending decisions are still found. */
LAW(ids_go_on_past_their_lower_half) {
    posse *p = two_ucbs(selector_part("bms", false, 1));
    p->decisions = UINT32_MAX - 2;
    uint64_t ids[6];
    for (int n = 0; n < 6; n++) {
        ids[n] = decided(p).id;
        assert_int_equal(ids[n], (uint64_t)UINT32_MAX - 1 + (uint64_t)n);
    }
    for (int n = 0; n < 6; n++) assert_int_equal(posse_learn(p, ids[n], 1.0), POSSE_OK);
    for (int n = 0; n < 6; n++) assert_int_equal(posse_learn(p, ids[n], 1.0), POSSE_ERROR_SETTLED);
    posse_free(p);
}

/* --------------------------------------------- the saved bytes ------------------------------------------------- */

/* A posse that was loaded, whose table has another layout, saves the same bytes. */
static void assert_saves_alike(const posse *p) {
    saved one = saved_from(p);
    posse *loaded = saved_loaded(&one);
    saved other = saved_from(loaded);
    assert_true(saved_equal(&one, &other));
    saved_drop(&one);
    saved_drop(&other);
    posse_free(loaded);
}

/* Two posses that reached the same state in different ways, so that the layouts of their tables differ, save the
 * same bytes. */
LAW(saved_bytes_are_canonical) {
    for (int h = 0; h < HABITATS; h++) {
        parade r;
        parade_begin(&r, &habitats[h], habitat_posse(&habitats[h], selector_part("bms", false, 1)), 5);
        for (int n = 0; n < 30; n++) {
            parade_march(&r, 10);
            assert_saves_alike(r.marchers[0]);
        }
        parade_leave(&r);
    }
}

/* Pending decisions are the last records of a saved state, the oldest first, and each begins with its number. */
static void assert_saved_in_order(const posse *p) {
    enum { FIXED = 6 * sizeof(uint64_t) }; /* bytes of a record without a point */
    size_t count = p->pending.count, size = FIXED + p->pending.stride - sizeof(pending_entry);
    saved s = saved_from(p);
    reader r = {.in = s.bytes + s.length - count * size - sizeof(uint64_t), .left = count * size + sizeof(uint64_t)};
    assert_int_equal(read_word(&r), count);
    uint64_t record[32], last = 0;
    assert_true(size <= sizeof record);
    for (size_t i = 0; i < count; i++) {
        read_words(&r, record, size);
        assert_true(record[0] > last && pending_find(&p->pending, record[0]) != NULL);
        last = record[0];
    }
    saved_drop(&s);
}

/* Whether the numbers of pending decisions follow one another, or have long gaps. */
LAW(pending_decisions_are_saved_in_order) {
    posse *p = two_ucbs(selector_part("bms", false, 1));
    for (int n = 0; n < 2000; n++) {
        uint64_t id = decided(p).id;
        bool stays = id % 700 < 3 || id > 1950;
        if (!stays) assert_int_equal(posse_learn(p, id, 0.5), POSSE_OK);
        if (n % 50 != 0) continue;
        assert_saves_alike(p);
        assert_saved_in_order(p);
    }
    posse_free(p);
}

/* ------------------------------------------------- lists ------------------------------------------------------- */

/* Compared with a plain array of pending decisions. */
LAW(pending_decisions_can_be_listed) {
    enum { MOST = 300 };
    posse *p = habitat_posse(&habitats[BALL_3], selector_part("bms", false, 1));
    posse_pending list[MOST];
    uint64_t source = 9, open[MOST];
    int learner[MOST], count = 0;
    double point[MOST][3];
    for (int n = 0; n < 2000; n++) {
        posse_decision d = decided(p);
        open[count] = d.id;
        learner[count] = d.learner;
        memcpy(point[count++], d.point, sizeof point[0]);
        while (count > 0 && (count == MOST || random_below(&source, 100) < 55)) {
            int at = (int)random_below(&source, (uint64_t)count);
            assert_int_equal(posse_learn(p, open[at], 0.5), POSSE_OK);
            count--;
            memmove(open + at, open + at + 1, (size_t)(count - at) * sizeof open[0]);
            memmove(learner + at, learner + at + 1, (size_t)(count - at) * sizeof learner[0]);
            memmove(point + at, point + at + 1, (size_t)(count - at) * sizeof point[0]);
        }
        assert_int_equal(posse_pending_count(p), count);
        assert_int_equal(posse_pending_list(p, list), POSSE_OK);
        for (int i = 0; i < count; i++) {
            posse_pending one;
            assert_int_equal(posse_pending_find(p, open[i], &one), POSSE_OK);
            assert_true(list[i].id == open[i] && one.id == open[i] && list[i].learner == learner[i]);
            assert_int_equal(list[i].age, posse_decision_count(p) - open[i]);
            assert_int_equal(list[i].arm, -1);
            assert_memory_equal(list[i].point, point[i], sizeof point[i]);
        }
    }
    posse_pending none;
    assert_int_equal(posse_pending_find(p, posse_decision_count(p) + 1, &none), POSSE_ERROR_UNKNOWN);
    assert_int_equal(posse_pending_find(p, 1, &none), count > 0 && open[0] == 1 ? POSSE_OK : POSSE_ERROR_SETTLED);
    posse_free(p);
}

/* ------------------------------------------------- expiry ------------------------------------------------------ */

static posse *expiring(uint64_t after, bool learns, double reward) {
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(&habitats[COINS_4], selector_part("bms", true, 1), crew);
    def.expire_after = after;
    def.expire_learns = learns;
    def.expire_reward = reward;
    return posse_made(&def);
}

/* Expiry has the same effect as if the application had forgotten the decision, or learned the default reward,
 * itself. */
static void expires_as_by_hand(bool learns) {
    enum { AFTER = 7, ROUNDS = 500 };
    posse *p = expiring(AFTER, learns, 0.25), *hand = expiring(0, false, 0.0);
    uint64_t source = 4;
    bool open[ROUNDS + 1] = {false};
    for (uint64_t n = 1; n <= ROUNDS; n++) {
        posse_decision a = decided(p), b = decided(hand);
        assert_true(a.id == n && b.id == n && a.arm == b.arm && a.learner == b.learner);
        open[n] = true;
        if (n > AFTER && open[n - AFTER]) {
            posse_error error = learns ? posse_learn(hand, n - AFTER, 0.25) : posse_forget(hand, n - AFTER);
            assert_int_equal(error, POSSE_OK);
            assert_int_equal(posse_learn(p, n - AFTER, 1.0), POSSE_ERROR_SETTLED);
            open[n - AFTER] = false;
        }
        for (uint64_t k = n > AFTER ? n - AFTER + 1 : 1; k <= n; k++) {
            if (!open[k] || random_below(&source, 100) >= 15) continue;
            assert_int_equal(posse_learn(p, k, 1.0), POSSE_OK);
            assert_int_equal(posse_learn(hand, k, 1.0), POSSE_OK);
            open[k] = false;
        }
        if (n % 50 == 0) {
            saved s = saved_from(p);
            posse_free(p);
            p = saved_loaded(&s);
            saved_drop(&s);
        }
        assert_int_equal(posse_pending_count(p), posse_pending_count(hand));
        assert_true(posse_pending_count(p) <= AFTER);
    }
    posse_free(p);
    posse_free(hand);
}

LAW(decisions_expire_as_if_by_hand) {
    expires_as_by_hand(false);
    expires_as_by_hand(true);
}

LAW(old_decisions_can_be_expired) {
    posse *p = expiring(0, true, 0.0), *hand = expiring(0, false, 0.0);
    for (int n = 0; n < 1000; n++) {
        decided(p);
        decided(hand);
    }
    for (uint64_t id = 100; id < 950; id++) {
        assert_int_equal(posse_forget(p, id), POSSE_OK);
        assert_int_equal(posse_forget(hand, id), POSSE_OK);
    }
    size_t expired = 99;
    assert_int_equal(posse_expire(p, 1000, &expired), POSSE_OK);
    assert_int_equal(expired, 0);
    assert_int_equal(posse_expire(p, 21, &expired), POSSE_OK);
    assert_int_equal(expired, 99 + 30);
    for (uint64_t id = 1; id < 980; id++)
        if (id < 100 || id >= 950) assert_int_equal(posse_learn(hand, id, 0.0), POSSE_OK);
    saved one = saved_from(p), other = saved_from(hand);
    assert_int_equal(one.length, other.length);
    assert_int_equal(decided(p).arm, decided(hand).arm);
    assert_int_equal(posse_expire(p, 1, NULL), POSSE_OK);
    assert_int_equal(posse_pending_count(p), 1); /* the latest is of age 0 */
    assert_int_equal(posse_expire(p, 0, &expired), POSSE_OK);
    assert_true(expired == 1 && posse_pending_count(p) == 0);
    saved_drop(&one);
    saved_drop(&other);
    posse_free(p);
    posse_free(hand);
}

/* The oldest decision is found without a walk over all numbers: this one would take years. */
LAW(the_oldest_is_found_after_a_long_gap) {
    posse_allocator heap = {0};
    pending table;
    pending_open(&table, 0);
    assert_null(pending_oldest(&table));
    assert_int_equal(pending_reserve(&table, 100, &heap), POSSE_OK);
    pending_add(&table, 1);
    for (uint64_t n = 0; n < 99; n++) pending_add(&table, ((uint64_t)1 << 62) + n * n * n);
    assert_int_equal(pending_oldest(&table)->number, 1);
    pending_remove(&table, pending_find(&table, 1), &heap);
    for (uint64_t n = 0; n < 99; n++) {
        pending_entry *entry = pending_oldest(&table);
        assert_true(entry->number == ((uint64_t)1 << 62) + n * n * n);
        pending_remove(&table, entry, &heap);
    }
    assert_null(pending_oldest(&table));
    pending_release(&table, &heap);
}

/* Until 0.2 a decision expired with one later decision more than expire_after, and a posse saved then still does. */
LAW(posses_saved_before_keep_their_expiry) {
    enum { AFTER = 96, FLAGS = 104 }; /* where the two words of expiry are, if arms have no points */
    posse *p = expiring(3, true, 0.25), *longer = expiring(4, true, 0.25);
    saved old = saved_from(p), today = saved_from(longer);
    assert_true(old.bytes[AFTER] == 3 && old.bytes[FLAGS] == 3);
    old.bytes[FLAGS] = 1;
    uint64_t sum = saved_checksum(3, old.bytes + SAVED_HEADER, old.length - SAVED_HEADER);
    for (int i = 0; i < 8; i++) old.bytes[SAVED_HEADER - 8 + i] = (uint8_t)(sum >> 8 * i);
    posse *loaded = saved_loaded(&old);
    saved again = saved_from(loaded);
    assert_true(saved_equal(&again, &today));
    saved_drop(&old);
    saved_drop(&today);
    saved_drop(&again);
    posse_free(p);
    posse_free(longer);
    posse_free(loaded);
}

LAW(an_expiry_that_cannot_be_learned_is_refused) {
    posse_part crew[TEAM_MAX];
    posse *p;
    posse_def def = team_def(&habitats[COINS_4], selector_part("bms", true, 1), crew);
    static const double wrong[] = {-0.5, 1.5, NAN, INFINITY};
    for (int i = 0; i < LENGTH(wrong); i++) {
        def.expire_learns = true;
        def.expire_reward = wrong[i];
        assert_int_equal(posse_create(&def, &p), POSSE_ERROR_REWARD);
        assert_null(p);
    }
}

/* ------------------------------------------------- memory ------------------------------------------------------ */

/* Memory is in proportion to the decisions pending now, and not to the largest number so far. */
LAW(memory_of_settled_decisions_is_given_back) {
    purse mine = {0};
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(&habitats[ARMS_5], selector_part("bms", false, 1), crew);
    def.host = purse_host(&mine);
    posse *p = posse_made(&def);
    assert_int_equal(posse_restart(p, 0), POSSE_OK); /* so that random streams are as large as they get */
    uint64_t first = decided(p).id;
    size_t before = mine.bytes;
    for (int n = 0; n < 100000; n++) decided(p);
    size_t most = mine.bytes - before;
    assert_true(most > 100000 * 32 && most < 100000 * 200);
    for (uint64_t id = first + 1; id <= first + 100000; id++) assert_int_equal(posse_learn(p, id, 0.0), POSSE_OK);
    assert_true(mine.bytes <= before);
    assert_int_equal(posse_learn(p, first, 0.0), POSSE_OK);
    posse_free(p);
    assert_int_equal(mine.bytes, 0);
}

/* Decisions for which room was reserved allocate nothing. A reservation that is too large is refused, and nothing
 * changes. */
LAW(room_that_was_made_is_enough) {
    purse mine = {0};
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(&habitats[ARMS_5], selector_part("bms", false, 1), crew);
    def.host = purse_host(&mine);
    posse *p = posse_made(&def);
    for (size_t more = 0; more < 3000; more = 3 * more + 1) {
        mine.limit = 0;
        assert_int_equal(posse_pending_reserve(p, more), POSSE_OK);
        size_t bytes = mine.bytes;
        mine.limit = 1; /* no further allocation succeeds */
        for (size_t n = 0; n < more; n++) decided(p);
        assert_int_equal(mine.bytes, bytes);
        assert_int_equal(posse_pending_reserve(p, 10000), POSSE_ERROR_MEMORY);
        assert_int_equal(posse_pending_reserve(p, SIZE_MAX), POSSE_ERROR_MEMORY);
        assert_int_equal(mine.bytes, bytes);
    }
    mine.limit = 0;
    assert_int_equal(posse_pending_reserve(p, 100000), POSSE_OK);
    size_t most = mine.bytes;
    assert_int_equal(posse_pending_reserve(p, 0), POSSE_OK); /* unused room is released */
    assert_true(mine.bytes < most / 4);
    posse_free(p);
}

/* A table that should shrink stays as it is while there is no memory to make a smaller one. */
LAW(shrinking_needs_no_memory) {
    purse mine = {0};
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(&habitats[ARMS_5], selector_part("bms", false, 1), crew);
    def.host = purse_host(&mine);
    posse *p = posse_made(&def);
    for (int n = 0; n < 1000; n++) decided(p);
    mine.limit = 1; /* no further allocation succeeds */
    for (uint64_t id = 1; id <= 1000; id++) assert_int_equal(posse_learn(p, id, 0.0), POSSE_OK);
    assert_int_equal(posse_pending_count(p), 0);
    mine.limit = 0;
    for (int n = 0; n < 10; n++) decided(p);
    posse_free(p);
    assert_int_equal(mine.bytes, 0);
}

/* The oldest decision is the next one to expire, and its reward is what it learns then. */
LAW(the_oldest_is_the_next_to_expire) {
    posse_part learner = {.kind = "ucb"};
    posse_def def = posse_default_def();
    def.arms = 3;
    def.prior = (posse_part){.kind = "beta"};
    def.learners = &learner;
    def.learner_count = 1;
    posse *forgets = posse_made(&def);
    def.expire_learns = true;
    def.expire_reward = 0.25;
    posse *learns = posse_made(&def);
    posse_pending oldest;
    double reward;
    assert_int_equal(posse_pending_oldest(learns, &oldest, &reward), POSSE_ERROR_ABSENT);
    posse_decision first = decided(learns), second = decided(learns);
    decided(forgets);
    assert_int_equal(posse_pending_oldest(learns, &oldest, &reward), POSSE_OK);
    assert_true(oldest.id == first.id && oldest.age == 1 && reward == 0.25);
    assert_int_equal(posse_forget(learns, first.id), POSSE_OK);
    assert_int_equal(posse_pending_oldest(learns, &oldest, &reward), POSSE_OK);
    assert_true(oldest.id == second.id && oldest.age == 0);
    assert_int_equal(posse_pending_oldest(forgets, &oldest, &reward), POSSE_OK);
    assert_true(isnan(reward));
    assert_int_equal(posse_pending_oldest(NULL, &oldest, &reward), POSSE_ERROR_ARGUMENT);
    posse_free(learns);
    posse_free(forgets);
}

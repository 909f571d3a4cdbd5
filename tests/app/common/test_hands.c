/* SPDX-License-Identifier: MIT */
/* Hands do every task once, whatever their number, and have done all when hands_finish returns. */
#include "common/hands.h"

#include <stdatomic.h>
#include <stdint.h>

#include "law.h"

#define TASKS_MOST 40

typedef struct chores {
    atomic_int times[TASKS_MOST];
    uint64_t sums[TASKS_MOST]; /* not atomic: hands_finish makes them visible */
} chores;

static void chore(void *context, size_t index) {
    chores *c = context;
    for (uint64_t i = 0; i < 100 * index; i++) c->sums[index] += i;
    atomic_fetch_add(&c->times[index], 1);
}

static void assert_done_once(hands *h, size_t count) {
    chores c = {0};
    hands_begin(h, count, chore, &c);
    hands_finish(h);
    for (size_t i = 0; i < TASKS_MOST; i++) {
        uint64_t n = i < count ? 100 * i : 0;
        assert_int_equal(atomic_load(&c.times[i]), i < count);
        assert_true(c.sums[i] == (n > 0 ? n * (n - 1) / 2 : 0));
    }
}

LAW(hands_do_every_task_once) {
    for (int threads = 0; threads < 5; threads++) {
        hands *h = hands_make(threads);
        assert_int_equal(h == NULL, threads == 0);
        for (size_t turn = 0; turn < 200; turn++) assert_done_once(h, turn % (TASKS_MOST + 1));
        hands_free(h);
    }
}

LAW(hands_may_have_nothing_to_do) {
    hands *h = hands_make(3);
    hands_finish(h);
    hands_free(h);
    hands_free(NULL);
}

/* A missing click is a reward of 0: five ads as in hello.c, and four ways to treat a visitor who does not click. */
#include <posse.h>
#include <posse_inside.h>
#include <stdio.h>

#define VISITORS 10000
#define DELAY 500 /* a click is reported this many visitors later */

static int clicked(int ad, unsigned *chance) {
    static const double click_rates[] = {0.03, 0.05, 0.04, 0.12, 0.02};
    *chance = *chance * 1664525u + 1013904223u;
    return *chance / 4294967296.0 < click_rates[ad];
}

static posse *make(uint64_t expire_after) {
    posse_part learners[] = {{.kind = "ucb", .name = "cautious"},
                             {.kind = "ucb", .name = "bold", .options = {{"width", 0.1}}},
                             {.kind = "epsilon-greedy", .name = "dice", .options = {{"epsilon", 0.3}}},
                             {.kind = "thompson", .name = "sampler"}};
    posse_def def = posse_default_def();
    def.arms = 5;
    def.prior = (posse_part){.kind = "beta"};
    def.learners = learners;
    def.learner_count = 4;
    def.expire_after = expire_after; /* 0: decisions stay pending */
    def.expire_learns = true;        /* a decision without a click by then ... */
    def.expire_reward = 0.0;         /* ... has the reward 0 */
    posse *p;
    return posse_create(&def, &p) == POSSE_OK ? p : NULL;
}

typedef enum treatment { LEARN_ZERO, EXPIRE, FORGET, SAY_NOTHING } treatment;

static void run(treatment how, const char *name) {
    posse *p = make(how == EXPIRE ? 2 * DELAY : 0);
    if (p == NULL) return;
    posse_decision shown[VISITORS];
    int click[VISITORS], clicks = 0, delay = how == LEARN_ZERO ? 0 : DELAY;
    unsigned chance = 1;
    for (int visitor = 0; visitor < VISITORS + delay; visitor++) {
        if (visitor < VISITORS) {
            posse_decide(p, NULL, &shown[visitor]);
            clicks += click[visitor] = clicked(shown[visitor].arm, &chance);
        }
        int due = visitor - delay; /* the visitor whose click, if any, is reported now */
        if (due < 0) continue;
        if (click[due] || how == LEARN_ZERO) posse_learn(p, shown[due].id, click[due]);
        if (!click[due] && how == FORGET) posse_forget(p, shown[due].id);
    }
    size_t length;
    posse_save(p, NULL, &length);
    printf("%-50s %5d clicks, %5d pending, saved in %3d kB\n", name, clicks, (int)posse_pending_count(p),
           (int)(length + 999) / 1000);
    posse_free(p);
}

int main(void) {
    run(LEARN_ZERO, "learn(id, 0), at once");
    run(EXPIRE, "clicks 500 visitors late, the rest expires as 0");
    run(FORGET, "clicks 500 visitors late, the rest is forgotten");
    run(SAY_NOTHING, "clicks 500 visitors late, nothing about the rest");
    return 0;
}

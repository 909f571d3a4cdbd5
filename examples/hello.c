/* Four ways to pick one of five ads. Which one suits today's visitors? */
#include <posse.h>
#include <posse_inside.h>
#include <stdio.h>

/* A visitor sees an ad: 1 for a click. The click rates are the truth, which nobody knows. */
static int show(int ad) {
    static const double click_rates[] = {0.03, 0.05, 0.04, 0.12, 0.02};
    static unsigned chance = 1;
    chance = chance * 1664525u + 1013904223u;
    return chance / 4294967296.0 < click_rates[ad];
}

int main(void) {
    posse_part learners[] = {{.kind = "ucb", .name = "cautious"},
                             {.kind = "ucb", .name = "bold", .options = {{"width", 0.1}}},
                             {.kind = "epsilon-greedy", .name = "dice", .options = {{"epsilon", 0.3}}},
                             {.kind = "thompson", .name = "sampler"}}; /* Thompson sampling: worth adding to any team */
    posse_def def = posse_default_def();
    def.arms = 5;
    def.prior = (posse_part){.kind = "beta"}; /* every click rate is equally likely */
    def.learners = learners;
    def.learner_count = 4;
    posse *p;
    if (posse_create(&def, &p) != POSSE_OK) return 1;

    int clicks = 0;
    for (int visitor = 0; visitor < 10000; visitor++) {
        posse_decision d;
        posse_decide(p, NULL, &d);
        int click = show(d.arm);
        posse_learn(p, d.id, click); /* now or later; a visitor who does not click is a reward of 0 */
        clicks += click;
    }

    uint64_t plays[4];
    posse_plays(p, plays);
    printf("%d clicks: the best ad alone would have had about 1200\n", clicks);
    for (int i = 0; i < 4; i++) printf("%-8s picked %4d ads\n", posse_learner_name(p, i), (int)plays[i]);
    posse_free(p);
    return 0;
}

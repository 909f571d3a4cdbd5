/* Three ad-serving policies, five ads; which policy suits today's visitors? */
#include <posse.h>
#include <stdio.h>

int main(void) {
    double click_rates[] = {0.03, 0.05, 0.04, 0.12, 0.02}; /* the truth, which nobody knows */
    posse_part visitors = {.kind = "bernoulli", .options = {{"arms", 5}, {"means", .list = click_rates, .count = 5}}};
    posse_part learners[] = {
        {.kind = "ucb", .name = "cautious", .options = {{"width", 1.0}}},
        {.kind = "ucb", .name = "bold", .options = {{"width", 0.1}}},
        {.kind = "epsilon-greedy", .name = "dice", .options = {{"epsilon", 0.3}}},
    };
    posse_environment *site;
    posse *p;
    if (posse_environment_create(&visitors, 1, NULL, &site) != POSSE_OK) return 1;

    posse_def def = posse_default_def();
    def.arms = 5;
    def.prior = (posse_part){.kind = "beta"};
    def.learners = learners;
    def.learner_count = 3;
    if (posse_create(&def, &p) != POSSE_OK) return 1;

    int clicks = 0;
    for (int visitor = 0; visitor < 10000; visitor++) {
        posse_decision d;
        posse_decide(p, &d);                                /* which ad? */
        double reward = posse_environment_reward(site, &d); /* show it: 1 for a click */
        posse_learn(p, d.id, reward);
        clicks += reward > 0;
    }

    uint64_t plays[3];
    posse_plays(p, plays);
    printf("%d clicks; at random it would be about 520, at best about 1200\n", clicks);
    for (int i = 0; i < 3; i++) printf("%-8s decided %5d times\n", posse_learner_name(p, i), (int)plays[i]);
    posse_free(p);
    posse_environment_free(site);
    return 0;
}

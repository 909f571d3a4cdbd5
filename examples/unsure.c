/* The cost of a wrong prior, and how much of it a mixture of two priors saves. */
#include <posse.h>
#include <posse_simulate.h>
#include <stdio.h>

/* The mean regret of B-MS over 200 runs, when it starts from this belief. */
static double mean_regret(posse_environment *e, const posse_part *belief) {
    posse_part learners[] = {{.kind = "fixed", .name = "first", .options = {{"arm", 0}}},
                             {.kind = "fixed", .name = "second", .options = {{"arm", 1}}}};
    posse_def def = posse_environment_def(e);
    def.selector = (posse_part){.kind = "bms", .options = {{"belief", .part = belief}}};
    def.learners = learners;
    def.learner_count = 2;
    double regret = 0.0;
    for (def.run = 0; def.run < 200; def.run++) {
        posse *p;
        if (posse_create(&def, &p) != POSSE_OK) return -1.0;
        posse_environment_begin(e, def.run);
        for (int round = 0; round < 2000; round++) {
            posse_decision d;
            posse_decide(p, NULL, &d);
            posse_learn(p, d.id, posse_environment_reward(e, &d));
            regret += posse_environment_regret(e, &d);
        }
        posse_free(p);
    }
    return regret / 200;
}

int main(void) {
    double truth[] = {0.0, 0.1}, mistake[] = {0.0, -0.1}, equal[] = {1.0, 1.0};
    posse_part bandit = {.kind = "gaussian",
                         .options = {{"arms", 2}, {"prior.mean", .list = truth, .count = 2}, {"prior.sd", 0.05}}};
    posse_part right = {.kind = "gaussian", .options = {{"mean", .list = truth, .count = 2}, {"sd", 0.05}}};
    posse_part wrong = {.kind = "gaussian", .options = {{"mean", .list = mistake, .count = 2}, {"sd", 0.05}}};
    posse_part either[] = {right, wrong};
    posse_part unsure = {.kind = "mixture", .options = {{"components", .part = either, .list = equal, .count = 2}}};
    posse_environment *e;
    if (posse_environment_create(&bandit, 1, NULL, &e) != POSSE_OK) return 1;
    printf("regret after 2000 rounds\n");
    printf("the right prior  %6.1f\n", mean_regret(e, &right));
    printf("the wrong prior  %6.1f\n", mean_regret(e, &wrong));
    printf("one of the two   %6.1f\n", mean_regret(e, &unsure));
    posse_environment_free(e);
    return 0;
}

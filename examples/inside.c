/* Looking inside a posse while it runs: the charges and plays of its learners, and its belief about the arms. */
#include <posse.h>
#include <posse_inside.h>
#include <posse_simulate.h>
#include <stdio.h>

static void show(const posse *p, int round) {
    double charges[3], means[4];
    uint64_t plays[3];
    posse_potentials(p, charges);
    posse_plays(p, plays);
    posse_means(p, NULL, means);
    printf("%5d |", round);
    for (int i = 0; i < 3; i++) printf("  %4d (%4.1f)", (int)plays[i], charges[i]);
    printf(" | %5.2f %5.2f %5.2f %5.2f\n", means[0], means[1], means[2], means[3]);
}

int main(void) {
    posse_part bandit = {.kind = "gaussian", .options = {{"arms", 4}}};
    posse_part learners[] = {{.kind = "ucb", .name = "greedy", .options = {{"width", 0.01}}},
                             {.kind = "ucb", .name = "ucb"},
                             {.kind = "epsilon-greedy", .name = "noisy", .options = {{"epsilon", 0.5}}}};
    posse_environment *e;
    posse *p;
    if (posse_environment_create(&bandit, 3, NULL, &e) != POSSE_OK) return 1;
    posse_def def = posse_environment_def(e);   /* the environment's arms, prior and seed */
    def.selector = (posse_part){.kind = "bms"}; /* the paper's rule: the charge is regret */
    def.learners = learners;
    def.learner_count = 3;
    if (posse_create(&def, &p) != POSSE_OK) return 1;

    double truth[4];
    posse_environment_means(e, truth);
    printf("      |     plays (and charge) of each learner | expected rewards of\n");
    printf("round |       greedy          ucb        noisy | the four arms\n");
    for (int round = 1; round <= 2000; round++) {
        posse_decision d;
        posse_decide(p, NULL, &d);
        posse_learn(p, d.id, posse_environment_reward(e, &d));
        if (round == 10 || round == 100 || round == 1000 || round == 2000) show(p, round);
    }
    printf("                                     the truth | %5.2f %5.2f %5.2f %5.2f\n", truth[0], truth[1], truth[2],
           truth[3]);
    posse_free(p);
    posse_environment_free(e);
    return 0;
}

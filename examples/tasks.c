/* Ten similar campaigns: the regret of each, with a prior learned from the campaigns before it, and without. */
#include <posse.h>
#include <posse_inside.h>
#include <posse_simulate.h>
#include <stdio.h>

#define TASKS 10
#define RUNS 200

/* Adds the regret of each task of a run, of 200 rounds each. */
static void play_tasks(posse *p, posse_environment *e, double regret[TASKS]) {
    for (int task = 0; task < TASKS; task++) {
        if (task > 0) {
            posse_environment_next_task(e);
            posse_next_task(p); /* keeps what it learned about all tasks, forgets the rest */
        }
        for (int round = 0; round < 200; round++) {
            posse_decision d;
            posse_decide(p, NULL, &d);
            posse_learn(p, d.id, posse_environment_reward(e, &d));
            regret[task] += posse_environment_regret(e, &d);
        }
    }
}

static void print_regret(posse_environment *e, const char *name, const posse_part *belief) {
    posse_part learner = {.kind = "thompson", .options = {{"belief", .part = belief}}};
    posse_def def = posse_environment_def(e);
    def.selector = (posse_part){0};
    def.learners = &learner;
    def.learner_count = 1;
    double regret[TASKS] = {0};
    for (def.run = 0; def.run < RUNS; def.run++) {
        posse *p;
        if (posse_create(&def, &p) != POSSE_OK) return;
        posse_environment_begin(e, def.run);
        play_tasks(p, e, regret);
        posse_free(p);
    }
    printf("%-13s", name);
    for (int task = 0; task < TASKS; task++) printf("%5.0f", regret[task] / RUNS);
    printf("\n");
}

int main(void) {
    posse_part campaigns = {.kind = "gaussian", .options = {{"arms", 10}, {"prior.mean-sd", 1.0}, {"prior.sd", 0.2}}};
    posse_part learned = {.kind = "hierarchical"}, each_alone = {.kind = "gaussian", .options = {{"sd", 1.02}}};
    posse_environment *e;
    if (posse_environment_create(&campaigns, 1, NULL, &e) != POSSE_OK) return 1;
    print_regret(e, "learned prior", &learned);
    print_regret(e, "each alone", &each_alone);
    posse_environment_free(e);
    return 0;
}

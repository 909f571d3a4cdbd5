/* SPDX-License-Identifier: MIT */
#include "matching.h"

#include <math.h>

#include "menagerie.h"

#define ARMS_CAP 16
#define TEAM_CAP 16
#define CELLS_CAP 64
#define TASK_ROUNDS 25

static const int looked_at[] = {0, 1, 3, 6, 10, 20, 40}; /* rounds after every learner's first play */

/* The learners with the least true regret; k tied learners have a share of 1/k each. Regrets are sums of counts
 * times gaps in the same order, so that ties are exact. */
static void true_shares(const double *means, int arms, double counts[TEAM_CAP][ARMS_CAP], int learners,
                        double *shares) {
    double regrets[TEAM_CAP] = {0}, least = INFINITY, tied = 0.0;
    double best = means[largest(means, arms)];
    for (int i = 0; i < learners; i++) {
        for (int a = 0; a < arms; a++) regrets[i] += counts[i][a] * (best - means[a]);
        if (regrets[i] < least) least = regrets[i];
    }
    for (int i = 0; i < learners; i++) tied += regrets[i] == least;
    for (int i = 0; i < learners; i++) shares[i] = regrets[i] == least ? 1.0 / tied : 0.0;
}

/* Decisions whose rewards are on their way. */
#define LATEST 8
typedef struct mail {
    uint64_t ids[LATEST + 1][LATEST + 1]; /* by the round modulo LATEST + 1 in which they arrive */
    double rewards[LATEST + 1][LATEST + 1];
    int counts[LATEST + 1];
    uint64_t source;
} mail;

/* Decides a round, learns the rewards that arrive before the next one, and sends that of this round. */
static void play_late(const matching *m, posse *p, posse_environment *e, int n, mail *way, posse_decision *d) {
    assert_int_equal(posse_decide(p, NULL, d), POSSE_OK);
    double reward = posse_environment_reward(e, d);
    int late = m->delay == LATE_BY_VALUE ? (reward > 0.0 ? 0 : LATEST) : (int)random_below(&way->source, LATEST + 1);
    int to = (n + late) % (LATEST + 1), now = n % (LATEST + 1);
    way->ids[to][way->counts[to]] = d->id;
    way->rewards[to][way->counts[to]++] = reward;
    for (int k = 0; k < way->counts[now]; k++)
        assert_int_equal(posse_learn(p, way->ids[now][k], way->rewards[now][k]), POSSE_OK);
    way->counts[now] = 0;
}

/* One short run: adds chosen - share of each learner, at each of the rounds in `looked_at`, to its cell. */
static void compare_with_truth(const matching *m, posse *p, posse_environment *e, uint32_t run, moments *cells) {
    double counts[TEAM_CAP][ARMS_CAP] = {0}, means[ARMS_CAP], shares[TEAM_CAP];
    int arms = posse_environment_def(e).arms, look = 0;
    mail way = {.source = run};
    run_begin(p, e, run);
    for (int task = 0; task < m->tasks; task++) {
        assert_int_equal(posse_play(p, e, TASK_ROUNDS, NULL), POSSE_OK);
        assert_int_equal(posse_environment_next_task(e), POSSE_OK);
        assert_int_equal(posse_next_task(p), POSSE_OK);
    }
    posse_environment_means(e, means);
    for (int n = 0; look < LENGTH(looked_at); n++) {
        posse_decision d;
        if (m->delay == AT_ONCE)
            assert_int_equal(run_round(p, e, &d), POSSE_OK);
        else
            play_late(m, p, e, n, &way, &d);
        if (n == m->count + looked_at[look]) {
            true_shares(means, arms, counts, m->count, shares);
            for (int i = 0; i < m->count; i++) moments_add(&cells[look * m->count + i], (d.learner == i) - shares[i]);
            look++;
        }
        counts[d.learner][d.arm] += 1.0;
    }
}

double matching_worst(const matching *m, const posse_part *believed, uint32_t runs) {
    posse_environment *e = environment_made(m->environment, 7);
    posse *p = team_made(e, &(team){.learners = m->learners, .count = m->count, .belief = believed});
    moments cells[CELLS_CAP] = {0};
    for (uint32_t run = 0; run < runs; run++) compare_with_truth(m, p, e, run, cells);
    double worst = 0.0;
    for (int c = 0; c < m->count * LENGTH(looked_at); c++)
        if (cells[c].squares > 50.0 && fabs(moments_z(&cells[c], 0.0)) > worst) worst = fabs(moments_z(&cells[c], 0.0));
    posse_free(p);
    posse_environment_free(e);
    return worst;
}

/* SPDX-License-Identifier: MIT */
/*
 * Rounds that are episodes: the environment `mdp`, the learners that learn from episodes, B-MS over them, and what an
 * application cannot do with them.
 */
#include <math.h>
#include <string.h>

#include "belief/mdp.h"
#include "matching.h"
#include "menagerie.h"
#include "stage.h"

static const posse_part world = {.kind = "mdp",
                                 .options = {NUMBER("states", 3), NUMBER("actions", 2), NUMBER("discount", 0.8),
                                             NUMBER("start", 2), NUMBER("rewards.shape", 4.0)}};
#define POLICIES 8
#define START 2
#define DISCOUNT 0.8

static double episode_played(posse_environment *e, int policy) {
    return posse_environment_reward(e, &(posse_decision){.arm = policy});
}

/* ------------------------------------------------- the environment --------------------------------------------- */

/* Total rewards have the policies' values as means, and their parts are those of the episode. */
LAW(episodes_pay_the_values_of_policies) {
    posse_environment *e = environment_made(&world, 1);
    for (uint32_t run = 0; run < 4; run++) {
        double values[POLICIES], best = -INFINITY;
        moments paid[POLICIES] = {0}, length = {0}, square = {0};
        posse_environment_begin(e, run);
        posse_environment_means(e, values);
        for (int policy = 0; policy < POLICIES; policy++) best = fmax(best, values[policy]);
        for (int n = 0; n < 100000; n++) {
            double reward = episode_played(e, n % POLICIES), sum = 0.0;
            const double *episode = environment_episode(e);
            int steps = posse_episode_steps(episode);
            for (int k = 0; k < steps; k++) sum += posse_episode_reward(episode, k);
            assert_true(reward == sum && posse_episode_state(episode, 0) == START);
            moments_add(&paid[n % POLICIES], reward);
            moments_add(&length, steps);
            moments_add(&square, (double)steps * steps);
        }
        for (int policy = 0; policy < POLICIES; policy++) {
            assert_mean(&paid[policy], values[policy]);
            assert_true(posse_environment_regret(e, &(posse_decision){.arm = policy}) == best - values[policy]);
        }
        assert_mean(&length, 1.0 / (1.0 - DISCOUNT));
        assert_mean(&square, (1.0 + DISCOUNT) / ((1.0 - DISCOUNT) * (1.0 - DISCOUNT)));
    }
    posse_environment_free(e);
}

/* The n-th episode has the same length whatever is played, and the same policy has the same episode. */
LAW(competitors_have_episodes_of_the_same_length) {
    posse_environment *e = environment_made(&world, 2);
    for (uint32_t run = 0; run < 5; run++) {
        double steady[500], lengths[500];
        posse_environment_begin(e, run);
        for (int n = 0; n < 500; n++) {
            steady[n] = episode_played(e, 3);
            lengths[n] = environment_episode(e)[0];
        }
        posse_environment_begin(e, run);
        for (int n = 0; n < 500; n++) {
            int policy = n * n % POLICIES;
            double reward = episode_played(e, policy);
            assert_true(environment_episode(e)[0] == lengths[n]);
            if (policy == 3) assert_true(reward == steady[n]);
        }
    }
    posse_environment_free(e);
}

/* Instances are drawn from the prior: their transitions and rewards, and so the values of policies. */
LAW(instances_of_processes_follow_the_prior) {
    posse_environment *e = environment_made(&world, 3);
    posse_def def = posse_environment_def(e);
    twin t;
    moments first[POLICIES] = {0}, second[POLICIES] = {0};
    twin_open(&t, &def, NULL);
    for (uint32_t run = 0; run < 50000; run++) {
        double values[POLICIES];
        posse_environment_begin(e, run);
        posse_environment_means(e, values);
        twin_draw(&t);
        for (int policy = 0; policy < POLICIES; policy++) {
            moments_add(&first[policy], values[policy] - t.world[policy]);
            moments_add(&second[policy], values[policy] * values[policy] - t.world[policy] * t.world[policy]);
        }
    }
    for (int policy = 0; policy < POLICIES; policy++) {
        assert_mean(&first[policy], 0.0);
        assert_mean(&second[policy], 0.0);
    }
    twin_close(&t);
    posse_environment_free(e);
}

/* --------------------------------------------------- learners -------------------------------------------------- */

/* Q-learning with a value per pair, written out. */
typedef struct table {
    double values[3][2], counts[3][2];
} table;

static int table_policy(const table *q) {
    int policy = 0;
    for (int s = 0; s < 3; s++) policy |= (q->values[s][1] > q->values[s][0]) << s;
    return policy;
}

static void table_learn(table *q, double step, double power, int policy, const double *episode) {
    int steps = posse_episode_steps(episode);
    for (int k = 0; k < steps; k++) {
        int s = posse_episode_state(episode, k), a = policy >> s & 1;
        double target = posse_episode_reward(episode, k);
        if (k + 1 < steps) {
            int next = posse_episode_state(episode, k + 1);
            target += fmax(q->values[next][0], q->values[next][1]);
        }
        double rate = step / pow(q->counts[s][a] += 1.0, power);
        q->values[s][a] += rate * (target - q->values[s][a]);
    }
}

LAW(q_learning_follows_its_formula) {
    const double powers[] = {0.0, 0.6, 1.0};
    posse_environment *e = environment_made(&world, 4);
    for (int i = 0; i < LENGTH(powers); i++) {
        posse_part learner = {.kind = "q-learning",
                              .options = {NUMBER("step", 0.4), NUMBER("power", powers[i]), NUMBER("epsilon", 0.0),
                                          NUMBER("initial", 1.0)}};
        posse *p = alone_made(e, &learner);
        for (uint32_t run = 0; run < 20; run++) {
            table q;
            for (int s = 0; s < 3; s++)
                for (int a = 0; a < 2; a++) q.values[s][a] = 1.0, q.counts[s][a] = 0.0;
            run_begin(p, e, run);
            for (int n = 0; n < 200; n++) {
                posse_decision d;
                assert_int_equal(run_round(p, e, &d), POSSE_OK);
                assert_int_equal(d.arm, table_policy(&q));
                table_learn(&q, 0.4, powers[i], d.arm, d.point);
            }
        }
        posse_free(p);
    }
    posse_environment_free(e);
}

/* With step 1e-9 values stay 0, so that every greedy action is 0 and a 1 was explored. */
LAW(q_learning_explores_each_state_as_often_as_told) {
    posse_environment *e = environment_made(&world, 5);
    posse_part learner = {.kind = "q-learning",
                          .options = {NUMBER("step", 1e-9), NUMBER("epsilon", 0.3), NUMBER("initial", 0.0)}};
    posse *p = alone_made(e, &learner);
    moments ones[3] = {0}, both = {0};
    for (uint32_t run = 0; run < 20000; run++) {
        posse_decision d;
        run_begin(p, e, run);
        assert_int_equal(run_round(p, e, &d), POSSE_OK);
        for (int s = 0; s < 3; s++) moments_add(&ones[s], d.arm >> s & 1);
        moments_add(&both, (d.arm & 3) == 3);
    }
    for (int s = 0; s < 3; s++) assert_mean(&ones[s], 0.15);
    assert_mean(&both, 0.15 * 0.15);
    posse_free(p);
    posse_environment_free(e);
}

/* The best policy of the mean process with bonuses, by value iteration on counts and sums. */
typedef struct counted {
    double seen[6], reward[6], to[6][3];
} counted;

static void counted_learn(counted *c, int policy, const double *episode) {
    for (int k = 0, steps = posse_episode_steps(episode); k < steps; k++) {
        int s = posse_episode_state(episode, k), pair = 2 * s + (policy >> s & 1);
        c->seen[pair] += 1.0;
        c->reward[pair] += posse_episode_reward(episode, k);
        if (k + 1 < steps) c->to[pair][posse_episode_state(episode, k + 1)] += 1.0;
    }
}

static double counted_value(const counted *c, double bonus, int pair, const double *v) {
    double total = 3.0 + c->to[pair][0] + c->to[pair][1] + c->to[pair][2], next = 0.0;
    for (int s = 0; s < 3; s++) next += (1.0 + c->to[pair][s]) / total * v[s];
    return c->reward[pair] / (1.0 + c->seen[pair]) + bonus / sqrt(1.0 + c->seen[pair]) + DISCOUNT * next;
}

static int counted_best(const counted *c, double bonus) {
    double v[3] = {0}, next[3];
    int policy = 0;
    for (int sweep = 0; sweep < 400; sweep++) {
        policy = 0;
        for (int s = 0; s < 3; s++) {
            double zero = counted_value(c, bonus, 2 * s, v), one = counted_value(c, bonus, 2 * s + 1, v);
            next[s] = fmax(zero, one);
            policy |= (one > zero + 1e-12) << s;
        }
        memcpy(v, next, sizeof v);
    }
    return policy;
}

LAW(planner_plays_the_best_policy_of_its_mean_process) {
    const double bonuses[] = {0.0, 1.0, 5.0};
    posse_environment *e = environment_made(&world, 6);
    for (int i = 0; i < LENGTH(bonuses); i++) {
        posse_part learner = {.kind = "planner", .options = {NUMBER("bonus", bonuses[i])}};
        posse *p = alone_made(e, &learner);
        for (uint32_t run = 0; run < 10; run++) {
            counted c = {0};
            run_begin(p, e, run);
            for (int n = 0; n < 100; n++) {
                posse_decision d;
                assert_int_equal(run_round(p, e, &d), POSSE_OK);
                assert_int_equal(d.arm, counted_best(&c, bonuses[i]));
                counted_learn(&c, d.arm, d.point);
            }
        }
        posse_free(p);
    }
    posse_environment_free(e);
}

/* ------------------------------------------------------ B-MS --------------------------------------------------- */

static const posse_part team_of_policies[] = {
    {.kind = "thompson"},
    {.kind = "q-learning", .options = {NUMBER("step", 0.5)}},
    {.kind = "planner", .options = {NUMBER("bonus", 0.0)}},
    {.kind = "fixed", .options = {NUMBER("arm", 5)}},
    {.kind = "ucb"},
};

/* The lemma of matching.h: with a right prior, B-MS chooses each learner as often as it has the least regret. */
LAW(choices_in_decision_processes_match_truth) {
    const uint32_t runs = (uint32_t)(20000 * law_effort());
    const posse_part wrong = {.kind = "mdp", .options = {NUMBER("rewards.mean", 1.0), NUMBER("rewards.weight", 25.0)}};
    const matching m = {&world, team_of_policies, LENGTH(team_of_policies), 0, AT_ONCE};
    double right = matching_worst(&m, NULL, runs), off = matching_worst(&m, &wrong, runs);
    print_message("mdp: worst |z| %.2f, with a wrong prior %.1f\n", right, off);
    assert_that(right < Z_MAX, "worst |z| = %.2f", right);
    assert_that(off > 8.0 * sqrt(law_effort()), "a wrong prior goes unnoticed, worst |z| = %.2f", off);
}

/* B-MS charges a learner the regret of its past policies in the process that was drawn, policy by policy. */
LAW(bms_charges_the_regret_of_past_policies) {
    posse_environment *e = environment_made(&world, 8);
    posse_def def = posse_environment_def(e);
    posse *p = team_made(e, &(team){.learners = team_of_policies, .count = LENGTH(team_of_policies)});
    twin t;
    twin_open(&t, &def, NULL);
    for (uint32_t run = 0; run < 10; run++) {
        double plays[5][POLICIES] = {0};
        run_begin(p, e, run);
        twin_begin(&t, run, stream_named(STREAM_SELECTOR, NULL));
        for (int n = 0; n < 100; n++) {
            posse_decision d;
            double potentials[5];
            assert_int_equal(run_round(p, e, &d), POSSE_OK);
            if (n >= 5) {
                double best = t.world[twin_draw(&t)];
                assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
                for (int i = 0; i < 5; i++) {
                    double regret = 0.0;
                    for (int policy = 0; policy < POLICIES; policy++)
                        regret += plays[i][policy] * (best - t.world[policy]);
                    assert_close(potentials[i], regret, 1e-10 * (1.0 + regret));
                }
            }
            plays[d.learner][d.arm] += 1.0;
            twin_learn(&t, &d, 0.0);
        }
    }
    twin_close(&t);
    posse_free(p);
    posse_environment_free(e);
}

/* With shared data all learners learn every episode, also that of a floor. */
LAW(episodes_are_shared) {
    posse_environment *e = environment_made(&world, 9);
    posse_def def = posse_environment_def(e);
    posse_part learners[] = {{.kind = "fixed", .options = {NUMBER("arm", 1)}}, {.kind = "planner"}};
    def.selector = (posse_part){.kind = "uniform", .options = {NUMBER("share", 1), NUMBER("floor", 0.3)}};
    def.learners = learners;
    def.learner_count = 2;
    posse *p = posse_made(&def);
    twin t;
    twin_open(&t, &def, NULL);
    run_begin(p, e, 0);
    for (int n = 0; n < 300; n++) {
        posse_decision d;
        assert_int_equal(run_round(p, e, &d), POSSE_OK);
        twin_learn(&t, &d, 0.0);
        assert_memory_equal(p->members[1].state, t.state, t.belief.part.state_size);
    }
    twin_close(&t);
    posse_free(p);
    posse_environment_free(e);
}

/* --------------------------------------------- what an application gets ---------------------------------------- */

LAW(episodes_are_for_simulations_alone) {
    posse_environment *e = environment_made(&world, 10);
    posse_def def = posse_environment_def(e), read;
    posse_part learner = {.kind = "thompson"}, learners[1];
    notes log = {0};
    def.learners = &learner;
    def.learner_count = 1;
    def.host.log = notes_logger(&log);
    posse *p = posse_made(&def);
    posse_decision d;
    size_t length = 0;
    assert_int_equal(posse_decide(p, NULL, &d), POSSE_ERROR_ABSENT);
    assert_noted(&log, "episodes: rounds are episodes, whose steps only posse_play reports");
    assert_int_equal(posse_teach(p, &(posse_action){.arm = 1}, 1.0), POSSE_ERROR_ABSENT);
    assert_int_equal(posse_save(p, NULL, &length), POSSE_ERROR_ABSENT);
    assert_int_equal(log.count, 3);
    assert_int_equal(posse_definition(p, &read, learners), POSSE_OK);
    assert_true(read.episodes);
    assert_int_equal(posse_play(p, e, 10, NULL), POSSE_OK);
    posse_free(p);
    posse_environment_free(e);
}

static void assert_unfit(const posse_def *base, posse_part learner, const char *excerpt) {
    posse_def def = *base;
    notes log = {0};
    posse *p;
    def.learners = &learner;
    def.learner_count = 1;
    def.host.log = notes_logger(&log);
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    assert_noted(&log, excerpt);
}

LAW(kinds_of_episodes_are_refused_elsewhere) {
    posse_environment *e = environment_made(&world, 11);
    posse_def episodes = posse_environment_def(e), plain = posse_default_def();
    plain.arms = POLICIES;
    plain.prior = (posse_part){.kind = "gaussian"};
    static const posse_part states = {.kind = "mdp", .options = {NUMBER("states", 3), NUMBER("actions", 2)}};
    static const posse_part other = {.kind = "mdp", .options = {NUMBER("states", 2), NUMBER("start", 0)}};
    static const posse_part apart = {.kind = "gaussian"};
    const char *only = "learns from the steps of episodes, which only an environment such as mdp reports";
    assert_unfit(&plain, (posse_part){.kind = "thompson", .options = {{"belief", .part = &states}}}, only);
    assert_unfit(&plain, (posse_part){.kind = "q-learning"}, only);
    assert_unfit(&plain, (posse_part){.kind = "planner"}, "its belief must be of kind mdp");
    assert_unfit(&episodes, (posse_part){.kind = "planner", .options = {{"belief", .part = &apart}}},
                 "its belief must be of kind mdp");
    assert_unfit(&episodes, (posse_part){.kind = "thompson", .options = {{"belief", .part = &other}}},
                 "2 states with 2 actions have 4 policies, and there are 8 arms");
    assert_unfit(&episodes, (posse_part){.kind = "q-learning", .options = {NUMBER("actions", 16)}},
                 "3 states with 16 actions have 4096 policies, and there are 8 arms");
    assert_unfit(&episodes, (posse_part){.kind = "q-learning", .options = {NUMBER("states", 12), NUMBER("actions", 3)}},
                 "12 states with 3 actions have more than 4096 policies");
    posse_environment_free(e);
    /* A posse for episodes does not play rounds without, and the other way round. */
    posse_environment *coins = environment_made(&(posse_part){.kind = "gaussian", .options = {NUMBER("arms", 8)}}, 1);
    e = environment_made(&world, 11);
    posse *p = alone_made(coins, &(posse_part){.kind = "ucb"}), *q = alone_made(e, &(posse_part){.kind = "ucb"});
    assert_int_equal(posse_play(p, e, 1, NULL), POSSE_ERROR_FIT);
    assert_int_equal(posse_play(q, coins, 1, NULL), POSSE_ERROR_FIT);
    posse_free(p);
    posse_free(q);
    posse_environment_free(coins);
    posse_environment_free(e);
}

/* A mixture of two structures finds the one that is true. */
LAW(a_mixture_of_processes_finds_the_structure) {
    static const double ring[] = {0.0, 9.0, 1.0, 0.0, 1.0, 9.0, 1.0, 0.0, 9.0,
                                  9.0, 0.0, 1.0, 9.0, 1.0, 0.0, 1.0, 9.0, 0.0};
    static const posse_part structures[] = {{.kind = "mdp", .options = {NUMBER("transitions", 1.0)}},
                                            {.kind = "mdp", .options = {LIST("transitions", ring)}}};
    static const double even[] = {1.0, 1.0};
    posse_part mixture = {.kind = "mixture", .options = {{"components", .part = structures, .list = even, .count = 2}}};
    posse_part true_ring = {.kind = "mdp",
                            .options = {NUMBER("states", 3), NUMBER("actions", 2), LIST("transitions", ring)}};
    posse_environment *e = environment_made(&true_ring, 12);
    posse *p = team_made(e, &(team){.learners = &(posse_part){.kind = "thompson"}, .count = 1, .belief = &mixture});
    double weights[2];
    run_begin(p, e, 0);
    assert_int_equal(posse_play(p, e, 30, NULL), POSSE_OK);
    assert_int_equal(posse_weights(p, weights), POSSE_OK);
    assert_true(weights[1] > 0.99);
    posse_free(p);
    posse_environment_free(e);
}

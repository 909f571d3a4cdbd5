/* SPDX-License-Identifier: MIT */
/*
 * B-MS, compared with a slow version of Algorithm 1, with Thompson sampling, and with the truth of simulations.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matching.h"

#define ARMS_CAP 16 /* largest number of arms of the stages */
#define TEAM_CAP 16
#define DIM_CAP 4

/* ---------------------------------------------------- stages --------------------------------------------------- */

/* An environment, the belief of the selector (NULL: the environment's prior), and learners that fit there. */
typedef struct stage {
    const char *name;
    const posse_part *environment;
    const posse_part *belief;
    const posse_part *learners;
    int count;
} stage;

static const posse_part gaussian_world = {.kind = "gaussian", .options = {NUMBER("arms", 5)}};
static const posse_part bernoulli_world = {.kind = "bernoulli", .options = {NUMBER("arms", 4)}};
static const posse_part lock_world = {.kind = "information-lock", .options = {NUMBER("arms", 8)}};
static const double three_means[] = {0.1, 0.6, 0.3};
static const posse_part fixed_world = {.kind = "gaussian", .options = {NUMBER("arms", 3), LIST("means", three_means)}};
static const posse_part linear_world = {
    .kind = "linear", .options = {NUMBER("dim", 3), WORD("arms.set", "ball"), NUMBER("arms.count", 12)}};
static const posse_part sphere_world = {.kind = "linear",
                                        .options = {NUMBER("dim", 4), WORD("arms.set", "sphere"),
                                                    NUMBER("arms.count", 10), NUMBER("prior.precision", 2.0),
                                                    NUMBER("noise", 0.5)}};
static const double given_points[] = {3.7, 0.0, -1.0, 2.9, 0.3, -3.1, 1.1, 1.2, -2.2, -2.0};
static const posse_part given_world = {.kind = "linear",
                                       .options = {NUMBER("dim", 2), LIST("arms.points", given_points)}};
static const posse_part ball_world = {
    .kind = "linear", .options = {NUMBER("dim", 3), WORD("arms.set", "ball"), WORD("arms.count", "all")}};

static const double four_rows[] = {0.1, 0.6, 0.3, 0.7, 0.2, 0.0, 0.0, 0.5, 0.9, -0.2, 0.1, 0.4};
static const double four_weights[] = {1, 2, 1, 0.5};
static const posse_part table_belief = {.kind = "hypotheses",
                                        .options = {LIST("table", four_rows), LIST("weights", four_weights)}};
static const posse_part gaussian_belief = {.kind = "gaussian", .options = {NUMBER("sd", 0.6)}};
static const double half_each[] = {0.5, 0.5};
static const posse_part two_gaussians[] = {
    {.kind = "gaussian", .options = {NUMBER("mean", -0.5)}},
    {.kind = "gaussian", .options = {NUMBER("mean", 0.5), NUMBER("sd", 2.0)}},
};
static const posse_part gaussian_mixture = {
    .kind = "mixture", .options = {{.key = "components", .part = two_gaussians, .list = half_each, .count = 2}}};
static const posse_part two_linears[] = {
    {.kind = "linear", .options = {NUMBER("precision", 0.5)}},
    {.kind = "linear", .options = {NUMBER("precision", 5.0), NUMBER("noise", 1.5)}},
};
static const posse_part linear_mixture = {
    .kind = "mixture", .options = {{.key = "components", .part = two_linears, .list = half_each, .count = 2}}};

static const posse_part independent_team[] = {
    {.kind = "ucb", .name = "bold", .options = {NUMBER("width", 2.0)}},
    {.kind = "ucb", .name = "shy", .options = {NUMBER("width", 0.01)}},
    {.kind = "epsilon-greedy"},
    {.kind = "fixed", .name = "zero", .options = {NUMBER("arm", 0)}},
    {.kind = "fixed", .name = "one", .options = {NUMBER("arm", 1)}},
};
static const posse_part lock_team[] = {{.kind = "information-lock"},
                                       {.kind = "thompson"},
                                       {.kind = "ucb"},
                                       {.kind = "fixed", .options = {NUMBER("arm", 5)}}};
static const posse_part linear_team[] = {
    {.kind = "linear-thompson", .name = "wide"},
    {.kind = "linear-thompson", .name = "greedy", .options = {NUMBER("width", 0.0)}},
    {.kind = "linear-ucb"},
    {.kind = "ucb", .options = {NUMBER("width", 0.1)}},
    {.kind = "fixed", .options = {NUMBER("arm", 3)}},
};
static const posse_part ball_team[] = {
    {.kind = "linear-thompson", .name = "wide"},
    {.kind = "linear-thompson", .name = "narrow", .options = {NUMBER("width", 0.1)}},
    {.kind = "linear-thompson", .name = "greedy", .options = {NUMBER("width", 0.0)}},
    {.kind = "thompson"},
};

#define TEAM(list) list, LENGTH(list)

/* Every kind of belief, and both kinds of coordinates. Stages without the ball come first. */
static const stage stages[] = {
    {"gaussian", &gaussian_world, NULL, TEAM(independent_team)},
    {"beta", &bernoulli_world, NULL, TEAM(independent_team)},
    {"information lock", &lock_world, NULL, TEAM(lock_team)},
    {"hypotheses", &fixed_world, &table_belief, TEAM(independent_team)},
    {"mixture", &gaussian_world, &gaussian_mixture, TEAM(independent_team)},
    {"linear", &linear_world, NULL, TEAM(linear_team)},
    {"linear on the sphere", &sphere_world, NULL, TEAM(linear_team)},
    {"linear on given arms", &given_world, NULL, TEAM(linear_team)},
    {"mixture of linears", &linear_world, &linear_mixture, TEAM(linear_team)},
    {"gaussian on linear arms", &linear_world, &gaussian_belief, TEAM(linear_team)},
    {"linear on the ball", &ball_world, NULL, TEAM(ball_team)},
};
#define STAGES_WITH_ARMS (LENGTH(stages) - 1)

/* ------------------------------------------- B-MS is Thompson sampling ----------------------------------------- */

static posse *one_fixed_learner_per_arm(const posse_environment *e, const posse_part *believed) {
    int arms = posse_environment_def(e).arms;
    posse_part learners[ARMS_CAP] = {0};
    for (int a = 0; a < arms; a++) learners[a] = (posse_part){.kind = "fixed", .options = {NUMBER("arm", a)}};
    return team_made(e, &(team){.learners = learners, .count = arms, .belief = believed});
}

static void check_thompson(const stage *s, uint64_t seed, int rounds) {
    posse_environment *e = environment_made(s->environment, seed);
    posse_def def = posse_environment_def(e);
    posse *p = one_fixed_learner_per_arm(e, s->belief);
    twin t;
    twin_open(&t, &def, s->belief);
    for (int n = 0; n < rounds; n++) {
        posse_decision d;
        int expected = n < def.arms ? n : twin_draw(&t);
        assert_int_equal(object_choose(p, NULL, &d), POSSE_OK);
        assert_that(d.arm == expected, "%s, seed %d, round %d: arm %d, Thompson %d", s->name, (int)seed, n, d.arm,
                    expected);
        double reward = posse_environment_reward(e, &d);
        object_settle(p, &d, reward);
        twin_learn(&t, &d, reward);
    }
    twin_close(&t);
    posse_free(p);
    posse_environment_free(e);
}

/* With one play or more of each arm, phi is 0 for the arm that is best in the world drawn and positive for others. */
LAW(bms_over_fixed_arms_is_thompson) {
    for (int s = 0; s < STAGES_WITH_ARMS; s++)
        for (uint64_t seed = 1; seed <= 20; seed++) check_thompson(&stages[s], seed, 10000);
}

/* ------------------------------------------ potentials and the history ----------------------------------------- */

#define HISTORY_CAP 400

/* All plays, as Algorithm 1 stores them. */
typedef struct history {
    int length;
    int learner[HISTORY_CAP], arm[HISTORY_CAP];
    double point[HISTORY_CAP][DIM_CAP];
} history;

static void history_add(history *h, const posse_decision *d, int dim) {
    h->learner[h->length] = d->learner;
    h->arm[h->length] = d->arm;
    if (d->point != NULL) memcpy(h->point[h->length], d->point, (size_t)dim * sizeof(double));
    h->length++;
}

/* phi(i), the sum of best - value(a_l) over the plays l of learner i. *plays is their number. */
static long double slow_potential(const history *h, const twin *t, long double best, int learner, int *plays) {
    long double sum = 0.0L;
    *plays = 0;
    for (int l = 0; l < h->length; l++) {
        if (h->learner[l] != learner) continue;
        sum += best - twin_value(t, h->arm[l], h->point[l]);
        ++*plays;
    }
    return sum;
}

/* The power of two at or above the coordinates of the arms; 1 for the ball. */
static double range_of(const posse_space *space) {
    double range = space->arms > 0 ? 0x1p-20 : 1.0;
    for (int i = 0; i < space->arms * space->dim; i++)
        while (range < fabs(space->points[i])) range *= 2.0;
    return range;
}

/*
 * One-hot: a sum of n <= 400 rounded terms of one sign, for which a relative 1e-12 is ample. Linear: the record has
 * coordinates on a grid of 2^-32 of their range. Each of x* and the arm played is off by at most half of that. So a
 * play is off by at most 2^-32 of the range times the sum of |w_j|, and rounding adds 1e-12 of the same.
 */
static double potential_tolerance(const twin *t, long double potential, int plays) {
    if (t->belief.shape.one_hot) return 1e-12 * (double)fabsl(potential);
    double sum = 0.0;
    for (int j = 0; j < t->belief.shape.dim; j++) sum += fabs(t->world[j]);
    return plays * sum * range_of(t->space) * (0x1p-32 + 1e-12);
}

/* Whether two learners have played each arm except the best one equally often. Then their exact regrets are equal. */
static bool same_but_for(const history *h, int best, int one, int other) {
    int more[ARMS_CAP] = {0};
    for (int l = 0; l < h->length; l++) more[h->arm[l]] += (h->learner[l] == one) - (h->learner[l] == other);
    for (int a = 0; a < ARMS_CAP; a++)
        if (a != best && more[a] != 0) return false;
    return true;
}

static void check_ties(const stage *s, const history *h, int best, const double *potentials) {
    for (int i = 0; best >= 0 && i < s->count; i++)
        for (int j = 0; j < i; j++)
            if (same_but_for(h, best, i, j))
                assert_that(potentials[i] == potentials[j], "%s: %d and %d tie on paper only: %.17g, %.17g", s->name, i,
                            j, potentials[i], potentials[j]);
}

/* The learner chosen has the least potential, and its probability is 1 / the number of tied learners. */
static void check_choice(const stage *s, const posse_decision *d, const double *potentials) {
    int tied = 0;
    for (int i = 0; i < s->count; i++) {
        assert_that(potentials[d->learner] <= potentials[i], "%s: chose %d although %d has less", s->name, d->learner,
                    i);
        tied += potentials[i] == potentials[d->learner];
    }
    assert_true(d->probability == 1.0 / tied);
}

static void check_against_history(const stage *s, const posse *p, const posse_decision *d, const twin *t, int best,
                                  const history *h) {
    double potentials[TEAM_CAP];
    assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
    const double *point = best < 0 ? t->point : posse_space_point(t->space, best);
    long double value = twin_value(t, best, point);
    for (int i = 0; i < s->count; i++) {
        int plays;
        long double slow = slow_potential(h, t, value, i, &plays);
        double tolerance = potential_tolerance(t, slow, plays);
        assert_that(fabs(potentials[i] - (double)slow) <= tolerance, "%s: phi(%d) = %.17g, by history %.17Lg", s->name,
                    i, potentials[i], slow);
    }
    check_ties(s, h, best, potentials);
    check_choice(s, d, potentials);
}

static void check_history(const stage *s, bool share, int batch, uint64_t seed) {
    posse_environment *e = environment_made(s->environment, seed);
    posse_def def = posse_environment_def(e);
    posse *p = team_made(e, &(team){s->learners, s->count, s->belief, share, batch});
    twin t;
    twin_open(&t, &def, s->belief);
    history h = {0};
    while (h.length < HISTORY_CAP) {
        posse_decision d;
        bool choice = h.length >= s->count * batch && h.length % batch == 0;
        int best = choice ? twin_draw(&t) : -1;
        assert_int_equal(object_choose(p, NULL, &d), POSSE_OK);
        if (choice) check_against_history(s, p, &d, &t, best, &h);
        history_add(&h, &d, def.dim);
        double reward = posse_environment_reward(e, &d);
        object_settle(p, &d, reward);
        twin_learn(&t, &d, reward);
    }
    twin_close(&t);
    posse_free(p);
    posse_environment_free(e);
}

LAW(potential_equals_history) {
    for (int s = 0; s < LENGTH(stages); s++)
        for (int share = 0; share < 2; share++)
            for (int batch = 1; batch <= 3; batch += 2)
                for (uint64_t seed = 1; seed <= 5; seed++) check_history(&stages[s], share, batch, seed);
}

/* --------------------------------------------- choices and the truth ------------------------------------------- */

static const posse_part small_gaussian = {.kind = "gaussian", .options = {NUMBER("arms", 3)}};
static const posse_part small_bernoulli = {.kind = "bernoulli", .options = {NUMBER("arms", 3)}};
static const posse_part small_linear = {
    .kind = "linear", .options = {NUMBER("dim", 2), WORD("arms.set", "ball"), NUMBER("arms.count", 6)}};
static const posse_part small_lock = {.kind = "information-lock", .options = {NUMBER("arms", 4)}};

static const posse_part ucb_team[] = {{.kind = "ucb", .name = "0.01", .options = {NUMBER("width", 0.01)}},
                                      {.kind = "ucb", .name = "1", .options = {NUMBER("width", 1)}},
                                      {.kind = "ucb", .name = "5", .options = {NUMBER("width", 5)}}};
static const posse_part bernoulli_team[] = {{.kind = "ucb", .options = {NUMBER("width", 0.1)}},
                                            {.kind = "thompson"},
                                            {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 0.5)}},
                                            {.kind = "fixed", .options = {NUMBER("arm", 2)}}};
static const posse_part small_linear_team[] = {{.kind = "linear-thompson", .options = {NUMBER("width", 0.3)}},
                                               {.kind = "linear-ucb"},
                                               {.kind = "ucb"},
                                               {.kind = "fixed", .options = {NUMBER("arm", 4)}}};
static const posse_part small_lock_team[] = {
    {.kind = "information-lock"}, {.kind = "thompson"}, {.kind = "ucb", .options = {NUMBER("width", 0.1)}}};

static const posse_part small_poisson = {
    .kind = "poisson", .options = {NUMBER("arms", 3), NUMBER("prior.shape", 2.0), NUMBER("prior.rate", 0.5)}};

static const stage truths[] = {
    {"gaussian", &small_gaussian, NULL, TEAM(ucb_team)},
    {"beta", &small_bernoulli, NULL, TEAM(bernoulli_team)},
    {"gamma", &small_poisson, NULL, TEAM(bernoulli_team)},
    {"linear", &small_linear, NULL, TEAM(small_linear_team)},
    {"information lock", &small_lock, NULL, TEAM(small_lock_team)},
};

/* Beliefs that are too certain of the means, the success probabilities, the rates and theta, and one with too much
 * noise. */
static const posse_part wrong_beliefs[] = {
    {.kind = "gaussian", .options = {NUMBER("sd", 0.2)}},
    {.kind = "beta", .options = {NUMBER("alpha", 6.0), NUMBER("beta", 6.0)}},
    {.kind = "gamma", .options = {NUMBER("shape", 60.0), NUMBER("rate", 15.0)}},
    {.kind = "linear", .options = {NUMBER("precision", 16.0)}},
    {.kind = "information-lock", .options = {NUMBER("noise", 3.0)}},
};

/* There are 130 cells, and |z| < 4.5 in all of them with probability 99.9%. A wrong prior gives 8 or more. */
LAW(choices_match_truth) {
    const uint32_t runs = (uint32_t)(20000 * law_effort());
    for (int s = 0; s < LENGTH(truths); s++) {
        const matching m = {truths[s].environment, truths[s].learners, truths[s].count, 0, AT_ONCE};
        double right = matching_worst(&m, NULL, runs), wrong = matching_worst(&m, &wrong_beliefs[s], runs);
        print_message("%s: worst |z| %.2f, with a wrong prior %.1f\n", truths[s].name, right, wrong);
        assert_that(right < Z_MAX, "%s: worst |z| = %.2f", truths[s].name, right);
        assert_that(wrong > 8.0 * sqrt(law_effort()), "%s: a wrong prior goes unnoticed, worst |z| = %.2f",
                    truths[s].name, wrong);
    }
}

/* The lemma holds with late rewards if their delay is chance. If clicks come at once and the rest later, it does not.
 */
LAW(choices_match_truth_with_late_rewards) {
    const uint32_t runs = (uint32_t)(20000 * law_effort());
    matching m = {truths[1].environment, truths[1].learners, truths[1].count, 0, LATE_BY_CHANCE};
    double by_chance = matching_worst(&m, NULL, runs);
    m.delay = LATE_BY_VALUE;
    double by_value = matching_worst(&m, NULL, runs);
    print_message("%s: worst |z| %.2f, late by value %.1f\n", truths[1].name, by_chance, by_value);
    assert_true(by_chance < Z_MAX && by_value > 8.0 * sqrt(law_effort()));
}

/* --------------------------------------- first rounds, batches, sharing ---------------------------------------- */

LAW(first_rounds_play_everyone_in_order) {
    for (int s = 0; s < LENGTH(stages); s++)
        for (int batch = 1; batch <= 4; batch++) {
            posse_environment *e = environment_made(stages[s].environment, 3);
            posse *p = team_made(
                e, &(team){stages[s].learners, stages[s].count, stages[s].belief, .share = batch % 2, .batch = batch});
            for (int n = 0; n < stages[s].count * batch; n++) {
                posse_decision d;
                assert_int_equal(run_round(p, e, &d), POSSE_OK);
                assert_int_equal(d.learner, n / batch);
                assert_true(d.probability == 1.0);
            }
            posse_free(p);
            posse_environment_free(e);
        }
}

/* The rounds of a batch have one learner, one probability and one set of potentials; returns the learner. */
static int check_batch(posse *p, posse_environment *e, int batch) {
    posse_decision first = {0}, d;
    double at_first[PAPER_TEAM], potentials[PAPER_TEAM];
    for (int n = 0; n < batch; n++) {
        assert_int_equal(run_round(p, e, &d), POSSE_OK);
        assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
        if (n == 0) {
            first = d;
            memcpy(at_first, potentials, sizeof potentials);
        }
        assert_int_equal(d.learner, first.learner);
        assert_true(d.probability == first.probability);
        assert_memory_equal(potentials, at_first, sizeof potentials);
    }
    return first.learner;
}

/* A batch takes one world from the stream. */
LAW(batch_plays_in_a_row) {
    const int batch = 7, batches = 50;
    posse_environment *e = environment_made(&gaussian_world, 4);
    posse *p = team_made(e, &(team){TEAM(paper_team), NULL, false, batch});
    int changes = 0;
    for (uint32_t run = 0; run < 50; run++) {
        run_begin(p, e, run);
        for (int n = 0, last = -1; n < batches; n++) {
            int now = check_batch(p, e, batch);
            changes += n > PAPER_TEAM && now != last;
            last = now;
        }
        assert_int_equal(p->selector_draw->position, 5 * (batches - PAPER_TEAM));
    }
    assert_that(changes > 100, "only %d changes of learner: this law says nothing", changes);
    posse_free(p);
    posse_environment_free(e);
}

/*
 * Each learner of the posse has a counterpart without a selector, which acts in the same rounds and learns the same
 * rewards. Both pick the same arms, and their states have the same bits.
 */
static void check_counterparts(const stage *s, bool share) {
    posse_environment *e = environment_made(s->environment, 8);
    posse *p = team_made(e, &(team){s->learners, s->count, s->belief, share, 1}), *alone[TEAM_CAP];
    for (int i = 0; i < s->count; i++) alone[i] = alone_made(e, &s->learners[i]);
    for (int n = 0; n < 500; n++) {
        posse_decision d, own;
        assert_int_equal(object_choose(p, NULL, &d), POSSE_OK);
        assert_int_equal(object_choose(alone[d.learner], NULL, &own), POSSE_OK);
        assert_int_equal(own.arm, d.arm);
        double reward = posse_environment_reward(e, &d);
        object_settle(p, &d, reward);
        own = d;
        own.learner = 0;
        for (int i = 0; i < s->count; i++)
            if (share || i == d.learner) object_settle(alone[i], &own, reward);
        for (int i = 0; i < s->count; i++)
            if (p->members[i].part.state_size > 0)
                assert_memory_equal(p->members[i].state, alone[i]->members[0].state, p->members[i].part.state_size);
    }
    for (int i = 0; i < s->count; i++) posse_free(alone[i]);
    posse_free(p);
    posse_environment_free(e);
}

LAW(every_learner_learns_when_shared) {
    for (int s = 0; s < LENGTH(stages); s++) check_counterparts(&stages[s], true);
}

LAW(only_the_player_learns_when_not_shared) {
    for (int s = 0; s < LENGTH(stages); s++) check_counterparts(&stages[s], false);
}

/* The belief learns the rewards of all learners: its means are those of a twin that has learned every reward. */
LAW(belief_learns_from_everyone) {
    for (int s = 0; s < LENGTH(stages); s++) {
        posse_environment *e = environment_made(stages[s].environment, 9);
        posse_def def = posse_environment_def(e);
        posse *p = team_made(e, &(team){stages[s].learners, stages[s].count, stages[s].belief, false, 1});
        twin t;
        twin_open(&t, &def, stages[s].belief);
        for (int n = 0; n < 300; n++) {
            posse_decision d;
            assert_int_equal(object_choose(p, NULL, &d), POSSE_OK);
            double reward = posse_environment_reward(e, &d);
            object_settle(p, &d, reward);
            twin_learn(&t, &d, reward);
        }
        double means[ARMS_CAP];
        assert_int_equal(posse_means(p, NULL, means), POSSE_OK);
        memset(t.world, 0, (size_t)t.belief.shape.dim * sizeof *t.world);
        belief_add_mean(&t.belief, t.state, 1.0, t.world);
        for (int a = 0; a < (def.arms > 0 ? def.arms : def.dim); a++) {
            long double expected = def.arms == 0 ? t.world[a] : twin_value(&t, a, posse_space_point(t.space, a));
            assert_close(means[a], (double)expected, 1e-14 * (1.0 + fabs(means[a]))); /* a sum of up to 4 products */
        }
        twin_close(&t);
        posse_free(p);
        posse_environment_free(e);
    }
}

/* ------------------------------------------------- regret and plays -------------------------------------------- */

/* The regret of the posse is the sum over its learners of the potential in the true world. */
LAW(regret_of_the_posse_is_the_sum_of_its_learners) {
    posse_environment *e = environment_made(&gaussian_world, 10);
    posse *p = team_made(e, &(team){.learners = TEAM(paper_team)});
    for (uint32_t run = 0; run < 20; run++) {
        double counts[PAPER_TEAM][ARMS_CAP] = {0}, means[ARMS_CAP], total = 0.0, sum = 0.0;
        run_begin(p, e, run);
        posse_environment_means(e, means);
        for (int n = 0; n < 1000; n++) {
            posse_decision d;
            assert_int_equal(run_round(p, e, &d), POSSE_OK);
            total += posse_environment_regret(e, &d);
            counts[d.learner][d.arm] += 1.0;
        }
        uint64_t plays[PAPER_TEAM];
        assert_int_equal(posse_plays(p, plays), POSSE_OK);
        double best = means[largest(means, 5)];
        for (int i = 0; i < PAPER_TEAM; i++) {
            double played = 0.0;
            for (int a = 0; a < 5; a++) {
                sum += counts[i][a] * (best - means[a]);
                played += counts[i][a];
            }
            assert_true(played == (double)plays[i]);
        }
        assert_close(total, sum, 1e-11 * sum); /* a thousand roundings of one sign */
    }
    posse_free(p);
    posse_environment_free(e);
}

/* A potential is a regret in some world: never negative where coordinates are exact, and 0 for one play of the best. */
LAW(potentials_are_regrets) {
    for (int s = 0; s < LENGTH(stages); s++) {
        posse_environment *e = environment_made(stages[s].environment, 12);
        posse *p = team_made(e, &(team){stages[s].learners, stages[s].count, stages[s].belief, false, 1});
        bool exact = stages[s].learners != linear_team && stages[s].learners != ball_team;
        for (int n = 0; n < 500; n++) {
            posse_decision d;
            double potentials[TEAM_CAP];
            assert_int_equal(run_round(p, e, &d), POSSE_OK);
            assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
            for (int i = 0; i < stages[s].count; i++)
                assert_true(isfinite(potentials[i]) && potentials[i] >= (exact ? 0.0 : -1e-6));
        }
        posse_free(p);
        posse_environment_free(e);
    }
}

/* The public calls, with rewards that come at once, make the same decisions as the two internal steps that they use. */
LAW(deciding_is_choosing) {
    for (int s = 0; s < LENGTH(stages); s++) {
        posse_environment *e = environment_made(stages[s].environment, 13), *f;
        f = environment_made(stages[s].environment, 13);
        team t = {stages[s].learners, stages[s].count, stages[s].belief, true, 2};
        posse *p = team_made(e, &t), *q = team_made(f, &t);
        for (uint64_t n = 1; n <= 500; n++) {
            posse_decision d, c;
            assert_int_equal(run_round(p, e, &c), POSSE_OK);
            assert_int_equal(posse_decide(q, NULL, &d), POSSE_OK);
            assert_int_equal(posse_learn(q, d.id, posse_environment_reward(f, &d)), POSSE_OK);
            assert_true(d.id == n && d.learner == c.learner && d.arm == c.arm && d.probability == c.probability);
        }
        posse_free(p);
        posse_free(q);
        posse_environment_free(e);
        posse_environment_free(f);
    }
}

/* With coordinates of very different sizes, the small ones still count in the charges. */
LAW(charges_see_small_coordinates_beside_large_ones) {
    static const double points[] = {1e5, 0.0, 1e5, 1.0}, theta[] = {0.0, 1.0};
    posse_part plane = {
        .kind = "linear",
        .options = {NUMBER("dim", 2), LIST("arms.points", points), LIST("theta", theta), NUMBER("noise", 0.1)}};
    posse_part learners[] = {{.kind = "fixed", .name = "bad", .options = {NUMBER("arm", 0)}},
                             {.kind = "fixed", .name = "good", .options = {NUMBER("arm", 1)}}};
    posse_environment *e = environment_made(&plane, 1);
    posse_def def = posse_environment_def(e);
    def.prior = (posse_part){.kind = "linear", .options = {NUMBER("noise", 0.1)}};
    def.learners = learners;
    def.learner_count = 2;
    posse *p = posse_made(&def);
    assert_int_equal(posse_play(p, e, 1000, NULL), POSSE_OK);
    uint64_t plays[2];
    posse_plays(p, plays);
    assert_true(plays[1] > 950);
    posse_free(p);
    posse_environment_free(e);
}

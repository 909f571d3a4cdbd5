/* SPDX-License-Identifier: MIT */
/*
 * Beliefs about Markov decision processes: the values of policies are those of value iteration, the posterior is the
 * closed form, and on a tiny process it is that of brute force.
 */
#include <math.h>
#include <string.h>

#include "belief/mdp.h"
#include "menagerie.h"

/* ------------------------------------------------ values of policies ------------------------------------------- */

static const process_shape shapes[] = {
    {.states = 1, .actions = 4, .policies = 4, .start = 0, .discount = 0.5},
    {.states = 2, .actions = 2, .policies = 4, .start = 1, .discount = 0.9},
    {.states = 3, .actions = 3, .policies = 27, .start = 0, .discount = 0.95},
    {.states = 5, .actions = 2, .policies = 32, .start = 2, .discount = 0.9},
    {.states = 4, .actions = 4, .policies = 256, .start = 3, .discount = 0.0},
    {.states = 12, .actions = 2, .policies = 4096, .start = 5, .discount = 0.9},
};

/* About a third of the transitions are impossible. */
static process random_process(const process_shape *shape, uint64_t *source) {
    process p;
    for (int pair = 0; pair < shape->states * shape->actions; pair++) {
        double *row = p.transitions + pair * shape->states, total = 0.0;
        p.rewards[pair] = 2.0 * random_uniform(source) - 1.0;
        for (int s = 0; s < shape->states; s++) row[s] = fmax(0.0, random_uniform(source) - 0.3);
        row[random_below(source, (uint64_t)shape->states)] += 0.1;
        for (int s = 0; s < shape->states; s++) total += row[s];
        for (int s = 0; s < shape->states; s++) row[s] /= total;
    }
    return p;
}

/* r + discount sum of P v, for an action in a state. */
static long double backed_up(const process_shape *shape, const process *p, int state, int action,
                             const long double *v) {
    int pair = state * shape->actions + action;
    long double value = 0.0L;
    for (int s = 0; s < shape->states; s++) value += p->transitions[pair * shape->states + s] * v[s];
    return p->rewards[pair] + shape->discount * value;
}

/* 0.95^1200 < 1e-26 */
#define SWEEPS 1200

/* policy -1: value iteration, which takes the best action everywhere. */
static double iterated_value(const process_shape *shape, const process *p, int policy) {
    long double v[STATES_MAX] = {0}, next[STATES_MAX];
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int s = 0, rest = policy; s < shape->states; s++, rest /= shape->actions) {
            next[s] = policy >= 0 ? backed_up(shape, p, s, rest % shape->actions, v) : -INFINITY;
            for (int a = 0; a < shape->actions && policy < 0; a++)
                next[s] = fmaxl(next[s], backed_up(shape, p, s, a, v));
        }
        memcpy(v, next, sizeof v);
    }
    return (double)v[shape->start];
}

LAW(values_are_those_of_value_iteration) {
    uint64_t source = 1;
    for (int i = 0; i < LENGTH(shapes); i++)
        for (int n = 0; n < 3; n++) {
            const process_shape *shape = &shapes[i];
            process p = random_process(shape, &source);
            double values[POLICIES_MAX];
            assert_int_equal(process_count_policies(shape->states, shape->actions), shape->policies);
            process_values(shape, &p, values);
            int every = shape->policies > 256 ? 97 : 1;
            for (int policy = 0; policy < shape->policies; policy += every)
                assert_close(values[policy], iterated_value(shape, &p, policy), 1e-13);
            assert_close(values[largest(values, shape->policies)], iterated_value(shape, &p, -1), 1e-13);
        }
}

LAW(shapes_with_too_many_policies_are_noticed) {
    assert_int_equal(process_count_policies(12, 2), 4096);
    assert_int_equal(process_count_policies(12, 3), 0);
    assert_int_equal(process_count_policies(3, 16), 4096);
    assert_int_equal(process_count_policies(4, 16), 0);
    for (int states = 1; states <= STATES_MAX; states++)
        for (int actions = 1; actions <= ACTIONS_MAX; actions++)
            if (process_count_policies(states, actions) > 0)
                assert_true(states * actions <= PAIRS_MAX && states * states * actions <= TRANSITIONS_MAX);
}

/* State 2 cannot be reached with action 0 in states 0 and 1, so its actions make no difference there. */
LAW(policies_that_differ_where_they_never_get_tie) {
    process_shape shape = {.states = 3, .actions = 3, .policies = 27, .start = 0, .discount = 0.9};
    uint64_t source = 2;
    int differ = 0;
    for (int n = 0; n < 100; n++) {
        process p = random_process(&shape, &source);
        for (int s = 0; s < 2; s++) {
            double *row = p.transitions + s * 3 * 3;
            row[0] = random_uniform(&source);
            row[1] = 1.0 - row[0];
            row[2] = 0.0;
        }
        double values[27];
        process_values(&shape, &p, values);
        assert_true(values[0] == values[9] && values[0] == values[18]);
        differ += values[1] != values[10];
    }
    assert_true(differ > 50); /* with action 1 in state 0, it usually can be reached */
}

/* ----------------------------------------------------- posteriors ---------------------------------------------- */

/* A prior with different numbers everywhere, and an impossible transition. */
static const double prior_transitions[] = {0.5, 1.0, 2.0, 3.0, 0.0, 0.7, 1.0, 1.0, 1.0,
                                           0.2, 5.0, 0.4, 1.5, 2.5, 0.0, 0.0, 1.0, 0.0};
static const double prior_means[] = {0.0, 1.0, -1.0, 0.5, 2.0, -0.3}, prior_weights[] = {1.0, 0.5, 2.0, 4.0, 0.1, 1.0};
static const double prior_shapes[] = {4.0, 3.0, 6.0, 5.0, 8.0, 3.5}, prior_scales[] = {2.0, 1.0, 3.0, 0.5, 4.0, 2.0};
static const posse_part world = {.kind = "mdp",
                                 .options = {NUMBER("states", 3), NUMBER("actions", 2), NUMBER("discount", 0.8),
                                             NUMBER("start", 1), LIST("transitions", prior_transitions),
                                             LIST("rewards.mean", prior_means), LIST("rewards.weight", prior_weights),
                                             LIST("rewards.shape", prior_shapes), LIST("rewards.scale", prior_scales)}};
#define PAIRS 6
#define STATES 3

/* What a history says, summed by pair. */
typedef struct sums {
    double transitions[PAIRS][STATES], count[PAIRS], reward[PAIRS], squares[PAIRS];
    double steps, ends;
} sums;

static void sums_take(sums *s, int policy, const double *episode) {
    int steps = posse_episode_steps(episode);
    for (int k = 0; k < steps; k++) {
        int state = posse_episode_state(episode, k), pair = 2 * state + (policy >> state & 1);
        double reward = posse_episode_reward(episode, k);
        s->count[pair] += 1.0;
        s->reward[pair] += reward;
        s->squares[pair] += reward * reward;
        if (k + 1 < steps) s->transitions[pair][posse_episode_state(episode, k + 1)] += 1.0;
    }
    s->steps += steps;
    s->ends += 1.0;
}

/* Plays policies in turn, lets the twin learn, and returns the sum of the log evidence. */
static double play_episodes(twin *t, posse_environment *e, int rounds, sums *s) {
    double evidence = 0.0;
    for (int n = 0; n < rounds; n++) {
        posse_decision d = {.arm = n * 5 % 8};
        double reward = posse_environment_reward(e, &d);
        d.point = environment_episode(e);
        evidence += belief_evidence(&t->belief, t->state, d.arm, d.point, reward);
        twin_learn(t, &d, reward);
        sums_take(s, d.arm, d.point);
    }
    return evidence;
}

/* The normal-gamma posterior of all rewards at once. */
typedef struct batch {
    double mean, weight, shape, scale;
} batch;

static batch batch_of(const sums *s, int pair) {
    double n = s->count[pair], m = prior_means[pair], k = prior_weights[pair];
    if (n == 0.0) return (batch){m, k, prior_shapes[pair], prior_scales[pair]};
    double mean = s->reward[pair] / n, spread = s->squares[pair] - n * mean * mean;
    return (batch){(k * m + s->reward[pair]) / (k + n), k + n, prior_shapes[pair] + n / 2.0,
                   prior_scales[pair] + spread / 2.0 + k * n * (mean - m) * (mean - m) / (2.0 * (k + n))};
}

LAW(mdp_posterior_is_the_closed_form) {
    posse_environment *e = environment_made(&world, 3);
    posse_def def = posse_environment_def(e);
    twin t;
    twin_open(&t, &def, NULL);
    for (uint32_t run = 0; run < 20; run++) {
        sums s = {0};
        posse_environment_begin(e, run);
        twin_begin(&t, run, 0);
        play_episodes(&t, e, 40, &s);
        const double *learned = t.state, *rewards = learned + PAIRS * STATES;
        for (int pair = 0; pair < PAIRS; pair++) {
            batch b = batch_of(&s, pair);
            for (int to = 0; to < STATES; to++)
                assert_true(learned[STATES * pair + to] ==
                            prior_transitions[STATES * pair + to] + s.transitions[pair][to]);
            assert_close(rewards[pair], b.mean, 1e-12 * (1.0 + fabs(b.mean)));
            assert_true(rewards[PAIRS + pair] == b.weight && rewards[2 * PAIRS + pair] == b.shape);
            assert_close(rewards[3 * PAIRS + pair], b.scale, 1e-10 * b.scale);
        }
        assert_true(part_state_sane(&t.belief.part, t.state));
    }
    twin_close(&t);
    posse_environment_free(e);
}

/* The log of the probability of a history: that of the prior's constants divided by that of the posterior's. */
static double log_marginal(const sums *s) {
    double sum = s->ends * log(0.2) + (s->steps - s->ends) * log(0.8);
    for (int pair = 0; pair < PAIRS; pair++) {
        const double *prior = prior_transitions + STATES * pair;
        batch b = batch_of(s, pair);
        double before = 0.0, after = 0.0;
        for (int to = 0; to < STATES; to++) {
            before += prior[to];
            after += prior[to] + s->transitions[pair][to];
            if (prior[to] > 0.0) sum += lgamma(prior[to] + s->transitions[pair][to]) - lgamma(prior[to]);
        }
        sum += lgamma(before) - lgamma(after);
        sum += lgamma(b.shape) - lgamma(prior_shapes[pair]) + prior_shapes[pair] * log(prior_scales[pair]) -
               b.shape * log(b.scale) + 0.5 * (log(prior_weights[pair]) - log(b.weight)) -
               0.5 * s->count[pair] * log(2.0 * acos(-1.0));
    }
    return sum;
}

LAW(mdp_evidence_is_the_marginal_likelihood) {
    posse_environment *e = environment_made(&world, 4);
    posse_def def = posse_environment_def(e);
    twin t;
    twin_open(&t, &def, NULL);
    for (uint32_t run = 0; run < 20; run++) {
        sums s = {0};
        posse_environment_begin(e, run);
        twin_begin(&t, run, 0);
        double evidence = play_episodes(&t, e, 30, &s);
        assert_close(evidence, log_marginal(&s), 1e-9 * fabs(evidence));
    }
    twin_begin(&t, 0, 0);
    double excluded[] = {3.0, 0.0, 0.3, 1.0, 0.1, 1.0, 0.2}; /* policy 1: action 1 in state 0, never to state 1 */
    assert_true(belief_evidence(&t.belief, t.state, 1, excluded, 0.6) == -INFINITY);
    belief_update(&t.belief, t.state, 1, excluded, 0.6);
    assert_true(part_state_sane(&t.belief.part, t.state));
    assert_true(isfinite(belief_evidence(&t.belief, t.state, 1, excluded, 0.6)));
    twin_close(&t);
    posse_environment_free(e);
}

/* Episodes that a process of this shape cannot have, as those of an extension, are not learned. */
LAW(foreign_episodes_are_ignored) {
    posse_environment *e = environment_made(&world, 4);
    posse_def def = posse_environment_def(e);
    twin t;
    twin_open(&t, &def, NULL);
    double before[PAIRS * STATES + 4 * PAIRS], short_[] = {0.0}, beyond[] = {1.0, 3.0, 0.5}, below[] = {1.0, -1.0, 0.5};
    const double *const foreign[] = {NULL, short_, beyond, below};
    assert_int_equal(t.belief.part.state_size, sizeof before);
    memcpy(before, t.state, sizeof before);
    for (int i = 0; i < LENGTH(foreign); i++) {
        belief_update(&t.belief, t.state, 3, foreign[i], 0.5);
        assert_memory_equal(t.state, before, sizeof before);
        assert_true(isnan(belief_evidence(&t.belief, t.state, 3, foreign[i], 0.5)));
    }
    twin_close(&t);
    posse_environment_free(e);
}

#define DRAWS 100000

LAW(drawn_processes_have_the_posterior_moments) {
    posse_environment *e = environment_made(&world, 5);
    posse_def def = posse_environment_def(e);
    twin t;
    sums s = {0};
    twin_open(&t, &def, NULL);
    twin_begin(&t, 0, 7);
    play_episodes(&t, e, 3, &s);
    moments first[PAIRS * STATES] = {0}, second[PAIRS * STATES] = {0}, mean[PAIRS] = {0}, variance[PAIRS] = {0};
    const double *learned = t.state;
    for (int n = 0; n < DRAWS; n++) {
        process p;
        double noise[PAIRS_MAX];
        mdp_draw(mdp_of_belief(&t.belief), t.state, &t.draw, &p, noise);
        for (int i = 0; i < PAIRS * STATES; i++) {
            moments_add(&first[i], p.transitions[i]);
            moments_add(&second[i], p.transitions[i] * p.transitions[i]);
        }
        for (int pair = 0; pair < PAIRS; pair++) {
            moments_add(&mean[pair], p.rewards[pair]);
            moments_add(&variance[pair], noise[pair] * noise[pair]);
        }
    }
    for (int pair = 0; pair < PAIRS; pair++) {
        const double *row = learned + STATES * pair;
        double total = row[0] + row[1] + row[2];
        batch b = batch_of(&s, pair);
        for (int to = 0; to < STATES; to++) {
            assert_mean(&first[STATES * pair + to], row[to] / total);
            assert_mean(&second[STATES * pair + to], row[to] * (row[to] + 1.0) / (total * (total + 1.0)));
        }
        assert_mean(&mean[pair], b.mean);
        assert_mean(&variance[pair], b.scale / (b.shape - 1.0));
    }
    twin_close(&t);
    posse_environment_free(e);
}

/* ---------------------------------------------- brute force on a tiny process ---------------------------------- */

/*
 * Two states and two actions. The posterior of the chance p of a pair to go to state 1, and of the mean m and the
 * precision tau of its rewards, is computed on grids: prior density times the likelihood of every single step. No
 * formula of a conjugate posterior is used.
 */
#define GRID 400
static const double tiny_transitions[] = {1.0, 2.0, 2.0, 1.5, 1.0, 1.0, 3.0, 1.0};
static const posse_part tiny = {.kind = "mdp",
                                .options = {NUMBER("states", 2), NUMBER("actions", 2), NUMBER("discount", 0.7),
                                            LIST("transitions", tiny_transitions), NUMBER("rewards.shape", 4.0),
                                            NUMBER("rewards.scale", 3.0)}};

typedef struct step {
    int pair, next; /* next -1: the episode ended */
    double reward;
} step;

typedef struct brute {
    double chance[GRID]; /* of each p on the grid */
    double mean, square; /* of m */
} brute;

static double grid_p(int i) {
    return (i + 0.5) / GRID;
}

static void brute_transitions(const step *steps, int count, int pair, brute *out) {
    double total = 0.0;
    for (int i = 0; i < GRID; i++) {
        double p = grid_p(i), a = tiny_transitions[2 * pair], b = tiny_transitions[2 * pair + 1];
        double weight = pow(1.0 - p, a - 1.0) * pow(p, b - 1.0);
        for (int k = 0; k < count; k++)
            if (steps[k].pair == pair && steps[k].next >= 0) weight *= steps[k].next == 1 ? p : 1.0 - p;
        total += out->chance[i] = weight;
    }
    for (int i = 0; i < GRID; i++) out->chance[i] /= total;
}

/* m from -8 to 8 and tau from 0 to 8, beyond which there is next to nothing. */
static void brute_rewards(const step *steps, int count, int pair, brute *out) {
    double total = 0.0, first = 0.0, second = 0.0;
    for (int i = 0; i < GRID; i++)
        for (int j = 0; j < GRID; j++) {
            double m = 16.0 * grid_p(i) - 8.0, tau = 8.0 * grid_p(j);
            double log_weight = 3.0 * log(tau) - 3.0 * tau + 0.5 * log(tau) - 0.5 * tau * m * m;
            for (int k = 0; k < count; k++)
                if (steps[k].pair == pair)
                    log_weight += 0.5 * log(tau) - 0.5 * tau * (steps[k].reward - m) * (steps[k].reward - m);
            double weight = exp(log_weight);
            total += weight;
            first += weight * m;
            second += weight * m * m;
        }
    out->mean = first / total;
    out->square = second / total;
}

/*
 * The first two moments of a policy's value: with x and y the chances of its two pairs to go to state 1, its value is
 * r_0 times the expected steps in state 0 plus r_1 times those in state 1.
 */
static void brute_value(const brute *zero, const brute *one, double *mean, double *square) {
    *mean = *square = 0.0;
    for (int i = 0; i < GRID; i++)
        for (int j = 0; j < GRID; j++) {
            double g = 0.7, x = grid_p(i), y = grid_p(j), weight = zero->chance[i] * one->chance[j];
            double determinant = (1.0 - g * (1.0 - x)) * (1.0 - g * y) - g * x * g * (1.0 - y);
            double steps_0 = (1.0 - g * y) / determinant, steps_1 = g * x / determinant;
            *mean += weight * (steps_0 * zero->mean + steps_1 * one->mean);
            *square += weight * (steps_0 * steps_0 * zero->square + 2.0 * steps_0 * steps_1 * zero->mean * one->mean +
                                 steps_1 * steps_1 * one->square);
        }
}

LAW(belief_of_a_tiny_process_is_that_of_brute_force) {
    posse_environment *e = environment_made(&tiny, 6);
    posse_def def = posse_environment_def(e);
    twin t;
    step steps[8 * STEPS_MAX];
    int count = 0;
    twin_open(&t, &def, NULL);
    for (int n = 0; n < 8; n++) {
        posse_decision d = {.arm = n % 4};
        double reward = posse_environment_reward(e, &d);
        d.point = environment_episode(e);
        twin_learn(&t, &d, reward);
        for (int k = 0, last = posse_episode_steps(d.point) - 1; k <= last; k++) {
            int at = posse_episode_state(d.point, k);
            steps[count++] = (step){2 * at + (d.arm >> at & 1), k < last ? posse_episode_state(d.point, k + 1) : -1,
                                    posse_episode_reward(d.point, k)};
        }
    }
    static brute pairs[4];
    for (int pair = 0; pair < 4; pair++) {
        brute_transitions(steps, count, pair, &pairs[pair]);
        brute_rewards(steps, count, pair, &pairs[pair]);
    }
    moments first[4] = {0}, second[4] = {0};
    for (int n = 0; n < DRAWS; n++) {
        twin_draw(&t);
        for (int policy = 0; policy < 4; policy++) {
            moments_add(&first[policy], t.world[policy]);
            moments_add(&second[policy], t.world[policy] * t.world[policy]);
        }
    }
    for (int policy = 0; policy < 4; policy++) {
        double mean, square;
        brute_value(&pairs[policy & 1], &pairs[2 + (policy >> 1 & 1)], &mean, &square);
        print_message("policy %d: mean %.4f, brute force %.4f; mean square %.4f, brute force %.4f (%d steps)\n", policy,
                      moments_mean(&first[policy]), mean, moments_mean(&second[policy]), square, count);
        assert_mean(&first[policy], mean);
        assert_mean(&second[policy], square);
    }
    twin_close(&t);
    posse_environment_free(e);
}

/* `add_mean` is the value in the process of the posterior means. */
LAW(mean_of_an_mdp_belief_is_that_of_the_mean_process) {
    posse_environment *e = environment_made(&world, 7);
    posse_def def = posse_environment_def(e);
    twin t;
    sums s = {0};
    twin_open(&t, &def, NULL);
    play_episodes(&t, e, 20, &s);
    const process_shape shape = {.states = 3, .actions = 2, .policies = 8, .start = 1, .discount = 0.8};
    process mean;
    for (int pair = 0; pair < PAIRS; pair++) {
        const double *prior = prior_transitions + STATES * pair;
        double total = 0.0;
        for (int to = 0; to < STATES; to++) total += prior[to] + s.transitions[pair][to];
        for (int to = 0; to < STATES; to++)
            mean.transitions[STATES * pair + to] = (prior[to] + s.transitions[pair][to]) / total;
        mean.rewards[pair] = batch_of(&s, pair).mean;
    }
    double sum[8];
    for (int i = 0; i < 8; i++) sum[i] = 7.0;
    belief_add_mean(&t.belief, t.state, -2.0, sum);
    for (int policy = 0; policy < 8; policy++)
        assert_close(sum[policy], 7.0 - 2.0 * iterated_value(&shape, &mean, policy), 1e-11);
    twin_close(&t);
    posse_environment_free(e);
}

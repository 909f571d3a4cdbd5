/* SPDX-License-Identifier: MIT */
/*
 * The charges and choices of B-MS with patience, compared with a slow version of the rule, with Thompson sampling, and
 * with the truth of simulations.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "menagerie.h"
#include "patience.h"

/* ----------------------------------------- a slow version of the rule ------------------------------------------ */

#define ROUNDS 10000
#define CREW_CAP 14
#define ARMS_CAP 8

/* A play and its weight. */
typedef struct episode {
    int learner, arm;
    double weight; /* a power of two */
} episode;

/*
 * The slow rule stores every play, and computes counts, regrets and divisors anew for each choice. It shares only the
 * draws of worlds and of ties with the library.
 */
typedef struct slow_rule {
    patience_rule rule;
    twin belief;
    posse_draw ties;
    int count, batch, batch_left, current, dim;
    bool active[CREW_CAP];
    double weight; /* of the next play */
    int length;
    episode episodes[ROUNDS];

    /* At the latest choice: the weighted plays of each learner, in total and by arm, and the results from them. */
    double plays[CREW_CAP], counts[CREW_CAP][ARMS_CAP];
    long double divisor[CREW_CAP], charge[CREW_CAP];
    int best;
    double probability;

    /* Counts of what the test has met. */
    int ties_seen, doubtful;
    long double largest_divisor;
} slow_rule;

static long double crowd(const slow_rule *s) {
    long double count = 0.0L;
    for (int i = 0; i < s->count; i++) count += s->active[i];
    return count;
}

static void recount(slow_rule *s) {
    memset(s->plays, 0, sizeof s->plays);
    memset(s->counts, 0, sizeof s->counts);
    for (int k = 0; k < s->length; k++) {
        const episode *e = &s->episodes[k];
        s->plays[e->learner] += e->weight;
        s->counts[e->learner][e->arm] += e->weight;
    }
    for (int i = 0; i < s->count; i++) {
        s->divisor[i] = patience_divisor(s->rule, s->dim, crowd(s), s->weight, s->plays[i]);
        if (s->active[i]) s->largest_divisor = fmaxl(s->largest_divisor, s->divisor[i]);
    }
}

/* Computes the charges in the world drawn. */
static void take_charges(slow_rule *s) {
    long double values[ARMS_CAP];
    int arms = s->belief.space->arms;
    for (int a = 0; a < arms; a++) values[a] = twin_value(&s->belief, a, posse_space_point(s->belief.space, a));
    for (int i = 0; i < s->count; i++) {
        long double regret = 0.0L;
        for (int a = 0; a < arms; a++) regret += s->counts[i][a] * (values[s->best] - values[a]);
        s->charge[i] = s->active[i] ? regret / s->divisor[i] : INFINITY;
    }
}

/* Adds a learner, which has no plays yet. */
static void slow_admit(slow_rule *s) {
    assert_true(s->count < CREW_CAP);
    s->active[s->count] = true;
    s->count++;
    s->batch_left = 0;
}

static void slow_retire(slow_rule *s, int learner) {
    s->active[learner] = false;
    if (s->current == learner) s->batch_left = 0;
}

static void slow_played(slow_rule *s, const posse_decision *d) {
    s->episodes[s->length++] = (episode){d->learner, d->arm, s->weight};
    s->weight = fmax(s->weight, (double)play_weight(s->rule, s->dim, crowd(s), s->length));
    s->batch_left--;
}

static void slow_open(slow_rule *s, patience_rule r, const posse_def *def, int batch) {
    memset(s, 0, sizeof *s);
    s->rule = r;
    s->batch = batch;
    s->weight = 1.0;
    twin_open(&s->belief, def, NULL);
    s->dim = s->belief.belief.shape.dim;
    draw_open(&s->ties, def->seed, def->run, stream_named(STREAM_TIES, NULL), 0);
    for (int i = 0; i < def->learner_count; i++) slow_admit(s);
}

/* A bound on the rounding error of a charge. The coordinates of the arms here lie on the grid of the records. */
static long double rounding(const slow_rule *s, int i) {
    if (s->belief.belief.shape.one_hot) return 1e-13L * s->charge[i];
    long double size = 0.0L;
    for (int j = 0; j < s->dim; j++) size += fabsl(s->belief.world[j]);
    return 1e-13L * s->charge[i] + 1e-15L * s->plays[i] * size / s->divisor[i];
}

/* Whether exact charges are equal: all plays except those of the best arm are, and the divisors are, unless the
 * regret is 0. */
static bool tie_on_paper(const slow_rule *s, int one, int other) {
    bool other_plays = false;
    for (int a = 0; a < s->belief.space->arms; a++) {
        if (a == s->best) continue;
        if (s->counts[one][a] != s->counts[other][a]) return false;
        other_plays = other_plays || s->counts[one][a] != 0.0;
    }
    return !other_plays || s->divisor[one] == s->divisor[other];
}

static int first_unplayed(const slow_rule *s) {
    for (int i = 0; i < s->count; i++)
        if (s->active[i] && s->plays[i] == 0.0) return i;
    return -1;
}

/*
 * One of the learners with the least charge, at random. If charges are nearly equal but not exactly, rounding may
 * decide. Then it returns -1, and any learner in `near` is right.
 */
static int least_charged(slow_rule *s, bool near[CREW_CAP]) {
    int least = 0, tied = 0;
    bool clear = true, same[CREW_CAP];
    for (int i = 1; i < s->count; i++)
        if (s->charge[i] < s->charge[least]) least = i;
    for (int i = 0; i < s->count; i++) {
        same[i] = s->active[i] && tie_on_paper(s, i, least);
        near[i] = s->active[i] && s->charge[i] - s->charge[least] <= rounding(s, i) + rounding(s, least);
        tied += same[i];
        clear = clear && same[i] == near[i];
    }
    if (!clear) return -1;
    s->probability = 1.0 / tied;
    s->ties_seen += tied > 1;
    uint64_t rank = tied > 1 ? posse_draw_index(&s->ties, (uint64_t)tied) : 0;
    for (int i = 0; i < s->count; i++)
        if (same[i] && rank-- == 0) return i;
    return -1;
}

static void check_potentials(const slow_rule *s, const posse *p) {
    double potentials[CREW_CAP];
    assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
    for (int i = 0; i < s->count; i++) {
        if (!s->active[i]) assert_true(potentials[i] == INFINITY);
        if (!s->active[i]) continue;
        double tolerance = (double)(1e-9L * s->charge[i] + rounding(s, i));
        assert_that(fabs(potentials[i] - (double)s->charge[i]) <= tolerance,
                    "patience %g, round %d: learner %d is charged %.17g, by its history %.17Lg", s->rule.patience,
                    s->length, i, potentials[i], s->charge[i]);
    }
}

/* The decision of the posse must be that of the rule. */
static void check_decision(slow_rule *s, const posse *p, const posse_decision *d) {
    bool near[CREW_CAP] = {false}, chooses = s->batch_left == 0;
    if (chooses) recount(s);
    int unplayed = chooses ? first_unplayed(s) : s->current, expected = unplayed;
    if (chooses) s->probability = 1.0;
    if (unplayed < 0) {
        s->best = twin_draw(&s->belief);
        take_charges(s);
        check_potentials(s, p);
        expected = least_charged(s, near);
    }
    if (expected < 0) {
        assert_true(near[d->learner]);
        if (d->probability < 1.0) posse_draw_index(&s->ties, (uint64_t)lrint(1.0 / d->probability));
        s->probability = d->probability;
        s->doubtful++;
        expected = d->learner;
    }
    assert_that(d->learner == expected && d->probability == s->probability,
                "patience %g, commitment %g, forgetting %d, round %d: chose %d with %g, not %d with %g",
                s->rule.patience, s->rule.commitment, s->rule.forgets, s->length, d->learner, d->probability, expected,
                s->probability);
    if (chooses) s->batch_left = s->batch;
    s->current = expected;
}

/* --------------------------------------------- posses that use it ---------------------------------------------- */

static const double grid_points[] = {0.90625, 0.125,   0.03125, -0.4375, 0.8125, 0.21875, 0.09375,
                                     -0.1875, 0.75,    0.53125, 0.46875, 0.5,    -0.0625, -0.90625,
                                     0.15625, 0.28125, 0.0,     -0.8125, 0.875,  0.15625, 0.0625};
static const posse_part grid_world = {.kind = "linear",
                                      .options = {NUMBER("dim", 3), LIST("arms.points", grid_points)}};

static const posse_part separate_crew[] = {
    {.kind = "ucb", .options = {NUMBER("width", 2.0)}},
    {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 0.3)}},
    {.kind = "ucb", .options = {NUMBER("width", 0.1)}},
    {.kind = "fixed", .options = {NUMBER("arm", 1)}},
    {.kind = "thompson"},
    {.kind = "ucb", .options = {NUMBER("width", 0.5)}},
    {.kind = "fixed", .options = {NUMBER("arm", 0)}},
};
static const posse_part linear_crew[] = {
    {.kind = "linear-thompson"},
    {.kind = "linear-ucb"},
    {.kind = "ucb"},
    {.kind = "fixed", .options = {NUMBER("arm", 3)}},
    {.kind = "thompson"},
    {.kind = "linear-thompson", .options = {NUMBER("width", 0.0)}},
};

typedef struct stage {
    const char *name;
    const posse_part *environment, *crew;
    int crew_count;
} stage;

static const stage stages[] = {
    {"gaussian", &gaussian_world, separate_crew, LENGTH(separate_crew)},
    {"beta", &bernoulli_world, separate_crew, LENGTH(separate_crew)},
    {"linear", &grid_world, linear_crew, LENGTH(linear_crew)},
};

/* The rounds before which learners are added and retired, and how many. Random ones retire. With more than 8
 * learners the selector needs more places. */
static const struct {
    int round, come, go;
} changes[] = {{150, 1, 0},  {151, 1, 1},  {800, 2, 0},  {801, 0, 1},  {1700, 0, 1}, {2600, 3, 0},
               {3900, 0, 2}, {5000, 2, 1}, {6500, 0, 3}, {8000, 2, 0}, {9000, 0, 2}};

typedef struct late {
    posse_decision decision;
    double reward;
} late;

typedef struct life {
    posse *p;
    posse_environment *e;
    const stage *stage;
    slow_rule *twin;
    uint64_t source;
    late open[OPEN_MAX];
    int open_count;
} life;

static void change_crew(life *l) {
    for (int k = 0; k < LENGTH(changes); k++) {
        if (changes[k].round != l->twin->length) continue;
        for (int n = 0; n < changes[k].come; n++) {
            int kind = (int)random_below(&l->source, (uint64_t)l->stage->crew_count);
            assert_int_equal(posse_learner_add(l->p, &l->stage->crew[kind], NULL), POSSE_OK);
            slow_admit(l->twin);
        }
        for (int n = 0; n < changes[k].go;) {
            int who = (int)random_below(&l->source, (uint64_t)l->twin->count);
            if (!posse_learner_active(l->p, who)) continue;
            assert_int_equal(posse_learner_retire(l->p, who), POSSE_OK);
            slow_retire(l->twin, who);
            n++;
        }
    }
}

static void hear(life *l, const late *what) {
    assert_int_equal(posse_learn(l->p, what->decision.id, what->reward), POSSE_OK);
    twin_learn(&l->twin->belief, &what->decision, what->reward);
}

/* Most rewards come at once, some late and in any order, some never. */
static void reward(life *l, const posse_decision *d) {
    late now = {*d, posse_environment_reward(l->e, d)};
    uint64_t fate = random_below(&l->source, 100);
    if (fate < 5)
        assert_int_equal(posse_forget(l->p, d->id), POSSE_OK);
    else if (fate < 25 && l->open_count < OPEN_MAX)
        l->open[l->open_count++] = now;
    else
        hear(l, &now);
    if (l->open_count == 0 || random_below(&l->source, 100) >= 20) return;
    int at = (int)random_below(&l->source, (uint64_t)l->open_count);
    now = l->open[at];
    l->open[at] = l->open[--l->open_count];
    hear(l, &now);
}

/* Returns the number of decisions in which rounding may decide. */
static int live(const stage *stage_, patience_rule r, int batch, uint64_t seed, int *ties) {
    life l = {.e = environment_made(stage_->environment, seed), .stage = stage_, .source = seed};
    posse_def def = posse_environment_def(l.e);
    posse_part crew[] = {stage_->crew[0], stage_->crew[1], stage_->crew[2]};
    def.selector = with_option(bms_with(r), (posse_option)NUMBER("batch", batch));
    def.learners = crew;
    def.learner_count = 3;
    l.p = posse_made(&def);
    l.twin = malloc(sizeof *l.twin);
    assert_non_null(l.twin);
    slow_open(l.twin, r, &def, batch);
    while (l.twin->length < ROUNDS) {
        change_crew(&l);
        posse_decision d = decided(l.p);
        check_decision(l.twin, l.p, &d);
        slow_played(l.twin, &d);
        reward(&l, &d);
    }
    int doubtful = l.twin->doubtful;
    *ties += l.twin->ties_seen;
    assert_true(l.twin->largest_divisor > 4.0L);
    assert_true(l.twin->weight >= (r.forgets ? 4.0 : 1.0));
    twin_close(&l.twin->belief);
    free(l.twin);
    posse_free(l.p);
    posse_environment_free(l.e);
    return doubtful;
}

/* Every choice is compared, with learners that are added and retired, and rewards that come late or never. */
LAW(charges_and_choices_are_the_rule) {
    for (int s = 0; s < LENGTH(stages); s++) {
        int doubtful = 0, ties = 0;
        for (int k = 0; k < LENGTH(patience_rules); k++)
            doubtful += live(&stages[s], patience_rules[k], k % 4 == 3 ? 3 : 1, (uint64_t)(100 * s + k), &ties);
        print_message("%s: %d ties, %d choices left to rounding\n", stages[s].name, ties, doubtful);
        assert_true(ties > 100);
        assert_that(doubtful <= 10, "%s: %d choices are left to rounding", stages[s].name, doubtful);
    }
}

/* --------------------------------------------- Thompson sampling ----------------------------------------------- */

static posse *one_fixed_learner_per_arm(const posse_environment *e, const posse_part *selector) {
    posse_def def = posse_environment_def(e);
    posse_part learners[32];
    assert_true(def.arms <= 32);
    for (int a = 0; a < def.arms; a++) learners[a] = (posse_part){.kind = "fixed", .options = {NUMBER("arm", a)}};
    def.selector = *selector;
    def.learners = learners;
    def.learner_count = def.arms;
    return posse_made(&def);
}

#define THOMPSON_ROUNDS 4000

static void play_thompson(posse_environment *e, int32_t *arms) {
    posse_def def = posse_environment_def(e);
    twin t;
    twin_open(&t, &def, NULL);
    for (int n = 0; n < THOMPSON_ROUNDS; n++) {
        posse_decision d = {.arm = n < def.arms ? n : twin_draw(&t)};
        d.point = posse_space_point(t.space, d.arm);
        arms[n] = d.arm;
        twin_learn(&t, &d, posse_environment_reward(e, &d));
    }
    twin_close(&t);
}

/* The best arm of the world has regret 0, whatever the divisor. */
LAW(over_fixed_arms_patience_changes_nothing) {
    static const posse_part *const envs[] = {&gaussian_world, &bernoulli_world, &lock_world, &linear_world,
                                             &grid_world};
    static int32_t expected[THOMPSON_ROUNDS], arms[THOMPSON_ROUNDS];
    for (int w = 0; w < LENGTH(envs); w++)
        for (uint32_t run = 0; run < 3; run++) {
            posse_environment *e = environment_made(envs[w], 5 + run);
            play_thompson(e, expected);
            for (int k = -1; k < LENGTH(patience_rules); k++) {
                posse_part selector = k < 0 ? (posse_part){.kind = "bms"} : bms_with(patience_rules[k]);
                posse *p = one_fixed_learner_per_arm(e, &selector);
                posse_environment_begin(e, 0);
                assert_int_equal(posse_play(p, e, THOMPSON_ROUNDS, &(posse_trace){.arms = arms}), POSSE_OK);
                assert_memory_equal(arms, expected, sizeof arms);
                posse_free(p);
            }
            posse_environment_free(e);
        }
}

/* --------------------------------------------- choices and the truth ------------------------------------------- */

#define TRUTH_ARMS 3
#define TRUTH_CREW 3
static const int looked_at[] = {4, 12, 25, 40, 80, 160}; /* rounds played before */

typedef struct ledger {
    double counts[TRUTH_CREW][TRUTH_ARMS], plays[TRUTH_CREW];
} ledger;

/* The learners with the least charge in the true world; k tied learners have a share of 1/k each. Without the
 * divisor it is the paper's charge. */
static void true_shares(const ledger *l, const double *means, patience_rule r, bool divided, int round,
                        double *shares) {
    double charges[TRUTH_CREW] = {0}, least = INFINITY, tied = 0.0, best = fmax(fmax(means[0], means[1]), means[2]);
    long double weight = play_weight(r, TRUTH_ARMS, TRUTH_CREW, round);
    for (int i = 0; i < TRUTH_CREW; i++) {
        for (int a = 0; a < TRUTH_ARMS; a++) charges[i] += l->counts[i][a] * (best - means[a]);
        if (divided) charges[i] /= (double)patience_divisor(r, TRUTH_ARMS, TRUTH_CREW, weight, l->plays[i]);
        least = fmin(least, charges[i]);
    }
    for (int i = 0; i < TRUTH_CREW; i++) tied += charges[i] == least;
    for (int i = 0; i < TRUTH_CREW; i++) shares[i] = charges[i] == least ? 1.0 / tied : 0.0;
}

/* One short run: adds chosen - share of each learner, at each of the rounds in `looked_at`, to its cell. */
static void compare_with_truth(posse *p, posse_environment *e, uint32_t run, patience_rule r, bool divided,
                               moments *cells) {
    ledger l = {0};
    double means[TRUTH_ARMS], shares[TRUTH_CREW];
    run_begin(p, e, run);
    posse_environment_means(e, means);
    for (int n = 0, look = 0; look < LENGTH(looked_at); n++) {
        posse_decision d;
        assert_int_equal(run_round(p, e, &d), POSSE_OK);
        double weight = (double)play_weight(r, TRUTH_ARMS, TRUTH_CREW, n);
        if (n == looked_at[look]) {
            true_shares(&l, means, r, divided, n, shares);
            for (int i = 0; i < TRUTH_CREW; i++)
                moments_add(&cells[look * TRUTH_CREW + i], (d.learner == i) - shares[i]);
            look++;
        }
        l.counts[d.learner][d.arm] += weight;
        l.plays[d.learner] += weight;
    }
}

/* The largest |z| of the cells in which chosen and share differ often enough for the normal approximation. */
static double worst_against_truth(const posse_part *environment, patience_rule r, bool divided) {
    static const posse_part crew[] = {{.kind = "ucb", .options = {NUMBER("width", 0.01)}},
                                      {.kind = "ucb", .options = {NUMBER("width", 1)}},
                                      {.kind = "ucb", .options = {NUMBER("width", 5)}}};
    posse_environment *e = environment_made(environment, 7);
    posse_def def = posse_environment_def(e);
    def.selector = bms_with(r);
    def.learners = crew;
    def.learner_count = TRUTH_CREW;
    posse *p = posse_made(&def);
    moments cells[LENGTH(looked_at) * TRUTH_CREW] = {0};
    for (uint32_t run = 0; run < 20000 * law_effort(); run++) compare_with_truth(p, e, run, r, divided, cells);
    double worst = 0.0;
    for (int c = 0; c < LENGTH(cells); c++)
        if (cells[c].squares > 50.0) worst = fmax(worst, fabs(moments_z(&cells[c], 0.0)));
    posse_free(p);
    posse_environment_free(e);
    return worst;
}

/* If the belief is right then, given the past, the world drawn and the true one have the same distribution, and so
 * have the choices. */
LAW(choices_match_the_truth_in_the_charge_that_decides) {
    static const posse_part envs[] = {{.kind = "gaussian", .options = {NUMBER("arms", TRUTH_ARMS)}},
                                      {.kind = "bernoulli", .options = {NUMBER("arms", TRUTH_ARMS)}}};
    static const patience_rule tried[] = {{0, 1, false}, {5, 0, false}, {5, 1, true}};
    for (int w = 0; w < LENGTH(envs); w++)
        for (int k = 0; k < LENGTH(tried); k++) {
            double right = worst_against_truth(&envs[w], tried[k], true);
            double wrong = worst_against_truth(&envs[w], tried[k], false);
            print_message("%s, patience %g, forgetting %d: worst |z| %.2f, by undivided regret %.1f\n", envs[w].kind,
                          tried[k].patience, tried[k].forgets, right, wrong);
            assert_that(right < Z_MAX, "worst |z| = %.2f", right);
            assert_that(wrong > 8.0 * sqrt(law_effort()), "undivided regrets go unnoticed, worst |z| = %.2f", wrong);
        }
}

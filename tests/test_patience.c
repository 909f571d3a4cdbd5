/* SPDX-License-Identifier: MIT */
/*
 * B-MS with patience, held against its formulas written out slowly, against Algorithm 1, against Thompson sampling, and
 * against the truth of simulations.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "menagerie.h"
#include "posse/recipe.h"

/* ---------------------------------------------------- rules ---------------------------------------------------- */

typedef struct rule {
    double patience, commitment;
    bool forgets;
} rule;

static const rule rules[] = {
    {0, 1, false},   {5, 1, false},   {40, 1, false},   {0, 0, false}, {5, 0, false}, {40, 0, false},
    {0, 0.5, false}, {5, 0.5, false}, {40, 0.5, false}, {0, 1, true},  {5, 1, true},  {40, 0, true},
};

static posse_part bms_with(rule r) {
    return (posse_part){.kind = "bms",
                        .options = {NUMBER("patience", r.patience), NUMBER("commitment", r.commitment),
                                    NUMBER("forgetting", r.forgets)}};
}

/* b, the plays that a learner may have before it is judged by its rate. */
static long double allowance(rule r, int dim, long double learners) {
    return dim * fmaxl(2.0L, r.patience / learners);
}

/* omega, what a play counts after so many rounds. */
static long double play_weight(rule r, int dim, long double learners, long double rounds) {
    long double x = rounds / (dim * fmaxl(2.0L * learners, r.patience));
    return !r.forgets || x <= 1.0L ? 1.0L : exp2l(floorl((log2l(x) + 1.0L) / 2.0L));
}

/* What a regret is divided by. plays: the sum of what they count. */
static long double divisor(rule r, int dim, long double learners, long double weight, long double plays) {
    long double ratio = fmaxl(1.0L, plays / (weight * allowance(r, dim, learners))), s = sqrtl(ratio);
    return r.forgets ? powl(ratio, 0.75L) : s * (1.0L + r.commitment * logl(s));
}

/* The two functions for those who compute charges anew are the formulas, too. */
LAW(shares_and_weights_are_the_formulas) {
    for (int k = 0; k < LENGTH(rules); k++)
        for (int learners = 1; learners <= 6; learners++) {
            posse_def def = habitat_def(&habitats[ARMS_5]);
            posse_part crew[6];
            for (int i = 0; i < learners; i++) crew[i] = (posse_part){.kind = "ucb"};
            def.selector = bms_with(rules[k]);
            def.learners = crew;
            def.learner_count = learners;
            posse *p = posse_made(&def);
            for (double rounds = 0; rounds < 1e6; rounds = floor(rounds * 1.07) + 1) {
                long double weight = play_weight(rules[k], 5, learners, rounds);
                assert_true(posse_play_weight(p, rounds) == (double)weight);
                for (double plays = 0; plays <= weight * rounds; plays = 3 * plays + 1) {
                    double share = (double)(1.0L / divisor(rules[k], 5, learners, weight, plays));
                    assert_close(posse_charge_share(p, rounds, plays), share, 1e-14 * share);
                }
            }
            posse_free(p);
        }
}

/* The rounds at which a play begins to count twice are whole numbers, and not one of them is missed by rounding. */
LAW(weights_double_in_the_round_that_they_should) {
    for (int arms = 1; arms <= 32; arms++)
        for (int learners = 1; learners <= 12; learners++)
            for (double patience = 5.0; patience <= 80.0; patience *= 2.0) {
                posse_part crew[12];
                for (int i = 0; i < learners; i++) crew[i] = (posse_part){.kind = "ucb"};
                posse_def def = posse_default_def();
                def.arms = arms;
                def.prior = (posse_part){.kind = "gaussian"};
                def.selector = bms_with((rule){patience, 1, true});
                def.learners = crew;
                def.learner_count = learners;
                posse *p = posse_made(&def);
                double first = 2.0 * arms * fmax(patience, 2.0 * learners);
                for (double weight = 2.0; weight <= 16.0; weight *= 2.0, first *= 4.0) {
                    assert_true(posse_play_weight(p, first - 1.0) == weight / 2.0);
                    assert_true(posse_play_weight(p, first) == weight);
                }
                posse_free(p);
            }
}

/* --------------------------------------------- the rule, written slowly ---------------------------------------- */

#define ROUNDS 10000
#define CREW_CAP 14
#define ARMS_CAP 8

/* A play, and what it counts. */
typedef struct episode {
    int learner, arm;
    double weight; /* a power of two */
} episode;

/*
 * It keeps every play, and takes counts, regrets and divisors of them anew for each choice. The draws of worlds and
 * of ties are all that it has of the library.
 */
typedef struct slow_rule {
    rule rule;
    twin belief;
    posse_draw ties;
    int count, batch, batch_left, current, dim;
    bool active[CREW_CAP];
    double weight; /* of the next play */
    int length;
    episode episodes[ROUNDS];

    /* At the latest choice: the plays of each learner, weighed, also arm by arm; and what is made of them. */
    double plays[CREW_CAP], counts[CREW_CAP][ARMS_CAP];
    long double divisor[CREW_CAP], charge[CREW_CAP];
    int best;
    double probability;

    /* What has been seen. */
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
        s->divisor[i] = divisor(s->rule, s->dim, crowd(s), s->weight, s->plays[i]);
        if (s->active[i]) s->largest_divisor = fmaxl(s->largest_divisor, s->divisor[i]);
    }
}

/* In the world drawn. */
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

/* A newcomer has no plays yet. */
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

static void slow_open(slow_rule *s, rule r, const posse_def *def, int batch) {
    memset(s, 0, sizeof *s);
    s->rule = r;
    s->batch = batch;
    s->weight = 1.0;
    twin_open(&s->belief, def, NULL);
    s->dim = s->belief.belief.shape.dim;
    draw_open(&s->ties, def->seed, def->run, stream_named(STREAM_TIES, NULL), 0);
    for (int i = 0; i < def->learner_count; i++) slow_admit(s);
}

/* What rounding may have done to a charge. The coordinates of the arms here lie on the grid of the records. */
static long double rounding(const slow_rule *s, int i) {
    if (s->belief.belief.shape.one_hot) return 1e-13L * s->charge[i];
    long double size = 0.0L;
    for (int j = 0; j < s->dim; j++) size += fabsl(s->belief.world[j]);
    return 1e-13L * s->charge[i] + 1e-15L * s->plays[i] * size / s->divisor[i];
}

/* Whether charges are the same on paper: all plays but those of the best arm, and the divisors, are. */
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
 * One of the learners that are charged least, at random. Where charges are nearly but not on paper the same, rounding
 * may decide as it likes: -1, and any of `near` will do.
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

/* The decision that the posse has taken is the one that the rule takes. */
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

/* ------------------------------------------- posses that live with it ------------------------------------------ */

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

/* Before which rounds learners come and go; who goes is left to chance. Past 8 the selector needs more places. */
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

/* Returns how many decisions were left to rounding. */
static int live(const stage *stage_, rule r, int batch, uint64_t seed, int *ties) {
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

/* Choice by choice, with newcomers, learners that leave, and rewards that come late or never. */
LAW(charges_and_choices_are_the_rule) {
    for (int s = 0; s < LENGTH(stages); s++) {
        int doubtful = 0, ties = 0;
        for (int k = 0; k < LENGTH(rules); k++)
            doubtful += live(&stages[s], rules[k], k % 4 == 3 ? 3 : 1, (uint64_t)(100 * s + k), &ties);
        print_message("%s: %d ties, %d choices left to rounding\n", stages[s].name, ties, doubtful);
        assert_true(ties > 100);
        assert_that(doubtful <= 10, "%s: %d choices are left to rounding", stages[s].name, doubtful);
    }
}

/* ----------------------------------------------- Algorithm 1 --------------------------------------------------- */

static size_t recipe_length(const posse_part *recipe) {
    writer nowhere = {NULL, 0};
    recipe_write(&nowhere, recipe);
    return nowhere.length;
}

/* All that is saved of two posses but for the selector's recipe: what comes before it, and what comes behind. */
static void assert_same_but_for_the_recipe(const posse *plain, const posse *other) {
    saved a = saved_from(plain), b = saved_from(other);
    size_t points = (size_t)(plain->space->arms * plain->space->dim) * sizeof(double);
    size_t before = 5 * sizeof(uint64_t) + points + recipe_length(&plain->prior); /* seed, run, rounds, arms, dim, .. */
    size_t behind_a = SAVED_HEADER + before + recipe_length(&plain->selector_recipe);
    size_t behind_b = SAVED_HEADER + before + recipe_length(&other->selector_recipe);
    assert_memory_equal(a.bytes + SAVED_HEADER, b.bytes + SAVED_HEADER, before);
    assert_int_equal(a.length - behind_a, b.length - behind_b);
    assert_memory_equal(a.bytes + behind_a, b.bytes + behind_b, a.length - behind_a);
    assert_true(b.length > a.length && a.length - behind_a > plain->selector.part.state_size);
    saved_drop(&a);
    saved_drop(&b);
}

LAW(endless_patience_is_algorithm_1) {
    static const rule variants[] = {{INFINITY, 1, false}, {INFINITY, 0.25, false}, {INFINITY, 0, true}};
    for (int h = 0; h < HABITATS; h++)
        for (int k = 0; k < LENGTH(variants); k++) {
            posse_part crew[TEAM_MAX], plain = selector_part("bms", k % 2, 1 + h % 2);
            posse_part endless = with_option(plain, (posse_option)WORD("patience", "endless"));
            endless = with_option(endless, (posse_option)NUMBER("commitment", variants[k].commitment));
            endless = with_option(endless, (posse_option)NUMBER("forgetting", variants[k].forgets));
            habitat_team(&habitats[h], crew);
            parade r;
            parade_begin(&r, &habitats[h], habitat_posse(&habitats[h], plain), (uint64_t)(h + 1));
            r.marchers[r.count++] = habitat_posse(&habitats[h], endless);
            parade_march(&r, 500);
            for (int i = 0; i < r.count; i++) {
                assert_int_equal(posse_learner_add(r.marchers[i], &crew[1], NULL), POSSE_OK);
                assert_int_equal(posse_learner_retire(r.marchers[i], 0), POSSE_OK);
            }
            parade_march(&r, 1000);
            assert_same_but_for_the_recipe(r.marchers[0], r.marchers[1]);
            parade_leave(&r);
        }
}

static uint64_t most_plays(const posse *p) {
    uint64_t plays[TEAM_MAX], most = 0;
    assert_int_equal(posse_plays(p, plays), POSSE_OK);
    for (int i = 0; i < posse_learner_count(p); i++) most = plays[i] > most ? plays[i] : most;
    return most;
}

/* The next charges of both: the same of those who have had no more than b plays, less of the others. */
static void patience_is_over(posse *plain, posse *patient, long double b) {
    double before[TEAM_MAX], after[TEAM_MAX];
    uint64_t plays[TEAM_MAX];
    assert_int_equal(posse_plays(plain, plays), POSSE_OK);
    decided(plain);
    decided(patient);
    assert_int_equal(posse_potentials(plain, before), POSSE_OK);
    assert_int_equal(posse_potentials(patient, after), POSSE_OK);
    for (int i = 0; i < posse_learner_count(plain); i++) {
        if (plays[i] <= b)
            assert_true(before[i] == after[i]);
        else
            assert_true(before[i] > 0.0 ? after[i] < before[i] : after[i] == before[i]);
    }
}

/* Until a learner has played more than b times: draw for draw, and charged to the bit. */
static void check_patience(const habitat *h, rule r) {
    parade parade_;
    parade_begin(&parade_, h, habitat_posse(h, (posse_part){.kind = "bms"}), 11);
    parade_.marchers[parade_.count++] = habitat_posse(h, bms_with(r));
    posse *plain = parade_.marchers[0], *patient = parade_.marchers[1];
    long double b = allowance(r, h->dim > 0 ? h->dim : h->arms, posse_learner_count(plain));
    double charges[2][TEAM_MAX];
    while (most_plays(plain) <= b) {
        parade_round(&parade_);
        assert_int_equal(posse_potentials(plain, charges[0]), POSSE_OK);
        assert_int_equal(posse_potentials(patient, charges[1]), POSSE_OK);
        assert_memory_equal(charges[0], charges[1], (size_t)posse_learner_count(plain) * sizeof(double));
    }
    patience_is_over(plain, patient, b);
    parade_leave(&parade_);
}

LAW(while_patience_lasts_it_is_algorithm_1) {
    for (int h = 0; h < HABITATS; h++) {
        for (int k = 0; k < LENGTH(rules); k++) check_patience(&habitats[h], rules[k]);
        check_patience(&habitats[h], (rule){1000, 1, false});
        check_patience(&habitats[h], (rule){1000, 1, true});
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

/* The best arm of the world has regret 0, by whatever that is divided. */
LAW(over_fixed_arms_patience_changes_nothing) {
    static const posse_part *const envs[] = {&gaussian_world, &bernoulli_world, &lock_world, &linear_world,
                                             &grid_world};
    static int32_t expected[THOMPSON_ROUNDS], arms[THOMPSON_ROUNDS];
    for (int w = 0; w < LENGTH(envs); w++)
        for (uint32_t run = 0; run < 3; run++) {
            posse_environment *e = environment_made(envs[w], 5 + run);
            play_thompson(e, expected);
            for (int k = -1; k < LENGTH(rules); k++) {
                posse_part selector = k < 0 ? (posse_part){.kind = "bms"} : bms_with(rules[k]);
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

/* Whose charge is least in truth; k tied learners count 1/k each. Undivided, it is the paper's charge. */
static void true_shares(const ledger *l, const double *means, rule r, bool divided, int round, double *shares) {
    double charges[TRUTH_CREW] = {0}, least = INFINITY, tied = 0.0, best = fmax(fmax(means[0], means[1]), means[2]);
    long double weight = play_weight(r, TRUTH_ARMS, TRUTH_CREW, round);
    for (int i = 0; i < TRUTH_CREW; i++) {
        for (int a = 0; a < TRUTH_ARMS; a++) charges[i] += l->counts[i][a] * (best - means[a]);
        if (divided) charges[i] /= (double)divisor(r, TRUTH_ARMS, TRUTH_CREW, weight, l->plays[i]);
        least = fmin(least, charges[i]);
    }
    for (int i = 0; i < TRUTH_CREW; i++) tied += charges[i] == least;
    for (int i = 0; i < TRUTH_CREW; i++) shares[i] = charges[i] == least ? 1.0 / tied : 0.0;
}

/* One short run: adds chosen - share of each learner, at each of the rounds looked at, to its cell. */
static void compare_with_truth(posse *p, posse_environment *e, uint32_t run, rule r, bool divided, moments *cells) {
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

/* The largest |z| of the cells in which chosen and share differ often enough for a normal law. */
static double worst_against_truth(const posse_part *environment, rule r, bool divided) {
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
    for (uint32_t run = 0; run < 20000; run++) compare_with_truth(p, e, run, r, divided, cells);
    double worst = 0.0;
    for (int c = 0; c < LENGTH(cells); c++)
        if (cells[c].squares > 50.0) worst = fmax(worst, fabs(moments_z(&cells[c], 0.0)));
    posse_free(p);
    posse_environment_free(e);
    return worst;
}

/* Given the past, the world drawn and the true one have the same law where the belief is right: so have the choices. */
LAW(choices_match_the_truth_in_the_charge_that_decides) {
    static const posse_part envs[] = {{.kind = "gaussian", .options = {NUMBER("arms", TRUTH_ARMS)}},
                                      {.kind = "bernoulli", .options = {NUMBER("arms", TRUTH_ARMS)}}};
    static const rule tried[] = {{0, 1, false}, {5, 0, false}, {5, 1, true}};
    for (int w = 0; w < LENGTH(envs); w++)
        for (int k = 0; k < LENGTH(tried); k++) {
            double right = worst_against_truth(&envs[w], tried[k], true);
            double wrong = worst_against_truth(&envs[w], tried[k], false);
            print_message("%s, patience %g, forgetting %d: worst |z| %.2f, by undivided regret %.1f\n", envs[w].kind,
                          tried[k].patience, tried[k].forgets, right, wrong);
            assert_that(right < Z_MAX, "worst |z| = %.2f", right);
            assert_that(wrong > 8.0, "undivided regrets go unnoticed, worst |z| = %.2f", wrong);
        }
}

/* ------------------------------------------------- options ----------------------------------------------------- */

static posse_error made_with(posse_option option, notes *log) {
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(&habitats[ARMS_5], with_option((posse_part){.kind = "bms"}, option), crew);
    posse *p;
    def.host.log = notes_logger(log);
    posse_error error = posse_create(&def, &p);
    posse_free(p);
    return error;
}

LAW(patience_is_a_number_or_endless) {
    static const double list[] = {1.0};
    notes silent = {0}, told = {0};
    assert_int_equal(made_with((posse_option)WORD("patience", "endless"), &silent), POSSE_OK);
    assert_int_equal(made_with((posse_option)NUMBER("patience", 0.0), &silent), POSSE_OK);
    assert_int_equal(made_with((posse_option)NUMBER("patience", 12.5), &silent), POSSE_OK);
    assert_int_equal(silent.count, 0);
    assert_int_equal(made_with((posse_option)WORD("patience", "forever"), &told), POSSE_ERROR_OPTION);
    assert_noted(&told, "selector.patience: \"forever\" is not among numbers and endless");
    assert_int_equal(made_with((posse_option)WORD("patience", "40"), &told), POSSE_ERROR_OPTION);
    assert_noted(&told, "\"40\" is not among numbers and endless");
    assert_int_equal(made_with((posse_option)NUMBER("patience", -1.0), &told), POSSE_ERROR_OPTION);
    assert_int_equal(made_with((posse_option)NUMBER("patience", INFINITY), &told), POSSE_ERROR_OPTION);
    assert_int_equal(made_with((posse_option)LIST("patience", list), &told), POSSE_ERROR_OPTION);
    assert_int_equal(made_with((posse_option)NUMBER("commitment", 1.5), &told), POSSE_ERROR_OPTION);
    assert_int_equal(made_with((posse_option)WORD("commitment", "endless"), &told), POSSE_ERROR_OPTION);
}

/* ---------------------------------------------- forged states -------------------------------------------------- */

/* Where the numbers of a state are, as src/selector/bms.c lays them out. */
enum { PLAYS = 1, SHARES = 3, SHARES_MOST = 4 };

static bool is_sane(const posse *p) {
    const chooser *c = &p->selector;
    return c->part.kind->sane(c->part.plan, c->state);
}

/* A number of the state is another, and that is found out. */
static void assert_found_out(posse *p, double *number, double forged) {
    double right = *number;
    assert_true(forged != right);
    *number = forged;
    bool sane = is_sane(p);
    *number = right;
    assert_that(!sane, "%.17g instead of %.17g is let in", forged, right);
    assert_true(is_sane(p));
}

static void forge_numbers(posse *p, int places) {
    double *state = p->selector.state, *plays = state + PLAYS * places, *share = state + SHARES * places;
    double *most = state + SHARES_MOST * places, *counters = state + (5 + 5) * places + 5; /* behind the world */
    static const double wrong_shares[] = {0.0, -0.5, 1.5, 1e-9, NAN, INFINITY};
    for (int i = 0; i < posse_learner_count(p); i++) {
        if (!posse_learner_active(p, i)) continue;
        for (int k = 0; k < LENGTH(wrong_shares); k++) assert_found_out(p, &share[i], wrong_shares[k]);
        assert_found_out(p, &share[i], nextafter(share[i], 0.0));
        assert_found_out(p, &most[i], 0.5 * share[i]);
        assert_found_out(p, &most[i], 2.0);
        assert_found_out(p, &most[i], NAN);
        assert_found_out(p, &plays[i], plays[i] + 5000.0);
    }
    const double learners = counters[0], all = counters[1], weight = counters[2];
    assert_found_out(p, &counters[0], learners + 1.0);
    assert_found_out(p, &counters[0], 0.0);
    assert_found_out(p, &counters[0], NAN);
    assert_found_out(p, &counters[1], all + 0.5);
    assert_found_out(p, &counters[1], 1.0);
    assert_found_out(p, &counters[1], 2.0 * 1e9);
    assert_found_out(p, &counters[1], NAN);
    assert_found_out(p, &counters[2], 1024.0 * weight);
    assert_found_out(p, &counters[2], 1.5 * weight);
    assert_found_out(p, &counters[2], 0.5);
    assert_found_out(p, &counters[2], NAN);
}

LAW(forged_patience_is_found_out) {
    static const rule forged[] = {{2, 1, false}, {2, 0, false}, {2, 1, true}};
    for (int k = 0; k < LENGTH(forged); k++) {
        posse *p = habitat_posse(&habitats[ARMS_5], bms_with(forged[k]));
        parade r;
        parade_begin(&r, &habitats[ARMS_5], p, 3);
        parade_march(&r, 1500);
        assert_int_equal(posse_learner_retire(p, 1), POSSE_OK);
        assert_int_equal(posse_learner_add(p, &(posse_part){.kind = "ucb", .name = "late"}, NULL), POSSE_OK);
        parade_march(&r, 200);
        forge_numbers(p, 8);
        parade_leave(&r);
    }
}

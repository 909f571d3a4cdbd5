/* SPDX-License-Identifier: MIT */
/*
 * B-MS with patience: shares and weights follow their formulas, the rule is Algorithm 1 while patience lasts, options
 * are checked, and forged states are rejected. Charges and choices are tested in test_charges.c.
 */
#include <math.h>
#include <string.h>

#include "menagerie.h"
#include "numeric/kernels.h"
#include "patience.h"

/* -------------------------------------------------- formulas --------------------------------------------------- */

/* posse_play_weight and posse_charge_share follow the formulas. */
LAW(shares_and_weights_are_the_formulas) {
    for (int k = 0; k < LENGTH(patience_rules); k++)
        for (int learners = 1; learners <= 6; learners++) {
            posse_def def = habitat_def(&habitats[ARMS_5]);
            posse_part crew[6];
            for (int i = 0; i < learners; i++) crew[i] = (posse_part){.kind = "ucb"};
            def.selector = bms_with(patience_rules[k]);
            def.learners = crew;
            def.learner_count = learners;
            posse *p = posse_made(&def);
            for (double rounds = 0; rounds < 1e6; rounds = floor(rounds * 1.07) + 1) {
                long double weight = play_weight(patience_rules[k], 5, learners, rounds);
                assert_true(posse_play_weight(p, rounds) == (double)weight);
                for (double plays = 0; plays <= weight * rounds; plays = 3 * plays + 1) {
                    double share = (double)(1.0L / patience_divisor(patience_rules[k], 5, learners, weight, plays));
                    assert_close(posse_charge_share(p, rounds, plays), share, 1e-14 * share);
                }
            }
            posse_free(p);
        }
}

/* The rounds in which the weight of a play doubles are whole numbers, and rounding shifts none of them. */
LAW(weights_double_in_the_round_that_they_should) {
    for (int arms = 1; arms <= 32; arms++)
        for (int learners = 1; learners <= 12; learners++)
            for (double patience = 5.0; patience <= 80.0; patience *= 2.0) {
                posse_part crew[12];
                for (int i = 0; i < learners; i++) crew[i] = (posse_part){.kind = "ucb"};
                posse_def def = posse_default_def();
                def.arms = arms;
                def.prior = (posse_part){.kind = "gaussian"};
                def.selector = bms_with((patience_rule){patience, 1, true});
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

/* ----------------------------------------------- Algorithm 1 --------------------------------------------------- */

/* Also if the defaults of the options that need patience are given. */
LAW(endless_patience_is_algorithm_1) {
    for (int h = 0; h < HABITATS_WITHOUT_FEATURES; h++)
        for (int k = 0; k < 2; k++) {
            posse_part crew[TEAM_MAX], plain = selector_part("bms", k % 2, 1 + h % 2);
            posse_part endless = with_option(plain, (posse_option)WORD("patience", "endless"));
            endless = with_option(endless, (posse_option)NUMBER("commitment", 1.0));
            endless = with_option(endless, (posse_option)NUMBER("forgetting", 0.0));
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
            assert_saved_alike(r.marchers[0], r.marchers[1]);
            parade_leave(&r);
        }
}

static uint64_t most_plays(const posse *p) {
    uint64_t plays[TEAM_MAX], most = 0;
    assert_int_equal(posse_plays(p, plays), POSSE_OK);
    for (int i = 0; i < posse_learner_count(p); i++) most = plays[i] > most ? plays[i] : most;
    return most;
}

/* The next charges of both posses: equal for learners with at most b plays, less for the others. */
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

/* Until a learner has played more than b times, both posses make the same draws and have the same charges, to the
 * bit. */
static void check_patience(const habitat *h, patience_rule r) {
    parade parade_;
    parade_begin(&parade_, h, habitat_posse(h, (posse_part){.kind = "bms"}), 11);
    parade_.marchers[parade_.count++] = habitat_posse(h, bms_with(r));
    posse *plain = parade_.marchers[0], *patient = parade_.marchers[1];
    long double b = allowance(r, h->dim > 0 && !h->unit ? h->dim : h->arms, posse_learner_count(plain));
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
    for (int h = 0; h < HABITATS_WITHOUT_FEATURES; h++) {
        for (int k = 0; k < LENGTH(patience_rules); k++) check_patience(&habitats[h], patience_rules[k]);
        check_patience(&habitats[h], (patience_rule){1000, 1, false});
        check_patience(&habitats[h], (patience_rule){1000, 1, true});
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

/* The positions of numbers in a state, as lib/selector/bms.c lays them out. */
enum { PLAYS = 1, SHARES = 3, COLUMNS = 4 };

static bool is_sane(const posse *p) {
    const chooser *c = &p->selector;
    return c->part.kind->sane(c->part.plan, c->state);
}

/* A forged number of the state is detected. */
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
    double *counters = state + (COLUMNS + 5) * places + 5; /* after the records of five arms and the world */
    static const double wrong_shares[] = {0.0, -0.5, 1.5, 1e-9, NAN, INFINITY};
    for (int i = 0; i < posse_learner_count(p); i++) {
        if (!posse_learner_active(p, i)) continue;
        for (int k = 0; k < LENGTH(wrong_shares); k++) assert_found_out(p, &share[i], wrong_shares[k]);
        assert_found_out(p, &share[i], nextafter(share[i], 0.0));
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
    static const patience_rule forged[] = {{2, 1, false}, {2, 0, false}, {2, 1, true}};
    for (int k = 0; k < LENGTH(forged); k++) {
        posse *p = habitat_posse(&habitats[ARMS_5], bms_with(forged[k]));
        parade r;
        parade_begin(&r, &habitats[ARMS_5], p, 3);
        parade_march(&r, 1500);
        assert_int_equal(posse_learner_retire(p, 1), POSSE_OK);
        assert_int_equal(posse_learner_add(p, &(posse_part){.kind = "ucb", .name = "late"}, NULL), POSSE_OK);
        parade_march(&r, 200);
        forge_numbers(p, (p->selector.places + KERNEL_LANES - 1) / KERNEL_LANES * KERNEL_LANES);
        parade_leave(&r);
    }
}

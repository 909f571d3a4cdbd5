/* SPDX-License-Identifier: MIT */
/*
 * Section 9 of docs/theory.md, the budget of B-MS+: what its two theorems state about single histories, computed from
 * scratch on histories that were made up. test_budget.c has the selector itself.
 */
#include <math.h>

#include "history.h"

static const rule patient = {"sqrt(max(n, 8))", 0.5, 8.0, 0.0};

/* `once` is B_t until round M b; then B_t grows. Infinite: there is no budget. */
typedef struct spender {
    double once;
} spender;

static double budget_then(const history *h, const spender *o, int t) {
    return o->once * pow(fmax(1.0, t / (h->learners * patient.b)), 0.25);
}

/* Rounds of feeding: up to round t there are at most sqrt(t M b) / 2. */
static bool is_fed(const history *h, int t) {
    double together = h->learners * patient.b;
    return floor(0.5 * sqrt(t * together)) > floor(0.5 * sqrt((t - 1.0) * together));
}

static int fewest_plays(const history *h, int t) {
    int fewest = t;
    for (int i = 0; i < h->learners; i++) fewest = plays(h, i, t) < fewest ? plays(h, i, t) : fewest;
    return fewest;
}

static bool is_rate_round(const history *h, const spender *o, int t) {
    if (t < h->learners * patient.b || fewest_plays(h, t) <= patient.b || is_fed(h, t)) return false;
    return least_charge(h, &patient, h->world[t], t) > budget_then(h, o, t);
}

/* The mean regret of a learner's plays in the world of round t, in which its l-th play counts l times. */
static double rate_of(const history *h, int i, int t) {
    double sum = 0.0, weights = 0.0, best = best_of(h, h->world[t]), weight = 0.0;
    for (int s = 0; s < t; s++) {
        if (h->learner[s] != i) continue;
        weight += 1.0;
        sum += weight * (best - h->world[t][h->arm[s]]);
        weights += weight;
    }
    return sum / weights;
}

static int chosen_by_budget(const history *h, const void *context, int t) {
    if (t < h->learners || !is_rate_round(h, context, t)) return chosen(h, &patient, t);
    int least = 0;
    for (int i = 1; i < h->learners; i++)
        if (rate_of(h, i, t) < rate_of(h, least, t)) least = i;
    return least;
}

/* ------------------------------- Theorem 22: a budget costs a good learner a constant -------------------------- */

typedef struct counts {
    long good, by_rate, paths, overcharged;
} counts;

static void check_budget(const history *h, const spender *o, double d, double rho, counts *n) {
    double bad = 0.0, sum = 0.0, worst = worst_of(h, h->truth);
    long within = 0;
    for (int t = h->learners; t < h->rounds; t++) {
        double charge = least_charge(h, &patient, h->world[t], t), own = divisor(&patient, plays(h, h->learner[t], t));
        bool by_rate = is_rate_round(h, o, t), good = !by_rate && charge <= d && is_near(h, h->world[t], t, rho);
        assert_that(by_rate || at_most(charged(h, t), charge * own), "round %d is charged more than the least", t);
        if (!good) bad += fmax(0.0, best_of(h, h->world[t]) - worst);
        n->good += good;
        n->by_rate += by_rate;
        n->overcharged += by_rate && !at_most(charged(h, t), charge * own);
        within += by_rate && charge <= d;
    }
    double most = h->learners * patient.b * (1.0 + pow(d / o->once, 4.0));
    assert_that((double)within <= most, "%ld rounds by rate in which somebody is good, more than %g", within, most);
    if (!is_near(h, h->truth, h->rounds, rho)) return;
    n->paths++;
    for (int i = 0; i < h->learners; i++) {
        int plays_ = plays(h, i, h->rounds);
        sum += d * spent(&patient, plays_) + 6.0 * rho * sqrt(plays_ - 1.0);
    }
    double bound = h->learners * (best_of(h, h->truth) - worst) + sum + bad, missed = value_missed(h, h->learners);
    assert_that(at_most(missed, bound), "budget %g, d %g, rho %g: %g > %g", o->once, d, rho, missed, bound);
}

/* Rate rounds count as bad ones. They could not count as good: their learner is charged more than the least. */
LAW(a_budget_costs_its_rounds) {
    static history h;
    static const double budgets[] = {0.1, 0.5, 2.0}, coefficients[] = {0.05, 0.5, 3.0}, radii[] = {0.4, 1.0, 2.5};
    counts n = {0};
    for (int b = 0; b < LENGTH(budgets); b++)
        for (uint32_t run = 0; run < 24; run++) {
            spender o = {budgets[b]};
            make_up_by(&h, chosen_by_budget, &o, run);
            for (int d = 0; d < LENGTH(coefficients); d++)
                for (int r = 0; r < LENGTH(radii); r++) check_budget(&h, &o, coefficients[d], radii[r], &n);
        }
    print_message("%ld good rounds, %ld by rate, %ld histories near the truth\n", n.good, n.by_rate, n.paths);
    assert_true(n.good > 3000 && n.by_rate > 1000 && n.paths > 50 && n.overcharged > 100);
}

/* ------------------------------------- Theorem 23: rules that never learn -------------------------------------- */

/* Learner i plays arm i for ever. Nobody plays the last arm. Worlds are the truth with random changes. */
static void make_up_rules(history *h, const spender *o, uint32_t run) {
    posse_draw draw;
    draw_open(&draw, 9, run, stream_named(STREAM_INSTANCE, NULL), 0);
    *h = (history){.rounds = ROUNDS_CAP, .learners = 2 + (int)(run % 2), .arms = ARMS_CAP};
    for (int a = 0; a < h->arms; a++) h->truth[a] = posse_draw_uniform(&draw);
    if (run % 3 > 0) h->truth[ARMS_CAP - 1] = 1.0; /* otherwise some rule may be the best arm */
    double push = run % 4 * 0.05;
    for (int t = 0; t < h->rounds; t++) {
        for (int a = 0; a < h->arms; a++)
            h->world[t][a] = (1.0 - push) * h->truth[a] + push * posse_draw_uniform(&draw);
        h->learner[t] = h->arm[t] = chosen_by_budget(h, o, t);
        h->reward[t] = posse_draw_uniform(&draw) < h->truth[h->arm[t]];
    }
}

/* h(w): the value of the best learner. */
static double best_rule(const history *h, const double *world) {
    double best = world[0];
    for (int i = 1; i < h->learners; i++) best = fmax(best, world[i]);
    return best;
}

typedef struct verdict {
    long paths, by_rate, late; /* late: rounds by charges in which the learner had more plays than the proof allows */
} verdict;

/* Both bounds, about the sum of h(w_t) less the arm played, and the steps of their proof in each round. */
static void check_rules(const history *h, const spender *o, double gap, double rho, verdict *v) {
    double T = h->rounds, M = h->learners, b = patient.b, most = budget_then(h, o, h->rounds), missed = 0.0;
    double away = 0.0, between = 0.0, noise = 0.0, top = fmax(most, sqrt(b));
    for (int t = h->learners; t < h->rounds; t++) {
        const double *w = h->world[t];
        double n = plays(h, h->learner[t], t), loss = best_of(h, w) - best_rule(h, w);
        double own = best_of(h, w) - w[h->arm[t]];
        bool by_rate = is_rate_round(h, o, t), by_charge = !by_rate && !is_fed(h, t);
        missed += best_rule(h, w) - h->truth[h->arm[t]];
        away += !is_near(h, w, t, rho);
        between += loss > 0.0 && loss < gap;
        v->by_rate += by_rate;
        if (by_rate || loss == 0.0) assert_true(at_most(own, loss));
        v->late += by_charge && loss >= gap && n > fmax(b, fmax(most * most, b) / (gap * gap));
        if (by_charge && n > b) assert_that(at_most(own * sqrt(n), top), "round %d", t);
    }
    if (!is_near(h, h->truth, h->rounds, rho)) return;
    v->paths++;
    for (int i = 0; i < h->learners; i++) noise += 4.0 * rho * sqrt(plays(h, i, h->rounds));
    double shared = noise + 0.5 * sqrt(T * M * b) + 1.0 + away;
    double constant = shared + M * (most * most / (gap * gap) + b / (gap * gap) + 2.0 * b + 2.0) + between;
    double any = shared + 2.0 * top * sqrt(M * T) + M * b;
    assert_that(at_most(missed, constant), "gap %g: %g > %g", gap, missed, constant);
    assert_that(at_most(missed, any), "any gap: %g > %g", missed, any);
}

static verdict verdict_on_rules(double once) {
    static history h;
    static const double gaps[] = {0.1, 0.3, 0.6}, radii[] = {0.5, 1.0, 2.0};
    verdict v = {0};
    for (uint32_t run = 0; run < 48; run++) {
        spender o = {once};
        make_up_rules(&h, &o, run);
        for (int d = 0; d < LENGTH(gaps); d++)
            for (int r = 0; r < LENGTH(radii); r++) check_rules(&h, &o, gaps[d], radii[r], &v);
    }
    return v;
}

/* With a budget no learner has more plays by its charge than the proof allows. */
LAW(rules_are_played_by_charge_only_so_often) {
    static const double budgets[] = {0.05, 0.3, 1.0};
    for (int b = 0; b < LENGTH(budgets); b++) {
        verdict v = verdict_on_rules(budgets[b]);
        print_message("budget %g: %ld rounds by rate, %ld histories near the truth\n", budgets[b], v.by_rate, v.paths);
        assert_true(v.late == 0 && v.by_rate > 1000 && v.paths > 50);
    }
}

/* Without a budget, learners that lose 0.6 and more a round are played by their charges for ever. */
LAW(without_a_budget_rules_are_played_for_ever) {
    static history h;
    long late = 0;
    for (uint32_t run = 0; run < 48; run++) {
        spender none = {INFINITY};
        make_up_rules(&h, &none, run);
        for (int t = h.learners; t < h.rounds; t++) {
            double loss = best_of(&h, h.world[t]) - best_rule(&h, h.world[t]);
            late += loss >= 0.6 && plays(&h, h.learner[t], t) > patient.b / 0.36; /* what a budget of sqrt(b) allows */
        }
    }
    assert_that(late > 100, "only %ld rounds", late);
}

/* SPDX-License-Identifier: MIT */
/*
 * Numeric tests of section 5 of docs/theory.md: the steps of its proofs about single histories, computed from scratch
 * on histories that were made up, and the instances of its lower bound. As in test_theory.c, most bounds also have a
 * stronger version, which is shown to fail.
 */
#include <math.h>

#include "history.h"

static const double radii[] = {0.4, 1.0, 2.5};

/* The number of checks: good rounds, other rounds, and histories near the truth. */
typedef struct tally {
    long good, bad, paths;
} tally;

static void assert_was_no_formality(const tally *counts) {
    print_message("%ld good rounds, %ld bad ones, %ld histories near the truth\n", counts->good, counts->bad,
                  counts->paths);
    assert_true(counts->good > 3000 && counts->bad > 1000 && counts->paths > 50);
}

/* What bad rounds cost at most, from round `from` on. */
static double cost_of_bad(const history *h, const bool *good, int from) {
    double sum = 0.0, worst = worst_of(h, h->truth);
    for (int t = from; t < h->rounds; t++)
        if (!good[t]) sum += fmax(0.0, best_of(h, h->world[t]) - worst);
    return sum;
}

/* The first term and the noise of Lemma 6, without Q. */
static double cost_of_plays(const history *h, const rule *g, double d, double rho) {
    double sum = 0.0;
    for (int i = 0; i < h->learners; i++) {
        int n = plays(h, i, h->rounds);
        if (n > 0) sum += d * spent(g, n) + 6.0 * rho * sqrt(n - 1.0);
    }
    return sum;
}

static void count_rounds(tally *counts, const history *h, const bool *good, int from) {
    for (int t = from; t < h->rounds; t++) {
        counts->good += good[t];
        counts->bad += !good[t];
    }
}

/* --------------------------- Theorem 13: the coefficient relative to the divisor ------------------------------- */

static void check_relative(const history *h, const rule *g, double d, double rho, tally *counts) {
    bool good[ROUNDS_CAP] = {false};
    for (int t = h->learners; t < h->rounds; t++) {
        double charge = least_charge(h, g, h->world[t], t), own = divisor(g, plays(h, h->learner[t], t));
        good[t] = is_near(h, h->world[t], t, rho) && charge <= d;
        assert_that(fabs(charged(h, t) - own * charge) <= 1e-9 * (1.0 + own), "%s: the charge is no minimum", g->name);
    }
    count_rounds(counts, h, good, h->learners);
    if (!is_near(h, h->truth, h->rounds, rho)) return;
    counts->paths++;
    double gap = best_of(h, h->truth) - worst_of(h, h->truth), missed = value_missed(h, h->learners);
    double bound = h->learners * gap + cost_of_plays(h, g, d, rho) + cost_of_bad(h, good, h->learners);
    assert_that(at_most(missed, bound), "%s, d %g, rho %g: %g > %g", g->name, d, rho, missed, bound);
}

LAW(coefficient_relative_to_the_divisor_is_enough) {
    static history h;
    static const double coefficients[] = {0.05, 0.5, 3.0};
    tally counts = {0};
    for (int k = 0; k < RULES; k++)
        for (uint32_t run = 0; run < 24; run++) {
            make_up(&h, &rules[k], run);
            double scale = rules[k].alpha < 0.5 ? 8.0 : 1.0; /* undivided regrets are larger */
            for (int d = 0; d < LENGTH(coefficients); d++)
                for (int r = 0; r < LENGTH(radii); r++)
                    check_relative(&h, &rules[k], scale * coefficients[d], radii[r], &counts);
        }
    assert_was_no_formality(&counts);
}

/* Without the relative coefficient Q is needed: by R / sqrt(n) alone the paper's rule exceeds d g(n). */
LAW(coefficient_by_plays_needs_its_ratio) {
    static history h;
    int broken = 0;
    for (uint32_t run = 0; run < 24; run++) {
        make_up(&h, PAPER, run);
        for (int t = h.learners; t < h.rounds; t++)
            broken += !at_most(charged(&h, t), least_coefficient(&h, h.world[t], t) * divisor(PAPER, 1.0));
    }
    assert_true(broken > 0);
}

/* F(N) for any commitment; without the term sqrt(b) (1 + ln b) it fails. */
LAW(commitment_above_one_has_a_bound) {
    bool less_would_do = true;
    for (double commitment = 0.0; commitment <= 8.0; commitment += 2.0)
        for (double b = 1.0; b < 3000.0; b *= 3.7) {
            rule g = {"", 0.5, b, commitment};
            double sum = 0.0;
            for (int n = 1; n <= 20000; n++) {
                double all = n > 1 ? sum + divisor(&g, n - 1) : 0.0;
                double first = 3.0 * sqrt(n) * (1.0 + 0.5 * commitment * log(fmax(1.0, n / b)));
                assert_that(at_most(all, first + sqrt(b) * (1.0 + log(b))), "commitment %g, b %g", commitment, b);
                less_would_do = less_would_do && all <= first;
                sum += divisor(&g, n) / n;
            }
        }
    assert_false(less_would_do);
}

/* --------------------------------- Theorem 15: noise by arms, not by learners ---------------------------------- */

/* A(w, t): the first k rewards of each arm, over all learners, are within rho sqrt(k) of k times its mean in w. */
static bool is_near_by_arms(const history *h, const double *world, int t, double rho) {
    double off[ARMS_CAP] = {0}, count[ARMS_CAP] = {0};
    for (int s = 0; s < t; s++) {
        int a = h->arm[s];
        off[a] += h->reward[s] - world[a];
        count[a] += 1.0;
        if (fabs(off[a]) > rho * sqrt(count[a])) return false;
    }
    return true;
}

/* The sum (3) per 2c, over the plays of a learner before its last good round. */
static double noise_of_learner(const history *h, const bool *good, int i) {
    int last = -1, n = 0, ranks[ROUNDS_CAP], seen[ARMS_CAP] = {0};
    for (int t = 0; t < h->rounds; t++)
        if (good[t] && h->learner[t] == i) last = t;
    for (int s = 0; s < last; s++) {
        int rank = ++seen[h->arm[s]];
        if (h->learner[s] == i) ranks[n++] = rank;
    }
    double sum = 0.0, tail = 0.0;
    for (int l = n; l >= 1; l--) {
        tail += 1.0 / l;
        sum += (tail + fabs(tail - 1.0)) / sqrt(ranks[l - 1]);
    }
    return sum;
}

static void check_arms(const history *h, const rule *g, double d, double rho, tally *counts) {
    bool good[ROUNDS_CAP] = {false};
    for (int t = h->learners; t < h->rounds; t++)
        good[t] = is_near_by_arms(h, h->world[t], t, rho) && least_charge(h, g, h->world[t], t) <= d;
    count_rounds(counts, h, good, h->learners);
    if (!is_near_by_arms(h, h->truth, h->rounds, rho)) return;
    counts->paths++;
    double noise = 0.0, T = h->rounds, K = h->arms;
    for (int i = 0; i < h->learners; i++) noise += 2.0 * rho * noise_of_learner(h, good, i);
    double closed = 2.0 * (1.0 + sqrt(2.0)) * rho * sqrt(K * T * (1.0 + log(T / K)));
    assert_that(at_most(noise, closed), "noise %g > %g", noise, closed);
    double gap = best_of(h, h->truth) - worst_of(h, h->truth), missed = value_missed(h, h->learners);
    double bound = h->learners * gap + cost_of_plays(h, g, d, 0.0) + noise + cost_of_bad(h, good, h->learners);
    assert_that(at_most(missed, bound), "%s, d %g, rho %g: %g > %g", g->name, d, rho, missed, bound);
}

LAW(noise_is_counted_by_arms) {
    static history h;
    static const double coefficients[] = {0.05, 0.5, 3.0};
    tally counts = {0};
    for (int k = 0; k < RULES; k++)
        for (uint32_t run = 0; run < 24; run++) {
            make_up(&h, &rules[k], run);
            for (int d = 0; d < LENGTH(coefficients); d++)
                for (int r = 0; r < LENGTH(radii); r++) check_arms(&h, &rules[k], coefficients[d], radii[r], &counts);
        }
    assert_was_no_formality(&counts);
}

/* The sums of h_l are exact: n, 2n - H_n and n - H_n. */
LAW(harmonic_tails_have_their_sums) {
    for (int n = 1; n <= 2000; n = 2 * n + 1) {
        double tail = 0.0, first = 0.0, second = 0.0, centred = 0.0;
        for (int l = n; l >= 1; l--) {
            tail += 1.0 / l;
            first += tail;
            second += tail * tail;
            centred += (tail - 1.0) * (tail - 1.0);
        }
        assert_close(first, n, 1e-10);
        assert_close(second, 2.0 * n - tail, 1e-10);
        assert_close(centred, n - tail, 1e-9);
    }
}

/* --------------------------------------------- Theorem 16: late rewards ---------------------------------------- */

/* When each reward arrives: known from round arrival[s] on. Delays do not depend on the rewards. */
typedef struct delays {
    int arrival[ROUNDS_CAP];
} delays;

static void delay_rewards(delays *late, const history *h, int most, uint32_t run) {
    posse_draw draw;
    draw_open(&draw, 6, run, stream_named(STREAM_INSTANCE, NULL), 0);
    for (int s = 0; s < h->rounds; s++) late->arrival[s] = s + 1 + (int)posse_draw_index(&draw, (uint32_t)most + 1);
}

/* The rewards of a learner that have arrived before round t: their sum, and their number. */
static double arrived(const history *h, const delays *late, int i, int t, int *count) {
    double sum = 0.0;
    *count = 0;
    for (int s = 0; s < t; s++)
        if (h->learner[s] == i && late->arrival[s] <= t) sum += h->reward[s], ++*count;
    return sum;
}

/* G for the first k arrivals of each learner. Arrivals of one round are in the order of their plays. */
static bool is_near_by_arrival(const history *h, const delays *late, const double *world, int t, double rho) {
    double off[TEAM_CAP] = {0}, count[TEAM_CAP] = {0};
    for (int now = 1; now <= t; now++)
        for (int s = 0; s < now; s++) {
            int i = h->learner[s];
            if (late->arrival[s] != now) continue;
            off[i] += h->reward[s] - world[h->arm[s]];
            count[i] += 1.0;
            if (fabs(off[i]) > rho * sqrt(count[i])) return false;
        }
    return true;
}

static void check_late(const history *h, const rule *g, const delays *late, double d, double rho, tally *counts) {
    bool good[ROUNDS_CAP] = {false};
    int outstanding = 0;
    for (int t = h->learners; t < h->rounds; t++) {
        int i = h->learner[t], known, n = plays(h, i, t);
        double sum = arrived(h, late, i, t, &known), best = best_of(h, h->world[t]);
        bool near = is_near_by_arrival(h, late, h->world[t], t, rho);
        outstanding = n - known > outstanding ? n - known : outstanding;
        good[t] = near && least_charge(h, g, h->world[t], t) <= d;
        assert_that(!near || at_most(n * best, charged(h, t) + sum + rho * sqrt(n) + n - known), "%s: best %g", g->name,
                    best);
    }
    count_rounds(counts, h, good, h->learners);
    if (!is_near_by_arrival(h, late, h->truth, h->rounds, rho)) return;
    counts->paths++;
    double extra = 0.0, missed = value_missed(h, h->learners);
    for (int i = 0; i < h->learners; i++) extra += outstanding * (2.0 + log(plays(h, i, h->rounds)));
    double bound = h->learners + cost_of_plays(h, g, d, rho) + extra + cost_of_bad(h, good, h->learners);
    assert_that(at_most(missed, bound), "%s, d %g, rho %g: %g > %g", g->name, d, rho, missed, bound);
}

LAW(late_rewards_cost_a_sum) {
    static history h;
    static delays late;
    static const double coefficients[] = {0.5, 3.0};
    tally counts = {0};
    for (int k = 0; k < RULES; k++)
        for (uint32_t run = 0; run < 16; run++) {
            make_up(&h, &rules[k], run);
            delay_rewards(&late, &h, (int)(run % 4) * 7, run);
            for (int d = 0; d < LENGTH(coefficients); d++)
                for (int r = 0; r < LENGTH(radii); r++)
                    check_late(&h, &rules[k], &late, coefficients[d], radii[r], &counts);
        }
    assert_was_no_formality(&counts);
}

/* One learner plays one arm, and no reward arrives: worlds may be as good as they like, so the sum is needed. */
LAW(late_rewards_are_not_free) {
    static history h;
    h = (history){.rounds = ROUNDS_CAP, .learners = 1, .arms = 1};
    for (int t = 0; t < h.rounds; t++) h.world[t][0] = 1.0;
    bool good[ROUNDS_CAP];
    for (int t = 0; t < h.rounds; t++) good[t] = true;
    double free_of_delay = 1.0 + cost_of_plays(&h, ROOT, 0.0, 0.1) + cost_of_bad(&h, good, 1);
    assert_true(value_missed(&h, 1) > free_of_delay);
}

/*
 * Clicks at once and the rest later is no delay of this kind. One arm, Beta(1, 1), 100 plays: the mean of the world
 * drawn is (1 + clicks) / (2 + clicks), and the number of clicks is uniform on 0 .. 100.
 */
LAW(delays_by_value_break_the_matching) {
    double mean = 0.0, harmonic = 0.0;
    for (int clicks = 0; clicks <= 100; clicks++) mean += (1.0 + clicks) / (2.0 + clicks) / 101.0;
    for (int k = 1; k <= 102; k++) harmonic += 1.0 / k;
    assert_close(mean, 1.0 - (harmonic - 1.0) / 101.0, 1e-12);
    assert_close(mean, 0.958, 0.0005);
}

/* ------------------------------------------------ Theorem 17: batches ------------------------------------------ */

typedef struct batches {
    const rule *g;
    int size;
} batches;

/* The learner and the world of a round are those at the beginning of its batch. */
static int chosen_in_batch(const history *h, const void *context, int t) {
    const batches *o = context;
    int begin = t - t % o->size;
    if (t > begin) return h->learner[begin];
    return begin / o->size < h->learners ? begin / o->size : chosen(h, o->g, t);
}

static void check_batches(const history *h, const batches *o, double d, double rho, tally *counts) {
    bool good[ROUNDS_CAP] = {false};
    int forced = h->learners * o->size;
    for (int t = forced; t < h->rounds; t++) {
        int begin = t - t % o->size;
        good[t] =
            t > begin ? good[begin] : is_near(h, h->world[t], t, rho) && least_charge(h, o->g, h->world[t], t) <= d;
    }
    count_rounds(counts, h, good, forced);
    if (!is_near(h, h->truth, h->rounds, rho)) return;
    counts->paths++;
    double bound = forced + cost_of_plays(h, o->g, d, rho) + cost_of_bad(h, good, forced);
    double missed = value_missed(h, forced);
    assert_that(at_most(missed, bound), "%s, batches of %d: %g > %g", o->g->name, o->size, missed, bound);
}

LAW(batches_cost_their_first_plays) {
    static history h;
    static const double coefficients[] = {0.05, 0.5, 3.0};
    static const int sizes[] = {3, 7, 16};
    tally counts = {0};
    for (int k = 0; k < RULES; k++)
        for (uint32_t run = 0; run < 24; run++) {
            batches o = {&rules[k], sizes[run % LENGTH(sizes)]};
            make_up_by(&h, chosen_in_batch, &o, run);
            for (int t = 0; t < h.rounds; t++)
                for (int a = 0; a < h.arms; a++) h.world[t][a] = h.world[t - t % o.size][a];
            for (int d = 0; d < LENGTH(coefficients); d++)
                for (int r = 0; r < LENGTH(radii); r++) check_batches(&h, &o, coefficients[d], radii[r], &counts);
        }
    assert_was_no_formality(&counts);
}

/* Learners that err in their first batch and never again: M B is needed, and M would not do. */
LAW(first_batches_are_not_free) {
    static history h;
    enum { SIZE = 30, TEAM = 4 };
    bool good[ROUNDS_CAP];
    h = (history){.rounds = ROUNDS_CAP, .learners = TEAM, .arms = 2, .truth = {1.0, 0.0}};
    for (int t = 0; t < h.rounds; t++) {
        good[t] = true;
        h.learner[t] = t / SIZE % TEAM;
        h.arm[t] = t < TEAM * SIZE;
        h.world[t][0] = 1.0;
        h.reward[t] = h.truth[h.arm[t]];
    }
    double rest = cost_of_plays(&h, ROOT, 0.0, 0.0) + cost_of_bad(&h, good, TEAM * SIZE);
    assert_true(value_missed(&h, TEAM * SIZE) <= TEAM * SIZE + rest);
    assert_true(value_missed(&h, TEAM * SIZE) > TEAM + rest);
}

/* --------------------------------------- Theorem 18: learners that join and retire ----------------------------- */

/* Learner i is present from round joins[i], in which it plays, to round retires[i]. */
static const int joins[TEAM_CAP] = {0, 1, 40, 41, 150}, retires[TEAM_CAP] = {ROUNDS_CAP, 120, 400, 200, 400};

static bool is_present(int i, int t) {
    return joins[i] <= t && t < retires[i];
}

/* b_t, which shrinks as learners join. */
static rule rule_then(const history *h, int t) {
    int present = 0;
    for (int i = 0; i < h->learners; i++) present += is_present(i, t);
    return (rule){"joining", 0.5, 60.0 / present, 0.0};
}

static int chosen_of_present(const history *h, const void *context, int t) {
    (void)context;
    rule g = rule_then(h, t);
    int least = -1;
    double charge = INFINITY;
    for (int i = 0; i < h->learners; i++) {
        if (joins[i] == t) return i;
        if (!is_present(i, t)) continue;
        double own = regret(h, h->world[t], i, t) / divisor(&g, plays(h, i, t));
        if (own < charge) least = i, charge = own;
    }
    return least;
}

static bool is_forced(const history *h, int t) {
    for (int i = 0; i < h->learners; i++)
        if (joins[i] == t) return true;
    return false;
}

static double coefficient_of_present(const history *h, int t) {
    double least = INFINITY;
    for (int i = 0; i < h->learners; i++)
        if (is_present(i, t)) least = fmin(least, regret(h, h->world[t], i, t) / sqrt(plays(h, i, t)));
    return least;
}

static void check_joining(const history *h, double d, double rho, tally *counts) {
    static const rule widest = {"largest patience", 0.5, 60.0, 0.0};
    double missed = 0.0, bad = 0.0, worst = worst_of(h, h->truth), gap = best_of(h, h->truth) - worst;
    for (int t = 0; t < h->rounds; t++) {
        bool forced = is_forced(h, t);
        bool good = !forced && is_near(h, h->world[t], t, rho) && coefficient_of_present(h, t) <= d;
        missed += best_of(h, forced ? h->truth : h->world[t]) - h->truth[h->arm[t]];
        assert_that(!good || at_most(charged(h, t), d * divisor(&widest, plays(h, h->learner[t], t))), "round %d", t);
        if (!forced && !good) bad += fmax(0.0, best_of(h, h->world[t]) - worst);
        counts->good += good;
        counts->bad += !forced && !good;
    }
    if (!is_near(h, h->truth, h->rounds, rho)) return;
    counts->paths++;
    double bound = h->learners * gap + cost_of_plays(h, &widest, d, rho) + bad;
    assert_that(at_most(missed, bound), "d %g, rho %g: %g > %g", d, rho, missed, bound);
}

LAW(learners_may_join_and_retire) {
    static history h;
    static const double coefficients[] = {0.05, 0.5, 3.0};
    tally counts = {0};
    for (uint32_t run = 0; run < 96; run++) {
        make_up_by(&h, chosen_of_present, NULL, run);
        for (int d = 0; d < LENGTH(coefficients); d++)
            for (int r = 0; r < LENGTH(radii); r++) check_joining(&h, coefficients[d], radii[r], &counts);
    }
    assert_was_no_formality(&counts);
}

/* --------------------------------- Theorem 21: features, with the whole history -------------------------------- */

#define CONTEXTS 3
#define OPEN_ROUNDS 160

/* A history with features: one of three contexts in each round, each as likely as the others. */
typedef struct visit {
    int context, learner, arm;
    double reward, world[CONTEXTS][ARMS_CAP];
} visit;

typedef struct visits {
    int learners;
    double truth[CONTEXTS][ARMS_CAP];
    visit round[OPEN_ROUNDS];
} visits;

static double best_in(const double values[ARMS_CAP]) {
    return fmax(fmax(values[0], values[1]), fmax(values[2], values[3]));
}

/* B(w), the mean over contexts of the best value. */
static double best_on_average(double world[CONTEXTS][ARMS_CAP]) {
    return (best_in(world[0]) + best_in(world[1]) + best_in(world[2])) / CONTEXTS;
}

static int visits_of(const visits *v, int i, int t) {
    int count = 0;
    for (int s = 0; s < t; s++) count += v->round[s].learner == i;
    return count;
}

static double regret_in(const visits *v, double world[CONTEXTS][ARMS_CAP], int i, int t) {
    double sum = 0.0;
    for (int s = 0; s < t; s++) {
        const visit *o = &v->round[s];
        if (o->learner == i) sum += best_in(world[o->context]) - world[o->context][o->arm];
    }
    return sum;
}

static int chosen_in(visits *v, const rule *g, int t) {
    int least = 0;
    double charge = INFINITY;
    if (t < v->learners) return t;
    for (int i = 0; i < v->learners; i++) {
        double own = regret_in(v, v->round[t].world, i, t) / divisor(g, visits_of(v, i, t));
        if (own < charge) least = i, charge = own;
    }
    return least;
}

static void make_up_visits(visits *v, const rule *g, uint32_t run) {
    posse_draw draw;
    draw_open(&draw, 7, run, stream_named(STREAM_INSTANCE, NULL), 0);
    *v = (visits){.learners = 2 + (int)posse_draw_index(&draw, 4)};
    double push = run % 3 * 0.3, quality[TEAM_CAP];
    for (int i = 0; i < v->learners; i++) quality[i] = posse_draw_uniform(&draw);
    for (int x = 0; x < CONTEXTS; x++)
        for (int a = 0; a < ARMS_CAP; a++) v->truth[x][a] = posse_draw_uniform(&draw);
    for (int t = 0; t < OPEN_ROUNDS; t++) {
        visit *o = &v->round[t];
        for (int x = 0; x < CONTEXTS; x++)
            for (int a = 0; a < ARMS_CAP; a++)
                o->world[x][a] = (1.0 - push) * v->truth[x][a] + push * posse_draw_uniform(&draw);
        o->learner = chosen_in(v, g, t);
        o->context = (int)posse_draw_index(&draw, CONTEXTS);
        o->arm = (int)posse_draw_index(&draw, ARMS_CAP);
        const double *values = v->truth[o->context];
        if (posse_draw_uniform(&draw) < quality[o->learner])
            for (int a = 0; a < ARMS_CAP; a++) o->arm = values[a] > values[o->arm] ? a : o->arm;
        o->reward = run % 2 ? values[o->arm] : posse_draw_uniform(&draw) < values[o->arm];
    }
}

/* G and G_c: rewards near their means, and the best values of the contexts near their mean. */
static bool is_near_in(const visits *v, double world[CONTEXTS][ARMS_CAP], int t, double rho, double open) {
    double off[TEAM_CAP] = {0}, apart[TEAM_CAP] = {0}, count[TEAM_CAP] = {0}, mean = best_on_average(world);
    for (int s = 0; s < t; s++) {
        const visit *o = &v->round[s];
        int i = o->learner;
        off[i] += o->reward - world[o->context][o->arm];
        apart[i] += best_in(world[o->context]) - mean;
        count[i] += 1.0;
        if (fabs(off[i]) > rho * sqrt(count[i]) || fabs(apart[i]) > open * sqrt(count[i])) return false;
    }
    return true;
}

static void check_visits(visits *v, const rule *g, double d, double rho, double open, tally *counts) {
    double missed = 0.0, bad = 0.0;
    for (int t = 0; t < OPEN_ROUNDS; t++) {
        visit *o = &v->round[t];
        bool forced = t < v->learners, good = !forced && is_near_in(v, o->world, t, rho, open);
        double least = INFINITY;
        for (int i = 0; !forced && i < v->learners; i++)
            least = fmin(least, regret_in(v, o->world, i, t) / divisor(g, visits_of(v, i, t)));
        good = good && least <= d;
        missed += best_on_average(forced ? v->truth : o->world) - v->truth[o->context][o->arm];
        bad += !forced && !good;
        counts->good += good;
        counts->bad += !forced && !good;
    }
    if (!is_near_in(v, v->truth, OPEN_ROUNDS, rho, open)) return;
    counts->paths++;
    double bound = v->learners + bad;
    for (int i = 0; i < v->learners; i++) {
        int n = visits_of(v, i, OPEN_ROUNDS);
        bound += d * spent(g, n) + (6.0 * rho + 5.0 * open) * sqrt(n - 1.0);
    }
    assert_that(at_most(missed, bound), "%s, d %g, rho %g: %g > %g", g->name, d, rho, missed, bound);
}

LAW(features_with_the_whole_history_are_covered) {
    static visits v;
    static const double coefficients[] = {0.5, 3.0};
    tally counts = {0};
    for (int k = 0; k < RULES; k++)
        for (uint32_t run = 0; run < 16; run++) {
            make_up_visits(&v, &rules[k], run);
            for (int d = 0; d < LENGTH(coefficients); d++)
                for (int r = 0; r < LENGTH(radii); r++)
                    check_visits(&v, &rules[k], coefficients[d], radii[r], 0.6 * radii[r], &counts);
        }
    assert_was_no_formality(&counts);
}

/* ------------------------------------------- Proposition 20: a wrong prior ------------------------------------- */

/* The largest ratio of two normal densities, on a fine grid, is (s' / s) exp((m - m')^2 / (2 (s'^2 - s^2))). */
LAW(wider_belief_has_a_bounded_ratio) {
    for (double wide = 1.1; wide < 4.0; wide += 0.7)
        for (double away = 0.0; away <= 2.0; away += 0.5) {
            double largest = 0.0, closed = wide * exp(0.5 * away * away / (wide * wide - 1.0));
            for (double x = -40.0; x <= 40.0; x += 1e-3) {
                double right = exp(-0.5 * x * x), ours = exp(-0.5 * (x - away) * (x - away) / (wide * wide)) / wide;
                largest = ours > 0.0 && right > 1e-300 ? fmax(largest, right / ours) : largest;
            }
            assert_close(largest, closed, 1e-5 * closed);
        }
}

/* --------------------------------- Lemma 19: ucb in a team that shares its data -------------------------------- */

#define SHARED_ROUNDS 2000
static const posse_part shared_world = {.kind = "bernoulli", .options = {NUMBER("arms", 4)}};

/* All that the team knows of the arms: rewards and their sums over all learners. */
typedef struct knowledge {
    double means[ARMS_CAP], count[ARMS_CAP], sum[ARMS_CAP], delta;
    int all;
} knowledge;

/* The radius of an arm's bound. */
static double radius(const knowledge *o, int arm) {
    return sqrt(log(2.0 * ARMS_CAP * o->all / o->delta) / o->count[arm]);
}

static bool bounds_hold(const knowledge *o) {
    for (int a = 0; a < ARMS_CAP; a++)
        if (o->count[a] > 0 && fabs(o->sum[a] / o->count[a] - o->means[a]) > radius(o, a)) return false;
    return true;
}

/* Plays a run. Returns the coefficient of learner 0, and counts its picks whose gap is above one radius. */
static double shared_run(posse *p, posse_environment *e, uint32_t run, double delta, int *above_one) {
    knowledge o = {.delta = delta};
    double best = 0.0, own = 0.0, n = 0.0, coefficient = 0.0;
    run_begin(p, e, run);
    posse_environment_means(e, o.means);
    for (int a = 0; a < ARMS_CAP; a++) best = fmax(best, o.means[a]);
    for (int t = 0; t < SHARED_ROUNDS; t++) {
        posse_decision d;
        bool hold = bounds_hold(&o);
        assert_int_equal(object_choose(p, NULL, &d), POSSE_OK);
        double gap = best - o.means[d.arm], reward = posse_environment_reward(e, &d);
        if (d.learner == 0 && o.count[d.arm] > 0 && hold) {
            assert_that(at_most(gap, 2.0 * radius(&o, d.arm)), "round %d: gap %g", t, gap);
            *above_one += gap > 0.5 * radius(&o, d.arm);
        }
        if (d.learner == 0) own += gap, n += 1.0, coefficient = fmax(coefficient, own / sqrt(n));
        object_settle(p, &d, reward);
        o.count[d.arm] += 1.0, o.sum[d.arm] += reward, o.all++;
    }
    return coefficient;
}

/* The proof's step about a pick, and the lemma itself. With half of one radius in place of two the step fails. */
LAW(ucb_keeps_its_coefficient_in_a_team) {
    double delta = 1.0 / sqrt(SHARED_ROUNDS), largest = 0.0;
    double bound = sqrt(ARMS_CAP) * (1.0 + 4.0 * sqrt(log(2.0 * ARMS_CAP * SHARED_ROUNDS / delta)));
    posse_part crew[] = {{.kind = "ucb", .options = {NUMBER("delta", delta)}},
                         {.kind = "fixed", .options = {NUMBER("arm", 0)}},
                         {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 0.5)}}};
    posse_environment *e = environment_made(&shared_world, 11);
    posse *p = team_made(e, &(team){.learners = crew, .count = LENGTH(crew), .share = true});
    int above_one = 0;
    for (uint32_t run = 0; run < 60; run++) largest = fmax(largest, shared_run(p, e, run, delta, &above_one));
    print_message("largest coefficient %.1f, at most %.1f\n", largest, bound);
    assert_true(largest <= bound && above_one > 0);
    posse_free(p);
    posse_environment_free(e);
}

/*
 * A learner that tries its arms in turn until it has 8 rewards, and then plays the best mean for ever. Alone it finds
 * the better arm. If it learns the rewards of a learner that plays the other arm, it never tries its own.
 */
LAW(sharing_can_ruin_a_learner) {
    static const double means[2] = {0.2, 0.9};
    double lost[2] = {0.0, 0.0};
    for (int share = 0; share < 2; share++) {
        double count[2] = {share ? 8.0 : 0.0, 0.0};
        for (int t = 0; t < 1000; t++) {
            int arm = count[0] + count[1] < 8.0 ? t % 2 : count[1] > 0.0 && means[1] > means[0];
            count[arm] += 1.0;
            lost[share] += means[1] - means[arm];
        }
    }
    assert_close(lost[0], 4 * 0.7, 1e-9);
    assert_close(lost[1], 1000 * 0.7, 1e-9);
}

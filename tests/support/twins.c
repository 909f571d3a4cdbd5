/* SPDX-License-Identifier: MIT */
#include "twins.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random/stream.h"

struct rival_rule {
    const char *kind;
    void (*admit)(rival *r, int learner);  /* NULL: nothing to do */
    void (*retire)(rival *r, int learner); /* NULL: nothing to do */
    int (*choose)(rival *r);               /* sets `chances` if it draws */
    void (*played)(rival *r, size_t at);   /* episode `at`; NULL: nothing to do */
    void (*heard)(rival *r, size_t at);    /* the reward of episode `at`; NULL: nothing to do */
    long double (*potential)(const rival *r, int learner);
    int (*probe)(rival *r); /* NULL: it names no arms */
};

/* ------------------------------------------ statistics of the history ------------------------------------------ */

/* Returns the list with room for the entry `at`. Its size doubles when it is full. */
static void *grown(void *list, size_t at, size_t size) {
    if ((at & (at - 1)) == 0) list = realloc(list, 2 * (at + 1) * size);
    assert_non_null(list);
    return list;
}

/* Computes the account of a learner from all episodes. */
static void recount(rival *r, int learner) {
    int plays = 0, heard = 0;
    long double sum = 0.0L;
    for (size_t k = 0; k < r->episode_count; k++) {
        const episode *e = &r->episodes[k];
        if (e->learner != learner) continue;
        plays++;
        heard += e->heard;
        sum += e->reward; /* 0 while there is none */
    }
    r->accounts[learner] = (account){plays, heard, heard > 0 ? sum / heard : 0.0L};
}

/* N: the number of rewards of all active learners. */
static long double heard_in_all(const rival *r) {
    long double heard = 0.0L;
    for (int i = 0; i < r->count; i++)
        if (r->active[i]) heard += r->accounts[i].heard;
    return heard;
}

/* M: the number of active learners. */
static long double crowd(const rival *r) {
    long double count = 0.0L;
    for (int i = 0; i < r->count; i++) count += r->active[i];
    return count;
}

static long double radius(const rival *r, long double heard) {
    return r->confidence * sqrtl(logl(crowd(r) * fmaxl(1.0L, logl(heard)) / r->delta) / heard);
}

static long double clip(long double x, long double low, long double high) {
    return fminl(fmaxl(x, low), high);
}

static long double in_range(const rival *r, double reward) {
    return clip((reward - r->low) / (r->high - r->low), 0.0L, 1.0L);
}

/*
 * The first of the least, or of the largest. Exact ties, such as 3 sqrt(2) and 1 sqrt(18), must be found: long doubles
 * that differ by less than 1e-17 of their size count as equal.
 */
static int first_least(const long double *x, int count) {
    int best = 0;
    for (int i = 1; i < count; i++) {
        long double same = isinf(x[best]) ? 0.0L : 1e-17L * fabsl(x[best]);
        if (x[i] < x[best] - same) best = i;
    }
    return best;
}

static int first_largest(const long double *x, int count) {
    long double negative[CROWD_MAX];
    for (int i = 0; i < count; i++) negative[i] = -x[i];
    return first_least(negative, count);
}

/* Draws a share of the total, and returns the first learner at which the sum of chances exceeds it. */
static int drawn(rival *r) {
    long double total = 0.0L, sum = 0.0L;
    int last = -1;
    for (int i = 0; i < r->count; i++) total += r->chances[i];
    long double target = posse_draw_uniform(&r->draw) * total;
    for (int i = 0; i < r->count && sum <= target; i++) {
        sum += r->chances[i];
        if (r->chances[i] > 0.0L) last = i;
    }
    return last;
}

/* ------------------------------- d3rb, ed2rb, bd3rb and perfect balancing --------------------------------------- */

static void bound_admit(rival *r, int i) {
    r->d[i] = r->phi[i] = r->before[i] = r->dmin;
}

static long double bound_potential(const rival *r, int i) {
    return r->active[i] ? r->phi[i] : INFINITY;
}

static int least_potential(rival *r) {
    long double potentials[CROWD_MAX];
    for (int i = 0; i < r->count; i++) potentials[i] = rival_potential(r, i);
    return first_least(potentials, r->count);
}

static void raise_bound(rival *r, int i, long double plays) {
    r->phi[i] = clip(r->d[i] * sqrtl(plays), r->before[i], 2.0L * r->before[i]);
}

static void bound_played(rival *r, size_t at) {
    int i = r->episodes[at].learner;
    r->before[i] = r->phi[i];
    raise_bound(r, i, r->accounts[i].plays);
}

/* The largest lower confidence bound of a mean. */
static long double best_lower_bound(const rival *r) {
    long double low = -INFINITY;
    for (int j = 0; j < r->count; j++) {
        account a = r->accounts[j];
        if (r->active[j] && !r->dropped[j] && a.heard > 0.0L) low = fmaxl(low, a.mean - radius(r, a.heard));
    }
    return low;
}

/* The standard deviation of all rewards that came before their learner retired; 1 while they are equal. */
static long double reward_sd(const rival *r) {
    long double sum = 0.0L, squares = 0.0L;
    for (size_t k = 0; k < r->episode_count; k++)
        if (r->episodes[k].order > 0) sum += r->episodes[k].reward;
    for (size_t k = 0; k < r->episode_count; k++) {
        long double distance = r->episodes[k].reward - sum / r->rewards;
        if (r->episodes[k].order > 0) squares += distance * distance;
    }
    return squares > 0.0L ? sqrtl(squares / r->rewards) : 1.0L;
}

/*
 * How much less than the best a learner surely earns, in the unit of coefficients. With `auto`, the radius is in
 * standard deviations, and so are coefficients.
 */
static long double shortfall(rival *r, account a) {
    if (r->scales_radius) r->confidence = reward_sd(r);
    return (best_lower_bound(r) - a.mean - radius(r, a.heard)) / (r->scales_coefficients ? reward_sd(r) : 1.0L);
}

static void d3rb_heard(rival *r, size_t at) {
    int i = r->episodes[at].learner;
    account a = r->accounts[i];
    if (r->d[i] / sqrtl(a.heard) < shortfall(r, a)) r->d[i] *= 2.0L;
    raise_bound(r, i, a.plays);
}

static void ed2rb_heard(rival *r, size_t at) {
    int i = r->episodes[at].learner;
    account a = r->accounts[i];
    r->d[i] = fmaxl(r->dmin, sqrtl(a.heard) * shortfall(r, a));
    raise_bound(r, i, a.plays);
}

/* The best mean is known, so nothing is learned from the other learners. */
static void bd3rb_heard(rival *r, size_t at) {
    int i = r->episodes[at].learner;
    account a = r->accounts[i];
    if (r->scales_radius) r->confidence = reward_sd(r);
    long double unit = r->scales_coefficients ? reward_sd(r) : 1.0L, lost = r->best - a.mean;
    if (lost > r->d[i] * unit / sqrtl(a.heard) + radius(r, a.heard)) r->d[i] *= 2.0L;
    raise_bound(r, i, a.plays);
}

static void perfect_admit(rival *r, int i) {
    r->phi[i] = 0.0L;
}

/* The regret of every reward that has come, and as much more as it may be. */
static void perfect_heard(rival *r, size_t at) {
    int i = r->episodes[at].learner;
    if (r->scales_radius) r->confidence = reward_sd(r);
    long double regret = 0.0L, heard = r->accounts[i].heard;
    for (size_t k = 0; k < r->episode_count; k++)
        if (r->episodes[k].heard && r->episodes[k].learner == i) regret += r->best - r->episodes[k].reward;
    r->phi[i] = fmaxl(r->phi[i], regret + r->sign * heard * radius(r, heard));
}

/* --------------------------------------------------- balancing ------------------------------------------------- */

static bool anyone_left(const rival *r) {
    for (int i = 0; i < r->count; i++)
        if (r->active[i] && !r->dropped[i]) return true;
    return false;
}

static void balancing_retire(rival *r, int i) {
    (void)i;
    if (!anyone_left(r)) memset(r->dropped, 0, sizeof r->dropped);
}

static long double balancing_potential(const rival *r, int i) {
    if (!r->active[i] || r->dropped[i]) return INFINITY;
    return r->coefficient[i] * sqrtl(r->accounts[i].plays);
}

static void balancing_heard(rival *r, size_t at) {
    (void)at;
    long double low = best_lower_bound(r);
    for (int i = 0; i < r->count; i++) {
        account a = r->accounts[i];
        if (!r->active[i] || r->dropped[i] || a.heard == 0.0L) continue;
        r->dropped[i] = a.mean + r->coefficient[i] / sqrtl(a.heard) + radius(r, a.heard) < low;
    }
}

/* ----------------------------------------------- dynamic balancing --------------------------------------------- */

static long double biased_mean(const rival *r, int i) {
    return r->accounts[i].mean - r->bias[i];
}

/* Over all active learners, whether or not they were dropped before. */
static void find_active(rival *r) {
    long double low = -INFINITY;
    for (int j = 0; j < r->count; j++) {
        long double heard = r->accounts[j].heard;
        if (r->active[j] && heard > 0.0L) low = fmaxl(low, biased_mean(r, j) - radius(r, heard));
    }
    for (int i = 0; i < r->count; i++) {
        account a = r->accounts[i];
        if (a.heard == 0.0L) continue;
        bool passes = biased_mean(r, i) + radius(r, a.heard) + r->coefficient[i] * sqrtl(a.heard) / a.heard >= low;
        r->came_back = r->came_back || (r->active[i] && r->dropped[i] && passes);
        r->dropped[i] = !passes;
    }
}

static void dynamic_admit(rival *r, int i) {
    (void)i;
    find_active(r);
}

static void dynamic_retire(rival *r, int i) {
    (void)i;
    find_active(r);
}

static void dynamic_heard(rival *r, size_t at) {
    (void)at;
    find_active(r);
}

static long double dynamic_potential(const rival *r, int i) {
    return r->weight[i] * balancing_potential(r, i);
}

/* ---------------------------------------------------- corral --------------------------------------------------- */

static long double step_sum(const long double *p, const long double *eta, int count, int loser, long double loss,
                            long double lambda, long double *out) {
    long double sum = 0.0L;
    for (int j = 0; j < count; j++) {
        out[j] = 0.0L;
        if (p[j] == 0.0L) continue;
        long double inverse = 1.0L / p[j] + eta[j] * ((j == loser ? loss : 0.0L) - lambda);
        if (inverse <= 0.0L) return INFINITY;
        out[j] = 1.0L / inverse;
        sum += out[j];
    }
    return sum;
}

void slow_corral_step(const long double *p, const long double *eta, int count, int loser, long double loss,
                      long double *out) {
    long double low = 0.0L, high = loss;
    for (int n = 0; n < 300; n++) { /* more than 64, as lambda may be far below the loss */
        long double middle = 0.5L * (low + high);
        if (middle == low || middle == high) break;
        if (step_sum(p, eta, count, loser, loss, middle, out) < 1.0L)
            low = middle;
        else
            high = middle;
    }
    step_sum(p, eta, count, loser, loss, low, out);
}

/* Uniform before the first play. After that, a new learner takes 1 / M of each probability. */
static void corral_admit(rival *r, int newcomer) {
    long double share = 1.0L / crowd(r);
    bool first = r->episode_count == 0;
    for (int i = 0; i < r->count; i++) {
        if (!r->active[i]) continue;
        r->p[i] = first || i == newcomer ? share : r->p[i] * (1.0L - share);
        r->floor[i] *= 1.0L - share;
        if (!first && i != newcomer) continue;
        r->floor[i] = share / 2.0L;
        r->eta[i] = r->rate;
    }
}

static void corral_retire(rival *r, int gone) {
    long double left = 0.0L;
    r->p[gone] = 0.0L;
    for (int i = 0; i < r->count; i++) left += r->p[i];
    for (int i = 0; i < r->count; i++) {
        r->p[i] /= left;
        r->floor[i] /= left;
    }
}

static long double corral_chance(const rival *r, int i) {
    long double gamma = 1.0L / r->rounds;
    return r->active[i] ? (1.0L - gamma) * r->p[i] + gamma / crowd(r) : 0.0L;
}

static int corral_choose(rival *r) {
    for (int i = 0; i < r->count; i++) r->chances[i] = corral_chance(r, i);
    return drawn(r);
}

static void corral_heard(rival *r, size_t at) {
    const episode *e = &r->episodes[at];
    long double next[CROWD_MAX], growth = expl(1.0L / fmaxl(1.0L, logl(r->rounds)));
    long double loss = (1.0L - in_range(r, e->reward)) / e->chance;
    slow_corral_step(r->p, r->eta, r->count, e->learner, loss, next);
    memcpy(r->p, next, (size_t)r->count * sizeof *next);
    for (int j = 0; j < r->count; j++) {
        long double chance = corral_chance(r, j);
        if (!r->active[j] || !(chance < r->floor[j])) continue;
        r->floor[j] = chance / 2.0L;
        r->eta[j] *= growth;
    }
}

/* ----------------------------------------------- stochastic corral --------------------------------------------- */

static int smoothed_choose(rival *r) {
    int waiting = r->waiting;
    r->waiting = -1;
    r->second = waiting >= 0;
    if (r->second) {
        memcpy(r->chances, r->pair_chances, sizeof r->chances);
        return waiting;
    }
    int chosen = corral_choose(r);
    memcpy(r->pair_chances, r->chances, sizeof r->chances);
    return chosen;
}

/* The number of a learner's first rounds with an arm of at most this index. */
static uint64_t firsts_upto(const rival *r, int learner, int arm) {
    uint64_t count = 0;
    for (size_t k = 0; k < r->episode_count; k++) {
        const episode *e = &r->episodes[k];
        count += e->learner == learner && !e->probe && e->arm <= arm;
    }
    return count;
}

/* Draws one of the learner's first rounds, sorted by arm, and returns its arm. */
static int smoothed_probe(rival *r) {
    if (!r->second) return -1;
    uint64_t rank = posse_draw_index(&r->draw, firsts_upto(r, r->current, INT_MAX));
    int arm = 0;
    while (firsts_upto(r, r->current, arm) <= rank) arm++;
    return arm;
}

static void smoothed_played(rival *r, size_t at) {
    if (!r->episodes[at].probe) r->waiting = r->current;
}

static void smoothed_heard(rival *r, size_t at) {
    if (r->episodes[at].probe) corral_heard(r, at);
}

static void smoothed_retire(rival *r, int gone) {
    corral_retire(r, gone);
    if (r->waiting == gone) r->waiting = -1;
}

/* ----------------------------------------------------- exp3p --------------------------------------------------- */

static long double exp3p_eta(const rival *r) {
    long double m = crowd(r);
    return 0.95L * sqrtl(logl(m) / (m * r->rounds));
}

/* The sum of the gain estimates of every round, (x 1[chosen] + beta) / p_i. */
static void exp3p_gains(const rival *r, long double *gains) {
    memcpy(gains, r->head_start, sizeof r->head_start);
    for (int i = 0; i < r->count; i++)
        for (size_t k = 0; k < r->episode_count; k++) gains[i] += r->gains[i][k];
}

/* Sets the gain of a new learner so that its exp(eta G) is the mean of the others'. */
static void exp3p_admit(rival *r, int newcomer) {
    long double gains[CROWD_MAX], largest = -INFINITY, sum = 0.0L, eta = exp3p_eta(r), others = crowd(r) - 1.0L;
    if (others == 0.0L) return;
    exp3p_gains(r, gains);
    for (int i = 0; i < newcomer; i++)
        if (r->active[i]) largest = fmaxl(largest, gains[i]);
    for (int i = 0; i < newcomer; i++)
        if (r->active[i]) sum += expl(eta * (gains[i] - largest));
    r->head_start[newcomer] = largest + logl(sum / others) / eta;
}

static int exp3p_choose(rival *r) {
    long double gains[CROWD_MAX], largest = -INFINITY, sum = 0.0L, eta = exp3p_eta(r), m = crowd(r);
    long double gamma = fminl(1.0L, 1.05L * sqrtl(m * logl(m) / r->rounds));
    exp3p_gains(r, gains);
    for (int i = 0; i < r->count; i++)
        if (r->active[i]) largest = fmaxl(largest, gains[i]);
    for (int i = 0; i < r->count; i++) {
        r->chances[i] = r->active[i] ? expl(eta * (gains[i] - largest)) : 0.0L;
        sum += r->chances[i];
    }
    for (int i = 0; i < r->count; i++)
        if (r->active[i]) r->chances[i] = (1.0L - gamma) * r->chances[i] / sum + gamma / m;
    return drawn(r);
}

static void exp3p_played(rival *r, size_t at) {
    long double m = crowd(r), beta = sqrtl(logl(m / r->delta) / (m * r->rounds));
    for (int i = 0; i < CROWD_MAX; i++) {
        r->gains[i] = grown(r->gains[i], at, sizeof *r->gains[i]);
        r->gains[i][at] = r->active[i] ? beta / r->chances[i] : 0.0L;
    }
}

static void exp3p_heard(rival *r, size_t at) {
    const episode *e = &r->episodes[at];
    r->gains[e->learner][at] += in_range(r, e->reward) / e->chance;
}

/* ------------------------------------------- ucb, greedy and uniform ------------------------------------------- */

/*
 * The learner to try, or -1. It is the first without rewards that is due or, if no learner has rewards, the one that is
 * due first. After a try, a learner is due again when the number of rewards is twice as large plus one per learner.
 */
static int due_one(rival *r) {
    long double all = heard_in_all(r), due[CROWD_MAX];
    int first = -1;
    for (int i = 0; i < r->count; i++) {
        bool silent = r->active[i] && r->accounts[i].heard == 0.0L;
        due[i] = silent ? r->due[i] : INFINITY;
        if (silent && first < 0 && due[i] <= all) first = i;
    }
    if (first < 0 && all == 0.0L) first = first_least(due, r->count);
    if (first >= 0) r->due[first] = all == 0.0L ? r->due[first] + crowd(r) : 2.0L * all + crowd(r);
    return first;
}

static long double exploration(const rival *r, long double heard) {
    if (r->width == 0.0L) return 0.0L;
    return r->width * sqrtl(logl(2.0L * crowd(r) * heard_in_all(r) / r->delta) / heard);
}

/* greedy is ucb without the radius. */
static int index_choose(rival *r) {
    int due = due_one(r);
    if (due >= 0) return due;
    long double index[CROWD_MAX];
    for (int i = 0; i < r->count; i++) {
        account a = r->accounts[i];
        index[i] = r->active[i] && a.heard > 0.0L ? a.mean + exploration(r, a.heard) : -INFINITY;
    }
    return first_largest(index, r->count);
}

static int uniform_choose(rival *r) {
    uint64_t rank = posse_draw_index(&r->draw, (uint64_t)crowd(r));
    int chosen = -1;
    for (int i = 0; i < r->count; i++) {
        r->chances[i] = r->active[i] ? 1.0L / crowd(r) : 0.0L;
        if (r->active[i] && rank-- == 0) chosen = i;
    }
    return chosen;
}

/* --------------------------------------------------- thompson -------------------------------------------------- */

/* Rewards of a learner or of all: the sum of their weights, their mean, and their summed squares about it. */
typedef struct heap {
    long double weight, mean, scatter;
} heap;

/* The weight of a reward: it fades with every later one. 0: it does not count for this learner (-1: for anybody). */
static long double weight_of(const rival *r, const episode *e, int learner) {
    if (!e->heard || !r->active[e->learner] || (learner >= 0 && e->learner != learner)) return 0.0L;
    return r->discount < 1.0L ? powl(r->discount, (long double)(r->rewards - e->order)) : 1.0L;
}

static heap heap_of(const rival *r, int learner) {
    heap h = {0};
    long double sum = 0.0L;
    for (size_t k = 0; k < r->episode_count; k++) {
        long double weight = weight_of(r, &r->episodes[k], learner);
        h.weight += weight;
        sum += weight * r->episodes[k].reward;
    }
    if (h.weight > 0.0L) h.mean = sum / h.weight;
    for (size_t k = 0; k < r->episode_count; k++) {
        long double distance = r->episodes[k].reward - h.mean;
        h.scatter += weight_of(r, &r->episodes[k], learner) * distance * distance;
    }
    return h;
}

static long double noise_drawn(rival *r, long double prior, long double weight, long double scatter) {
    return (prior + scatter / 2.0L) / posse_draw_gamma(&r->draw, (double)(2.0L + weight / 2.0L));
}

/* A mean of normal rewards whose prior is N(all.mean, spread): precisions add up. */
static long double normal_drawn(rival *r, heap own, heap all, long double spread, long double shared) {
    long double noise = fmaxl(noise_drawn(r, spread, own.weight, own.scatter), shared);
    double chance = posse_draw_normal(&r->draw);
    if (spread == 0.0L) return all.mean;
    long double precision = 1.0L / spread + own.weight / noise;
    return (all.mean / spread + own.weight * own.mean / noise) / precision + chance / sqrtl(precision);
}

static long double mean_drawn(rival *r, heap own, heap all, long double spread, long double shared) {
    long double sum = own.weight * own.mean;
    if (strcmp(r->model, "beta") == 0)
        return posse_draw_beta(&r->draw, (double)(1.0L + sum), (double)(1.0L + own.weight - sum));
    if (strcmp(r->model, "gamma") == 0) {
        double drawn_ = posse_draw_gamma(&r->draw, (double)(1.0L + sum));
        return all.mean > 0.0L ? drawn_ / (1.0L / all.mean + own.weight) : 0.0L;
    }
    return normal_drawn(r, own, all, spread, shared);
}

static int thompson_choose(rival *r) {
    heap all = heap_of(r, -1);
    long double within = 0.0L, shared = 0.0L, spread = all.weight > 0.0L ? all.scatter / all.weight : 0.0L;
    for (int i = 0; i < r->count; i++) within += heap_of(r, i).scatter;
    if (strcmp(r->model, "normal-gamma") == 0) shared = noise_drawn(r, spread, all.weight, within);
    long double largest = -INFINITY, tied = 0.0L;
    for (int i = 0; i < r->count; i++) {
        r->sampled[i] = r->active[i] ? mean_drawn(r, heap_of(r, i), all, spread, shared) : -INFINITY;
        tied = r->sampled[i] > largest ? 1.0L : tied + (r->sampled[i] == largest);
        largest = fmaxl(largest, r->sampled[i]);
    }
    int chosen = -1;
    uint64_t rank = tied > 1.0L ? posse_draw_index(&r->ties, (uint64_t)tied) : 0;
    for (int i = 0; i < r->count; i++) {
        bool best = r->active[i] && r->sampled[i] == largest;
        r->chances[i] = best ? 1.0L / tied : 0.0L;
        if (best && rank-- == 0) chosen = i;
    }
    return chosen;
}

static void thompson_admit(rival *r, int learner) {
    r->sampled[learner] = 0.0L;
}

static long double thompson_potential(const rival *r, int learner) {
    return r->active[learner] ? -r->sampled[learner] : INFINITY;
}

/* ----------------------------------------------------- the twin ------------------------------------------------ */

static const rival_rule rules[] = {
    {"d3rb", bound_admit, NULL, least_potential, bound_played, d3rb_heard, bound_potential, NULL},
    {"ed2rb", bound_admit, NULL, least_potential, bound_played, ed2rb_heard, bound_potential, NULL},
    {"bd3rb", bound_admit, NULL, least_potential, bound_played, bd3rb_heard, bound_potential, NULL},
    {"perfect-balancing", perfect_admit, NULL, least_potential, NULL, perfect_heard, bound_potential, NULL},
    {"balancing", NULL, balancing_retire, least_potential, NULL, balancing_heard, balancing_potential, NULL},
    {"dynamic-balancing", dynamic_admit, dynamic_retire, least_potential, NULL, dynamic_heard, dynamic_potential, NULL},
    {"corral", corral_admit, corral_retire, corral_choose, NULL, corral_heard, NULL, NULL},
    {"stochastic-corral", corral_admit, smoothed_retire, smoothed_choose, smoothed_played, smoothed_heard, NULL,
     smoothed_probe},
    {"exp3p", exp3p_admit, NULL, exp3p_choose, exp3p_played, exp3p_heard, NULL, NULL},
    {"ucb", NULL, NULL, index_choose, NULL, NULL, NULL, NULL},
    {"greedy", NULL, NULL, index_choose, NULL, NULL, NULL, NULL},
    {"thompson", thompson_admit, NULL, thompson_choose, NULL, NULL, thompson_potential, NULL},
    {"uniform", NULL, NULL, uniform_choose, NULL, NULL, NULL, NULL},
};

static const posse_option *option(const posse_part *selector, const char *key) {
    for (int i = 0; i < POSSE_OPTIONS_MAX && selector->options[i].key != NULL; i++)
        if (strcmp(selector->options[i].key, key) == 0) return &selector->options[i];
    return NULL;
}

static long double number(const posse_part *selector, const char *key, long double fallback) {
    const posse_option *o = option(selector, key);
    return o != NULL ? o->number : fallback;
}

/* Reads a number for all learners, or a list. Learners that are added later have the largest of the list. */
static void read_numbers(const posse_part *selector, const char *key, double fallback, long double out[CROWD_MAX]) {
    const posse_option *o = option(selector, key), absent = {.number = fallback};
    if (o == NULL) o = &absent;
    long double largest = o->count > 0 ? -INFINITY : o->number;
    for (size_t i = 0; i < o->count; i++) largest = fmaxl(largest, o->list[i]);
    for (size_t i = 0; i < CROWD_MAX; i++) out[i] = i < o->count ? o->list[i] : largest;
}

static void read_options(rival *r, const posse_part *selector) {
    bool exp3p = strcmp(selector->kind, "exp3p") == 0, ucb = strcmp(selector->kind, "ucb") == 0;
    const posse_option *range = option(selector, "range");
    bool perfect = strcmp(selector->kind, "perfect-balancing") == 0, balances = strstr(selector->kind, "d2rb") != NULL;
    balances = balances || strstr(selector->kind, "d3rb") != NULL;
    r->scales_radius = (balances || perfect) && option(selector, "confidence") == NULL;
    r->scales_coefficients = balances && option(selector, "dmin") == NULL;
    r->best = number(selector, "best", 0.0L);
    const char *mode = option(selector, "mode") != NULL ? option(selector, "mode")->word : "pessimistic";
    r->sign = strcmp(mode, "optimistic") == 0 ? 1.0L : strcmp(mode, "greedy") == 0 ? 0.0L : -1.0L;
    r->confidence = number(selector, "confidence", 1.0L);
    r->delta = number(selector, "delta", exp3p || ucb ? 0.05 : 0.01);
    r->dmin = number(selector, "dmin", 1.0L);
    r->width = ucb ? number(selector, "width", 1.0L) : 0.0L;
    r->rate = number(selector, "rate", 1.0L / sqrtl(r->rounds));
    r->batch = (int)number(selector, "batch", 1.0L);
    r->low = range != NULL ? range->list[0] : 0.0L;
    r->high = range != NULL ? range->list[1] : 1.0L;
    r->model = option(selector, "model") != NULL ? option(selector, "model")->word : "normal-gamma";
    r->discount = number(selector, "discount", 1.0L);
    read_numbers(selector, "coefficients", 0.0, r->coefficient);
    read_numbers(selector, "weights", 1.0, r->weight);
    read_numbers(selector, "bias", 0.0, r->bias);
}

void rival_open(rival *r, const posse_def *def) {
    memset(r, 0, sizeof *r);
    for (int i = 0; i < LENGTH(rules); i++)
        if (strcmp(rules[i].kind, def->selector.kind) == 0) r->rule = &rules[i];
    assert_non_null(r->rule);
    r->rounds = def->rounds;
    r->waiting = -1;
    read_options(r, &def->selector);
    draw_open(&r->draw, def->seed, def->run, stream_named(STREAM_SELECTOR, NULL), 0);
    draw_open(&r->ties, def->seed, def->run, stream_named(STREAM_TIES, NULL), 0);
    for (int i = 0; i < def->learner_count; i++) rival_admit(r);
}

void rival_close(rival *r) {
    free(r->episodes);
    for (int i = 0; i < CROWD_MAX; i++) free(r->gains[i]);
}

int rival_choose(rival *r) {
    if (r->batch_left > 0) return r->current;
    memset(r->chances, 0, sizeof r->chances);
    r->current = r->rule->choose(r);
    r->batch_left = r->batch;
    if (r->chances[r->current] == 0.0L) r->chances[r->current] = 1.0L;
    return r->current;
}

int rival_probe(rival *r) {
    return r->rule->probe != NULL ? r->rule->probe(r) : -1;
}

size_t rival_played(rival *r, int arm, bool probe) {
    size_t at = r->episode_count++;
    r->episodes = grown(r->episodes, at, sizeof *r->episodes);
    r->episodes[at] = (episode){.learner = r->current, .arm = arm, .probe = probe, .chance = r->chances[r->current]};
    r->batch_left--;
    recount(r, r->current);
    if (r->rule->played != NULL) r->rule->played(r, at);
    return at;
}

void rival_heard(rival *r, size_t at, double reward) {
    r->episodes[at].heard = true;
    r->episodes[at].reward = reward;
    int learner = r->episodes[at].learner;
    if (r->active[learner]) r->episodes[at].order = ++r->rewards;
    recount(r, learner);
    bool there = r->active[learner]; /* retired learners are not judged */
    if (there && r->rule->heard != NULL) r->rule->heard(r, at);
}

void rival_admit(rival *r) {
    assert_true(r->count < CROWD_MAX);
    r->active[r->count++] = true;
    r->batch_left = 0;
    if (r->rule->admit != NULL) r->rule->admit(r, r->count - 1);
}

void rival_retire(rival *r, int learner) {
    r->active[learner] = false;
    if (r->rule->retire != NULL) r->rule->retire(r, learner);
    if (r->current == learner) r->batch_left = 0;
}

/* q = (1 - gamma) p + gamma / M, solved for p. */
void rival_follow(rival *r, const double *chances) {
    long double gamma = 1.0L / r->rounds;
    for (int i = 0; i < r->count; i++)
        if (r->active[i]) r->p[i] = (chances[i] - gamma / crowd(r)) / (1.0L - gamma);
}

bool rival_has_potentials(const rival *r) {
    return r->rule->potential != NULL;
}

long double rival_potential(const rival *r, int learner) {
    return r->rule->potential(r, learner);
}

uint64_t rival_clipped(const rival *r) {
    uint64_t clipped = 0;
    for (size_t k = 0; k < r->episode_count; k++) {
        const episode *e = &r->episodes[k];
        clipped += e->heard && (e->reward < r->low || e->reward > r->high);
    }
    return clipped;
}

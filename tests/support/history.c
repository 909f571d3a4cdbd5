/* SPDX-License-Identifier: MIT */
#include "history.h"

#include <math.h>

double best_of(const history *h, const double *world) {
    double best = world[0];
    for (int a = 1; a < h->arms; a++) best = fmax(best, world[a]);
    return best;
}

double worst_of(const history *h, const double *world) {
    double worst = world[0];
    for (int a = 1; a < h->arms; a++) worst = fmin(worst, world[a]);
    return worst;
}

int plays(const history *h, int i, int t) {
    int count = 0;
    for (int s = 0; s < t; s++) count += h->learner[s] == i;
    return count;
}

double regret(const history *h, const double *world, int i, int t) {
    double sum = 0.0, best = best_of(h, world);
    for (int s = 0; s < t; s++)
        if (h->learner[s] == i) sum += best - world[h->arm[s]];
    return sum;
}

double charged(const history *h, int t) {
    return regret(h, h->world[t], h->learner[t], t);
}

double least_coefficient(const history *h, const double *world, int t) {
    return least_charge(h, ROOT, world, t);
}

double least_charge(const history *h, const rule *g, const double *world, int t) {
    double least = INFINITY;
    for (int i = 0; i < h->learners; i++) least = fmin(least, regret(h, world, i, t) / divisor(g, plays(h, i, t)));
    return least;
}

int chosen(const history *h, const rule *g, int t) {
    if (t < h->learners) return t;
    int least = 0;
    double charge = INFINITY;
    for (int i = 0; i < h->learners; i++) {
        double own = regret(h, h->world[t], i, t) / divisor(g, plays(h, i, t));
        if (own < charge) least = i, charge = own;
    }
    return least;
}

double value_missed(const history *h, int forced) {
    double sum = 0.0;
    for (int t = 0; t < h->rounds; t++) sum += best_of(h, t < forced ? h->truth : h->world[t]) - h->truth[h->arm[t]];
    return sum;
}

static double history_reward(uint32_t run, double mean, double coin) {
    return run % 4 == 0 ? coin : run % 4 == 1 ? mean : run % 4 == 2 ? fmax(mean, coin) : (mean + coin) / 2;
}

void make_up_by(history *h, history_chooser *choose, const void *context, uint32_t run) {
    posse_draw draw;
    draw_open(&draw, 5, run, stream_named(STREAM_INSTANCE, NULL), 0);
    *h = (history){.rounds = ROUNDS_CAP, .learners = 2 + (int)posse_draw_index(&draw, 4), .arms = ARMS_CAP};
    for (int a = 0; a < h->arms; a++) h->truth[a] = posse_draw_uniform(&draw);
    double push = run % 3 * 0.3, quality[TEAM_CAP];
    for (int i = 0; i < h->learners; i++) quality[i] = posse_draw_uniform(&draw);
    for (int t = 0; t < h->rounds; t++) {
        for (int a = 0; a < h->arms; a++)
            h->world[t][a] = (1.0 - push) * h->truth[a] + push * posse_draw_uniform(&draw);
        int i = h->learner[t] = choose(h, context, t), arm = (int)posse_draw_index(&draw, ARMS_CAP);
        if (posse_draw_uniform(&draw) < quality[i])
            for (int a = 0; a < h->arms; a++) arm = h->truth[a] > h->truth[arm] ? a : arm;
        double mean = h->truth[h->arm[t] = arm];
        h->reward[t] = history_reward(run, mean, posse_draw_uniform(&draw) < mean);
    }
}

static int history_by_rule(const history *h, const void *context, int t) {
    return chosen(h, context, t);
}

void make_up(history *h, const rule *g, uint32_t run) {
    make_up_by(h, history_by_rule, g, run);
}

bool is_near(const history *h, const double *world, int t, double rho) {
    double off[TEAM_CAP] = {0}, count[TEAM_CAP] = {0};
    for (int s = 0; s < t; s++) {
        int i = h->learner[s];
        off[i] += h->reward[s] - world[h->arm[s]];
        count[i] += 1.0;
        if (fabs(off[i]) > rho * sqrt(count[i])) return false;
    }
    return true;
}

/* A front page with three of twelve articles to choose from, and visitors with tastes. Which features matter? */
#include <posse_extend.h>
#include <stdio.h>

#define ARTICLES 12
#define CHOICE 3
#define FEATURES 4

static double chance(void) {
    static unsigned state = 1;
    state = state * 1664525u + 1013904223u;
    return state / 4294967296.0;
}

/* The features of an article for a visitor: a constant, whether the topic is to their taste, how fresh the article is,
 * and how long. */
static void describe(int article, double sport, double *x) {
    int topic = article % 2; /* politics or sport */
    double features[FEATURES] = {1.0, topic == 1 ? sport : 1.0 - sport, chance(), (article % 5) / 5.0};
    for (int j = 0; j < FEATURES; j++) x[j] = features[j];
}

/* The truth, which nobody knows: taste matters most, then freshness; length does not. */
static double click_rate(const double *x) {
    return 1.0 / (1.0 + posse_exp(3.5 - 3.0 * x[1] - 1.0 * x[2]));
}

int main(void) {
    static const double length_only[] = {0, 3};
    posse_part learners[] = {
        {.kind = "logistic-thompson", .name = "sampler"},
        {.kind = "linear-ucb", .name = "cautious", .options = {{"width", 2.0}}},
        {.kind = "linear-ucb", .name = "length", .options = {{"features", .list = length_only, .count = 2}}},
        {.kind = "ucb", .name = "blind"}}; /* uses no feature */
    posse_def def = posse_default_def();
    def.arms = ARTICLES;
    def.dim = FEATURES; /* without points, because every round has its own features */
    def.prior = (posse_part){.kind = "logistic"};
    def.learners = learners;
    def.learner_count = 4;
    posse *p;
    if (posse_create(&def, &p) != POSSE_OK) return 1;

    int clicks = 0;
    double best = 0.0, by_chance = 0.0;
    for (int visitor = 0; visitor < 10000; visitor++) {
        int first = (int)(chance() * (ARTICLES - CHOICE + 1)), articles[CHOICE];
        double sport = chance(), x[CHOICE][FEATURES], largest = 0.0;
        for (int k = 0; k < CHOICE; k++) {
            articles[k] = first + k;
            describe(articles[k], sport, x[k]);
            if (click_rate(x[k]) > largest) largest = click_rate(x[k]);
            by_chance += click_rate(x[k]) / CHOICE;
        }
        best += largest;
        posse_context visit = {.count = CHOICE, .arms = articles, .points = x[0]};
        posse_decision d;
        posse_decide(p, &visit, &d);
        int click = chance() < click_rate(d.point); /* the features of the article that is shown */
        posse_learn(p, d.id, click);
        clicks += click;
    }

    uint64_t plays[4];
    posse_plays(p, plays);
    printf("%d clicks; %.0f are expected of the best article for each, %.0f of any\n", clicks, best, by_chance);
    for (int i = 0; i < 4; i++) printf("%-8s picked %4d articles\n", posse_learner_name(p, i), (int)plays[i]);
    posse_free(p);
    return 0;
}

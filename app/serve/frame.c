/* SPDX-License-Identifier: MIT */
/*
 * A frame has a bounded size, whatever the posse: of many learners and arms it has the first ones, and the number of
 * all.
 */
#include "serve/frame.h"
#include "posse_inside.h"
#include "posse_modes.h"
#include "served/health.h"

#include <math.h>
#include <stdlib.h>

/* Numbers about the learners and arms; an entry is NaN if the selector has no such number. */
typedef struct insight {
    uint64_t *plays;
    double *potentials, *regrets, *means, *deviations;
} insight;

static double *frame_numbers(size_t count) {
    return calloc(count + 1, sizeof(double));
}

static void say_unknown(double *list, int count, posse_error error) {
    for (int i = 0; i < count && error != POSSE_OK; i++) list[i] = NAN;
}

static void frame_look(const posse *p, insight *in) {
    int learners = posse_learner_count(p), arms = posse_arm_count(p);
    posse_plays(p, in->plays);
    say_unknown(in->potentials, learners, posse_potentials(p, in->potentials));
    say_unknown(in->regrets, learners, posse_regrets(p, in->regrets));
    bool asks = posse_feature_count(p) == 0 && arms > 0;
    say_unknown(in->means, arms, asks ? posse_means(p, NULL, in->means) : POSSE_ERROR_ABSENT);
    say_unknown(in->deviations, arms, asks ? posse_deviations(p, NULL, in->deviations) : POSSE_ERROR_ABSENT);
}

/* Over all learners, including those that are not in the frame. */
static double frame_sum(const double *list, int count) {
    double total = 0.0;
    for (int i = 0; i < count; i++) total += list[i];
    return total;
}

static void frame_put_learners(json_out *out, const posse *p, const insight *in) {
    json_key(out, "learners");
    json_open(out, '[');
    for (int i = 0; i < posse_learner_count(p) && i < FRAME_LEARNERS_MAX; i++) {
        json_open(out, '{');
        json_text_at(out, "name", posse_learner_name(p, i));
        json_flag_at(out, "active", posse_learner_active(p, i));
        json_whole_at(out, "plays", (int64_t)in->plays[i]);
        json_number_at(out, "potential", in->potentials[i]);
        json_number_at(out, "regret", in->regrets[i]);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void frame_put_arms(json_out *out, const posse *p, const insight *in) {
    json_key(out, "arms");
    json_open(out, '[');
    for (int i = 0; i < posse_arm_count(p) && i < FRAME_ARMS_MAX; i++) {
        json_open(out, '{');
        json_whole_at(out, "arm", i);
        if (posse_arm_name(p, i) != NULL) json_text_at(out, "name", posse_arm_name(p, i));
        json_flag_at(out, "active", posse_arm_active(p, i));
        json_number_at(out, "mean", in->means[i]);
        json_number_at(out, "deviation", in->deviations[i]);
        json_close(out, '}');
    }
    json_close(out, ']');
}

void put_surprise(json_out *out, const posse *p) {
    double surprise;
    if (posse_surprise(p, &surprise) == POSSE_OK) json_number_at(out, "surprise", surprise);
}

void put_alarms(json_out *out, const hosted *h) {
    const char *names[ALARMS + 1];
    health_list(engine_alarms(h->engine, h), names);
    json_key(out, "alarms");
    json_open(out, '[');
    for (int k = 0; names[k] != NULL; k++) json_put_text(out, names[k]);
    json_close(out, ']');
}

void put_modes(json_out *out, const posse *p) {
    posse_modes m = posse_modes_of(p);
    json_flag_at(out, "paused", m.paused);
    json_flag_at(out, "shadow", m.shadow);
    json_number_at(out, "holdback", m.holdback);
}

static void frame_put_all(json_out *out, const hosted *h, const insight *in) {
    const posse *p = h->served.posse;
    posse_rewards range = posse_reward_range(p);
    json_open(out, '{');
    json_text_at(out, "name", h->name);
    json_whole_at(out, "decisions", (int64_t)posse_decision_count(p));
    json_whole_at(out, "pending", (int64_t)posse_pending_count(p));
    json_whole_at(out, "deferred", (int64_t)posse_deferred_count(p));
    json_whole_at(out, "rewards", (int64_t)h->served.rewards);
    json_number_at(out, "reward_sum", h->served.reward_sum);
    json_whole_at(out, "epoch", posse_epoch(p));
    json_whole_at(out, "features", posse_feature_count(p));
    json_flag_at(out, "unit_rewards", posse_unit_rewards(p));
    json_number_at(out, "reward_low", range.low);
    json_number_at(out, "reward_high", range.high);
    json_number_at(out, "regret", frame_sum(in->regrets, posse_learner_count(p)));
    json_number_at(out, "best_mean", hosted_best_mean(p, in->means));
    put_modes(out, p);
    put_surprise(out, p);
    put_alarms(out, h);
    json_whole_at(out, "learner_count", posse_learner_count(p));
    json_whole_at(out, "arm_count", posse_arm_count(p));
    frame_put_learners(out, p, in);
    frame_put_arms(out, p, in);
    json_close(out, '}');
}

void frame_write(const hosted *h, json_out *out) {
    size_t learners = (size_t)posse_learner_count(h->served.posse), arms = (size_t)posse_arm_count(h->served.posse);
    insight in = {calloc(learners + 1, sizeof *in.plays), frame_numbers(learners), frame_numbers(learners),
                  frame_numbers(arms), frame_numbers(arms)};
    bool memory =
        in.plays != NULL && in.potentials != NULL && in.regrets != NULL && in.means != NULL && in.deviations != NULL;
    if (memory) {
        frame_look(h->served.posse, &in);
        frame_put_all(out, h, &in);
    }
    out->failed = out->failed || !memory;
    free(in.plays);
    free(in.potentials);
    free(in.regrets);
    free(in.means);
    free(in.deviations);
}

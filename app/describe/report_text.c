/* SPDX-License-Identifier: MIT */
#include "describe/report_text.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "common/json_text.h"
#include "describe/modes_text.h"
#include "posse_inside.h"

#define DRAWS_MOST 1000
#define DRAWS_LEAST 100  /* with fewer, the belief is not asked */
#define NUMBERS_MOST 4e6 /* that the draws may take, for time and for memory */

static json_t *report_number(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

/* A world takes the square of its dimensions. Without arms, means of learners are drawn. */
static uint32_t report_draws(const posse *p) {
    double arms = posse_arm_count(p), dim = posse_dim(p), each = arms * (1.0 + dim) + dim * dim;
    double most = NUMBERS_MOST / ((arms > 0.0 ? each : posse_learner_count(p)) + 1.0);
    return most >= DRAWS_MOST ? DRAWS_MOST : most >= DRAWS_LEAST ? (uint32_t)most : 0;
}

static json_t *report_entry(const char *key, int index, const char *name, bool active, const posse_finding *f) {
    json_t *one = json_object();
    json_object_set_new(one, key, json_integer(index));
    if (name != NULL) json_object_set_new(one, "name", json_string(name));
    json_object_set_new(one, "active", json_boolean(active));
    json_object_set_new(one, "rewards", json_integer((json_int_t)f->rewards));
    json_object_set_new(one, "mean", report_number(f->mean));
    json_object_set_new(one, "low", report_number(f->low));
    json_object_set_new(one, "high", report_number(f->high));
    json_object_set_new(one, "belief_mean", report_number(f->belief_mean));
    json_object_set_new(one, "belief_low", report_number(f->belief_low));
    json_object_set_new(one, "belief_high", report_number(f->belief_high));
    json_object_set_new(one, "best", report_number(f->best));
    json_object_set_new(one, "lift", report_number(f->lift));
    json_object_set_new(one, "lift_low", report_number(f->lift_low));
    json_object_set_new(one, "lift_high", report_number(f->lift_high));
    return one;
}

/* What a comparison of the modes has found: a few numbers of a finding. */
static json_t *report_brief(const posse_finding *f, bool lift) {
    json_t *one = json_object();
    json_object_set_new(one, "rewards", json_integer((json_int_t)f->rewards));
    json_object_set_new(one, "mean", report_number(f->mean));
    json_object_set_new(one, "low", report_number(f->low));
    json_object_set_new(one, "high", report_number(f->high));
    if (!lift) return one;
    json_object_set_new(one, "lift", report_number(f->lift));
    json_object_set_new(one, "lift_low", report_number(f->lift_low));
    json_object_set_new(one, "lift_high", report_number(f->lift_high));
    return one;
}

/* The modes as they are now, and what they have compared: a posse without these modes has neither key of the two. */
static void report_put_modes(const posse *p, json_t *whole) {
    posse_comparison c;
    posse_trial t;
    json_object_set_new(whole, "modes", modes_json(p));
    if (posse_holdback(p, &c) == POSSE_OK) {
        json_t *one = json_object();
        json_object_set_new(one, "posse", report_brief(&c.posse, true));
        json_object_set_new(one, "control", report_brief(&c.control, false));
        json_object_set_new(whole, "holdback", one);
    }
    if (posse_shadow(p, &t) == POSSE_OK) {
        json_t *one = json_object();
        json_object_set_new(one, "rounds", json_integer((json_int_t)t.rounds));
        json_object_set_new(one, "agreed", json_integer((json_int_t)t.agreed));
        json_object_set_new(one, "agreed_low", report_number(t.agreed_low));
        json_object_set_new(one, "agreed_high", report_number(t.agreed_high));
        json_object_set_new(one, "rule", report_brief(&t.rule, false));
        json_object_set_new(one, "estimate", report_number(t.estimate));
        json_object_set_new(one, "low", report_number(t.low));
        json_object_set_new(one, "high", report_number(t.high));
        json_object_set_new(whole, "shadow", one);
    }
}

static void report_put_alarms(const char *const *alarms, json_t *whole) {
    if (alarms == NULL) return;
    json_t *list = json_array();
    for (; *alarms != NULL; alarms++) json_array_append_new(list, json_string(*alarms));
    json_object_set_new(whole, "alarms", list);
}

static json_t *report_json(const posse *p, const posse_report *r) {
    static const char *const verdicts[] = {"not yet", "decided", "cannot tell"};
    json_t *whole = json_object(), *arms = json_array(), *learners = json_array();
    json_object_set_new(whole, "verdict", json_string(verdicts[r->verdict]));
    json_object_set_new(whole, "reason", json_string(r->reason));
    json_object_set_new(whole, "confidence", report_number(r->confidence));
    json_object_set_new(whole, "leader", r->best >= 0 ? json_integer(r->best) : json_null());
    json_object_set_new(whole, "control", r->control >= 0 ? json_integer(r->control) : json_null());
    json_object_set_new(whole, "regret", report_number(r->regret));
    json_object_set_new(whole, "more", report_number(r->more));
    for (int a = 0; a < posse_arm_count(p) && a < REPORT_ARMS_MAX; a++)
        json_array_append_new(arms, report_entry("arm", a, posse_arm_name(p, a), posse_arm_active(p, a), &r->arms[a]));
    for (int i = 0; i < posse_learner_count(p); i++)
        json_array_append_new(learners, report_entry("learner", i, posse_learner_name(p, i), posse_learner_active(p, i),
                                                     &r->learners[i]));
    json_object_set_new(whole, "arms", arms);
    json_object_set_new(whole, "learners", learners);
    report_put_modes(p, whole);
    return whole;
}

char *report_text(const posse *p, int control, const char *const *alarms) {
    posse_report r = {.control = control, .draws = report_draws(p)};
    r.arms = calloc((size_t)posse_arm_count(p) + 1, sizeof *r.arms);
    r.learners = calloc((size_t)posse_learner_count(p) + 1, sizeof *r.learners);
    char *text = NULL;
    if (r.arms != NULL && r.learners != NULL && posse_report_make(p, &r) == POSSE_OK) {
        json_t *whole = report_json(p, &r);
        report_put_alarms(alarms, whole);
        text = json_text(whole, JSON_TEXT_COMPACT);
        json_decref(whole);
    }
    free(r.arms);
    free(r.learners);
    return text;
}

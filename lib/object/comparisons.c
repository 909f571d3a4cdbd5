/* SPDX-License-Identifier: MIT */
/*
 * What the modes compare: the posse with its holdback, and the suggestions of shadow mode with the rule that acted.
 */
#include <math.h>

#include "object/modes.h"
#include "object/report.h"

/* Each of the two intervals holds with half of the error. */
posse_error posse_holdback(const posse *p, posse_comparison *out) {
    if (p == NULL || out == NULL) return POSSE_ERROR_ARGUMENT;
    const modes *m = p->modes;
    if (p->tallies == NULL || m == NULL || m->held.count == 0.0) return POSSE_ERROR_ABSENT;
    double half = 0.5 * (1.0 - CONFIDENCE);
    interval own = report_interval(p, &m->others, false, half), base = report_interval(p, &m->held, false, half);
    out->posse = report_finding(p, &m->others, false);
    out->control = report_finding(p, &m->held, false);
    out->control.lift = out->control.lift_low = out->control.lift_high = 0.0;
    out->posse.lift = out->posse.mean - out->control.mean;
    out->posse.lift_low = report_known(own.low - base.high);
    out->posse.lift_high = report_known(own.high - base.low);
    return POSSE_OK;
}

/*
 * The value of the suggestions is the sum over arms of their shares times their mean rewards. The intervals of these
 * means hold together, each with its part of the error: all arms have one, because which arms are suggested is not
 * known before. The shares are counted, so they are known.
 */
static void comparisons_weigh(const posse *p, posse_trial *out) {
    const shadow_counts *s = &p->modes->shadow;
    double estimate = 0.0, low = 0.0, high = 0.0, error = (1.0 - CONFIDENCE) / posse_arm_count(p);
    for (int a = 0; a < s->arms; a++) {
        if (s->suggested[a] == 0.0) continue;
        double share = s->suggested[a] / s->rule.count;
        reward_tally t = tallies_of_arm(p, a);
        interval of_arm = report_interval(p, &t, true, error);
        estimate += share * (t.count > 0.0 ? t.sum / t.count : NAN);
        low += share * of_arm.low;
        high += share * of_arm.high;
    }
    out->estimate = estimate;
    out->low = report_known(low);
    out->high = report_known(high);
}

/* The worst and the best case of the rounds in which the rule played another arm. */
static void comparisons_bound(const posse *p, posse_trial *out) {
    const shadow_counts *s = &p->modes->shadow;
    double half = 0.5 * (1.0 - CONFIDENCE);
    out->estimate = out->low = out->high = NAN;
    if (!report_is_bounded(p->rewards)) return;
    out->low = report_known(report_interval(p, &s->least, false, half).low);
    out->high = report_known(report_interval(p, &s->most, false, half).high);
}

/* Every round is predicted by 1/2, so the number of rounds and the agreements are all that the interval needs. */
static void comparisons_agree(const posse *p, posse_trial *out) {
    const shadow_counts *s = &p->modes->shadow;
    reward_tally t = {.count = s->rule.count, .sum = s->agreed, .surprises = 0.25 * s->rule.count};
    interval share = report_bounded(&t, (posse_rewards){0.0, 1.0}, 1.0 - CONFIDENCE);
    out->agreed_low = share.low;
    out->agreed_high = share.high;
}

posse_error posse_shadow(const posse *p, posse_trial *out) {
    if (p == NULL || out == NULL) return POSSE_ERROR_ARGUMENT;
    const modes *m = p->modes;
    if (p->tallies == NULL || m == NULL || m->shadow.rule.count == 0.0) return POSSE_ERROR_ABSENT;
    *out = (posse_trial){.rounds = (uint64_t)m->shadow.rule.count,
                         .agreed = (uint64_t)m->shadow.agreed,
                         .rule = report_finding(p, &m->shadow.rule, false)};
    comparisons_agree(p, out);
    if (space_has_contexts(p->space))
        comparisons_bound(p, out);
    else
        comparisons_weigh(p, out);
    return POSSE_OK;
}

/* SPDX-License-Identifier: MIT */
/*
 * The report: what is known of the mean rewards of arms and learners, and whether it is decided which one is best.
 *
 * Intervals are confidence sequences: with probability 1 - alpha the mean is in the interval at all times. The arms of
 * a posse are chosen by what was seen before, so an interval for a fixed number of rewards would not hold.
 *
 * Rewards in a range. Let the range be [0, 1] after scaling, mu_i the expected reward of the i-th play given everything
 * before it, p_i a prediction in [0, 1] that was made before the play, and V the sum of (x_i - p_i)^2. For every rate l
 * in (0, 1), exp(l sum (x_i - mu_i) - psi(l) V), psi(l) = -log(1 - l) - l, is a supermartingale that begins at 1:
 * exp(l y - psi(l) y^2) <= 1 + l y for all y >= -1 (Fan, Grama, Liu 2015), used with y = x_i - p_i. By Ville's
 * inequality it ever exceeds 1 / a with a probability of at most a. RATES rates, on both sides, with
 * a = alpha / (2 RATES) each, give
 *     |mean of x_i - mean of mu_i| <= min over l of (log(2 RATES / alpha) + psi(l) V) / (l n)
 * for all n at once (S. Howard, A. Ramdas, J. McAuliffe, J. Sekhon, Time-uniform, nonparametric, nonasymptotic
 * confidence sequences, Annals of Statistics 49, 2021, theorem 4). It needs no assumption on mu_i, so it also holds for
 * a learner, whose choices get better.
 *
 * Other rewards are taken as normal with one mean and an unknown variance for each arm. Let S be the sum of x_i - mu,
 * and V that of their squares. The likelihood of n rewards with effect size N(0, 1), over that with effect size 0, both
 * with the prior 1 / sigma, is sqrt(1 / (n + 1)) (V / (V - S^2 / (n + 1)))^(n / 2). It is a martingale if mu is the
 * mean, and Ville's inequality solved for mu is an interval in closed form (T. Lai, On confidence sequences, Annals of
 * Statistics 4, 1976). Where rewards are not normal it holds approximately, once there are many. Learners have no
 * interval then, since their means change.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "base/utf8.h"
#include "belief/belief.h"
#include "object/object.h"
#include "object/report.h"
#include "posse_modes.h"

#define RATES 16 /* 1/2, 1/4, .., 2^-16: fewer than about 2^32 rewards need no smaller one */
#define FEW 30
#define HARDLY 0.01        /* an arm that is best with a smaller probability is hardly played */
#define MORE_MOST 1048576. /* the report does not look further ahead than this many times the present rewards */

#define MORE_ARMS 10000 /* with more arms, it does not look ahead */

/* psi of the rates. */
static const double report_psi[RATES] = {
    0.19314718055994531,    0.03768207245178093,   0.008531392624522623,   0.0020385211375711716,
    0.0004986983145803012,  0.0001233569681391686, 3.0677461025892875e-05, 7.649321136329093e-06,
    1.9098358033505576e-06, 4.77147826612786e-07,  1.19248108874465e-07,   2.980717391445669e-08,
    7.451186982241582e-09,  1.862720943925721e-09, 4.656707614277285e-10,  1.1641650607838044e-10};

/* ---------------------------------------------------- intervals --------------------------------------------------- */

interval report_bounded(const reward_tally *t, posse_rewards range, double alpha) {
    double width = range.high - range.low, v = t->surprises / (width * width), radius = INFINITY;
    double level = posse_log(2.0 * RATES / alpha), mean = t->sum / t->count, rate = 1.0;
    for (int k = 0; k < RATES; k++) {
        rate *= 0.5;
        radius = fmin(radius, (level + report_psi[k] * v) / (rate * t->count));
    }
    return (interval){fmax(range.low, mean - radius * width), fmin(range.high, mean + radius * width)};
}

static interval report_normal(const reward_tally *t, double alpha) {
    double n = t->count, mean = t->sum / n;
    double q = posse_exp((posse_log(n + 1.0) - 2.0 * posse_log(alpha)) / n), rest = 1.0 - q / (n + 1.0);
    if (n < 2.0 || t->squares <= 0.0 || rest <= 0.0) return (interval){-INFINITY, INFINITY};
    double radius = sqrt((q - 1.0) * t->squares / (n * rest));
    return (interval){mean - radius, mean + radius};
}

bool report_is_bounded(posse_rewards range) {
    return range.low > -REAL_MAX && range.high < REAL_MAX;
}

static posse_rewards report_range(const posse *p) {
    bool tallied = p->tallies != NULL && p->tallies->list != NULL;
    return tallied ? (posse_rewards){p->tallies->low, p->tallies->high} : p->rewards;
}

interval report_interval(const posse *p, const reward_tally *t, bool steady, double alpha) {
    posse_rewards range = report_range(p);
    interval none = {-INFINITY, INFINITY};
    if (p->tallies == NULL) return none;
    if (t->count == 0.0) return report_is_bounded(p->rewards) ? (interval){p->rewards.low, p->rewards.high} : none;
    if (report_is_bounded(range)) return report_bounded(t, range, alpha);
    return steady ? report_normal(t, alpha) : none;
}

double report_known(double x) {
    return isfinite(x) ? x : NAN;
}

/* ---------------------------------------------------- candidates -------------------------------------------------- */

/* What is compared: the arms or, if there are none, the learners. */
typedef struct candidates {
    const posse *p;
    bool arms;
    int count, active;
} candidates;

static candidates report_candidates(const posse *p) {
    candidates c = {.p = p, .arms = p->space->arms > 0};
    c.count = c.arms ? p->space->arms : p->count;
    c.active = c.arms ? p->space->active_count : p->active;
    return c;
}

static bool candidate_active(const candidates *c, int i) {
    return c->arms ? space_has(c->p->space, i) : c->p->members[i].active;
}

static reward_tally candidate_tally(const candidates *c, int i) {
    return c->arms ? tallies_of_arm(c->p, i) : tallies_of_learner(c->p, i);
}

static interval candidate_interval(const candidates *c, int i, double scale, double alpha) {
    reward_tally t = candidate_tally(c, i);
    t = (reward_tally){scale * t.count, scale * t.sum, scale * t.surprises, scale * t.squares};
    return report_interval(c->p, &t, c->arms, alpha);
}

#define SHOWN 60 /* bytes of a name that a reason has */

/* The name as a reason has it. A long one is cut, between two characters. */
static const char *candidate_name(const candidates *c, int i, char text[SHOWN + 1]) {
    const char *name = c->arms ? posse_arm_name(c->p, i) : c->p->members[i].name;
    if (name != NULL)
        snprintf(text, SHOWN + 1, "%s", name);
    else
        snprintf(text, SHOWN + 1, "arm %d", i);
    text[utf8_valid(text)] = '\0';
    return text;
}

/* ----------------------------------------------------- findings --------------------------------------------------- */

posse_finding report_finding(const posse *p, const reward_tally *t, bool steady) {
    interval of_mean = report_interval(p, t, steady, 1.0 - CONFIDENCE);
    return (posse_finding){.rewards = (uint64_t)t->count,
                           .mean = t->count > 0.0 ? t->sum / t->count : NAN,
                           .low = report_known(of_mean.low),
                           .high = report_known(of_mean.high),
                           .belief_mean = NAN,
                           .belief_low = NAN,
                           .belief_high = NAN,
                           .best = NAN,
                           .lift = NAN,
                           .lift_low = NAN,
                           .lift_high = NAN};
}

/* Each of the two intervals holds with half of the error. */
static void report_lift(const candidates *c, int control, posse_finding *list) {
    double half = 0.5 * (1.0 - CONFIDENCE);
    interval base = candidate_interval(c, control, 1.0, half);
    for (int i = 0; i < c->count; i++) {
        posse_finding *f = &list[i];
        interval own = candidate_interval(c, i, 1.0, half);
        f->lift = i == control ? 0.0 : f->mean - list[control].mean;
        f->lift_low = i == control ? 0.0 : report_known(own.low - base.high);
        f->lift_high = i == control ? 0.0 : report_known(own.high - base.low);
    }
}

/* ---------------------------------------------------- the belief -------------------------------------------------- */

static void report_sort(double *list, size_t count) {
    for (size_t gap = count / 2; gap > 0; gap /= 2)
        for (size_t i = gap; i < count; i++) {
            double x = list[i];
            size_t k = i;
            for (; k >= gap && list[k - gap] > x; k -= gap) list[k] = list[k - gap];
            list[k] = x;
        }
}

static double report_value(const posse *p, const posse_belief *b, const double *world, int arm) {
    double value = b->shape.one_hot ? world[arm] : dot(world, space_point(p->space, arm), p->space->dim);
    return b->model.logistic && !b->shape.one_hot ? 1.0 / (1.0 + posse_exp(-value - b->model.bias)) : value;
}

/* Draws worlds. values: `draws` values of each arm, one arm after the other. gained: the sum of the largest values. */
static void report_draw(const posse *p, const posse_belief *b, const void *state, posse_report *r, posse_draw *draw,
                        double *world, double *values, double *gained) {
    *gained = 0.0;
    draw_open(draw, p->seed, p->run, stream_named(STREAM_INSIGHT, "report"), 0);
    for (int a = 0; a < p->space->arms; a++) r->arms[a].best = 0.0;
    for (uint32_t i = 0; i < r->draws; i++) {
        double best;
        const double *coordinates;
        belief_draw(b, state, draw, world);
        int arm = belief_best(b, world, &best, &coordinates, NULL);
        r->arms[arm].best += 1.0;
        *gained += report_value(p, b, world, arm);
        for (int a = 0; a < p->space->arms; a++) values[(size_t)a * r->draws + i] = report_value(p, b, world, a);
    }
}

/* list: of all candidates. values: `draws` of each, one candidate after the other. */
static void report_posterior(const candidates *c, posse_report *r, posse_finding *list, double *values, double gained) {
    double most = -INFINITY;
    size_t tail = (size_t)(0.5 * (1.0 - CONFIDENCE) * r->draws);
    for (int k = 0; k < c->count; k++) {
        double *own = values + (size_t)k * r->draws, sum = 0.0;
        for (uint32_t i = 0; i < r->draws; i++) sum += own[i];
        report_sort(own, r->draws);
        list[k].best /= r->draws;
        list[k].belief_mean = report_known(sum / r->draws);
        list[k].belief_low = report_known(own[tail]);
        list[k].belief_high = report_known(own[r->draws - 1 - tail]);
        if (candidate_active(c, k)) most = fmax(most, list[k].belief_mean);
    }
    r->regret = fmax(0.0, gained / r->draws - most);
}

/* Whether the belief's own means are exact. Those of a logistic model are not those of its mean world. */
static bool report_has_means(const posse_belief *b) {
    return b->shape.one_hot || !b->model.logistic;
}

/* The posterior of the selector's belief, in rounds without features. */
static posse_error report_ask_belief(const candidates *c, posse_report *r) {
    const posse *p = c->p;
    const chooser *s = &p->selector;
    const void *state;
    const posse_belief *b =
        s->ops != NULL && s->ops->belief != NULL ? s->ops->belief(s->part.plan, s->state, &state) : NULL;
    if (b == NULL || r->draws == 0 || r->arms == NULL || !c->arms || space_has_contexts(p->space)) return POSSE_OK;
    arena scratch = {.allocator = p->host.allocator};
    double gained, *world = arena_allocate(&scratch, (size_t)b->shape.dim * sizeof *world);
    double *values = arena_allocate(&scratch, (size_t)p->space->arms * r->draws * sizeof *values);
    posse_draw *draw = arena_allocate(&scratch, sizeof *draw);
    bool memory = world != NULL && values != NULL && draw != NULL;
    if (memory) {
        report_draw(p, b, state, r, draw, world, values, &gained);
        report_posterior(c, r, r->arms, values, gained);
        if (report_has_means(b)) memory = posse_means(p, NULL, values) == POSSE_OK;
        for (int a = 0; a < p->space->arms && memory && report_has_means(b); a++) r->arms[a].belief_mean = values[a];
    }
    arena_release(&scratch);
    return memory ? POSSE_OK : POSSE_ERROR_MEMORY;
}

/* Draws means of the learners, as report_draw does those of arms. False: the selector knows too little so far. */
static bool report_draw_learners(const posse *p, posse_report *r, posse_draw *draw, double *means, double *values,
                                 double *gained) {
    const chooser *s = &p->selector;
    *gained = 0.0;
    draw_open(draw, p->seed, p->run, stream_named(STREAM_INSIGHT, "report"), 0);
    for (uint32_t i = 0; i < r->draws; i++) {
        int best = -1;
        if (!s->ops->draw_means(s->part.plan, s->state, p->count, draw, means)) return false;
        for (int k = 0; k < p->count; k++) {
            values[(size_t)k * r->draws + i] = means[k];
            if (p->members[k].active && (best < 0 || means[k] > means[best])) best = k;
            if (i == 0) r->learners[k].best = 0.0;
        }
        r->learners[best].best += 1.0;
        *gained += means[best];
    }
    return true;
}

/* The selector's posterior of the mean of each learner. Beside arms a learner's mean changes, and is none to stop at.
 */
static posse_error report_ask_selector(const candidates *c, posse_report *r) {
    const posse *p = c->p;
    const chooser *s = &p->selector;
    bool asks = s->ops != NULL && s->ops->draw_means != NULL && r->draws > 0 && r->learners != NULL;
    if (!asks || c->arms || space_is_ball(p->space) || space_has_contexts(p->space)) return POSSE_OK;
    arena scratch = {.allocator = p->host.allocator};
    double gained, *means = arena_allocate(&scratch, (size_t)p->count * sizeof *means);
    double *values = arena_allocate(&scratch, (size_t)p->count * r->draws * sizeof *values);
    posse_draw *draw = arena_allocate(&scratch, sizeof *draw);
    bool memory = means != NULL && values != NULL && draw != NULL;
    if (memory && report_draw_learners(p, r, draw, means, values, &gained))
        report_posterior(c, r, r->learners, values, gained);
    arena_release(&scratch);
    return memory ? POSSE_OK : POSSE_ERROR_MEMORY;
}

/* ---------------------------------------------------- the verdict ------------------------------------------------- */

/* The leader has the largest mean; the rival is the other one whose interval reaches highest. -1: there is none. */
typedef struct race {
    int leader, rival;
    interval of_leader, of_rival;
} race;

static int report_leader(const candidates *c) {
    int leader = -1;
    double most = -INFINITY;
    for (int i = 0; i < c->count; i++) {
        reward_tally t = candidate_tally(c, i);
        if (!candidate_active(c, i) || t.count == 0.0 || t.sum / t.count <= most) continue;
        most = t.sum / t.count;
        leader = i;
    }
    return leader;
}

/* The intervals of all candidates hold together: each has its share of the error. */
static race report_race(const candidates *c, double scale) {
    double alpha = (1.0 - CONFIDENCE) / c->active;
    race r = {.leader = report_leader(c), .rival = -1};
    if (r.leader < 0) return r;
    r.of_leader = candidate_interval(c, r.leader, scale, alpha);
    for (int i = 0; i < c->count; i++) {
        if (i == r.leader || !candidate_active(c, i)) continue;
        interval own = candidate_interval(c, i, scale, alpha);
        if (r.rival >= 0 && own.high <= r.of_rival.high) continue;
        r.rival = i;
        r.of_rival = own;
    }
    return r;
}

static bool race_is_over(const race *r) {
    return r->leader >= 0 && (r->rival < 0 || r->of_leader.low > r->of_rival.high);
}

/* Scales all tallies until the race is over, if it ever is. */
static double report_more(const candidates *c) {
    if (c->count > MORE_ARMS) return NAN;
    double scale = 1.0, step = 2.0, total = 0.0;
    race r = report_race(c, scale);
    for (int i = 0; i < c->count; i++) total += candidate_tally(c, i).count;
    while (!race_is_over(&r) && scale < MORE_MOST) r = report_race(c, scale *= step);
    if (!race_is_over(&r)) return NAN;
    double under = scale / step;
    for (int k = 0; k < 20 && scale > 1.0; k++) {
        double middle = 0.5 * (under + scale);
        r = report_race(c, middle);
        if (race_is_over(&r))
            scale = middle;
        else
            under = middle;
    }
    return ceil(total * (scale - 1.0));
}

#define SAY(report, verdict_, ...)                                                                                     \
    ((report)->verdict = (verdict_), (void)format_text((report)->reason, sizeof(report)->reason, __VA_ARGS__))

/* Why no comparison can be made, whatever rewards come. */
static bool report_is_hopeless(const posse *p, posse_report *r) {
    if (p->tallies == NULL)
        SAY(r, POSSE_CANNOT_TELL, "rewards are not tallied: the posse was created without a report");
    else if (space_is_ball(p->space))
        SAY(r, POSSE_CANNOT_TELL, "every point of the ball is an arm");
    else if (space_has_contexts(p->space))
        SAY(r, POSSE_CANNOT_TELL, "rounds have features, and which arm is best depends on them");
    else if (p->space->arms == 0 && p->active > 1 && !report_is_bounded(report_range(p)))
        SAY(r, POSSE_CANNOT_TELL,
            "rewards have no range, so learners have no intervals; if they are from 0 to 1, create the posse with "
            "rewards: clicks, or the selector with model: beta");
    else
        return false;
    return true;
}

/* Whether the selector has given up one that could still be better. Of learners, only their plays are known. */
static bool report_is_given_up(const candidates *c, int rival, const posse_report *r) {
    double all = 0.0;
    if (c->arms) return c->p->floor == 0.0 && r->arms != NULL && r->arms[rival].best < HARDLY;
    for (int i = 0; i < c->count; i++) all += candidate_tally(c, i).count;
    return candidate_tally(c, rival).count < HARDLY * all;
}

static void report_say_open(const candidates *c, const race *lead, posse_report *r) {
    char one[SHOWN + 1], two[SHOWN + 1];
    const char *leader = candidate_name(c, lead->leader, one), *rival = candidate_name(c, lead->rival, two);
    double surprise, count = candidate_tally(c, lead->rival).count;
    bool ends = isfinite(lead->of_leader.low) && isfinite(lead->of_rival.high);
    if (posse_surprise(c->p, &surprise) == POSSE_OK && surprise > posse_surprise_limit(c->p, 1))
        SAY(r, POSSE_CANNOT_TELL, "the belief is surprised: the rewards contradict it (surprise %.1f, above %.1f)",
            surprise, posse_surprise_limit(c->p, 1));
    else if (report_is_given_up(c, lead->rival, r))
        SAY(r, POSSE_CANNOT_TELL, "%s could still be better than %s but is hardly played any more: %s", rival, leader,
            c->arms ? "the selector has no floor" : "without arms there is no floor");
    else if (count < FEW)
        SAY(r, POSSE_NOT_YET, "too few: %s has %.0f %s", rival, count, count == 1.0 ? "reward" : "rewards");
    else if (!ends)
        SAY(r, POSSE_NOT_YET, "too few: %s leads, but nothing bounds its mean or that of %s so far", leader, rival);
    else
        SAY(r, POSSE_NOT_YET, "%s leads, but %s could still be better: %.4g is at most %.4g", leader, rival,
            lead->of_leader.low, lead->of_rival.high);
    r->more = report_more(c);
}

static void report_judge(const candidates *c, posse_report *r) {
    char text[SHOWN + 1];
    race lead = report_race(c, 1.0);
    r->best = lead.leader;
    if (lead.leader < 0)
        SAY(r, POSSE_NOT_YET, "too few: there is no reward yet");
    else if (lead.rival < 0)
        SAY(r, POSSE_DECIDED, "%s is the only one", candidate_name(c, lead.leader, text));
    else if (race_is_over(&lead))
        SAY(r, POSSE_DECIDED, "%s is the best: its mean is above %.4g, and every other is below %.4g",
            candidate_name(c, lead.leader, text), lead.of_leader.low, lead.of_rival.high);
    else
        report_say_open(c, &lead, r);
}

/* --------------------------------------------------- the public call ---------------------------------------------- */

bool posse_reports(const posse *p) {
    return p != NULL && p->tallies != NULL;
}

posse_error posse_report_make(const posse *p, posse_report *r) {
    if (p == NULL || r == NULL) return POSSE_ERROR_ARGUMENT;
    candidates c = report_candidates(p);
    if (r->control == -1) r->control = posse_modes_of(p).control;
    if (r->control < -1 || r->control >= c.count) {
        complain(&p->host.log, NULL, "control", "there is no %s %d", c.arms ? "arm" : "learner", r->control);
        return c.arms ? POSSE_ERROR_ARM : POSSE_ERROR_LEARNER;
    }
    r->confidence = CONFIDENCE;
    r->best = -1;
    r->regret = r->more = NAN;
    for (int a = 0; a < p->space->arms && r->arms != NULL; a++) {
        reward_tally t = tallies_of_arm(p, a);
        r->arms[a] = report_finding(p, &t, !space_has_contexts(p->space));
    }
    for (int i = 0; i < p->count && r->learners != NULL; i++) {
        reward_tally t = tallies_of_learner(p, i);
        r->learners[i] = report_finding(p, &t, false);
    }
    posse_finding *compared = c.arms ? r->arms : r->learners;
    if (r->control >= 0 && compared != NULL && p->tallies != NULL) report_lift(&c, r->control, compared);
    posse_error error = report_ask_belief(&c, r);
    if (error == POSSE_OK) error = report_ask_selector(&c, r);
    if (error == POSSE_OK && !report_is_hopeless(p, r)) report_judge(&c, r);
    return error;
}

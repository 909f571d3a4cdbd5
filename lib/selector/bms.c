/* SPDX-License-Identifier: MIT */
/*
 * B-MS, Bayesian online model selection (Afshar, Zhang, Pacchiano 2026, Algorithm 1).
 *
 * One belief learns from the plays of all learners. In each round, draw a world w from it, let `best` be the value of
 * the best arm in w, charge learner i the balancing potential
 *
 *     phi(i) = n_i best - sum over its past plays of value(w, arm played)
 *
 * and choose the learner with the smallest one: its plays would have the least regret if w were true. Before that,
 * every learner plays once, in order. This is the paper's rule, which has endless patience. With finite patience,
 * phi(i) is divided by a function of the plays (patience.h), and with a budget, the learner with the least rate plays
 * where all charges are high (budget.h). Neither is in the paper. By default the kind `bms` has the paper's rule, and
 * `bms-plus` (B-MS+) has the one that we recommend. The two differ only in the defaults of their options (charges.c).
 *
 * With a discount, all n_i and P_i (see below) are multiplied by it after every play, so that old regret fades. Instead
 * of multiplying them, the code scales their unit: a new play counts omega, which grows by the factor 1 / discount each
 * round, and charges are divided by omega. Once omega reaches 2, all numbers are halved, which is exact.
 *
 * If arms have retired, the best arm is the best of the others. Past plays of a retired arm are still charged by its
 * value in w. If that value is above `best`, these plays are a credit.
 *
 * No history is kept. With x_a the coordinates of arm a, the plays of learner i are one vector P_i = sum of x_a, and
 * phi(i) = n_i best - <w, P_i>: O(M dim) a round for any number of rounds.
 *
 * Exact ties are common, between learners that differ only in how often they played the world's best arm, and the way
 * in which they are broken shifts results by several percent. So they are broken uniformly at random, and the sums are
 * arranged so that a tie on paper is a tie in floating point:
 *   - one-hot beliefs sum counts times gaps, best - w_a: the best arm's gap is exactly 0;
 *   - other beliefs sum w_j (n_i x*_j - P_ij), where x* is the best arm and each coordinate is rounded to a grid of
 *     2^-32 of its range. Products and sums of such numbers are exact for 2^21 plays, so n_i x* - P_i is exactly 0 for
 *     a learner that played only x*, and equal for learners that differ only in plays of x*. With a discount such sums
 *     have rounding errors, so n_i x*_j - P_ij is rounded once more, to a grid that is coarser than these errors. (An
 *     arm that is added later, outside of the range of the arms before it, makes the grid coarser. Plays before and
 *     after that are rounded differently.)
 */
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "model/abreast_form.h"
#include "selector/budget.h"
#include "selector/charges.h"

typedef struct plan {
    charges charges;
    double discount;
    double budget; /* its factor; 0: there is none */
    bool weighs;   /* learners are charged shares of their regrets: patience is finite, or there is a discount */
    int places;    /* a multiple of KERNEL_LANES */
    int dim;
    double *grid; /* with a discount, unless the belief is one-hot: rounds n_i x*_j - P_ij, as in space.h; else NULL */
    size_t record_at, world_at, budget_at, belief_at; /* where these begin in the state, in numbers */
} plan;

/*
 * With a discount, omega stays below OMEGA_MOST, and the plays of a learner that has played stay at or above
 * PLAYS_LEAST.
 */
#define OMEGA_MOST 2.0
#define PLAYS_LEAST 1e-290

static const posse_belief *bms_belief_of(const void *plan_) {
    return &((const plan *)plan_)->charges.belief;
}

/*
 * The state: per place a penalty (0 for an active learner and infinite otherwise, the start value of its sum of
 * charges), the plays, and the potential at the latest choice, infinite for learners that were not charged in it; the
 * play records, coordinate by coordinate; the world drawn last; a counter; the belief; its twin, which learns the same
 * rewards. If plan.weighs is set, there are also, per place, the share of a regret that is charged, and behind the
 * world three more counters. If there is a budget, its numbers are between the world and the counters.
 */
typedef struct view {
    double *unplayed; /* active learners not played yet */
    double *penalty, *plays, *potential;
    /* Only if learners are charged shares (plan.weighs): */
    double *share;
    double *learners, *all_plays, *weight; /* active learners; plays of all; omega */
    double *record;                        /* P_ij at [j * places + i] */
    double *world;
    /* Only if there is a budget: */
    budget *budget;
    double *late_plays, *late_share; /* per place: the sum of the weights of its plays, and 1 over it */
    double *late_record;             /* as record, with the l-th play of a learner counted l times */
    void *belief, *twin;
} view;

static inline view bms_view_of(const plan *p, const void *state) {
    double *at = (double *)(uintptr_t)state;
    return (view){.penalty = at,
                  .plays = at + p->places,
                  .potential = at + 2 * p->places,
                  .share = at + 3 * p->places,
                  .record = at + p->record_at,
                  .world = at + p->world_at,
                  .budget = (budget *)(at + p->budget_at),
                  .late_plays = at + p->budget_at + BUDGET_NUMBERS,
                  .late_share = at + p->budget_at + BUDGET_NUMBERS + p->places,
                  .late_record = at + p->budget_at + BUDGET_NUMBERS + 2 * p->places,
                  .learners = at + p->belief_at - 4,
                  .all_plays = at + p->belief_at - 3,
                  .weight = at + p->belief_at - 2,
                  .unplayed = at + p->belief_at - 1,
                  .belief = at + p->belief_at,
                  .twin = (char *)(at + p->belief_at) + p->charges.belief.part.state_size};
}

static bool bms_fades(const plan *p) {
    return p->discount < 1.0;
}

/*
 * The weights of a learner's plays sum to about 1 / (1 - discount), and the rounding errors of P_i grow with that
 * number. The grid is 2^-42 of the range of a coordinate times that number, rounded up to a power of two, or times 2^20
 * if that is less.
 */
static posse_error prepare_grid(const posse_setup *setup, plan *p) {
    if (!bms_fades(p) || p->charges.belief.shape.one_hot) return POSSE_OK;
    p->grid = posse_setup_allocate(setup, (size_t)p->dim * sizeof *p->grid);
    if (p->grid == NULL) return POSSE_ERROR_MEMORY;
    double plays = 1.0;
    while (plays < 1.0 / (1.0 - p->discount) && plays < 0x1p20) plays *= 2.0;
    for (int j = 0; j < p->dim; j++) p->grid[j] = p->charges.belief.space->grid[j] * (plays * 0x1p-10);
    return POSSE_OK;
}

static posse_error bms_prepare(const posse_setup *setup, void **out) {
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    posse_error error = charges_prepare(setup, &p->charges);
    if (error != POSSE_OK) return error;
    p->places = (setup->learners + KERNEL_LANES - 1) / KERNEL_LANES * KERNEL_LANES;
    p->dim = p->charges.belief.shape.dim;
    p->discount = setup->settings[BMS_DISCOUNT].number;
    if (bms_fades(p) && p->charges.patience.forgets)
        return posse_setup_refuse(setup, "discount", -1,
                                  "plays of long ago count less by forgetting or by a discount: give one of the two");
    p->weighs = patience_ends(&p->charges.patience) || bms_fades(p);
    bool plain = patience_ends(&p->charges.patience) && !p->charges.patience.forgets && !bms_fades(p);
    p->budget = plain ? setup->settings[BMS_BUDGET].number : 0.0;
    p->record_at = (size_t)p->places * (p->weighs ? 4 : 3);
    p->world_at = p->record_at + (size_t)p->places * (size_t)p->dim;
    p->budget_at = p->world_at + (size_t)p->dim;
    size_t late = BUDGET_NUMBERS + (size_t)p->places * (size_t)(p->dim + 2);
    p->belief_at = p->budget_at + (p->budget > 0.0 ? late : 0) + (p->weighs ? 4 : 1);
    *out = p;
    return prepare_grid(setup, p);
}

static size_t bms_state_size(const void *plan_) {
    const plan *p = plan_;
    return p->belief_at * sizeof(double) + p->charges.belief.part.state_size + p->charges.twin.part.state_size;
}

/* Starts everything but the beliefs. */
static view bms_start_places(const plan *p, void *state) {
    view v = bms_view_of(p, state);
    memset(state, 0, p->belief_at * sizeof(double));
    for (int i = 0; i < p->places; i++) v.penalty[i] = v.potential[i] = INFINITY;
    for (int i = 0; i < p->places && p->weighs; i++) v.share[i] = 1.0;
    if (p->weighs) *v.weight = 1.0;
    if (p->budget > 0.0) budget_start(v.budget);
    for (int i = 0; i < p->places && p->budget > 0.0; i++) v.late_share[i] = 1.0;
    return v;
}

static void bms_start(const void *plan_, void *state) {
    const plan *p = plan_;
    view v = bms_start_places(p, state);
    charges_start(&p->charges, v.belief, v.twin);
}

static void bms_next_task(const void *plan_, void *state, posse_draw *draw) {
    const plan *p = plan_;
    view v = bms_start_places(p, state);
    charges_next_task(&p->charges, v.belief, v.twin, draw);
}

/*
 * The share of a learner's regret that is charged. With a discount, it is divided by omega, the weight of a play now.
 */
static double bms_share_due(const plan *p, view v, int learner) {
    double share = patience_share(&p->charges.patience, *v.learners, *v.weight, v.plays[learner]);
    return bms_fades(p) ? share / *v.weight : share;
}

/*
 * Omega is a power of two. It is largest if there was one learner all along and, for a one-hot belief, one arm: that is
 * its bound. With a discount, omega is in [1, 2).
 */
static bool weight_sane(const plan *p, view v) {
    if (bms_fades(p)) return *v.weight >= 1.0 && *v.weight < OMEGA_MOST;
    patience least = p->charges.patience;
    if (p->charges.belief.shape.one_hot) least.dim = 1;
    double power = 1.0, most = patience_weight(&least, 1.0, *v.all_plays);
    while (power < *v.weight && power < most) power *= 2.0;
    return *v.weight == power;
}

/* A play weighs 1 to omega; with a discount, less than OMEGA_MOST. */
static bool bms_plays_sane(const plan *p, view v) {
    double all = *v.all_plays, counted = 0.0;
    if (!(all >= 0.0 && all < 1e18 && all == floor(all)) || !weight_sane(p, v)) return false;
    for (int i = 0; i < p->places; i++) counted += v.plays[i];
    return bms_fades(p) ? counted < OMEGA_MOST * (all + 1.0) : all <= counted && counted <= *v.weight * all;
}

static bool patience_sane(const plan *p, view v, double active) {
    if (!p->weighs) return true;
    if (*v.learners != active || !bms_plays_sane(p, v)) return false;
    for (int i = 0; i < p->places; i++) {
        if (!(v.share[i] > 0.0 && v.share[i] <= 1.0)) return false;
        if (v.penalty[i] == 0.0 && v.share[i] != bms_share_due(p, v, i)) return false;
    }
    return true;
}

static bool bms_budget_sane(const plan *p, view v) {
    for (int i = 0; i < p->places; i++) {
        double plays = v.late_plays[i];
        if (!(plays >= 0.0 && plays < 1e36) || v.late_share[i] != (plays > 0.0 ? 1.0 / plays : 1.0)) return false;
    }
    for (size_t k = 0; k < (size_t)p->places * (size_t)p->dim; k++)
        if (!(fabs(v.late_record[k]) <= 1e140)) return false;
    return budget_sane(v.budget);
}

static bool bms_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    view v = bms_view_of(p, state);
    double active = 0.0, unplayed = 0.0;
    for (int i = 0; i < p->places; i++) {
        bool in = v.penalty[i] == 0.0;
        if (!in && v.penalty[i] != INFINITY) return false;
        if (!(v.plays[i] >= 0.0 && v.plays[i] < 1e18)) return false;
        active += in;
        unplayed += in && v.plays[i] == 0.0;
    }
    for (size_t k = 0; k < (size_t)p->places * (size_t)p->dim; k++)
        if (!(fabs(v.record[k]) <= 1e120)) return false;
    return active > 0.0 && unplayed == *v.unplayed && patience_sane(p, v, active) &&
           (p->budget == 0.0 || bms_budget_sane(p, v)) && charges_sane(&p->charges, v.belief, v.twin);
}

static posse_rewards bms_rewards(const void *plan_) {
    return belief_rewards(&((const plan *)plan_)->charges.belief);
}

static void bms_refresh_shares(const plan *p, view v) {
    for (int i = 0; i < p->places; i++)
        if (v.penalty[i] == 0.0) v.share[i] = bms_share_due(p, v, i);
}

/*
 * A new learner plays next. It is then charged in full for its first plays, while the others are charged a share. We
 * tried to let it begin with the share of the others: good new learners gained nothing, and poor ones cost several
 * times as much (bench/newcomers.c, docs/algorithm.md).
 */
static void bms_admit(const void *plan_, void *state, int learner) {
    view v = bms_view_of(plan_, state);
    v.penalty[learner] = 0.0;
    *v.unplayed += 1.0;
    if (!((const plan *)plan_)->weighs) return;
    *v.learners += 1.0;
    bms_refresh_shares(plan_, v);
}

static void bms_retire(const void *plan_, void *state, int learner) {
    view v = bms_view_of(plan_, state);
    v.penalty[learner] = INFINITY;
    if (v.plays[learner] == 0.0) *v.unplayed -= 1.0;
    if (!((const plan *)plan_)->weighs) return;
    *v.learners -= 1.0;
    bms_refresh_shares(plan_, v);
}

static double on_grid(const plan *p, int j, double x) {
    double grid = p->charges.belief.space->grid[j];
    return (x + grid) - grid;
}

/* Like the kernel charge_points, but with differences rounded to the grid. */
static kernel_least charge_faded(const plan *p, view v, const double *x) {
    kernel_least least = {.value = INFINITY};
    memcpy(v.potential, v.penalty, (size_t)p->places * sizeof(double));
    for (int j = 0; j < p->dim; j++) {
        const double *record = v.record + (size_t)j * (size_t)p->places;
        for (int i = 0; i < p->places; i++) {
            double difference = v.plays[i] * x[j] - record[i];
            v.potential[i] += v.world[j] * ((difference + p->grid[j]) - p->grid[j]);
        }
    }
    for (int i = 0; i < p->places; i++) {
        double charge = v.potential[i] *= v.share[i];
        if (charge < least.value) least = (kernel_least){.value = charge, .first = (uint32_t)i};
        least.count += charge == least.value;
    }
    return least;
}

/* share, record and plays: those of the plays that learners are charged for. */
__attribute__((noinline)) static kernel_least charge_linear(const plan *p, void *state, const double *share,
                                                            const double *record, const double *plays) {
    view v = bms_view_of(p, state);
    double best, point[DIM_MAX], x[DIM_MAX];
    const double *best_point;
    belief_best(&p->charges.belief, v.world, &best, &best_point, point);
    for (int j = 0; j < p->dim; j++) x[j] = on_grid(p, j, best_point[j]);
    if (bms_fades(p)) return charge_faded(p, v, x);
    return kernels_active()->charge_points(v.penalty, share, record, (size_t)p->places, (size_t)p->dim, v.world, x,
                                           plays, v.potential);
}

/* The value of the best arm, if arms have retired. */
__attribute__((noinline)) static const double *best_active_value(const posse_space *space, const double *world) {
    return &world[space_largest(space, world)];
}

static inline kernel_least charge_one_hot(const plan *p, void *state, const double *share, const double *record) {
    const posse_space *space = p->charges.belief.space;
    view v = bms_view_of(p, state);
    const double *best = space->active == NULL ? NULL : best_active_value(space, v.world);
    return kernels_active()->charge_gaps(v.penalty, share, record, (size_t)p->places, (size_t)p->dim, v.world, best,
                                         v.potential);
}

/* Charges every learner in the world drawn. */
static inline kernel_least bms_charge(const plan *p, void *state, const double *share, const double *record,
                                      const double *plays) {
    return p->charges.belief.shape.one_hot ? charge_one_hot(p, state, share, record)
                                           : charge_linear(p, state, share, record, plays);
}

/* The learner with the least charge or, if that is above the budget, with the least rate. */
__attribute__((noinline)) static kernel_least bms_judge(const plan *p, void *state, kernel_least least) {
    view v = bms_view_of(p, state);
    budget_team team = {v.penalty, v.plays, v.share, v.potential, p->places, *v.learners, *v.all_plays};
    if (!budget_is_spent(v.budget, p->budget, &p->charges.patience, &team, least.value)) return least;
    return bms_charge(p, state, v.late_share, v.late_record, v.late_plays);
}

static int bms_choose(const void *plan_, void *state, posse_draw *draw, posse_draw *ties, double *probability) {
    const plan *p = plan_;
    view v = bms_view_of(p, state);
    if (*v.unplayed > 0.0) {
        *probability = 1.0;
        return charges_first_unplayed(v.penalty, v.plays, p->places);
    }
    belief_draw(&p->charges.belief, v.belief, draw, v.world);
    kernel_least least = bms_charge(p, state, p->weighs ? v.share : NULL, v.record, v.plays);
    if (p->budget > 0.0) least = bms_judge(p, state, least);
    return charges_choose(v.potential, p->places, least, ties, probability);
}

/*
 * Multiplies by a power of two, so that nothing is rounded. A learner that has played keeps plays above 0, however
 * small.
 */
static void bms_rescale(const plan *p, view v, double power) {
    *v.weight *= power;
    for (size_t k = 0; k < (size_t)p->places * (size_t)p->dim; k++) v.record[k] *= power;
    for (int i = 0; i < p->places; i++) {
        double plays = v.plays[i] * power;
        if (v.plays[i] > 0.0) v.plays[i] = plays > PLAYS_LEAST ? plays : PLAYS_LEAST;
    }
}

/* Discounts all plays so far, by raising the weight of the next play. */
static void bms_fade(const plan *p, view v) {
    double power = 1.0;
    *v.weight /= p->discount;
    while (*v.weight * power >= OMEGA_MOST) power *= 0.5;
    if (power < 1.0) bms_rescale(p, v, power);
    bms_refresh_shares(p, v);
}

/* Counts a play of any learner, which may raise the weight of the next play and so change all shares. */
static void pass_round(const plan *p, view v, int learner) {
    *v.all_plays += 1.0;
    if (bms_fades(p)) {
        bms_fade(p, v);
        return;
    }
    double weight = patience_weight(&p->charges.patience, *v.learners, *v.all_plays);
    if (weight > *v.weight) {
        *v.weight = weight;
        bms_refresh_shares(p, v);
    } else
        v.share[learner] = bms_share_due(p, v, learner);
}

/* Adds a play to the record of a learner. */
static inline void bms_record(const plan *p, double *record, double weight, int arm, const double *point) {
    if (p->charges.belief.shape.one_hot)
        record[(size_t)arm * (size_t)p->places] += weight;
    else
        for (int j = 0; j < p->dim; j++) record[(size_t)j * (size_t)p->places] += weight * on_grid(p, j, point[j]);
}

static void bms_record_late(const plan *p, view v, int learner, int arm, const double *point) {
    double rank = v.plays[learner];
    bms_record(p, v.late_record + learner, rank, arm, point);
    v.late_plays[learner] += rank;
    v.late_share[learner] = 1.0 / v.late_plays[learner];
}

/* A play of a weight, where learners are charged shares. */
__attribute__((noinline)) static void bms_weigh(const plan *p, void *state, int learner, int arm, const double *point) {
    view v = bms_view_of(p, state);
    v.plays[learner] += *v.weight;
    bms_record(p, v.record + learner, *v.weight, arm, point);
    if (p->budget > 0.0) bms_record_late(p, v, learner, arm, point);
    pass_round(p, v, learner);
}

static void bms_played(const void *plan_, void *state, int learner, int arm, const double *point) {
    const plan *p = plan_;
    POSSE_ASSERT(learner >= 0 && learner < p->places);
    view v = bms_view_of(p, state);
    if (v.plays[learner] == 0.0) *v.unplayed -= 1.0;
    if (p->weighs) {
        bms_weigh(p, state, learner, arm, point);
        return;
    }
    v.plays[learner] += 1.0;
    bms_record(p, v.record + learner, 1.0, arm, point);
}

static void bms_teach(const void *plan_, void *state, int arm, const double *point, double reward) {
    const plan *p = plan_;
    view v = bms_view_of(p, state);
    charges_teach(&p->charges, v.belief, v.twin, arm, point, reward);
}

__attribute__((noinline)) static void bms_learn_beside(const plan *p, void *state, const posse_outcome *o) {
    if (p->budget > 0.0) budget_learn(bms_view_of(p, state).budget, o->reward);
    bms_teach(p, state, o->arm, o->point, o->reward);
}

/* Without a budget and a twin, the belief alone learns. */
static void bms_learn(const void *plan_, void *state, const posse_outcome *o) {
    const plan *p = plan_;
    if (p->budget > 0.0 || charges_have_twin(&p->charges))
        bms_learn_beside(p, state, o);
    else
        belief_update(&p->charges.belief, bms_view_of(p, state).belief, o->arm, o->point, o->reward);
}

static void bms_adopt_budget(const plan *p, view to, const plan *q, view from) {
    *to.budget = *from.budget;
    copy_columns(to.late_plays, p->places, from.late_plays, q->places, 2 + q->dim);
}

/* Copies all but the beliefs, from a state with fewer places or from before arms were added or retired. */
static void bms_adopt_places(const plan *p, view to, const plan *q, view from) {
    *to.unplayed = *from.unplayed;
    for (int i = 0; i < q->places; i++) {
        to.penalty[i] = from.penalty[i];
        to.plays[i] = from.plays[i];
        to.potential[i] = from.potential[i];
        if (p->weighs) to.share[i] = from.share[i];
        for (int j = 0; j < q->dim; j++)
            to.record[(size_t)j * (size_t)p->places + (size_t)i] =
                from.record[(size_t)j * (size_t)q->places + (size_t)i];
    }
    if (p->weighs) *to.learners = *from.learners, *to.all_plays = *from.all_plays, *to.weight = *from.weight;
    memcpy(to.world, from.world, (size_t)q->dim * sizeof(double));
    if (p->budget > 0.0) bms_adopt_budget(p, to, q, from);
}

static void bms_adopt(const void *plan_, void *state, const void *smaller_plan, const void *smaller_state) {
    const plan *p = plan_, *q = smaller_plan;
    view to = bms_view_of(p, state), from = bms_view_of(q, smaller_state);
    bms_adopt_places(p, to, q, from);
    charges_adopt(&p->charges, to.belief, to.twin, &q->charges, from.belief, from.twin);
}

/* Patience is proportional to the number of coordinates, so added arms change the shares. */
static void bms_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    const plan *p = plan_, *q = former_plan;
    view to = bms_view_of(p, state), from = bms_view_of(q, former_state);
    bms_adopt_places(p, to, q, from);
    charges_grow(&p->charges, to.belief, to.twin, &q->charges, from.belief, from.twin);
    if (p->weighs) bms_refresh_shares(p, to);
}

static void bms_potentials(const void *plan_, const void *state, int learners, double *out) {
    view v = bms_view_of(plan_, state);
    charges_potentials(v.penalty, v.potential, learners, out);
}

static double play_discount(const void *plan_) {
    return ((const plan *)plan_)->discount;
}

static double play_weight(const void *plan_, double learners, double rounds) {
    return patience_weight(&((const plan *)plan_)->charges.patience, learners, rounds);
}

static double bms_charge_share(const void *plan_, double learners, double rounds, double plays) {
    return patience_share(&((const plan *)plan_)->charges.patience, learners, play_weight(plan_, learners, rounds),
                          plays);
}

static void bms_probabilities(const void *plan_, const void *state, int learners, double *out) {
    charges_probabilities(bms_view_of(plan_, state).potential, learners, out);
}

static const posse_belief *bms_belief_and_state(const void *plan_, const void *state, const void **belief_state) {
    *belief_state = bms_view_of(plan_, state).belief;
    return bms_belief_of(plan_);
}

static double bms_regret(const plan *p, view v, int learner, const double *world, double best) {
    double value = 0.0;
    for (int j = 0; j < p->dim; j++) value += v.record[(size_t)j * (size_t)p->places + (size_t)learner] * world[j];
    return v.plays[learner] * best - value;
}

static void bms_regrets(const void *plan_, const void *state, const double *world, int learners, double *out) {
    const plan *p = plan_;
    double best, point[DIM_MAX];
    const double *coordinates;
    belief_best(&p->charges.belief, world, &best, &coordinates, point);
    for (int i = 0; i < learners; i++) out[i] = bms_regret(p, bms_view_of(p, state), i, world, best);
}

static bool bms_surprise(const void *plan_, const void *state, double *out) {
    view v = bms_view_of(plan_, state);
    return charges_surprise(&((const plan *)plan_)->charges, v.belief, v.twin, out);
}

static bool bms_is_simple(const void *plan_) {
    return !bms_fades(plan_) && ((const plan *)plan_)->budget == 0.0;
}

static const abreast_form abreast = {.fits = bms_is_simple, .belief = bms_belief_of};

/* The table of a kind of B-MS. */
#define BMS_OPS(name_, help_, params_, in_contexts_)                                                                   \
    {                                                                                                                  \
        .kind = {.version = POSSE_EXTENSION_VERSION,                                                                   \
                 .name = name_,                                                                                        \
                 .help = help_,                                                                                        \
                 .params = params_,                                                                                    \
                 .prepare = bms_prepare,                                                                               \
                 .state_size = bms_state_size,                                                                         \
                 .start = bms_start,                                                                                   \
                 .sane = bms_sane,                                                                                     \
                 .grow = bms_grow,                                                                                     \
                 .reserved = &abreast},                                                                                \
        .admit = bms_admit, .retire = bms_retire, .choose = bms_choose, .played = bms_played, .learn = bms_learn,      \
        .rewards = bms_rewards, .adopt = bms_adopt, .potentials = bms_potentials, .play_weight = play_weight,          \
        .charge_share = bms_charge_share, .play_discount = play_discount, .probabilities = bms_probabilities,          \
        .belief = bms_belief_and_state, .teach = bms_teach, .regrets = bms_regrets, .surprise = bms_surprise,          \
        .in_contexts = &in_contexts_, .next_task = bms_next_task,                                                      \
    }

const posse_selector_ops selector_bms = BMS_OPS(
    "bms", "Bayesian online model selection: the learner whose past plays have the least regret in a drawn world",
    bms_params, selector_bms_in_contexts);

const posse_selector_ops selector_bms_plus = BMS_OPS(
    "bms-plus",
    "B-MS+, bms with patience 40, commitment 0, budget 1 and shared data: the default of C, Python, HTTP and Redis",
    bms_plus_params, selector_bms_plus_in_contexts);

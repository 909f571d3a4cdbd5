/* SPDX-License-Identifier: MIT */
/*
 * B-MS for rounds with features. The regret of play t in a world w is
 *
 *     rho_t(w) = max over the arms available in that round of v_w(x_ta) - v_w(x_t,played),
 *
 * which needs the features of that round. Of each learner i, k_i of its n_i plays are stored, at most B (`memory`), and
 * its regret is estimated from them:
 *
 *     phi(i) = n_i / k_i * sum over its stored plays of rho_t(w)
 *
 * times the share that patience leaves (patience.h). Every learner plays once, in order. Then the learner with the
 * least phi(i) plays, ties at random, as without contexts (bms.c).
 *
 * With `consider`, every learner is asked in every round what it would play, and that counts as a play: n_i is the
 * number of rounds in which it was asked. All learners are then compared in the same rounds, by their mean regret:
 * phi(i) is divided by n_i. This needs shared data, because a learner that learns only from its own plays would be
 * charged for arms of which it has no data. It suits joint models, in which every play is informative about all arms,
 * and clicks. If each arm has its own weights and rewards have noise without bounds, the greedy learner looks best
 * given the data so far, and other learners have to play to show what they find. With `consider: auto` the belief is
 * then on trial: after 64 rewards its calibration (calibration.h) decides whether learners are asked from now on.
 *
 * Which plays are stored: the first B plays. Then play n replaces a random stored play with probability
 * min(1, c B / n), where c is `recency`. Play s of n is stored with a probability of nearly min(1, c B / s) (s / n)^c,
 * so phi(i) weighs it by c (s / n)^(c-1). With c = 1 all plays count the same. c > 1 weighs recent plays more, so a
 * learner that has stopped making mistakes recovers.
 *
 * When a world is drawn: at the t-th choice, t from 0 up, if a new world is due. The world is held for
 * min(L, 1 + floor(g t)) choices, where g is `hold` and L is `hold-most`; then a new one is due. A new world is also
 * due when a learner joins. All stored plays are valued in a new world; between draws only new plays are valued. Where
 * contexts are sparse, a feature that comes for the first time has weight 0, its prior mean, in the world held.
 *
 * Which parts of a play are stored: the features of the arm played and of the arms that a jury picks (jury.h),
 * `candidates` in all. If all arms share one vector, that vector and which arms were available (reservoir.h).
 *
 * With `memory: all`, `recency: 1` and `hold: 0` this is the paper's Algorithm 1 with its whole history. With
 * `memory: all` there is room for the plays of all rounds. Beyond that, a play replaces a random play of the learner
 * with the most stored plays.
 */
#include <math.h>
#include <string.h>

#include "selector/stored_plays.h"

#define TRIAL 64.0       /* rewards after which the calibration of the belief decides */
#define NUMBERS_MAX 1e15 /* of a state: more than fit into any memory */
#define COUNT_MAX 1e18
#define WORLD_MAX 1e210 /* of a coordinate: small features and the largest rewards make large weights */

/* Defaults without `consider`, and with it. */
static const double MEMORY[] = {32.0, 64.0}, RECENCY[] = {4.0, 2.0}, CANDIDATES[] = {4.0, 3.0};

/* ------------------------------------------------- the plan ---------------------------------------------------- */

static posse_error bms_in_contexts_refuse_fading(const posse_setup *setup) {
    const char *advice = "in contexts it is the recency that says how much plays of long ago count: leave it out";
    if (setup->settings[BMS_FORGETTING].number != 0.0) return posse_setup_refuse(setup, "forgetting", -1, "%s", advice);
    if (setup->settings[BMS_DISCOUNT].number < 1.0) return posse_setup_refuse(setup, "discount", -1, "%s", advice);
    return POSSE_OK;
}

/*
 * By default `consider` is off with `memory: all`, which asks for the paper's algorithm: that one charges plays. If
 * each arm has its own weights, it is on for clicks, in `bms-plus`: with rewards of 0 and 1, considered picks are as
 * good a record as plays at any number of arms, while with unbounded noise and ten arms or more they favour the
 * greediest learner, unless the belief is wrong in some ways or most of a reward is noise (docs/bakeoff.md). So there
 * is a trial.
 */
static posse_error decide_to_consider(const posse_setup *setup, bool plus, plays_plan *p) {
    const posse_option *given = &setup->settings[BMS_CONSIDER];
    const posse_belief *b = &p->charges.belief;
    bool set = given->key != NULL && given->word == NULL,
         tries = given->word != NULL && !strcmp(given->word, CONSIDER_AUTO);
    bool records = !b->model.disjoint || ((plus || tries) && rewards_are_unit(belief_rewards(b)));
    bool suits = setup->share && records && !b->shape.one_hot && !p->pooled;
    p->considers = set ? given->number != 0.0 : suits;
    if (tries && setup->share && !records && !b->shape.one_hot && !p->pooled && b->moments) p->trial = TRIAL;
    if (p->considers && !setup->share)
        return posse_setup_refuse(setup, "consider", -1,
                                  "learners that learn from their own plays alone are judged by these: set share");
    return POSSE_OK;
}

/* The option as given, or its default without or with `consider`. */
static double bms_in_contexts_number_of(const posse_setup *setup, int option, const double defaults[2],
                                        bool considers) {
    const posse_option *given = &setup->settings[option];
    return given->key != NULL ? given->number : defaults[considers];
}

static int candidates_of(const posse_setup *setup, const plays_plan *p) {
    const posse_option *given = &setup->settings[BMS_CANDIDATES];
    double arms = setup->space->arms;
    bool all = given->key != NULL ? given->word != NULL : p->pooled;
    return (int)(all ? arms : fmin(bms_in_contexts_number_of(setup, BMS_CANDIDATES, CANDIDATES, p->considers), arms));
}

/* The most plays of a learner that are ever stored. */
static size_t plays_room(const plays_plan *p) {
    bool larger = p->memory[1] > p->memory[0];
    return p->memory[p->trial > 0.0 ? larger : p->considers];
}

/* The state has its full size from the start, so that playing allocates nothing. */
static posse_error lay_out(const posse_setup *setup, plays_plan *p) {
    double room = (double)plays_room(p);
    double most = (double)setup->rounds * (p->considers ? p->places : 1) + p->places,
           plays = p->pooled ? most : room * p->places;
    double numbers = plays * (double)p->reservoir.block;
    if (!(numbers < NUMBERS_MAX)) return POSSE_ERROR_MEMORY;
    if (p->pooled)
        p->slots = (size_t)most;
    else
        p->slots = reservoir_blocks(plays_room(p)) * KERNEL_LANES;
    size_t blocks = p->pooled ? reservoir_blocks(p->slots) : reservoir_blocks(p->slots) * (size_t)p->places;
    p->world_at = (size_t)PLAYS_PER_PLACE * (size_t)p->places + plays_counters(p);
    p->jury_at = p->world_at + (size_t)p->dim;
    p->regret_at = p->jury_at + (p->prunes ? jury_size(p->dim) : 0);
    p->owner_at = p->regret_at + blocks * KERNEL_LANES;
    p->blocks_at = p->owner_at + (p->pooled ? p->slots : 0);
    p->belief_at = p->blocks_at + blocks * p->reservoir.block;
    return POSSE_OK;
}

static posse_error bms_in_contexts_make(const posse_setup *setup, bool plus, void **out) {
    plays_plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    posse_error error = charges_prepare(setup, &p->charges);
    if (error == POSSE_OK) error = bms_in_contexts_refuse_fading(setup);
    p->pooled = setup->settings[BMS_MEMORY].word != NULL;
    if (error == POSSE_OK && p->pooled) error = selector_needs_rounds(setup, "memory: all");
    if (error != POSSE_OK) return error;
    error = decide_to_consider(setup, plus, p);
    if (error != POSSE_OK) return error;
    p->places = setup->learners;
    p->dim = p->charges.belief.shape.dim;
    for (int considers = 0; considers < 2; considers++) {
        double memory = p->pooled ? 0.0 : bms_in_contexts_number_of(setup, BMS_MEMORY, MEMORY, considers);
        p->memory[considers] = (size_t)memory;
        p->recency[considers] = bms_in_contexts_number_of(setup, BMS_RECENCY, RECENCY, considers);
    }
    p->hold = setup->settings[BMS_HOLD].number;
    p->hold_most = setup->settings[BMS_HOLD_MOST].number;
    p->reservoir = reservoir_for(&p->charges.belief, candidates_of(setup, p));
    p->prunes = !p->reservoir.shared && p->reservoir.arms < setup->space->arms;
    *out = p;
    return lay_out(setup, p);
}

static posse_error bms_in_contexts_prepare(const posse_setup *setup, void **out) {
    return bms_in_contexts_make(setup, false, out);
}

static posse_error bms_plus_in_contexts_prepare(const posse_setup *setup, void **out) {
    return bms_in_contexts_make(setup, true, out);
}

static size_t bms_in_contexts_state_size(const void *plan_) {
    const plays_plan *p = plan_;
    return p->belief_at * sizeof(double) + p->charges.belief.part.state_size + p->charges.twin.part.state_size;
}

/* Starts everything but the beliefs. */
static plays_view bms_in_contexts_start_places(const plays_plan *p, void *state) {
    plays_view v = plays_view_of(p, state);
    memset(state, 0, p->belief_at * sizeof(double));
    for (int i = 0; i < p->places; i++) {
        v.penalty[i] = v.potential[i] = INFINITY;
        v.share[i] = 1.0;
    }
    return v;
}

static void bms_in_contexts_start(const void *plan_, void *state) {
    const plays_plan *p = plan_;
    plays_view v = bms_in_contexts_start_places(p, state);
    charges_start(&p->charges, v.belief, v.twin);
}

static void bms_in_contexts_next_task(const void *plan_, void *state, posse_draw *draw) {
    const plays_plan *p = plan_;
    plays_view v = bms_in_contexts_start_places(p, state);
    charges_next_task(&p->charges, v.belief, v.twin, draw);
}

/* ------------------------------------------- learners join and leave ------------------------------------------- */

static void bms_in_contexts_refresh_shares(const plays_plan *p, const plays_view *v) {
    for (int i = 0; i < p->places; i++)
        if (v->penalty[i] == 0.0) v->share[i] = plays_share_due(p, v, i);
}

/* A new world is due, because the one held was drawn before the learner joined. */
static void bms_in_contexts_admit(const void *plan_, void *state, int learner) {
    plays_view v = plays_view_of(plan_, state);
    v.penalty[learner] = 0.0;
    *v.unplayed += 1.0;
    *v.learners += 1.0;
    *v.until = 0.0;
    bms_in_contexts_refresh_shares(plan_, &v);
}

static void bms_in_contexts_retire(const void *plan_, void *state, int learner) {
    plays_view v = plays_view_of(plan_, state);
    v.penalty[learner] = INFINITY;
    if (v.plays[learner] == 0.0) *v.unplayed -= 1.0;
    *v.learners -= 1.0;
    bms_in_contexts_refresh_shares(plan_, &v);
}

/* --------------------------------------------------- worlds ---------------------------------------------------- */

static void bms_in_contexts_draw_world(const plays_plan *p, const plays_view *v, posse_draw *draw) {
    belief_draw(&p->charges.belief, v->belief, draw, v->world);
    *v->drawn += 1.0;
    if (p->prunes) jury_seat(v->jury, p->dim, (uint64_t)*v->drawn, v->world);
}

/* Draws a world for every seat of the jury, and holds the last one. */
static void call_jury(const plays_plan *p, const plays_view *v, posse_draw *draw) {
    for (int l = 0; l < KERNEL_JURY; l++) bms_in_contexts_draw_world(p, v, draw);
}

static bool needs_jury(const plays_plan *p, const plays_view *v) {
    return p->prunes && *v->drawn == 0.0;
}

static void renew_world(const plays_plan *p, const plays_view *v, double t, posse_draw *draw) {
    if (needs_jury(p, v))
        call_jury(p, v, draw);
    else
        bms_in_contexts_draw_world(p, v, draw);
    double length = 1.0 + floor(p->hold * t);
    *v->until = t + (length < p->hold_most ? length : p->hold_most);
    plays_value(p, v);
}

/* --------------------------------------------------- choosing -------------------------------------------------- */

/* n_i / k_i is exactly 1 if all plays are stored, and phi(i) is then their sum. */
static kernel_least bms_in_contexts_charge(const plays_plan *p, const plays_view *v) {
    kernel_least least = {.value = INFINITY};
    for (int i = 0; i < p->places; i++) {
        if (v->penalty[i] != 0.0) {
            v->potential[i] = INFINITY;
            continue;
        }
        double potential = v->potential[i] = v->share[i] * (v->sum[i] * (v->plays[i] / v->kept[i]));
        if (potential < least.value) least = (kernel_least){.value = potential, .first = (uint32_t)i};
        least.count += potential == least.value;
    }
    return least;
}

static int bms_in_contexts_choose(const void *plan_, void *state, posse_draw *draw, posse_draw *ties,
                                  double *probability) {
    const plays_plan *p = plan_;
    plays_view v = plays_view_of(p, state);
    double t = *v.choices;
    *v.choices += 1.0;
    if (*v.unplayed > 0.0) {
        if (needs_jury(p, &v)) call_jury(p, &v, draw);
        *probability = 1.0;
        return charges_first_unplayed(v.penalty, v.plays, p->places);
    }
    if (t >= *v.until) renew_world(p, &v, t, draw);
    kernel_least least = bms_in_contexts_charge(p, &v);
    return charges_choose(v.potential, p->places, least, ties, probability);
}

/* --------------------------------------------------- playing --------------------------------------------------- */

static void played_in(const void *plan_, void *state, int learner, const posse_round *round, int place,
                      posse_draw *draw) {
    plays_session s;
    plays_open_session(&s, round);
    plays_view v = plays_view_of(plan_, state);
    if (plays_count(plan_, &v, learner, &s, place, draw)) plays_sum_up(plan_, &v, learner);
}

static bool bms_in_contexts_considers(const void *plan_) {
    const plays_plan *p = plan_;
    return p->considers || p->trial > 0.0;
}

static bool bms_in_contexts_asks(const void *plan_, const void *state) {
    plays_view v = plays_view_of(plan_, state);
    return plays_considers(plan_, &v);
}

static void bms_in_contexts_considered(const void *plan_, void *state, const posse_round *round, const int *picks,
                                       posse_draw *draw) {
    const plays_plan *p = plan_;
    plays_view v = plays_view_of(p, state);
    plays_session s;
    plays_open_session(&s, round);
    bool stale = false;
    for (int i = 0; i < p->places; i++)
        if (v.penalty[i] == 0.0 && picks[i] >= 0) stale |= plays_count(p, &v, i, &s, picks[i], draw);
    if (stale) plays_sum_all(p, &v);
}

/* Plays and picks are different records, so the record starts anew, and every learner is due to play once. */
static void begin_to_ask(const plays_plan *p, const plays_view *v) {
    *v->asks = 1.0;
    *v->until = 0.0;
    *v->unplayed = *v->learners;
    for (int i = 0; i < p->places; i++) {
        v->plays[i] = v->kept[i] = v->sum[i] = 0.0;
        v->share[i] = plays_share_due(p, v, i);
    }
}

/* Counts a reward that the belief is about to learn. The last one of the trial decides. */
static void try_belief(const plays_plan *p, const plays_view *v, int arm, const double *point, double reward) {
    if (p->trial == 0.0 || v->calibration->rewards == p->trial) return;
    calibration_add(v->calibration, &p->charges.belief, v->belief, arm, point, reward);
    if (v->calibration->rewards == p->trial && calibration_favours_asking(v->calibration)) begin_to_ask(p, v);
}

static void bms_in_contexts_teach(const void *plan_, void *state, int arm, const double *point, double reward) {
    plays_view v = plays_view_of(plan_, state);
    try_belief(plan_, &v, arm, point, reward);
    charges_teach(&((const plays_plan *)plan_)->charges, v.belief, v.twin, arm, point, reward);
}

static void bms_in_contexts_learn(const void *plan_, void *state, const posse_outcome *o) {
    bms_in_contexts_teach(plan_, state, o->arm, o->point, o->reward);
}

static void bms_in_contexts_learn_by(const void *plan_, void *state, const posse_outcome *o, const void *model) {
    plays_view v = plays_view_of(plan_, state);
    try_belief(plan_, &v, o->arm, o->point, o->reward);
    charges_teach_by(&((const plays_plan *)plan_)->charges, v.belief, v.twin, o, model);
}

/* ---------------------------------------------- states from elsewhere ------------------------------------------ */

static bool place_sane(const plays_plan *p, const plays_view *v, int i) {
    bool in = v->penalty[i] == 0.0;
    double room = (double)(p->pooled ? p->slots : plays_memory(p, v));
    if ((!in && v->penalty[i] != INFINITY) || !plays_is_count(v->plays[i], COUNT_MAX)) return false;
    if (!plays_is_count(v->kept[i], room) || v->kept[i] > v->plays[i] || (v->kept[i] == 0.0 && v->plays[i] > 0.0))
        return false;
    return fabs(v->sum[i]) <= COUNT_MAX * PLAYS_REGRET_MAX && (!in || v->share[i] == plays_share_due(p, v, i));
}

static bool places_sane(const plays_plan *p, const plays_view *v) {
    double active = 0.0, unplayed = 0.0;
    for (int i = 0; i < p->places; i++) {
        active += v->penalty[i] == 0.0;
        unplayed += v->penalty[i] == 0.0 && v->plays[i] == 0.0;
    }
    bool all = active > 0.0 && active == *v->learners && unplayed == *v->unplayed;
    for (int i = 0; i < p->places && all; i++) all = place_sane(p, v, i);
    return all;
}

/* Bounds the saved worlds by WORLD_MAX, which no world that a belief draws exceeds. */
static bool worlds_sane(const plays_plan *p, const plays_view *v) {
    size_t numbers = p->regret_at - p->world_at;
    for (size_t j = 0; j < numbers; j++)
        if (!(fabs(v->world[j]) <= WORLD_MAX)) return false;
    return plays_is_count(*v->choices, COUNT_MAX) && plays_is_count(*v->until, 2.0 * COUNT_MAX) &&
           plays_is_count(*v->drawn, COUNT_MAX);
}

static bool trial_sane(const plays_plan *p, const plays_view *v) {
    if (p->trial == 0.0) return true;
    bool over = v->calibration->rewards == p->trial;
    return calibration_sane(v->calibration, p->trial) &&
           *v->asks == (over && calibration_favours_asking(v->calibration) ? 1.0 : 0.0);
}

static bool bms_in_contexts_sane(const void *plan_, const void *state) {
    const plays_plan *p = plan_;
    plays_view v = plays_view_of(p, state);
    return trial_sane(p, &v) && places_sane(p, &v) && plays_sane(p, &v) && worlds_sane(p, &v) &&
           charges_sane(&p->charges, v.belief, v.twin);
}

static posse_rewards bms_in_contexts_rewards(const void *plan_) {
    return belief_rewards(&((const plays_plan *)plan_)->charges.belief);
}

/* Copies all but the plays and the beliefs, from a state with the same number of places or fewer. */
static void bms_in_contexts_adopt_places(const plays_plan *p, plays_view to, const plays_plan *q, plays_view from) {
    for (int i = 0; i < q->places; i++) {
        to.penalty[i] = from.penalty[i];
        to.plays[i] = from.plays[i];
        to.potential[i] = from.potential[i];
        to.share[i] = from.share[i];
        to.kept[i] = from.kept[i];
        to.sum[i] = from.sum[i];
    }
    memcpy(to.unplayed, from.unplayed, plays_counters(q) * sizeof(double));
    memcpy(to.world, from.world, (size_t)q->dim * sizeof(double));
    if (p->prunes && q->prunes) memcpy(to.jury, from.jury, jury_size(q->dim) * sizeof(double));
    memcpy(to.regret, from.regret, (q->owner_at - q->regret_at) * sizeof(double));
    memcpy(to.owner, from.owner, (q->blocks_at - q->owner_at) * sizeof(double));
}

static void bms_in_contexts_adopt(const void *plan_, void *state, const void *smaller_plan, const void *smaller_state) {
    const plays_plan *p = plan_, *q = smaller_plan;
    plays_view to = plays_view_of(p, state), from = plays_view_of(q, smaller_state);
    bms_in_contexts_adopt_places(p, to, q, from);
    memcpy(to.blocks, from.blocks, plays_blocks(q) * q->reservoir.block * sizeof(double));
    charges_adopt(&p->charges, to.belief, to.twin, &q->charges, from.belief, from.twin);
}

/*
 * Stored plays stay as they were. If added arms change the coordinates of worlds, or make pruning necessary, a new
 * world and a new jury are due. Slots of features that are added are behind the others, in worlds too.
 */
static void bms_in_contexts_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    const plays_plan *p = plan_, *q = former_plan;
    plays_view to = plays_view_of(p, state), from = plays_view_of(q, former_state);
    bms_in_contexts_adopt_places(p, to, q, from);
    reservoir_grow(&p->reservoir, to.blocks, &q->reservoir, from.blocks, plays_blocks(q));
    charges_grow(&p->charges, to.belief, to.twin, &q->charges, from.belief, from.twin);
    bool more_arms = p->charges.belief.space->arms > q->charges.belief.space->arms;
    if (more_arms && (p->dim != q->dim || p->prunes != q->prunes)) *to.until = *to.drawn = 0.0;
    bms_in_contexts_refresh_shares(p, &to);
}

/* ----------------------------------------------------- looking inside ------------------------------------------ */

static void bms_in_contexts_potentials(const void *plan_, const void *state, int learners, double *out) {
    plays_view v = plays_view_of(plan_, state);
    charges_potentials(v.penalty, v.potential, learners, out);
}

static void bms_in_contexts_probabilities(const void *plan_, const void *state, int learners, double *out) {
    charges_probabilities(plays_view_of(plan_, state).potential, learners, out);
}

static double bms_in_contexts_charge_share(const void *plan_, double learners, double rounds, double plays) {
    const plays_plan *p = plan_;
    (void)rounds;
    if (p->considers) return plays > 0.0 ? 1.0 / plays : 1.0;
    return patience_share(&p->charges.patience, learners, 1.0, plays);
}

static const posse_belief *bms_in_contexts_belief_and_state(const void *plan_, const void *state,
                                                            const void **belief_state) {
    *belief_state = plays_view_of(plan_, state).belief;
    return &((const plays_plan *)plan_)->charges.belief;
}

static void bms_in_contexts_regrets(const void *plan_, const void *state, const double *world, int learners,
                                    double *out) {
    const plays_plan *p = plan_;
    plays_view v = plays_view_of(p, state);
    for (int i = 0; i < learners; i++) out[i] = 0.0;
    for (size_t b = 0; b < plays_blocks(p); b++) {
        double each[KERNEL_LANES];
        reservoir_regrets(&p->reservoir, v.blocks, b, 1, world, each);
        for (size_t lane = 0; lane < KERNEL_LANES; lane++) {
            int owner = plays_owner(p, &v, b * KERNEL_LANES + lane, learners);
            if (owner >= 0) out[owner] += each[lane];
        }
    }
    for (int i = 0; i < learners; i++)
        if (v.kept[i] > 0.0) out[i] *= v.plays[i] / v.kept[i];
}

static bool bms_in_contexts_surprise(const void *plan_, const void *state, double *out) {
    plays_view v = plays_view_of(plan_, state);
    return charges_surprise(&((const plays_plan *)plan_)->charges, v.belief, v.twin, out);
}

/* The table of a kind of B-MS in contexts. */
#define BMS_IN_CONTEXTS_OPS(name_, params_, prepare_)                                                                  \
    {                                                                                                                  \
        .kind = {.version = POSSE_EXTENSION_VERSION,                                                                   \
                 .name = name_,                                                                                        \
                 .help = "Bayesian online model selection in rounds with features",                                    \
                 .params = params_,                                                                                    \
                 .prepare = prepare_,                                                                                  \
                 .state_size = bms_in_contexts_state_size,                                                             \
                 .start = bms_in_contexts_start,                                                                       \
                 .sane = bms_in_contexts_sane,                                                                         \
                 .grow = bms_in_contexts_grow},                                                                        \
        .admit = bms_in_contexts_admit, .retire = bms_in_contexts_retire, .choose = bms_in_contexts_choose,            \
        .learn = bms_in_contexts_learn, .rewards = bms_in_contexts_rewards, .adopt = bms_in_contexts_adopt,            \
        .potentials = bms_in_contexts_potentials, .charge_share = bms_in_contexts_charge_share,                        \
        .probabilities = bms_in_contexts_probabilities, .belief = bms_in_contexts_belief_and_state,                    \
        .teach = bms_in_contexts_teach, .regrets = bms_in_contexts_regrets, .surprise = bms_in_contexts_surprise,      \
        .played_in = played_in, .considers = bms_in_contexts_considers, .considered = bms_in_contexts_considered,      \
        .asks = bms_in_contexts_asks, .next_task = bms_in_contexts_next_task, .learn_by = bms_in_contexts_learn_by,    \
    }

const posse_selector_ops selector_bms_in_contexts = BMS_IN_CONTEXTS_OPS("bms", bms_params, bms_in_contexts_prepare);

const posse_selector_ops selector_bms_plus_in_contexts =
    BMS_IN_CONTEXTS_OPS("bms-plus", bms_plus_params, bms_plus_in_contexts_prepare);

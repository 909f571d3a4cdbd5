/* SPDX-License-Identifier: MIT */
/*
 * Stochastic CORRAL (Pacchiano, Phan, Abbasi-Yadkori, Rao, Zimmert, Lattimore, Szepesvari, Model selection in
 * contextual stochastic bandit problems, NeurIPS 2020): CORRAL over smoothed learners. A learner that is drawn plays
 * two rounds, a pair. In the first round it acts and learns as usual. In the second round one of its past policies,
 * drawn uniformly, is played again. No learner learns from the reward of the second round, and only this reward moves
 * the distribution (mirror.h). So a learner is judged by the mean of its past, which moves slowly, and not by its
 * latest policy.
 *
 * With separate arms, to play a past policy again is to draw one of the arms that the learner has picked in first
 * rounds, including the first round of this pair. So it is enough to count arms, and no rounds are stored.
 *
 * With batches, a first batch of rounds in which the learner acts is followed by an equally long second batch, in which
 * each round has its own draw. A pair is finished even if other learners join or leave meanwhile. It ends early if its
 * own learner retires.
 */
#include <math.h>
#include <string.h>

#include "selector/mirror.h"

typedef struct plan {
    mirror_plan mirror;
    const posse_space *space;
    int arms;
} plan;

/*
 * The state: that of the distribution, then the pair, then the number of first rounds of each place, then for each
 * place the number of its first rounds with each arm.
 */
typedef struct pair {
    double waiting; /* the place of the learner whose second rounds come next, plus 1; 0: none */
    double second;  /* 1: the rounds of the latest choice are second ones */
} pair;

typedef struct view {
    pair *pair;
    double *firsts;
    double *counts;
} view;

static view stochastic_corral_view_of(const plan *p, const void *state) {
    pair *at = (pair *)((char *)(uintptr_t)state + mirror_state_size(&p->mirror));
    double *firsts = (double *)(at + 1);
    return (view){at, firsts, firsts + p->mirror.places};
}

static double *stochastic_counts_of(const plan *p, view v, int place) {
    return v.counts + (size_t)place * (size_t)p->arms;
}

/* ------------------------------------------- making and starting ------------------------------------------- */

static posse_error stochastic_corral_prepare(const posse_setup *setup, void **out) {
    int arms = posse_space_arms(setup->space);
    if (arms == 0)
        return posse_setup_refuse(setup, NULL, -1,
                                  "stochastic-corral needs a finite set of arms, not every point of the ball: it plays "
                                  "arms again that a learner has picked before");
    plan *p = posse_setup_allocate(setup, sizeof *p);
    if (p == NULL) return POSSE_ERROR_MEMORY;
    p->space = setup->space;
    p->arms = arms;
    *out = p;
    return mirror_prepare(setup, "stochastic-corral", &p->mirror);
}

static size_t stochastic_corral_state_size(const void *plan_) {
    const plan *p = plan_;
    size_t places = (size_t)p->mirror.places, numbers = places + places * (size_t)p->arms;
    return mirror_state_size(&p->mirror) + sizeof(pair) + numbers * sizeof(double);
}

static bool counts_are_sane(const plan *p, view v, int place) {
    double sum = 0.0;
    const double *counts = stochastic_counts_of(p, v, place);
    for (int a = 0; a < p->arms; a++) {
        if (!(counts[a] >= 0.0 && counts[a] < 1e15 && counts[a] == floor(counts[a]))) return false;
        sum += counts[a];
    }
    return sum == v.firsts[place];
}

#define CHANCE_MIN 1e-30 /* in a saved state: gamma / M is larger with up to 2^64 rounds and 4096 learners */

static bool pair_is_sane(const plan *p, view v, const void *state) {
    double waiting = v.pair->waiting;
    if (v.pair->second != 0.0 && v.pair->second != 1.0) return false;
    if (waiting == 0.0) return true;
    if (!(waiting >= 1.0 && waiting <= p->mirror.places && waiting == floor(waiting))) return false;
    int learner = (int)waiting - 1;
    double chance = mirror_chance(&p->mirror, state, learner);
    return mirror_has(&p->mirror, state, learner) && chance >= CHANCE_MIN && chance <= 1.0;
}

static bool stochastic_corral_sane(const void *plan_, const void *state) {
    const plan *p = plan_;
    view v = stochastic_corral_view_of(p, state);
    if (!mirror_sane(&p->mirror, state) || !pair_is_sane(p, v, state)) return false;
    for (int i = 0; i < p->mirror.places; i++)
        if (!counts_are_sane(p, v, i)) return false;
    return true;
}

/* ----------------------------------------- learners join and leave ----------------------------------------- */

static void stochastic_corral_retire(const void *plan_, void *state, int learner) {
    const plan *p = plan_;
    view v = stochastic_corral_view_of(p, state);
    mirror_retire(&p->mirror, state, learner);
    if (v.pair->waiting == learner + 1) v.pair->waiting = 0.0;
}

static void stochastic_corral_adopt(const void *plan_, void *state, const void *smaller_plan,
                                    const void *smaller_state) {
    const plan *p = plan_, *q = smaller_plan;
    view to = stochastic_corral_view_of(p, state), from = stochastic_corral_view_of(q, smaller_state);
    size_t places = (size_t)q->mirror.places;
    mirror_adopt(&p->mirror, state, &q->mirror, smaller_state);
    *to.pair = *from.pair;
    memcpy(to.firsts, from.firsts, places * sizeof *to.firsts);
    memcpy(to.counts, from.counts, places * (size_t)q->arms * sizeof *to.counts);
}

/* First rounds with a retired arm can no longer be played again, so their counts are dropped. */
static void stochastic_corral_grow(const void *plan_, void *state, const void *former_plan, const void *former_state) {
    const plan *p = plan_, *q = former_plan;
    view to = stochastic_corral_view_of(p, state), from = stochastic_corral_view_of(q, former_state);
    mirror_adopt(&p->mirror, state, &q->mirror, former_state);
    *to.pair = *from.pair;
    for (int i = 0; i < q->mirror.places; i++)
        for (int a = 0; a < q->arms; a++)
            if (posse_space_active(p->space, a))
                to.firsts[i] += stochastic_counts_of(p, to, i)[a] = stochastic_counts_of(q, from, i)[a];
}

/* -------------------------------------------------- a round ------------------------------------------------ */

/* The second rounds have the learner and the probability of the draw that began their pair. */
static int stochastic_corral_choose(const void *plan_, void *state, posse_draw *draw, posse_draw *ties,
                                    double *probability) {
    const plan *p = plan_;
    pair *pair_ = stochastic_corral_view_of(p, state).pair;
    int waiting = (int)pair_->waiting - 1;
    pair_->waiting = 0.0;
    pair_->second = waiting >= 0 ? 1.0 : 0.0;
    if (waiting < 0) return mirror_choose(&p->mirror, state, draw, ties, probability);
    *probability = mirror_chance(&p->mirror, state, waiting);
    return waiting;
}

/* The arm of one of the learner's first rounds, each as likely as any other. */
static int stochastic_corral_probe(const void *plan_, void *state, int learner, posse_draw *draw) {
    const plan *p = plan_;
    view v = stochastic_corral_view_of(p, state);
    if (v.pair->second == 0.0 || v.firsts[learner] == 0.0) return -1;
    double rank = (double)posse_draw_index(draw, (uint64_t)v.firsts[learner]);
    const double *counts = stochastic_counts_of(p, v, learner);
    int arm = 0;
    while (rank >= counts[arm]) rank -= counts[arm++];
    return arm;
}

static void stochastic_corral_played(const void *plan_, void *state, int learner, int arm, const double *point) {
    const plan *p = plan_;
    view v = stochastic_corral_view_of(p, state);
    mirror_played(&p->mirror, state, learner, arm, point);
    if (v.pair->second != 0.0) return;
    v.pair->waiting = learner + 1;
    if (!posse_space_active(p->space, arm)) return; /* an external learner reported an arm that has retired since */
    v.firsts[learner] += 1.0;
    stochastic_counts_of(p, v, learner)[arm] += 1.0;
}

static void stochastic_corral_learn(const void *plan_, void *state, const posse_outcome *o) {
    const plan *p = plan_;
    if (o->probe)
        mirror_learn(&p->mirror, state, o);
    else
        mirror_notice(&p->mirror, state, o->reward);
}

/* Plan and state begin with those of the distribution, so they can be passed to its functions. */
const posse_selector_ops selector_stochastic_corral = {
    .kind = {.version = POSSE_EXTENSION_VERSION,
             .name = "stochastic-corral",
             .help = "CORRAL over smoothed learners: every second round plays again an arm that the learner has played",
             .params = mirror_params,
             .prepare = stochastic_corral_prepare,
             .state_size = stochastic_corral_state_size,
             .sane = stochastic_corral_sane,
             .grow = stochastic_corral_grow},
    .admit = mirror_admit,
    .retire = stochastic_corral_retire,
    .choose = stochastic_corral_choose,
    .played = stochastic_corral_played,
    .learn = stochastic_corral_learn,
    .adopt = stochastic_corral_adopt,
    .probabilities = mirror_probabilities,
    .clipped = mirror_clipped,
    .probe = stochastic_corral_probe,
};

/* SPDX-License-Identifier: MIT */
#include "selector/charges.h"
#include "base/assert.h"

#include <math.h>
#include <string.h>

/*
 * The options of `bms` and of `bms-plus`: the same ones in the same order, with the defaults given here, whose flags
 * are kept_. The defaults of `bms` are those of the paper, which stay; those of `bms-plus` may change. Where an
 * option of all selectors has another default, the kind's table declares it again, behind these.
 */
#define PARAMETERS_OF_BMS(patience_, commitment_, budget_, kept_, ...)                                                 \
    PARAMETER_BELIEF,                                                                                                  \
        {.name = "patience",                                                                                           \
         .type = POSSE_TYPE_REAL,                                                                                      \
         .flags = kept_,                                                                                               \
         patience_,                                                                                                    \
         .words = "endless",                                                                                           \
         .low = 0.0,                                                                                                   \
         .high = SCALE_MAX,                                                                                            \
         .help = "plays of each coordinate before learners are judged by their rates; endless is Algorithm 1"},        \
        {.name = "commitment",                                                                                         \
         .type = POSSE_TYPE_REAL,                                                                                      \
         .flags = kept_,                                                                                               \
         .fallback = commitment_,                                                                                      \
         .low = 0.0,                                                                                                   \
         .high = 1.0,                                                                                                  \
         .help = "how much cheaper a learner gets by playing: the weight of the logarithm; without patience nothing"}, \
        {.name = "forgetting",                                                                                         \
         .type = POSSE_TYPE_FLAG,                                                                                      \
         .fallback = 0.0,                                                                                              \
         .low = 0.0,                                                                                                   \
         .high = 1.0,                                                                                                  \
         .help = "plays count half when rounds have quadrupled; instead of the logarithm"},                            \
        {.name = "discount",                                                                                           \
         .type = POSSE_TYPE_REAL,                                                                                      \
         .fallback = 1.0,                                                                                              \
         .low = 1e-6,                                                                                                  \
         .high = 1.0,                                                                                                  \
         .help =                                                                                                       \
             "what the regret of past plays is multiplied by each round, in worlds that change; 1: nothing fades"},    \
        {.name = "watch",                                                                                              \
         .type = POSSE_TYPE_FLAG,                                                                                      \
         .fallback = 0.0,                                                                                              \
         .low = 0.0,                                                                                                   \
         .high = 1.0,                                                                                                  \
         .help = "keep account of how far the rewards speak against its belief"},                                      \
        {.name = "memory",                                                                                             \
         .type = POSSE_TYPE_COUNT,                                                                                     \
         .flags = POSSE_PARAM_OPTIONAL,                                                                                \
         .words = "all",                                                                                               \
         .low = 1.0,                                                                                                   \
         .high = 1e6,                                                                                                  \
         .help = "in contexts: plays of a learner that are stored; default 32, with consider 64"},                     \
        {.name = "recency",                                                                                            \
         .type = POSSE_TYPE_REAL,                                                                                      \
         .flags = POSSE_PARAM_OPTIONAL,                                                                                \
         .low = 1.0,                                                                                                   \
         .high = 1e6,                                                                                                  \
         .help =                                                                                                       \
             "in contexts: how much new plays are preferred when memory is full; 1: not; default 4, with consider 2"}, \
        {.name = "hold",                                                                                               \
         .type = POSSE_TYPE_REAL,                                                                                      \
         .fallback = 0.02,                                                                                             \
         .low = 0.0,                                                                                                   \
         .high = 1.0,                                                                                                  \
         .help = "in contexts: a world drawn is kept for this share of the rounds so far"},                            \
        {.name = "hold-most",                                                                                          \
         .type = POSSE_TYPE_COUNT,                                                                                     \
         .fallback = 256.0,                                                                                            \
         .low = 1.0,                                                                                                   \
         .high = 1e9,                                                                                                  \
         .help = "in contexts: and for at most this many rounds"},                                                     \
        {.name = "candidates",                                                                                         \
         .type = POSSE_TYPE_COUNT,                                                                                     \
         .flags = POSSE_PARAM_OPTIONAL,                                                                                \
         .words = "all",                                                                                               \
         .low = 2.0,                                                                                                   \
         .high = 1e6,                                                                                                  \
         .help = "in contexts: arms of a stored play that are kept; default 4, with consider 3, with all memory all"}, \
        {.name = "consider", .type = POSSE_TYPE_FLAG, .low = 0.0, .high = 1.0, __VA_ARGS__}, {                         \
        .name = "budget", .type = POSSE_TYPE_REAL, .flags = kept_, .fallback = budget_, .low = 0.0, .high = 1e6,       \
        .help = "regret that learners may have, in sds of a reward, before the least rate decides; 0: any"             \
    }

#define CONSIDER(flags_)                                                                                               \
    .flags = flags_, .words = CONSIDER_AUTO "|" CONSIDER_MODEL,                                                        \
    .help = "in contexts, with share: charge all for what they would play; model: by the belief; auto: or its errors"

const posse_param bms_params[] = {
    PARAMETERS_OF_BMS(.fallback_word = "endless", 1.0, 0.0, 0, CONSIDER(POSSE_PARAM_OPTIONAL)), PARAMETERS_END};

const posse_param bms_plus_params[] = {PARAMETERS_OF_BMS(.fallback = 40.0, 0.0, 1.0, POSSE_PARAM_KEPT,
                                                         CONSIDER(POSSE_PARAM_KEPT), .fallback_word = CONSIDER_AUTO),
                                       PARAMETER_SHARE(1.0, POSSE_PARAM_KEPT), PARAMETERS_END};

static posse_error prepare_watch(const posse_setup *setup, charges *c) {
    if (setup->settings[BMS_WATCH].number == 0.0 || c->belief.robust) return POSSE_OK;
    if (c->belief.ops->vary == NULL)
        return posse_setup_refuse(setup, "watch", -1,
                                  "a belief of kind %s has no robust form that it could be compared with",
                                  c->belief.part.kind->name);
    return belief_of_setting_robust(setup, &setup->settings[BMS_BELIEF], &c->twin);
}

static patience patience_of(const posse_option *settings, int dim) {
    return (patience){.plays = settings[BMS_PATIENCE].word != NULL ? INFINITY : settings[BMS_PATIENCE].number,
                      .commitment = settings[BMS_COMMITMENT].number,
                      .forgets = settings[BMS_FORGETTING].number != 0.0,
                      .dim = dim};
}

/* Refuses the options that patience, or rounds with features, would give an effect. */
static posse_error charges_refuse_idle(const posse_setup *setup, const patience *how) {
    static const int of_patience[] = {BMS_COMMITMENT, BMS_FORGETTING};
    static const int of_contexts[] = {BMS_MEMORY, BMS_RECENCY, BMS_HOLD, BMS_HOLD_MOST, BMS_CANDIDATES, BMS_CONSIDER};
    posse_error error = POSSE_OK;
    for (size_t i = 0; i < sizeof of_patience / sizeof *of_patience && error == POSSE_OK && !patience_ends(how); i++)
        error = part_refuse_idle(setup, of_patience[i], "patience is endless");
    for (size_t i = 0; i < sizeof of_contexts / sizeof *of_contexts && !space_has_contexts(setup->space); i++)
        if (error == POSSE_OK)
            error = part_refuse_idle(setup, of_contexts[i], "it is for rounds with features, and these have none");
    return error;
}

/* The budget is for plays that all count the same, in rounds without features. */
static posse_error charges_refuse_budget(const posse_setup *setup, const patience *how) {
    const posse_option *given = setup->settings;
    const char *why = !patience_ends(how)                ? "patience is endless"
                      : how->forgets                     ? "plays of long ago are forgotten"
                      : given[BMS_DISCOUNT].number < 1.0 ? "earlier plays are discounted"
                      : space_has_contexts(setup->space) ? "rounds have features"
                                                         : NULL;
    return why == NULL || given[BMS_BUDGET].number == 0.0 ? POSSE_OK : part_refuse_idle(setup, BMS_BUDGET, why);
}

/* In contexts patience is the same for any number of weights (patience.h), so dim is 1. */
posse_error charges_prepare(const posse_setup *setup, charges *out) {
    posse_error error = belief_of_setting(setup, &setup->settings[BMS_BELIEF], &out->belief);
    if (error == POSSE_OK) error = prepare_watch(setup, out);
    int coordinates = space_has_contexts(setup->space) ? 1 : out->belief.shape.dim;
    if (error != POSSE_OK) return error;
    out->patience = patience_of(setup->settings, coordinates);
    error = charges_refuse_idle(setup, &out->patience);
    return error == POSSE_OK ? charges_refuse_budget(setup, &out->patience) : error;
}

int charges_first_unplayed(const double *penalty, const double *plays, int places) {
    int i = 0;
    while (i < places && (penalty[i] != 0.0 || plays[i] != 0.0)) i++;
    return i;
}

int charges_break_tie(const double *potential, int places, kernel_least least, posse_draw *ties) {
    POSSE_ASSERT(least.count > 1 && least.count <= (uint32_t)places && least.first < (uint32_t)places);
    uint64_t rank = posse_draw_index(ties, least.count);
    for (size_t i = least.first; i < (size_t)places; i++)
        if (potential[i] == least.value && rank-- == 0) return (int)i;
    return (int)least.first; /* only if potentials are NaN */
}

void charges_start(const charges *c, void *belief, void *twin) {
    part_start(&c->belief.part, belief);
    if (charges_have_twin(c)) part_start(&c->twin.part, twin);
}

void charges_next_task(const charges *c, void *belief, void *twin, posse_draw *draw) {
    belief_next_task(&c->belief, belief, draw);
    if (charges_have_twin(c)) belief_next_task(&c->twin, twin, NULL);
}

/* A reward of an arm changes the weights of that arm, or of all arms. */
void charges_teach_by(const charges *c, void *belief, void *twin, const posse_outcome *o, const void *model) {
    bool disjoint = c->belief.model.disjoint;
    size_t size = c->belief.part.state_size / (disjoint ? (size_t)c->belief.space->arms : 1);
    size_t at = disjoint ? (size_t)o->arm * size : 0;
    memcpy((char *)belief + at, (const char *)model + at, size);
    if (charges_have_twin(c)) belief_update(&c->twin, twin, o->arm, o->point, o->reward);
}

bool charges_sane(const charges *c, const void *belief, const void *twin) {
    return part_state_sane(&c->belief.part, belief) && (!charges_have_twin(c) || part_state_sane(&c->twin.part, twin));
}

void charges_grow(const charges *c, void *belief, void *twin, const charges *former, const void *former_belief,
                  const void *former_twin) {
    part_grow(&c->belief.part, belief, &former->belief.part, former_belief);
    if (charges_have_twin(c)) part_grow(&c->twin.part, twin, &former->twin.part, former_twin);
}

void charges_adopt(const charges *c, void *belief, void *twin, const charges *former, const void *former_belief,
                   const void *former_twin) {
    POSSE_ASSERT(c->belief.part.state_size == former->belief.part.state_size);
    memcpy(belief, former_belief, c->belief.part.state_size);
    if (c->twin.part.state_size == former->twin.part.state_size) memcpy(twin, former_twin, c->twin.part.state_size);
}

/* A robust belief computes its surprise from its own weights, without a twin. */
bool charges_surprise(const charges *c, const void *belief, const void *twin, double *out) {
    if (!c->belief.robust && !charges_have_twin(c)) return false;
    *out = c->belief.robust ? belief_surprise(&c->belief, belief) : belief_surprise(&c->twin, twin);
    return true;
}

void charges_potentials(const double *penalty, const double *potential, int learners, double *out) {
    for (int i = 0; i < learners; i++)
        out[i] = penalty[i] != 0.0 ? INFINITY : potential[i] == INFINITY ? 0.0 : potential[i];
}

void charges_probabilities(const double *potential, int learners, double *out) {
    double least = INFINITY, count = 0.0;
    for (int i = 0; i < learners; i++) {
        count = potential[i] < least ? 1.0 : potential[i] == least ? count + 1.0 : count;
        least = potential[i] < least ? potential[i] : least;
    }
    for (int i = 0; i < learners; i++) out[i] = potential[i] == least ? 1.0 / count : 0.0;
}

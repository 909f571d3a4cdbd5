/* SPDX-License-Identifier: MIT */
/*
 * Decisions and their rewards, as an application sees them: ids, pending decisions, expiry, and rewards that do not
 * come from decisions.
 */
#include <math.h>
#include <string.h>

#include "object/before.h"
#include "object/decisions.h"

/* ------------------------------------------------------ ids --------------------------------------------------- */

uint32_t posse_epoch(const posse *p) {
    return p != NULL ? p->epoch : 0;
}

static bool has_epoch(const pending *table, uint32_t epoch) {
    for (size_t slot = 0; slot < table->capacity; slot++) {
        const pending_entry *entry = pending_at(table, slot);
        if (entry != NULL && entry->epoch == epoch) return true;
    }
    return false;
}

posse_error posse_set_epoch(posse *p, uint32_t epoch) {
    if (p == NULL || epoch > EPOCH_MAX || epoch == p->epoch) return POSSE_ERROR_ARGUMENT;
    if (has_epoch(&p->pending, epoch)) return POSSE_ERROR_ARGUMENT;
    if (p->modes != NULL && has_epoch(&p->modes->deferred.table, epoch)) return POSSE_ERROR_ARGUMENT;
    p->epoch = epoch;
    p->replays = false;
    p->epoch_first = p->decisions;
    return POSSE_OK;
}

/* ----------------------------------------------- deciding and learning ---------------------------------------- */

/* Whether no learner is charged for the play, and its reward is taught to all: no learner picked the arm. */
static inline bool decisions_is_apart(const pending_entry *entry) {
    return entry->drawn >= DRAWN_BY_FLOOR || (entry->suggested > 0 && (int)entry->suggested - 1 != entry->arm);
}

/* Whether a learner picked the arm, which was then played, as in all decisions of most posses. */
static inline bool decisions_is_plain(const pending_entry *entry) {
    return entry->drawn == PICKED && entry->suggested == 0 && !entry->deferred;
}

/* Nothing is learned from decisions of a pause, nor from rewards that come in one. */
static bool decisions_rests(const posse *p, const pending_entry *entry) {
    return p->modes != NULL && (p->modes->set.paused || entry->drawn == PLAYED_IN_PAUSE);
}

/*
 * Visitors differ, and a visitor's own rewards are alike. An arm that a unit keeps, or has by the holdback, gets the
 * rewards of the same visitors again, whose mean is not the arm's. Where the arm is chosen anew, the visitor is any.
 */
static inline bool decisions_is_tallied(const pending_entry *entry) {
    return entry->drawn != KEPT_BY_UNIT && !(entry->drawn == HELD_BACK && entry->again);
}

/* Learners and selector learn the reward of a pending decision, which stays in the table. */
static inline void decisions_settle(posse *p, const pending_entry *entry, double reward) {
    if (decisions_rests(p, entry)) return;
    bool apart = decisions_is_apart(entry);
    posse_outcome o = {.learner = entry->learner,
                       .arm = entry->arm,
                       .point = decisions_arm_point(p, entry),
                       .reward = reward,
                       .probability = entry->probability,
                       .probe = entry->drawn == DRAWN_BY_SELECTOR};
    object_learn(p, &o, apart);
    if (p->tallies != NULL && decisions_is_tallied(entry))
        tallies_take(p, entry->drawn == PICKED && !apart ? entry->learner : -1, entry->arm, reward);
    if (p->modes != NULL) modes_count(p, entry, reward);
}

/* Without a point yet, nothing of a decision that had the slot before is left, because all of it is saved. */
static void write_point(const posse *p, pending_entry *entry, const double *point) {
    if (point == NULL)
        memset(entry->point, 0, (size_t)p->point_numbers * sizeof(double));
    else if (space_has_contexts(p->space))
        context_copy_features(p->space, entry->point, point);
    else
        memcpy(entry->point, point, (size_t)p->point_numbers * sizeof(double));
}

static arm_source decisions_source(const posse_decision *d) {
    static const arm_source of_mode[] = {
        [POSSE_HELD_BACK] = HELD_BACK, [POSSE_KEPT] = KEPT_BY_UNIT, [POSSE_PAUSED] = PLAYED_IN_PAUSE};
    if (d->mode != POSSE_MODE_NONE) return of_mode[d->mode];
    return d->probe ? DRAWN_BY_SELECTOR : d->floor ? DRAWN_BY_FLOOR : PICKED;
}

/* A decision that was made gets its number, and a place among those without a reward. */
static inline pending_entry *decisions_enter(posse *p, posse_decision *d, arm_source drawn, bool defer) {
    d->id = decisions_id(p->epoch, ++p->decisions);
    pending_entry *entry = defer ? deferred_add(p, p->decisions) : pending_add(&p->pending, p->decisions);
    entry->epoch = p->epoch;
    entry->learner = d->learner;
    entry->arm = d->arm;
    entry->probability = d->probability;
    entry->drawn = drawn;
    entry->suggested = 0;
    entry->again = false;
    entry->deferred = defer;
    if ((p->decisions & p->fit_mask) == 0) streams_fit(p);
    return entry;
}

static pending_entry *decisions_remember(posse *p, posse_decision *d, bool defer) {
    pending_entry *entry = decisions_enter(p, d, decisions_source(d), defer);
    write_point(p, entry, d->point);
    if (p->keeps_propensity) entry->point[p->point_numbers] = d->propensity;
    return entry;
}

static inline void decisions_drop(posse *p, pending_entry *entry) {
    if (entry->deferred)
        deferred_remove(p, entry);
    else
        pending_remove(&p->pending, entry, &p->host.allocator);
}

static void decisions_expire(posse *p, pending_entry *entry) {
    if (decisions_expiry_learns(p, entry)) decisions_settle(p, entry, p->expiry.reward);
    decisions_drop(p, entry);
}

/* Expires the decisions with at least `age` later ones, the oldest first, and returns their number. */
static size_t expire_older(posse *p, uint64_t age) {
    size_t count = 0;
    pending_entry *entry = decisions_oldest(p);
    while (entry != NULL && decisions_elapsed(p, entry) >= age) {
        decisions_expire(p, entry);
        count++;
        entry = decisions_oldest(p);
    }
    return count;
}

/* A choice that is undone if it fails, so that nothing of it is left, neither in states nor in streams. */
__attribute__((noinline)) static posse_error decisions_try(posse *p, const posse_round *round, posse_decision *d) {
    before b;
    posse_error error = before_open(&b, p);
    if (error == POSSE_OK) {
        error = before_choose(&b, p, round, d);
        if (error != POSSE_OK) {
            before_restore(&b, p);
            before_rewind(&b, p);
        }
    }
    before_close(&b);
    return error;
}

/* The library's own parts do not fail. */
static inline posse_error decisions_choose(posse *p, const posse_round *round, posse_decision *d) {
    return p->fallible ? decisions_try(p, round, d) : object_choose(p, round, d);
}

/* The same where modes may determine the arm. */
__attribute__((noinline)) static posse_error decisions_choose_by_mode(posse *p, const posse_round *round,
                                                                      const posse_visit *visit, posse_decision *d) {
    posse_error error = modes_reserve(p, visit);
    if (error != POSSE_OK || modes_fix(p, round, visit, d)) return error;
    modes_begin_round(p, round, visit);
    error = decisions_choose(p, round, d);
    modes_end_round(p);
    return error;
}

/* A decision becomes a suggestion, if the learner has named an arm, until something is played. */
static void decisions_suggest(pending_entry *entry, posse_decision *d) {
    if (d->arm < 0) return;
    entry->suggested = ((uint32_t)d->arm + 1) & SUGGESTED_MASK;
    entry->arm = ARM_UNTOLD;
    if (d->mode == POSSE_MODE_NONE) d->mode = POSSE_SUGGESTED;
}

/* A rule plays in shadow mode. With which probability is unknown, also where it plays what was suggested. */
static inline bool decisions_shadows(const posse *p) {
    return p->modes != NULL && p->modes->set.shadow;
}

/* Something was played for a suggestion. Unless posse has drawn it, its propensity is unknown. */
static void decisions_weigh(const posse *p, pending_entry *entry) {
    bool drawn = (int)entry->suggested - 1 == entry->arm && !decisions_shadows(p);
    if (p->keeps_propensity && entry->suggested > 0 && !drawn) entry->point[p->point_numbers] = 0.0;
}

/* Memory for the decision is reserved first, so that a choice is never lost for lack of memory. visit: or NULL. */
static posse_error decisions_decide(posse *p, const posse_round *round, const posse_visit *visit, posse_decision *d) {
    posse_error error = pending_reserve(&p->pending, 1, &p->host.allocator);
    if (error == POSSE_OK && p->tallies != NULL) error = tallies_reserve(p);
    if (error == POSSE_OK)
        error = p->modes != NULL ? decisions_choose_by_mode(p, round, visit, d) : decisions_choose(p, round, d);
    if (error != POSSE_OK) return error;
    bool defer = visit != NULL && visit->defer;
    if (decisions_shadows(p)) d->propensity = 0.0;
    pending_entry *entry = decisions_remember(p, d, defer);
    if (p->modes != NULL) entry->again = modes_remember(p, visit, d);
    if (p->modes != NULL && (p->modes->set.shadow || defer)) decisions_suggest(entry, d);
    d->point = decisions_point(p, d->point);
    if (p->expiry.after > 0) expire_older(p, p->expiry.after);
    return POSSE_OK;
}

/* The propensity of the decision that was made last. */
static void set_propensity(posse *p, double propensity, posse_decision *d) {
    pending_entry *entry;
    d->propensity = propensity;
    if (decisions_find(p, d->id, &entry) == POSSE_OK) entry->point[p->point_numbers] = propensity;
}

/* The estimate counts the learners' choice as one more draw, where there was one. */
static double decisions_estimate(const posse *p, const posse_round *round, const posse_decision *d, double share) {
    double draws = p->propensity_draws, counted = (draws * share + 1.0) / (draws + 1.0);
    if (p->modes == NULL) return counted;
    return modes_propensity(p, round, d, d->mode == POSSE_HELD_BACK ? share : counted);
}

static posse_error decide_with_propensity(posse *p, const posse_round *round, const posse_visit *visit,
                                          posse_decision *d) {
    arena scratch = {.allocator = p->host.allocator};
    double *shares = arena_allocate(&scratch, (size_t)p->space->arms * sizeof *shares);
    posse_error error = shares != NULL ? propensity_of_arms(p, round, p->propensity_draws, shares) : POSSE_ERROR_MEMORY;
    if (error == POSSE_OK) error = decisions_decide(p, round, visit, d);
    if (error == POSSE_OK && d->arm >= 0) set_propensity(p, decisions_estimate(p, round, d, shares[d->arm]), d);
    arena_release(&scratch);
    return error;
}

/* logged: a propensity in place of an estimate, or NULL. */
static posse_error decide_round(posse *p, const posse_round *round, const posse_visit *visit, const double *logged,
                                posse_decision *d) {
    bool weighs = p->estimates && !decisions_shadows(p);
    if (weighs && logged == NULL) return decide_with_propensity(p, round, visit, d);
    posse_error error = decisions_decide(p, round, visit, d);
    if (error == POSSE_OK && weighs) set_propensity(p, *logged, d);
    return error;
}

posse_error decisions_make(posse *p, const posse_round *round, posse_decision *d) {
    return decide_round(p, round, NULL, NULL, d);
}

__attribute__((noinline)) static posse_error decisions_decide_in(posse *p, const posse_context *context,
                                                                 const posse_visit *visit, const double *logged,
                                                                 posse_decision *d) {
    posse_round room;
    const posse_round *round;
    int known = p->space->known;
    posse_error error = object_refuse_episodes(p);
    if (error == POSSE_OK) error = context_round(p, context, &room, &round);
    if (error == POSSE_OK) error = decide_round(p, round, visit, logged, d);
    if (error == POSSE_OK)
        context_commit(p, context);
    else
        context_forget(p, known);
    return error;
}

/* What is left of decisions_decide_in for a plain posse, as most are. */
static inline posse_error decide_plainly(posse *p, posse_decision *d) {
    posse_error error = pending_reserve(&p->pending, 1, &p->host.allocator);
    if (error == POSSE_OK) error = object_choose(p, NULL, d);
    if (error == POSSE_OK) decisions_enter(p, d, PICKED, false);
    return error;
}

posse_error posse_decide(posse *p, const posse_context *context, posse_decision *d) {
    if (p == NULL || d == NULL) return POSSE_ERROR_ARGUMENT;
    return p->plain && context == NULL ? decide_plainly(p, d) : decisions_decide_in(p, context, NULL, NULL, d);
}

posse_error posse_decide_again(posse *p, const posse_context *context, double propensity, posse_decision *d) {
    if (p == NULL || d == NULL || !(propensity >= 0.0 && propensity <= 1.0)) return POSSE_ERROR_ARGUMENT;
    return decisions_decide_in(p, context, NULL, &propensity, d);
}

static posse_error check_learning(const posse *p, uint64_t id, double reward, pending_entry **entry) {
    posse_error error = decisions_find(p, id, entry);
    if (error != POSSE_OK) return error;
    if ((*entry)->arm == ARM_UNTOLD) return POSSE_ERROR_UNTOLD;
    return object_reward_fits(p, reward) ? POSSE_OK : object_refuse_reward(p, reward);
}

/* What is left of decisions_settle and decisions_drop for a decision of a plain posse. */
static inline void learn_plainly(posse *p, pending_entry *entry, double reward) {
    posse_outcome o = {entry->learner, entry->arm,         space_point(p->space, entry->arm),
                       reward,         entry->probability, false};
    object_learn(p, &o, false);
    pending_remove(&p->pending, entry, &p->host.allocator);
}

__attribute__((noinline)) static void learn_and_drop(posse *p, pending_entry *entry, double reward) {
    decisions_settle(p, entry, reward);
    decisions_drop(p, entry);
}

posse_error posse_learn(posse *p, uint64_t id, double reward) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    pending_entry *entry;
    posse_error error = check_learning(p, id, reward, &entry);
    if (error != POSSE_OK) return error;
    if (p->plain && decisions_is_plain(entry))
        learn_plainly(p, entry, reward);
    else
        learn_and_drop(p, entry, reward);
    return POSSE_OK;
}

posse_error posse_forget(posse *p, uint64_t id) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    pending_entry *entry;
    posse_error error = decisions_find(p, id, &entry);
    if (error == POSSE_OK) decisions_drop(p, entry);
    return error;
}

posse_error posse_expire(posse *p, uint64_t age, size_t *expired) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    size_t count = expire_older(p, age);
    if (expired != NULL) *expired = count;
    return POSSE_OK;
}

/* --------------------------------------- plays and rewards from outside --------------------------------------- */

/* Reports an arm from outside that does not exist. */
static posse_error refuse_arm(const posse *p, int arm, const double *point) {
    if (p->space->arms == 0 && point != NULL)
        complain(&p->host.log, NULL, "point", "is not in the unit ball");
    else if (p->space->arms == 0)
        complain(&p->host.log, NULL, "arm", "given, but this posse has no separate arms");
    else
        complain(&p->host.log, NULL, "arm", "there is no arm %d, only 0 to %d", arm, p->space->arms - 1);
    return POSSE_ERROR_ARM;
}

/* An action of the application, read: the round is NULL without features, and the point NULL for separate arms. */
typedef struct outside_play {
    posse_round room;
    const posse_round *round;
    int arm;
    const double *point;
} outside_play;

/* Whether a separate arm exists is checked by the caller. */
static posse_error decisions_read_action(const posse *p, const posse_action *action, outside_play *out) {
    if (action->point != NULL && !space_is_ball(p->space)) {
        complain(&p->host.log, NULL, "point", "given, but this posse does not play the ball; give an arm");
        return POSSE_ERROR_ARM;
    }
    out->arm = action->point != NULL ? -1 : action->arm;
    out->point = action->point;
    posse_error error = context_past_play(p, action, &out->room, &out->round, &out->point);
    if (error != POSSE_OK) return error;
    return out->arm < 0 && out->point == NULL ? refuse_arm(p, out->arm, NULL) : POSSE_OK;
}

/* An internal learner's arm is known from the beginning. */
static posse_error refuse_second_arm(const posse *p) {
    complain(&p->host.log, NULL, "decision", "the arm of that decision is known already");
    return POSSE_ERROR_SETTLED;
}

/* Plays of retired learners are not reported to the selector. */
posse_error posse_acted(posse *p, uint64_t id, const posse_action *action) {
    if (p == NULL || action == NULL) return POSSE_ERROR_ARGUMENT;
    outside_play play;
    pending_entry *entry = NULL;
    int known = p->space->known;
    posse_error error = decisions_read_action(p, action, &play);
    if (error == POSSE_OK) error = decisions_find(p, id, &entry);
    if (error == POSSE_OK && entry->arm != ARM_UNTOLD) error = refuse_second_arm(p);
    if (error == POSSE_OK && !object_has_arm(p, play.arm, play.point)) error = refuse_arm(p, play.arm, play.point);
    if (error == POSSE_OK && entry->deferred) error = deferred_show(p, entry);
    if (error != POSSE_OK) {
        context_forget(p, known);
        return error;
    }
    entry->arm = play.arm;
    decisions_weigh(p, entry);
    write_point(p, entry, play.point);
    if (p->members[entry->learner].active && entry->suggested == 0)
        object_note_play(p, entry->learner, play.round, play.arm, decisions_arm_point(p, entry));
    return POSSE_OK;
}

/* Whether a play can be taught. Features that its context brings for the first time have slots afterwards. */
static posse_error check_teaching(const posse *p, const posse_action *action, double reward, outside_play *play) {
    posse_error error = object_refuse_episodes(p);
    if (error == POSSE_OK) error = decisions_read_action(p, action, play);
    if (error == POSSE_OK && !object_has_arm(p, play->arm, play->point)) error = refuse_arm(p, play->arm, play->point);
    if (error == POSSE_OK && !object_reward_fits(p, reward)) error = object_refuse_reward(p, reward);
    return error;
}

posse_error posse_teach(posse *p, const posse_action *action, double reward) {
    if (p == NULL || action == NULL) return POSSE_ERROR_ARGUMENT;
    outside_play play;
    int known = p->space->known;
    posse_error error = check_teaching(p, action, reward, &play);
    if (error != POSSE_OK) {
        context_forget(p, known);
        return error;
    }
    object_teach_all(p, play.arm, play.point != NULL ? play.point : space_point(p->space, play.arm), reward);
    context_commit(p, action->context);
    return POSSE_OK;
}

posse_error posse_check_teach(const posse *p, const posse_action *action, double reward) {
    if (p == NULL || action == NULL) return POSSE_ERROR_ARGUMENT;
    outside_play play;
    int known = p->space->known;
    posse_error error = check_teaching(p, action, reward, &play);
    context_forget(p, known);
    return error;
}

posse_error posse_check_decide(const posse *p, const posse_context *context) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    posse_round room;
    const posse_round *round;
    int known = p->space->known;
    posse_error error = object_refuse_episodes(p);
    if (error == POSSE_OK) error = context_round(p, context, &room, &round);
    context_forget(p, known);
    return error;
}

posse_error posse_check_learn(const posse *p, uint64_t id, double reward) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    pending_entry *entry;
    return check_learning(p, id, reward, &entry);
}

/* -------------------------------------------- for a unit, or until later ------------------------------------------ */

/* The decision that a unit has, as it was made. */
static posse_decision decisions_made(const posse *p, const pending_entry *entry) {
    posse_pending one = decisions_pending(p, entry);
    return (posse_decision){.id = one.id,
                            .learner = one.learner,
                            .arm = pending_arm_made(entry),
                            .probability = one.probability,
                            .point = one.point,
                            .probe = one.probe,
                            .propensity = one.propensity,
                            .floor = one.floor,
                            .mode = one.mode};
}

posse_error posse_decide_for(posse *p, const posse_visit *visit, posse_decision *d) {
    if (p == NULL || visit == NULL || d == NULL) return POSSE_ERROR_ARGUMENT;
    const double *logged = visit->logged;
    const pending_entry *entry;
    if (logged != NULL && !(*logged >= 0.0 && *logged <= 1.0)) return POSSE_ERROR_ARGUMENT;
    posse_error error = modes_check_visit(p, visit);
    if (error != POSSE_OK) return error;
    if (modes_again(p, visit, &entry)) {
        *d = decisions_made(p, entry);
        return POSSE_OK;
    }
    if (visit->defer && p->space->arms == 0) {
        complain(&p->host.log, NULL, "defer", "a posse without separate arms has no deferred decisions");
        return POSSE_ERROR_FIT;
    }
    if (visit->defer) error = modes_open(p);
    return error == POSSE_OK ? decisions_decide_in(p, visit->context, visit, logged, d) : error;
}

/* Chooses, and puts everything back. */
static posse_error decisions_rehearse(posse *p, const posse_round *round, posse_decision *d) {
    before b;
    posse_error error = before_open(&b, p);
    if (error == POSSE_OK) {
        error = before_choose(&b, p, round, d);
        before_restore(&b, p);
        before_rewind(&b, p);
    }
    before_close(&b);
    return error;
}

static posse_error decisions_peek(posse *p, const posse_round *round, const posse_visit *visit, posse_decision *d) {
    arena scratch = {.allocator = p->host.allocator};
    bool shadows = decisions_shadows(p), weighs = p->estimates && !shadows;
    double *shares = weighs ? arena_allocate(&scratch, (size_t)p->space->arms * sizeof *shares) : NULL;
    posse_error error = weighs && shares == NULL ? POSSE_ERROR_MEMORY : POSSE_OK;
    if (error == POSSE_OK && shares != NULL) error = propensity_of_arms(p, round, p->propensity_draws, shares);
    bool fixed = error == POSSE_OK && p->modes != NULL && modes_fix(p, round, visit, d);
    if (error == POSSE_OK && !fixed) {
        if (p->modes != NULL) modes_begin_round(p, round, visit);
        error = decisions_rehearse(p, round, d);
        if (p->modes != NULL) modes_end_round(p);
    }
    if (error == POSSE_OK && shares != NULL && d->arm >= 0)
        d->propensity = decisions_estimate(p, round, d, shares[d->arm]);
    if (shadows) d->propensity = 0.0;
    arena_release(&scratch);
    return error;
}

posse_error posse_peek(posse *p, const posse_visit *visit, posse_decision *d) {
    if (p == NULL || visit == NULL || d == NULL) return POSSE_ERROR_ARGUMENT;
    const pending_entry *entry;
    posse_round room;
    const posse_round *round;
    int known = p->space->known;
    if (modes_again(p, visit, &entry)) {
        *d = decisions_made(p, entry);
        return POSSE_OK;
    }
    posse_error error = modes_check_visit(p, visit);
    if (error == POSSE_OK) error = object_refuse_episodes(p);
    if (error == POSSE_OK) error = context_round(p, visit->context, &room, &round);
    if (error == POSSE_OK) error = decisions_peek(p, round, visit, d);
    if (error == POSSE_OK) d->point = decisions_point(p, d->point);
    bool suggests = visit->defer || posse_modes_of(p).shadow;
    if (error == POSSE_OK && d->mode == POSSE_MODE_NONE && d->arm >= 0 && suggests) d->mode = POSSE_SUGGESTED;
    context_forget(p, known);
    return error;
}

posse_error posse_activate(posse *p, uint64_t id) {
    if (p == NULL) return POSSE_ERROR_ARGUMENT;
    pending_entry *entry;
    posse_error error = decisions_find(p, id, &entry);
    if (error != POSSE_OK) return error;
    if (entry->suggested == 0 || entry->arm != ARM_UNTOLD) return refuse_second_arm(p);
    if (entry->deferred) error = deferred_show(p, entry);
    if (error != POSSE_OK) return error;
    entry->arm = (int32_t)entry->suggested - 1;
    decisions_weigh(p, entry);
    return POSSE_OK;
}

int posse_suggestion(const posse *p, uint64_t id) {
    pending_entry *entry;
    if (p == NULL || decisions_find(p, id, &entry) != POSSE_OK) return -1;
    return (int)entry->suggested - 1;
}

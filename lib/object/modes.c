/* SPDX-License-Identifier: MIT */
#include "object/modes.h"
#include "object/report.h"

#include <math.h>
#include <string.h>

#define HOLDBACK_MAX 0.99
#define UNITS_MAX 10000000
#define SECONDS_MAX (UINT64_MAX / 4)
#define HOLDBACK_SLOTS 4
#define FLAG_PAUSED 1u
#define FLAG_SHADOW 2u

static const posse_modes modes_off = {.control = -1};

const char *posse_mode_name(int mode) {
    static const char *const names[] = {NULL, "holdback", "kept", "paused", "suggested"};
    return mode >= 0 && mode <= POSSE_SUGGESTED ? names[mode] : NULL;
}

/* ---------------------------------------------------- the switches ------------------------------------------------ */

posse_modes posse_modes_of(const posse *p) {
    return p != NULL && p->modes != NULL ? p->modes->set : modes_off;
}

#define REFUSE(p, key, error, ...) (complain(&(p)->host.log, NULL, key, __VA_ARGS__), (error))

static posse_error modes_check_fit(const posse *p, const posse_modes *m) {
    if (p->space->arms == 0)
        return REFUSE(p, "modes", POSSE_ERROR_FIT,
                      "a posse without separate arms has no control, holdback, pause, shadow mode or units");
    if (m->control < 0 && (m->holdback > 0.0 || m->paused))
        return REFUSE(p, "control", POSSE_ERROR_FIT, "is missing: it is the arm that %s plays",
                      m->paused ? "a pause" : "the holdback");
    if (m->shadow && (m->holdback > 0.0 || m->paused))
        return REFUSE(p, "shadow", POSSE_ERROR_FIT,
                      "another rule acts in shadow mode, so there is no holdback, and no pause plays the control");
    if (m->units == 0 && (m->sticky_rounds > 0 || m->sticky_seconds > 0))
        return REFUSE(p, "units", POSSE_ERROR_FIT, "is missing: how many units are remembered");
    return POSSE_OK;
}

static posse_error modes_check(const posse *p, const posse_modes *m) {
    if (!(m->holdback >= 0.0 && m->holdback <= HOLDBACK_MAX))
        return REFUSE(p, "holdback", POSSE_ERROR_ARGUMENT, "%g is not a share from 0 to %g", m->holdback, HOLDBACK_MAX);
    if (m->units > UNITS_MAX)
        return REFUSE(p, "units", POSSE_ERROR_ARGUMENT, "%u are too many; at most %d", m->units, UNITS_MAX);
    if (m->sticky_rounds > DECISIONS_MAX || m->sticky_seconds > SECONDS_MAX)
        return REFUSE(p, "sticky", POSSE_ERROR_ARGUMENT, "a unit cannot keep its arm for so long");
    if (m->control < -1 || m->control >= p->space->arms)
        return REFUSE(p, "control", POSSE_ERROR_ARM, "there is no arm %d", m->control);
    if (m->control >= 0 && !space_has(p->space, m->control))
        return REFUSE(p, "control", POSSE_ERROR_ARM, "arm %d is retired", m->control);
    return modes_check_fit(p, m);
}

posse_error modes_open(posse *p) {
    if (p->modes != NULL) return POSSE_OK;
    modes *m = memory_allocate(&p->host.allocator, sizeof *m);
    if (m == NULL) return POSSE_ERROR_MEMORY;
    m->set = modes_off;
    m->draw = draw_make(&p->memory, HOLDBACK_SLOTS);
    if (m->draw == NULL) {
        memory_release(&p->host.allocator, m);
        return POSSE_ERROR_MEMORY;
    }
    deferred_open(p, &m->deferred);
    p->modes = m;
    object_review(p);
    return POSSE_OK;
}

static void modes_clear_shadow(modes *m) {
    double *suggested = m->shadow.suggested;
    int arms = m->shadow.arms;
    if (arms > 0) memset(suggested, 0, (size_t)arms * sizeof *suggested);
    m->shadow = (shadow_counts){.suggested = suggested, .arms = arms};
}

static void modes_clear_holdback(modes *m) {
    m->held = m->others = (reward_tally){0};
}

posse_error posse_set_modes(posse *p, const posse_modes *wanted) {
    if (p == NULL || wanted == NULL) return POSSE_ERROR_ARGUMENT;
    posse_error error = object_refuse_episodes(p);
    if (error == POSSE_OK) error = modes_check(p, wanted);
    if (error == POSSE_OK) error = modes_open(p);
    if (error != POSSE_OK) return error;
    modes *m = p->modes;
    bool same = wanted->control == m->set.control && wanted->holdback == m->set.holdback;
    if (!same || wanted->units != m->set.units) modes_clear_holdback(m);
    if (wanted->shadow && !m->set.shadow) modes_clear_shadow(m);
    m->set = *wanted;
    units_trim(&m->units, wanted->units);
    return POSSE_OK;
}

void modes_clear(posse *p) {
    if (p->modes == NULL) return;
    modes_clear_holdback(p->modes);
    modes_clear_shadow(p->modes);
    units_trim(&p->modes->units, 0);
    deferred_clear(&p->modes->deferred);
}

void modes_release(posse *p) {
    if (p->modes == NULL) return;
    units_release(&p->modes->units, &p->host.allocator);
    deferred_release(&p->modes->deferred, &p->host.allocator);
    memory_release(&p->host.allocator, p->modes->shadow.suggested);
    memory_release(&p->host.allocator, p->modes);
}

/* ------------------------------------------------------- units ---------------------------------------------------- */

static bool modes_has_unit(const posse_visit *visit) {
    return visit != NULL && visit->unit != NULL;
}

static unit_key modes_key(const posse *p, const posse_visit *visit) {
    return units_key(p->seed, visit->unit, visit->unit_length);
}

/* Units keep their arms for some time; otherwise, they keep their decisions. */
static bool modes_keeps_arms(const modes *m) {
    return m->set.sticky_rounds > 0 || m->set.sticky_seconds > 0;
}

posse_error modes_check_visit(const posse *p, const posse_visit *visit) {
    if (p->modes == NULL || p->modes->set.sticky_seconds == 0 || visit->unit == NULL || visit->now > 0) return POSSE_OK;
    return REFUSE(p, "now", POSSE_ERROR_ARGUMENT, "the time is missing: units keep their arms for some seconds");
}

static bool modes_is_there(const posse *p, const posse_round *round, int arm) {
    return round != NULL ? round_place(round, arm) >= 0 : space_has(p->space, arm);
}

/*
 * Whether the arm of a decision is available in the round of a context, which the decision checks. Where no arm is
 * named yet, nothing is missing.
 */
static bool modes_offers(const posse *p, const posse_context *c, const pending_entry *entry) {
    int arm = pending_arm_made(entry);
    bool all = c == NULL || (c->count == 0 && c->arms == NULL);
    if (arm < 0) return true;
    if (all || c->count > p->space->arms || !space_has(p->space, arm)) return space_has(p->space, arm);
    for (int k = 0; k < c->count; k++)
        if ((c->arms != NULL ? c->arms[k] : k) == arm) return true;
    return false;
}

bool modes_again(const posse *p, const posse_visit *visit, const pending_entry **entry) {
    const modes *m = p->modes;
    if (m == NULL || m->set.units == 0 || !modes_has_unit(visit) || visit->anew || modes_keeps_arms(m)) return false;
    const unit *one = units_find(&m->units, modes_key(p, visit));
    *entry = one != NULL ? pending_find(&p->pending, one->number) : NULL;
    if (one != NULL && *entry == NULL) *entry = deferred_find(p, one->number);
    return *entry != NULL && modes_offers(p, visit->context, *entry);
}

static bool modes_is_over(const posse *p, const unit *one, uint64_t now) {
    const posse_modes *set = &p->modes->set;
    bool rounds = set->sticky_rounds > 0 && p->decisions - one->number >= set->sticky_rounds;
    return rounds || (set->sticky_seconds > 0 && now >= one->since && now - one->since >= set->sticky_seconds);
}

/* The arm that a unit keeps; -1: none. */
static int modes_kept_arm(const posse *p, const posse_round *round, const posse_visit *visit) {
    const modes *m = p->modes;
    if (m->set.units == 0 || !modes_has_unit(visit) || !modes_keeps_arms(m) || m->set.shadow) return -1;
    const unit *one = units_find(&m->units, modes_key(p, visit));
    if (one == NULL || modes_is_over(p, one, visit->now) || !modes_is_there(p, round, one->arm)) return -1;
    return one->arm;
}

posse_error modes_reserve(posse *p, const posse_visit *visit) {
    modes *m = p->modes;
    const posse_allocator *allocator = &p->host.allocator;
    posse_error error = visit != NULL && visit->defer ? deferred_reserve(p, 1) : POSSE_OK;
    if (error == POSSE_OK && modes_has_unit(visit) && m->set.units > 0)
        error = units_reserve(&m->units, m->set.units, allocator);
    if (error != POSSE_OK || !m->set.shadow || m->shadow.arms == p->space->arms) return error;
    double *larger = memory_allocate(allocator, (size_t)p->space->arms * sizeof *larger);
    if (larger == NULL) return POSSE_ERROR_MEMORY;
    if (m->shadow.arms > 0) memcpy(larger, m->shadow.suggested, (size_t)m->shadow.arms * sizeof *larger);
    memory_release(allocator, m->shadow.suggested);
    m->shadow.suggested = larger;
    m->shadow.arms = p->space->arms;
    return POSSE_OK;
}

/*
 * A unit does not keep the arm of a pause, nor an arm that an external learner has not reported. Once one was forgotten
 * for lack of room, which are new is unknown.
 */
bool modes_remember(posse *p, const posse_visit *visit, const posse_decision *d) {
    modes *m = p->modes;
    if (!modes_has_unit(visit)) return false;
    if (m->set.units == 0 || d->mode == POSSE_KEPT) return true;
    if (modes_keeps_arms(m) && (d->mode == POSSE_PAUSED || d->arm < 0 || m->set.shadow)) return true;
    bool again = m->units.count >= m->set.units || units_find(&m->units, modes_key(p, visit)) != NULL;
    units_put(&m->units, m->set.units, modes_key(p, visit), p->decisions, visit->now, d->arm > 0 ? d->arm : 0);
    return again;
}

size_t posse_unit_count(const posse *p) {
    return p != NULL && p->modes != NULL ? p->modes->units.count : 0;
}

bool posse_unit_forget(posse *p, const void *unit_, size_t length) {
    if (p == NULL || p->modes == NULL || unit_ == NULL) return false;
    size_t before = p->modes->units.count;
    units_remove(&p->modes->units, units_key(p->seed, unit_, length));
    return p->modes->units.count < before;
}

/* ------------------------------------------------------ a round --------------------------------------------------- */

/* The unit's own number in [0, 1), which is the same in every round; without a unit, one for each decision. */
static double modes_uniform(const posse *p, const posse_visit *visit) {
    if (modes_has_unit(visit)) return (double)(modes_key(p, visit).second >> 11) * 0x1p-53;
    posse_draw *draw = p->modes->draw;
    draw_start(draw, p->seed, p->run, stream_named(STREAM_HOLDBACK, NULL), p->decisions);
    return posse_draw_uniform(draw);
}

static double modes_share(const posse *p, const posse_round *round) {
    const posse_modes *set = &p->modes->set;
    return set->holdback > 0.0 && modes_is_there(p, round, set->control) ? set->holdback : 0.0;
}

void modes_begin_round(posse *p, const posse_round *round, const posse_visit *visit) {
    modes *m = p->modes;
    m->share = modes_share(p, round);
    m->holds = m->share > 0.0 && modes_uniform(p, visit) < m->share;
}

void modes_end_round(posse *p) {
    p->modes->share = 0.0;
    p->modes->holds = false;
}

static int modes_paused_arm(const posse *p, const posse_round *round) {
    int control = p->modes->set.control;
    return modes_is_there(p, round, control) ? control : round->arms[0]; /* without a round, it always is there */
}

bool modes_fix(posse *p, const posse_round *round, const posse_visit *visit, posse_decision *d) {
    const modes *m = p->modes;
    int arm = m->set.paused ? modes_paused_arm(p, round) : modes_kept_arm(p, round, visit);
    if (arm < 0) return false;
    bool held = !m->set.paused && modes_share(p, round) > 0.0 && modes_uniform(p, visit) < m->set.holdback;
    if (held) return false; /* a unit of the holdback has the control, whatever it had before */
    *d = (posse_decision){.learner = p->current,
                          .arm = arm,
                          .probability = 1.0,
                          .point = object_point_of(p, round, arm),
                          .propensity = p->keeps_propensity ? 1.0 : 0.0,
                          .mode = m->set.paused ? POSSE_PAUSED : POSSE_KEPT};
    return true;
}

bool modes_holds_back(const posse *p) {
    return p->modes->share > 0.0;
}

int modes_hold_back(const posse *p, const posse_round *round, int picked, int arm, posse_decision *d) {
    const modes *m = p->modes;
    int control = m->set.control, count = round != NULL ? round->count : p->space->active_count;
    if (!m->holds) {
        if (d->propensity > 0.0) d->propensity = (1.0 - m->share) * d->propensity + (arm == control ? m->share : 0.0);
        return arm;
    }
    double of_learners = p->floor / count + (picked == control ? 1.0 - p->floor : 0.0);
    d->propensity = p->floor > 0.0 && picked != ARM_UNTOLD ? m->share + (1.0 - m->share) * of_learners : 0.0;
    d->floor = false;
    d->mode = POSSE_HELD_BACK;
    return control;
}

double modes_propensity(const posse *p, const posse_round *round, const posse_decision *d, double of_learners) {
    if (d->mode == POSSE_KEPT || d->mode == POSSE_PAUSED) return 1.0;
    double share = modes_share(p, round);
    return (1.0 - share) * of_learners + (d->arm == p->modes->set.control ? share : 0.0);
}

void modes_correct(const posse *p, const posse_round *round, const posse_propensity *out) {
    bool paused = p->modes->set.paused;
    double share = paused ? 1.0 : modes_share(p, round);
    int fixed = paused ? modes_paused_arm(p, round) : p->modes->set.control;
    for (int a = 0; a < p->space->arms; a++) {
        if (out->arms != NULL) out->arms[a] = (1.0 - share) * out->arms[a] + (a == fixed ? share : 0.0);
        if (out->arm_errors != NULL) out->arm_errors[a] *= 1.0 - share;
    }
}

/* ---------------------------------------------------- comparisons ------------------------------------------------- */

static void modes_count_shadow(posse *p, const pending_entry *entry, double reward) {
    shadow_counts *s = &p->modes->shadow;
    int suggested = (int)entry->suggested - 1;
    bool agreed = suggested == entry->arm;
    s->agreed += agreed;
    tallies_add(p, &s->rule, reward);
    if (report_is_bounded(p->rewards)) {
        tallies_add(p, &s->least, agreed ? reward : p->rewards.low);
        tallies_add(p, &s->most, agreed ? reward : p->rewards.high);
    }
    if (suggested < s->arms) s->suggested[suggested] += 1.0;
}

void modes_count(posse *p, const pending_entry *entry, double reward) {
    modes *m = p->modes;
    if (m->set.holdback > 0.0 && !entry->again)
        tallies_add(p, entry->drawn == HELD_BACK ? &m->held : &m->others, reward);
    if (m->set.shadow && entry->suggested > 0) modes_count_shadow(p, entry, reward);
}

/* ------------------------------------------------ writing and reading --------------------------------------------- */

static void modes_write_shadow(writer *w, const shadow_counts *s) {
    write_real(w, s->agreed);
    write_words(w, &s->rule, sizeof s->rule);
    write_words(w, &s->least, sizeof s->least);
    write_words(w, &s->most, sizeof s->most);
    write_word(w, (uint64_t)s->arms);
    if (s->arms > 0) write_words(w, s->suggested, (size_t)s->arms * sizeof *s->suggested);
}

void modes_write(writer *w, const posse *p) {
    const modes *m = p->modes;
    write_word(w, (uint64_t)(m->set.control + 1));
    write_real(w, m->set.holdback);
    write_word(w, (m->set.paused ? FLAG_PAUSED : 0) | (m->set.shadow ? FLAG_SHADOW : 0));
    write_word(w, m->set.units);
    write_word(w, m->set.sticky_rounds);
    write_word(w, m->set.sticky_seconds);
    write_words(w, &m->held, sizeof m->held);
    write_words(w, &m->others, sizeof m->others);
    modes_write_shadow(w, &m->shadow);
    units_write(w, &m->units);
}

static void modes_read_tally(reader *r, const posse *p, reward_tally *out) {
    read_words(r, out, sizeof *out);
    if (!tallies_is_sane(p, out)) r->bad = true;
}

static posse_error modes_read_shadow(reader *r, posse *p, shadow_counts *s) {
    s->agreed = read_real(r);
    modes_read_tally(r, p, &s->rule);
    modes_read_tally(r, p, &s->least);
    modes_read_tally(r, p, &s->most);
    int arms = (int)read_word_upto(r, (uint64_t)p->space->arms);
    if (r->bad || !(s->agreed >= 0.0 && s->agreed <= s->rule.count)) return POSSE_ERROR_DAMAGED;
    if (arms == 0) return POSSE_OK;
    if ((size_t)arms > r->left / sizeof *s->suggested) return POSSE_ERROR_DAMAGED;
    s->suggested = memory_allocate(&p->host.allocator, (size_t)arms * sizeof *s->suggested);
    if (s->suggested == NULL) return POSSE_ERROR_MEMORY;
    s->arms = arms;
    read_words(r, s->suggested, (size_t)arms * sizeof *s->suggested);
    for (int a = 0; a < arms; a++)
        if (!(s->suggested[a] >= 0.0 && s->suggested[a] <= s->rule.count)) return POSSE_ERROR_DAMAGED;
    return POSSE_OK;
}

static posse_error modes_read_all(reader *r, posse *p) {
    posse_modes set = {.control = (int)read_word_upto(r, (uint64_t)p->space->arms) - 1, .holdback = read_real(r)};
    uint64_t flags = read_word_upto(r, FLAG_PAUSED | FLAG_SHADOW);
    set.paused = (flags & FLAG_PAUSED) != 0;
    set.shadow = (flags & FLAG_SHADOW) != 0;
    set.units = (uint32_t)read_word_upto(r, UNITS_MAX);
    set.sticky_rounds = read_word(r);
    set.sticky_seconds = read_word(r);
    if (r->bad || modes_check(p, &set) != POSSE_OK) return POSSE_ERROR_DAMAGED;
    posse_error error = modes_open(p);
    if (error != POSSE_OK) return error;
    modes *m = p->modes;
    m->set = set;
    modes_read_tally(r, p, &m->held);
    modes_read_tally(r, p, &m->others);
    error = modes_read_shadow(r, p, &m->shadow);
    if (error != POSSE_OK) return error;
    return units_read(r, &m->units, set.units, p->space->arms, p->decisions, &p->host.allocator);
}

posse_error modes_read(reader *r, posse *p) {
    posse_error error = modes_read_all(r, p);
    if (error == POSSE_OK && r->bad) error = POSSE_ERROR_DAMAGED;
    if (error == POSSE_ERROR_DAMAGED) complain(&p->host.log, NULL, NULL, "its modes cannot be right");
    return error;
}

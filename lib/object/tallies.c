/* SPDX-License-Identifier: MIT */
/*
 * Tallies: the rewards of decisions, summed for each arm and each learner. They are all that the report's intervals
 * need (report.c), and no decision depends on them. A posse that only simulates makes no decisions with ids, and
 * tallies nothing.
 */
#include <math.h>
#include <string.h>

#include "object/object.h"

posse_error tallies_open(posse *p) {
    p->tallies = arena_allocate(&p->memory, sizeof *p->tallies);
    return p->tallies != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

void tallies_release(posse *p) {
    if (p->tallies != NULL) memory_release(&p->host.allocator, p->tallies->list);
}

void tallies_clear(posse *p) {
    tallies *t = p->tallies;
    if (t != NULL && t->list != NULL) memset(t->list, 0, (size_t)(t->arms + t->learners) * sizeof *t->list);
}

posse_error tallies_reserve(posse *p) {
    tallies *t = p->tallies;
    int arms = p->space->arms, learners = p->count;
    if (t->arms == arms && t->learners == learners && t->list != NULL) return POSSE_OK;
    reward_tally *list = memory_allocate(&p->host.allocator, (size_t)(arms + learners) * sizeof *list);
    if (list == NULL) return POSSE_ERROR_MEMORY;
    if (t->arms > 0) memcpy(list, t->list, (size_t)t->arms * sizeof *list);
    if (t->learners > 0) memcpy(list + arms, t->list + t->arms, (size_t)t->learners * sizeof *list);
    memory_release(&p->host.allocator, t->list);
    if (t->list == NULL) t->low = p->rewards.low, t->high = p->rewards.high;
    t->list = list;
    t->arms = arms;
    t->learners = learners;
    return POSSE_OK;
}

/*
 * The prediction is the mean of the earlier rewards and of the middle of the range, so it is in the range. Where
 * rewards have no range, only `squares` is used (Welford's recurrence).
 */
static void tallies_add_reward(reward_tally *t, double middle, double reward) {
    double before = t->count > 0.0 ? t->sum / t->count : reward;
    double surprise = reward - (t->sum + middle) / (t->count + 1.0);
    t->count += 1.0;
    t->sum += reward;
    t->surprises += surprise * surprise;
    t->squares += (reward - before) * (reward - t->sum / t->count);
}

void tallies_add(const posse *p, reward_tally *t, double reward) {
    const tallies *all = p->tallies;
    if (all != NULL) tallies_add_reward(t, 0.5 * all->low + 0.5 * all->high, reward);
}

/* Rewards come from decisions, for which tallies_reserve has made room. */
void tallies_take(posse *p, int learner, int arm, double reward) {
    tallies *t = p->tallies;
    if (t->list == NULL) return;
    t->low = fmin(t->low, p->rewards.low);
    t->high = fmax(t->high, p->rewards.high);
    double middle = 0.5 * t->low + 0.5 * t->high;
    if (arm >= 0 && arm < t->arms) tallies_add_reward(&t->list[arm], middle, reward);
    if (learner >= 0 && learner < t->learners) tallies_add_reward(&t->list[t->arms + learner], middle, reward);
}

reward_tally tallies_of_arm(const posse *p, int arm) {
    const tallies *t = p->tallies;
    return t != NULL && arm < t->arms ? t->list[arm] : (reward_tally){0};
}

reward_tally tallies_of_learner(const posse *p, int learner) {
    const tallies *t = p->tallies;
    return t != NULL && learner < t->learners ? t->list[t->arms + learner] : (reward_tally){0};
}

/* ------------------------------------------------ writing and reading --------------------------------------------- */

void tallies_write(writer *w, const posse *p) {
    const tallies *t = p->tallies;
    write_word(w, (uint64_t)t->arms);
    write_word(w, (uint64_t)t->learners);
    write_real(w, t->low);
    write_real(w, t->high);
    if (t->list != NULL) write_words(w, t->list, (size_t)(t->arms + t->learners) * sizeof *t->list);
}

static bool tally_is_sane(const reward_tally *t, double low, double high) {
    bool finite = t->count >= 0.0 && t->count <= 1e18 && isfinite(t->sum) && t->surprises >= 0.0 && t->squares >= 0.0 &&
                  isfinite(t->surprises) && isfinite(t->squares);
    return finite && t->count == floor(t->count) && t->sum >= t->count * low - 1e-6 * fabs(t->count * low) &&
           t->sum <= t->count * high + 1e-6 * fabs(t->count * high);
}

bool tallies_is_sane(const posse *p, const reward_tally *t) {
    posse_rewards range = p->tallies != NULL ? (posse_rewards){p->tallies->low, p->tallies->high} : p->rewards;
    return tally_is_sane(t, range.low, range.high);
}

posse_error tallies_read(reader *r, posse *p) {
    tallies *t = p->tallies;
    int arms = (int)read_word_upto(r, (uint64_t)p->space->arms), learners = (int)read_word_upto(r, (uint64_t)p->count);
    size_t count = (size_t)arms + (size_t)learners;
    t->low = read_real(r);
    t->high = read_real(r);
    bool sane = !r->bad && t->low <= t->high && isfinite(t->low) && isfinite(t->high);
    if (!sane || count > r->left / sizeof *t->list) return POSSE_ERROR_DAMAGED;
    if (count == 0) return POSSE_OK;
    t->list = memory_allocate(&p->host.allocator, count * sizeof *t->list);
    if (t->list == NULL) return POSSE_ERROR_MEMORY;
    t->arms = arms;
    t->learners = learners;
    read_words(r, t->list, count * sizeof *t->list);
    for (size_t i = 0; i < count && sane; i++) sane = tally_is_sane(&t->list[i], t->low, t->high);
    if (sane && !r->bad) return POSSE_OK;
    complain(&p->host.log, NULL, NULL, "its tallies cannot be right");
    return POSSE_ERROR_DAMAGED;
}

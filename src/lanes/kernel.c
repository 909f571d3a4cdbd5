/*
 * The loops of runs side by side for one instruction set. Compiled once for each, as numeric/kernel.c is; defines
 * lane_kernels_scalar, lane_kernels_baseline, … .
 *
 * A row of ABREAST runs is played in parts of LANES. Within a round the parts wait for nothing of each other, which
 * keeps the processor busy: by itself each is a long chain of operations.
 */
#include "numeric/kernel_set.h"

#include "lanes/kernels.h"

#include "numeric/normal_wide.h"
#include "random/philox_wide.h"
#include "random/stream.h"

/* ------------------------------------------------- normals ------------------------------------------------------ */

/* Two parts at a time: a round of Philox waits for the one before, and the other part fills the wait. */
WIDE void begin_pair(const schedule *s, uint32_t run, uint64_t stream, uint64_t block, double *out, uint32_t place,
                     tails *t) {
    counter c = counter_of(wide_word_steps(run), stream, wide_word_all(block));
    counter d = counter_of(wide_word_steps(run + LANES), stream, wide_word_all(block));
    for (int round = 0; round < PHILOX_ROUNDS; round++) {
        philox_round(&c, s->key[round]);
        philox_round(&d, s->key[round]);
    }
    normals_begin(even_draw(&c), out, place, t);
    normals_begin(even_draw(&d), out, place + LANES, t);
    normals_begin(odd_draw(&c), out, place + ABREAST, t);
    normals_begin(odd_draw(&d), out, place + ABREAST + LANES, t);
}

static void normals(uint64_t seed, uint32_t run, uint64_t stream, uint64_t block, double *out, size_t blocks) {
    const size_t most = NORMALS_BATCH / (2 * ABREAST); /* blocks to a batch */
    schedule s = schedule_of(seed);
    for (size_t done = 0; done < blocks; done += most) {
        tails t;
        t.count = 0;
        double *batch = out + done * 2 * ABREAST;
        for (size_t i = 0; i < most && done + i < blocks; i++)
            for (uint32_t at = 0; at < ABREAST; at += 2 * LANES)
                begin_pair(&s, run + at, stream, block + done + i, batch, (uint32_t)(i * 2 * ABREAST) + at, &t);
        normals_finish(&t, batch);
    }
}

/* ------------------------------------------------- learning ----------------------------------------------------- */

WIDE wide row(const double *rows, size_t index, size_t at) {
    return wide_load(rows + index * ABREAST + at);
}

/* What is known of one arm. */
typedef struct facts {
    wide mean, spread, sum, count;
} facts;

/* As learner/ucb.c has it. */
WIDE void learn_ucb(facts *f, wide reward) {
    f->count = f->count + 1.0;
    f->sum = f->sum + reward;
    f->mean = f->sum / f->count;
    f->spread = 1.0 / wide_sqrt(f->count);
}

/* As belief/gaussian.c has it. */
WIDE void learn_bayes(facts *f, wide reward, wide weight, wide precision) {
    f->count = f->count + 1.0;
    f->sum = f->sum + weight * reward;
    wide variance = 1.0 / (precision + f->count * weight);
    f->mean = f->sum * variance;
    f->spread = wide_sqrt(variance);
}

/* The rows of one arm take in what is now known of it, in the runs in which it was played. */
WIDE void keep_facts(const lane_arms *known, size_t index, size_t at, wide_mask played, const facts *f) {
    size_t place = index * ABREAST + at;
    wide_store(known->mean + place, wide_select(played, f->mean, wide_load(known->mean + place)));
    wide_store(known->spread + place, wide_select(played, f->spread, wide_load(known->spread + place)));
    wide_store(known->sum + place, wide_select(played, f->sum, wide_load(known->sum + place)));
    wide_store(known->count + place, wide_select(played, f->count, wide_load(known->count + place)));
}

/* A mind learns a reward of the arm that was played in each run; `first` is the index of its arm 0. */
WIDE void learn(const lane_rule *r, const lane_arms *known, size_t first, size_t arms, size_t at, wide arm,
                wide reward) {
    facts f = {.sum = row(known->sum, first, at), .count = row(known->count, first, at)};
    wide precision = wide_all(r->bayes ? r->precision[0] : 0.0);
    for (size_t a = 1; a < arms; a++) {
        wide_mask played = wide_equal(arm, wide_all((double)a));
        f.sum = wide_select(played, row(known->sum, first + a, at), f.sum);
        f.count = wide_select(played, row(known->count, first + a, at), f.count);
        if (r->bayes) precision = wide_select(played, wide_all(r->precision[a]), precision);
    }
    if (r->bayes)
        learn_bayes(&f, reward, wide_all(r->weight), precision);
    else
        learn_ucb(&f, reward);
    for (size_t a = 0; a < arms; a++) keep_facts(known, first + a, at, wide_equal(arm, wide_all((double)a)), &f);
}

/* -------------------------------------------------- playing ----------------------------------------------------- */

/* What an arm brings: its reward, and its regret. */
typedef struct return_ {
    wide reward, regret;
} return_;

WIDE return_ play_arm(const lane_scene *scene, size_t arms, size_t at, wide arm, size_t round) {
    return_ r = {row(scene->means, 0, at), row(scene->gaps, 0, at)};
    for (size_t a = 1; a < arms; a++) {
        wide_mask played = wide_equal(arm, wide_all((double)a));
        r.reward = wide_select(played, row(scene->means, a, at), r.reward);
        r.regret = wide_select(played, row(scene->gaps, a, at), r.regret);
    }
    r.reward = r.reward + row(scene->noise, round, at) * scene->sd;
    return r;
}

WIDE void note(const posse_trace *trace, size_t round, size_t at, wide arm, const return_ *r) {
    size_t place = round * ABREAST + at;
    if (trace->regrets != NULL) wide_store(trace->regrets + place, r->regret);
    if (trace->arms != NULL) wide_store_whole((uint32_t *)trace->arms + place, arm);
}

/* The arm of the largest index, the first of equals. */
typedef struct leader {
    wide index, arm;
} leader;

WIDE void consider(leader *best, wide index, size_t arm) {
    wide_mask better = wide_above(index, best->index);
    best->arm = wide_select(better, wide_all((double)arm), best->arm);
    best->index = wide_select(better, index, best->index);
}

WIDE void solo_round(const lane_solo *s, const lane_scene *scene, size_t arms, bool bayes, size_t round,
                     const double *factors, size_t at, const posse_trace *trace) {
    lane_rule rule = s->rule;
    rule.bayes = bayes;
    leader best = {wide_all(-__builtin_inf()), wide_all(0.0)};
    for (size_t a = 0; a < arms; a++) {
        wide factor = bayes ? row(factors, round * arms + a, at) : wide_all(factors[round]);
        consider(&best, row(s->known.mean, a, at) + row(s->known.spread, a, at) * factor, a);
    }
    return_ r = play_arm(scene, arms, at, best.arm, round);
    learn(&rule, &s->known, 0, arms, at, best.arm, r.reward);
    note(trace, round, at, best.arm, &r);
}

WIDE void solo_rounds(const lane_solo *s, const lane_scene *scene, size_t arms, bool bayes, size_t rounds,
                      const double *factors, const posse_trace *trace) {
    for (size_t round = 0; round < rounds; round++)
        for (size_t at = 0; at < ABREAST; at += LANES) solo_round(s, scene, arms, bayes, round, factors, at, trace);
}

static void play_solo(const lane_solo *s, const lane_scene *scene, size_t rounds, const double *factors,
                      const posse_trace *trace) {
    if (s->rule.bayes)
        solo_rounds(s, scene, scene->arms, true, rounds, factors, trace);
    else
        solo_rounds(s, scene, scene->arms, false, rounds, factors, trace);
}

/* --------------------------------------------------- B-MS ------------------------------------------------------- */

/* A round of the runs of one part. */
typedef struct turn {
    const lane_team *team;
    const lane_scene *scene;
    size_t arms, learners, at;
    bool some_bayes, some_ucb;
    wide learner, arm;
    uint32_t chosen[LANES], played[LANES];
} turn;

/* One of the learners charged least, at random, in the runs where they are several. */
static __attribute__((noinline)) void break_ties(const lane_team *team, size_t at, unsigned tied, const double *charges,
                                                 double *ties, double *learner) {
    for (; tied != 0; tied &= tied - 1) {
        size_t lane = (size_t)__builtin_ctz(tied), i = (size_t)learner[lane];
        double least = charges[i * LANES + lane];
        uint64_t rank = posse_draw_index(&team->ties[at + lane], (uint64_t)ties[lane]);
        for (; i < team->learners; i++)
            if (charges[i * LANES + lane] == least && rank-- == 0) learner[lane] = (double)i;
    }
}

/* As selector/bms.c and charge_gaps of numeric/kernel.c have it. */
WIDE wide choose(const turn *now, const double *normals) {
    const lane_team *team = now->team;
    wide gap[LANE_ARMS_MOST], charge[LANE_LEARNERS_MOST], best = wide_all(-__builtin_inf());
    for (size_t a = 0; a < now->arms; a++) {
        gap[a] = row(team->belief.mean, a, now->at) + row(team->belief.spread, a, now->at) * row(normals, a, now->at);
        best = wide_larger(gap[a], best);
    }
    for (size_t a = 0; a < now->arms; a++) gap[a] = best - gap[a];
    wide least = wide_all(__builtin_inf());
    for (size_t i = 0; i < now->learners; i++) {
        wide sum = wide_all(0.0);
        for (size_t a = 0; a < now->arms; a++) sum = sum + row(team->record, a * now->learners + i, now->at) * gap[a];
        charge[i] = sum;
        least = wide_select(wide_above(least, sum), sum, least);
    }
    wide first = wide_all(0.0), ties = wide_all(0.0);
    for (size_t i = now->learners; i-- > 0;) {
        wide_mask equal = wide_equal(charge[i], least);
        first = wide_select(equal, wide_all((double)i), first);
        ties = wide_select(equal, ties + 1.0, ties);
    }
    unsigned tied = wide_mask_bits(wide_above(ties, wide_all(1.0)));
    if (tied == 0) return first;
    double counts[LANES], learner[LANES];
    wide_store(counts, ties);
    wide_store(learner, first);
    break_ties(team, now->at, tied, (const double *)charge, counts, learner);
    return wide_load(learner);
}

/* The chosen learners' next normal of an arm. */
WIDE void find_normals(const turn *now, uint32_t *places) {
    const lane_team *team = now->team;
    for (size_t lane = 0; lane < LANES; lane++) {
        size_t slot = now->chosen[lane] * ABREAST + now->at + lane;
        places[lane] = 0;
        if (!team->rules[now->chosen[lane]].bayes) continue;
        if (team->next[slot] == team->ahead) lane_refill(team, now->chosen[lane], now->at + lane);
        places[lane] = (uint32_t)slot * team->ahead + team->next[slot];
        team->next[slot] += (uint32_t)now->arms;
    }
}

/* The arm of the learner chosen. */
WIDE wide act(const turn *now) {
    const lane_team *team = now->team;
    uint32_t places[LANES];
    wide mean[LANE_ARMS_MOST], spread[LANE_ARMS_MOST], radius = row(team->radius, 0, now->at),
                                                       bayes = wide_all(team->bayes[0]);
    for (size_t a = 0; a < now->arms; a++) {
        mean[a] = row(team->known.mean, a, now->at);
        spread[a] = row(team->known.spread, a, now->at);
    }
    for (size_t i = 1; i < now->learners; i++) {
        wide_mask mine = wide_equal(now->learner, wide_all((double)i));
        if (now->some_ucb) radius = wide_select(mine, row(team->radius, i, now->at), radius);
        if (now->some_ucb && now->some_bayes) bayes = wide_select(mine, wide_all(team->bayes[i]), bayes);
        for (size_t a = 0; a < now->arms; a++) {
            mean[a] = wide_select(mine, row(team->known.mean, i * now->arms + a, now->at), mean[a]);
            spread[a] = wide_select(mine, row(team->known.spread, i * now->arms + a, now->at), spread[a]);
        }
    }
    if (now->some_bayes) find_normals(now, places);
    leader best = {wide_all(-__builtin_inf()), wide_all(0.0)};
    for (size_t a = 0; a < now->arms; a++) {
        wide factor = radius;
        if (now->some_bayes) factor = wide_gather(team->normals + a, places);
        if (now->some_bayes && now->some_ucb) factor = wide_select(wide_above(bayes, wide_all(0.0)), factor, radius);
        consider(&best, mean[a] + spread[a] * factor, a);
    }
    return best.arm;
}

WIDE void learn_radius(const lane_team *team, size_t learner, size_t lane) {
    size_t slot = learner * ABREAST + lane;
    const lane_rule *rule = &team->rules[learner];
    uint64_t learned = ++team->learned[slot];
    team->radius[slot] = learned < rule->tabulated ? rule->radius[learned] : lane_radius(rule, learned);
}

/* Only the learner chosen learns. Its facts are fetched and put back lane by lane. */
WIDE void teach_chosen(const turn *now, wide reward) {
    const lane_team *team = now->team;
    uint32_t cell[LANES], place[LANES];
    wide_store_whole(cell, now->learner * (double)now->arms + now->arm);
    for (size_t lane = 0; lane < LANES; lane++) place[lane] = (uint32_t)(cell[lane] * ABREAST + now->at + lane);
    facts f = {.sum = wide_gather(team->known.sum, place), .count = wide_gather(team->known.count, place)};
    facts g = f;
    if (now->some_ucb) learn_ucb(&f, reward);
    if (now->some_bayes) {
        learn_bayes(&g, reward, wide_gather(team->weight, now->chosen), wide_gather(team->precision, cell));
        wide_mask bayes = wide_above(wide_gather(team->bayes, now->chosen), wide_all(0.0));
        if (now->some_ucb) {
            f.sum = wide_select(bayes, g.sum, f.sum);
            f.mean = wide_select(bayes, g.mean, f.mean);
            f.spread = wide_select(bayes, g.spread, f.spread);
        } else {
            f = g;
        }
    }
    double mean[LANES], spread[LANES], sum[LANES], count[LANES];
    wide_store(mean, f.mean);
    wide_store(spread, f.spread);
    wide_store(sum, f.sum);
    wide_store(count, f.count);
    for (size_t lane = 0; lane < LANES; lane++) {
        team->known.mean[place[lane]] = mean[lane];
        team->known.spread[place[lane]] = spread[lane];
        team->known.sum[place[lane]] = sum[lane];
        team->known.count[place[lane]] = count[lane];
        if (now->some_ucb) learn_radius(team, now->chosen[lane], now->at + lane);
    }
}

WIDE void teach_all(const turn *now, wide reward) {
    const lane_team *team = now->team;
    for (size_t i = 0; i < now->learners; i++) {
        learn(&team->rules[i], &team->known, i * now->arms, now->arms, now->at, now->arm, reward);
        for (size_t lane = 0; lane < LANES && !team->rules[i].bayes; lane++) learn_radius(team, i, now->at + lane);
    }
}

WIDE void team_round(turn *now, size_t round, const double *normals, size_t founder, const posse_trace *trace) {
    const lane_team *team = now->team;
    now->learner =
        normals != NULL ? choose(now, normals + round * now->arms * ABREAST) : wide_all((double)(founder + round));
    wide_store_whole(now->chosen, now->learner);
    now->arm = act(now);
    wide_store_whole(now->played, now->arm);
    for (size_t lane = 0; lane < LANES; lane++)
        team->record[(now->played[lane] * now->learners + now->chosen[lane]) * ABREAST + now->at + lane] += 1.0;
    return_ r = play_arm(now->scene, now->arms, now->at, now->arm, round);
    if (team->share)
        teach_all(now, r.reward);
    else
        teach_chosen(now, r.reward);
    learn(&team->belief_rule, &team->belief, 0, now->arms, now->at, now->arm, r.reward);
    note(trace, round, now->at, now->arm, &r);
    if (trace->learners != NULL) memcpy(trace->learners + round * ABREAST + now->at, now->chosen, sizeof now->chosen);
}

WIDE void team_rounds(const lane_team *t, const lane_scene *scene, size_t arms, bool some_bayes, bool some_ucb,
                      size_t rounds, const double *normals, size_t founder, const posse_trace *trace) {
    turn now = {.team = t,
                .scene = scene,
                .arms = arms,
                .learners = t->learners,
                .some_bayes = some_bayes,
                .some_ucb = some_ucb};
    for (size_t round = 0; round < rounds; round++)
        for (now.at = 0; now.at < ABREAST; now.at += LANES) team_round(&now, round, normals, founder, trace);
}

static void play_team(const lane_team *t, const lane_scene *scene, size_t rounds, const double *normals, size_t founder,
                      const posse_trace *trace) {
    if (!t->some_bayes)
        team_rounds(t, scene, scene->arms, false, true, rounds, normals, founder, trace);
    else if (!t->some_ucb)
        team_rounds(t, scene, scene->arms, true, false, rounds, normals, founder, trace);
    else
        team_rounds(t, scene, scene->arms, true, true, rounds, normals, founder, trace);
}

extern const lane_kernels PASTE(lane_kernels_, KERNEL_SET);
const lane_kernels PASTE(lane_kernels_, KERNEL_SET) = {normals, play_solo, play_team};

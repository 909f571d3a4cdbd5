/* SPDX-License-Identifier: MIT */
/*
 * The loops of runs abreast for one instruction set. Compiled once for each, as kernel/single.c is; defines
 * abreast_kernels_scalar, abreast_kernels_baseline, … .
 *
 * A row of ABREAST runs is played in parts of LANES. Each part is a long chain of operations, but within a round the
 * parts do not depend on each other, which keeps the processor busy.
 */
#include "numeric/kernel_set.h"

#include "abreast/loops.h"

#include "numeric/normal_wide.h"
#include "random/philox_wide.h"
#include "random/stream.h"

/*
 * Calls a function whose first argument is the number of arms. Where arms are few, the number is a constant, so that
 * loops over arms are unrolled and their values stay in registers. With checks at run time such copies take a minute to
 * compile and find nothing that the general one does not.
 */
#ifdef POSSE_CHECKS
#define WITH_ARMS(arms, function, ...) function(arms, __VA_ARGS__);
#else
#define WITH_ARMS(arms, function, ...)                                                                                 \
    switch (arms) {                                                                                                    \
    case 2:                                                                                                            \
        function(2, __VA_ARGS__);                                                                                      \
        break;                                                                                                         \
    case 3:                                                                                                            \
        function(3, __VA_ARGS__);                                                                                      \
        break;                                                                                                         \
    case 4:                                                                                                            \
        function(4, __VA_ARGS__);                                                                                      \
        break;                                                                                                         \
    case 5:                                                                                                            \
        function(5, __VA_ARGS__);                                                                                      \
        break;                                                                                                         \
    default:                                                                                                           \
        function(arms, __VA_ARGS__);                                                                                   \
    }
#endif

/* ------------------------------------------------- normals ------------------------------------------------------ */

/* Makes two parts at a time: a round of Philox waits for the one before, and the other part fills the wait. */
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

static void runs_normals(uint64_t seed, uint32_t run, uint64_t stream, uint64_t block, double *out, size_t blocks) {
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

WIDE wide runs_row(const double *rows, size_t index, size_t at) {
    return wide_load(rows + index * ABREAST + at);
}

/* The statistics of one arm. */
typedef struct facts {
    wide mean, spread, sum, count;
} facts;

/* As learner/ucb.c does. */
WIDE void learn_ucb(facts *f, wide reward) {
    f->count = f->count + 1.0;
    f->sum = f->sum + reward;
    f->mean = f->sum / f->count;
    f->spread = 1.0 / wide_sqrt(f->count);
}

/* As belief/gaussian.c does. */
WIDE void learn_bayes(facts *f, wide reward, wide weight, wide precision) {
    f->count = f->count + 1.0;
    f->sum = f->sum + weight * reward;
    wide variance = 1.0 / (precision + f->count * weight);
    f->mean = f->sum * variance;
    f->spread = wide_sqrt(variance);
}

WIDE facts facts_select(wide_mask which, const facts *yes, const facts *no) {
    return (facts){wide_select(which, yes->mean, no->mean), wide_select(which, yes->spread, no->spread),
                   wide_select(which, yes->sum, no->sum), wide_select(which, yes->count, no->count)};
}

/* Writes new numbers to a row, in the runs that are set. */
WIDE void runs_put(double *rows, size_t index, size_t at, wide_mask set, wide numbers) {
    double *place = rows + index * ABREAST + at;
    wide_store(place, wide_select(set, numbers, wide_load(place)));
}

WIDE wide_mask no_run(void) {
    return wide_above(wide_all(0.0), wide_all(0.0));
}

/* In which runs each arm is played. */
typedef struct choice {
    wide_mask of[ABREAST_ARMS_MOST];
} choice;

/* The arm of the largest index, the first among equals. */
WIDE void find_largest(const wide *index, size_t arms, choice *c) {
    wide top = wide_all(-__builtin_inf());
    wide_mask found = no_run();
    for (size_t a = 0; a < arms; a++) top = wide_larger(index[a], top);
    for (size_t a = 0; a < arms; a++) {
        wide_mask equal = wide_equal(index[a], top);
        c->of[a] = wide_mask_without(equal, found);
        found = wide_mask_or(found, equal);
    }
}

WIDE wide runs_arm_of(const choice *c, size_t arms) {
    wide arm = wide_all(0.0);
    for (size_t a = 1; a < arms; a++) arm = wide_select(c->of[a], wide_all((double)a), arm);
    return arm;
}

/* From rows, one for each arm, takes the numbers of the arm played in each run. */
WIDE wide row_of(const choice *c, size_t arms, const double *rows, size_t first, size_t at) {
    wide found = runs_row(rows, first, at);
    for (size_t a = 1; a < arms; a++) found = wide_select(c->of[a], runs_row(rows, first + a, at), found);
    return found;
}

/*
 * The statistics that a mind has of the arm played, after its reward; `first` is the index of the mind's arm 0. Counts
 * and sums are written back here; the caller writes means and spreads.
 */
WIDE facts runs_learn(const abreast_rule *r, const abreast_arms *known, size_t first, size_t arms, size_t at,
                      const choice *c, wide reward) {
    facts f = {.sum = row_of(c, arms, known->sum, first, at), .count = row_of(c, arms, known->count, first, at)};
    if (r->bayes) {
        wide precision = wide_all(r->precision[0]);
        for (size_t a = 1; a < arms; a++) precision = wide_select(c->of[a], wide_all(r->precision[a]), precision);
        learn_bayes(&f, reward, wide_all(r->weight), precision);
    } else {
        learn_ucb(&f, reward);
    }
    for (size_t a = 0; a < arms; a++) {
        runs_put(known->sum, first + a, at, c->of[a], f.sum);
        runs_put(known->count, first + a, at, c->of[a], f.count);
    }
    return f;
}

/* -------------------------------------------------- playing ----------------------------------------------------- */

/* Plays the arms chosen, and returns their rewards. */
WIDE wide runs_play(const abreast_scene *scene, size_t arms, size_t at, const choice *c, size_t round,
                    const posse_trace *trace) {
    size_t place = round * ABREAST + at;
    if (trace->regrets != NULL) wide_store(trace->regrets + place, row_of(c, arms, scene->gaps, 0, at));
    if (trace->arms != NULL) wide_store_whole((uint32_t *)trace->arms + place, runs_arm_of(c, arms));
    return row_of(c, arms, scene->means, 0, at) + runs_row(scene->noise, round, at) * scene->sd;
}

/*
 * The numbers of a part that choose the arms. They stay in registers: if they were stored and loaded again, every round
 * would wait for them.
 */
typedef struct held {
    wide mean[ABREAST_ARMS_MOST], spread[ABREAST_ARMS_MOST];
} held;

WIDE void solo_round(size_t arms, bool bayes, const abreast_solo *s, const abreast_scene *scene, size_t round,
                     const double *factors, size_t at, held *h, const posse_trace *trace) {
    abreast_rule rule = s->rule;
    rule.bayes = bayes;
    wide index[ABREAST_ARMS_MOST];
    for (size_t a = 0; a < arms; a++) {
        wide factor = bayes ? runs_row(factors, round * arms + a, at) : wide_all(factors[round]);
        index[a] = h->mean[a] + h->spread[a] * factor;
    }
    choice c;
    find_largest(index, arms, &c);
    wide reward = runs_play(scene, arms, at, &c, round, trace);
    facts f = runs_learn(&rule, &s->known, 0, arms, at, &c, reward);
    for (size_t a = 0; a < arms; a++) {
        h->mean[a] = wide_select(c.of[a], f.mean, h->mean[a]);
        h->spread[a] = wide_select(c.of[a], f.spread, h->spread[a]);
    }
}

WIDE void runs_hold(const abreast_arms *known, size_t arms, size_t at, held *h) {
    for (size_t a = 0; a < arms; a++) {
        h->mean[a] = runs_row(known->mean, a, at);
        h->spread[a] = runs_row(known->spread, a, at);
    }
}

WIDE void runs_let_go(const abreast_arms *known, size_t arms, size_t at, const held *h) {
    for (size_t a = 0; a < arms; a++) {
        wide_store(known->mean + a * ABREAST + at, h->mean[a]);
        wide_store(known->spread + a * ABREAST + at, h->spread[a]);
    }
}

/* Plays two parts at a time: each is a chain of operations, and the other one fills the wait. */
WIDE void solo_rounds(size_t arms, const abreast_solo *s, const abreast_scene *scene, bool bayes, size_t rounds,
                      const double *factors, const posse_trace *trace) {
    for (size_t at = 0; at < ABREAST; at += 2 * LANES) {
        held low, high;
        runs_hold(&s->known, arms, at, &low);
        runs_hold(&s->known, arms, at + LANES, &high);
        for (size_t round = 0; round < rounds; round++) {
            solo_round(arms, bayes, s, scene, round, factors, at, &low, trace);
            solo_round(arms, bayes, s, scene, round, factors, at + LANES, &high, trace);
        }
        runs_let_go(&s->known, arms, at, &low);
        runs_let_go(&s->known, arms, at + LANES, &high);
    }
}

static void runs_play_solo(const abreast_solo *s, const abreast_scene *scene, size_t rounds, const double *factors,
                           const posse_trace *trace) {
    if (s->rule.bayes)
        WITH_ARMS(scene->arms, solo_rounds, s, scene, true, rounds, factors, trace)
    else
        WITH_ARMS(scene->arms, solo_rounds, s, scene, false, rounds, factors, trace)
}

/* --------------------------------------------------- B-MS ------------------------------------------------------- */

/*
 * A round is made in steps, and each step is done for all parts before the next: so the operations of the parts are
 * near enough to each other for the processor to work on several at once.
 */
#define PARTS (ABREAST / LANES)

/* The team and the scene. Some numbers are repeated here, so that the compiler can treat them as constants. */
typedef struct game {
    const abreast_team *team;
    const abreast_scene *scene;
    size_t arms, learners;
    bool some_bayes, some_ucb, patient;
} game;

/* A round of the runs of one part. */
typedef struct turn {
    size_t at;
    wide charges[ABREAST_LEARNERS_MOST], least, learner, reward;
    choice arm;
    uint32_t chosen[LANES], played[LANES];
} turn;

/* The charges, computed from the gaps of the arms. `patient` is a constant in every call. */
WIDE void runs_charge_learners(const game *g, const wide *gap, bool patient, turn *now) {
    const abreast_team *team = g->team;
    wide least = wide_all(__builtin_inf());
    for (size_t i = 0; i < g->learners; i++) {
        wide sum = wide_all(0.0);
        for (size_t a = 0; a < g->arms; a++) sum = sum + runs_row(team->record, i * g->arms + a, now->at) * gap[a];
        if (patient) sum = sum * runs_row(team->charged, i, now->at);
        now->charges[i] = sum;
        least = wide_smaller(sum, least);
    }
    now->least = least;
}

/* Charges the learners as charge_gaps of kernel/single.c does. */
WIDE void runs_charge(const game *g, const double *normals, turn *now) {
    const abreast_team *team = g->team;
    wide gap[ABREAST_ARMS_MOST], best = wide_all(-__builtin_inf());
    for (size_t a = 0; a < g->arms; a++) {
        gap[a] = runs_row(team->belief.mean, a, now->at) +
                 runs_row(team->belief.spread, a, now->at) * runs_row(normals, a, now->at);
        best = wide_larger(gap[a], best);
    }
    for (size_t a = 0; a < g->arms; a++) gap[a] = best - gap[a];
    if (g->patient)
        runs_charge_learners(g, gap, true, now);
    else
        runs_charge_learners(g, gap, false, now);
}

/* For each run in which several learners are charged least, draws one of them: posse_draw_index of their number. */
static __attribute__((noinline)) void draw_ranks(posse_draw *draws, unsigned tied, const double *ties, double *ranks) {
    for (; tied != 0; tied &= tied - 1) {
        size_t lane = (size_t)__builtin_ctz(tied);
        ranks[lane] = (double)posse_draw_index(&draws[lane], (uint64_t)ties[lane]);
    }
}

/* One of the learners charged least, at random, as selector/bms.c does. */
WIDE void runs_choose(const game *g, turn *now) {
    wide ties = wide_all(0.0), index = wide_all(0.0);
    for (size_t i = 0; i < g->learners; i++)
        ties = wide_select(wide_equal(now->charges[i], now->least), ties + 1.0, ties);
    double counts[LANES], ranks[LANES] = {0.0};
    wide_store(counts, ties);
    draw_ranks(g->team->ties + now->at, wide_mask_bits(wide_above(ties, wide_all(1.0))), counts, ranks);
    wide rank = wide_load(ranks);
    for (size_t i = 0; i < g->learners; i++) {
        wide_mask equal = wide_equal(now->charges[i], now->least);
        wide_mask taken = wide_mask_and(equal, wide_equal(rank, wide_all(0.0)));
        now->learner = wide_select(taken, index, now->learner);
        rank = wide_select(equal, rank - 1.0, rank);
        index = index + 1.0;
    }
}

/* UCB's radii of the chosen learners. Where data is shared, all have learned one reward for each round. */
WIDE wide find_radii(const game *g, const turn *now, uint64_t round) {
    const abreast_team *team = g->team;
    uint32_t places[LANES];
    uint64_t most = 0;
    for (size_t lane = 0; lane < LANES; lane++) {
        size_t learner = now->chosen[lane];
        uint64_t learned = team->share ? round : team->plays[learner * ABREAST + now->at + lane]++;
        places[lane] = (uint32_t)(learner * team->tabulated + learned);
        most = learned > most ? learned : most;
    }
    if (__builtin_expect(most < team->tabulated, 1)) return wide_gather(team->radii, places);
    double radii[LANES];
    for (size_t lane = 0; lane < LANES; lane++) {
        size_t learner = now->chosen[lane];
        uint64_t learned = team->share ? round : team->plays[learner * ABREAST + now->at + lane] - 1;
        radii[lane] = team->rules[learner].bayes ? 0.0 : abreast_radius(&team->rules[learner], learned);
    }
    return wide_load(radii);
}

/* The places of the next normals of the chosen learners. */
WIDE void find_normals(const game *g, const turn *now, uint32_t *places) {
    const abreast_team *team = g->team;
    for (size_t lane = 0; lane < LANES; lane++) {
        size_t slot = now->chosen[lane] * ABREAST + now->at + lane;
        places[lane] = 0;
        if (g->some_ucb && !team->rules[now->chosen[lane]].bayes) continue;
        if (team->next[slot] == team->ahead) abreast_refill(team, now->chosen[lane], now->at + lane);
        places[lane] = (uint32_t)slot * team->ahead + team->next[slot];
        team->next[slot] += (uint32_t)g->arms;
    }
}

WIDE wide_mask are_bayes(const game *g, const turn *now) {
    return wide_above(wide_gather(g->team->bayes, now->chosen), wide_all(0.0));
}

/* The arm of the chosen learner. */
WIDE void runs_act(const game *g, turn *now, uint64_t round) {
    const abreast_team *team = g->team;
    wide mean[ABREAST_ARMS_MOST], spread[ABREAST_ARMS_MOST], radius = wide_all(0.0);
    wide mind = team->share ? wide_gather(team->mind, now->chosen) : now->learner;
    for (size_t a = 0; a < g->arms; a++) {
        mean[a] = runs_row(team->known.mean, a, now->at);
        spread[a] = runs_row(team->known.spread, a, now->at);
    }
    wide index = wide_all(0.0);
    for (size_t i = 1; i < team->minds; i++) {
        index = index + 1.0;
        wide_mask mine = wide_equal(mind, index);
        for (size_t a = 0; a < g->arms; a++) {
            mean[a] = wide_select(mine, runs_row(team->known.mean, i * g->arms + a, now->at), mean[a]);
            spread[a] = wide_select(mine, runs_row(team->known.spread, i * g->arms + a, now->at), spread[a]);
        }
    }
    uint32_t places[LANES];
    if (g->some_ucb) radius = find_radii(g, now, round);
    if (g->some_bayes) find_normals(g, now, places);
    for (size_t a = 0; a < g->arms; a++) {
        wide factor = g->some_bayes ? wide_gather(team->normals + a, places) : radius;
        if (g->some_bayes && g->some_ucb) factor = wide_select(are_bayes(g, now), factor, radius);
        mean[a] = mean[a] + spread[a] * factor;
    }
    find_largest(mean, g->arms, &now->arm);
    wide_store_whole(now->played, runs_arm_of(&now->arm, g->arms));
}

/* Only the chosen learner learns. Its statistics of the arm are read and written back lane by lane. */
WIDE void teach_chosen(const game *g, const turn *now) {
    const abreast_team *team = g->team;
    uint32_t cell[LANES], place[LANES];
    for (size_t lane = 0; lane < LANES; lane++) {
        cell[lane] = (uint32_t)(now->chosen[lane] * g->arms + now->played[lane]);
        place[lane] = (uint32_t)(cell[lane] * ABREAST + now->at + lane);
    }
    facts f = {.sum = wide_gather(team->known.sum, place), .count = wide_gather(team->known.count, place)}, b = f;
    if (g->some_ucb) learn_ucb(&f, now->reward);
    if (g->some_bayes) {
        learn_bayes(&b, now->reward, wide_gather(team->weight, now->chosen), wide_gather(team->precision, cell));
        f = g->some_ucb ? facts_select(are_bayes(g, now), &b, &f) : b;
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
    }
}

WIDE void teach_mind(const game *g, const turn *now, const abreast_rule *r, const abreast_arms *known, size_t first) {
    facts f = runs_learn(r, known, first, g->arms, now->at, &now->arm, now->reward);
    for (size_t a = 0; a < g->arms; a++) {
        runs_put(known->mean, first + a, now->at, now->arm.of[a], f.mean);
        runs_put(known->spread, first + a, now->at, now->arm.of[a], f.spread);
    }
}

/*
 * Counts the play of the chosen learner, which changes the share of its regret that is charged, as selector/bms.c does.
 */
WIDE void runs_judge(const game *g, const turn *now, uint64_t rounds) {
    const abreast_team *team = g->team;
    for (size_t lane = 0; lane < LANES; lane++) {
        size_t slot = now->chosen[lane] * ABREAST + now->at + lane;
        double plays = team->tried[slot] += *team->play_weight;
        bool known = !team->forgets && plays < (double)team->tabulated;
        team->charged[slot] = known ? team->charges_for[(size_t)plays] : abreast_share(team, rounds, plays);
    }
}

WIDE void runs_teach(const game *g, const turn *now) {
    const abreast_team *team = g->team;
    double weight = g->patient ? *team->play_weight : 1.0;
    for (size_t lane = 0; lane < LANES; lane++)
        team->record[(now->chosen[lane] * g->arms + now->played[lane]) * ABREAST + now->at + lane] += weight;
    if (!team->share)
        teach_chosen(g, now);
    else
        for (size_t i = 0; i < team->minds; i++) teach_mind(g, now, &team->mind_rules[i], &team->known, i * g->arms);
    abreast_rule rule = team->belief_rule;
    rule.bayes = true;
    teach_mind(g, now, &rule, &team->belief, 0);
}

WIDE void team_rounds(size_t arms, const abreast_team *t, const abreast_scene *scene, bool some_bayes, bool some_ucb,
                      uint64_t before, size_t rounds, const double *normals, const posse_trace *trace) {
    game g = {t, scene, arms, t->learners, some_bayes, some_ucb, t->patient};
    turn now[PARTS];
    for (size_t part = 0; part < PARTS; part++) now[part].at = part * LANES;
    for (size_t round = 0; round < rounds; round++) {
        for (size_t part = 0; part < PARTS; part++) now[part].learner = wide_all((double)(before + round));
        for (size_t part = 0; part < PARTS && normals != NULL; part++)
            runs_charge(&g, normals + round * arms * ABREAST, &now[part]);
        for (size_t part = 0; part < PARTS && normals != NULL; part++) runs_choose(&g, &now[part]);
        for (size_t part = 0; part < PARTS; part++) wide_store_whole(now[part].chosen, now[part].learner);
        for (size_t part = 0; part < PARTS; part++) runs_act(&g, &now[part], before + round);
        for (size_t part = 0; part < PARTS; part++)
            now[part].reward = runs_play(scene, arms, now[part].at, &now[part].arm, round, trace);
        for (size_t part = 0; part < PARTS; part++) runs_teach(&g, &now[part]);
        for (size_t part = 0; part < PARTS && g.patient; part++) runs_judge(&g, &now[part], before + round + 1);
        if (g.patient && t->forgets) abreast_reweigh(t, before + round + 1);
        for (size_t part = 0; part < PARTS && trace->learners != NULL; part++)
            memcpy(trace->learners + round * ABREAST + now[part].at, now[part].chosen, sizeof now[part].chosen);
    }
}

static void runs_play_team(const abreast_team *t, const abreast_scene *scene, uint64_t before, size_t rounds,
                           const double *normals, const posse_trace *trace) {
    if (!t->some_bayes)
        WITH_ARMS(scene->arms, team_rounds, t, scene, false, true, before, rounds, normals, trace)
    else if (!t->some_ucb)
        WITH_ARMS(scene->arms, team_rounds, t, scene, true, false, before, rounds, normals, trace)
    else
        team_rounds(scene->arms, t, scene, true, true, before, rounds, normals, trace);
}

extern const abreast_kernels PASTE(abreast_kernels_, KERNEL_SET);
const abreast_kernels PASTE(abreast_kernels_, KERNEL_SET) = {4 * LANES, 16 * LANES, runs_normals, runs_play_solo,
                                                             runs_play_team};

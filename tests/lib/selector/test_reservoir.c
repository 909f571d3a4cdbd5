/* SPDX-License-Identifier: MIT */
/*
 * What B-MS stores of rounds with features: candidates instead of all arms, arms and plays that are added later, and
 * the same bits with all kernels.
 */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "numeric/kernels.h"
#include "rounds.h"
#include "selector/jury.h"
#include "selector/reservoir.h"

static void regrets_in(const posse *p, const double *world, int learners, double *out) {
    p->selector.ops->regrets(p->selector.part.plan, p->selector.state, world, learners, out);
}

/* The selector's belief and its state. */
static const posse_belief *belief_inside(const posse *p, const void **state) {
    return p->selector.ops->belief(p->selector.part.plan, p->selector.state, state);
}

static void play_rounds(play *s, int rounds, bool all, bool unit) {
    for (int round = 0; round < rounds; round++) {
        play_decide(s, all);
        play_act(s);
        play_learn(s, unit);
    }
}

/* --------------------------------------------------- candidates ------------------------------------------------ */

#define OFFERS 20
#define OFFER_WIDTH 10
#define WORLDS 200

/* A single external learner mostly plays the best arm of the belief's mean. All posses store all of its plays. */
static void play_offers(posse *const *posses, int count, int rounds, posse_draw *draw, const double *theta) {
    double points[OFFERS * OFFER_WIDTH], means[OFFERS];
    posse_context c = {.points = points};
    for (int round = 0; round < rounds; round++) {
        posse_draw_normals(draw, points, OFFERS * OFFER_WIDTH);
        for (int i = 0; i < OFFERS * OFFER_WIDTH; i++) points[i] /= sqrt(OFFER_WIDTH);
        assert_int_equal(posse_means(posses[0], &c, means), POSSE_OK);
        int arm = posse_draw_index(draw, 4) == 0 ? (int)posse_draw_index(draw, OFFERS) : largest(means, OFFERS);
        double reward = dot(theta, points + arm * OFFER_WIDTH, OFFER_WIDTH) + posse_draw_normal(draw);
        for (int i = 0; i < count; i++) {
            posse_decision d;
            assert_int_equal(posse_decide(posses[i], &c, &d), POSSE_OK);
            assert_int_equal(posse_acted(posses[i], d.id, &(posse_action){.arm = arm, .context = &c}), POSSE_OK);
            assert_int_equal(posse_learn(posses[i], d.id, reward), POSSE_OK);
        }
    }
}

static posse *offers_made(posse_option candidates) {
    posse_def def = posse_default_def();
    def.arms = OFFERS;
    def.dim = OFFER_WIDTH;
    def.prior.kind = "linear";
    def.rounds = 1000;
    def.learners = crew;
    def.learner_count = 1;
    def.selector = (posse_part){.kind = "bms", .options = {WORD("memory", "all"), candidates}};
    return posse_made(&def);
}

/* The share of the regret, in worlds that the belief draws now, that remains with 4 of 20 arms. It is never more
 * than 1. */
static double share_kept(posse *const *posses, posse_draw *draw) {
    const void *state;
    const posse_belief *b = belief_inside(posses[0], &state);
    double sum = 0.0, world[OFFER_WIDTH], all, some;
    for (int i = 0; i < WORLDS; i++) {
        belief_draw(b, state, draw, world);
        regrets_in(posses[0], world, 1, &all);
        regrets_in(posses[1], world, 1, &some);
        assert_true(some <= all * (1.0 + 1e-12));
        sum += some / all;
    }
    return sum / WORLDS;
}

/* The least share after some rounds, over all plays. The jury of the first plays had little information. */
static const struct {
    int rounds;
    double share;
} stops[] = {{30, 0.8}, {100, 0.85}, {300, 0.94}, {1000, 0.98}};

LAW(candidates_keep_nearly_all_regret) {
    posse_draw draw;
    double theta[OFFER_WIDTH];
    posse *posses[2] = {offers_made((posse_option)WORD("candidates", "all")),
                        offers_made((posse_option)NUMBER("candidates", 4))};
    draw_open(&draw, 3, 0, 1, 0);
    posse_draw_normals(&draw, theta, OFFER_WIDTH);
    for (int i = 0; i < LENGTH(stops); i++) {
        play_offers(posses, 2, stops[i].rounds - (i > 0 ? stops[i - 1].rounds : 0), &draw, theta);
        double share = share_kept(posses, &draw);
        assert_that(share > stops[i].share, "after %d plays, candidates have %.3f of the regret", stops[i].rounds,
                    share);
    }
    for (int i = 0; i < 2; i++) posse_free(posses[i]);
}

/* -------------------------------------------------- reservoirs ------------------------------------------------- */

/* A round in the form that parts get. It points into `features`. */
static posse_round round_of(const brought *b, const posse_def *def, double *features) {
    int width = def->dim + def->context;
    posse_round r = {b->context.count, b->arms, width, def->dim > 0 ? (size_t)width : 0, features};
    for (int k = 0; k < (def->dim > 0 ? r.count : 1); k++) brought_features(b, def, k, features + k * width);
    return r;
}

#define SLOTS 19

/* The content of a slot: a play, with some of its arms. */
typedef struct held {
    bool there;
    entry play;
} held;

/* Keeps the arms at some places of an entry, with the played one first. */
static void keep_places(entry *e, const int *places, int count) {
    entry whole = *e;
    e->count = count;
    e->place = 0;
    for (int k = 0; k < count; k++) {
        e->arms[k] = whole.arms[places[k]];
        memcpy(e->features[k], whole.features[places[k]], sizeof e->features[k]);
    }
}

/* Puts a random play into a random slot. If a round has more arms than fit, random ones are kept. */
static void put_play(const reservoir *r, double *blocks, held *slots, const posse_def *def, posse_draw *draw) {
    brought b;
    double features[ROUND_ARMS * ROUND_WIDTH];
    int places[ROUND_ARMS], slot = (int)posse_draw_index(draw, SLOTS);
    brought_draw(&b, def, false, draw);
    posse_round round = round_of(&b, def, features);
    kept_arms kept = {.played = (int)posse_draw_index(draw, (uint64_t)round.count), .count = round.count};
    chronicle one;
    chronicle_open(&one, def);
    chronicle_add(&one, def, &b, 0, kept.played);
    slots[slot] = (held){true, one.entries[0]};
    chronicle_close(&one);
    if (!r->shared && round.count > r->arms) {
        for (int k = 0; k < r->arms; k++) places[k] = (kept.played + k * (1 + slot % 2)) % round.count;
        kept = (kept_arms){kept.played, r->arms, places};
        keep_places(&slots[slot].play, places, r->arms);
    }
    reservoir_put(r, blocks, (size_t)slot, &round, &kept);
}

static void check_regrets(const stage *st, const reservoir *r, const double *blocks, const held *slots, const twin *t) {
    double regrets[SLOTS + KERNEL_LANES];
    chronicle c = {.width = st->dim + st->context};
    reservoir_regrets(r, blocks, 0, reservoir_blocks(SLOTS), t->world, regrets);
    for (int i = 0; i < SLOTS; i++) {
        if (!slots[i].there) continue;
        double expected = chronicle_regret(&c, &slots[i].play, &t->belief, t->world);
        assert_that(regrets[i] == expected, "%s, slot %d: %.17g, not %.17g", st->name, i, regrets[i], expected);
        assert_true(reservoir_sane(r, blocks, (size_t)i, st->arms));
    }
}

static void check_reservoir(const stage *st, int candidates) {
    posse_def def = stage_def(st, 1);
    twin t;
    posse_draw draw;
    held slots[SLOTS] = {0};
    twin_open(&t, &def, NULL);
    draw_open(&draw, 8, 0, 1, 0);
    reservoir r = reservoir_for(&t.belief, candidates < st->arms ? candidates : st->arms);
    double *blocks = arena_allocate(&t.memory, reservoir_blocks(SLOTS) * r.block * sizeof *blocks);
    for (int round = 0; round < 200; round++) {
        put_play(&r, blocks, slots, &def, &draw);
        belief_draw(&t.belief, t.state, &t.draw, t.world);
        check_regrets(st, &r, blocks, slots, &t);
    }
    twin_close(&t);
}

LAW(stored_plays_have_the_regret_they_had) {
    for (int i = 0; i < STAGES; i++)
        for (int candidates = 2; candidates <= ROUND_ARMS; candidates++) check_reservoir(&stages[i], candidates);
}

/* ----------------------------------------------------- juries -------------------------------------------------- */

static int best_place(const stage *st, const posse_belief *b, const entry *e, const double *world) {
    chronicle c = {.width = st->dim + st->context};
    entry at = *e;
    for (at.place = 0; chronicle_regret(&c, &at, b, world) > 0.0;) at.place++;
    return at.place;
}

/* The places in the order in which they are kept: played, best in the latest world, then by votes. */
static int slow_pick(const int *best, int latest, int played, int most, int *places) {
    int count = 0, votes[ROUND_ARMS] = {0};
    places[count++] = played;
    if (best[latest] != played) places[count++] = best[latest];
    for (int l = 0; l < KERNEL_JURY; l++) votes[best[l]]++;
    for (int n = KERNEL_JURY; n > 0; n--)
        for (int k = 0; k < ROUND_ARMS; k++)
            if (votes[k] == n && count < most && k != played && k != best[latest]) places[count++] = k;
    return count;
}

static void check_jury(const stage *st, int most) {
    posse_def def = stage_def(st, 1);
    double *worlds[KERNEL_JURY], features[ROUND_ARMS * ROUND_WIDTH];
    twin t;
    posse_draw draw;
    twin_open(&t, &def, NULL);
    draw_open(&draw, 9, 0, 1, 0);
    int dim = t.belief.shape.dim;
    double *jury = arena_allocate(&t.memory, jury_size(dim) * sizeof *jury);
    for (int l = 0; l < KERNEL_JURY; l++) worlds[l] = arena_allocate(&t.memory, (size_t)dim * sizeof(double));
    for (uint64_t n = 0; n < 300; n++) {
        belief_draw(&t.belief, t.state, &t.draw, worlds[n % KERNEL_JURY]);
        jury_seat(jury, dim, n, worlds[n % KERNEL_JURY]);
        brought b;
        brought_draw(&b, &def, false, &draw);
        posse_round round = round_of(&b, &def, features);
        int played = (int)posse_draw_index(&draw, (uint64_t)round.count), best[KERNEL_JURY], expected[ROUND_ARMS + 1],
            places[KERNEL_JURY + 1];
        chronicle one;
        chronicle_open(&one, &def);
        chronicle_add(&one, &def, &b, 0, 0);
        for (int l = 0; l < KERNEL_JURY; l++) best[l] = best_place(st, &t.belief, &one.entries[0], worlds[l]);
        chronicle_close(&one);
        verdict v;
        jury_vote(&t.belief, jury, &round, &v);
        int count = jury_pick(&v, n, played, most, places);
        assert_int_equal(count, slow_pick(best, (int)(n % KERNEL_JURY), played, most, expected));
        for (int k = 0; k < count; k++) assert_int_equal(places[k], expected[k]);
    }
    twin_close(&t);
}

LAW(juries_pick_by_votes) {
    static const int own[] = {STAGE_JOINT, STAGE_BOTH, STAGE_DISJOINT, STAGE_MIXTURE};
    for (int i = 0; i < LENGTH(own); i++)
        for (int most = 2; most < 6; most++) check_jury(&stages[own[i]], most);
}

/* --------------------------------------------- arms that are added --------------------------------------------- */

static posse_part selector_keeping(posse_option memory, posse_option candidates) {
    return (posse_part){.kind = "bms", .options = {memory, candidates}};
}

/* A new arm does not change the regret of stored plays in the mean world, and the posse can play on. */
static void check_newcomers(const stage *st, posse_option memory, posse_option candidates) {
    double before[3], after[3];
    posse_def def = stage_def(st, 3);
    def.rounds = 400;
    def.selector = selector_keeping(memory, candidates);
    play s;
    play_open(&s, &def);
    play_rounds(&s, 100, false, st->unit);
    for (int change = 0; change < 3 && s.def.arms < ROUND_ARMS; change++) {
        assert_int_equal(posse_regrets(s.p, before), POSSE_OK);
        assert_int_equal(posse_arm_add(s.p, NULL, NULL), POSSE_OK);
        s.def.arms++;
        assert_int_equal(posse_regrets(s.p, after), POSSE_OK);
        for (int i = 0; i < 3; i++)
            assert_that(before[i] == after[i], "%s: regret %d was %.17g, is %.17g", st->name, i, before[i], after[i]);
        play_rounds(&s, 50, false, st->unit);
    }
    play_close(&s);
}

LAW(arms_that_come_leave_plays_as_they_were) {
    for (int i = 0; i < STAGES; i++) {
        check_newcomers(&stages[i], (posse_option)NUMBER("memory", 9), (posse_option)NUMBER("candidates", 2));
        check_newcomers(&stages[i], (posse_option)NUMBER("memory", 9), (posse_option)WORD("candidates", "all"));
        check_newcomers(&stages[i], (posse_option)WORD("memory", "all"), (posse_option)WORD("candidates", "all"));
    }
}

/* ------------------------------------------- more plays than rounds -------------------------------------------- */

/* With more plays than the `rounds` of the definition, and with learners that are added, the posse continues and
 * each learner keeps a play. */
static void check_overflow(const stage *st) {
    double regrets[CREW_MAX];
    posse_def def = stage_def(st, 3);
    def.rounds = 20;
    def.selector = selector_keeping((posse_option)WORD("memory", "all"), (posse_option)WORD("candidates", "all"));
    play s;
    play_open(&s, &def);
    for (int i = 3; i < CREW_MAX; i++) {
        play_rounds(&s, 30, false, st->unit);
        assert_int_equal(posse_learner_add(s.p, &crew[i], NULL), POSSE_OK);
        play_rounds(&s, 1, false, st->unit);
        assert_int_equal(s.d.learner, i);
    }
    size_t size;
    assert_int_equal(posse_save(s.p, NULL, &size), POSSE_OK);
    assert_true(part_state_sane(&s.p->selector.part, s.p->selector.state));
    assert_int_equal(posse_regrets(s.p, regrets), POSSE_OK);
    for (int i = 0; i < CREW_MAX; i++) assert_true(regrets[i] >= 0.0 && isfinite(regrets[i]));
    play_close(&s);
}

LAW(plays_beyond_the_rounds_are_sampled) {
    for (int i = 0; i < STAGES; i++) check_overflow(&stages[i]);
}

/* ------------------------------------------------ the same bits ------------------------------------------------ */

static uint64_t history_hash(const stage *st, posse_option memory, posse_option candidates) {
    double seen[300][6];
    posse_def def = stage_def(st, 5);
    def.rounds = 300;
    def.selector = selector_keeping(memory, candidates);
    play s;
    play_open(&s, &def);
    for (int round = 0; round < 300; round++) {
        play_rounds(&s, 1, false, st->unit);
        assert_int_equal(posse_potentials(s.p, seen[round]), POSSE_OK);
        seen[round][5] = s.d.learner;
    }
    play_close(&s);
    return hash_bytes(seen, sizeof seen);
}

LAW(contexts_have_the_same_bits_with_all_kernels) {
    const char *before = kernels_active()->name;
    for (int i = 0; i < STAGES; i++) {
        posse_option memory = i % 2 ? (posse_option)NUMBER("memory", 11) : (posse_option)WORD("memory", "all");
        assert_true(kernels_use("scalar"));
        uint64_t expected = history_hash(&stages[i], memory, (posse_option)NUMBER("candidates", 3));
        for (const char *const *name = kernels_names(); *name != NULL; name++)
            if (kernels_use(*name))
                assert_that(history_hash(&stages[i], memory, (posse_option)NUMBER("candidates", 3)) == expected,
                            "%s: other bits with %s", stages[i].name, *name);
    }
    assert_true(kernels_use(before));
}

/* -------------------------------------------------- refusals --------------------------------------------------- */

static void check_refusal(posse_option option, uint64_t rounds, posse_error expected) {
    posse *p;
    posse_def def = stage_def(&stages[STAGE_JOINT], 2);
    def.rounds = rounds;
    def.selector = (posse_part){.kind = "bms", .options = {option}};
    assert_int_equal(posse_create(&def, &p), expected);
    if (expected == POSSE_OK) posse_free(p);
}

LAW(what_makes_no_sense_in_contexts_is_refused) {
    check_refusal((posse_option)NUMBER("forgetting", 1), 0, POSSE_ERROR_FIT);
    check_refusal((posse_option)NUMBER("discount", 0.9), 0, POSSE_ERROR_FIT);
    check_refusal((posse_option)WORD("memory", "all"), 0, POSSE_ERROR_FIT);
    check_refusal((posse_option)WORD("memory", "all"), 10, POSSE_OK);
    check_refusal((posse_option)WORD("memory", "all"), UINT64_MAX, POSSE_ERROR_MEMORY);
    check_refusal((posse_option)WORD("memory", "some"), 10, POSSE_ERROR_OPTION);
    check_refusal((posse_option)NUMBER("candidates", 1), 10, POSSE_ERROR_OPTION);
    check_refusal((posse_option)NUMBER("hold", 0), 0, POSSE_OK);
}

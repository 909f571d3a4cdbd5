/*
 * Laws of the object an application holds: decisions and their rewards, learners that come and go, what can be seen
 * from outside, and what happens when memory runs out.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learner/learner.h"
#include "menagerie.h"

/* ------------------------------------------------- set-up ------------------------------------------------------ */

/* All learners of a habitat under a selector. */
static posse_def team_def(const habitat *h, posse_part selector, posse_part crew[TEAM_MAX]) {
    posse_def def = habitat_def(h);
    def.selector = selector;
    def.learner_count = habitat_team(h, crew);
    def.learners = crew;
    return def;
}

static posse *habitat_posse(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(h, selector, crew);
    return posse_made(&def);
}

/* In every habitat, under every kind of selector that fits there. */
static void for_every_team(void (*law)(const habitat *h, posse_part selector)) {
    menagerie_add_examples();
    for (int h = 0; h < HABITATS; h++)
        for (int s = 0; s < posse_kind_count(POSSE_SELECTOR); s++) {
            const char *kind = posse_kind_name(POSSE_SELECTOR, s);
            if (selector_fits(kind, &habitats[h])) law(&habitats[h], specimen_of(POSSE_SELECTOR, kind)->part);
        }
}

static posse_decision decided(posse *p) {
    posse_decision d;
    assert_int_equal(posse_decide(p, &d), POSSE_OK);
    return d;
}

static posse *two_ucbs(posse_part selector) {
    static const posse_part learners[] = {{.kind = "ucb", .name = "wide"},
                                          {.kind = "ucb", .name = "narrow", .options = {NUMBER("width", 0.1)}}};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.selector = selector;
    def.learners = learners;
    def.learner_count = 2;
    return posse_made(&def);
}

/* ------------------------------------------- decisions and rewards --------------------------------------------- */

LAW(ids_count_from_one) {
    posse *p = two_ucbs(selector_part("bms", false, 1));
    for (uint64_t id = 1; id <= 100; id++) {
        posse_decision d = decided(p);
        assert_int_equal(d.id, id);
        assert_int_equal(posse_pending_count(p), id);
        assert_true(d.probability > 0.0 && d.probability <= 1.0);
        assert_null(d.point);
    }
    posse_free(p);
}

/*
 * Forty decisions, then their rewards in any order. What counts is that order alone: a posse that is saved and loaded
 * anew between any two of them, so that its table of pending decisions is never the same, ends in the same state.
 */
static void late_is_as_good(const habitat *h, posse_part selector) {
    enum { ROUNDS = 40 };
    uint64_t source = 3;
    posse_decision made[ROUNDS];
    posse *late = habitat_posse(h, selector), *other = habitat_posse(h, selector);
    for (int n = 0; n < ROUNDS; n++) {
        made[n] = decided(late);
        posse_decision same = decided(other);
        assert_true(same.learner == made[n].learner && same.arm == made[n].arm);
    }
    for (int left = ROUNDS; left > 0; left--) {
        int k = (int)random_below(&source, (uint64_t)left);
        posse_decision d = made[k];
        made[k] = made[left - 1];
        assert_int_equal(posse_learn(late, d.id, parade_reward(h->unit, &d)), POSSE_OK);
        saved s = saved_from(other);
        posse_free(other);
        other = saved_loaded(&s);
        saved_drop(&s);
        assert_int_equal(posse_learn(other, d.id, parade_reward(h->unit, &d)), POSSE_OK);
    }
    saved a = saved_from(late), b = saved_from(other);
    assert_true(saved_equal(&a, &b));
    saved_drop(&a);
    saved_drop(&b);
    posse_free(late);
    posse_free(other);
}

LAW(rewards_may_come_late_and_in_any_order) {
    for_every_team(late_is_as_good);
}

/* The order in which they come is the order in which they are learned: two posses given the same (decision, reward)
 * sequence agree, however many of the decisions were pending at once. */
LAW(pending_decisions_do_not_disturb_each_other) {
    posse_part fixed[] = {{.kind = "fixed", .options = {NUMBER("arm", 3)}}};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.learners = fixed;
    def.learner_count = 1;
    posse *crowded = posse_made(&def), *prompt = posse_made(&def);
    uint64_t ids[500];
    for (int n = 0; n < 500; n++) ids[n] = decided(crowded).id;
    for (int n = 499; n >= 0; n--) {
        assert_int_equal(posse_learn(crowded, ids[n], 0.01 * n), POSSE_OK);
        assert_int_equal(posse_learn(prompt, decided(prompt).id, 0.01 * n), POSSE_OK);
    }
    double a[5], b[5];
    assert_int_equal(posse_means(crowded, a), POSSE_OK);
    assert_int_equal(posse_means(prompt, b), POSSE_OK);
    assert_memory_equal(a, b, sizeof a);
    assert_int_equal(posse_pending_count(crowded), 0);
    posse_free(crowded);
    posse_free(prompt);
}

/* Ids are found again whatever was added and removed in between. */
LAW(pending_decisions_are_found) {
    enum { OPEN = 3000 };
    posse *p = two_ucbs(selector_part("bms", false, 1));
    static uint64_t open[OPEN];
    int count = 0;
    uint64_t source = 77;
    for (int n = 0; n < 30000; n++) {
        if (count < OPEN && random_below(&source, 100) < 52) {
            open[count++] = decided(p).id;
        } else if (count > 0) {
            int at = (int)random_below(&source, (uint64_t)count);
            assert_int_equal(posse_learn(p, open[at], 1.0), POSSE_OK);
            assert_int_equal(posse_learn(p, open[at], 1.0), POSSE_ERROR_SETTLED);
            open[at] = open[--count];
        }
        assert_int_equal(posse_pending_count(p), count);
    }
    while (count > 0) assert_int_equal(posse_forget(p, open[--count]), POSSE_OK);
    posse_free(p);
}

static void wrong_rewards(const habitat *h, posse_part selector) {
    posse *p = habitat_posse(h, selector);
    posse_decision first = decided(p), second = decided(p);
    assert_refused(p, posse_learn(p, 0, 1.0), POSSE_ERROR_UNKNOWN);
    assert_refused(p, posse_learn(p, 3, 1.0), POSSE_ERROR_UNKNOWN);
    assert_refused(p, posse_learn(p, UINT64_MAX, 1.0), POSSE_ERROR_UNKNOWN);
    assert_refused(p, posse_forget(p, 0), POSSE_ERROR_UNKNOWN);
    assert_refused(p, posse_forget(p, 3), POSSE_ERROR_UNKNOWN);
    static const double rewards[] = {NAN, INFINITY, -INFINITY, 1e101, -1e101, DBL_MAX};
    for (int i = 0; i < LENGTH(rewards); i++)
        assert_refused(p, posse_learn(p, first.id, rewards[i]), POSSE_ERROR_REWARD);
    assert_int_equal(posse_learn(p, first.id, 1.0), POSSE_OK);
    assert_refused(p, posse_learn(p, first.id, 1.0), POSSE_ERROR_SETTLED);
    assert_refused(p, posse_learn(p, first.id, NAN), POSSE_ERROR_SETTLED);
    assert_refused(p, posse_forget(p, first.id), POSSE_ERROR_SETTLED);
    assert_int_equal(posse_forget(p, second.id), POSSE_OK);
    assert_refused(p, posse_learn(p, second.id, 0.0), POSSE_ERROR_SETTLED);
    assert_refused(p, posse_forget(p, second.id), POSSE_ERROR_SETTLED);
    assert_int_equal(posse_pending_count(p), 0);
    posse_free(p);
}

LAW(wrong_rewards_change_nothing) {
    for_every_team(wrong_rewards);
}

/* Whoever holds a beta belief: the selector, a learner, or a component of either. */
LAW(beta_beliefs_want_rewards_between_0_and_1) {
    static const posse_part beta = {.kind = "beta"};
    posse_part greedy = {.kind = "epsilon-greedy"}, thompson = {.kind = "thompson"};
    posse_def def = habitat_def(&habitats[COINS_4]);
    def.learner_count = 1;
    for (int who = 0; who < 2; who++) {
        def.learners = who == 0 ? &greedy : &thompson;
        if (who == 1) {
            def.prior = (posse_part){.kind = "gaussian"};
            thompson.options[0] = (posse_option){.key = "belief", .part = &beta};
        }
        posse *p = posse_made(&def);
        posse_decision d = decided(p);
        assert_refused(p, posse_learn(p, d.id, -0x1p-60), POSSE_ERROR_REWARD);
        assert_refused(p, posse_learn(p, d.id, 1.0 + 0x1p-52), POSSE_ERROR_REWARD);
        assert_refused(p, posse_learn(p, d.id, 7.0), POSSE_ERROR_REWARD);
        assert_int_equal(posse_learn(p, d.id, 0.5), POSSE_OK);
        assert_int_equal(posse_learn(p, decided(p).id, 0.0), POSSE_OK);
        assert_int_equal(posse_learn(p, decided(p).id, 1.0), POSSE_OK);
        posse_free(p);
    }
}

/* And when the one who needed that has retired, others may have what they like. */
LAW(unit_rewards_end_with_who_needs_them) {
    static const posse_part beta = {.kind = "beta"};
    const posse_part learners[] = {{.kind = "ucb"},
                                   {.kind = "thompson", .options = {{.key = "belief", .part = &beta}}}};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.learners = learners;
    def.learner_count = 2;
    posse *p = posse_made(&def);
    posse_decision d = decided(p);
    assert_refused(p, posse_learn(p, d.id, 2.0), POSSE_ERROR_REWARD);
    assert_int_equal(posse_learner_retire(p, 1), POSSE_OK);
    assert_int_equal(posse_learn(p, d.id, 2.0), POSSE_OK);
    posse_free(p);
}

/* A decision forgotten teaches nothing, yet the play stays on record. */
LAW(forgotten_decisions_stay_on_record) {
    posse *p = two_ucbs(selector_part("bms", false, 1));
    for (int n = 0; n < 10; n++) assert_int_equal(posse_forget(p, decided(p).id), POSSE_OK);
    uint64_t plays[2];
    double means[5];
    assert_int_equal(posse_plays(p, plays), POSSE_OK);
    assert_int_equal(plays[0] + plays[1], 10);
    assert_int_equal(posse_means(p, means), POSSE_OK);
    for (int a = 0; a < 5; a++) assert_true(means[a] == 0.0);
    posse_free(p);
}

/* ------------------------------------------------- a learner alone --------------------------------------------- */

LAW(a_learner_alone_needs_no_selector) {
    for (int h = 0; h < HABITATS; h++) {
        posse_part crew[TEAM_MAX];
        int count = habitat_team(&habitats[h], crew);
        for (int i = 0; i < count; i++) {
            posse_def def = habitat_def(&habitats[h]);
            def.selector = (posse_part){0};
            def.learners = &crew[i];
            def.learner_count = 1;
            parade r;
            parade_begin(&r, &habitats[h], posse_made(&def), 5);
            parade_march(&r, 200);
            double numbers[8];
            assert_int_equal(posse_potentials(r.marchers[0], numbers), POSSE_ERROR_ABSENT);
            assert_int_equal(posse_means(r.marchers[0], numbers), POSSE_ERROR_ABSENT);
            assert_refused(r.marchers[0], posse_learner_retire(r.marchers[0], 0), POSSE_ERROR_LEARNER);
            assert_refused(r.marchers[0], posse_learner_add(r.marchers[0], &crew[i], NULL), POSSE_ERROR_FIT);
            posse_decision d = decided(r.marchers[0]);
            assert_true(d.probability == 1.0 && d.learner == 0);
            parade_leave(&r);
        }
    }
}

LAW(several_learners_need_a_selector) {
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(&habitats[ARMS_5], (posse_part){0}, crew);
    posse *p = (posse *)&def;
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    assert_null(p);
}

/* What a learner alone decides is what it decides in a posse of one: its stream is its own. */
LAW(a_posse_of_one_plays_as_its_learner_alone) {
    for (int h = 0; h < HABITATS; h++) {
        posse_part crew[TEAM_MAX];
        int count = habitat_team(&habitats[h], crew);
        for (int i = 0; i < count; i++) {
            posse_def def = habitat_def(&habitats[h]);
            def.learners = &crew[i];
            def.learner_count = 1;
            parade r;
            parade_begin(&r, &habitats[h], posse_made(&def), 6);
            def.selector = (posse_part){0};
            r.marchers[r.count++] = posse_made(&def);
            parade_march(&r, 300);
            parade_leave(&r);
        }
    }
}

/* -------------------------------------------------- the ball --------------------------------------------------- */

LAW(decisions_on_the_ball_are_points_of_it) {
    posse *p = habitat_posse(&habitats[BALL_3], selector_part("bms", true, 1));
    for (int n = 0; n < 300; n++) {
        posse_decision d = decided(p);
        assert_int_equal(d.arm, -1);
        assert_non_null(d.point);
        double norm = 0.0;
        for (int j = 0; j < 3; j++) norm += d.point[j] * d.point[j];
        assert_close(norm, 1.0, 1e-14); /* the best point of a linear model is on the surface */
        assert_int_equal(posse_learn(p, d.id, d.point[0] - 0.5 * d.point[1]), POSSE_OK);
    }
    double theta[3];
    assert_int_equal(posse_means(p, theta), POSSE_OK);
    assert_close(theta[0], 1.0, 0.1); /* rewards were without noise; the prior N(0, 1) pulls by some 1 / 100 */
    assert_close(theta[1], -0.5, 0.1);
    assert_close(theta[2], 0.0, 0.1);
    posse_free(p);
}

LAW(decisions_name_their_points) {
    const habitat *h = &habitats[POINTS_7];
    posse *p = habitat_posse(h, selector_part("bms", false, 1));
    for (int n = 0; n < 50; n++) {
        posse_decision d = decided(p);
        assert_memory_equal(d.point, h->points + 3 * d.arm, 3 * sizeof(double));
        assert_int_equal(posse_learn(p, d.id, 0.0), POSSE_OK);
    }
    posse_free(p);
}

/* --------------------------------------------------- memory ---------------------------------------------------- */

/* Bytes in use while so many decisions are pending at any time. */
static void stays_flat(const habitat *h, int pending_count, int rounds) {
    purse mine = {0};
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(h, selector_part("bms", false, 1), crew);
    def.host = purse_host(&mine);
    posse *p = posse_made(&def);
    for (int n = 0; n < 2 * pending_count; n++) decided(p);
    for (int n = 0; n < pending_count; n++) assert_int_equal(posse_forget(p, (uint64_t)(2 * n + 1)), POSSE_OK);
    posse_decision d = decided(p);
    assert_int_equal(posse_learn(p, d.id, 0.5), POSSE_OK);
    size_t bytes = mine.bytes, calls = mine.calls;
    for (int n = 0; n < rounds; n++) {
        d = decided(p);
        assert_int_equal(posse_learn(p, d.id, 0.5), POSSE_OK);
    }
    assert_int_equal(mine.bytes, bytes);
    assert_int_equal(mine.calls, calls);
    posse_free(p);
    assert_int_equal(mine.blocks, 0);
    assert_int_equal(mine.bytes, 0);
}

LAW(memory_does_not_grow_without_pending) {
    stays_flat(&habitats[ARMS_5], 0, 100000);
    for (int h = 0; h < HABITATS; h++) stays_flat(&habitats[h], 0, 2000);
    for (int h = 0; h < HABITATS; h++) stays_flat(&habitats[h], 100, 2000);
}

/* ------------------------------------------- learners come and go ---------------------------------------------- */

/* In place 2, 3, .., well past the 8 and the 64 places that selectors are made with; each is played next. */
static void newcomers_are_played(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    int kinds = habitat_team(h, crew);
    posse_def def = team_def(h, selector, crew);
    def.learner_count = 2;
    parade r;
    parade_begin(&r, h, posse_made(&def), 7);
    posse *p = r.marchers[0];
    parade_march(&r, 20);
    for (int next = 2; next < 70; next++) {
        uint64_t before[80], after[80];
        assert_int_equal(posse_plays(p, before), POSSE_OK);
        int at = -1;
        assert_int_equal(posse_learner_add(p, &crew[next % kinds], &at), POSSE_OK);
        assert_int_equal(at, next);
        assert_int_equal(posse_learner_count(p), next + 1);
        assert_true(posse_learner_active(p, at));
        assert_int_equal(posse_plays(p, after), POSSE_OK);
        assert_memory_equal(before, after, (size_t)next * sizeof *before);
        assert_int_equal(after[next], 0);
        posse_decision d = decided(p);
        assert_int_equal(d.learner, next);
        assert_int_equal(posse_learn(p, d.id, parade_reward(h->unit, &d)), POSSE_OK);
        parade_march(&r, 2);
    }
    parade_join(&r);
    parade_march(&r, 100);
    parade_leave(&r);
}

/* With the rules that have a learner play before they judge it; others give it its chance (test_selectors.c). */
LAW(added_learners_are_played_next) {
    static const char *const curious[] = {"bms", "balancing", "ucb", "greedy"};
    for (int h = 0; h < HABITATS; h++)
        for (int s = 0; s < LENGTH(curious); s++)
            newcomers_are_played(&habitats[h], specimen_of(POSSE_SELECTOR, curious[s])->part);
}

/* The ninth of one is the tenth of the other, of the same name and so of the same randomness. */
static void decide_alike_but_for_the_ninth(posse *grown, posse *roomy, uint64_t *source) {
    posse_decision d = decided(grown), e = decided(roomy);
    assert_that(d.arm == e.arm && (d.learner == e.learner || (d.learner == 8 && e.learner == 9)),
                "%s: %d with room that it was given, %d with room that it had", grown->selector_recipe.kind, d.learner,
                e.learner);
    assert_close(d.probability, e.probability, 1e-12);
    if (random_below(source, 4) == 0) return; /* a reward that never comes */
    assert_int_equal(posse_learn(grown, d.id, parade_reward(false, &d)), POSSE_OK);
    assert_int_equal(posse_learn(roomy, e.id, parade_reward(false, &d)), POSSE_OK);
    double a[9], b[10];
    if (posse_potentials(grown, a) != POSSE_OK) return;
    assert_int_equal(posse_potentials(roomy, b), POSSE_OK);
    assert_memory_equal(a, b, 8 * sizeof *a);
    assert_true(a[8] == b[9] && b[8] == INFINITY);
}

static void growth_is_not_noticed(posse_part selector) {
    posse_part many[12];
    for (int i = 0; i < 12; i++) {
        static char names[12][16];
        snprintf(names[i], sizeof names[i], "n%d", i);
        many[i] = (posse_part){.kind = "ucb", .name = names[i], .options = {NUMBER("width", 0.2 * i)}};
    }
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.selector = selector;
    def.learners = many;
    def.learner_count = 8;
    posse *grown = posse_made(&def);
    def.learner_count = 9; /* room for nine */
    posse *roomy = posse_made(&def);
    assert_int_equal(posse_learner_retire(roomy, 8), POSSE_OK);
    parade r;
    parade_begin(&r, &habitats[ARMS_5], grown, 8);
    r.marchers[r.count++] = roomy;
    parade_march(&r, 100);
    assert_int_equal(posse_learner_add(grown, &many[9], NULL), POSSE_OK);
    assert_int_equal(posse_learner_add(roomy, &many[9], NULL), POSSE_OK);
    for (int n = 0; n < 300; n++) decide_alike_but_for_the_ninth(grown, roomy, &r.source);
    parade_leave(&r);
}

/* What the selector knows survives the growth of its places: the same decisions as one that had the room from the
 * start, which it has if it was created with more learners that retired before the first round. */
LAW(growing_places_changes_no_decision) {
    for (int s = 0; s < posse_kind_count(POSSE_SELECTOR); s++)
        growth_is_not_noticed(specimen_of(POSSE_SELECTOR, posse_kind_name(POSSE_SELECTOR, s))->part);
}

LAW(names_are_unique_and_made_up_where_missing) {
    static const posse_part learners[] = {{.kind = "ucb"}, {.kind = "ucb"}, {.kind = "fixed", .name = "ucb-3"}};
    posse_part fixed = with_option(learners[2], (posse_option)NUMBER("arm", 0));
    posse_part all[] = {learners[0], learners[1], fixed};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.learners = all;
    def.learner_count = 3;
    posse *p = posse_made(&def);
    assert_string_equal(posse_learner_name(p, 0), "ucb");
    assert_string_equal(posse_learner_name(p, 1), "ucb-2");
    assert_int_equal(posse_learner_add(p, &learners[0], NULL), POSSE_OK);
    assert_string_equal(posse_learner_name(p, 3), "ucb-4");
    posse_part taken = {.kind = "ucb", .name = "ucb-2"};
    assert_refused(p, posse_learner_add(p, &taken, NULL), POSSE_ERROR_NAME);
    assert_int_equal(posse_learner_retire(p, 1), POSSE_OK);
    assert_refused(p, posse_learner_add(p, &taken, NULL), POSSE_ERROR_NAME);
    assert_string_equal(posse_learner_name(p, 1), "ucb-2");
    posse_free(p);
    all[1].name = "ucb";
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_NAME);
    assert_null(p);
}

/* Also where it would have needed more places: eight is what a small selector has. */
LAW(failed_additions_change_nothing) {
    posse_part eight[8];
    for (int i = 0; i < 8; i++) eight[i] = (posse_part){.kind = "ucb"};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    def.learners = eight;
    def.learner_count = 8;
    parade r;
    parade_begin(&r, &habitats[ARMS_5], posse_made(&def), 9);
    parade_march(&r, 50);
    posse *p = r.marchers[0];
    posse_part unknown = {.kind = "ubc"}, taken = {.kind = "ucb", .name = "ucb"};
    posse_part wrong = {.kind = "ucb", .options = {NUMBER("width", -1.0)}}, unfit = {.kind = "linear-ucb"};
    int place_at = 99;
    assert_refused(p, posse_learner_add(p, &unknown, &place_at), POSSE_ERROR_KIND);
    assert_refused(p, posse_learner_add(p, &taken, &place_at), POSSE_ERROR_NAME);
    assert_refused(p, posse_learner_add(p, &wrong, &place_at), POSSE_ERROR_OPTION);
    assert_refused(p, posse_learner_add(p, &unfit, &place_at), POSSE_ERROR_FIT);
    assert_refused(p, posse_learner_add(p, NULL, &place_at), POSSE_ERROR_ARGUMENT);
    assert_int_equal(place_at, 99);
    parade_join(&r);
    parade_march(&r, 50);
    parade_leave(&r);
}

static void retired_are_gone(const habitat *h, posse_part selector) {
    for (int share = 0; share < 2; share++) {
        parade r;
        parade_begin(&r, h, habitat_posse(h, with_option(selector, (posse_option)NUMBER("share", share))), 10);
        posse *p = r.marchers[0];
        parade_march(&r, 60);
        int count = posse_learner_count(p);
        for (int gone = 0; gone < count - 1; gone++) {
            uint64_t before[TEAM_MAX], after[TEAM_MAX];
            assert_int_equal(posse_learner_retire(p, gone), POSSE_OK);
            assert_false(posse_learner_active(p, gone));
            assert_refused(p, posse_learner_retire(p, gone), POSSE_ERROR_LEARNER);
            assert_int_equal(posse_plays(p, before), POSSE_OK);
            parade_march(&r, 40); /* with rewards of decisions it had made */
            assert_int_equal(posse_plays(p, after), POSSE_OK);
            for (int i = 0; i <= gone; i++) assert_int_equal(before[i], after[i]);
        }
        assert_refused(p, posse_learner_retire(p, count - 1), POSSE_ERROR_LEARNER);
        assert_refused(p, posse_learner_retire(p, count), POSSE_ERROR_LEARNER);
        assert_refused(p, posse_learner_retire(p, -1), POSSE_ERROR_LEARNER);
        parade_join(&r);
        parade_march(&r, 40);
        parade_leave(&r);
    }
}

LAW(retired_learners_are_never_chosen_again) {
    for_every_team(retired_are_gone);
}

/* Three fixed learners, arms 0, 1 and 2. Learner 0 decides, retires, and then its reward comes. */
LAW(rewards_of_the_retired_still_teach) {
    for (int share = 0; share < 2; share++) {
        const posse_part learners[] = {{.kind = "fixed", .options = {NUMBER("arm", 0)}}, {.kind = "epsilon-greedy"}};
        posse_def def = habitat_def(&habitats[ARMS_5]);
        def.learners = learners;
        def.learner_count = 2;
        def.selector = selector_part("bms", share, 1);
        posse *p = posse_made(&def);
        posse_decision d = decided(p);
        assert_int_equal(d.learner, 0);
        assert_int_equal(posse_learner_retire(p, 0), POSSE_OK);
        assert_int_equal(posse_learn(p, d.id, 3.0), POSSE_OK);
        double means[5];
        assert_int_equal(posse_means(p, means), POSSE_OK);
        assert_close(means[0], 1.5, 1e-15); /* N(0, 1), one reward of 3 with noise 1 */
        const tally *greedy = p->members[1].state;
        assert_true(greedy[0].count == (share ? 1.0 : 0.0));
        posse_free(p);
    }
}

/* ------------------------------------------------- batches ----------------------------------------------------- */

LAW(batches_keep_their_learner) {
    posse *p = two_ucbs(selector_part("bms", false, 7));
    for (int n = 0; n < 50; n++) {
        int learner = -1;
        for (int k = 0; k < 7; k++) {
            posse_decision d = decided(p);
            if (k > 0) assert_int_equal(d.learner, learner);
            learner = d.learner;
            assert_int_equal(posse_learn(p, d.id, parade_reward(false, &d)), POSSE_OK);
        }
    }
    posse_free(p);
}

/* A newcomer is played next, in a batch of its own; who retires in the middle of his batch loses the rest. */
LAW(batches_end_early_when_learners_come_or_go) {
    static const posse_part extra = {.kind = "epsilon-greedy"};
    posse *p = two_ucbs(selector_part("bms", false, 5));
    int first = decided(p).learner;
    assert_int_equal(posse_learner_add(p, &extra, NULL), POSSE_OK);
    int next[3] = {decided(p).learner, -1, -1};
    for (int k = 1; k < 5; k++) assert_int_equal(decided(p).learner, next[0]);
    next[1] = decided(p).learner; /* learners not yet played come in order of their places */
    assert_int_equal(first, 0);
    assert_int_equal(next[0], 1);
    assert_int_equal(next[1], 2);
    assert_int_equal(posse_learner_retire(p, 2), POSSE_OK);
    for (int n = 0; n < 20; n++) assert_true(decided(p).learner != 2);
    posse_free(p);

    p = two_ucbs(selector_part("bms", false, 5));
    assert_int_equal(decided(p).learner, 0);
    assert_int_equal(posse_learner_retire(p, 1), POSSE_OK); /* another one's leaving ends no batch */
    for (int k = 1; k < 5; k++) assert_int_equal(decided(p).learner, 0);
    posse_free(p);
}

/* ----------------------------------------------- looking inside ------------------------------------------------ */

LAW(plays_count_the_decisions) {
    posse *p = habitat_posse(&habitats[ARMS_5], selector_part("bms", false, 1));
    uint64_t counted[TEAM_MAX] = {0}, plays[TEAM_MAX];
    for (int n = 0; n < 500; n++) {
        posse_decision d = decided(p);
        counted[d.learner]++;
        if (n % 3 > 0) assert_int_equal(posse_learn(p, d.id, 0.1 * d.arm), POSSE_OK);
    }
    assert_int_equal(posse_plays(p, plays), POSSE_OK);
    assert_memory_equal(plays, counted, (size_t)posse_learner_count(p) * sizeof *plays);
    posse_free(p);
}

/* N(0, 1) arms and noise 1: the posterior mean is sum / (n + 1). */
LAW(means_are_those_of_the_rewards) {
    posse *p = habitat_posse(&habitats[ARMS_5], selector_part("bms", false, 1));
    double sum[5] = {0}, count[5] = {0}, means[5];
    for (int n = 0; n < 500; n++) {
        posse_decision d = decided(p);
        double reward = parade_reward(false, &d);
        assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
        sum[d.arm] += reward;
        count[d.arm] += 1.0;
    }
    assert_int_equal(posse_means(p, means), POSSE_OK);
    for (int a = 0; a < 5; a++) assert_close(means[a], sum[a] / (count[a] + 1.0), 1e-13);
    posse_free(p);
}

/* With a linear belief they are the values of the arms: those of theta, taken on the ball, at each point. */
LAW(means_of_points_are_linear) {
    const habitat *h = &habitats[POINTS_7];
    posse *p = habitat_posse(h, selector_part("bms", false, 1));
    ridge right;
    ridge_start(&right, 3, 1.0);
    for (int n = 0; n < 200; n++) {
        posse_decision d = decided(p);
        double reward = parade_reward(false, &d);
        ridge_learn(&right, h->points + 3 * d.arm, reward, 1.0);
        assert_int_equal(posse_learn(p, d.id, reward), POSSE_OK);
    }
    double means[7];
    long double theta[SOLVE_MAX];
    ridge_mean(&right, theta);
    assert_int_equal(posse_means(p, means), POSSE_OK);
    for (int a = 0; a < 7; a++) {
        const double *x = h->points + 3 * a;
        assert_close(means[a], (double)(theta[0] * x[0] + theta[1] * x[1] + theta[2] * x[2]), 1e-12);
    }
    posse_free(p);
}

/* With a single hypothesis every world is that one, and potentials are plays times gaps, exactly: quarters are. */
LAW(potentials_are_the_regret_in_the_world) {
    static const double world[] = {0.25, 1.0, 0.5, -0.75, 0.0};
    static const posse_part known = {.kind = "hypotheses", .options = {LIST("table", world)}};
    posse_part crew[TEAM_MAX];
    posse_def def = team_def(&habitats[ARMS_5], (posse_part){.kind = "bms"}, crew);
    def.selector.options[0] = (posse_option){.key = "belief", .part = &known};
    posse *p = posse_made(&def);
    int count = posse_learner_count(p);
    double owed[TEAM_MAX] = {0}, potentials[TEAM_MAX];
    for (int n = 0; n < 300; n++) {
        posse_decision d = decided(p);
        assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
        for (int i = 0; i < count && n >= count; i++) {
            assert_true(potentials[i] == owed[i]);
            assert_true(potentials[i] >= potentials[d.learner]);
        }
        owed[d.learner] += 1.0 - world[d.arm];
        assert_int_equal(posse_learn(p, d.id, parade_reward(false, &d)), POSSE_OK);
    }
    assert_int_equal(posse_learner_retire(p, 1), POSSE_OK);
    assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
    assert_true(potentials[1] == INFINITY);
    posse_free(p);
}

/* The probability of a choice is one over the number of learners tied for the least potential. */
LAW(probability_is_that_of_the_tie) {
    posse *p = habitat_posse(&habitats[ARMS_5], selector_part("bms", false, 1));
    int count = posse_learner_count(p), ties = 0;
    double potentials[TEAM_MAX];
    for (int n = 0; n < 1000; n++) {
        posse_decision d = decided(p);
        assert_int_equal(posse_potentials(p, potentials), POSSE_OK);
        int tied = 0;
        for (int i = 0; i < count; i++) tied += potentials[i] == potentials[d.learner];
        assert_true(n < count ? d.probability == 1.0 : d.probability == 1.0 / tied);
        ties += n >= count && tied > 1;
        assert_true(pending_find(&p->pending, d.id)->probability == d.probability); /* what selectors learn from */
        assert_int_equal(posse_learn(p, d.id, parade_reward(false, &d)), POSSE_OK);
    }
    assert_true(ties > 0);
    posse_free(p);
}

/* -------------------------------------------- defaults, nulls, errors ------------------------------------------ */

/* A sentinel would survive where a field was not set. Padding may keep it: only fields are looked at. */
LAW(defaults_are_all_set) {
    posse_def def;
    memset(&def, 0xA5, sizeof def);
    def = posse_default_def();
    assert_true(def.arms == 0 && def.dim == 0 && def.points == NULL);
    assert_true(def.learners == NULL && def.learner_count == 0);
    assert_true(def.seed == 1 && def.run == 0 && def.rounds == 0);
    assert_true(def.host.allocator.resize == NULL && def.host.allocator.context == NULL);
    assert_true(def.host.log.write == NULL && def.host.log.context == NULL);
    assert_null(def.prior.kind);
    assert_string_equal(def.selector.kind, "bms");
    const posse_part *parts[] = {&def.prior, &def.selector};
    for (int i = 0; i < 2; i++) {
        assert_null(parts[i]->name);
        for (int k = 0; k < POSSE_OPTIONS_MAX; k++) {
            const posse_option *o = &parts[i]->options[k];
            assert_true(o->key == NULL && o->number == 0.0 && o->word == NULL);
            assert_true(o->list == NULL && o->part == NULL && o->count == 0);
        }
    }
}

LAW(null_arguments_are_harmless) {
    posse *p = two_ucbs(selector_part("bms", false, 1)), *out = p;
    posse_decision d;
    posse_def def = posse_default_def();
    posse_part some = {.kind = "ucb"};
    size_t length = 0;
    double numbers[8];
    uint64_t plays[8];
    assert_int_equal(posse_create(NULL, &out), POSSE_ERROR_ARGUMENT);
    assert_null(out);
    assert_int_equal(posse_create(&def, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_decide(NULL, &d), POSSE_ERROR_ARGUMENT);
    assert_refused(p, posse_decide(p, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_learn(NULL, 1, 0.0), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_forget(NULL, 1), POSSE_ERROR_ARGUMENT);
    posse_free(NULL);
    assert_int_equal(posse_save(NULL, numbers, &length), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_save(p, numbers, NULL), POSSE_ERROR_ARGUMENT);
    out = p;
    assert_int_equal(posse_load(NULL, 10, NULL, &out), POSSE_ERROR_ARGUMENT);
    assert_null(out);
    assert_int_equal(posse_load(numbers, sizeof numbers, NULL, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_learner_add(NULL, &some, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_learner_retire(NULL, 0), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_learner_count(NULL), 0);
    assert_null(posse_learner_name(NULL, 0));
    assert_null(posse_learner_name(p, 2));
    assert_null(posse_learner_name(p, -1));
    assert_false(posse_learner_active(NULL, 0));
    assert_false(posse_learner_active(p, 2));
    assert_int_equal(posse_arms(NULL), 0);
    assert_int_equal(posse_dim(NULL), 0);
    assert_int_equal(posse_pending_count(NULL), 0);
    assert_int_equal(posse_plays(NULL, plays), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_plays(p, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_potentials(NULL, numbers), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_potentials(p, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_means(NULL, numbers), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_means(p, NULL), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_learner_register(NULL), POSSE_ERROR_ARGUMENT);
    posse_free(p);
}

LAW(null_environments_are_harmless) {
    posse_environment *e = (posse_environment *)&e;
    posse_part some = {.kind = "gaussian", .options = {NUMBER("arms", 2)}};
    assert_int_equal(posse_environment_create(NULL, 1, NULL, &e), POSSE_ERROR_ARGUMENT);
    assert_null(e);
    assert_int_equal(posse_environment_create(&some, 1, NULL, NULL), POSSE_ERROR_ARGUMENT);
    posse_environment_free(NULL);
    posse_environment_begin(NULL, 1);
    posse_decision d = {.arm = 0};
    double means[2];
    assert_int_equal(posse_environment_def(NULL).arms, 0);
    assert_false(fabs(posse_environment_reward(NULL, &d)) > 0.0); /* 0, or not a number */
    assert_false(fabs(posse_environment_regret(NULL, &d)) > 0.0);
    posse_environment_means(NULL, means);
}

LAW(families_and_kinds_end) {
    static const posse_family none[] = {(posse_family)-1, (posse_family)POSSE_FAMILIES};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(posse_kind_count(none[i]), 0);
        assert_null(posse_kind_name(none[i], 0));
        assert_null(posse_family_name(none[i]));
        assert_null(posse_family_params(none[i]));
    }
    for (int f = 0; f < POSSE_FAMILIES; f++) {
        posse_family family = (posse_family)f;
        int ends[] = {-1, posse_kind_count(family)};
        for (int i = 0; i < 2; i++) {
            assert_null(posse_kind_name(family, ends[i]));
            assert_null(posse_kind_help(family, ends[i]));
            assert_null(posse_kind_params(family, ends[i]));
        }
    }
}

LAW(errors_are_pinned) {
    static const char *const names[] = {"POSSE_OK",
                                        "POSSE_ERROR_ARGUMENT",
                                        "POSSE_ERROR_KIND",
                                        "POSSE_ERROR_OPTION",
                                        "POSSE_ERROR_FIT",
                                        "POSSE_ERROR_MEMORY",
                                        "POSSE_ERROR_REWARD",
                                        "POSSE_ERROR_UNKNOWN",
                                        "POSSE_ERROR_SETTLED",
                                        "POSSE_ERROR_LEARNER",
                                        "POSSE_ERROR_NAME",
                                        "POSSE_ERROR_BUFFER",
                                        "POSSE_ERROR_DAMAGED",
                                        "POSSE_ERROR_VERSION",
                                        "POSSE_ERROR_ABSENT",
                                        "POSSE_ERROR_FULL",
                                        "POSSE_ERROR_ARM"};
    for (int i = 0; i < LENGTH(names); i++) {
        assert_string_equal(posse_error_name((posse_error)i), names[i]);
        const char *text = posse_error_text((posse_error)i);
        assert_true(strlen(text) > 0);
        for (int k = 0; k < i; k++) assert_string_not_equal(text, posse_error_text((posse_error)k));
    }
    static const int unknown[] = {-1, LENGTH(names), 1000000};
    for (int i = 0; i < LENGTH(unknown); i++) {
        assert_non_null(posse_error_name((posse_error)unknown[i]));
        assert_non_null(posse_error_text((posse_error)unknown[i]));
    }
}

LAW(the_version_is_the_headers) {
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", POSSE_VERSION_MAJOR, POSSE_VERSION_MINOR, POSSE_VERSION_PATCH);
    assert_string_equal(posse_version(), text);
}

/* A wish for kernels that cannot be met is no reason to take others in silence. */
LAW(wishes_for_kernels_are_met_or_refused) {
    notes log = {0};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    posse_part learner = {.kind = "ucb"};
    posse *p = NULL;
    def.learners = &learner;
    def.learner_count = 1;
    def.host.log = notes_logger(&log);
    assert_non_null(posse_kernels());
    assert_int_equal(setenv("POSSE_ISA", "sse9", 1), 0);
    assert_null(posse_kernels());
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    assert_null(p);
    assert_noted(&log, "POSSE_ISA: \"sse9\" is none of what this processor can run");
    assert_int_equal(unsetenv("POSSE_ISA"), 0);
    assert_int_equal(posse_create(&def, &p), POSSE_OK);
    posse_free(p);
}

/* Everything is copied: what a posse was made from may be overwritten at once. */
static void tells_its_arms(const habitat *h, posse_part selector) {
    posse_def def = habitat_def(h);
    posse *p = habitat_posse(h, selector);
    assert_int_equal(posse_arms(p), def.arms);
    assert_int_equal(posse_dim(p), def.dim);
    posse_free(p);
}

LAW(a_posse_tells_its_arms) {
    for_every_team(tells_its_arms);
}

LAW(definitions_are_copied) {
    double points[21], weights[] = {1.0, 1.0};
    char kind[] = "linear-thompson", name[] = "mine", key[] = "width";
    memcpy(points, habitats[POINTS_7].points, sizeof points);
    posse_part parts[] = {{.kind = "linear"}, {.kind = "linear", .options = {NUMBER("noise", 0.5)}}};
    posse_part belief_ = {.kind = "mixture",
                          .options = {{.key = "components", .part = parts, .list = weights, .count = 2}}};
    posse_part learner = {.kind = kind, .name = name, .options = {{.key = key, .number = 0.5}}};
    posse_def def = habitat_def(&habitats[POINTS_7]);
    def.points = points;
    def.selector.options[0] = (posse_option){.key = "belief", .part = &belief_};
    def.learners = &learner;
    def.learner_count = 1;
    parade r;
    parade_begin(&r, &habitats[POINTS_7], posse_made(&def), 12);
    r.marchers[r.count++] = posse_made(&def);
    posse_free(r.marchers[--r.count]);
    parade_join(&r);
    memset(points, 0xff, sizeof points);
    memset(weights, 0xff, sizeof weights);
    memset(parts, 0xff, sizeof parts);
    memset(&belief_, 0xff, sizeof belief_);
    memset(&learner, 0xff, sizeof learner);
    memset(kind, 'x', sizeof kind - 1);
    memset(name, 'x', sizeof name - 1);
    memset(key, 'x', sizeof key - 1);
    memset(&def, 0xff, sizeof def);
    parade_march(&r, 100);
    assert_string_equal(posse_learner_name(r.marchers[0], 0), "mine");
    parade_leave(&r);
}

/* ------------------------------------------------- no memory --------------------------------------------------- */

/* Every n-th allocation fails in its turn, until there are none left to fail. */
static void creation_survives(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    purse mine = {0};
    posse_def def = team_def(h, selector, crew);
    def.host = purse_host(&mine);
    posse_error error = POSSE_ERROR_MEMORY;
    for (size_t n = 1; error != POSSE_OK; n++) {
        posse *p = (posse *)&def;
        mine.calls = 0;
        mine.fail_at = n;
        error = posse_create(&def, &p);
        assert_int_equal(error, mine.calls < n ? POSSE_OK : POSSE_ERROR_MEMORY);
        assert_int_equal(p == NULL, error != POSSE_OK);
        posse_free(p);
        assert_int_equal(mine.blocks, 0);
    }
}

/* The fourth place, the ninth, and the seventeenth: members and selector grow at different ones. */
static void additions_survive(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    purse mine = {0};
    int kinds = habitat_team(h, crew);
    posse_def def = team_def(h, selector, crew);
    def.learner_count = 3;
    def.host = purse_host(&mine);
    parade r;
    parade_begin(&r, h, posse_made(&def), 13);
    posse *p = r.marchers[0];
    parade_march(&r, 30);
    for (int place_at = 3; place_at < 18; place_at++) {
        posse_error error = POSSE_ERROR_MEMORY;
        for (size_t n = 1; error != POSSE_OK; n++) {
            mine.calls = 0;
            mine.fail_at = n;
            saved before = saved_from(p);
            error = posse_learner_add(p, &crew[place_at % kinds], NULL);
            saved after = saved_from(p);
            assert_true(error == POSSE_OK || error == POSSE_ERROR_MEMORY);
            assert_int_equal(saved_equal(&before, &after), error != POSSE_OK);
            assert_int_equal(posse_learner_count(p), place_at + (error == POSSE_OK));
            saved_drop(&before);
            saved_drop(&after);
        }
        mine.fail_at = 0;
        parade_march(&r, 10);
    }
    parade_leave(&r);
    assert_int_equal(mine.blocks, 0);
}

/* The table of pending decisions grows now and then; a decision that finds no room for itself is not made. */
static void decisions_survive(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    purse mine = {0};
    posse_def def = team_def(h, selector, crew);
    posse *fed = posse_made(&def);
    def.host = purse_host(&mine);
    posse *hungry = posse_made(&def);
    int refused = 0;
    for (int n = 0; n < 100; n++) {
        posse_decision d = decided(fed), e;
        mine.fail_at = mine.calls + 1;
        saved before = saved_from(hungry);
        posse_error error = posse_decide(hungry, &e);
        if (error != POSSE_OK) {
            saved after = saved_from(hungry);
            assert_int_equal(error, POSSE_ERROR_MEMORY);
            assert_true(saved_equal(&before, &after));
            saved_drop(&after);
            refused++;
            mine.fail_at = 0;
            assert_int_equal(posse_decide(hungry, &e), POSSE_OK);
        }
        saved_drop(&before);
        assert_true(d.id == e.id && d.learner == e.learner && d.arm == e.arm);
    }
    assert_true(refused >= 3);
    posse_free(fed);
    posse_free(hungry);
    assert_int_equal(mine.blocks, 0);
}

/* Saving asks for nothing; loading may be refused at any point. */
static void loading_survives(const habitat *h, posse_part selector) {
    purse mine = {0};
    posse_host host = purse_host(&mine);
    parade r;
    parade_begin(&r, h, habitat_posse(h, selector), 14);
    parade_march(&r, 100);
    assert_int_equal(posse_learner_retire(r.marchers[0], 1), POSSE_OK);
    saved s = saved_from(r.marchers[0]);
    posse_error error = POSSE_ERROR_MEMORY;
    for (size_t n = 1; error != POSSE_OK; n++) {
        posse *p = (posse *)&s;
        mine.calls = 0;
        mine.fail_at = n;
        error = posse_load(s.bytes, s.length, &host, &p);
        assert_int_equal(error, mine.calls < n ? POSSE_OK : POSSE_ERROR_MEMORY);
        if (error == POSSE_OK) {
            size_t length = s.length;
            uint8_t *copy = malloc(length);
            size_t calls = mine.calls;
            assert_int_equal(posse_save(p, copy, &length), POSSE_OK);
            assert_int_equal(mine.calls, calls);
            free(copy);
        } else {
            assert_null(p);
        }
        posse_free(p);
        assert_int_equal(mine.blocks, 0);
    }
    saved_drop(&s);
    parade_leave(&r);
}

static void environments_survive(void) {
    int count;
    const specimen *all = menagerie(POSSE_ENVIRONMENT, &count);
    assert_menagerie_complete(POSSE_ENVIRONMENT);
    for (int i = 0; i < count; i++) {
        purse mine = {0};
        posse_host host = purse_host(&mine);
        posse_error error = POSSE_ERROR_MEMORY;
        for (size_t n = 1; error != POSSE_OK; n++) {
            posse_environment *e = (posse_environment *)&host;
            mine.calls = 0;
            mine.fail_at = n;
            error = posse_environment_create(&all[i].part, 1, &host, &e);
            assert_int_equal(error, mine.calls < n ? POSSE_OK : POSSE_ERROR_MEMORY);
            assert_int_equal(e == NULL, error != POSSE_OK);
            posse_environment_free(e);
            assert_int_equal(mine.blocks, 0);
        }
    }
}

/* Every belief there is, as the selector's and as a learner's own. */
static void beliefs_survive(void) {
    int count;
    const specimen *all = menagerie(POSSE_BELIEF, &count);
    for (int i = 0; i < count; i++) {
        posse_part selector = {.kind = "bms", .options = {{.key = "belief", .part = &all[i].part}}};
        creation_survives(all[i].home, selector);
        loading_survives(all[i].home, selector);
    }
}

LAW(survives_no_memory) {
    menagerie_add_examples();
    assert_menagerie_complete(POSSE_BELIEF);
    assert_menagerie_complete(POSSE_LEARNER);
    for_every_team(creation_survives);
    for_every_team(additions_survive);
    for_every_team(decisions_survive);
    for_every_team(loading_survives);
    environments_survive();
    beliefs_survive();
}

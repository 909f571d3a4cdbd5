/* SPDX-License-Identifier: MIT */
/*
 * Tests of arms that are added and retired during the life of a posse. test_catalogue.c compares what is learned and
 * charged meanwhile with formulas.
 */
#include <math.h>
#include <string.h>

#include "menagerie.h"
#include "posse_abreast.h"
#include "stage.h"

/* -------------------------------------------- which parts allow it --------------------------------------------- */

static bool is_kind(const posse_part *part_, const char *kind) {
    return part_->kind != NULL && strcmp(part_->kind, kind) == 0;
}

/* Whether a part accepts arms that are added later: it has no table and no list with a number for each arm. */
static bool takes_newcomers(const posse_part *part_) {
    if (is_kind(part_, "information-lock") || is_kind(part_, "hypotheses") || is_kind(part_, "particles")) return false;
    static const char *const per_arm[] = {"mean",   "mean-sd", "sd",    "alpha", "beta",
                                          "weight", "shape",   "scale", "rate",  "covariance"};
    for (int i = 0; i < POSSE_OPTIONS_MAX && part_->options[i].key != NULL; i++) {
        const posse_option *o = &part_->options[i];
        for (int k = 0; k < LENGTH(per_arm) && o->list != NULL; k++)
            if (strcmp(o->key, per_arm[k]) == 0) return false;
        for (size_t k = 0; o->part != NULL && k < (o->list != NULL ? o->count : 1); k++)
            if (!takes_newcomers(&o->part[k])) return false;
    }
    return true;
}

/* The learners of a habitat that accept new arms; none if the prior does not accept them. */
static int open_team(const habitat *h, posse_part out[TEAM_MAX]) {
    posse_part all[TEAM_MAX];
    int count = 0, there = habitat_team(h, all);
    for (int i = 0; i < there && h->arms > 0 && takes_newcomers(&h->prior); i++)
        if (takes_newcomers(&all[i])) out[count++] = all[i];
    return count;
}

/* The learners of a habitat that accept the retirement of an arm. The information-lock learner does not. */
static int patient_team(const habitat *h, posse_part out[TEAM_MAX]) {
    posse_part all[TEAM_MAX];
    int count = 0, there = habitat_team(h, all);
    for (int i = 0; i < there && h->arms > 0; i++)
        if (!is_kind(&all[i], "information-lock")) out[count++] = all[i];
    return count;
}

/* The coordinates of newcomers, or NULL. */
static const double *newcomer_at(const habitat *h, int arm) {
    static const double points[][3] = {{0.2, -0.7, 0.1}, {-0.3, 0.3, -0.6}, {0.7, 0.6, -0.2}};
    return h->points != NULL ? points[arm % 3] : NULL;
}

static posse_def crew_def(const habitat *h, posse_part selector, const posse_part *crew, int count) {
    posse_def def = habitat_def(h);
    def.selector = selector;
    def.learners = crew;
    def.learner_count = count;
    return def;
}

/* Retires an arm. A fixed learner of that arm is retired first. */
static void retire_arm(posse *p, int arm) {
    for (int i = 0; i < posse_learner_count(p); i++) {
        posse_part recipe = recipe_part(p->members[i].recipe);
        if (posse_learner_active(p, i) && is_kind(&recipe, "fixed") && recipe.options[0].number == arm)
            assert_int_equal(posse_learner_retire(p, i), POSSE_OK);
    }
    assert_int_equal(posse_arm_retire(p, arm), POSSE_OK);
    assert_false(posse_arm_active(p, arm));
}

static int active_arms(const posse *p) {
    int count = 0;
    for (int a = 0; a < posse_arm_count(p); a++) count += posse_arm_active(p, a);
    return count;
}

/* A random active arm, or -1 if only one is left. */
static int some_arm(const posse *p, uint64_t *source) {
    if (active_arms(p) == 1) return -1;
    int arm;
    do arm = (int)random_below(source, (uint64_t)posse_arm_count(p));
    while (!posse_arm_active(p, arm));
    return arm;
}

/* As for_every_team, with every specimen of a selector. */
static void for_every_specimen(void (*law)(const habitat *h, posse_part selector)) {
    int count;
    menagerie_add_examples();
    const specimen *all = menagerie(POSSE_FAMILY_SELECTOR, &count);
    for (int h = 0; h < HABITATS; h++)
        for (int s = 0; s < count; s++)
            if (specimen_fits(&all[s].part, &habitats[h])) law(&habitats[h], all[s].part);
}

/* ------------------------------------------------- the same posse ---------------------------------------------- */

/* A posse to which an arm is added before the first round is the same as one created with it: same state, same
 * decisions. */
static void newcomer_is_a_founder(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    int count = open_team(h, crew);
    if (count == 0) return;
    double points[10 * 3];
    posse_def def = crew_def(h, selector, crew, count);
    posse *later = posse_made(&def);
    for (int k = 0; k < 2; k++) {
        int arm = -1;
        assert_int_equal(posse_arm_add(later, newcomer_at(h, k), &arm), POSSE_OK);
        assert_int_equal(arm, h->arms + k);
        assert_int_equal(posse_arm_count(later), h->arms + k + 1);
    }
    def.arms += 2;
    for (int a = 0; a < def.arms && h->points != NULL; a++)
        memcpy(points + 3 * a, a < h->arms ? h->points + 3 * a : newcomer_at(h, a - h->arms), 3 * sizeof *points);
    if (h->points != NULL) def.points = points;
    posse *founded = posse_made(&def);
    saved a = saved_from(later), b = saved_from(founded);
    assert_that(saved_equal(&a, &b), "%s under %s", h->name, selector.kind);
    saved_drop(&a);
    saved_drop(&b);
    parade r;
    parade_begin(&r, h, founded, 21);
    r.marchers[r.count++] = later;
    parade_march(&r, 300);
    parade_leave(&r);
}

LAW(newcomers_before_the_first_round_are_founders) {
    for_every_specimen(newcomer_is_a_founder);
}

/* A round in which all initial arms are available. */
static const posse_round *draw_round(const habitat *h, double *features, uint64_t *source, posse_round *out) {
    static const int arms[] = {0, 1, 2, 3, 4, 5, 6, 7};
    int width = h->dim + h->context;
    *out = (posse_round){h->arms, arms, width, h->dim > 0 ? (size_t)width : 0, features};
    for (int i = 0; i < h->arms * width; i++) features[i] = random_uniform(source) - 0.5;
    return out;
}

/* Gives rewards of the initial arms to the learner at place 0, and to the selector if there is one. */
static void tell(const posse *p, const habitat *h) {
    const member *m = &p->members[0];
    const chooser *s = &p->selector;
    uint64_t source = 26;
    double features[STAGE_NUMBERS];
    posse_round round;
    for (int n = 0; n < 150; n++) {
        int arm = (int)random_below(&source, (uint64_t)h->arms);
        const double *point = h->points != NULL ? h->points + h->dim * arm : NULL;
        if (posse_feature_count(p) > 0) point = round_features(draw_round(h, features, &source, &round), arm);
        double u = random_uniform(&source), reward = h->unit ? floor(u + 0.3 + 0.1 * arm) : u + 0.3 * arm;
        posse_outcome outcome = {.arm = arm, .point = point, .reward = fmin(reward, 1.0), .probability = 1.0};
        m->ops->learn(m->part.plan, m->state, arm, point, outcome.reward);
        if (s->ops == NULL) continue;
        if (s->ops->played_in != NULL)
            s->ops->played_in(s->part.plan, s->state, 0, &round, arm, p->selector_draw);
        else
            s->ops->played(s->part.plan, s->state, 0, arm, point);
        s->ops->learn(s->part.plan, s->state, &outcome);
    }
}

static void assert_states_close(const part *a, const double *x, const part *b, const double *y) {
    assert_int_equal(a->state_size, b->state_size);
    for (size_t i = 0; i < a->state_size / 8; i++)
        assert_that(memcmp(&x[i], &y[i], 8) == 0 || fabs(x[i] - y[i]) <= 1e-12 * (1.0 + fabs(y[i])),
                    "%s: number %d is %g, not %g", a->kind->name, (int)i, x[i], y[i]);
}

/* Whether a belief draws a prior at the beginning of each task. That draw does not include an arm that is added
 * later. */
static bool draws_its_prior(const posse_part *learner) {
    const posse_option *belief = posse_part_option(learner, "belief");
    const posse_option *method = belief != NULL ? posse_part_option(belief->part, "method") : NULL;
    return method != NULL && strcmp(method->word, "meta") == 0;
}

/*
 * A posse that learns and then gets a new arm has the state of a posse that had the arm from the start and learned the
 * same rewards. Beliefs that drift are left out, because an arm that existed from the start has drifted (test_drift.c
 * tests new arms there). So is sgd-cover, whose bonus depends on the number of arms at that time.
 */
static void learned_before_is_learned(const habitat *h, posse_part selector, const posse_part *learner) {
    if (is_restless(learner) || draws_its_prior(learner) || is_kind(learner, "sgd-cover")) return;
    double points[9 * 3];
    posse_def def = crew_def(h, selector, learner, 1);
    posse *grown = posse_made(&def);
    tell(grown, h);
    assert_int_equal(posse_arm_add(grown, newcomer_at(h, 0), NULL), POSSE_OK);
    if (h->points != NULL) {
        memcpy(points, h->points, (size_t)(h->arms * h->dim) * sizeof *points);
        memcpy(points + h->arms * h->dim, newcomer_at(h, 0), 3 * sizeof *points);
        def.points = points;
    }
    def.arms++;
    posse *made = posse_made(&def);
    tell(made, h);
    assert_states_close(&grown->members[0].part, grown->members[0].state, &made->members[0].part,
                        made->members[0].state);
    if (selector.kind != NULL)
        assert_states_close(&grown->selector.part, grown->selector.state, &made->selector.part, made->selector.state);
    posse_free(grown);
    posse_free(made);
}

/* Selectors with `forgetting` are left out, because they weigh plays by the number of arms at that time. */
static void selector_keeps_what_it_learned(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    if (posse_part_option(&selector, "forgetting") != NULL) return;
    if (open_team(h, crew) > 0) learned_before_is_learned(h, selector, &crew[0]);
}

LAW(newcomers_change_nothing_that_was_learned) {
    int count;
    for_every_specimen(selector_keeps_what_it_learned);
    const specimen *all = menagerie(POSSE_FAMILY_LEARNER, &count);
    for (int i = 0; i < count; i++)
        if (all[i].home->arms > 0 && takes_newcomers(&all[i].part) && takes_newcomers(&all[i].home->prior))
            learned_before_is_learned(all[i].home, (posse_part){0}, &all[i].part);
    all = menagerie(POSSE_FAMILY_BELIEF, &count);
    for (int i = 0; i < count; i++) {
        posse_part thompson = {.kind = "thompson", .options = {{.key = "belief", .part = &all[i].part}}};
        if (all[i].home->arms > 0 && takes_newcomers(&all[i].part))
            learned_before_is_learned(all[i].home, (posse_part){0}, &thompson);
    }
}

/* The retirement of an arm keeps its statistics. The state does not change, except for pairs of rounds that would
 * play the arm again. */
LAW(retirement_changes_nothing_that_was_learned) {
    int count;
    const specimen *all = menagerie(POSSE_FAMILY_BELIEF, &count);
    for (int i = 0; i < count; i++) {
        if (all[i].home->arms == 0) continue;
        posse_part learner = {.kind = "thompson", .options = {{.key = "belief", .part = &all[i].part}}};
        posse_part selector = {.kind = "bms", .options = {{.key = "belief", .part = &all[i].part}}};
        posse_def def = crew_def(all[i].home, selector, &learner, 1);
        posse *p = posse_made(&def), *q = posse_made(&def);
        tell(p, all[i].home);
        tell(q, all[i].home);
        assert_int_equal(posse_arm_retire(p, 1), POSSE_OK);
        assert_states_close(&p->members[0].part, p->members[0].state, &q->members[0].part, q->members[0].state);
        assert_states_close(&p->selector.part, p->selector.state, &q->selector.part, q->selector.state);
        posse_free(p);
        posse_free(q);
    }
}

/* The weights of plays, which depend on the number of arms, are those from when there were fewer arms. */
LAW(weights_of_plays_before_newcomers_can_be_loaded) {
    posse_part selector = {.kind = "bms", .options = {NUMBER("patience", 0), NUMBER("forgetting", 1)}};
    posse_part learner = {.kind = "ucb"};
    habitat one = habitats[ARMS_5];
    one.arms = 1;
    posse_def def = crew_def(&one, selector, &learner, 1);
    parade r;
    parade_begin(&r, &one, posse_made(&def), 27);
    parade_march(&r, 300);
    for (int n = 0; n < 30; n++) assert_int_equal(posse_arm_add(r.marchers[0], NULL, NULL), POSSE_OK);
    parade_join(&r);
    parade_march(&r, 100);
    parade_leave(&r);
}

/* Arms are added and retired in posses with learners and beliefs of every kind, which are saved and loaded again and
 * again. */
static void change_is_saved(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    int open = open_team(h, crew), count = open > 0 ? open : patient_team(h, crew);
    if (count == 0) return;
    posse_def def = crew_def(h, selector, crew, count);
    parade r;
    parade_begin(&r, h, posse_made(&def), 22);
    for (int n = 0; n < 16; n++) {
        parade_march(&r, 40);
        int leaving = some_arm(r.marchers[0], &r.source), coming = posse_arm_count(r.marchers[0]);
        for (int i = 0; i < r.count; i++) {
            if (leaving >= 0 && n % 3 != 0) retire_arm(r.marchers[i], leaving);
            if (open > 0 && n % 2 == 0)
                assert_int_equal(posse_arm_add(r.marchers[i], newcomer_at(h, coming), NULL), POSSE_OK);
        }
        if (r.count < MARCHERS_MAX) parade_join(&r);
    }
    parade_march(&r, 100);
    parade_leave(&r);
}

LAW(saved_is_same_when_arms_came_and_went) {
    for_every_specimen(change_is_saved);
}

/* In a saved posse, the number of retired arms and their list follow the seed, the run, the rounds, and the four
 * numbers of the arms. */
LAW(lists_of_retired_arms_are_checked) {
    static const uint64_t wrong[][3] = {{5, 1, 3}, {1, 1, 3}, {2, 3, 3}, {2, 3, 1}, {2, 1, 5}, {UINT64_MAX, 1, 3}};
    posse *p = two_ucbs((posse_part){.kind = "bms"}), *q;
    for (int arm = 1; arm <= 3; arm += 2) assert_int_equal(posse_arm_retire(p, arm), POSSE_OK);
    saved s = saved_from(p);
    uint64_t *words = (uint64_t *)(void *)(s.bytes + SAVED_HEADER) + 7;
    assert_true(words[0] == 2 && words[1] == 1 && words[2] == 3);
    for (int i = 0; i < LENGTH(wrong); i++) {
        memcpy(words, wrong[i], sizeof wrong[i]);
        saved_seal(&s);
        assert_int_equal(posse_load(s.bytes, s.length, NULL, &q), POSSE_ERROR_DAMAGED);
    }
    saved_drop(&s);
    posse_free(p);
}

/* --------------------------------------------------- retirement ------------------------------------------------ */

static void play_on(posse *p, const habitat *h, int rounds) {
    for (int n = 0; n < rounds; n++) {
        posse_decision d;
        assert_int_equal(stage_decide(p, &d), POSSE_OK);
        bool outside = d.arm == POSSE_ARM_UNTOLD; /* an external learner may have played any arm */
        act_outside(p, &d);
        assert_that(outside || posse_arm_active(p, d.arm), "%s: learner %s picked arm %d, which is retired", h->name,
                    posse_learner_name(p, d.learner), d.arm);
        if (n % 7 != 3) assert_int_equal(posse_learn(p, d.id, parade_reward(h->unit, &d)), POSSE_OK);
    }
}

/* Under every selector, with pairs and batches, with learners that are added later, and after a restart. */
static void retired_rest(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    int count = patient_team(h, crew);
    uint64_t source = 23;
    for (int batch = 1; batch <= 3 && count > 0; batch += 2) {
        selector = with_option(selector, (posse_option)NUMBER("batch", batch));
        selector = with_option(selector, (posse_option)NUMBER("share", batch == 3));
        posse_def def = crew_def(h, selector, crew, count);
        posse *p = posse_made(&def);
        retire_arm(p, 0); /* before any learner has tried it */
        while (active_arms(p) > 1) {
            play_on(p, h, 60);
            retire_arm(p, some_arm(p, &source));
            if (!is_kind(&crew[1], "fixed")) assert_int_equal(posse_learner_add(p, &crew[1], NULL), POSSE_OK);
        }
        play_on(p, h, 60);
        assert_int_equal(posse_restart(p, 5), POSSE_OK);
        play_on(p, h, 60);
        posse_free(p);
    }
}

LAW(retired_arms_are_never_picked) {
    for_every_specimen(retired_rest);
}

/* Each learner alone, where the last arms retire first, so that lists of active arms are shorter than the number of
 * arms. */
LAW(learners_alone_pick_no_retired_arm) {
    int count;
    const specimen *all = menagerie(POSSE_FAMILY_LEARNER, &count);
    for (int i = 0; i < count; i++) {
        if (all[i].home->arms == 0 || is_kind(&all[i].part, "information-lock")) continue;
        posse_def def = crew_def(all[i].home, (posse_part){0}, &all[i].part, 1);
        posse *p = posse_made(&def);
        int played = is_kind(&all[i].part, "fixed") ? (int)all[i].part.options[0].number : -1;
        for (int arm = posse_arm_count(p) - 1; arm >= 0 && active_arms(p) > 1; arm--)
            if (arm != played) {
                retire_arm(p, arm);
                play_on(p, all[i].home, 40);
            }
        posse_free(p);
    }
}

/* Epsilon-greedy explores each active arm equally often. */
LAW(exploring_is_even_among_those_there) {
    posse_part wanderer = {.kind = "epsilon-greedy", .options = {NUMBER("epsilon", 1.0)}};
    posse_def def = crew_def(&habitats[ARMS_5], (posse_part){0}, &wanderer, 1);
    posse *p = posse_made(&def);
    retire_arm(p, 1);
    assert_int_equal(posse_arm_add(p, NULL, NULL), POSSE_OK);
    retire_arm(p, 4);
    int picks[6] = {0}, rounds = 40000;
    for (int n = 0; n < rounds; n++) {
        posse_decision d = decided(p);
        picks[d.arm]++;
        assert_int_equal(posse_forget(p, d.id), POSSE_OK);
    }
    for (int a = 0; a < 6; a++) {
        double share = a == 1 || a == 4 ? 0.0 : 0.25, sd = sqrt(rounds * share * (1.0 - share));
        assert_that(fabs(picks[a] - rounds * share) <= Z_MAX * sd, "arm %d was picked %d times", a, picks[a]);
    }
    posse_free(p);
}

/* --------------------------------------------------- no memory ------------------------------------------------- */

/* An arm is added and one is retired with an allocator that fails at the n-th call, for every n. */
static void change_survives(const habitat *h, posse_part selector) {
    posse_part crew[TEAM_MAX];
    purse mine = {0};
    int open = open_team(h, crew), count = open > 0 ? open : patient_team(h, crew);
    if (count == 0) return;
    posse_def def = crew_def(h, selector, crew, count);
    def.host = purse_host(&mine);
    parade r;
    parade_begin(&r, h, posse_made(&def), 25);
    posse *p = r.marchers[0];
    for (int k = open > 0 ? 0 : 1; k<4; k += open> 0 ? 1 : 2) {
        bool adds = k % 2 == 0;
        int arms = posse_arm_count(p);
        posse_error error = POSSE_ERROR_MEMORY;
        parade_march(&r, 30);
        for (size_t n = 1; error != POSSE_OK; n++) {
            saved before = saved_from(p);
            size_t bytes = mine.bytes;
            mine.calls = 0;
            mine.fail_at = n;
            error = adds ? posse_arm_add(p, newcomer_at(h, arms), NULL) : posse_arm_retire(p, k);
            saved after = saved_from(p);
            assert_int_equal(error, mine.calls < n ? POSSE_OK : POSSE_ERROR_MEMORY);
            assert_int_equal(saved_equal(&before, &after), error != POSSE_OK);
            assert_int_equal(posse_arm_count(p), arms + (adds && error == POSSE_OK));
            if (error != POSSE_OK) assert_int_equal(mine.bytes, bytes);
            saved_drop(&before);
            saved_drop(&after);
        }
        mine.fail_at = 0;
    }
    parade_march(&r, 30);
    parade_leave(&r);
    assert_int_equal(mine.blocks, 0);
}

LAW(arms_survive_no_memory) {
    for_every_specimen(change_survives);
}

/* However many arms were added one by one, a posse holds at most the memory of one that was created with all of
 * them, plus its initial block. */
LAW(nothing_is_kept_of_former_arms) {
    purse grown = {0}, made = {0};
    posse_part crew[TEAM_MAX];
    posse_def def = crew_def(&habitats[ARMS_5], (posse_part){.kind = "bms"}, crew, open_team(&habitats[ARMS_5], crew));
    def.host = purse_host(&grown);
    posse *p = posse_made(&def);
    size_t founded = grown.bytes;
    for (int n = 0; n < 60; n++) assert_int_equal(posse_arm_add(p, NULL, NULL), POSSE_OK);
    def.arms += 60;
    def.host = purse_host(&made);
    posse *q = posse_made(&def);
    /* A learner that was made again has separate blocks, the last of which may be nearly empty. */
    size_t blocks = (size_t)def.learner_count * 512;
    assert_that(grown.bytes <= made.bytes + founded + blocks, "%zu bytes, %zu and %zu", grown.bytes, made.bytes,
                founded);
    posse_free(p);
    posse_free(q);
}

/* ---------------------------------------------- parts that refuse ---------------------------------------------- */

/* Adds an arm to a posse with one belief or learner, and retires one. `in` and `out`: whether each must succeed. */
static void assert_open(const habitat *h, const posse_part *selector, const posse_part *learner, bool in, bool out) {
    notes log = {0};
    posse_def def = crew_def(h, *selector, learner, 1);
    def.host.log = notes_logger(&log);
    posse *p = posse_made(&def);
    for (int n = 0; n < 20; n++) decided(p);
    if (in)
        assert_int_equal(posse_arm_add(p, newcomer_at(h, 0), NULL), POSSE_OK);
    else
        assert_refused(p, posse_arm_add(p, newcomer_at(h, 0), NULL), POSSE_ERROR_FIT);
    assert_int_equal(posse_arm_count(p), h->arms + in);
    if (out)
        assert_int_equal(posse_arm_retire(p, 0), POSSE_OK);
    else
        assert_refused(p, posse_arm_retire(p, 0), POSSE_ERROR_FIT);
    assert_int_equal(posse_arm_active(p, 0), !out);
    assert_that(log.count == !in + !out, "%s, %s: the log has %d messages:\n%s", selector->kind, learner->kind,
                log.count, log.text);
    for (int n = 0; n < 20; n++) decided(p);
    posse_free(p);
}

/* Every belief over arms, and every learner, accepts or refuses new and retired arms as declared above. */
LAW(every_part_says_whether_it_can_go_on) {
    static const posse_part ucb = {.kind = "ucb"}, bms = {.kind = "bms"}, none = {0};
    int count;
    menagerie_add_examples();
    assert_menagerie_complete(POSSE_FAMILY_BELIEF);
    const specimen *all = menagerie(POSSE_FAMILY_BELIEF, &count);
    for (int i = 0; i < count; i++) {
        if (all[i].home->arms == 0) continue;
        posse_part selector = {.kind = "bms", .options = {{.key = "belief", .part = &all[i].part}}};
        habitat home = *all[i].home;
        home.prior = (posse_part){0};
        assert_open(&home, &selector, &ucb, takes_newcomers(&all[i].part), true);
        home.prior = all[i].part;
        assert_open(&home, &bms, &ucb, takes_newcomers(&all[i].part), true);
    }
    all = menagerie(POSSE_FAMILY_LEARNER, &count);
    for (int i = 0; i < count; i++) {
        if (all[i].home->arms == 0) continue;
        bool in = takes_newcomers(&all[i].part) && takes_newcomers(&all[i].home->prior);
        assert_open(all[i].home, &none, &all[i].part, in, !is_kind(&all[i].part, "information-lock"));
    }
}

/* The message has the part that refuses, and the reason. */
LAW(the_log_names_the_part_that_cannot_go_on) {
    static const double means[] = {0.0, 0.1, 0.2, 0.3, 0.4};
    static const posse_part listed = {.kind = "gaussian", .options = {LIST("mean", means)}};
    static const posse_part solver = {.kind = "information-lock"};
    static const posse_part crew[] = {{.kind = "ucb"},
                                      {.kind = "thompson", .options = {{.key = "belief", .part = &listed}}},
                                      {.kind = "fixed", .options = {NUMBER("arm", 2)}}};
    notes log = {0};
    posse_def def = crew_def(&habitats[ARMS_5], (posse_part){.kind = "bms"}, crew, 3);
    def.host.log = notes_logger(&log);
    posse *p = posse_made(&def);
    assert_refused(p, posse_arm_add(p, NULL, NULL), POSSE_ERROR_FIT);
    assert_noted(
        &log, "learners[1].belief.mean: a list of 5 numbers, but there are 6 arms; if arms are added later, give one "
              "number for all");
    assert_refused(p, posse_arm_retire(p, 2), POSSE_ERROR_FIT);
    assert_noted(&log, "learners[2].arm: arm 2 is retired, and a fixed learner plays no other");
    assert_int_equal(posse_learner_retire(p, 2), POSSE_OK);
    assert_int_equal(posse_arm_retire(p, 2), POSSE_OK);
    assert_refused(p, posse_learner_add(p, &crew[2], NULL), POSSE_ERROR_FIT);
    assert_int_equal(posse_learner_retire(p, 1), POSSE_OK);
    assert_int_equal(posse_arm_add(p, NULL, NULL), POSSE_OK);
    posse_free(p);

    def = crew_def(&habitats[LOCK_6], (posse_part){0}, &solver, 1);
    def.host.log = notes_logger(&log);
    p = posse_made(&def);
    assert_refused(p, posse_arm_retire(p, 3), POSSE_ERROR_FIT);
    assert_noted(&log, "learners[0]: kind \"information-lock\" does not support arms that are added or retired later");
    posse_free(p);
}

/* A registered learner that claims to support retired arms, but always picks the first one. */
static posse_error stubborn_prepare(const posse_setup *setup, void **plan) {
    *plan = posse_setup_allocate(setup, 8);
    return *plan != NULL ? POSSE_OK : POSSE_ERROR_MEMORY;
}

static size_t stubborn_size(const void *plan) {
    (void)plan;
    return 0;
}

static void stubborn_grow(const void *plan, void *state, const void *former_plan, const void *former_state) {
    (void)plan, (void)state, (void)former_plan, (void)former_state;
}

static int stubborn_act(const void *plan, void *state, posse_draw *draw, double *point) {
    (void)plan, (void)state, (void)draw, (void)point;
    return 0;
}

static void stubborn_learn(const void *plan, void *state, int arm, const double *point, double reward) {
    (void)plan, (void)state, (void)arm, (void)point, (void)reward;
}

LAW(retired_arms_of_extensions_are_refused) {
    static const posse_learner_ops stubborn = {.kind = {.version = POSSE_EXTENSION_VERSION,
                                                        .name = "stubborn",
                                                        .help = "the first arm",
                                                        .prepare = stubborn_prepare,
                                                        .state_size = stubborn_size,
                                                        .grow = stubborn_grow},
                                               .act = stubborn_act,
                                               .learn = stubborn_learn};
    static const posse_part one = {.kind = "stubborn"};
    posse_decision d;
    assert_int_equal(posse_learner_register(&stubborn), POSSE_OK);
    posse_def def = crew_def(&habitats[ARMS_5], (posse_part){0}, &one, 1);
    posse *p = posse_made(&def);
    assert_int_equal(decided(p).arm, 0);
    assert_int_equal(posse_arm_retire(p, 0), POSSE_OK);
    assert_int_equal(stage_decide(p, &d), POSSE_ERROR_ARM);
    assert_int_equal(posse_pending_count(p), 1);
    posse_free(p);
}

/* ------------------------------------------------- wrong arguments --------------------------------------------- */

LAW(arms_that_cannot_come_or_go_are_refused) {
    double point[] = {0.1, 0.2, 0.3}, bad[] = {0.1, NAN, 0.3}, far[] = {0.0, 0.0, 1e200};
    int arm = 77;
    assert_int_equal(posse_arm_add(NULL, NULL, &arm), POSSE_ERROR_ARGUMENT);
    assert_int_equal(posse_arm_retire(NULL, 0), POSSE_ERROR_ARGUMENT);
    assert_false(posse_arm_active(NULL, 0));

    posse *p = two_ucbs((posse_part){.kind = "bms"});
    assert_refused(p, posse_arm_add(p, point, &arm), POSSE_ERROR_ARGUMENT);
    assert_refused(p, posse_arm_retire(p, -1), POSSE_ERROR_ARM);
    assert_refused(p, posse_arm_retire(p, 5), POSSE_ERROR_ARM);
    for (int a = 0; a < 4; a++) assert_int_equal(posse_arm_retire(p, a), POSSE_OK);
    assert_refused(p, posse_arm_retire(p, 2), POSSE_ERROR_ARM); /* twice */
    assert_refused(p, posse_arm_retire(p, 4), POSSE_ERROR_ARM); /* beyond the last */
    assert_false(posse_arm_active(p, -1) || posse_arm_active(p, 0) || posse_arm_active(p, 5));
    assert_true(posse_arm_active(p, 4));
    assert_int_equal(arm, 77);
    posse_free(p);

    p = habitat_posse(&habitats[POINTS_7], (posse_part){.kind = "bms"});
    assert_refused(p, posse_arm_add(p, NULL, &arm), POSSE_ERROR_ARGUMENT);
    assert_refused(p, posse_arm_add(p, bad, &arm), POSSE_ERROR_FIT);
    assert_refused(p, posse_arm_add(p, far, &arm), POSSE_ERROR_FIT);
    posse_free(p);

    p = habitat_posse(&habitats[BALL_3], (posse_part){.kind = "bms"});
    assert_refused(p, posse_arm_add(p, point, &arm), POSSE_ERROR_FIT);
    assert_refused(p, posse_arm_retire(p, 0), POSSE_ERROR_FIT);
    assert_false(posse_arm_active(p, 0) || posse_arm_active(p, -1));
    posse_free(p);

    static const posse_part outside = {.kind = "external"};
    habitat nowhere = {.name = "nowhere"};
    posse_def def = crew_def(&nowhere, (posse_part){.kind = "uniform"}, &outside, 1);
    p = posse_made(&def);
    assert_refused(p, posse_arm_add(p, NULL, &arm), POSSE_ERROR_FIT);
    assert_refused(p, posse_arm_retire(p, 0), POSSE_ERROR_FIT);
    posse_free(p);
}

/* Runs abreast support posses without retired arms only. */
LAW(retired_arms_are_not_played_abreast) {
    posse_part world = {.kind = "gaussian", .options = {NUMBER("arms", 3)}}, learner = {.kind = "ucb"};
    posse_environment *e = environment_made(&world, 1);
    posse *p = alone_made(e, &learner);
    posse_abreast *a;
    assert_int_equal(posse_abreast_create(e, &a), POSSE_OK);
    assert_int_equal(posse_abreast_add(a, p), POSSE_OK);
    assert_int_equal(posse_arm_retire(p, 1), POSSE_OK);
    assert_int_equal(posse_abreast_add(a, p), POSSE_ERROR_ABSENT);
    posse_abreast_free(a);
    posse_free(p);
    posse_environment_free(e);
}

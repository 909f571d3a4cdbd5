/* SPDX-License-Identifier: MIT */
/*
 * Tests of robust beliefs: `robust` stands for a mixture that could be written out by hand, wherever a belief can be
 * given.
 */
#include <math.h>
#include <string.h>

#include "posse_abreast.h"
#include "written_out.h"

static posse_part made_robust(posse_part belief) {
    return with_option(belief, (posse_option)NUMBER("robust", 1));
}

/* ------------------------------------------- the mixture, to the bit -------------------------------------------- */

/* The plain form of beliefs that have a robust one: of every kind, with numbers, with lists, and at the ends of
 * ranges. */
static const double five_means[] = {0.0, 0.5, -0.5, 1.0, 0.25}, five_sds[] = {1.0, 0.5, 9e49, 1e-50, 1.5};
static const double four_alphas[] = {1.0, 0.5, 300.0, 2.0}, four_betas[] = {2.0, 0.5, 1.0, 1e-6};
static const double table[] = {0.0, 0.5, 1.0, -0.5, 0.2, 1.0, 0.0, 0.0, 0.5, 0.1};

static const double unit_covariance[] = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1};

static const specimen plain[] = {
    {&habitats[ARMS_5], {.kind = "gaussian"}},
    {&habitats[ARMS_5], {.kind = "gaussian", .options = {NUMBER("sd", 0.05), NUMBER("noise", 0.7)}}},
    {&habitats[ARMS_5], {.kind = "gaussian", .options = {LIST("mean", five_means), LIST("sd", five_sds)}}},
    {&habitats[ARMS_5], {.kind = "gaussian", .options = {NUMBER("sd", 1e50), NUMBER("noise", 1e-50)}}},
    {&habitats[POINTS_7], {.kind = "gaussian", .options = {NUMBER("mean", 0.3)}}},
    {&habitats[COINS_4], {.kind = "beta"}},
    {&habitats[COINS_4], {.kind = "beta", .options = {NUMBER("beta", 15.0)}}},
    {&habitats[COINS_4], {.kind = "beta", .options = {NUMBER("alpha", 1e-6), NUMBER("beta", 1e-6)}}},
    {&habitats[COINS_4], {.kind = "beta", .options = {NUMBER("alpha", 70.0), NUMBER("beta", 30.0)}}},
    {&habitats[COINS_4], {.kind = "beta", .options = {LIST("alpha", four_alphas), NUMBER("beta", 40.0)}}},
    {&habitats[COINS_4], {.kind = "beta", .options = {LIST("alpha", four_alphas), LIST("beta", four_betas)}}},
    {&habitats[COUPONS_7], {.kind = "logistic", .options = {NUMBER("precision", 3.0)}}},
    {&habitats[COUPONS_7], {.kind = "logistic", .options = {WORD("inference", "exact"), NUMBER("candidates", 4)}}},
    {&habitats[POINTS_7], {.kind = "linear"}},
    {&habitats[POINTS_7], {.kind = "linear", .options = {NUMBER("precision", 1e-11), NUMBER("noise", 0.3)}}},
    {&habitats[BALL_3], {.kind = "linear", .options = {NUMBER("precision", 2.0), NUMBER("noise", 1e6)}}},
    {&habitats[LOCK_6], {.kind = "information-lock"}},
    {&habitats[LOCK_6], {.kind = "information-lock", .options = {NUMBER("noise", 0.1)}}},
    {&habitats[ARMS_5], {.kind = "hypotheses", .options = {LIST("table", table), NUMBER("noise", 2.0)}}},
    {&habitats[ARMS_5], {.kind = "particles", .options = {LIST("table", table), NUMBER("kernel", 0.2)}}},
    {&habitats[ARMS_5], {.kind = "normal-gamma"}},
    {&habitats[ARMS_5],
     {.kind = "normal-gamma", .options = {LIST("mean", five_means), NUMBER("weight", 1e-11), NUMBER("shape", 3.0)}}},
    {&habitats[POINTS_7], {.kind = "linear", .options = {NUMBER("noise.shape", 3.0), NUMBER("precision", 0.5)}}},
    {&habitats[BALL_3], {.kind = "linear", .options = {NUMBER("noise.scale", 1e-100)}}},
    {&habitats[COUNTS_4], {.kind = "gamma"}},
    {&habitats[COUNTS_4], {.kind = "gamma", .options = {LIST("shape", four_alphas), LIST("rate", four_betas)}}},
    {&habitats[ARMS_5], {.kind = "joint-gaussian", .options = {LIST("mean", five_means), NUMBER("correlation", 0.3)}}},
    {&habitats[ARMS_5], {.kind = "joint-gaussian", .options = {LIST("covariance", unit_covariance)}}},
    {&habitats[ARMS_5], {.kind = "hierarchical", .options = {NUMBER("noise", 0.7)}}},
    {&habitats[ARMS_5], {.kind = "hierarchical", .options = {LIST("mean-sd", five_sds), NUMBER("spread", 0.2)}}},
};

static void learn_some(twin *t, const habitat *h, int rewards) {
    for (int n = 0; n < rewards; n++) {
        double point[3] = {0.5, 0.1 * (n % 4), -0.2};
        int arm = h->arms > 0 ? n % h->arms : -1;
        const double *at = h->dim == 0 ? NULL : h->arms > 0 ? h->points + arm * h->dim : point;
        belief_update(&t->belief, t->state, arm, at, h->unit ? n % 3 == 0 : 0.3 * (n % 7) - 0.5);
    }
}

/* The states of two beliefs are the same, and so are the worlds that they draw. */
static void assert_same_belief(twin *t, twin *u) {
    assert_int_equal(t->belief.part.state_size, u->belief.part.state_size);
    assert_memory_equal(t->state, u->state, t->belief.part.state_size);
    for (int n = 0; n < 20; n++) {
        twin_draw(t);
        twin_draw(u);
        assert_memory_equal(t->world, u->world, (size_t)t->belief.shape.dim * sizeof(double));
    }
}

LAW(robust_is_the_mixture_written_out) {
    for (int i = 0; i < LENGTH(plain); i++) {
        const habitat *h = plain[i].home;
        posse_def def = habitat_def(h);
        written_out w;
        posse_part robust = made_robust(plain[i].part), mixture = written_out_robust(&plain[i].part, h->arms, &w);
        static const int counts[] = {0, 1, 200};
        for (int k = 0; k < LENGTH(counts); k++) {
            twin t, u;
            twin_open(&t, &def, &robust);
            twin_open(&u, &def, &mixture);
            learn_some(&t, h, counts[k]);
            learn_some(&u, h, counts[k]);
            assert_same_belief(&t, &u);
            twin_close(&t);
            twin_close(&u);
        }
    }
}

/* After a few rewards, the three components of a robust beta belief have different weights, for any alpha and beta. */
LAW(variants_of_a_beta_belief_differ) {
    static const double counts[] = {1e-6, 0.05, 0.5, 1.0, 2.0, 13.0, 13.5, 25.0, 90.0, 1e6};
    posse_part learner = {.kind = "fixed", .options = {NUMBER("arm", 0)}};
    for (int i = 0; i < LENGTH(counts) * LENGTH(counts); i++) {
        double alpha = counts[i / LENGTH(counts)], beta = counts[i % LENGTH(counts)], weights[3];
        posse_def def = habitat_def(&habitats[COINS_4]);
        def.prior = (posse_part){.kind = "beta",
                                 .options = {NUMBER("alpha", alpha), NUMBER("beta", beta), NUMBER("robust", 1)}};
        def.learners = &learner;
        def.learner_count = 1;
        posse *p = posse_made(&def);
        assert_int_equal(posse_component_count(p), 3);
        for (int n = 0; n < 4; n++) {
            posse_decision d;
            assert_int_equal(posse_decide(p, NULL, &d), POSSE_OK);
            assert_int_equal(posse_learn(p, d.id, n != 1), POSSE_OK);
        }
        assert_int_equal(posse_weights(p, weights), POSSE_OK);
        assert_that(weights[0] != weights[1] && weights[0] != weights[2] && weights[1] != weights[2],
                    "Beta(%g, %g): %.17g, %.17g, %.17g", alpha, beta, weights[0], weights[1], weights[2]);
        posse_free(p);
    }
}

/* Every kind of the library except two has a robust form. This checks that the list above is complete. */
LAW(kinds_with_a_robust_form_are_those_that_are_tried) {
    for (int k = 0; k < posse_kind_count(POSSE_FAMILY_BELIEF); k++) {
        bool tried = false;
        for (int i = 0; i < LENGTH(plain); i++)
            tried = tried || strcmp(plain[i].part.kind, posse_kind_name(POSSE_FAMILY_BELIEF, k)) == 0;
        const char *kind = posse_kind_name(POSSE_FAMILY_BELIEF, k);
        assert_int_equal(tried, strcmp(kind, "mixture") != 0 && strcmp(kind, "mdp") != 0);
    }
}

/* ------------------------------------- everywhere a belief can be given ----------------------------------------- */

/* Posses that differ only in how the robust belief is written make the same decisions. */
static void march_together(const habitat *h, const posse_def *a, const posse_def *b) {
    parade r;
    parade_begin(&r, h, posse_made(a), 71);
    r.marchers[r.count++] = posse_made(b);
    parade_march(&r, 200);
    parade_leave(&r);
}

LAW(a_robust_prior_is_what_selector_and_learners_start_from) {
    for (int i = 0; i < LENGTH(plain); i++) {
        written_out w;
        posse_part mixture = written_out_robust(&plain[i].part, plain[i].home->arms, &w);
        posse_part learners[] = {{.kind = "thompson", .name = "a"}, {.kind = "thompson", .name = "b"}};
        posse_part own[] = {
            {.kind = "thompson", .name = "a", .options = {{.key = "belief", .part = &mixture}}},
            {.kind = "thompson", .name = "b", .options = {{.key = "belief", .part = &mixture}}},
        };
        posse_def def = habitat_def(plain[i].home), other = def;
        def.prior = made_robust(plain[i].part);
        def.learners = learners;
        other.learners = own;
        def.learner_count = other.learner_count = 2;
        other.selector.options[0] = (posse_option){.key = "belief", .part = &mixture};
        march_together(plain[i].home, &def, &other);
    }
}

LAW(components_of_a_mixture_may_be_robust) {
    static const double weights[] = {1.0, 3.0};
    written_out w;
    posse_part narrow = {.kind = "gaussian", .options = {NUMBER("sd", 0.1)}};
    posse_part inner[] = {made_robust(narrow), {.kind = "gaussian", .options = {NUMBER("mean", 1.0)}}};
    posse_part written[] = {written_out_robust(&narrow, 5, &w), inner[1]};
    posse_part learner = {.kind = "thompson"};
    posse_def def = habitat_def(&habitats[ARMS_5]), other = def;
    def.prior =
        (posse_part){.kind = "mixture", .options = {{"components", .part = inner, .list = weights, .count = 2}}};
    other.prior = def.prior;
    other.prior.options[0].part = written;
    def.learners = other.learners = &learner;
    def.learner_count = other.learner_count = 1;
    march_together(&habitats[ARMS_5], &def, &other);
}

/* A learner inherits the precision or noise that the prior is given with, not that of a variant. */
static void inherits(const habitat *h, posse_part prior, const char *learner, posse_option option) {
    posse_part bare = {.kind = learner}, told = with_option(bare, option);
    posse_def def = habitat_def(h);
    def.prior = made_robust(with_option(prior, option));
    posse_def other = def;
    def.learners = &bare;
    other.learners = &told;
    def.learner_count = other.learner_count = 1;
    march_together(h, &def, &other);
}

LAW(learners_inherit_from_a_robust_prior) {
    inherits(&habitats[POINTS_7], (posse_part){.kind = "linear"}, "linear-thompson",
             (posse_option)NUMBER("precision", 7.0));
    inherits(&habitats[LOCK_6], (posse_part){.kind = "information-lock"}, "information-lock",
             (posse_option)NUMBER("noise", 0.2));
}

/* The runs of a robust belief are played one by one. Those of a belief with `robust: no` are still played abreast. */
LAW(plain_beliefs_still_play_abreast) {
    posse_part bandit = {.kind = "gaussian", .options = {NUMBER("arms", 4)}};
    posse_part learners[] = {{.kind = "ucb"}, {.kind = "thompson"}};
    posse_environment *e = environment_made(&bandit, 1);
    for (int robust = 0; robust < 2; robust++) {
        posse_def def = posse_environment_def(e);
        posse_part belief = with_option(def.prior, (posse_option)NUMBER("robust", robust));
        def.selector = algorithm_1;
        def.selector.options[0] = (posse_option){.key = "belief", .part = &belief};
        def.learners = learners;
        def.learner_count = 2;
        posse *p = posse_made(&def);
        posse_abreast *a;
        assert_int_equal(posse_abreast_create(e, &a), POSSE_OK);
        assert_int_equal(posse_abreast_add(a, p), robust ? POSSE_ERROR_ABSENT : POSSE_OK);
        posse_abreast_free(a);
        posse_free(p);
    }
    posse_environment_free(e);
}

/* ---------------------------------------------------- refusals -------------------------------------------------- */

static void assert_belief_refused(posse_def def, const posse_part *belief, const char *excerpt) {
    posse_part learner = {.kind = "ucb"};
    notes log = {0};
    posse *p = (posse *)&log;
    def.host.log = notes_logger(&log);
    def.learners = &learner;
    def.learner_count = 1;
    def.selector.options[0] = (posse_option){.key = "belief", .part = belief};
    assert_int_equal(posse_create(&def, &p), POSSE_ERROR_FIT);
    assert_null(p);
    assert_noted(&log, excerpt);
}

LAW(robust_is_refused_where_there_is_no_such_form) {
    static const double weights[] = {1.0};
    menagerie_add_examples();
    posse_def def = habitat_def(&habitats[ARMS_5]);
    posse_part inner = {.kind = "gaussian"}, own = {.kind = "unknown-noise", .options = {NUMBER("robust", 1)}};
    posse_part mixture = {
        .kind = "mixture",
        .options = {{"components", .part = &inner, .list = weights, .count = 1}, NUMBER("robust", 1)}};
    assert_belief_refused(def, &mixture, "selector.belief.robust: a belief of kind mixture has no robust form");
    assert_belief_refused(def, &own, "selector.belief.robust: a belief of kind unknown-noise has no robust form");
}

/* An error in the belief as it is given is reported at its place. An error in a variant alone is reported at the
 * variant's place. */
LAW(robust_beliefs_are_checked_at_their_place) {
    static const double points[] = {1.0, 1e6, 2e6, 1.0}, three[] = {1.0, 2.0, 3.0};
    posse_def def = habitat_def(&habitats[ARMS_5]);
    posse_part short_list = {.kind = "gaussian", .options = {NUMBER("robust", 1), LIST("sd", three)}};
    assert_belief_refused(def, &short_list, "selector.belief.sd: a list of 3 numbers, but there are 5 arms");
    def.arms = def.dim = 2;
    def.points = points;
    def.prior = (posse_part){.kind = "linear"};
    posse_part wide = {.kind = "linear", .options = {NUMBER("robust", 1)}};
    assert_belief_refused(def, &wide, "selector.belief.robust.components[2]: coordinates of up to 2e+06 are too large");
}

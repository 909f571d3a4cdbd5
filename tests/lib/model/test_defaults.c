/* SPDX-License-Identifier: MIT */
/*
 * Tests of defaults: a part with every omitted option given as its default is the same part.
 */
#include <string.h>

#include "attempts.h"

/* The same part with every omitted option given as its default. */
static posse_part spelt_out(posse_family family, const specimen *s) {
    static const double unit[] = {0.0, 1.0};
    posse_part full = s->part;
    const posse_param *lists[] = {NULL, posse_family_params(family)};
    for (int k = 0; k < posse_kind_count(family); k++)
        if (strcmp(posse_kind_name(family, k), s->part.kind) == 0) lists[0] = posse_kind_params(family, k);
    for (int i = 0; i < 2; i++)
        for (const posse_param *p = lists[i]; p->name != NULL; p++) {
            if (posse_part_option(&full, p->name) != NULL || p->flags & (POSSE_PARAM_REQUIRED | POSSE_PARAM_OPTIONAL))
                continue;
            if (!stands_beside(family, &s->part, p)) continue;
            posse_option o = {.key = p->name, .number = p->fallback};
            if (p->type == POSSE_TYPE_PART) o = (posse_option)WORD(p->name, "environment");
            if (p->fallback_word != NULL) o = (posse_option)WORD(p->name, p->fallback_word);
            if (p->type == POSSE_TYPE_RANGE) o = (posse_option)LIST(p->name, unit);
            full = with_option(full, o);
        }
    return full;
}

static void same_posse(posse_family family, const specimen *s) {
    posse_part full = spelt_out(family, s);
    posse_host silent = {0};
    posse *brief = NULL, *wordy = NULL;
    assert_int_equal(make_posse(family, s->home, &s->part, silent, &brief), POSSE_OK);
    assert_int_equal(make_posse(family, s->home, &full, silent, &wordy), POSSE_OK);
    parade r;
    parade_begin(&r, s->home, brief, 51);
    r.marchers[r.count++] = wordy;
    parade_march(&r, 300);
    parade_leave(&r);
}

static void same_environment(const specimen *s) {
    posse_part full = spelt_out(POSSE_FAMILY_ENVIRONMENT, s);
    posse_environment *brief = environment_made(&s->part, 5), *wordy = environment_made(&full, 5);
    posse_def a = posse_environment_def(brief), b = posse_environment_def(wordy);
    assert_true(a.arms == b.arms && a.dim == b.dim);
    double point[3] = {1.0, 0.0, 0.0};
    for (int n = 0; n < 100; n++) {
        posse_decision d = {.arm = a.arms > 0 ? n % a.arms : -1};
        posse_context here, there;
        if (posse_environment_round(brief, &here) == POSSE_OK) {
            assert_int_equal(posse_environment_round(wordy, &there), POSSE_OK);
            d.arm = here.arms[n % here.count];
            d.point = here.points != NULL ? here.points + n % here.count * a.dim : here.shared;
        } else
            d.point = a.dim == 0 ? NULL : a.arms > 0 ? a.points + d.arm * a.dim : point;
        double first[] = {posse_environment_reward(brief, &d), posse_environment_regret(brief, &d)};
        double second[] = {posse_environment_reward(wordy, &d), posse_environment_regret(wordy, &d)};
        assert_memory_equal(first, second, sizeof first); /* memory, because rewards of a log may be NaN */
    }
    posse_environment_free(brief);
    posse_environment_free(wordy);
}

LAW(defaults_may_be_given) {
    menagerie_add_examples();
    for (int f = 0; f < POSSE_FAMILY_COUNT; f++) {
        int count;
        const specimen *all = menagerie((posse_family)f, &count);
        for (int i = 0; i < count; i++) {
            if (f == POSSE_FAMILY_ENVIRONMENT)
                same_environment(&all[i]);
            else
                same_posse((posse_family)f, &all[i]);
        }
    }
}

/* A learner without its own `precision` has that of the prior. */
LAW(inherited_defaults_are_the_priors) {
    static const posse_part bare[] = {{.kind = "linear-thompson"}, {.kind = "linear-ucb"}};
    for (int i = 0; i < 2; i++) {
        posse_part told = with_option(bare[i], (posse_option)NUMBER("precision", 7.0));
        posse_def def = habitat_def(&habitats[POINTS_7]);
        def.prior.options[0] = (posse_option)NUMBER("precision", 7.0);
        def.learner_count = 1;
        def.learners = &bare[i];
        posse *inherits = posse_made(&def);
        def.learners = &told;
        posse *knows = posse_made(&def);
        def.prior.options[0].number = 1.0;
        parade r;
        parade_begin(&r, &habitats[POINTS_7], inherits, 52);
        r.marchers[r.count++] = knows;
        parade_march(&r, 100);
        parade_leave(&r);
    }
}

/* SPDX-License-Identifier: MIT */
/* The description of charts: what is drawn in which order, what is grey, the names, the axes, and sweeps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keeping.h"
#include "law.h"
#include "report/chart/chart.h"
#include "report/chart/prominence.h"

enum { ROUNDS = 4, NAME = 24 };

/*
 * A dossier of two selectors and `learners` learners of kind ucb, whose widths are 1, 2, 3, .. and whose regret is
 * least for the learner `best`. The first selector plays only the last learner, and the second all of them alike.
 */
typedef struct stage {
    dossier r;
    pool *memory;
    char (*names)[NAME];
} stage;

static void set_competitor(stage *s, size_t c, const char *name, dossier_role role, double regret) {
    s->r.competitors[c] = (dossier_competitor){.name = name, .kind = "ucb", .role = role, .regret = {regret, 1}};
    for (size_t p = 0; p < ROUNDS; p++)
        s->r.regret[c * ROUNDS + p] = (dossier_value){regret * (double)(p + 1) / ROUNDS, 1};
}

static json_t *manifest_of(const stage *s, size_t learners) {
    json_t *list = json_array();
    for (size_t m = 0; m < learners; m++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:f, s:f}", "name", s->names[m], "kind", "ucb", "width",
                                              (double)(m + 1), "delta", 0.05));
    return json_pack("{s:o}", "learners", list);
}

static stage *stage_make(size_t learners, size_t best) {
    stage *s = calloc(1, sizeof *s);
    dossier *r = &s->r;
    s->memory = pool_create(NULL);
    size_t competitors = learners + 3;
    s->names = calloc(learners, sizeof *s->names);
    r->title = "title";
    r->runs = 10;
    r->selector_count = 2;
    r->competitor_count = competitors;
    r->learner_count = learners;
    r->round_count = ROUNDS;
    r->task_count = 1;
    r->competitors = calloc(competitors, sizeof *r->competitors);
    r->learners = calloc(learners, sizeof *r->learners);
    r->rounds = calloc(ROUNDS, sizeof *r->rounds);
    r->regret = calloc(competitors * ROUNDS, sizeof *r->regret);
    r->share = calloc(2 * learners * ROUNDS, sizeof *r->share);
    for (size_t p = 0; p < ROUNDS; p++) r->rounds[p] = (double)(p + 1);
    set_competitor(s, 0, "one", DOSSIER_SELECTOR, 50);
    set_competitor(s, 1, "two", DOSSIER_SELECTOR, 60);
    for (size_t m = 0; m < learners; m++) {
        snprintf(s->names[m], NAME, "l%zu", m);
        r->learners[m].name = s->names[m];
        set_competitor(s, m + 2, s->names[m], DOSSIER_LEARNER, m == best ? 10 : 100 + (double)m);
        for (size_t p = 0; p < ROUNDS; p++) {
            r->share[m * ROUNDS + p] = m + 1 == learners;
            r->share[(learners + m) * ROUNDS + p] = 1 / (double)learners;
        }
    }
    set_competitor(s, learners + 2, "oracle", DOSSIER_ORACLE, 5);
    r->manifest = manifest_of(s, learners);
    assert_true(prominence_set(r));
    return s;
}

static void stage_free(stage *s) {
    json_decref(s->r.manifest);
    pool_free(s->memory);
    free(s->r.competitors);
    free(s->r.learners);
    free(s->r.rounds);
    free(s->r.regret);
    free(s->r.share);
    free(s->names);
    free(s);
}

static const chart *chart_named(const charts *all, const char *name) {
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->list[i].name, name) == 0) return &all->list[i];
    return NULL;
}

static const char *key_name(const chart *c, size_t i) {
    return c->panels[c->key[i].panel].series[c->key[i].series].name;
}

LAW(a_dozen_learners_are_all_shown_in_the_order_of_their_ends) {
    stage *s = stage_make(12, 3);
    charts *all = charts_make(&s->r, s->memory);
    const chart *c = chart_named(all, "regret");
    const chart_panel *p = c->panels;
    assert_null(c->others);
    assert_int_equal(c->key_count, 15);
    assert_string_equal(key_name(c, 0), "l11");
    assert_string_equal(key_name(c, 11), "two");
    assert_string_equal(key_name(c, 12), "one");
    assert_string_equal(key_name(c, 13), "l3");
    assert_string_equal(key_name(c, 14), "oracle");
    /* Selectors are on top, the first below the second, and learners are lowest. */
    assert_true(p->drawn[14] == 1 && p->drawn[13] == 0 && p->drawn[12] == 14 && p->drawn[0] == 2);
    for (size_t m = 0; m < 12; m++)
        assert_string_equal(p->series[m + 2].look.light, style_of(DOSSIER_LEARNER, m).light);
    stage_free(s);
}

LAW(of_more_learners_selectors_and_the_best_are_shown) {
    stage *s = stage_make(64, 40);
    charts *all = charts_make(&s->r, s->memory);
    const chart *c = chart_named(all, "regret");
    assert_string_equal(c->others, "63 other learners");
    assert_int_equal(c->key_count, 4);
    static const char *const names[] = {"two", "one", "l40", "oracle"};
    for (size_t i = 0; i < 4; i++) assert_string_equal(key_name(c, i), names[i]);
    for (size_t k = 0; k < 63; k++) assert_true(!c->panels->series[c->panels->drawn[k]].shown); /* grey is lowest */
    assert_true(c->panels->series[42].look.dash[0] == 0); /* the one learner in colour has a line without gaps */
    stage_free(s);
}

/* Each coloured area has a colour of its own, and the best learner has the style that it has among curves. */
LAW(of_more_learners_those_chosen_most_are_coloured_areas) {
    stage *s = stage_make(64, 40);
    charts *all = charts_make(&s->r, s->memory);
    const chart *c = chart_named(all, "selection");
    assert_int_equal(c->panel_count, 2);
    assert_int_equal(c->key_count, 8);
    assert_string_equal(c->others, "56 other learners");
    assert_string_equal(key_name(c, 0), "l63"); /* chosen most, and on top */
    assert_string_equal(key_name(c, 1), "l40");
    for (size_t i = 0; i < c->key_count; i++)
        for (size_t j = 0; j < i; j++)
            assert_true(strcmp(c->panels->series[c->key[i].series].look.light,
                               c->panels->series[c->key[j].series].look.light) != 0);
    const chart_series *curve = &chart_named(all, "regret")->panels->series[42], *area = &c->panels->series[40];
    assert_string_equal(curve->look.light, area->look.light);
    stage_free(s);
}

/* A page writes other numbers with six digits. */
LAW(rounds_stay_exact_in_json) {
    stage *s = stage_make(3, 0);
    for (size_t p = 0; p < ROUNDS; p++) s->r.rounds[p] = 123456789 + (double)p;
    charts *all = charts_make(&s->r, s->memory);
    json_t *described = charts_json(all);
    for (size_t i = 0; i < json_array_size(described); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(described, i), "name"));
        const json_t *panel = json_array_get(json_object_get(json_array_get(described, i), "panels"), 0);
        const json_t *windows = json_object_get(panel, "windows");
        bool areas = strcmp(name, "selection") == 0;
        if (strcmp(name, "sweep") == 0) continue;
        const json_t *last = areas ? json_array_get(json_array_get(windows, ROUNDS - 1), 1)
                                   : json_array_get(json_object_get(panel, "at"), ROUNDS - 1);
        assert_true(json_is_integer(last) && json_integer_value(last) == 123456792);
    }
    json_decref(described);
    stage_free(s);
}

LAW(a_sweep_has_a_point_for_each_value_and_selectors_as_level_lines) {
    stage *s = stage_make(11, 3);
    charts *all = charts_make(&s->r, s->memory);
    const chart *c = chart_named(all, "sweep");
    const chart_panel *p = c->panels;
    assert_true(c->panel_count == 1 && p->count == 11 && p->series_count == 3);
    assert_string_equal(p->title, "ucb");
    assert_string_equal(p->x.label, "width");
    assert_true(p->x.log && c->y.log); /* from 1 to 11, and from 10 to 110: more than a decade */
    for (size_t i = 0; i < 11; i++) {
        assert_close(p->at[i], (double)(i + 1), 0);
        assert_true(p->series[0].values[i].mean == 50 && p->series[1].values[i].mean == 60);
        assert_close(p->series[2].values[i].mean, i == 3 ? 10 : 100 + (double)i, 0);
        assert_close(p->series[2].values[i].ci95, 1, 0);
    }
    assert_true(p->series[2].marked && !p->series[0].marked);
    stage_free(s);
}

/* A second option makes lines, and a word is never on the axis. */
LAW(a_grid_has_a_line_for_each_value_of_the_other_option) {
    stage *s = stage_make(6, 0);
    json_t *learners = json_object_get(s->r.manifest, "learners");
    for (size_t m = 0; m < 6; m++) {
        json_object_set_new(json_array_get(learners, m), "width", json_real((double)(m / 2 + 1)));
        json_object_set_new(json_array_get(learners, m), "delta", json_real(m % 2 ? 0.5 : 0.05));
        json_object_set_new(json_array_get(learners, m), "model", json_string("joint"));
    }
    charts *all = charts_make(&s->r, s->memory);
    const chart_panel *p = chart_named(all, "sweep")->panels;
    assert_true(p->count == 3 && p->series_count == 4);
    assert_string_equal(p->series[2].name, "ucb delta=0.05");
    assert_string_equal(p->series[3].name, "ucb delta=0.5");
    assert_close(p->series[3].values[1].mean, 103, 0); /* learner 3 */
    assert_true(!p->x.log);
    stage_free(s);
}

LAW(two_values_or_numbers_of_arms_are_no_sweep) {
    stage *s = stage_make(2, 0), *arms = stage_make(5, 0);
    charts *all = charts_make(&s->r, s->memory);
    assert_null(chart_named(all, "sweep"));
    for (size_t m = 0; m < 5; m++) {
        json_t *learner = json_array_get(json_object_get(arms->r.manifest, "learners"), m);
        json_object_del(learner, "width");
        json_object_set_new(learner, "arm", json_integer((json_int_t)m));
    }
    all = charts_make(&arms->r, arms->memory);
    assert_null(chart_named(all, "sweep"));
    stage_free(s);
    stage_free(arms);
}

LAW(even_axes_have_ticks_within_them) {
    for (double span = 1e-5; span < 1e7; span *= 1.37)
        for (double low = -2; low <= 2; low += 0.7) {
            axis a = axis_even(low * span, (low + 1) * span, 6);
            assert_that(a.tick_count >= 2 && a.tick_count <= 6, "%zu ticks from %g for %g", a.tick_count, low, span);
            for (size_t i = 0; i < a.tick_count; i++) assert_true(a.ticks[i] >= a.low && a.ticks[i] <= a.high);
        }
}

LAW(axes_of_whole_numbers_have_whole_ticks) {
    for (double low = 0; low <= 1; low++)
        for (double high = low + 1; high < 1e7; high = ceil(high * 1.37)) {
            axis a = axis_whole(low, high, 9.7);
            assert_that(a.tick_count >= 2 && a.tick_count <= 10, "%zu ticks to %g", a.tick_count, high);
            for (size_t i = 0; i < a.tick_count; i++)
                assert_true(a.ticks[i] == floor(a.ticks[i]) && a.ticks[i] >= low && a.ticks[i] <= high);
        }
}

/* Four learners, so that there are all charts of rounds and a sweep. */
LAW(a_chart_that_lacks_memory_is_none) {
    stage *s = stage_make(4, 1);
    purse whole = {0};
    for (size_t n = 0; n <= whole.calls; n++) { /* the first time, nothing fails */
        purse p = {.fail_at = n};
        posse_allocator allocator = purse_host(&p).allocator;
        pool *memory = pool_create(&allocator);
        const charts *all = charts_make(&s->r, memory);
        assert_that((all != NULL) == (n == 0), "allocation %zu of %zu", n, whole.calls);
        assert_true(n > 0 || chart_named(all, "sweep") != NULL);
        pool_free(memory);
        assert_int_equal(p.blocks, 0);
        if (n == 0) whole = p;
    }
    stage_free(s);
}

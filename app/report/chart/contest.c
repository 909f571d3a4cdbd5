/* SPDX-License-Identifier: MIT */
/*
 * Who wins where: a panel for each experiment, and in it a row for each selector. The marks of those that win and of
 * the others, and of those whose learners share and of the others, are series of their own.
 */
#include <math.h>

#include "report/chart/build.h"

bool contest_has_both(const comparison *c) {
    return !c->rows[0].shares && c->rows[c->row_count - 1].shares;
}

/* Long enough for the selectors and for the best learner alone. */
static axis axis_of_experiment(const comparison *c, size_t e) {
    axis a = {0};
    const dossier_competitor *learner = dossier_best_learner(c->experiments[e]);
    for (size_t i = 0; i < c->row_count; i++) {
        const comparison_cell *cell = comparison_at(c, i, e);
        if (cell->who != NULL) axis_hold(&a, cell->who->regret);
    }
    if (learner != NULL) axis_hold(&a, (dossier_value){learner->regret.mean, NAN});
    axis_finish(&a, 0.05, 3);
    return a;
}

/* The rows, with an empty one between the groups. */
static void contest_put_rows(const comparison *c, chart_panel *p) {
    for (size_t i = 0; i < c->row_count; i++) {
        p->rows[i] = c->rows[i].name;
        p->at[i] = (double)i + (contest_has_both(c) && c->rows[i].shares ? 1 : 0);
    }
}

static const char *name_marks(const comparison *c, bool wins, bool shares) {
    if (!contest_has_both(c)) return wins ? "best or tied" : "loses";
    if (shares) return wins ? "best or tied, every play" : "loses, every play";
    return wins ? "best or tied, own plays" : "loses, own plays";
}

static void put_marks(const comparison *c, size_t e, bool wins, bool shares, chart_series *s) {
    s->name = name_marks(c, wins, shares);
    s->look = wins ? style_of(DOSSIER_LEARNER, STYLE_WINS) : style_of_loser();
    s->shown = s->marked = true;
    s->hollow = !shares;
    for (size_t i = 0; i < c->row_count; i++) {
        const comparison_cell *cell = comparison_at(c, i, e);
        bool here = cell->who != NULL && c->rows[i].shares == shares && comparison_wins(cell) == wins;
        s->values[i] = here ? cell->who->regret : (dossier_value){NAN, NAN};
    }
}

static void put_learner(const comparison *c, size_t e, chart_panel *p) {
    const dossier_competitor *learner = dossier_best_learner(c->experiments[e]);
    if (learner == NULL || !(learner->regret.mean > 0)) return;
    p->lines[p->line_count++] = (chart_line){.name = "best learner alone",
                                             .look = style_of(DOSSIER_LEARNER, STYLE_ALONE),
                                             .from = {p->at[0] - 0.5, learner->regret.mean},
                                             .to = {p->at[p->count - 1] + 0.5, learner->regret.mean}};
}

bool contest_of_selectors(const comparison *c, size_t e, chart *out, pool *memory) {
    axis a = axis_of_experiment(c, e);
    size_t s = 0;
    *out = (chart){.name = "comparison",
                   .title = c->experiments[e]->title,
                   .note = "Regret after the last round and its 95% interval",
                   .lying = true,
                   .y = build_axis("", true, &a)};
    if (!build_panels(out, 1, memory)) return false;
    chart_panel *p = out->panels;
    p->title = c->experiments[e]->name;
    p->rows = pool_array(memory, c->row_count, sizeof *p->rows);
    p->lines = pool_array(memory, 1, sizeof *p->lines);
    if (!build_series(p, contest_has_both(c) ? 4 : 2, c->row_count, memory)) return false;
    contest_put_rows(c, p);
    for (int shares = c->rows[0].shares; shares <= c->rows[c->row_count - 1].shares; shares++) {
        put_marks(c, e, true, shares == 1, &p->series[s++]);
        put_marks(c, e, false, shares == 1, &p->series[s++]);
    }
    put_learner(c, e, p);
    build_layers(p, p->series_count);
    out->key_count = p->series_count;
    out->key = pool_array(memory, out->key_count, sizeof *out->key);
    for (size_t i = 0; i < out->key_count && out->key != NULL; i++) out->key[i] = (chart_entry){0, i};
    return !pool_failed(memory);
}

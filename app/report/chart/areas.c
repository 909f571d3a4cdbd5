/* SPDX-License-Identifier: MIT */
/* Which learner each selector chose: a panel for each selector, with an area for each learner. */
#include <math.h>

#include "report/chart/build.h"

static bool areas_fill(const dossier *r, size_t s, chart_panel *p, pool *memory) {
    dossier_value *shares = pool_array(memory, r->round_count, sizeof *shares);
    if (!build_windows(r, p, r->learner_count, memory)) return false;
    p->title = r->competitors[s].name;
    p->x = build_rounds(r, r->selector_count);
    for (size_t m = 0; m < r->learner_count; m++) {
        const dossier_learner *learner = &r->learners[m];
        const double *share = r->share + (s * r->learner_count + m) * r->round_count;
        chart_series *series = &p->series[m];
        series->name = learner->name;
        series->shown = learner->shown;
        series->look = style_of(DOSSIER_LEARNER, learner->rank);
        for (size_t i = 0; i < r->round_count; i++) shares[i] = (dossier_value){share[i], NAN};
        for (size_t i = 0; i < p->count; i++) series->values[i] = build_mean(r, shares, i);
        p->drawn[m] = m;
    }
    return true;
}

bool areas_of_selection(const dossier *r, chart *out, pool *memory) {
    if (r->selector_count == 0 || r->learner_count == 0) return false;
    *out = (chart){.name = "selection",
                   .title = r->title,
                   .note = build_note(r, "Which learner each selector chose: share of runs", true, memory),
                   .stacked = true,
                   .y = build_shares("share of runs")};
    if (!build_panels(out, r->selector_count, memory)) return false;
    for (size_t s = 0; s < r->selector_count; s++)
        if (!areas_fill(r, s, &out->panels[s], memory)) return false;
    return build_key(out, memory);
}

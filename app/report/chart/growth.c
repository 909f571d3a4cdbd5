/* SPDX-License-Identifier: MIT */
/*
 * How regret grows with the size of an experiment: a panel for selectors whose learners learn from their own plays, and
 * one for those that share.
 */
#include <math.h>

#include "base/format.h"
#include "report/chart/build.h"

enum { DIGITS_MAX = 25 }; /* that fit along an axis */

/* Whether the sizes themselves can be the ticks, with some room between them. */
static bool sizes_fit(const scaling_family *f) {
    int digits = 0;
    for (size_t i = 0; i < f->member_count; i++) digits += format_text(NULL, 0, "%g", f->members[i].size);
    return f->member_count <= AXIS_TICKS_MAX && digits <= DIGITS_MAX;
}

static chart_axis axis_of_sizes(const scaling_family *f) {
    axis a = {0};
    for (size_t i = 0; i < f->member_count; i++) axis_hold(&a, (dossier_value){f->members[i].size, NAN});
    axis_finish(&a, 0.05, 3);
    if (sizes_fit(f)) a.tick_count = f->member_count;
    for (size_t i = 0; i < f->member_count && sizes_fit(f); i++) a.ticks[i] = f->members[i].size;
    return build_axis("N", true, &a);
}

static chart_axis axis_of_regret(const scaling_family *f) {
    axis a = {0};
    for (size_t l = 0; l < f->line_count; l++)
        for (size_t i = 0; i < f->member_count; i++) axis_hold(&a, f->lines[l].regret[i]);
    axis_finish(&a, 0.04, 4);
    return build_axis("regret after the last round", true, &a);
}

/* From the lower left corner to where the line leaves the panel. */
static chart_line line_of_slope(const chart_axis *x, const chart_axis *y, double slope, const char *name) {
    double length = fmin(log(x->high / x->low), log(y->high / y->low) / slope);
    return (chart_line){.name = name,
                        .look = style_of_reference(),
                        .labelled = true,
                        .from = {x->low, y->low},
                        .to = {x->low * exp(length), y->low * exp(slope * length)}};
}

static size_t count_lines(const scaling_family *f, bool shares) {
    size_t count = 0;
    for (size_t l = 0; l < f->line_count; l++) count += f->lines[l].shares == shares;
    return count;
}

static bool fill_group(const scaling_family *f, bool shares, const chart *c, chart_panel *p, pool *memory) {
    size_t s = 0;
    p->lines = pool_array(memory, 2, sizeof *p->lines);
    if (p->lines == NULL || !build_series(p, count_lines(f, shares), f->member_count, memory)) return false;
    p->title = shares ? "every learner learns from every play" : "each learner learns from its own plays";
    p->x = axis_of_sizes(f);
    p->lines[p->line_count++] = line_of_slope(&p->x, &c->y, 0.5, "slope 1/2");
    p->lines[p->line_count++] = line_of_slope(&p->x, &c->y, 1, "slope 1");
    for (size_t i = 0; i < f->member_count; i++) p->at[i] = f->members[i].size;
    for (size_t l = 0; l < f->line_count; l++) {
        const scaling_line *line = &f->lines[l];
        if (line->shares != shares) continue;
        p->series[s] = (chart_series){.name = line->name,
                                      .look = style_among_selectors(line->rank),
                                      .shown = true,
                                      .marked = true,
                                      .values = line->regret};
        s++;
    }
    build_layers(p, p->series_count);
    return true;
}

bool growth_of_family(const scaling_family *f, chart *out, pool *memory) {
    size_t own = count_lines(f, false), shared = count_lines(f, true), panel = 0;
    *out = (chart){.name = f->picture,
                   .title = pool_format(memory, "%s-N: regret over N", f->stem),
                   .note = "Mean over runs with 95% intervals, on logarithmic axes; behind a name, its exponent",
                   .y = axis_of_regret(f)};
    if (out->title == NULL || !build_panels(out, (own > 0) + (shared > 0), memory)) return false;
    if (own > 0 && !fill_group(f, false, out, &out->panels[panel++], memory)) return false;
    if (shared > 0 && !fill_group(f, true, out, &out->panels[panel], memory)) return false;
    return !pool_failed(memory);
}

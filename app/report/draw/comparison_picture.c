/* SPDX-License-Identifier: MIT */
#include "report/draw/comparison_picture.h"

#include <math.h>
#include <string.h>

#include "report/draw/gnuplot.h"

/* Lengths, in units of 1 / GALLERY_WIDTH of the width of the picture. */
enum {
    ACROSS_MAX = 3,
    HEAD = 112,
    ROW = 18,
    PANEL_HEAD = 30,
    PANEL_FOOT = 42,
    GAP = 22,
    CHARACTER = 8,
    NAME_SHOWN = 32
};

enum { MARK_MAX = 64 }; /* bytes of a mark in the key */

axis comparison_axis(const comparison *c, size_t experiment) {
    axis a = {0};
    const record_competitor *learner = record_best_learner(c->experiments[experiment]);
    for (size_t i = 0; i < c->row_count; i++) {
        const comparison_cell *cell = comparison_at(c, i, experiment);
        if (cell->who != NULL) axis_hold(&a, cell->who->regret);
    }
    if (learner != NULL) axis_hold(&a, (record_value){learner->regret.mean, NAN});
    axis_finish(&a, 0.05, 3);
    return a;
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static bool comparison_picture_has_both_groups(const comparison *c) {
    return !c->rows[0].shares && c->rows[c->row_count - 1].shares;
}

/* Rows go downwards, with a gap of one row between the groups. */
static double row_place(const comparison *c, size_t row) {
    return -(double)row - (comparison_picture_has_both_groups(c) && c->rows[row].shares ? 1 : 0);
}

static size_t comparison_picture_across(const comparison *c) {
    return c->experiment_count < ACROSS_MAX ? c->experiment_count : ACROSS_MAX;
}

static double comparison_picture_panel_height(const comparison *c) {
    return PANEL_HEAD + ROW * (1 - row_place(c, c->row_count - 1)) + PANEL_FOOT;
}

static double comparison_picture_height(const comparison *c) {
    size_t down = (c->experiment_count + comparison_picture_across(c) - 1) / comparison_picture_across(c);
    return HEAD + comparison_picture_panel_height(c) * (double)down;
}

/* The room for the names of the rows, left of the panels. */
static double name_width(const comparison *c) {
    size_t longest = 0;
    for (size_t i = 0; i < c->row_count; i++) {
        size_t length = strlen(c->rows[i].name);
        if (length > longest) longest = length;
    }
    return 20 + CHARACTER * (double)(longest < NAME_SHOWN ? longest : NAME_SHOWN);
}

static void comparison_picture_put_margins(const comparison *c, size_t e, FILE *out) {
    double left = name_width(c), width = (GALLERY_WIDTH - left) / (double)comparison_picture_across(c);
    double x = left + width * (double)(e % comparison_picture_across(c)),
           top = HEAD + comparison_picture_panel_height(c) * (double)(e / comparison_picture_across(c));
    fprintf(out, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", x / GALLERY_WIDTH,
            (x + width - GAP) / GALLERY_WIDTH);
    fprintf(out, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
            1 - (top + PANEL_HEAD) / comparison_picture_height(c),
            1 - (top + comparison_picture_panel_height(c) - PANEL_FOOT) / comparison_picture_height(c));
}

/* ---- a panel ----------------------------------------------------------------------------------------------------- */

static void put_row_names(const comparison *c, bool shown, FILE *out) {
    fputs("set ytics scale 0 (", out);
    for (size_t i = 0; i < c->row_count; i++) {
        if (i > 0) fputs(", ", out);
        gnuplot_string(out, shown ? c->rows[i].name : "", NAME_SHOWN);
        fprintf(out, " %g", row_place(c, i));
    }
    fprintf(out, ") font note\nset yrange [%g:1]\n", row_place(c, c->row_count - 1) - 1);
}

/* A row has regret, place, both ends of the interval, the kind of point and its colour. */
static void comparison_picture_put_data(const comparison *c, size_t e, const axis *a, FILE *out) {
    fputs("$panel << EOD\n", out);
    for (size_t i = 0; i < c->row_count; i++) {
        const comparison_cell *cell = comparison_at(c, i, e);
        if (cell->who == NULL || !(cell->who->regret.mean > 0)) continue;
        record_value regret = cell->who->regret;
        fprintf(out, "%.6g %g %.6g %.6g %d 0x%s\n", regret.mean, row_place(c, i), axis_lower_end(a, regret),
                regret.mean + (isnan(regret.ci95) ? 0 : regret.ci95), c->rows[i].shares ? 7 : 6,
                (comparison_wins(cell) ? style_of(RECORD_LEARNER, STYLE_WINS) : style_of_loser()).light + 1);
    }
    fputs("EOD\n", out);
}

static void put_learner(const comparison *c, size_t e, FILE *out) {
    const record_competitor *learner = record_best_learner(c->experiments[e]);
    fputs("unset arrow 1\n", out);
    if (learner == NULL || !(learner->regret.mean > 0)) return;
    fprintf(out, "set arrow 1 from %.6g,graph 0 to %.6g,graph 1 nohead back dt (6,4) lw 1.4 lc rgb '%s'\n",
            learner->regret.mean, learner->regret.mean, style_of(RECORD_LEARNER, STYLE_ALONE).light);
}

/* The interval is drawn first, then a white point over its middle, so that a hollow mark stays hollow. */
static void comparison_picture_put_panel(const comparison *c, size_t e, FILE *out) {
    axis a = comparison_axis(c, e);
    comparison_picture_put_margins(c, e, out);
    put_row_names(c, e % comparison_picture_across(c) == 0, out);
    fprintf(out, "set xrange [%.6g:%.6g]\nset xtics ", a.low, a.high);
    gallery_put_ticks(a.ticks, a.tick_count, false, out);
    fputs(" font note\nset title ", out);
    gnuplot_string(out, c->experiments[e]->name, GALLERY_NAME_MAX);
    fputs(" offset 0,-0.7 font name\n", out);
    put_learner(c, e, out);
    comparison_picture_put_data(c, e, &a, out);
    fputs("plot $panel using 1:2:3:4:6 with xerrorbars ps 0 lw 1.6 lc rgb variable notitle, \\\n"
          "$panel using 1:2 with points pt 7 ps dot lc rgb 'white' notitle, \\\n"
          "$panel using 1:2:5:6 with points pt variable ps dot lw 1.6 lc rgb variable notitle\n",
          out);
    fputs("unset label\nunset arrow 2\n", out); /* the heading is drawn once */
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void put_key(int tag, double x, double y, const char *mark, const char *text, FILE *out) {
    fprintf(out, "set label %d '%s' at screen %.4f,%.4f left font note offset 1.2,0 front %s\n", tag, text, x, y, mark);
}

static void put_verdict_key(int tag, double x, double y, style look, const char *text, FILE *out) {
    char mark[MARK_MAX];
    snprintf(mark, sizeof mark, "point pt 5 ps dot lc rgb '%s'", look.light);
    put_key(tag, x, y, mark, text, out);
}

static bool has_learner(const comparison *c) {
    bool has = false;
    for (size_t e = 0; e < c->experiment_count; e++) has = has || record_best_learner(c->experiments[e]) != NULL;
    return has;
}

static void put_learner_key(double y, double half, FILE *out) {
    put_key(5, 0.25, y, "point pt 5 ps 0", "best learner alone", out);
    fprintf(out, "set arrow 2 from screen 0.25,%.4f to screen 0.25,%.4f nohead dt (6,4) lw 1.4 lc rgb '%s'\n", y - half,
            y + half, style_of(RECORD_LEARNER, STYLE_ALONE).light);
}

static void put_keys(const comparison *c, FILE *out) {
    double y = 1 - 84 / comparison_picture_height(c);
    put_verdict_key(3, 0.03, y, style_of(RECORD_LEARNER, STYLE_WINS), "best or tied", out);
    put_verdict_key(4, 0.16, y, style_of_loser(), "loses", out);
    if (has_learner(c)) put_learner_key(y, 9 / comparison_picture_height(c), out);
    if (!comparison_picture_has_both_groups(c)) return;
    put_key(6, 0.45, y, "point pt 6 ps dot lw 1.6 lc rgb '#444444'", "learners learn from their own plays", out);
    put_key(7, 0.79, y, "point pt 7 ps dot lc rgb '#444444'", "from every play", out);
}

static void comparison_picture_draw(const void *subject, FILE *out) {
    const comparison *c = subject;
    gallery_put_heading("Who wins where", 1 - 28 / comparison_picture_height(c),
                        comparison_picture_has_both_groups(c)
                            ? "Regret after the last round and its 95% interval; winners within each kind of learning"
                            : "Regret after the last round and its 95% interval",
                        1 - 56 / comparison_picture_height(c), out);
    put_keys(c, out);
    fputs("set multiplot\nset logscale x\nset border 1\nset format x '%g'\n", out);
    for (size_t e = 0; e < c->experiment_count; e++) comparison_picture_put_panel(c, e, out);
    fputs("unset multiplot\n", out);
}

gallery_picture comparison_picture(const comparison *c) {
    return (gallery_picture){"comparison", (int)comparison_picture_height(c), comparison_picture_draw, c};
}

/* SPDX-License-Identifier: MIT */
#include "report/draw/comparison_picture.h"

#include <math.h>
#include <string.h>

#include "report/chart/build.h"
#include "report/draw/gnuplot.h"
#include "report/draw/picture.h"

/* Lengths, in units of 1 / GALLERY_WIDTH of the width of the picture. */
enum { HEAD = 112, ROW = 18, PANEL_HEAD = 30, PANEL_FOOT = 42, GAP = 22, CHARACTER = 8, NAME_SHOWN = 32 };

enum { MARK_MAX = 64, NOTE_MAX = 128 }; /* bytes of a mark in the key, and of the line below the title */

/* A comparison with the chart of each experiment. */
typedef struct comparison_subject {
    const comparison *all;
    chart *charts;
} comparison_subject;

/* ---- layout ------------------------------------------------------------------------------------------------------ */

/* Rows go downwards. */
static double comparison_picture_rows(const comparison *c) {
    return (double)c->row_count + (contest_has_both(c) ? 1 : 0);
}

static double comparison_picture_panel_height(const comparison *c) {
    return PANEL_HEAD + ROW * comparison_picture_rows(c) + PANEL_FOOT;
}

static double comparison_picture_height(const comparison *c) {
    size_t down = (c->experiment_count + chart_across(c->experiment_count) - 1) / chart_across(c->experiment_count);
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
    double left = name_width(c), width = (GALLERY_WIDTH - left) / (double)chart_across(c->experiment_count);
    double x = left + width * (double)(e % chart_across(c->experiment_count)),
           top = HEAD + comparison_picture_panel_height(c) * (double)(e / chart_across(c->experiment_count));
    fprintf(out, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", x / GALLERY_WIDTH,
            (x + width - GAP) / GALLERY_WIDTH);
    fprintf(out, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
            1 - (top + PANEL_HEAD) / comparison_picture_height(c),
            1 - (top + comparison_picture_panel_height(c) - PANEL_FOOT) / comparison_picture_height(c));
}

/* ---- a panel ----------------------------------------------------------------------------------------------------- */

static void put_row_names(const chart_panel *p, bool shown, FILE *out) {
    fputs("set ytics scale 0 (", out);
    for (size_t i = 0; i < p->count; i++) {
        if (i > 0) fputs(", ", out);
        gnuplot_string(out, shown ? p->rows[i] : "", NAME_SHOWN);
        fprintf(out, " %g", -p->at[i]);
    }
    fprintf(out, ") font note\nset yrange [%g:1]\n", -p->at[p->count - 1] - 1);
}

/* A row has regret, place, both ends of the interval, the kind of point and its colour. */
static void comparison_picture_put_data(const chart *c, FILE *out) {
    const chart_panel *p = c->panels;
    fputs("$panel << EOD\n", out);
    for (size_t s = 0; s < p->series_count; s++)
        for (size_t i = 0; i < p->count; i++) {
            dossier_value v = p->series[s].values[i];
            if (!(v.mean > 0)) continue;
            double half = isnan(v.ci95) ? 0 : v.ci95;
            fprintf(out, "%.6g %g %.6g %.6g %d 0x%s\n", v.mean, -p->at[i], axis_lower_end(c->y.low, v), v.mean + half,
                    p->series[s].hollow ? 6 : 7, p->series[s].look.light + 1);
        }
    fputs("EOD\n", out);
}

/* A line at one value goes from the top to the bottom. */
static void comparison_picture_put_line(const chart_panel *p, FILE *out) {
    fputs("unset arrow 1\n", out);
    if (p->line_count == 0) return;
    fprintf(out, "set arrow 1 from %.6g,graph 0 to %.6g,graph 1 nohead back dt (6,4) lw 1.4 lc rgb '%s'\n",
            p->lines->from[1], p->lines->to[1], p->lines->look.light);
}

/* The interval is drawn first, then a white point over its middle, so that a hollow mark stays hollow. */
static void comparison_picture_put_panel(const comparison_subject *s, size_t e, FILE *out) {
    const chart *c = &s->charts[e];
    comparison_picture_put_margins(s->all, e, out);
    put_row_names(c->panels, e % chart_across(s->all->experiment_count) == 0, out);
    picture_put_axis('x', &c->y, true, out);
    fputs("set xtics font note\nset title ", out);
    gnuplot_string(out, c->panels->title, GALLERY_NAME_MAX);
    fputs(" offset 0,-0.7 font name\n", out);
    comparison_picture_put_line(c->panels, out);
    comparison_picture_put_data(c, out);
    fputs("plot $panel using 1:2:3:4:6 with xerrorbars ps 0 lw 1.6 lc rgb variable notitle, \\\n"
          "$panel using 1:2 with points pt 7 ps dot lc rgb 'white' notitle, \\\n"
          "$panel using 1:2:5:6 with points pt variable ps dot lw 1.6 lc rgb variable notitle\n",
          out);
    fputs("unset label\nunset arrow 2\n", out); /* the heading is drawn once */
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void comparison_put_key(int tag, double x, double y, const char *mark, const char *text, FILE *out) {
    fprintf(out, "set label %d '%s' at screen %.4f,%.4f left font note offset 1.2,0 front %s\n", tag, text, x, y, mark);
}

static void put_verdict_key(int tag, double x, double y, style look, const char *text, FILE *out) {
    char mark[MARK_MAX];
    snprintf(mark, sizeof mark, "point pt 5 ps dot lc rgb '%s'", look.light);
    comparison_put_key(tag, x, y, mark, text, out);
}

static bool has_learner(const comparison_subject *s) {
    bool has = false;
    for (size_t e = 0; e < s->all->experiment_count; e++) has = has || s->charts[e].panels->line_count > 0;
    return has;
}

static void put_learner_key(double y, double half, FILE *out) {
    comparison_put_key(5, 0.25, y, "point pt 5 ps 0", "best learner alone", out);
    fprintf(out, "set arrow 2 from screen 0.25,%.4f to screen 0.25,%.4f nohead dt (6,4) lw 1.4 lc rgb '%s'\n", y - half,
            y + half, style_of(DOSSIER_LEARNER, STYLE_ALONE).light);
}

static void put_keys(const comparison_subject *s, FILE *out) {
    const comparison *c = s->all;
    double y = 1 - 84 / comparison_picture_height(c);
    put_verdict_key(3, 0.03, y, style_of(DOSSIER_LEARNER, STYLE_WINS), "best or tied", out);
    put_verdict_key(4, 0.16, y, style_of_loser(), "loses", out);
    if (has_learner(s)) put_learner_key(y, 9 / comparison_picture_height(c), out);
    if (!contest_has_both(c)) return;
    comparison_put_key(6, 0.45, y, "point pt 6 ps dot lw 1.6 lc rgb '#444444'", "learners learn from their own plays",
                       out);
    comparison_put_key(7, 0.79, y, "point pt 7 ps dot lc rgb '#444444'", "from every play", out);
}

static void comparison_picture_draw(const void *subject, FILE *out) {
    const comparison_subject *s = subject;
    double all = comparison_picture_height(s->all);
    char note[NOTE_MAX];
    snprintf(note, sizeof note, "%s%s", s->charts->note,
             contest_has_both(s->all) ? "; winners within each kind of learning" : "");
    gallery_put_heading("Who wins where", 1 - 28 / all, note, 1 - 56 / all, out);
    put_keys(s, out);
    fputs("set multiplot\nset border 1\n", out);
    for (size_t e = 0; e < s->all->experiment_count; e++) comparison_picture_put_panel(s, e, out);
    fputs("unset multiplot\n", out);
}

bool comparison_picture(const comparison *c, gallery_picture *out, pool *memory) {
    comparison_subject *s = pool_allocate(memory, sizeof *s);
    chart *each = pool_array(memory, c->experiment_count, sizeof *each);
    for (size_t e = 0; e < c->experiment_count; e++)
        if (each == NULL || !contest_of_selectors(c, e, &each[e], memory)) return false;
    if (s == NULL) return false;
    *s = (comparison_subject){c, each};
    *out = (gallery_picture){"comparison", (int)comparison_picture_height(c), comparison_picture_draw, s};
    return true;
}

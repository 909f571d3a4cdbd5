/* SPDX-License-Identifier: MIT */
#include "report/draw/scaling_picture.h"

#include <math.h>

#include "report/draw/gnuplot.h"

/* Lengths, in units of 1 / GALLERY_WIDTH of the width of the picture. */
enum { HEAD = 84, PANEL = 330, PANEL_HEAD = 26, KEY = 76, KEY_LINE = 21, LEFT = 106, GAP = 26 };

enum { TITLE_MAX = 2 * GALLERY_TITLE_MAX }; /* bytes; a stem is ASCII, and a heading shows fewer */

enum { DIGITS_MAX = 25 }; /* that fit along an axis */

/* Whether the sizes themselves can be the ticks, with some room between them. */
static bool sizes_fit(const scaling_family *f) {
    int digits = 0;
    for (size_t i = 0; i < f->member_count; i++) digits += snprintf(NULL, 0, "%g", f->members[i].size);
    return f->member_count <= AXIS_TICKS_MAX && digits <= DIGITS_MAX;
}

axis scaling_size_axis(const scaling_family *f) {
    axis a = {0};
    for (size_t i = 0; i < f->member_count; i++) axis_hold(&a, (record_value){f->members[i].size, NAN});
    axis_finish(&a, 0.05, 3);
    if (!sizes_fit(f)) return a;
    a.tick_count = f->member_count;
    for (size_t i = 0; i < f->member_count; i++) a.ticks[i] = f->members[i].size;
    return a;
}

axis scaling_regret_axis(const scaling_family *f) {
    axis a = {0};
    for (size_t l = 0; l < f->line_count; l++)
        for (size_t i = 0; i < f->member_count; i++) axis_hold(&a, f->lines[l].regret[i]);
    axis_finish(&a, 0.04, 4);
    return a;
}

static size_t group_size(const scaling_family *f, bool shares) {
    size_t count = 0;
    for (size_t l = 0; l < f->line_count; l++) count += f->lines[l].shares == shares;
    return count;
}

static bool scaling_picture_has_both_groups(const scaling_family *f) {
    return group_size(f, false) > 0 && group_size(f, true) > 0;
}

/* A key is below its panel; if there is only one panel, its key takes the place of the other. */
static double scaling_picture_height(const scaling_family *f) {
    size_t own = group_size(f, false), shared = group_size(f, true);
    double key = KEY_LINE * (double)(own > shared ? own : shared);
    return scaling_picture_has_both_groups(f) ? HEAD + PANEL + KEY + key : HEAD + fmax(PANEL + KEY, PANEL_HEAD + key);
}

/* ---- a panel ----------------------------------------------------------------------------------------------------- */

static void scaling_picture_put_data(const scaling_family *f, const axis *y, FILE *out) {
    for (size_t l = 0; l < f->line_count; l++) {
        fprintf(out, "$line%zu << EOD\n", l);
        for (size_t i = 0; i < f->member_count; i++) {
            record_value regret = f->lines[l].regret[i];
            if (!(regret.mean > 0)) continue;
            fprintf(out, "%.6g %.6g %.6g %.6g\n", f->members[i].size, regret.mean, axis_lower_end(y, regret),
                    regret.mean + (isnan(regret.ci95) ? 0 : regret.ci95));
        }
        fputs("EOD\n", out);
    }
}

/* Writes a point of the line with this slope through the lower left corner; at part 1 the line leaves the panel. */
static void put_reference_point(const axis *x, const axis *y, double slope, double part, FILE *out) {
    double length = fmin(log(x->high / x->low), log(y->high / y->low) / slope) * part;
    fprintf(out, "%.6g,%.6g", x->low * exp(length), y->low * exp(slope * length));
}

static void put_reference(const axis *x, const axis *y, double slope, const char *name, int tag, FILE *out) {
    fprintf(out, "set arrow %d from ", tag);
    put_reference_point(x, y, slope, 0, out);
    fputs(" to ", out);
    put_reference_point(x, y, slope, 1, out);
    fprintf(out, " nohead back lw 1.2 dt (2,4) lc rgb '#888888'\nset label %d '%s' at ", 10 + tag, name);
    put_reference_point(x, y, slope, 0.92, out);
    fputs(" right offset -0.8,0.3 font note textcolor rgb '#777777' front\n", out);
}

static void scaling_picture_put_margins(const scaling_family *f, size_t column, FILE *out) {
    double width = (GALLERY_WIDTH - LEFT) / 2.0, left = LEFT + width * (double)column, all = scaling_picture_height(f);
    bool both = scaling_picture_has_both_groups(f);
    fprintf(out, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", left / GALLERY_WIDTH,
            (left + width - GAP) / GALLERY_WIDTH);
    fprintf(out, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", 1 - (HEAD + PANEL_HEAD) / all,
            1 - (HEAD + PANEL) / all);
    fprintf(out, "set key at screen %.4f,%.4f left top Left reverse samplen 3.2 spacing 1.2 font note maxcols 1\n",
            (both ? left - 40 : left + width - 10) / GALLERY_WIDTH,
            1 - (both ? HEAD + PANEL + KEY - 10 : HEAD + PANEL_HEAD) / all);
}

/* The name, cut if it is long, and the exponent. */
static void put_title(const scaling_line *line, FILE *out) {
    fputs(" title ", out);
    gnuplot_string(out, line->name, GALLERY_NAME_MAX);
    if (isnan(line->exponent.mean)) return;
    fprintf(out, ".':  %.2f", line->exponent.mean);
    if (!isnan(line->exponent.ci95)) fprintf(out, " ± %.2f", line->exponent.ci95);
    fputc('\'', out);
}

static void scaling_picture_put_panel(const scaling_family *f, bool shares, size_t column, FILE *out) {
    scaling_picture_put_margins(f, column, out);
    if (scaling_picture_has_both_groups(f))
        fprintf(out, "set title '%s' offset 0,-0.6 font name\n",
                shares ? "every learner learns from every play" : "each learner learns from its own plays");
    fputs(column == 0 ? "set format y '%g'\nset ylabel 'regret after the last round' offset 0.8,0\n"
                      : "set format y ''\nunset ylabel\nunset label 1\nunset label 2\n",
          out);
    const char *before = "plot ";
    for (size_t l = 0; l < f->line_count; l++) {
        if (f->lines[l].shares != shares) continue;
        style look = style_among_selectors(f->lines[l].rank);
        fprintf(out,
                "%s$line%zu using 1:2:3:4 with yerrorbars pt 7 ps 0.8*dot lw 1.2 lc rgb '%s' notitle, \\\n$line%zu ",
                before, l, look.light, l);
        gallery_put_line(&look, out);
        put_title(&f->lines[l], out);
        before = ", \\\n";
    }
    fputc('\n', out);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void scaling_picture_draw(const void *subject, FILE *out) {
    const scaling_family *f = subject;
    axis x = scaling_size_axis(f), y = scaling_regret_axis(f);
    char title[TITLE_MAX];
    snprintf(title, sizeof title, "%s-N: regret over N", f->stem);
    gallery_put_heading(title, 1 - 28 / scaling_picture_height(f),
                        "Mean over runs with 95% intervals, on logarithmic axes; behind a name, its exponent",
                        1 - 56 / scaling_picture_height(f), out);
    scaling_picture_put_data(f, &y, out);
    fprintf(out, "set logscale xy\nset xrange [%.6g:%.6g]\nset yrange [%.6g:%.6g]\nset xtics ", x.low, x.high, y.low,
            y.high);
    gallery_put_ticks(x.ticks, x.tick_count, false, out);
    fputs("\nset ytics ", out);
    gallery_put_ticks(y.ticks, y.tick_count, false, out);
    fputs("\nset xlabel 'N'\nset format x '%g'\n", out);
    put_reference(&x, &y, 0.5, "slope 1/2", 1, out);
    put_reference(&x, &y, 1, "slope 1", 2, out);
    fputs("set multiplot\n", out);
    size_t column = 0;
    if (group_size(f, false) > 0) scaling_picture_put_panel(f, false, column++, out);
    if (group_size(f, true) > 0) scaling_picture_put_panel(f, true, column, out);
    fputs("unset multiplot\n", out);
}

gallery_picture scaling_picture(const scaling_family *f) {
    return (gallery_picture){f->picture, (int)scaling_picture_height(f), scaling_picture_draw, f};
}

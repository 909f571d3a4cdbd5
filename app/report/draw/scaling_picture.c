/* SPDX-License-Identifier: MIT */
#include "report/draw/scaling_picture.h"

#include <math.h>

#include "report/chart/build.h"
#include "report/draw/picture.h"

/* Lengths, in units of 1 / GALLERY_WIDTH of the width of the picture. */
enum { HEAD = 84, PANEL = 330, PANEL_HEAD = 26, KEY = 76, KEY_LINE = 21, LEFT = 106, GAP = 26 };

enum { MORE_MAX = 64 }; /* bytes of an exponent and its interval */

/* A family with its chart. */
typedef struct scaling_subject {
    const scaling_family *family;
    chart chart;
} scaling_subject;

/* A key is below its panel; if there is only one panel, its key takes the place of the other. */
static double scaling_picture_height(const chart *c) {
    size_t most = 0;
    for (size_t p = 0; p < c->panel_count; p++)
        if (c->panels[p].series_count > most) most = c->panels[p].series_count;
    double key = KEY_LINE * (double)most;
    return c->panel_count > 1 ? HEAD + PANEL + KEY + key : HEAD + fmax(PANEL + KEY, PANEL_HEAD + key);
}

/* ---- a panel ----------------------------------------------------------------------------------------------------- */

/* Near the end of a line, on logarithmic axes. */
static double near_end(double from, double to) {
    return from * pow(to / from, 0.92);
}

static void scaling_picture_put_line(const chart_line *l, int tag, FILE *out) {
    fprintf(out, "set arrow %d from %.6g,%.6g to %.6g,%.6g nohead back ", tag, l->from[0], l->from[1], l->to[0],
            l->to[1]);
    gallery_put_look(&l->look, out);
    fprintf(out, "\nset label %d '%s' at %.6g,%.6g right offset -0.8,0.3 font note textcolor rgb '#777777' front\n",
            10 + tag, l->name, near_end(l->from[0], l->to[0]), near_end(l->from[1], l->to[1]));
}

static void scaling_picture_put_margins(const chart *c, size_t column, FILE *out) {
    double width = (GALLERY_WIDTH - LEFT) / 2.0, left = LEFT + width * (double)column, all = scaling_picture_height(c);
    bool both = c->panel_count > 1;
    fprintf(out, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", left / GALLERY_WIDTH,
            (left + width - GAP) / GALLERY_WIDTH);
    fprintf(out, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", 1 - (HEAD + PANEL_HEAD) / all,
            1 - (HEAD + PANEL) / all);
    fprintf(out, "set key at screen %.4f,%.4f left top Left reverse samplen 3.2 spacing 1.2 font note maxcols 1\n",
            (both ? left - 40 : left + width - 10) / GALLERY_WIDTH,
            1 - (both ? HEAD + PANEL + KEY - 10 : HEAD + PANEL_HEAD) / all);
}

/* The names of the lines with their exponents. */
static void scaling_picture_put_key(const scaling_family *f, const chart_panel *p, FILE *out) {
    for (size_t s = 0, l = 0; s < p->series_count; l++) {
        const scaling_line *line = &f->lines[l];
        char exponent[MORE_MAX] = "", interval[MORE_MAX] = "", more[2 * MORE_MAX];
        if (p->series[s].values != line->regret) continue;
        if (!isnan(line->exponent.mean)) snprintf(exponent, sizeof exponent, ":  %.2f", line->exponent.mean);
        if (!isnan(line->exponent.ci95)) snprintf(interval, sizeof interval, " ± %.2f", line->exponent.ci95);
        snprintf(more, sizeof more, "%s%s", exponent, interval);
        picture_put_entry(&p->series[s].look, line->name, more, out);
        s++;
    }
}

static void scaling_picture_put_panel(const scaling_subject *s, size_t place, FILE *out) {
    const chart_panel *p = &s->chart.panels[place];
    scaling_picture_put_margins(&s->chart, place, out);
    if (s->chart.panel_count > 1) fprintf(out, "set title '%s' offset 0,-0.6 font name\n", p->title);
    picture_put_axis('x', &p->x, true, out);
    picture_put_axis('y', &s->chart.y, place == 0, out);
    if (place == 0)
        fprintf(out, "set xlabel '%s'\nset ylabel '%s' offset 0.8,0\n", p->x.label, s->chart.y.label);
    else
        fputs("unset ylabel\nunset label 1\nunset label 2\n", out);
    for (size_t l = 0; l < p->line_count; l++) scaling_picture_put_line(&p->lines[l], (int)l + 1, out);
    picture_put_series(p, place, out);
    scaling_picture_put_key(s->family, p, out);
    fputc('\n', out);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void scaling_picture_draw(const void *subject, FILE *out) {
    const scaling_subject *s = subject;
    double all = scaling_picture_height(&s->chart);
    gallery_put_heading(s->chart.title, 1 - 28 / all, s->chart.note, 1 - 56 / all, out);
    picture_put_data(&s->chart, out);
    fputs("set multiplot\n", out);
    for (size_t p = 0; p < s->chart.panel_count; p++) scaling_picture_put_panel(s, p, out);
    fputs("unset multiplot\n", out);
}

bool scaling_picture(const scaling_family *f, gallery_picture *out, pool *memory) {
    scaling_subject *s = pool_allocate(memory, sizeof *s);
    if (s == NULL || !growth_of_family(f, &s->chart, memory)) return false;
    s->family = f;
    *out = (gallery_picture){f->picture, (int)scaling_picture_height(&s->chart), scaling_picture_draw, s};
    return true;
}

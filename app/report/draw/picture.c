/* SPDX-License-Identifier: MIT */
/* Charts as commands of gnuplot. Curves are thinned to the points that print can show. */
#include "report/draw/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "report/draw/gallery.h"
#include "report/draw/gnuplot.h"

/* Heights are in units of 1 / GALLERY_WIDTH of the width. */
enum { POINTS_MAX = 250, HEAD = 90, FOOT = 78, PANEL = 350, PANEL_ALONE = 450, KEY_LINE = 28 };

enum { NOTE_MAX = 256 }; /* bytes; a heading shows fewer */

static const double LEFT = 0.095, GAP = 0.045; /* of the width */

/* ---- data -------------------------------------------------------------------------------------------------------- */

static double half_of(dossier_value v) {
    return isnan(v.ci95) ? 0 : v.ci95;
}

static void put_points(const chart_panel *p, const chart_series *s, const chart_axis *y, FILE *out) {
    size_t step = (p->count + POINTS_MAX - 1) / POINTS_MAX;
    for (size_t i = 0; i < p->count; i++) {
        dossier_value v = s->values[i];
        if ((i % step != 0 && i + 1 < p->count) || isnan(v.mean) || (y->log && !(v.mean > 0))) continue;
        double low = axis_lower_end(y->log ? y->low : -INFINITY, v);
        fprintf(out, "%.6g %.6g %.6g %.6g\n", p->at[i], v.mean, low, v.mean + half_of(v));
    }
}

/* A row has x, then 0 and the cumulated shares, so that series s lies between columns s + 2 and s + 3. */
static void put_stack(const chart_panel *p, FILE *out) {
    for (size_t i = 0; i < p->count; i++) {
        double top = 0;
        fprintf(out, "%.6g 0", p->at[i]);
        for (size_t s = 0; s < p->series_count; s++) fprintf(out, " %.6g", top += p->series[s].values[i].mean);
        fputc('\n', out);
    }
}

void picture_put_data(const chart *c, FILE *out) {
    for (size_t p = 0; p < c->panel_count; p++)
        for (size_t s = 0; s < (c->stacked ? 1 : c->panels[p].series_count); s++) {
            fprintf(out, "$data%zu_%zu << EOD\n", p, s);
            if (c->stacked)
                put_stack(&c->panels[p], out);
            else
                put_points(&c->panels[p], &c->panels[p].series[s], &c->y, out);
            fputs("EOD\n", out);
        }
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

/* If the names of the key did not fit, gnuplot would begin a second column. */
static int picture_panel_height(const chart *c) {
    int least = c->panel_count == 1 && !c->stacked ? PANEL_ALONE : PANEL,
        key = KEY_LINE * (int)(c->key_count + 1) + 100;
    return key > least ? key : least;
}

static int picture_height(const chart *c) {
    return HEAD + picture_panel_height(c) * (int)((c->panel_count + CHART_ACROSS - 1) / CHART_ACROSS);
}

static const chart_series *in_key(const chart *c, size_t i) {
    return &c->panels[c->key[i].panel].series[c->key[i].series];
}

/* The room for the key, as a share of the width of the picture. */
static double key_width(const chart *c) {
    size_t longest = c->others != NULL ? strlen(c->others) : 0;
    for (size_t i = 0; i < c->key_count; i++) {
        size_t length = strlen(in_key(c, i)->name);
        if (length > longest) longest = length;
    }
    return 0.085 + 0.0105 * (double)(longest < GALLERY_NAME_MAX ? longest : GALLERY_NAME_MAX);
}

static void picture_put_margins(const chart *c, size_t p, FILE *out) {
    double across = (double)chart_across(c->panel_count), panel = picture_panel_height(c), all = picture_height(c);
    double column = (double)(p % CHART_ACROSS), row = (double)(p / CHART_ACROSS);
    double width = (1 - key_width(c) - LEFT + GAP) / across, top = 1 - (HEAD + row * panel) / all;
    fprintf(out, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", LEFT + column * width,
            LEFT + (column + 1) * width - GAP);
    fprintf(out, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", top - 14 / all,
            top - (panel - FOOT) / all);
}

/* The place of the key is fixed, because otherwise gnuplot may give it all the room of the plot. */
static void put_key_place(const chart *c, FILE *out) {
    double all = picture_height(c), middle = HEAD + (picture_panel_height(c) - FOOT) / 2.0;
    fprintf(out, "set key at screen %.4f,%.4f left %s Left reverse samplen %g spacing 1.25\n", 1 - key_width(c) + 0.005,
            1 - (c->stacked ? HEAD + 2 : middle) / all, c->stacked ? "top" : "center", c->stacked ? 2 : 3.2);
}

/* ---- axes -------------------------------------------------------------------------------------------------------- */

static void put_bound(double bound, FILE *out) {
    if (isnan(bound))
        fputc('*', out);
    else
        fprintf(out, "%.6g", bound);
}

void picture_put_axis(char name, const chart_axis *a, bool named, FILE *out) {
    fprintf(out, "%s logscale %c\nset %crange [", a->log ? "set" : "unset", name, name);
    put_bound(a->low, out);
    fputc(':', out);
    put_bound(a->high, out);
    fprintf(out, "]\nset %ctics ", name);
    gallery_put_ticks(a->ticks, a->tick_count, named && a->percent, out);
    fprintf(out, "\nset format %c '%s'\n", name, named ? "%g" : "");
}

static void put_x(const chart_axis *x, FILE *out) {
    picture_put_axis('x', x, true, out);
    fputs("set xlabel ", out);
    gnuplot_string(out, x->label, GALLERY_NAME_MAX);
    fputc('\n', out);
}

/* The numbers and the name of y are only at the leftmost panel of a row. */
static void put_y(const chart *c, size_t p, FILE *out) {
    bool leftmost = p % CHART_ACROSS == 0;
    picture_put_axis('y', &c->y, leftmost, out);
    fputs(leftmost ? "set ylabel " : "unset ylabel\n", out);
    if (!leftmost) return;
    gnuplot_string(out, c->y.label, GALLERY_TITLE_MAX);
    fputc('\n', out);
}

/* ---- series ------------------------------------------------------------------------------------------------------ */

static style look_of(const chart_series *s) {
    return s->shown ? s->look : style_of_rest();
}

static bool is_dark(const char *colour) {
    uint64_t rgb = 0;
    text_read_hex(colour + 1, &rgb);
    return 0.299 * (double)(rgb >> 16) + 0.587 * (double)(rgb >> 8 & 255) + 0.114 * (double)(rgb & 255) < 125;
}

/* The mean over the middle third of x, where the name of an area is written. */
static double middle_of(const chart_panel *p, const chart_series *s) {
    double sum = 0, n = 0;
    for (size_t i = p->count / 3; i <= 2 * p->count / 3 && i < p->count; i++, n++) sum += s->values[i].mean;
    return sum / n;
}

/* Writes names into the areas that have room for one, so that colour is not the only way to tell them apart. */
static void put_area_labels(const chart *c, const chart_panel *p, FILE *out) {
    double below = 0;
    for (size_t s = 0; s < p->series_count; s++) {
        double share = middle_of(p, &p->series[s]);
        if (share >= 0.08) {
            fprintf(out, "set label %zu ", 10 + s);
            gnuplot_string(out, p->series[s].name, chart_across(c->panel_count) < 3 ? 24 : 16);
            fprintf(out, " at graph 0.5,%.4f center front font note textcolor rgb '%s'\n", below + share / 2,
                    is_dark(look_of(&p->series[s]).light) ? "#FFFFFF" : "#000000");
        }
        below += share;
    }
}

static void put_areas(const chart_panel *p, size_t place, FILE *out) {
    for (size_t s = p->series_count; s-- > 0;)
        fprintf(out, "%s$data%zu_0 using 1:%zu:%zu with filledcurves fc rgb '%s' fs solid 1 border lc rgb '%s' notitle",
                s + 1 < p->series_count ? ", \\\n" : "plot ", place, s + 2, s + 3, look_of(&p->series[s]).light,
                p->series[s].shown ? "white" : look_of(&p->series[s]).light);
}

/* Bands are below all lines. */
void picture_put_series(const chart_panel *p, size_t place, FILE *out) {
    const char *before = "plot ";
    for (size_t k = 0; k < p->series_count; k++) {
        const chart_series *s = &p->series[p->drawn[k]];
        if (!s->shown || s->marked) continue;
        fprintf(out,
                "%s$data%zu_%zu using 1:3:4 with filledcurves fc rgb '%s' fs transparent solid %g noborder notitle",
                before, place, p->drawn[k], s->look.light, s->look.band);
        before = ", \\\n";
    }
    for (size_t k = 0; k < p->series_count; k++) {
        const chart_series *s = &p->series[p->drawn[k]];
        style look = look_of(s);
        if (s->marked)
            fprintf(out, "%s$data%zu_%zu using 1:2:3:4 with yerrorbars pt 7 ps 0.8*dot lw 1.2 lc rgb '%s' notitle",
                    before, place, p->drawn[k], look.light);
        fprintf(out, "%s$data%zu_%zu using 1:2 ", s->marked ? ", \\\n" : before, place, p->drawn[k]);
        gallery_put_line(&look, out);
        fputs(" notitle", out);
        before = ", \\\n";
    }
}

void picture_put_entry(const style *look, const char *name, const char *more, FILE *out) {
    fputs(", \\\nkeyentry ", out);
    gallery_put_line(look, out);
    fputs(" title ", out);
    gnuplot_string(out, name, GALLERY_NAME_MAX);
    fprintf(out, ".'%s'", more);
}

static void put_area_entry(const style *look, const char *name, FILE *out) {
    fprintf(out, ", \\\nkeyentry with boxes fc rgb '%s' fs solid 1 noborder title ", look->light);
    gnuplot_string(out, name, GALLERY_NAME_MAX);
}

static void put_entry(const chart *c, style look, const char *name, FILE *out) {
    if (c->stacked)
        put_area_entry(&look, name, out);
    else
        picture_put_entry(&look, name, "", out);
}

static void put_key(const chart *c, FILE *out) {
    for (size_t i = 0; i < c->key_count; i++) put_entry(c, in_key(c, i)->look, in_key(c, i)->name, out);
    if (c->others != NULL) put_entry(c, style_of_rest(), c->others, out);
}

static void picture_put_panel(const chart *c, size_t place, FILE *out) {
    const chart_panel *p = &c->panels[place];
    picture_put_margins(c, place, out);
    if (place > 0) fputs("unset label\nunset key\n", out);
    if (p->title != NULL) {
        fputs("set title ", out);
        gnuplot_string(out, p->title, GALLERY_NAME_MAX);
        fputs(" offset 0,-0.6 font name\n", out);
    }
    put_x(&p->x, out);
    put_y(c, place, out);
    if (c->stacked) put_area_labels(c, p, out);
    if (c->stacked)
        put_areas(p, place, out);
    else
        picture_put_series(p, place, out);
    if (place == 0) put_key(c, out);
    fputc('\n', out);
}

static void picture_draw(const void *subject, FILE *out) {
    const chart *c = subject;
    double all = picture_height(c);
    char note[NOTE_MAX];
    snprintf(note, sizeof note, "%s%s", c->note, c->stacked ? "" : ", with 95% intervals");
    gallery_put_heading(c->title, 1 - 0.28 * HEAD / all, note, 1 - 0.58 * HEAD / all, out);
    picture_put_data(c, out);
    put_key_place(c, out);
    if (c->stacked) fputs("unset grid\n", out);
    fputs("set multiplot\n", out);
    for (size_t p = 0; p < c->panel_count; p++) picture_put_panel(c, p, out);
    fputs("unset multiplot\n", out);
}

bool picture_make(const charts *all, const char *directory, FILE *messages) {
    gallery_picture pictures[sizeof all->list / sizeof *all->list];
    for (size_t i = 0; i < all->count; i++)
        pictures[i] = (gallery_picture){all->list[i].name, picture_height(&all->list[i]), picture_draw, &all->list[i]};
    return gallery_make(pictures, all->count, directory, messages);
}

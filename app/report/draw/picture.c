/* SPDX-License-Identifier: MIT */
/*
 * Curves are thinned to the points that print can show. Rates and shares jump from round to round; they are averaged
 * over windows, and a note in the picture gives the length of a window.
 */
#include "report/draw/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/data/heap.h"
#include "report/draw/gallery.h"
#include "report/draw/gnuplot.h"
#include "report/draw/style.h"

enum { POINTS_MAX = 250, WINDOWS_MAX = 100 };

/* ---- data -------------------------------------------------------------------------------------------------------- */

static size_t window_of(const record *r) {
    return (r->round_count + WINDOWS_MAX - 1) / WINDOWS_MAX;
}

static void put_thinned(const record *r, const record_value *curve, FILE *out) {
    size_t step = (r->round_count + POINTS_MAX - 1) / POINTS_MAX;
    for (size_t p = 0; p < r->round_count; p++) {
        if (p % step != 0 && p + 1 < r->round_count) continue;
        double half = isnan(curve[p].ci95) ? 0 : curve[p].ci95;
        fprintf(out, "%.6g %.6g %.6g %.6g\n", r->rounds[p], curve[p].mean, curve[p].mean - half, curve[p].mean + half);
    }
}

/*
 * The interval that is drawn is the mean of the intervals in a window; the interval of the mean of the window is no
 * wider.
 */
static void put_averaged(const record *r, const record_value *curve, FILE *out) {
    size_t window = window_of(r);
    for (size_t begin = 0; begin < r->round_count; begin += window) {
        double round = 0, mean = 0, half = 0, n = 0;
        for (size_t p = begin; p < begin + window && p < r->round_count; p++, n++) {
            round += r->rounds[p], mean += curve[p].mean;
            half += isnan(curve[p].ci95) ? 0 : curve[p].ci95;
        }
        fprintf(out, "%.6g %.6g %.6g %.6g\n", round / n, mean / n, fmax(0, (mean - half) / n),
                fmin(1, (mean + half) / n));
    }
}

/* The mean share of learner m within the window that begins at `begin`. */
static double window_share(const record *r, size_t s, size_t m, size_t begin) {
    const double *share = r->share + (s * r->learner_count + m) * r->round_count;
    double sum = 0, n = 0;
    for (size_t p = begin; p < begin + window_of(r) && p < r->round_count; p++, n++) sum += share[p];
    return sum / n;
}

/* A row has the round, then 0 and the cumulated shares, so that learner m lies between columns m + 2 and m + 3. */
static void put_shares(const record *r, size_t s, FILE *out) {
    size_t window = window_of(r);
    for (size_t begin = 0; begin < r->round_count; begin += window) {
        size_t last = begin + window < r->round_count ? begin + window - 1 : r->round_count - 1;
        double top = 0;
        fprintf(out, "%.6g 0", (r->rounds[begin] + r->rounds[last]) / 2);
        for (size_t m = 0; m < r->learner_count; m++) fprintf(out, " %.6g", top += window_share(r, s, m, begin));
        fputc('\n', out);
    }
}

static void put_tasks(const record *r, const record_value *regret, FILE *out) {
    for (size_t task = 0; task < r->task_count; task++) {
        double mean = regret[task].mean, half = isnan(regret[task].ci95) ? 0 : regret[task].ci95;
        fprintf(out, "%zu %.6g %.6g %.6g\n", task + 1, mean, mean - half, mean + half);
    }
}

static void picture_put_data(const record *r, FILE *out) {
    for (size_t c = 0; c < r->competitor_count; c++) {
        fprintf(out, "$regret%zu << EOD\n", c);
        put_thinned(r, r->regret + c * r->round_count, out);
        fputs("EOD\n", out);
        if (!r->has_optimal) continue;
        fprintf(out, "$optimal%zu << EOD\n", c);
        put_averaged(r, r->optimal + c * r->round_count, out);
        fputs("EOD\n", out);
    }
    for (size_t c = 0; c < r->competitor_count && r->task_count > 1; c++) {
        fprintf(out, "$task%zu << EOD\n", c);
        put_tasks(r, r->task_regret + c * r->task_count, out);
        fputs("EOD\n", out);
    }
    for (size_t s = 0; s < r->selector_count; s++) {
        fprintf(out, "$share%zu << EOD\n", s);
        put_shares(r, s, out);
        fputs("EOD\n", out);
    }
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

/* The order of the lines at the right edge, from the top. The key beside them has the same order. */
static void order_by_end(const record *r, const record_value *curves, size_t points, size_t *order) {
    for (size_t c = 0; c < r->competitor_count; c++) {
        size_t at = c;
        double end = curves[(c + 1) * points - 1].mean;
        for (; at > 0 && curves[(order[at - 1] + 1) * points - 1].mean < end; at--) order[at] = order[at - 1];
        order[at] = c;
    }
}

/*
 * Bands are lowest, then come learners, the oracle, and selectors on top. The first selector, whose line has no gaps,
 * is below the dashes of the others. points: of each curve.
 */
static void put_curves(const record *r, const char *data, const record_value *curves, size_t points, FILE *out) {
    fputs("plot ", out);
    for (size_t i = r->competitor_count; i-- > 0;) {
        const record_competitor *c = &r->competitors[i];
        fprintf(out, "$%s%zu using 1:3:4 with filledcurves fc rgb '%s' fs transparent solid %s noborder notitle, \\\n",
                data, i, style_of(c->role, c->rank).light, c->role == RECORD_SELECTOR ? "0.16" : "0.10");
    }
    for (size_t k = 0; k < r->competitor_count; k++) {
        size_t i = (k + r->selector_count) % r->competitor_count;
        style look = style_of(r->competitors[i].role, r->competitors[i].rank);
        fprintf(out, "$%s%zu using 1:2 ", data, i);
        gallery_put_line(&look, out);
        fputs(" notitle, \\\n", out);
    }
    size_t *order = heap_get(r->competitor_count, sizeof *order);
    order_by_end(r, curves, points, order);
    for (size_t k = 0; k < r->competitor_count; k++) {
        const record_competitor *c = &r->competitors[order[k]];
        style look = style_of(c->role, c->rank);
        fputs("keyentry ", out);
        gallery_put_line(&look, out);
        fputs(" title ", out);
        gnuplot_string(out, c->name, GALLERY_NAME_MAX);
        fputs(k + 1 < r->competitor_count ? ", \\\n" : "\n", out);
    }
    free(order);
}

/* The room for a key whose longest name has `longest` bytes, as a share of the width of the picture. */
static double key_width(size_t longest) {
    return 0.085 + 0.0105 * (double)(longest < GALLERY_NAME_MAX ? longest : GALLERY_NAME_MAX);
}

static double competitor_key(const record *r) {
    size_t longest = 0;
    for (size_t c = 0; c < r->competitor_count; c++) {
        size_t length = strlen(r->competitors[c].name);
        if (length > longest) longest = length;
    }
    return key_width(longest);
}

static double learner_key(const record *r) {
    size_t longest = 0;
    for (size_t m = 0; m < r->learner_count; m++) {
        size_t length = strlen(r->learners[m]);
        if (length > longest) longest = length;
    }
    return key_width(longest);
}

/* The place of the key is fixed, because otherwise gnuplot may give it all the room of the plot. */
static void put_frame(const record *r, FILE *out) {
    double right = 1 - competitor_key(r);
    fprintf(out, "set tmargin at screen 0.86\nset lmargin at screen 0.095\nset rmargin at screen %.4f\n", right - 0.02);
    fprintf(out, "set key at screen %.4f,0.52 left center Left reverse samplen 3.2 spacing 1.25\n", right);
}

static char *note_of(const record *r, const char *what, bool averaged) {
    const csv_cell *first = csv_row(&r->tables[TABLE_SUMMARY], 0);
    double window = (double)window_of(r) * r->rounds[r->round_count - 1] / (double)r->round_count;
    char *runs = heap_text("%s, mean of %.0f runs", what, first[SUMMARY_CSV_RUNS].number);
    char *note = averaged && window > 1 ? heap_text("%s and %.0f rounds", runs, window) : heap_text("%s", runs);
    free(runs);
    return note;
}

/* Writes what all pictures of curves over rounds have in common. */
static void put_course(const record *r, char *note, FILE *out) {
    gallery_put_heading(r->title, 0.955, note, 0.9, out);
    fprintf(out, "set xlabel 'round'\nset xrange [0:%.6g]\n", r->rounds[r->round_count - 1]);
    put_frame(r, out);
    free(note);
}

/* The first rows of a log leave wide intervals, so only the last nine tenths set the scale. */
static void put_value_range(const record *r, FILE *out) {
    double low = INFINITY, high = -INFINITY;
    for (size_t c = 0; c < r->competitor_count; c++)
        for (size_t p = r->round_count / 10; p < r->round_count; p++) {
            record_value v = r->regret[c * r->round_count + p];
            double half = isnan(v.ci95) ? 0.0 : v.ci95;
            if (v.mean - half < low) low = v.mean - half;
            if (v.mean + half > high) high = v.mean + half;
        }
    if (low < high) fprintf(out, "set yrange [%.6g:%.6g]\n", low, high);
}

static void draw_regret(const void *subject, FILE *out) {
    const record *r = subject;
    put_course(r, note_of(r, "Cumulative regret with 95% bands", false), out);
    fputs("set ylabel 'cumulative regret'\nset yrange [0:*]\nset format y '%g'\n", out);
    put_curves(r, "regret", r->regret, r->round_count, out);
}

static void draw_value(const void *subject, FILE *out) {
    const record *r = subject;
    put_course(r, note_of(r, "Value on the log so far with 95% bands", false), out);
    fputs("set ylabel 'value'\nset format y '%g'\n", out);
    put_value_range(r, out);
    put_curves(r, "regret", r->regret, r->round_count, out);
}

static void draw_optimal(const void *subject, FILE *out) {
    const record *r = subject;
    put_course(r, note_of(r, "Rounds in which an optimal arm was played, with 95% bands", true), out);
    fputs("set ylabel 'optimal arm played'\nset yrange [0:1]\n", out);
    fputs("set ytics ('0 %%' 0, '20 %%' 0.2, '40 %%' 0.4, '60 %%' 0.6, '80 %%' 0.8, '100 %%' 1)\n", out);
    put_curves(r, "optimal", r->optimal, r->round_count, out);
}

/* 1, 2 or 5 times a power of ten, the smallest with which there are at most `most` steps up to `end`. */
static double tick_step(double end, double most) {
    static const double steps[] = {1, 2, 5};
    for (double power = 1;; power *= 10)
        for (int i = 0; i < 3; i++)
            if (end <= most * steps[i] * power) return steps[i] * power;
}

static void draw_tasks(const void *subject, FILE *out) {
    const record *r = subject;
    char *note = note_of(r, "Regret of each task with 95% bands", false);
    gallery_put_heading(r->title, 0.955, note, 0.9, out);
    free(note);
    put_frame(r, out);
    fprintf(out, "set xlabel 'task'\nset xrange [1:%zu]\nset xtics %.6g\nset ylabel 'regret of the task'\n",
            r->task_count, tick_step((double)r->task_count, 10));
    fputs("set yrange [0:*]\nset format y '%g'\n", out);
    put_curves(r, "task", r->task_regret, r->task_count, out);
}

/* ---- selection --------------------------------------------------------------------------------------------------- */

enum { PANELS_ACROSS = 3, HEAD = 90 };

/* The names in a key are 28 apart; if they did not fit, gnuplot would begin a second column. */
static int picture_panel_height(const record *r) {
    int key = 28 * (int)r->learner_count + 100;
    return key > 350 ? key : 350;
}

static int curves_height(const record *r) {
    int key = 38 * (int)r->competitor_count;
    return key > 540 ? key : 540;
}

static size_t panels_across(const record *r) {
    return r->selector_count < PANELS_ACROSS ? r->selector_count : PANELS_ACROSS;
}

static size_t panels_down(const record *r) {
    return (r->selector_count + PANELS_ACROSS - 1) / PANELS_ACROSS;
}

static bool is_dark(const char *colour) {
    unsigned long rgb = strtoul(colour + 1, NULL, 16);
    return 0.299 * (double)(rgb >> 16) + 0.587 * (double)(rgb >> 8 & 255) + 0.114 * (double)(rgb & 255) < 125;
}

/* The mean share over the middle third of the rounds, where the name of an area is written. */
static double middle_share(const record *r, size_t s, size_t m) {
    const double *share = r->share + (s * r->learner_count + m) * r->round_count;
    double sum = 0, n = 0;
    for (size_t p = r->round_count / 3; p <= 2 * r->round_count / 3 && p < r->round_count; p++, n++) sum += share[p];
    return sum / n;
}

/* Writes names into the areas that have room for one, so that colour is not the only way to tell them apart. */
static void put_area_labels(const record *r, size_t s, FILE *out) {
    double below = 0;
    for (size_t m = 0; m < r->learner_count; m++) {
        double share = middle_share(r, s, m);
        if (share >= 0.08) {
            fprintf(out, "set label %zu ", 10 + m);
            gnuplot_string(out, r->learners[m], panels_across(r) < 3 ? 24 : 16);
            fprintf(out, " at graph 0.5,%.4f center front font note textcolor rgb '%s'\n", below + share / 2,
                    is_dark(style_of(RECORD_LEARNER, m).light) ? "#FFFFFF" : "#000000");
        }
        below += share;
    }
}

static void picture_put_margins(const record *r, size_t s, FILE *out) {
    double across = (double)panels_across(r), down = (double)panels_down(r), panel = picture_panel_height(r),
           all = HEAD + panel * down;
    double column = (double)(s % PANELS_ACROSS), row = (double)(s / PANELS_ACROSS);
    double left = 0.095, gap = 0.045, width = (1 - learner_key(r) - left + gap) / across;
    double top = 1 - (HEAD + row * panel) / all;
    fprintf(out, "set lmargin at screen %.4f\nset rmargin at screen %.4f\n", left + column * width,
            left + (column + 1) * width - gap);
    fprintf(out, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n", top - 14 / all, top - (panel - 78) / all);
}

static void picture_put_panel(const record *r, size_t s, FILE *out) {
    bool leftmost = s % PANELS_ACROSS == 0;
    picture_put_margins(r, s, out);
    if (s > 0) fputs("unset label\nunset key\n", out);
    fputs("set title ", out);
    gnuplot_string(out, r->competitors[s].name, GALLERY_NAME_MAX);
    fputs(" offset 0,-0.6 font name\n", out);
    fputs(leftmost ? "set format y\nset ylabel 'share of runs'\n" : "set format y ''\nunset ylabel\n", out);
    put_area_labels(r, s, out);
    fputs("plot ", out);
    for (size_t m = r->learner_count; m-- > 0;) {
        fprintf(out, "$share%zu using 1:%zu:%zu with filledcurves fc rgb '%s' fs solid 1 border lc rgb 'white' title ",
                s, m + 2, m + 3, style_of(RECORD_LEARNER, m).light);
        gnuplot_string(out, r->learners[m], GALLERY_NAME_MAX);
        fputs(m > 0 ? ", \\\n" : "\n", out);
    }
}

static void draw_selection(const void *subject, FILE *out) {
    const record *r = subject;
    char *note = note_of(r, "Which learner each selector chose: share of runs", true);
    double down = (double)panels_down(r), head = HEAD / (HEAD + picture_panel_height(r) * down);
    gallery_put_heading(r->title, 1 - 0.28 * head, note, 1 - 0.58 * head, out);
    free(note);
    double end = r->rounds[r->round_count - 1], ticks = panels_across(r) == 1 ? 8 : panels_across(r) == 2 ? 5 : 3;
    fprintf(out, "set xlabel 'round'\nset xrange [0:%.6g]\nset xtics %.6g\n", end, tick_step(end, ticks));
    fprintf(out,
            "set multiplot\nunset grid\nset key at screen %.4f,%.4f left top Left reverse samplen 2 spacing 1.25\n",
            1 - learner_key(r) + 0.005, 1 - head - 0.01);
    fputs("set yrange [0:1]\nset ytics 0.2\n", out);
    for (size_t s = 0; s < r->selector_count; s++) picture_put_panel(r, s, out);
    fputs("unset multiplot\n", out);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static char *data_text(const record *r) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL) return NULL;
    picture_put_data(r, stream);
    fclose(stream);
    return text;
}

bool picture_make(const record *r, const char *directory, FILE *messages) {
    gallery_picture pictures[4] = {{"regret", curves_height(r), draw_regret, r}};
    if (r->has_value) pictures[0] = (gallery_picture){"value", curves_height(r), draw_value, r};
    size_t count = 1;
    if (r->has_optimal) pictures[count++] = (gallery_picture){"optimal", curves_height(r), draw_optimal, r};
    if (r->task_count > 1) pictures[count++] = (gallery_picture){"tasks", curves_height(r), draw_tasks, r};
    if (r->selector_count > 0 && r->learner_count > 0)
        pictures[count++] =
            (gallery_picture){"selection", HEAD + picture_panel_height(r) * (int)panels_down(r), draw_selection, r};
    char *data = data_text(r);
    bool made = data != NULL && gallery_make(pictures, count, data, directory, messages);
    free(data);
    return made;
}

/* SPDX-License-Identifier: MIT */
/*
 * One gnuplot process runs one script: every picture for every terminal, under temporary names.
 */
#include "report/draw/gallery.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/file.h"
#include "report/draw/glyphs.h"
#include "report/draw/gnuplot.h"

/* All formats have the same layout: a length of 1 in the SVG is 2 pixels in the PNG and 0.6 point in the PDF. */
static const struct {
    const char *suffix, *setting, *fonts;
    bool own_fonts; /* it uses the fonts of this machine; an SVG is shown with the fonts of its reader */
} terminals[] = {
    {"svg", "svg noenhanced background 'white' size 900,%d font 'Arial,14'",
     "head = ',19'; note = ',13'; name = ',15'; dot = 0.65", false},
    {"png", "pngcairo noenhanced background 'white' size 1800,%d*2 font 'DejaVu Sans,10' fontscale 2 linewidth 2",
     "head = ',14'; note = ',10'; name = ',11'; dot = 1.6", true},
    {"pdf",
     "pdfcairo noenhanced background 'white' size 900*0.0083in,%d*0.0083in font 'DejaVu Sans,14' fontscale 0.55 linewidth 1.4",
     "head = ',19'; note = ',13'; name = ',15'; dot = 0.55", true},
};

/* Whether a stream in memory has everything that was written to it. The stream is closed. */
static bool gallery_close(FILE *stream) {
    bool whole = !ferror(stream) && fflush(stream) == 0;
    return fclose(stream) == 0 && whole;
}

/* The commands of a picture, with labels that the terminal can show. False: no memory. */
static bool put_commands(const gallery_picture *p, bool own_fonts, FILE *out) {
    char *commands = NULL;
    size_t size = 0;
    if (!own_fonts) {
        p->draw(p->subject, out);
        return true;
    }
    FILE *stream = open_memstream(&commands, &size);
    if (stream == NULL) return false;
    p->draw(p->subject, stream);
    bool whole = gallery_close(stream);
    if (whole) glyphs_put(commands, size, out);
    free(commands);
    return whole;
}

static bool put_picture(const gallery_picture *p, FILE *out) {
    for (size_t t = 0; t < sizeof terminals / sizeof terminals[0]; t++) {
        fputs("reset\nset terminal ", out);
        fprintf(out, terminals[t].setting, p->height);
        fprintf(out, "\n%s\nset output '%s.%s.tmp'\n", terminals[t].fonts, p->name, terminals[t].suffix);
        fputs("set encoding utf8\nset border 3 lc rgb '#444444'\nset tics nomirror out scale 0.6\n", out);
        fputs("set grid lc rgb '#DDDDDD' lw 0.7 lt 1\nset samples 2\n", out);
        if (!put_commands(p, terminals[t].own_fonts, out)) return false;
        fputs("set output\n", out);
    }
    return true;
}

/* cairo writes the time of day into a PDF. It is overwritten, so that the same results give the same bytes. */
static void gallery_undate(const char *path) {
    static const char mark[] = "/CreationDate (D:", never[] = "19700101000000";
    FILE *stream = fopen(path, "r+b");
    size_t matched = 0;
    for (int c; stream != NULL && matched + 1 < sizeof mark && (c = getc(stream)) != EOF;)
        matched = c == mark[matched] ? matched + 1 : c == mark[0];
    if (stream != NULL && matched + 1 == sizeof mark && fseek(stream, 0, SEEK_CUR) == 0) fputs(never, stream);
    if (stream != NULL) fclose(stream);
}

/* Gives every picture its final name or, if something went wrong, removes its temporary file. */
static bool gallery_settle(const gallery_picture *pictures, size_t count, const char *directory, bool ok,
                           FILE *messages) {
    for (size_t p = 0; p < count; p++)
        for (size_t t = 0; t < sizeof terminals / sizeof terminals[0]; t++) {
            char path[PATH_MAX], temporary[PATH_MAX + 4];
            snprintf(path, sizeof path, "%s/%s.%s", directory, pictures[p].name, terminals[t].suffix);
            snprintf(temporary, sizeof temporary, "%s.tmp", path);
            if (strcmp(terminals[t].suffix, "pdf") == 0) gallery_undate(temporary);
            if (ok && !file_settle(temporary, path)) {
                fprintf(messages, "%s: cannot be written: %s\n", path, strerror(errno));
                ok = false;
            }
            if (!ok) unlink(temporary);
        }
    return ok;
}

/* The commands for all pictures, to be freed. NULL: no memory. */
static char *gallery_script(const gallery_picture *pictures, size_t count, size_t *size) {
    char *script = NULL;
    FILE *stream = open_memstream(&script, size);
    if (stream == NULL) return NULL;
    bool put = true;
    for (size_t p = 0; p < count && put; p++) put = put_picture(&pictures[p], stream);
    if (gallery_close(stream) && put) return script;
    free(script);
    return NULL;
}

bool gallery_make(const gallery_picture *pictures, size_t count, const char *directory, FILE *messages) {
    size_t size = 0;
    char *script = gallery_script(pictures, count, &size);
    if (script == NULL) {
        fprintf(messages, "%s: there is no memory for its pictures\n", directory);
        return false;
    }
    gnuplot_outcome outcome = gnuplot_run(directory, script, size);
    free(script);
    if (outcome == GNUPLOT_MISSING) {
        fprintf(messages, "%s: no pictures, as there is no gnuplot (Debian: gnuplot-nox); the page has all curves\n",
                directory);
        return true;
    }
    if (outcome == GNUPLOT_FAILED) fprintf(messages, "%s: gnuplot failed; there are no pictures\n", directory);
    return gallery_settle(pictures, count, directory, outcome == GNUPLOT_DONE, messages);
}

void gallery_put_line(const style *look, FILE *out) {
    fputs("with lines ", out);
    gallery_put_look(look, out);
}

void gallery_put_look(const style *look, FILE *out) {
    fprintf(out, "lw %g lc rgb '%s'", look->width, look->light);
    if (look->dash[0] == 0) return;
    for (int i = 0; look->dash[i] > 0; i++)
        fprintf(out, "%s%g", i == 0 ? " dt (" : ",", look->dash[i] * 3.2 / look->width);
    fputs(")", out);
}

void gallery_put_ticks(const double *ticks, size_t count, bool percent, FILE *out) {
    if (count == 0) fputs("autofreq", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "(" : ", ", out);
        if (percent) fprintf(out, "'%g %%%%' ", 100 * ticks[i]);
        fprintf(out, "%g%s", ticks[i], i + 1 == count ? ")" : "");
    }
}

void gallery_put_heading(const char *title, double title_at, const char *note, double note_at, FILE *out) {
    fputs("unset label\nset label 1 ", out);
    gnuplot_string(out, title, GALLERY_TITLE_MAX);
    fprintf(out, " at screen 0.02,%.4f left font head front\nset label 2 ", title_at);
    gnuplot_string(out, note, 200);
    fprintf(out, " at screen 0.02,%.4f left font note textcolor rgb '#555555' front\n", note_at);
}

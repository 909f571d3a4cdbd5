/* SPDX-License-Identifier: MIT */
/*
 * A gallery: pictures that one gnuplot draws, each as .svg, .png and .pdf.
 */
#ifndef REPORT_DRAW_GALLERY_H
#define REPORT_DRAW_GALLERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "report/chart/style.h"

enum { GALLERY_WIDTH = 900, GALLERY_NAME_MAX = 26, GALLERY_TITLE_MAX = 80 }; /* characters of a name, of a title */

/*
 * `draw` writes gnuplot commands. It is called once per format; gnuplot then has the variables head, note and name,
 * which are fonts, and dot, the size of a point.
 */
typedef struct gallery_picture {
    const char *name; /* of the file, without its suffix */
    int height;       /* in units of 1 / GALLERY_WIDTH of the width */
    void (*draw)(const void *subject, FILE *out);
    const void *subject;
} gallery_picture;

/*
 * Makes the pictures in a directory. Returns false if a picture could not be written. If there is no gnuplot, a
 * message says so and that is no failure: the page draws the same charts itself.
 */
bool gallery_make(const gallery_picture *pictures, size_t count, const char *directory, FILE *messages);

/* Writes the width, colour and dashes of a line as options of gnuplot, and the same for `plot`. */
void gallery_put_look(const style *look, FILE *out);
void gallery_put_line(const style *look, FILE *out);

/* Writes ticks in the form of gnuplot: (10, 20, 50), or as 20 % for 0.2. Without any, gnuplot sets them. */
void gallery_put_ticks(const double *ticks, size_t count, bool percent, FILE *out);

/* Writes a title and a line of explanation below it, at these heights of the screen. */
void gallery_put_heading(const char *title, double title_at, const char *note, double note_at, FILE *out);

#endif

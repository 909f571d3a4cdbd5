/*
 * A gallery: pictures drawn by one gnuplot, each as .svg, .png and .pdf.
 */
#ifndef REPORT_DRAW_GALLERY_H
#define REPORT_DRAW_GALLERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "report/draw/style.h"

enum { GALLERY_WIDTH = 900, GALLERY_NAME_MAX = 26, GALLERY_TITLE_MAX = 80 }; /* characters of a name, of a title */

/* `draw` writes gnuplot commands; it is called once per format, with the fonts head, note and name
 * defined, and dot, the size of a point. */
typedef struct gallery_picture {
    const char *name; /* of the file, without its suffix */
    int height;       /* where the width is GALLERY_WIDTH */
    void (*draw)(const void *subject, FILE *out);
    const void *subject;
} gallery_picture;

/*
 * Makes them in a directory; `data` are gnuplot commands that go before all of them. Returns false if they could not be
 * written. A missing gnuplot is said, and is no failure: the page draws the same curves itself.
 */
bool gallery_make(const gallery_picture *pictures, size_t count, const char *data, const char *directory,
                  FILE *messages);

/* The width, colour and dashes of a line, as options of gnuplot's `plot`. */
void gallery_put_line(const style *look, FILE *out);

/* A title and a line of explanation below it, at these heights of the screen. */
void gallery_put_heading(const char *title, double title_at, const char *note, double note_at, FILE *out);

#endif

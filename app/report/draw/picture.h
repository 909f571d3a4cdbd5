/* SPDX-License-Identifier: MIT */
/* The charts of an experiment as pictures, each as .svg, .png and .pdf. */
#ifndef REPORT_DRAW_PICTURE_H
#define REPORT_DRAW_PICTURE_H

#include "report/chart/chart.h"

/* Makes them in a directory, as gallery_make does. */
bool picture_make(const charts *all, const char *directory, FILE *messages);

/* Parts of pictures that have a layout of their own. Unless it is named, the ticks of an axis have no text. */
void picture_put_axis(char name, const chart_axis *a, bool named, FILE *out);

/* The data of all panels, and then the series of a panel, which `plot` begins. */
void picture_put_data(const chart *c, FILE *out);
void picture_put_series(const chart_panel *p, size_t place, FILE *out);

/* Writes an entry of the key behind the series: a name, which is cut if it is long, and a text behind that. */
void picture_put_entry(const style *look, const char *name, const char *more, FILE *out);

#endif

/* SPDX-License-Identifier: MIT */
/* The charts of an experiment as pictures, each as .svg, .png and .pdf. */
#ifndef REPORT_DRAW_PICTURE_H
#define REPORT_DRAW_PICTURE_H

#include "report/chart/chart.h"

/* Makes them in a directory, as gallery_make does. */
bool picture_make(const charts *all, const char *directory, FILE *messages);

#endif

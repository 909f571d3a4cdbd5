/* SPDX-License-Identifier: MIT */
/*
 * The pictures of an experiment: regret, optimal and selection, each as .svg, .png and .pdf.
 */
#ifndef REPORT_DRAW_PICTURE_H
#define REPORT_DRAW_PICTURE_H

#include "report/data/record.h"

/* Makes them in a directory, as gallery_make does. */
bool picture_make(const record *r, const char *directory, FILE *messages);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The pictures of an experiment: regret (on a log, value), optimal, tasks and selection, as far as it has them, each as
 * .svg, .png and .pdf.
 */
#ifndef REPORT_DRAW_PICTURE_H
#define REPORT_DRAW_PICTURE_H

#include "report/data/record.h"

/* Makes them in a directory, as gallery_make does. */
bool picture_make(const record *r, const char *directory, FILE *messages);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The picture of a comparison: a panel per experiment, and in it a row per selector with its regret and the interval.
 */
#ifndef REPORT_DRAW_COMPARISON_PICTURE_H
#define REPORT_DRAW_COMPARISON_PICTURE_H

#include "report/chart/axis.h"
#include "report/data/comparison.h"
#include "report/draw/gallery.h"

gallery_picture comparison_picture(const comparison *c);

/* The axis of a panel; it is long enough for the selectors and for the best learner alone. */
axis comparison_axis(const comparison *c, size_t experiment);

#endif

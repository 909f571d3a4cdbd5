/*
 * The picture of a comparison: a panel per experiment, in it a row per selector with its regret and the interval.
 */
#ifndef REPORT_COMPARISON_PICTURE_H
#define REPORT_COMPARISON_PICTURE_H

#include "report/axis.h"
#include "report/comparison.h"
#include "report/gallery.h"

gallery_picture comparison_picture(const comparison *c);

/* The axis of a panel: it holds the selectors and the best learner alone. */
axis comparison_axis(const comparison *c, size_t experiment);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The picture of a comparison: a panel per experiment, and in it a row per selector with its regret and the interval.
 */
#ifndef REPORT_DRAW_COMPARISON_PICTURE_H
#define REPORT_DRAW_COMPARISON_PICTURE_H

#include "report/data/comparison.h"
#include "report/draw/gallery.h"

/* Makes it in the memory of a pool; the comparison must outlive it. False: no memory. */
bool comparison_picture(const comparison *c, gallery_picture *out, pool *memory);

#endif

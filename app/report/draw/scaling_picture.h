/* SPDX-License-Identifier: MIT */
/*
 * The picture of a family: regret over size on logarithmic axes, with one panel for selectors whose learners share what
 * they learn and one for the others.
 */
#ifndef REPORT_DRAW_SCALING_PICTURE_H
#define REPORT_DRAW_SCALING_PICTURE_H

#include "report/chart/axis.h"
#include "report/data/scaling.h"
#include "report/draw/gallery.h"

gallery_picture scaling_picture(const scaling_family *f);

/* The axes, which are the same in both panels. */
axis scaling_size_axis(const scaling_family *f);
axis scaling_regret_axis(const scaling_family *f);

#endif

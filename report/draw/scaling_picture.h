/*
 * The picture of a family: regret over size, on logarithmic axes, a panel for each way of learning.
 */
#ifndef REPORT_DRAW_SCALING_PICTURE_H
#define REPORT_DRAW_SCALING_PICTURE_H

#include "report/data/scaling.h"
#include "report/draw/axis.h"
#include "report/draw/gallery.h"

gallery_picture scaling_picture(const scaling_family *f);

/* The axes, which its panels share. */
axis scaling_size_axis(const scaling_family *f);
axis scaling_regret_axis(const scaling_family *f);

#endif

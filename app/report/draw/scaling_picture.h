/* SPDX-License-Identifier: MIT */
/*
 * The picture of a family: regret over size on logarithmic axes, with one panel for selectors whose learners share what
 * they learn and one for the others.
 */
#ifndef REPORT_DRAW_SCALING_PICTURE_H
#define REPORT_DRAW_SCALING_PICTURE_H

#include "report/data/scaling.h"
#include "report/draw/gallery.h"

/* Makes it in the memory of a pool; the family must outlive it. False: no memory. */
bool scaling_picture(const scaling_family *f, gallery_picture *out, pool *memory);

#endif

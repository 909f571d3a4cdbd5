/* SPDX-License-Identifier: MIT */
/*
 * How a competitor is drawn, in pictures and pages alike. The colours are those of Okabe and Ito, made for every kind
 * of colour vision; their yellow is darkened so that it shows on white. Dashes tell lines apart in grey print. A
 * learner's colour follows its place among the learners, so it is the same in every picture of an experiment, including
 * those of a selector's choices.
 */
#ifndef REPORT_DRAW_STYLE_H
#define REPORT_DRAW_STYLE_H

#include "report/data/record.h"

typedef struct style {
    const char *light, *dark; /* colours on a light and on a dark page */
    double width;
    const int *dash; /* lengths of strokes and gaps in turn, up to a 0; NULL is a line without gaps */
} style;

style style_of(record_role role, size_t rank);

/* For pictures of selectors alone: the first has its usual style, and the others have the styles of learners. */
style style_among_selectors(size_t rank);

#endif

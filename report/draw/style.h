/*
 * How a competitor is drawn, in pictures and pages alike. The colours are those of Okabe and Ito, made for every kind
 * of colour vision (their yellow darkened, to show on white); dashes tell lines apart in grey print. A learner goes by
 * its place among the learners, so that it keeps its colour in every picture of an experiment, its share in a
 * selector's choices included.
 */
#ifndef REPORT_DRAW_STYLE_H
#define REPORT_DRAW_STYLE_H

#include "report/data/record.h"

typedef struct style {
    const char *light, *dark; /* colours on a light and on a dark page */
    double width;
    const int *dash; /* lengths of stroke and gap, up to a 0; NULL is a whole line */
} style;

style style_of(record_role role, size_t rank);

/* Where selectors are all there is: the first as everywhere, the others in the colours that learners have elsewhere. */
style style_among_selectors(size_t rank);

#endif

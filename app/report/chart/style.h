/* SPDX-License-Identifier: MIT */
/*
 * How a competitor is drawn, in pictures, in pages and in Python alike. palette.json has the colours and dashes,
 * because the board of the server and the page of the tournament also read it. The colours are those of Okabe and Ito,
 * made for every kind of colour vision; their yellow is darkened so that it shows on white. Dashes tell lines apart in
 * grey print. A learner's style is the same in every picture of an experiment, including those of a selector's choices.
 */
#ifndef REPORT_CHART_STYLE_H
#define REPORT_CHART_STYLE_H

#include "report/data/dossier.h"

enum { STYLE_DASHES = 7 };

typedef struct style {
    const char *light, *dark; /* colours on a light and on a dark page */
    double width;
    double band;            /* the opacity of its interval; 0: the interval is not drawn */
    int dash[STYLE_DASHES]; /* lengths of strokes and gaps in turn, up to a 0; none is a line without gaps */
} style;

/* Reads the palette, unless it has been read. The functions below need it. False: no memory. */
bool style_load(void);

style style_of(dossier_role role, size_t rank);

/* Of what is not shown in a style of its own. */
style style_of_rest(void);

/* In comparisons, the ranks of learners whose styles the winners and the best learner alone have; and of the others. */
enum { STYLE_WINS = 0, STYLE_ALONE = 5 };
style style_of_loser(void);

/* Of lines to compare with. */
style style_of_reference(void);

/* A number of palette.json: "shown_learners" or "coloured_areas" (prominence.h). */
size_t style_limit(const char *name);

/* For pictures of selectors alone: the first has its usual style, and the others have the styles of learners. */
style style_among_selectors(size_t rank);

#endif

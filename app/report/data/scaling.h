/* SPDX-License-Identifier: MIT */
/*
 * How regret grows. Three or more experiments called STEM-N with one stem are a family: one experiment in several
 * sizes. For each selector, regret is modelled as a power of N, and the exponent is fitted on logarithmic axes.
 */
#ifndef REPORT_DATA_SCALING_H
#define REPORT_DATA_SCALING_H

#include "report/data/dossier.h"

typedef struct scaling_member {
    const dossier *dossier;
    double size;
} scaling_member;

/* One selector over all sizes. */
typedef struct scaling_line {
    const char *name, *kind;
    bool shares;
    size_t rank;           /* its place among the lines with the same `shares` */
    dossier_value *regret; /* per member; NaN where that experiment does not have the selector */
    dossier_value exponent;
    size_t points; /* members that have the selector */
} scaling_line;

typedef struct scaling_family {
    const char *stem, *picture; /* the name of its picture, without the suffix */
    scaling_member *members;    /* from the smallest size on */
    size_t member_count;
    scaling_line *lines; /* lines of selectors whose learners share come last */
    size_t line_count;
} scaling_family;

typedef struct scaling {
    scaling_family *families; /* in the order of the dossiers */
    size_t family_count;
} scaling;

/* Finds the families among dossiers, in the memory of a pool. The dossiers must outlive them. NULL: no memory. */
scaling *scaling_make(const dossier *const *dossiers, size_t count, pool *memory);

/* The family a dossier belongs to, or NULL. */
const scaling_family *scaling_family_of(const scaling *s, const dossier *r);

/* Writes scaling.csv. Returns false if that failed, after a message with the reason. */
bool scaling_write(const scaling *s, const char *directory, FILE *messages);

/*
 * The exponent and its interval, by least squares of log regret over log size. The error of a logarithm is the relative
 * error of regret, and a point weighs by the inverse of its square. If any point has no interval, all weigh the same
 * and the exponent has no interval either. The result is NaN with fewer than three sizes, and if a regret is not above
 * 0. Points without a mean do not count.
 */
dossier_value scaling_fit(const scaling_member *members, const dossier_value *regret, size_t count);

#endif

/*
 * How regret grows: experiments called STEM-N, three or more with one stem, are a family, one experiment in several
 * sizes. Per selector, regret is taken for a power of N, whose exponent is fitted on logarithmic axes.
 */
#ifndef REPORT_DATA_SCALING_H
#define REPORT_DATA_SCALING_H

#include "report/data/record.h"

typedef struct scaling_member {
    const record *record;
    double size;
} scaling_member;

/* A selector over the sizes. */
typedef struct scaling_line {
    const char *name, *kind;
    bool shares;
    size_t rank;          /* among those that share as much */
    record_value *regret; /* per member; NaN where it is not in that experiment */
    record_value exponent;
    size_t points; /* members it is in */
} scaling_line;

typedef struct scaling_family {
    char *stem, *picture;    /* the name of its picture, without the suffix */
    scaling_member *members; /* from the smallest */
    size_t member_count;
    scaling_line *lines; /* those that share come last */
    size_t line_count;
} scaling_family;

typedef struct scaling {
    scaling_family *families; /* in the order of the records */
    size_t family_count;
} scaling;

/* The families among records, which are to outlive them. */
scaling *scaling_make(const record *const *records, size_t count);
void scaling_free(scaling *s);

/* The family a record belongs to, or NULL. */
const scaling_family *scaling_family_of(const scaling *s, const record *r);

/* scaling.csv. Returns false if it could not be written. */
bool scaling_write(const scaling *s, const char *directory, FILE *messages);

/*
 * The exponent and its interval, by least squares of log regret over log size. An error of regret is a relative one of
 * its logarithm, and weighs by the inverse of its square; where a point has no interval all weigh the same, and the
 * exponent has none either. NaN with less than three sizes, and where a regret is not above 0. Points without a mean do
 * not count.
 */
record_value scaling_fit(const scaling_member *members, const record_value *regret, size_t count);

#endif

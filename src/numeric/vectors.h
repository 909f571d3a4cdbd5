/*
 * Small sums and searches over arrays, each in the one order in which it is done anywhere.
 */
#ifndef POSSE_NUMERIC_VECTORS_H
#define POSSE_NUMERIC_VECTORS_H

/* The sum of a[j] b[j], from j = 0 up. */
static inline double dot(const double *a, const double *b, int count) {
    double sum = 0.0;
    for (int j = 0; j < count; j++) sum += a[j] * b[j];
    return sum;
}

/* The index of the largest of count numbers, the first among equals. */
static inline int largest(const double *values, int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (values[i] > values[best]) best = i;
    return best;
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Converts contexts from Python to the posse_context that the library reads. Arrays of doubles are not copied if they
 * are contiguous, with their rows in the order of the arms. Arms may be given in any order; the library gets them in
 * ascending order.
 */
#ifndef CONTEXT_H
#define CONTEXT_H

#include "posse_extend.h"
#include "python/src/application.h"
#include "python/src/named.h"

/* The parts of a context as they were given, borrowed; NULL: not given. looks: nothing may change, so no arm joins. */
typedef struct context_parts {
    PyObject *context, *points, *shared, *arms;
    bool looks;
} context_parts;

/* Features that were given as pairs: rows, whose values are borrowed. rows NULL: there are none. */
typedef struct given_pairs {
    posse_sparse *rows;
    int count; /* of rows */
    int *indices;
    Py_buffer values;
} given_pairs;

typedef struct given_context {
    posse_context c; /* ready after context_complete */
    given_pairs sparse_points, sparse_shared;
    bool given;
    int rows;   /* of the points; -1: there are none */
    int listed; /* how many arms are listed; -1: there is no list */
    Py_buffer points, shared;
    int *arms;           /* the listed arms, in ascending order */
    int *order;          /* their places in the list as it was given; NULL: it ascends */
    double *rearranged;  /* the points in that order */
    PyObject *names;     /* the arms, if they were given by name; else NULL */
    int newcomers;       /* names that no arm has */
    given_names by_name; /* features by name, in place of numbers */
} given_context;

/*
 * Takes a context, to be closed with context_close in any case. parts->context is a posse.Context or numbers: the
 * points, the shared features or, if rounds have both, a pair of them. Numbers are arrays, or pairs: dicts, lists of
 * them, and sparse arrays of SciPy. If the posse has a feature map, a dict has features by name, and the arms may be a
 * dict with the features of each. False with an exception set.
 */
bool context_open(given_context *x, application *a, const context_parts *parts);
void context_close(given_context *x);

/*
 * Takes pairs as posse.contexts.pairs returns them: where each row begins, and the indices and values of all rows. To
 * be freed in any case. False with an exception set.
 */
bool context_copy_pairs(given_pairs *x, PyObject *all);
void context_free_pairs(given_pairs *x);

/* Enters the application and completes x->c, as far as it depends on the present arms. False with an exception set. */
bool context_enter(given_context *x, application *a);

/* The same for a caller that is inside already. */
void context_complete(given_context *x, const application *a);

/* The number of available arms. Only inside, and after the library has accepted the context. */
int context_count(const given_context *x, const application *a);

/* application_made_well, for a call that was given a context, or lacked one. */
bool context_made_well(const given_context *x, application *a, posse_error error);

/* application_settle for such a call. */
PyObject *context_settle(const given_context *x, application *a, posse_error error);

/* Puts numbers, one for each available arm, into the order in which the arms were given. */
void context_put_back(const given_context *x, const double *numbers, double *out);

/* A posse.Context with copies of the arrays. dim, shared: the number of features of each arm, and of shared ones. */
PyObject *context_new(const posse_context *c, int dim, int shared);

/* A posse.Round with copies of the arrays. */
PyObject *context_new_round(const posse_round *round);

#endif

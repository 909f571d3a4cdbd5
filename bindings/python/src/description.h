/* SPDX-License-Identifier: MIT */
/*
 * A description given in Python (dicts, lists, texts, numbers, NumPy's numbers and arrays, paths) as the tree that the
 * reader reads. Learners in Python are hired: an instance, or a class with its arguments, becomes {name: ..,
 * kind: python, object: NUMBER}, and the instances are kept in a list by their numbers.
 */
#ifndef DESCRIPTION_H
#define DESCRIPTION_H

#include "describe/problems.h"
#include "python/src/module_state.h"

typedef struct description {
    pool *memory;       /* of the tree; NULL: it has been taken over */
    problems found;     /* with their paths in what was given */
    const node *root;   /* NULL: there is nothing to go on with */
    PyObject *learners; /* a list */
} description;

/*
 * Each describes something; to be closed whatever comes of it. False with an exception set: no memory, or what an
 * object of the user's has raised. What cannot be described is among the problems.
 */
bool description_of_experiment(description *d, PyObject *experiment);
bool description_of_posse(description *d, PyObject *selector, PyObject *learners, PyObject *prior);
bool description_of_part(description *d, PyObject *part);

void description_close(description *d);

#endif

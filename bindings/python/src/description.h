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
    problems found;     /* with their paths in the value that was given */
    const node *root;   /* NULL: the description is not complete */
    PyObject *learners; /* a list */
} description;

/*
 * Each describes a value, and is to be closed in any case. False with an exception set: there is no memory, or an
 * object of the user has raised the exception. Values that cannot be described become problems.
 */
bool description_of_experiment(description *d, PyObject *experiment);
bool description_of_posse(description *d, PyObject *selector, PyObject *learners, PyObject *prior, PyObject *rewards,
                          PyObject *features);
bool description_of_part(description *d, PyObject *part);

void description_close(description *d);

#endif

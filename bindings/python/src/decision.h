/* SPDX-License-Identifier: MIT */
/*
 * A decision as an object of Python. It holds its numbers and its point, and does not refer to the posse.
 */
#ifndef DECISION_H
#define DECISION_H

#include "posse_inside.h"
#include "python/src/module_state.h"

/* How many numbers a point has, 0 if there are none, and whether they are features of the round. */
typedef struct decision_shape {
    int numbers;
    bool features;
} decision_shape;

/* name: of the arm, or NULL. maker: the number of the posse. age: as in posse_pending. */
PyObject *decision_new(const posse_decision *d, decision_shape shape, const char *name, uint64_t maker, uint64_t age);

/*
 * The id of a decision, or of a whole number in its place, and the number of the posse that made it; 0: that is not
 * known. False with an exception set.
 */
bool decision_id(PyObject *decision, uint64_t *id, uint64_t *maker);

/* Writes into a decision what an external learner has played. Does nothing if a whole number is in its place. */
void decision_tell(PyObject *decision, const posse_pending *told, const char *name);

/* The names of all modes by their numbers, a tuple, with None for no mode. */
PyObject *decision_modes(void);

/* Makes a decision from the contents of its pickle. */
PyObject *decision_revive(PyObject *self, PyObject *arguments);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A decision, as Python sees it: the numbers alone, and the point with it.
 */
#ifndef DECISION_H
#define DECISION_H

#include "module_state.h"
#include "posse.h"

/* dim: of the point, or 0 where there is none. */
PyObject *decision_new(const posse_decision *d, int dim);

/* The id of a decision, or of a whole number in its place. False with an exception set. */
bool decision_id(PyObject *decision, uint64_t *id);

/* The decision again, from what its pickle holds. */
PyObject *decision_revive(PyObject *self, PyObject *arguments);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Batches: many decisions, rewards or plays from outside in one call, from arrays of NumPy and into them. All of a
 * batch is checked before anything of it happens. If no learner is in Python, other threads run meanwhile.
 */
#ifndef BATCH_H
#define BATCH_H

#include "python/src/application.h"

/* Methods of Posse. */
PyObject *batch_decide(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *batch_learn(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *batch_teach(PyObject *self, PyObject *arguments, PyObject *keywords);

#endif

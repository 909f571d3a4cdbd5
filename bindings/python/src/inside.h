/* SPDX-License-Identifier: MIT */
/*
 * What Python can see of a posse: its properties, and quantities that are estimated by draws or need a context.
 */
#ifndef INSIDE_H
#define INSIDE_H

#include "python/src/application.h"

extern PyGetSetDef inside_properties[];

/* Methods of Posse. */
PyObject *inside_propensities(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *inside_best_probabilities(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *inside_report(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *inside_acceptance(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *inside_means_in(PyObject *self, PyObject *context);
PyObject *inside_deviations_in(PyObject *self, PyObject *context);

#endif

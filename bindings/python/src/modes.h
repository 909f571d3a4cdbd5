/* SPDX-License-Identifier: MIT */
/*
 * The modes of a posse.
 */
#ifndef MODES_H
#define MODES_H

#include "python/src/application.h"

/* Methods and properties of Posse. */
PyObject *modes_set(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *modes_forget_unit(PyObject *self, PyObject *unit);
PyObject *modes_get(PyObject *self, void *unused);
PyObject *modes_get_units(PyObject *self, void *unused);

#endif

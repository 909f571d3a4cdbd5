/* SPDX-License-Identifier: MIT */
/*
 * Rounds: decisions, their rewards, and plays from outside.
 */
#ifndef ROUND_H
#define ROUND_H

#include "python/src/application.h"

/* Methods of Posse. */
PyObject *round_decide(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords);
PyObject *round_peek(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords);
PyObject *round_activate(PyObject *self, PyObject *decision);
PyObject *round_acted(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *round_learn(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords);
PyObject *round_forget(PyObject *self, PyObject *decision);
PyObject *round_teach(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *round_pending(PyObject *self, PyObject *unused);
PyObject *round_expire(PyObject *self, PyObject *value);
PyObject *round_next_task(PyObject *self, PyObject *unused);

#endif

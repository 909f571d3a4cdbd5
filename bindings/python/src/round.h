/* SPDX-License-Identifier: MIT */
/*
 * Rounds: decisions, their rewards, and plays from outside.
 */
#ifndef ROUND_H
#define ROUND_H

#include "python/src/application.h"
#include "python/src/decision.h"

/* The numbers that decisions of this posse have. */
decision_shape round_shape(const application *a);

/*
 * Two posses may give the same ids, so a decision of another posse is rejected by the number of the posse that made it;
 * 0: that is not known. To be called inside. False with an exception set.
 */
bool round_is_own(const application *a, uint64_t id, uint64_t maker);

/* Methods of Posse. */
PyObject *round_decide(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords);
PyObject *round_peek(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords);
PyObject *round_activate(PyObject *self, PyObject *decision);
PyObject *round_acted(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *round_learn(PyObject *self, PyObject *const *arguments, Py_ssize_t count, PyObject *keywords);
PyObject *round_forget(PyObject *self, PyObject *decision);
PyObject *round_teach(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *round_pending(PyObject *self, PyObject *unused);
PyObject *round_expire(PyObject *self, PyObject *arguments, PyObject *keywords);
PyObject *round_next_task(PyObject *self, PyObject *unused);

#endif

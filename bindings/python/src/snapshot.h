/* SPDX-License-Identifier: MIT */
/*
 * A posse as data: the library's bytes, the number of each place in the cast, and the learners in Python. Saving packs
 * it (posse.saving), copying makes a twin of it, and both are made a posse again in the same way.
 */
#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include "python/src/application.h"

/* Methods of Posse. */
PyObject *snapshot_save(PyObject *self, PyObject *unused);
PyObject *snapshot_reduce(PyObject *self, PyObject *unused);
PyObject *snapshot_copy(PyObject *self, PyObject *unused);
PyObject *snapshot_deep_copy(PyObject *self, PyObject *memo);

/* posse.load. */
PyObject *snapshot_load(PyObject *self, PyObject *arguments, PyObject *keywords);

#endif

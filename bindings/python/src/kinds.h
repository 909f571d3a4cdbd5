/* SPDX-License-Identifier: MIT */
/*
 * The library's declarations as Python's own data: the kinds and their parameters.
 */
#ifndef KINDS_H
#define KINDS_H

#include "python/src/module_state.h"

PyObject *kinds_all(PyObject *self, PyObject *unused);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Reading the numbers of single runs from results.h5.
 */
#ifndef DATASET_H
#define DATASET_H

#include "python/src/module_state.h"

/* dataset(path, name): the bytes of a dataset, and a tuple with its sizes. */
PyObject *dataset_read(PyObject *self, PyObject *arguments);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The charts of results as text in JSON, made by the report, so that Results.plot shows what the program's pictures
 * show.
 */
#ifndef CHARTS_H
#define CHARTS_H

#include "python/src/outcome.h"

/* charts(): of an outcome. _charts(folder): of result files. */
PyObject *charts_of_outcome(PyObject *self, PyObject *unused);
PyObject *charts_of_folder(PyObject *self, PyObject *path);

#endif

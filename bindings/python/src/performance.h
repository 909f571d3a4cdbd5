/* SPDX-License-Identifier: MIT */
/*
 * Running an experiment from Python.
 */
#ifndef PERFORMANCE_H
#define PERFORMANCE_H

#include "python/src/module_state.h"

/*
 * play(experiment, path, changes, threads, device, progress, only_check, folder, fresh): an Outcome, or None if it was
 * only to be checked. Either the experiment, a mapping, or the path of a file is given; the other one is None.
 */
PyObject *performance_play(PyObject *self, PyObject *arguments);

#endif

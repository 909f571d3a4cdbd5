/*
 * Running an experiment from Python.
 */
#ifndef PERFORMANCE_H
#define PERFORMANCE_H

#include "kit.h"

/*
 * play(text, path, learners, changes, mend, threads, progress, only_check): an Outcome, or None if it was only to be
 * checked. The text of an experiment, or the path of a file, is None.
 */
PyObject *performance_play(PyObject *module, PyObject *arguments);

#endif

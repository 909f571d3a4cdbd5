/* SPDX-License-Identifier: MIT */
/*
 * The program within the module: `python -m posse` is its main.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "python/src/module_state.h"

PyObject *program_main(PyObject *self, PyObject *arguments);

#endif

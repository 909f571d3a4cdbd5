/*
 * The program within the module: `python -m posse` is its main.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "kit.h"

PyObject *program_main(PyObject *module, PyObject *arguments);

#endif
